#include "tests/import/stablehlo/op_run.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/ops/families.h"
#include "tests/import/stablehlo/scalar_functions.h"

namespace indexical::testing {

absl::Status unequal(const OpRun &run, const char *what) {
  return absl::InternalError(
      absl::StrCat(run.op->getName().getStringRef().str(), ": ", what));
}

absl::Status OpRun::combine(unsigned region, ArrayValues &into,
                            const ArrayValues &with) {
  ArrayValues arguments = into;
  arguments.insert(arguments.end(), with.begin(), with.end());
  auto results = runRegion(region, std::move(arguments));
  if (!results.ok()) return results.status();
  into = *std::move(results);
  return absl::OkStatus();
}

ArrayValue OpRun::scalarAt(int64_t operand, int64_t place) const {
  ArrayValue scalar(operands[operand].kind, {});
  scalar.elements[0] = operands[operand].elements[place];
  return scalar;
}

void OpRun::setComputed(int64_t roundings) {
  setMoved();
  for (ArrayValue &result : results)
    result.roundings = std::max(result.roundings, roundings);
}

void OpRun::setMoved() {
  int64_t roundings = 0;
  for (const ArrayValue &operand : operands)
    roundings = std::max(roundings, operand.roundings);
  for (ArrayValue &result : results) result.roundings = roundings;
}

//===-- Elementwise -------------------------------------------------------===//

/// Quantized operands are taken for what they stand for.
absl::Status runElementwise(OpRun &run) {
  const ScalarFunction function = scalarFunctionOf(run.op);
  ArrayValue &result = run.results[0];
  std::vector<ElementKind> kinds;
  for (const ArrayValue &operand : run.operands)
    kinds.push_back(expressedKind(operand.kind));
  const ElementKind kind = expressedKind(result.kind);
  std::vector<const ElementReads *> reads;
  for (size_t k = 0; k < run.operands.size(); ++k) {
    auto of = run.reads(0, k);
    if (!of.ok()) return of.status();
    reads.push_back(*of);
  }
  std::vector<Scalar> elements(run.operands.size());
  for (size_t place = 0; place < result.elements.size(); ++place) {
    for (size_t k = 0; k < run.operands.size(); ++k) {
      const auto &read = (*reads[k])[place];
      if (read.size() != 1) return unequal(run, "not one element is read");
      elements[k] = valueAt(run.operands[k], read[0]);
    }
    setValue(result, place,
             rounded(kind, function({run.op, elements, kinds, kind})));
  }
  if (movesFloats(run.op))
    run.setMoved();
  else
    run.setComputed();
  return absl::OkStatus();
}

//===-- Data movement -----------------------------------------------------===//

/// How many of the first operands hold what is moved; the others steer.
static size_t movedOperands(mlir::Operation *op) {
  return llvm::StringSwitch<size_t>(op->getName().stripDialect())
      .Case("concatenate", op->getNumOperands())
      .Cases({"dynamic_update_slice", "pad", "dynamic_pad"}, 2)
      .Default(1);
}

absl::Status runMovement(OpRun &run) {
  ArrayValue &result = run.results[0];
  std::vector<int> times(result.elements.size(), 0);
  for (size_t k = 0; k < movedOperands(run.op); ++k) {
    auto reads = run.reads(0, k);
    if (!reads.ok()) return reads.status();
    for (size_t place = 0; place < times.size(); ++place)
      for (int64_t from : (**reads)[place]) {
        result.elements[place] = run.operands[k].elements[from];
        ++times[place];
      }
  }
  for (int count : times)
    if (count != 1) return unequal(run, "an element is not one that is moved");
  run.setMoved();
  return absl::OkStatus();
}

/// The element start + index * stride, along each dimension. Where strides are
/// known in the run alone the maps are a cover, which must have it.
absl::Status runRealDynamicSlice(OpRun &run) {
  ArrayValue &result = run.results[0];
  const ArrayValue &operand = run.operands[0];
  auto reads = run.reads(0, 0);
  if (!reads.ok()) return reads.status();
  for (size_t place = 0; place < result.elements.size(); ++place) {
    Index index = indexAt(result.sizes, place);
    for (size_t k = 0; k < index.size(); ++k)
      index[k] = run.operands[1].elements[k].integer +
                 index[k] * run.operands[3].elements[k].integer;
    if (!isInside(operand.sizes, index) ||
        !llvm::is_contained((**reads)[place], rowMajor(operand.sizes, index)))
      return unequal(run, "the element that is taken is not read");
    result.elements[place] = operand.elements[rowMajor(operand.sizes, index)];
  }
  run.setMoved();
  return absl::OkStatus();
}

absl::Status runGetDimensionSize(OpRun &run) {
  const auto *size = run.descriptor.as<NullaryOp>();
  if (!size || !size->sizeOf) return unequal(run, "is no size");
  run.results[0].elements[0] =
      Scalar::integral(run.operands[0].sizes[*size->sizeOf]);
  return absl::OkStatus();
}

/// The first of several elements are the low bits.
absl::Status runBitcastConvert(OpRun &run) {
  ArrayValue &result = run.results[0];
  const ElementKind &from = run.operands[0].kind, &to = result.kind;
  auto reads = run.reads(0, 0);
  if (!reads.ok()) return reads.status();
  const unsigned parts = std::max(1u, to.width() / from.width());
  const unsigned pieces = std::max(1u, from.width() / to.width());
  for (size_t place = 0; place < result.elements.size(); ++place) {
    const auto &read = (**reads)[place];
    if (read.size() != parts) return unequal(run, "bits are missing");
    llvm::APInt bits(parts * from.width(), 0);
    for (unsigned part = 0; part < parts; ++part)
      bits.insertBits(bitsOf(from, run.operands[0].elements[read[part]]),
                      part * from.width());
    result.elements[place] =
        scalarOf(to, bits.extractBits(to.width(), place % pieces * to.width()));
  }
  run.setMoved();
  return absl::OkStatus();
}

absl::Status runIota(OpRun &run) {
  const auto *iota = run.descriptor.as<IotaOp>();
  if (!iota) return unequal(run, "is no iota");
  ArrayValue &result = run.results[0];
  for (size_t place = 0; place < result.elements.size(); ++place) {
    const int64_t i = indexAt(result.sizes, place)[iota->dimension];
    setValue(
        result, place,
        result.kind.isInteger() ? Scalar::integral(i) : Scalar::floating(i));
  }
  return absl::OkStatus();
}

/// Tuples and barriers: each result is one of the operands' leaves, whole.
absl::Status runForward(OpRun &run) {
  for (size_t r = 0; r < run.results.size(); ++r) {
    ArrayValue &result = run.results[r];
    std::vector<int> times(result.elements.size(), 0);
    for (size_t k = 0; k < run.operands.size(); ++k) {
      auto reads = run.reads(r, k);
      if (!reads.ok()) return reads.status();
      for (size_t place = 0; place < times.size(); ++place)
        for (int64_t from : (**reads)[place]) {
          result.elements[place] = run.operands[k].elements[from];
          result.roundings =
              std::max(result.roundings, run.operands[k].roundings);
          ++times[place];
        }
    }
    for (int count : times)
      if (count != 1)
        return unequal(run, "an element is not one that is moved");
  }
  return absl::OkStatus();
}

//===-- Which op is run how -----------------------------------------------===//

OpRunner runnerOf(mlir::Operation *op) {
  if (scalarFunctionOf(op)) return runElementwise;
  return llvm::StringSwitch<OpRunner>(op->getName().getStringRef())
      .Cases({"stablehlo.broadcast", "stablehlo.broadcast_in_dim",
              "stablehlo.concatenate", "stablehlo.dynamic_broadcast_in_dim",
              "stablehlo.dynamic_gather", "stablehlo.dynamic_pad",
              "stablehlo.dynamic_reshape", "stablehlo.dynamic_slice",
              "stablehlo.dynamic_update_slice", "stablehlo.gather",
              "stablehlo.pad", "stablehlo.reshape", "stablehlo.reverse",
              "stablehlo.set_dimension_size", "stablehlo.slice",
              "stablehlo.torch_index_select", "stablehlo.transpose"},
             runMovement)
      .Case("stablehlo.bitcast_convert", runBitcastConvert)
      .Case("stablehlo.get_dimension_size", runGetDimensionSize)
      .Case("stablehlo.real_dynamic_slice", runRealDynamicSlice)
      .Cases({"stablehlo.iota", "stablehlo.dynamic_iota"}, runIota)
      .Cases({"stablehlo.get_tuple_element", "stablehlo.optimization_barrier",
              "stablehlo.tuple"},
             runForward)
      .Cases({"stablehlo.reduce", "stablehlo.reduce_window"}, runReduction)
      .Case("stablehlo.scatter", runScatter)
      .Case("stablehlo.select_and_scatter", runSelectAndScatter)
      .Case("stablehlo.sort", runSort)
      .Case("chlo.top_k", runTopK)
      .Cases({"stablehlo.dot", "stablehlo.dot_general"}, runDot)
      .Cases({"stablehlo.convolution", "stablehlo.dynamic_conv"},
             runConvolution)
      .Case("stablehlo.fft", runFft)
      .Case("stablehlo.triangular_solve", runTriangularSolve)
      .Default(nullptr);
}

}  // namespace indexical::testing

// Ops that multiply elements of two operands and add, and those that combine
// whole rows. The maps say which elements there are; how they meet is the
// definition's, and every one must meet.
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/ops/families.h"
#include "tests/import/stablehlo/op_run.h"

namespace indexical::testing {
namespace {

using Complex = std::complex<double>;

struct TwoReads {
  const ElementReads *lhs, *rhs;
};

absl::StatusOr<TwoReads> readsOfBoth(OpRun &run) {
  auto lhs = run.reads(0, 0), rhs = run.reads(0, 1);
  if (!lhs.ok()) return lhs.status();
  if (!rhs.ok()) return rhs.status();
  return TwoReads{*lhs, *rhs};
}

/// A sum of products in the result's kind, rounded at every step. Operands of
/// another kind are converted first.
class Sum {
 public:
  explicit Sum(const ElementKind &kind) : kind_(kind) {}

  void add(const ArrayValue &a, int64_t i, const ArrayValue &b, int64_t j) {
    const Scalar x = converted(a, i), y = converted(b, j);
    if (kind_.isInteger()) {
      const uint64_t product =
          static_cast<uint64_t>(x.integer) * static_cast<uint64_t>(y.integer);
      total_.integer = static_cast<uint64_t>(total_.integer) + product;
      total_ = rounded(kind_, total_);
      return;
    }
    const Scalar product =
        rounded(kind_, Scalar::floating(x.number * y.number));
    total_ = rounded(kind_, Scalar::floating(total_.number + product.number));
  }
  const Scalar &value() const { return total_; }

 private:
  Scalar converted(const ArrayValue &array, int64_t place) const {
    Scalar value = valueAt(array, place);
    const ElementKind from = expressedKind(array.kind);
    if (from.isInteger() && !kind_.isInteger())
      value = Scalar::floating(
          from.isUnsigned
              ? static_cast<double>(static_cast<uint64_t>(value.integer))
              : static_cast<double>(value.integer));
    return value;
  }

  const ElementKind kind_;
  Scalar total_;
};

}  // namespace

//===-- Dot ---------------------------------------------------------------===//

absl::Status runDot(OpRun &run) {
  const auto *dot = run.descriptor.as<DotOp>();
  if (!dot) return unequal(run, "is no dot");
  auto reads = readsOfBoth(run);
  if (!reads.ok()) return reads.status();
  auto contracted = [&](int64_t operand, int64_t place, const Int64s &along) {
    const Index index = indexAt(run.operands[operand].sizes, place);
    Index key;
    for (int64_t k : along) key.push_back(index[k]);
    return key;
  };
  ArrayValue &result = run.results[0];
  for (size_t place = 0; place < result.elements.size(); ++place) {
    std::map<Index, int64_t> partners;
    for (int64_t j : (*reads->rhs)[place])
      partners[contracted(1, j, dot->rhsContracting)] = j;
    if (partners.size() != (*reads->rhs)[place].size() ||
        partners.size() != (*reads->lhs)[place].size())
      return unequal(run, "elements of the two operands do not pair");
    Sum sum(expressedKind(result.kind));
    for (int64_t i : (*reads->lhs)[place]) {
      auto partner = partners.find(contracted(0, i, dot->lhsContracting));
      if (partner == partners.end())
        return unequal(run, "an element has no partner");
      sum.add(run.operands[0], i, run.operands[1], partner->second);
    }
    setValue(result, place, sum.value());
  }
  run.setComputed();
  return absl::OkStatus();
}

//===-- Convolution -------------------------------------------------------===//

namespace {

/// Returns the element of the input that is multiplied by an element of the
/// kernel, or nothing if that is padding.
std::optional<Index> inputOf(const ConvolutionOp &op, const OpRun &run,
                             const Index &output, const Index &kernel) {
  const Index &sizes = run.operands[0].sizes;
  Index input(sizes.size());
  const int64_t outputFeatures = run.results[0].sizes[op.outputFeature];
  const int64_t feature = output[op.outputFeature];
  const int64_t perGroup = run.operands[1].sizes[op.kernelInputFeature];
  input[op.inputFeature] =
      feature / (outputFeatures / op.featureGroups) * perGroup +
      kernel[op.kernelInputFeature];
  input[op.inputBatch] = feature / (outputFeatures / op.batchGroups) *
                             (sizes[op.inputBatch] / op.batchGroups) +
                         output[op.outputBatch];
  if (op.featureGroups > 1) input[op.inputBatch] = output[op.outputBatch];
  for (size_t k = 0; k < op.window.size(); ++k) {
    const WindowDimension &w = op.window[k];
    int64_t tap = kernel[op.kernelSpatial[k]];
    if (w.reversed) tap = w.size - 1 - tap;
    const int64_t at = output[op.outputSpatial[k]] * w.stride - w.padLow +
                       tap * w.windowDilation;
    const int64_t last = (sizes[op.inputSpatial[k]] - 1) * w.baseDilation;
    if (at < 0 || at > last || at % w.baseDilation) return std::nullopt;
    input[op.inputSpatial[k]] = at / w.baseDilation;
  }
  return input;
}

}  // namespace

absl::Status runConvolution(OpRun &run) {
  const auto *given = run.descriptor.as<ConvolutionOp>();
  if (!given) return unequal(run, "is no convolution");
  ConvolutionOp op = *given;
  if (run.operands.size() > 2)  // dynamic_conv's padding
    for (size_t k = 0; k < op.window.size(); ++k) {
      op.window[k].padLow = run.operands[2].elements[2 * k].integer;
      op.window[k].padHigh = run.operands[2].elements[2 * k + 1].integer;
    }
  auto reads = readsOfBoth(run);
  if (!reads.ok()) return reads.status();
  ArrayValue &result = run.results[0];
  for (size_t place = 0; place < result.elements.size(); ++place) {
    const auto &lhs = (*reads->lhs)[place];
    std::set<int64_t> left(lhs.begin(), lhs.end());
    const Index output = indexAt(result.sizes, place);
    Sum sum(expressedKind(result.kind));
    for (int64_t j : (*reads->rhs)[place]) {
      auto input = inputOf(op, run, output, indexAt(run.operands[1].sizes, j));
      if (!input) continue;
      const int64_t i = rowMajor(run.operands[0].sizes, *input);
      if (!left.erase(i))
        return unequal(run, "an element of the input is not read");
      sum.add(run.operands[0], i, run.operands[1], j);
    }
    if (!left.empty())
      return unequal(run, "an element of the input meets none of the kernel");
    setValue(result, place, sum.value());
  }
  run.setComputed();
  return absl::OkStatus();
}

//===-- Fourier transform -------------------------------------------------===//

namespace {

/// The terms of a Fourier transform: what an element of the operand adds to an
/// element of the result.
class Transform {
 public:
  Transform(const FftOp &op, const OpRun &run) : op_(op), run_(run) {
    for (int64_t length : op.lengths) count_ *= length;
  }

  size_t elementsPerResult() const {
    size_t count = 1;
    for (size_t k = 0; k < op_.lengths.size(); ++k)
      count *= run_.operands[0].sizes[first(run_.operands[0]) + k];
    return count;
  }

  Complex term(const Index &result, int64_t place) const {
    const ArrayValue &operand = run_.operands[0];
    const Index index = indexAt(operand.sizes, place);
    double turns = 0;
    for (size_t k = 0; k < op_.lengths.size(); ++k)
      turns += static_cast<double>(index[first(operand) + k] *
                                   result[first(run_.results[0]) + k]) /
               op_.lengths[k];
    const bool inverse =
        op_.kind == FftOp::Kind::Ifft || op_.kind == FftOp::Kind::Irfft;
    const double angle = 2 * std::acos(-1.0) * turns * (inverse ? 1 : -1);
    Complex value = valueAt(operand, place).number * std::polar(1.0, angle);
    if (inverse) value /= count_;
    if (op_.kind != FftOp::Kind::Irfft) return value;
    // The half that is not there mirrors this one.
    const int64_t last = index.back(), length = op_.lengths.back();
    return value.real() * (last == 0 || 2 * last == length ? 1 : 2);
  }

 private:
  size_t first(const ArrayValue &array) const {
    return array.sizes.size() - op_.lengths.size();
  }

  const FftOp &op_;
  const OpRun &run_;
  double count_ = 1;
};

}  // namespace

absl::Status runFft(OpRun &run) {
  const auto *fft = run.descriptor.as<FftOp>();
  if (!fft) return unequal(run, "is no transform");
  auto reads = run.reads(0, 0);
  if (!reads.ok()) return reads.status();
  const Transform transform(*fft, run);
  ArrayValue &result = run.results[0];
  for (size_t place = 0; place < result.elements.size(); ++place) {
    const auto &read = (**reads)[place];
    if (read.size() != transform.elementsPerResult())
      return unequal(run, "not all of the transformed dimensions is read");
    const Index index = indexAt(result.sizes, place);
    Complex sum;
    for (int64_t element : read) sum += transform.term(index, element);
    setValue(result, place, Scalar::floating(sum));
  }
  run.setComputed();
  return absl::OkStatus();
}

//===-- Triangular solve --------------------------------------------------===//

namespace {

/// One element of the solution by substitution, from what the maps give.
class Substitution {
 public:
  Substitution(const TriangularSolveOp &op, const OpRun &run, bool conjugate,
               const std::vector<int64_t> &a, const std::vector<int64_t> &b)
      : op_(op),
        run_(run),
        conjugate_(conjugate),
        given_{{a.begin(), a.end()}, {b.begin(), b.end()}} {}

  Complex solve(const Index &index) {
    index_ = index;
    const size_t rank = index.size();
    return unknown(index[op_.leftSide ? rank - 2 : rank - 1]);
  }

  /// Whether something was missing, or left over.
  const char *mistake() const {
    if (isMissing_) return "an element that it takes is not read";
    return used_[0] == given_[0] && used_[1] == given_[1]
               ? nullptr
               : "an element is read that it does not take";
  }

 private:
  /// An unknown of the row or column that the element stands in.
  Complex unknown(int64_t i) {
    auto known = solved_.find(i);
    if (known != solved_.end()) return known->second;
    const ArrayValue &triangle = run_.operands[0];
    const int64_t size = triangle.sizes.back();
    Complex sum = right(i);
    // Transposed, or from the right: the other triangle is substituted.
    const bool forward = (op_.lower != op_.transposed) == op_.leftSide;
    for (int64_t p = forward ? 0 : i + 1; p < (forward ? i : size); ++p)
      sum -= coefficient(i, p) * unknown(p);
    if (!op_.unitDiagonal) sum /= coefficient(i, i);
    return solved_[i] = sum;
  }

  Complex coefficient(int64_t i, int64_t p) {
    const bool swapped = op_.transposed == op_.leftSide;
    Index at = index_;
    at[at.size() - 2] = swapped ? p : i;
    at[at.size() - 1] = swapped ? i : p;
    const Complex value = element(0, at);
    return conjugate_ ? std::conj(value) : value;
  }

  Complex right(int64_t i) {
    Index at = index_;
    at[at.size() - (op_.leftSide ? 2 : 1)] = i;
    return element(1, at);
  }

  Complex element(int64_t operand, const Index &index) {
    const int64_t place = rowMajor(run_.operands[operand].sizes, index);
    if (!given_[operand].count(place)) isMissing_ = true;
    used_[operand].insert(place);
    return valueAt(run_.operands[operand], place).number;
  }

  const TriangularSolveOp &op_;
  const OpRun &run_;
  const bool conjugate_;
  const std::set<int64_t> given_[2];
  std::set<int64_t> used_[2];
  Index index_;
  std::map<int64_t, Complex> solved_;
  bool isMissing_ = false;
};

}  // namespace

absl::Status runTriangularSolve(OpRun &run) {
  const auto *op = run.descriptor.as<TriangularSolveOp>();
  auto transpose =
      run.op->getAttrOfType<stablehlo::TransposeAttr>("transpose_a");
  if (!op || !transpose) return unequal(run, "is no solve");
  const bool conjugate = transpose.getValue() == stablehlo::Transpose::ADJOINT;
  auto reads = readsOfBoth(run);
  if (!reads.ok()) return reads.status();
  ArrayValue &result = run.results[0];
  for (size_t place = 0; place < result.elements.size(); ++place) {
    Substitution substitution(*op, run, conjugate, (*reads->lhs)[place],
                              (*reads->rhs)[place]);
    const Complex value = substitution.solve(indexAt(result.sizes, place));
    if (const char *mistake = substitution.mistake())
      return unequal(run, mistake);
    setValue(result, place, Scalar::floating(value));
  }
  // Each step of the substitution takes on the errors of those before it.
  run.setComputed(kFewRoundings * run.operands[0].sizes.back());
  return absl::OkStatus();
}

}  // namespace indexical::testing

#include "indexical/cost/launch/operations.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Fusions in fusions; deeper ones are no compiler's.
constexpr int kMostDepth = 8;

double elementsOf(const ArrayShape &shape) {
  double count = 1;
  for (size_t k = 0; k < shape.dimensions.size(); ++k)
    count *= static_cast<double>(shape.dimensions[k]);
  return shape.hasUnknownSize() ? 0 : count;
}

Operations product(const ArrayShape &result, double each,
                   const ArrayShape &of) {
  // A product of complex numbers is four of real ones.
  const bool isComplex =
      of.type == ElementType::C64 || of.type == ElementType::C128;
  const int64_t bits = bitsOf(of.type) / (isComplex ? 2 : 1);
  return {2 * elementsOf(result) * each * (isComplex ? 4 : 1), bits};
}

double sizesAlong(const ArrayShape &shape, llvm::ArrayRef<int64_t> dimensions) {
  double size = 1;
  for (int64_t k : dimensions)
    if (k >= 0 && k < static_cast<int64_t>(shape.dimensions.size()))
      size *= static_cast<double>(shape.dimensions[k]);
  return size;
}

/// The numbers of `["1","2"]` behind a key; those of JSON, and of its text
/// form.
llvm::SmallVector<int64_t, 2> numbersBehind(StringRef text, StringRef key) {
  llvm::SmallVector<int64_t, 2> numbers;
  const size_t at = text.find(key);
  if (at == StringRef::npos) return numbers;
  StringRef list = text.substr(at + key.size());
  list = list.substr(std::min(list.find('['), list.size()));
  list = list.take_until([](char c) { return c == ']'; });
  while (!list.empty()) {
    list = list.drop_until([](char c) { return llvm::isDigit(c); });
    int64_t number = 0;
    if (list.consumeInteger(10, number)) break;
    numbers.push_back(number);
  }
  return numbers;
}

/// A convolution that cuDNN computes forward: each element of the result is a
/// sum over the kernel's elements of one output feature. Its dimensions stand
/// in `dim_labels=b01f_01io->b01f`.
Operations convolved(const Instruction &call) {
  const OpShapes &shapes = shapesOf(call.op);
  StringRef labels =
      StringRef(call.op.descriptor().configuration).split("dim_labels=").second;
  labels = labels.take_until([](char c) { return c == ';' || c == ','; });
  const StringRef ofKernel = labels.split('_').second.split("->").first;
  if (shapes.operands.size() < 2 || shapes.results.empty() ||
      static_cast<int64_t>(ofKernel.size()) != shapes.operands[1].rank() ||
      !ofKernel.contains('o'))
    return {};
  const ArrayShape &kernel = shapes.operands[1];
  const double features =
      sizesAlong(kernel, {static_cast<int64_t>(ofKernel.find('o'))});
  const double each = features > 0 ? elementsOf(kernel) / features : 0;
  return product(shapes.results[0], each, shapes.operands[0]);
}

/// A product that a library computes, as its configuration states it.
Operations called(const Instruction &call) {
  if (call.customCallTarget.starts_with("__cudnn$conv") &&
      call.customCallTarget.ends_with("Forward"))
    return convolved(call);
  const OpShapes &shapes = shapesOf(call.op);
  const bool isProduct = call.customCallTarget.contains("matmul") ||
                         call.customCallTarget.contains("gemm");
  if (!isProduct || shapes.operands.empty() || shapes.results.empty())
    return {};
  const ArrayShape &lhs = shapes.operands[0];
  const auto contracted =
      numbersBehind(call.backendConfig, "lhs_contracting_dimensions");
  if (contracted.empty()) return {};
  return product(shapes.results[0], sizesAlong(lhs, contracted), lhs);
}

void add(Operations &sum, const Operations &other) {
  if (other.count == 0) return;
  sum.bits = sum.count == 0 ? other.bits : std::max(sum.bits, other.bits);
  sum.count += other.count;
}

/// Whether an element takes so long that memory waits for it.
bool isHard(const Op &op) {
  static const OpKind *const kHard[] = {
      kindOf<ElementwiseOp>("cosine"), kindOf<ElementwiseOp>("power"),
      kindOf<ElementwiseOp>("sine"), kindOf<ElementwiseOp>("tan")};
  return op.is<ElementwiseOp>() && llvm::is_contained(kHard, &op.kind());
}

void collect(const Module &module, const Instruction &instruction, int depth,
             Operations &sum) {
  if (const auto *dot = instruction.op.as<DotOp>()) {
    add(sum, product(dot->results[0],
                     sizesAlong(dot->operands[0], dot->lhsContracting),
                     dot->operands[0]));
  } else if (const auto *conv = instruction.op.as<ConvolutionOp>()) {
    const ArrayShape &kernel = conv->operands[1];
    const double features = sizesAlong(kernel, {conv->kernelOutputFeature});
    const double each = features > 0 ? elementsOf(kernel) / features : 0;
    add(sum, product(conv->results[0], each, conv->operands[0]));
  } else if (isHard(instruction.op)) {
    sum.hard += elementsOf(shapesOf(instruction.op).results[0]);
  } else if (!instruction.customCallTarget.empty()) {
    add(sum, called(instruction));
  } else if (const auto callee = calleeOfCall(instruction);
             callee && callee->computation >= 0 && depth < kMostDepth) {
    for (const Instruction &inner :
         module.computations[callee->computation].instructions)
      collect(module, inner, depth + 1, sum);
  }
}

}  // namespace

Operations operationsOf(const Module &module, const Instruction &instruction) {
  Operations sum;
  collect(module, instruction, 0, sum);
  return sum;
}

}  // namespace indexical

// Facts about types and ops for the files of KernelTerms; private to
// same/kernel.
#ifndef INDEXICAL_SAME_KERNEL_TERM_TYPES_H
#define INDEXICAL_SAME_KERNEL_TERM_TYPES_H

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"
#include "indexical/program/kernel/values.h"
#include "indexical/same/values/element_table.h"

namespace indexical::kernels {

inline ElementType typeOf(const KernelValue &value) {
  return parseElementType(value.type).value_or(ElementType::Unknown);
}

inline bool isUnsigned(ElementType type) {
  return elementTypeName(type).starts_with("u");
}

/// Returns whether the op has the same bits for signed and unsigned operands.
inline bool isOfBits(llvm::StringRef op) {
  for (llvm::StringRef each : {"add", "subtract", "multiply", "and", "or",
                               "xor", "select", "EQ", "NE"})
    if (op == each) return true;
  return false;
}

/// Returns the op as part of an HLO dot, which differs from the same op
/// elsewhere: a dot rounds its products and their sum in its own way.
inline Op ofDot(const Op &op) {
  return op.changed([](OpDraft &draft) { draft->configuration = "dot "; });
}

/// Returns the op of a reduction that keeps the order of its numbers, as a loop
/// does.
inline Op keepingOrder(const Op &op) {
  return op.changed([](OpDraft &draft) {
    draft->configuration = kKeepsOrder.str() + draft->configuration;
  });
}

/// Returns any function of elements of these types, which equals itself alone.
inline Op functionOf(std::string name, llvm::ArrayRef<ElementType> types,
                     ElementType result) {
  ElementwiseOp op;
  for (ElementType each : types) op.operands.push_back(ArrayShape(each, {}));
  op.results = {ArrayShape(result, {})};
  op.configuration = std::move(name);
  return Op(std::move(op));
}

/// Returns the reduction's op for the text of a maximum or minimum that drops
/// NaN; std::nullopt for another text.
inline std::optional<Op> droppingNan(llvm::StringRef text, ElementType type) {
  for (llvm::StringRef name : {"arith.maxnumf", "arith.minnumf"}) {
    if (!text.starts_with(name)) continue;
    ElementwiseOp op;
    op.operands = {ArrayShape(type, {}), ArrayShape(type, {})};
    op.results = {ArrayShape(type, {})};
    op.configuration = name.str();
    return Op(std::move(op));
  }
  return std::nullopt;
}

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_TERM_TYPES_H

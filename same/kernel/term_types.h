// What both files of KernelTerms know of types and ops; private to
// cost/kernel.
#ifndef INDEXICAL_SAME_KERNEL_TERM_TYPES_H
#define INDEXICAL_SAME_KERNEL_TERM_TYPES_H

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

/// Whether the op does the same with bits that are signed and that are not.
inline bool isOfBits(llvm::StringRef op) {
  for (llvm::StringRef each : {"add", "subtract", "multiply", "and", "or",
                               "xor", "select", "EQ", "NE"})
    if (op == each) return true;
  return false;
}

/// Returns the op as HLO's dot does it: what it does with its products and
/// their sum is its own.
inline Op ofDot(const Op &op) {
  return op.changed([](OpDraft &draft) { draft->configuration = "dot "; });
}

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_TERM_TYPES_H

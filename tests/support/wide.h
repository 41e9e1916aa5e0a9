// Values of expressions in 256 bits and more: an oracle for what happens at the
// edge of 64 bits.
//
//   wideValueOf(tree, values);        // 2^63 + 5, where the library has none
//   wideValueOf(table, form, values)  // the same of what the library made
//
// It uses none of the library's arithmetic: values are LLVM's APInt, and a
// table is only read.
#ifndef INDEXICAL_TESTS_SUPPORT_WIDE_H
#define INDEXICAL_TESTS_SUPPORT_WIDE_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/APInt.h"

#include "indexical/indexing/expression.h"
#include "tests/support/expression_tree.h"

namespace indexical::testing {

using Wide = llvm::APInt;

Wide wide(int64_t value);
/// Returns the value, or nothing if 64 bits cannot hold it.
std::optional<int64_t> in64Bits(const Wide &value);

/// Returns the value, or nothing if a divisor is zero (for mod: not positive)
/// or the value leaves 254 bits, the most that can be multiplied in 512.
std::optional<Wide> wideValueOf(const Tree &tree, VariableValues values);
std::optional<Wide> wideValueOf(const ExpressionTable &table, FormId form,
                                VariableValues values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_WIDE_H

// Whether the parameters of two entries can be compared.
#ifndef INDEXICAL_SAME_EQUALITY_ENTRY_PARAMETERS_H
#define INDEXICAL_SAME_EQUALITY_ENTRY_PARAMETERS_H

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns an error if `order`, the number of the second module's parameter for
/// each of the first's, does not name each of the second's once, or if the
/// parameters that it pairs, or the results, differ in number, element types or
/// sizes. An empty order pairs equal numbers. Requires entries.
absl::Status checkEntries(const Module &first, const Module &second,
                          llvm::ArrayRef<int32_t> order);

/// Returns the number by which each parameter of the second module is known:
/// that of its partner. Empty for an empty order, which checkEntries() takes.
std::vector<int32_t> numbersBy(llvm::ArrayRef<int32_t> order);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_ENTRY_PARAMETERS_H

// Lines of `--ops` that would decide what ops of unknown meaning leave open.
//
//   first    ROOT r = f32[8] custom-call(x), custom_call_target="f"
//   second   ROOT r = f32[8] copy(x)
//
//   f elementwise       with this line both read the same
//
// The reads of such an op are unknown, so meanings that libraries have are
// tried: elementwise, whole rows along one dimension, all. A line is not a
// guess about the op: it says with which meaning the modules are equal.
#ifndef INDEXICAL_SAME_VALUES_DECIDING_OPS_H
#define INDEXICAL_SAME_VALUES_DECIDING_OPS_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

/// Returns, as one text, the lines with which the modules are equal; if none of
/// the meanings makes them so, what lines for the ops begin with, an item each.
/// Empty if no leaf is undecided because of an op that a line can define.
std::vector<std::string> opsThatDecide(
    const Module &first, const Module &second,
    llvm::ArrayRef<LeafEquality> leaves,
    llvm::function_ref<bool(const Module &, const Module &)> areEqual);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_DECIDING_OPS_H

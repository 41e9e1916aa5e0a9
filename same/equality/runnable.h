// A module whose arguments have numbers for sizes, if it can run with them.
//
//   main(x: f32[?], n: s64[1])
//     r = f32[?] dynamic_broadcast_in_dim(x, n), dims = [0]
//   x has 3 elements, n is {3}    it can: r has 3 elements
//   x has 1 element, n is {3}     it can, too
//   x has 2 elements, n is {1}    it cannot: the size is neither 1 nor n (C5)
//
// The module is refined (program/maps/refine.h), and each op is verified with
// the sizes that follow. The statements of its definition about sizes must then
// hold as numbers: sizes that are equal, sizes that follow from others, and the
// rules about attributes that values of operands give (the padding of
// dynamic_pad). An op that may read an element outside of its operand does not
// run: a gather with collapsed slices of size 0.
//
// Law (tests/documents/open_pairs_test.cc): an evaluation of the module with
// these arguments breaks no constraint.
#ifndef INDEXICAL_SAME_EQUALITY_RUNNABLE_H
#define INDEXICAL_SAME_EQUALITY_RUNNABLE_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/maps/refine.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the module with these arguments for the leaves of its entry's
/// parameters. The parameters are parameters still, with sizes that are
/// numbers. Returns nothing if a constraint of an op does not hold, or is not
/// known to hold: a size may follow from a value that is not given. Returns
/// nothing if an op may read an element outside of its operand.
std::optional<Module> runnableWith(const Module &module,
                                   llvm::ArrayRef<KnownArgument> arguments);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_RUNNABLE_H

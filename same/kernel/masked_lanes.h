// Lanes that the mask of a load leaves out, and that no `other` gives a value:
// they hold anything.
//
//   a = tl.load(x + o, mask=o < n)        no `other`
//   tl.store(y + o, a, mask=o < n)        proved: no store has such a lane
//   tl.store(y + o, a)                    violated: element n of y
//   tl.sum(tl.where(o < n, a, 0))         proved
//   tl.store(y + o, tl.minimum(a, b))     violated by numbers that change it
//
// A kernel that stores what such a lane holds leaves another number in each
// run. For a pair of kernels the lanes of the new one are inputs of their own:
// one parameter for each access, whose element is named by the program, the
// turns of loops and the coordinates of the tile. So numbers that tell two
// kernels apart say what the lanes hold, and no term of the old kernel has one.
//
// Law (tests/answers/kernel/judge_mutants_test.py, by an interpreter that fills
// such lanes): where the answer is `proved`, what lanes hold changes nothing
// that is left in memory; where it is `violated`, some numbers change the
// element.
#ifndef INDEXICAL_SAME_KERNEL_MASKED_LANES_H
#define INDEXICAL_SAME_KERNEL_MASKED_LANES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/same/kernel/kernel_pair.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/values/element_table.h"

namespace indexical::kernels {

/// Returns whether no element that the kernel stores is computed of a masked
/// lane without a value. Arrays that are scratch do not count. Parameters of
/// the table's elements from `maskedLanes` on are lanes, by the number of the
/// access. It is violated if other numbers of the lanes change what stays in an
/// element; a lane that may change something, and is not known to, leaves it
/// undecided. The witness is StoredOther: the array, its element, the program
/// and the line of the store; the line of the load is that of the second
/// access.
Check definedStores(const CheckedKernel &of,
                    llvm::ArrayRef<std::optional<ArgumentArray>> arrays,
                    KernelTerms &terms, const ElementTable &table,
                    int64_t maskedLanes, const ExactOptions &options);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_MASKED_LANES_H

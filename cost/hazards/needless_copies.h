// Which copies could be left out, all together? Not part of the public surface.
//
//   c = f32[4] copy(n)                          needless: n is not read again
//   d = f32[4] dynamic-update-slice(c, v, z)
//
// All copies are removed. A copy is restored if without it a value is read too
// late, a result lies in a parameter that is not donated, or two results lie in
// one memory. Restored copies are tried once more at the end: others that were
// restored later may have made them needless. So all needless copies can be
// removed together.
#ifndef INDEXICAL_COST_HAZARDS_NEEDLESS_COPIES_H
#define INDEXICAL_COST_HAZARDS_NEEDLESS_COPIES_H

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "indexical/cost/hazards/memory_flow.h"
#include "indexical/cost/hazards/overlap.h"
#include "indexical/cost/hazards/thread_access.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// A copy, by computation and instruction.
using CopyKey = std::pair<int32_t, int32_t>;
using CopySet = std::set<CopyKey>;

/// A copy that is needless if the caller donates leaves of parameters, and the
/// instructions run in these orders.
struct DonatedCopy {
  struct Order {
    ComputationId computation;
    InstructionId first, then;
  };
  /// One parameter, or several if the computation of the copy is called several
  /// times.
  std::vector<std::pair<int64_t, LeafId>> parameters;
  std::vector<Order> orders;
};

struct NeedlessCopies {
  CopySet needless;
  /// The copies that are needless all together, in all of their orders.
  std::map<CopyKey, DonatedCopy> donated;
  /// The copies that were not tried, or have no witness, because there are too
  /// many.
  CopySet untried;
};

/// Returns the needless copies of `flow`, which is the unchanged module. The
/// values of `copied` begin in memory of their own, because their kernel
/// copies.
NeedlessCopies findNeedlessCopies(const MemoryFlow &flow,
                                  const std::set<int32_t> &copied,
                                  const MemoryMarks &marks,
                                  ProgramIndexing &maps,
                                  ThreadAccesses &accesses,
                                  OverlapSamples &samples);

/// Returns, for each copy that must stay, an element that is read too late if
/// that copy and all needless ones are removed. A copy has no entry if nothing
/// is read too late. Adds the copies that were not tried to `untried`.
std::map<CopyKey, HazardWitness> copyWitnesses(
    const MemoryFlow &flow, const std::set<int32_t> &copied,
    NeedlessCopies &found, const MemoryMarks &marks, ProgramIndexing &maps,
    ThreadAccesses &accesses, OverlapSamples &samples);

/// Returns the module without the copies: a reader of a copy reads its operand.
Module withoutCopies(const Module &module, const CopySet &copies);

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_NEEDLESS_COPIES_H

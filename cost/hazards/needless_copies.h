// Which copies could be left out, all together? No part of the public surface.
//
//   c = f32[4] copy(n)                          needless: nobody reads n again
//   d = f32[4] dynamic-update-slice(c, v, z)
//
// All copies are left out, and those come back without which a value is read
// too late, a result lies in a parameter that is not given away, or two results
// lie in one memory. What is not needed in the end is tried once more: copies
// that came back may have made it needless. So a copy that is called needless
// is so beside all others that are.
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

/// A copy by computation and instruction.
using CopyKey = std::pair<int32_t, int32_t>;
using CopySet = std::set<CopyKey>;

/// A copy that is needless if the caller gives the memory of leaves of
/// parameters away, and the instructions run in these orders.
struct DonatedCopy {
  struct Order {
    ComputationId computation;
    InstructionId first, then;
  };
  /// One, or several if the computation of the copy is called several times.
  std::vector<std::pair<int64_t, LeafId>> parameters;
  std::vector<Order> orders;
};

struct NeedlessCopies {
  CopySet needless;
  /// They are needless all together, in all of their orders.
  std::map<CopyKey, DonatedCopy> donated;
  /// Too many to try each one, or to show what it is for.
  CopySet untried;
};

/// Returns the copies among those of `flow`, which is the module as it stands.
/// The values of `copied` begin in memory of their own, because what makes them
/// copies.
NeedlessCopies findNeedlessCopies(const MemoryFlow &flow,
                                  const std::set<int32_t> &copied,
                                  const MemoryMarks &marks,
                                  ProgramIndexing &maps,
                                  ThreadAccesses &accesses,
                                  OverlapSamples &samples);

/// Returns, for copies that must stay, an element that is read too late if that
/// copy and all needless ones are left out. A copy has none if nothing is read
/// too late. Adds those that it does not come to to `untried`.
std::map<CopyKey, HazardWitness> copyWitnesses(
    const MemoryFlow &flow, const std::set<int32_t> &copied,
    NeedlessCopies &found, const MemoryMarks &marks, ProgramIndexing &maps,
    ThreadAccesses &accesses, OverlapSamples &samples);

/// Returns the module without the copies: who reads one reads its operand.
Module withoutCopies(const Module &module, const CopySet &copies);

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_NEEDLESS_COPIES_H

// The paths from one array of a computation to another one upstream, each by
// itself.
//
//   e = f32[8,9] exponential(p)
//   s = f32[8] reduce(e, zero), dimensions={1}
//   b = f32[8,9] broadcast(s), dimensions={0}
//   ROOT r = f32[8,9] divide(e, b)
//
//   EachWay(maps).between(r, p)
//     r, e, p          (d0, d1) -> (d0, d1)        each element read once
//     r, b, s, e, p    (d0, d1)[s0] -> (d0, s0)    each element read 9 times
//
// `ProgramIndexing::between` returns the union, in which the second map holds
// the first. Ways are what an element is read by: two that are equal are two. A
// way goes through a fusion or a call as it goes through its computation. A
// loop, a branch or a scan is one step, whatever it does inside. Elements from
// which a size was set are in the union alone.
//
// Ways double where two of them meet, so their number is limited; `most` says
// how many there can be.
//
// Law (tests/program/maps/each_way_test.cc, by enumeration): the maps of a way
// are the product of its steps, every way is there once, and together they are
// the union.
#ifndef INDEXICAL_PROGRAM_MAPS_EACH_WAY_H
#define INDEXICAL_PROGRAM_MAPS_EACH_WAY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// More ways are not listed.
constexpr size_t kMostWays = 256;

struct Way {
  /// The elements of `to` that `from` reads by this path.
  IndexingRelation reads;
  /// The arrays on the way, from `from` to `to`, both included. Those inside of
  /// calls have their calls.
  std::vector<Value> arrays;
};

struct Ways {
  std::vector<Way> ways;  ///< the first operands first
  bool areAll = true;     ///< false: there may be more
  /// The number of ways that the module has, at most; a way by which nothing is
  /// read counts as well. The largest integer stands for more.
  int64_t most = 0;
};

class EachWay {
 public:
  /// `maps` must outlive the object. Sources of runtime variables are numbers
  /// of its values.
  explicit EachWay(ProgramIndexing &maps)
      : maps_(maps), graph_(maps.module()) {}

  /// Returns the ways from one leaf to another of the same computation.
  absl::StatusOr<Ways> between(Leaf from, Leaf to);
  /// Returns the ways of a result of the instruction to an operand leaf: those
  /// of the computation that a fusion or call runs, and one for every other op.
  absl::StatusOr<Ways> instruction(Leaf result, LeafId operandLeaf);

 private:
  struct Walk;

  absl::StatusOr<const Ways *> edge(Leaf result, LeafId operandLeaf);
  absl::StatusOr<Ways> findEdge(Leaf result, LeafId operandLeaf);
  const std::vector<LeafId> &operandsOf(Leaf result);
  absl::Status count(Leaf from, Leaf to, const std::vector<bool> &needed,
                     int64_t &ways);
  absl::StatusOr<bool> follow(Walk &walk, InstructionLeaf at,
                              const IndexingRelation &reads);

  ProgramIndexing &maps_;
  ProgramGraph graph_;
  using Step = std::tuple<ComputationId, InstructionId, LeafId, LeafId>;
  std::map<Step, std::unique_ptr<Ways>> edges_;
  using Result = std::tuple<ComputationId, InstructionId, LeafId>;
  std::map<Result, std::vector<LeafId>> operands_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_EACH_WAY_H

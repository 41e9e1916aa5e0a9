// One instruction after another: private to program/.
//
//   t = f32[8] reverse(p), dimensions={0}     (d0) -> (-d0 + 7)
//   r = f32[4] slice(t), slice={[2:6]}        (d0) -> (d0 + 2)
//
// `backward` goes from r down to p: r to t is (d0) -> (d0 + 2), r to p is
// (d0) -> (-d0 + 5). `forward` goes from p up to r. If several ways meet, the
// relation is their union.
#ifndef INDEXICAL_PROGRAM_MAPS_PASSES_H
#define INDEXICAL_PROGRAM_MAPS_PASSES_H

#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/maps/edge_filter.h"
#include "indexical/program/maps/edges.h"
#include "indexical/program/maps/leaf_uses.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/reached.h"
#include "indexical/program/maps/recursion.h"
#include "indexical/program/maps/size_reads.h"

namespace indexical {

class Passes {
 public:
  /// The arguments must outlive the object. Without a filter all edges are
  /// followed.
  Passes(const ProgramGraph &graph, const Budget &budget, ProgramFacts &facts,
         OpMaps &ops, Edges &edges, LeafUses &uses, NamedSizes &sizes,
         const EdgeFilter *filter, Recursion &above)
      : graph_(graph),
        budget_(budget),
        facts_(facts),
        ops_(ops),
        edges_(edges),
        uses_(uses),
        sizes_(sizes),
        filter_(filter),
        above_(above) {}

  /// Returns what decides which edges are followed; null if all are.
  const EdgeFilter *filter() const { return filter_; }
  /// Returns the relations between a leaf and all that it reads. Computations
  /// that are called on the way are solved when they are met.
  absl::StatusOr<ReachedInstructions> backward(ComputationId c,
                                               InstructionLeaf from);
  /// Like backward, but goes down to one instruction and not behind it.
  absl::StatusOr<ReachedInstructions> backward(ComputationId c,
                                               InstructionLeaf from,
                                               InstructionId stop);
  /// Returns the relations between a leaf and all up to `stop` that read it.
  /// Requires that the computations that are called on the way are solved.
  absl::StatusOr<ReachedInstructions> forward(ComputationId c,
                                              InstructionLeaf from,
                                              InstructionId stop);
  /// Returns the relations between `from` and each of the leaves, on ways that
  /// end at the first of these leaves. Sets `needed` to the instructions that
  /// can lie on one.
  absl::StatusOr<std::vector<Reached>> until(Leaf from,
                                             llvm::ArrayRef<Leaf> leaves,
                                             std::vector<bool> &needed);

 private:
  /// The leaves at which ways end, and the instructions that can lie on one
  /// (null: all).
  struct Ends {
    std::set<InstructionLeaf> leaves;
    const std::vector<bool> *needed = nullptr;
    bool isNeeded(InstructionId i) const { return !needed || (*needed)[i]; }
  };
  absl::StatusOr<ReachedInstructions> backward(ComputationId c,
                                               InstructionLeaf from,
                                               const Ends &ends);
  absl::Status step(const Edge &edge, const Reached &before, Reached &into);
  absl::Status stepToSize(const Edge &edge, const SizeRead &read,
                          const Reached &before, Reached &into);
  absl::Status addThrough(const Edge &edge, const Reached &before,
                          const IndexingRelation &relation,
                          const ArrayShape &start, Reached &into);

  const ProgramGraph &graph_;
  const Budget &budget_;
  ProgramFacts &facts_;
  OpMaps &ops_;
  Edges &edges_;
  LeafUses &uses_;
  NamedSizes &sizes_;
  const EdgeFilter *const filter_;
  Recursion &above_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_PASSES_H

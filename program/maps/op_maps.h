// The maps of ops as instructions have them, without the computations that they
// call: private to program/.
//
//   r = f32[8] reverse(x), dimensions={0}
//   own(r reads x)    (d0) -> (-d0 + 7)
//   startAt(r)        (d0) -> (d0)          where a pass from r begins
#ifndef INDEXICAL_PROGRAM_MAPS_OP_MAPS_H
#define INDEXICAL_PROGRAM_MAPS_OP_MAPS_H

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"

#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/identities.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/value_numbers.h"

namespace indexical {

/// Returns whether each element of the result reads that of the same index, as
/// every one can see it without maps: most instructions of a fusion do, and of
/// a tuple's thousands a pass asks for each.
bool passesElements(const Instruction &instruction, LeafId result,
                    LeafId operand);

class OpMaps {
 public:
  /// The arguments must outlive the object.
  OpMaps(const ProgramGraph &graph, ValueNumbers &values, ProgramFacts &facts)
      : graph_(graph), values_(values), facts_(facts) {}

  /// Returns the maps of the instruction's op, with values of the module as
  /// sources.
  absl::StatusOr<IndexingRelation> own(const Edge &edge);
  /// Like startOf, but an index stays below its size if that is open.
  absl::StatusOr<IndexingRelation> startAt(ComputationId c, InstructionId i,
                                           LeafId leaf);
  /// Returns the number of the value that a source of the op's maps is: it
  /// names leaves of operands, then of results, or a value outside (SizeFacts).
  int64_t valueOf(ComputationId c, InstructionId i, int64_t tensor);

  /// Returns the number of maps so far that name values of their computation.
  int64_t mapsWithValues() const { return mapsWithValues_; }

 private:
  /// The maps of ops by descriptor, pair and direction, their sources as
  /// numbers of operands. Equal ops are one object, and most of a program's
  /// have been met before. An op that no other instruction has is only here if
  /// its maps take long to make.
  using OfOp = std::pair<const void *, int64_t>;

  absl::StatusOr<IndexingRelation> ofPassed(const Instruction &instruction,
                                            const Edge &edge);
  absl::StatusOr<IndexingRelation> madeOfPassed(const Instruction &instruction,
                                                const Edge &edge);
  absl::StatusOr<IndexingRelation> ofOp(const Edge &edge);
  absl::StatusOr<IndexingRelation> madeOfOp(const Op &op, const Edge &edge,
                                            const OfOp &key);
  absl::StatusOr<IndexingRelation> withValues(const Edge &edge);

  const ProgramGraph &graph_;
  ValueNumbers &values_;
  ProgramFacts &facts_;
  llvm::DenseMap<OfOp, IndexingRelation> ofOps_;
  /// Leaves of the same sizes share one map, even the thousands of a tuple.
  Identities starts_;  ///< with which passes begin
  Identities passed_;  ///< of ops that pass a leaf on
  int64_t mapsWithValues_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_OP_MAPS_H

// The reads of an instruction that names a size: private to program/.
//
//   y = f32[<=4] set-dimension-size(z, n), dimensions={0}
//   g = s32[] get-dimension-size(y), dimensions={0}      () -> () of n
//
// A size is not an element, so that the maps of g itself read nothing of y. A
// way through g reads the element of n from which the size of y was set. Sizes
// of parameters are not set by the computation, and read nothing. The sizes of
// operands are not followed into a call, a branch or a loop: if it names any
// size, its results read all elements from which these sizes were set, as a
// cover.
//
// Law (tests/program/maps/dynamic_program_test.cc): a result that changes with
// the element from which a size was set reads that element.
#ifndef INDEXICAL_PROGRAM_MAPS_SIZE_READS_H
#define INDEXICAL_PROGRAM_MAPS_SIZE_READS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"

namespace indexical {

/// An element from which a size that an instruction names was set, or the whole
/// leaf if it is not known how the size is made.
struct SizeRead {
  /// Which elements of the instruction's results read it.
  enum class Readers : uint8_t {
    Scalar,    ///< the result, which is the size
    Listed,    ///< the element of the result that is the dimension's size
    Anywhere,  ///< any may
  };
  Readers readers = Readers::Anywhere;
  int64_t dimension = 0;
  InstructionLeaf leaf;
  std::optional<std::vector<int64_t>> index;
};

/// The size reads of a computation.
struct SizeReads {
  std::map<InstructionId, std::vector<SizeRead>> reads;  ///< by instruction
  /// By the leaf that is read: instructions, and which of their reads it is.
  std::map<InstructionLeaf, std::vector<std::pair<InstructionId, size_t>>>
      users;
};

/// Returns the relation between a leaf of the instruction's results and the
/// leaf that it reads because it names a size.
absl::StatusOr<IndexingRelation> sizeEdge(const ProgramGraph &graph,
                                          ComputationId c, InstructionId i,
                                          Direction direction, LeafId result,
                                          const SizeRead &read);

class NamedSizes {
 public:
  /// The arguments must outlive the object.
  NamedSizes(const ProgramGraph &graph, ProgramFacts &facts)
      : graph_(graph), facts_(facts) {}

  /// Returns the sizes of operands that the instruction names, each with the
  /// elements from which it is made. The reference stays valid.
  const std::vector<SizeRead> &readsOf(ComputationId c, InstructionId i);
  /// Returns those of all instructions. The reference stays valid.
  const SizeReads &allReadsOf(ComputationId c);

 private:
  bool namesSizes(ComputationId c);
  std::vector<SizeRead> findReads(ComputationId c, InstructionId i);

  const ProgramGraph &graph_;
  ProgramFacts &facts_;
  std::map<ComputationId, bool> naming_;  ///< whether it names any size
  std::map<ComputationId, SizeReads> reads_;
  const std::vector<SizeRead> none_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SIZE_READS_H

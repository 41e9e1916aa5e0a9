// The maps of one item of a dump, as its options request them.
#ifndef INDEXICAL_TOOLS_ANSWERS_H
#define INDEXICAL_TOOLS_ANSWERS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/relation.h"
#include "indexical/program/program_indexing.h"
#include "indexical/tools/dump.h"
#include "indexical/tools/dump_options.h"
#include "indexical/tools/selection.h"

namespace indexical {

/// Finds a program's maps. A query that fails is an error of the item, with its
/// place; the other results are kept.
class ItemMaker {
 public:
  ItemMaker(ProgramIndexing &maps, const DumpOptions &options)
      : maps_(maps), options_(options) {}

  Item ofInstruction(ComputationId computation, InstructionId instruction);
  /// Returns the computation's own maps, or those of the plan's pair.
  Item ofComputation(const ComputationPlan &plan);

 private:
  using Ask = llvm::function_ref<absl::StatusOr<IndexingRelation>(
      Direction, LeafId result, LeafId operand)>;
  struct Leaves;

  Item item(const Leaves &leaves, Ask ask);
  std::vector<LeafAnswer> answers(const Leaves &leaves, Direction direction,
                                  Ask ask, std::vector<absl::Status> &errors);
  absl::StatusOr<IndexingRelation> byCases(
      absl::StatusOr<IndexingRelation> relation);
  absl::StatusOr<IndexingRelation> shaped(IndexingRelation relation,
                                          const ArrayShape &from,
                                          const ArrayShape &to);
  const ArrayShape &sourceShape(int64_t tensor);

  ProgramIndexing &maps_;
  const DumpOptions &options_;
  /// The leaves of the shapes of sources, by computation and instruction.
  std::map<std::pair<ComputationId, InstructionId>, std::vector<ArrayShape>>
      sourceLeaves_;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_ANSWERS_H

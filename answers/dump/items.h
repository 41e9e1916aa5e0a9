// The maps of one item of a dump, an instruction or a computation, as a
// question asks for them.
#ifndef INDEXICAL_ANSWERS_DUMP_ITEMS_H
#define INDEXICAL_ANSWERS_DUMP_ITEMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/dump/question.h"
#include "indexical/answers/dump/selection.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "indexical/program/maps/each_way.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/sharding/groups.h"

namespace indexical {

/// An array leaf that an item reads.
struct OperandEntry {
  llvm::StringRef instruction;  ///< its producer
  LeafId result;                ///< which leaf of the producer
  int32_t parameter = 0;        ///< which operand or parameter of the reader
  bool captured = false;        ///< by a region; not an operand of the op
};

/// A path from a result to an operand (program/maps/each_way.h).
struct WayAnswer {
  /// The instructions on it, the result's first; those inside of calls as
  /// `fusion.1/exp.2`.
  std::vector<std::string> instructions;
  IndexingRelation relation;
  Footprint footprint;  ///< the elements of the operand, by this way alone
};

struct WaysAnswer {
  std::vector<WayAnswer> ways;
  std::optional<int64_t> most;  ///< if there may be more: how many at most
};

/// The relation of one (result, operand) pair.
struct LeafAnswer {
  LeafId result, operand;
  IndexingRelation relation;
  std::optional<WaysAnswer> ways = {};  ///< if they were requested
};

/// The devices of a collective: the members of its groups in order, or the
/// pairs (source, target) of a permute.
struct ItemDevices {
  bool isPermute = false;
  DeviceLists groups;
  std::vector<std::pair<int64_t, int64_t>> pairs;
};

/// An instruction, or a computation taken as one. A direction that was not
/// requested is absent.
struct Item {
  ShapeList results;
  std::vector<OperandEntry> operands;
  ShapeList operandShapes;
  std::optional<std::vector<LeafAnswer>> outputToInput, inputToOutput;
  std::optional<ItemDevices> devices;  ///< if they were requested
  std::vector<absl::Status> errors;    ///< answers that could not be found
  std::vector<Note> notes;             ///< ways that are not listed

  /// Returns whether an answer's precision is opaque.
  bool isOpaque() const;
};

/// Returns the name of the instruction that computes the value, after those of
/// the calls that lead to it: `fusion.1/exp.2`, `conditional.2[0]/start`.
std::string pathOf(const Module &module, const Value &value);

/// Finds a program's maps. A query that fails is an error of the item, with its
/// place; the other results are kept.
class ItemMaker {
 public:
  ItemMaker(ProgramIndexing &maps, const DumpQuestion &question)
      : maps_(maps), question_(question), eachWay_(maps) {}

  Item ofInstruction(ComputationId computation, InstructionId instruction);
  /// Returns the computation's own maps, or those of the plan's pair.
  Item ofComputation(const ComputationPlan &plan);

 private:
  using Ask = llvm::function_ref<absl::StatusOr<IndexingRelation>(
      Direction, LeafId result, LeafId operand)>;
  /// Null for ops with one path for each pair.
  using AskWays =
      llvm::function_ref<absl::StatusOr<Ways>(LeafId result, LeafId operand)>;
  struct Leaves;

  Item item(const Leaves &leaves, Ask ask, AskWays askWays);
  std::vector<LeafAnswer> answers(const Leaves &leaves, Direction direction,
                                  Ask ask, std::vector<absl::Status> &errors);
  void addWays(const Leaves &leaves, AskWays ask, Item &item);
  absl::StatusOr<WayAnswer> answerOf(Way way, const ArrayShape &from,
                                     const ArrayShape &to);
  absl::StatusOr<IndexingRelation> byCases(
      absl::StatusOr<IndexingRelation> relation);
  absl::StatusOr<IndexingRelation> shaped(IndexingRelation relation,
                                          const ArrayShape &from,
                                          const ArrayShape &to);
  const ArrayShape &sourceShape(int64_t tensor);

  ProgramIndexing &maps_;
  const DumpQuestion &question_;
  EachWay eachWay_;
  /// The leaves of the shapes of sources, by computation and instruction.
  std::map<std::pair<ComputationId, InstructionId>, std::vector<ArrayShape>>
      sourceLeaves_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_ITEMS_H

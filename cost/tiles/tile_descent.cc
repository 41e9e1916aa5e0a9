// Tiles of what results read: maps composed from the results down.
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/tiles/tile_walk.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {
namespace {

class Descent : public TileWalk {
 public:
  Descent(ProgramIndexing &maps, const TileSpace &space, size_t jobs)
      : TileWalk(maps, space, Order::UsersFirst, jobs), leaves_(computation_) {}

 protected:
  absl::Status goOnFrom(InstructionId i) override {
    if (computation_.instructions[i].parameterNumber >= 0)
      return absl::OkStatus();
    const Op &op = computation_.instructions[i].op;
    if (op.is<ForwardOp>()) return handOn(i, op.get<ForwardOp>());
    const auto leaves = leaves_.of(i);
    std::optional<Axes> axes;
    size_t of = leaves.size();  // the leaf of `axes`
    for (const auto &[l, known] : waysFrom(i)) {
      const InstructionLeaf to = {leaves[l].instruction, leaves[l].result};
      if (keepsIndices(op, l)) {
        add({at(known).map, at(known).exact, known}, to);
        continue;
      }
      if (l != of) axes = axesOf(i, l);
      of = l;
      INDEXICAL_ASSIGN_OR_RETURN(
          auto edge, edgeOf(i, at(known).at.leaf, LeafId(l), leaves));
      INDEXICAL_RETURN_IF_ERROR(follow(known, edge, to, *axes));
    }
    return absl::OkStatus();
  }

 private:
  /// Returns whether the op reads its operand at its own index. Most
  /// instructions of a fusion do, which is known without their maps.
  static bool keepsIndices(const Op &op, size_t leaf) {
    const auto *elementwise = op.as<ElementwiseOp>();
    if (!elementwise) return false;
    const ArrayShape &from = elementwise->results[0];
    const ArrayShape &to = elementwise->operands[leaf];
    return from.dimensions == to.dimensions && from.dynamic.none() &&
           to.dynamic.none() && !from.hasUnknownSize() && !from.isEmpty();
  }

  /// Returns the reads of a leaf that is passed on, of the operand leaf that it
  /// is.
  absl::StatusOr<IndexingRelation> onWay(Leaf from, const OperandLeaf &to) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto found,
        maps_.until(from, {Leaf{number_, to.instruction, to.result}}));
    return found[0];
  }

  /// Returns what a leaf of the instruction reads of its operand leaf. On a way
  /// that may be less than the instruction alone says: the elements that a
  /// scatter reads depend on the values of its indices, and open sizes on the
  /// ops that make them.
  absl::StatusOr<IndexingRelation> edgeOf(InstructionId i, LeafId result,
                                          LeafId l,
                                          llvm::ArrayRef<OperandLeaf> leaves) {
    const Instruction &instruction = computation_.instructions[i];
    if (!instruction.op.is<ScatterOp>() &&
        instruction.opcode != "tensor.scatter" &&
        !hasOpenSizes(shapesOf(instruction.op)))
      return maps_.instruction({number_, i, result}, l,
                               Direction::OutputToInput);
    auto [entry, isNew] = onWays_.try_emplace({i, result});
    std::map<std::pair<InstructionId, LeafId>, IndexingRelation> &reads =
        entry->second;
    if (isNew) {
      std::vector<Leaf> ends;
      for (const OperandLeaf &leaf : leaves)
        if (reads.try_emplace({leaf.instruction, leaf.result}).second)
          ends.push_back({number_, leaf.instruction, leaf.result});
      INDEXICAL_ASSIGN_OR_RETURN(auto found,
                                 maps_.until({number_, i, result}, ends));
      for (auto [end, relation] : llvm::zip_equal(ends, found))
        reads[{end.instruction, end.leaf}] = std::move(relation);
    }
    return reads[{leaves[l].instruction, leaves[l].result}];
  }

  /// Passes each leaf of a tuple on to the one operand leaf that it is: there
  /// may be thousands.
  absl::Status handOn(InstructionId i, const ForwardOp &op) {
    llvm::SmallVector<std::pair<int64_t, int32_t>, 4> ways;  // operand leaf
    for (int32_t known : reached(i))
      if (const int64_t from = op.reads[at(known).at.leaf]; from >= 0)
        ways.push_back({from, known});
    llvm::stable_sort(ways, llvm::less_first());
    for (const auto &[from, known] : ways) {
      const OperandLeaf leaf = leaves_.leaf(i, LeafId(from));
      INDEXICAL_ASSIGN_OR_RETURN(
          auto edge,
          hasOpenSize(op.results[at(known).at.leaf])
              ? onWay({number_, i, at(known).at.leaf}, leaf)
              : maps_.instruction({number_, i, at(known).at.leaf}, LeafId(from),
                                  Direction::OutputToInput));
      INDEXICAL_RETURN_IF_ERROR(
          follow(known, edge, {leaf.instruction, leaf.result}));
    }
    return absl::OkStatus();
  }

  /// Returns the operand leaves that what is reached of the instruction may
  /// read, each with the number of what reads it, in their order.
  std::vector<std::pair<size_t, int32_t>> waysFrom(InstructionId i) {
    std::vector<std::pair<size_t, int32_t>> ways;
    const Pairs &pairs = pairsOf(i);
    for (int32_t known : reached(i)) {
      if (pairs.empty()) {
        for (size_t l = 0; l < leaves_.of(i).size(); ++l)
          ways.push_back({l, known});
        continue;
      }
      const auto found = pairs.find(at(known).at.leaf);
      if (found == pairs.end()) continue;
      for (int64_t l : found->second)
        ways.push_back({static_cast<size_t>(l), known});
    }
    llvm::stable_sort(ways, llvm::less_first());
    return ways;
  }

  /// Returns the operand leaves that each result leaf can read, if the
  /// instruction has many results; empty stands for all pairs.
  using Pairs = llvm::DenseMap<int64_t, llvm::SmallVector<int64_t, 1>>;
  const Pairs &pairsOf(InstructionId i) {
    constexpr int64_t kMany = 64;
    auto [entry, isNew] = pairs_.try_emplace(i);
    const Instruction &own = computation_.instructions[i];
    const int64_t results = own.shape.leafCount();
    if (!isNew || results < kMany) return entry->second;
    const LeafPairs pairs = maps_.pairsOf(number_, i);
    // All of them need no list.
    if (pairs.size() <= kMany * results)
      for (const LeafPair &pair : pairs)
        entry->second[pair.result].push_back(pair.leaf);
    return entry->second;
  }

  std::map<InstructionId, Pairs> pairs_;
  OperandLeafLists leaves_;
  // By instruction and result: what is read of leaves.
  std::map<std::pair<InstructionId, LeafId>,
           std::map<std::pair<InstructionId, LeafId>, IndexingRelation>>
      onWays_;
};

}  // namespace

absl::Status forTilesBehind(
    ProgramIndexing &maps, const TileSpace &space,
    llvm::function_ref<void(LeafId result, std::vector<InstructionTile>)> take,
    size_t jobs) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return forTilesBehind(maps, space, take, jobs); });
  INDEXICAL_RETURN_IF_ERROR(space.status());
  INDEXICAL_RETURN_IF_ERROR(space.tile().verify());
  Descent descent(maps, space, jobs);
  for (auto [number, root] : llvm::enumerate(space.roots()))
    for (LeafId leaf : root.leaves) {
      INDEXICAL_ASSIGN_OR_RETURN(auto tiles, descent.run(number, leaf));
      take(leaf, std::move(tiles));
    }
  return absl::OkStatus();
}

absl::Status forTilesBehind(
    ProgramIndexing &maps, const TileSpace &space,
    llvm::function_ref<void(LeafId result, std::vector<InstructionTile>)>
        take) {
  return forTilesBehind(maps, space, take, /*jobs=*/1);
}

absl::StatusOr<std::vector<InstructionTile>> tilesBehind(
    ProgramIndexing &maps, const TileSpace &space) {
  std::vector<InstructionTile> all;
  INDEXICAL_RETURN_IF_ERROR(forTilesBehind(
      maps, space, [&](LeafId, std::vector<InstructionTile> tiles) {
        llvm::move(tiles, std::back_inserter(all));
      }));
  return all;
}

absl::Status forTilesOf(
    ProgramIndexing &maps, ComputationId computation, InstructionId root,
    llvm::ArrayRef<LeafId> rootLeaves, const RootTile &tile,
    llvm::function_ref<void(LeafId rootLeaf, std::vector<InstructionTile>)>
        take) {
  TileSpace space = TileSpace::of(maps.module(), computation, root);
  INDEXICAL_RETURN_IF_ERROR(space.ofLeaves(rootLeaves, tile));
  return forTilesBehind(maps, space, take);
}

absl::StatusOr<std::vector<InstructionTile>> tilesOf(ProgramIndexing &maps,
                                                     const Leaf &root,
                                                     const RootTile &tile) {
  std::vector<InstructionTile> all;
  INDEXICAL_RETURN_IF_ERROR(
      forTilesOf(maps, root.computation, root.instruction, root.leaf, tile,
                 [&](LeafId, std::vector<InstructionTile> tiles) {
                   all = std::move(tiles);
                 }));
  return all;
}

}  // namespace indexical

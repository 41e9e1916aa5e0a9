// Tiles of what reads a tile: maps composed from an operand up.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/tiles/tile_space.h"
#include "indexical/analysis/tiles/tile_walk.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/sizes.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

class Ascent : public TileWalk {
 public:
  Ascent(ProgramIndexing &maps, const TileSpace &space)
      : TileWalk(maps, space, Order::OperandsFirst) {
    const size_t count = computation_.instructions.size();
    for (InstructionId i(0); i < static_cast<int32_t>(count); ++i)
      for (auto [l, leaf] : llvm::enumerate(computation_.operandLeaves(i)))
        users_[{leaf.instruction, leaf.result}].push_back(
            {i, LeafId(static_cast<int64_t>(l))});
  }

 protected:
  absl::Status goOnFrom(InstructionId i) override {
    for (size_t r = 0; r < reached(i).size(); ++r) {
      const int32_t known = reached(i)[r];
      const auto users = users_.find({i, at(known).at.leaf});
      if (users == users_.end()) continue;
      for (const auto &[user, leaf] : users->second)
        INDEXICAL_RETURN_IF_ERROR(goUp(known, user, leaf));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status goUp(int32_t known, InstructionId user, LeafId leaf) {
    const Instruction &own = computation_.instructions[user];
    const int64_t results = shapesOf(own.op).results.size();
    for (LeafId result; result < results; ++result) {
      if (const auto *forward = own.op.as<ForwardOp>();
          forward && forward->reads[result] != leaf)
        continue;
      INDEXICAL_ASSIGN_OR_RETURN(
          auto edge, maps_.instruction({number_, user, result}, leaf,
                                       Direction::InputToOutput));
      // On a way that may be less than the instruction alone says.
      const bool isSure = !own.op.is<ScatterOp>() &&
                          own.opcode != "tensor.scatter" &&
                          !hasOpenSizes(shapesOf(own.op));
      if (!isSure) edge.weaken(Precision::Cover);
      INDEXICAL_RETURN_IF_ERROR(follow(known, edge, {user, result}));
    }
    return absl::OkStatus();
  }

  std::map<std::pair<InstructionId, LeafId>,
           std::vector<std::pair<InstructionId, LeafId>>>
      users_;
};

/// Whether a tile that is read back is the tile itself, or a part of it.
class Completeness {
 public:
  Completeness(ProgramIndexing &maps, const TileSpace &space)
      : maps_(maps), space_(space) {}

  /// Returns what ForwardTile::complete says of a tile.
  std::optional<bool> of(const InstructionTile &tile) {
    if (!tile.isMapExact || !tile.map.members().empty()) return std::nullopt;
    const auto back = back_.find({tile.instruction, tile.leaf});
    const IndexingRelation *read = nullptr;
    if (back != back_.end()) {
      read = &back->second;
    } else {
      auto found =
          maps_.between({space_.computation(), tile.instruction, tile.leaf},
                        {space_.computation(), space_.instruction(), LeafId()},
                        Direction::OutputToInput);
      if (!found.ok()) return std::nullopt;
      read = &(back_[{tile.instruction, tile.leaf}] = *std::move(found));
    }
    if (read->precision() != Precision::Exact) return std::nullopt;
    for (const IndexingMap &piece : read->pieces()) {
      auto around = compose(tile.map, piece);
      if (!around.ok()) return std::nullopt;
      if (around->isKnownEmpty() || keepsIndices(*around)) continue;
      const auto isInside = staysInside(*around);
      if (isInside != true) return isInside;
    }
    return true;
  }

 private:
  /// Whether every index leads to itself, and nowhere else.
  static bool keepsIndices(const IndexingMap &map) {
    const ExpressionTable &table = map.expressions();
    for (auto [k, form] : llvm::enumerate(map.results())) {
      const auto id = table.asVariable(form);
      const bool isSame =
          id && id->kind == VariableKind::Dimension && id->index == k;
      const Interval &bounds = map.dimensions()[k].bounds;
      if (!isSame &&
          !(bounds.isPoint() && table.isConstant(form, bounds.lower)))
        return false;
    }
    return true;
  }

  /// Tries the tile at every offset, if its sizes are numbers.
  std::optional<bool> staysInside(const IndexingMap &map) const {
    constexpr int64_t kMostOffsets = 100'000;
    const RootTile &root = space_.tile();
    if (!root.symbols().empty() || map.visibleRuntimeCount() > 0)
      return std::nullopt;
    if (llvm::is_contained(root.shape, kDynamicSize)) return std::nullopt;
    auto tile = tileThrough(map, root, root.shape);
    if (!tile.ok()) return std::nullopt;
    const size_t rank = root.shape.size();
    int64_t tried = 0;
    bool isSure = tile->isExact() || tile->isLeast();
    std::vector<int64_t> at(rank, 0);
    while (true) {
      if (++tried > kMostOffsets) return std::nullopt;
      const auto read = tile->at(at, {});
      if (!read) return std::nullopt;
      if (!isWithin(*read, at)) {
        if (isSure) return false;
        return std::nullopt;
      }
      size_t k = rank;
      while (k > 0) {
        --k;
        at[k] += root.sizes[k].value;
        if (at[k] < root.shape[k]) break;
        at[k] = 0;
        if (k == 0) return true;
      }
      if (rank == 0) return true;
    }
  }

  /// Whether a tile lies in the space's tile at these offsets.
  bool isWithin(const ConcreteTile &tile, llvm::ArrayRef<int64_t> at) const {
    const RootTile &root = space_.tile();
    llvm::SmallVector<int64_t, 4> counts;
    for (size_t k = 0; k < at.size(); ++k) {
      int64_t count = tile.sizes[k];
      if (tile.offsets[k] >= root.shape[k])
        count = 0;
      else if (count > 1)
        count = std::min(
            count, (root.shape[k] - 1 - tile.offsets[k]) / tile.strides[k] + 1);
      if (count <= 0) return true;
      counts.push_back(count);
    }
    for (size_t k = 0; k < at.size(); ++k) {
      const int64_t stride = root.strides.empty() ? 1 : root.strides[k].value;
      const int64_t first = tile.offsets[k] - at[k];
      const int64_t last = first + (counts[k] - 1) * tile.strides[k];
      if (first < 0 || last > (root.sizes[k].value - 1) * stride ||
          first % stride != 0 || (counts[k] > 1 && tile.strides[k] % stride))
        return false;
    }
    return true;
  }

  ProgramIndexing &maps_;
  const TileSpace &space_;
  std::map<std::pair<InstructionId, LeafId>, IndexingRelation> back_;
};

}  // namespace

absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return tilesForward(maps, space); });
  INDEXICAL_RETURN_IF_ERROR(space.status());
  if (!space.steps().empty())
    return absl::InvalidArgumentError(
        "steps are of what is read, not of what reads a tile");
  if (!space.isOneTile())
    return absl::InvalidArgumentError(
        "what reads a tile is asked of one result");
  INDEXICAL_ASSIGN_OR_RETURN(auto tiles, Ascent(maps, space).run(0, LeafId()));
  Completeness completeness(maps, space);
  std::vector<ForwardTile> all;
  for (InstructionTile &tile : tiles) {
    ForwardTile &added = all.emplace_back(ForwardTile{std::move(tile), {}});
    added.complete = completeness.of(added);
  }
  return all;
}

}  // namespace indexical

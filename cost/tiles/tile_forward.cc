// Tiles of what reads a tile: maps composed from an operand up. In a turn of a
// loop an operand is followed at the indices of that turn alone.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/tiles/tile_walk.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/sizes.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

class Ascent : public TileWalk {
 public:
  Ascent(ProgramIndexing &maps, const TileSpace &space, size_t jobs)
      : TileWalk(maps, space, Order::OperandsFirst, jobs) {
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
      INDEXICAL_RETURN_IF_ERROR(
          follow(known, edge, {user, result}, axesOf(user, leaf)));
    }
    return absl::OkStatus();
  }

  std::map<std::pair<InstructionId, LeafId>,
           std::vector<std::pair<InstructionId, LeafId>>>
      users_;
};

/// For the question whether one tile reads what is outside of it, on one side.
constexpr int64_t kOperationsOfOne = 100'000;

/// Whether a tile that is read back is the tile itself, or a part of it.
class Completeness {
 public:
  Completeness(ProgramIndexing &maps, const TileSpace &space)
      : maps_(maps), space_(space), root_(space.tile()) {
    // What reads an index and what it reads are in one turn, and need not be of
    // one index of it: each step has a second dimension.
    const size_t steps = space.steps().size();
    const size_t rank = root_.shape.size();
    for (auto *extents : {&root_.sizes, &root_.strides})
      if (!extents->empty())
        for (size_t s = rank - steps; s < rank; ++s) {
          const TileExtent own = (*extents)[s];
          extents->push_back(own);
        }
    for (size_t s = rank - steps; s < rank; ++s) {
      const int64_t extent = root_.shape[s];
      root_.shape.push_back(extent);
    }
  }

  /// Returns what ForwardTile::complete says of a tile.
  std::optional<bool> of(const InstructionTile &tile) {
    if (!tile.isMapExact || !tile.map.members().empty()) return std::nullopt;
    const auto [entry, isNew] =
        back_.try_emplace({tile.instruction, tile.leaf});
    if (isNew) entry->second = readBy(tile);
    if (!entry->second) return std::nullopt;
    auto up = withSecondTurns(tile.map);
    if (!up.ok()) return std::nullopt;
    for (const IndexingMap &piece : *entry->second) {
      auto around = compose(*up, piece);
      if (!around.ok()) return std::nullopt;
      if (around->isKnownEmpty() || keepsIndices(*around)) continue;
      const auto isInside = staysInside(*around);
      if (isInside != true) return isInside;
    }
    return true;
  }

 private:
  using Maps = std::vector<IndexingMap>;

  /// Returns the maps from a later leaf's indices, and those of turns behind
  /// them, to what it reads of the tile's instruction; nothing if they are not
  /// known.
  std::optional<Maps> readBy(const InstructionTile &tile) {
    if (!space_.steps().empty()) return readInTurnsBy(tile);
    const auto found =
        maps_.between({space_.computation(), tile.instruction, tile.leaf},
                      {space_.computation(), space_.instruction(), LeafId()},
                      Direction::OutputToInput);
    if (!found.ok() || found->precision() != Precision::Exact)
      return std::nullopt;
    return Maps(found->pieces().begin(), found->pieces().end());
  }

  std::optional<Maps> readInTurnsBy(const InstructionTile &tile) {
    constexpr size_t kMostDescents = 256;
    const Computation &computation =
        maps_.module().computations[space_.computation()];
    TileSpace back =
        TileSpace::of(maps_.module(), space_.computation(), tile.instruction);
    for (const TileStep &step : space_.steps())
      back.step(computation.instructions[step.instruction].name, step.dimension,
                1);
    if (back_.size() > kMostDescents || !back.status().ok() ||
        back.leavesOut() || !back.isOneTile())
      return std::nullopt;
    std::optional<Maps> found = Maps();
    const absl::Status status = forTilesBehind(
        maps_, back, [&](LeafId leaf, std::vector<InstructionTile> read) {
          if (leaf != tile.leaf) return;
          for (InstructionTile &each : read) {
            if (each.instruction != space_.instruction() ||
                each.leaf != LeafId())
              continue;
            if (!each.isMapExact || !each.map.members().empty()) found.reset();
            if (!found) return;
            found->push_back(std::move(each.map));
          }
        });
    if (!status.ok()) return std::nullopt;
    return found;
  }

  /// Returns the map with the second dimensions of steps, to its results and
  /// these.
  absl::StatusOr<IndexingMap> withSecondTurns(const IndexingMap &map) const {
    const size_t first = space_.tile().shape.size(), last = root_.shape.size();
    if (first == last) return map;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto longer, withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
          for (size_t s = first; s < last; ++s)
            body.results.push_back(
                b.dimension({0, std::max<int64_t>(1, root_.shape[s]) - 1}));
        }));
    return simplify(longer);
  }

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
    constexpr int64_t kMostAsked = 64;
    const RootTile &root = root_;
    if (!root.symbols().empty() || map.visibleRuntimeCount() > 0)
      return std::nullopt;
    if (llvm::is_contained(root.shape, kDynamicSize)) return std::nullopt;
    const RootTile &space = space_.tile();
    const size_t rank = space_.roots()[0].rank;
    auto tile =
        tileThrough(map, root, llvm::ArrayRef(root.shape).take_front(rank));
    if (!tile.ok()) return std::nullopt;
    const size_t all = space.shape.size();
    int64_t tried = 0, asked = 0;
    std::vector<int64_t> at(root.shape.size(), 0);
    while (true) {
      if (++tried > kMostOffsets) return std::nullopt;
      const auto read = tile->at(at, {});
      if (!read) return std::nullopt;
      if (!isWithin(*read, llvm::ArrayRef(at).take_front(rank))) {
        // Conditions, as those of padding, may leave out what is outside.
        if (++asked > kMostAsked) return std::nullopt;
        const auto leaves = readsOutside(map, at, rank);
        if (leaves != false)
          return leaves ? std::optional(false) : std::nullopt;
      }
      size_t k = all;
      while (k > 0) {
        --k;
        const bool isOn =
            moveToNextTile(at[k], root.sizes[k].value, root.shape[k]);
        if (k >= rank) at[k + all - rank] = at[k];
        if (isOn) break;
        if (k == 0) return true;
      }
      if (all == 0) return true;
    }
  }

  /// Whether the tile at these offsets leads to an element outside of it;
  /// nothing if the usual budget does not suffice. The first `rank` dimensions
  /// are those of the elements.
  std::optional<bool> readsOutside(const IndexingMap &map,
                                   llvm::ArrayRef<int64_t> at,
                                   size_t rank) const {
    IndexingMapBuilder b;
    for (auto [k, first] : llvm::enumerate(at)) {
      const int64_t stride = strideOf(k);
      const int64_t last = root_.shape[k] - 1 - first;
      if (last < 0) return false;
      b.result(
          b.dimension({0, std::min(root_.sizes[k].value - 1, last / stride)}) *
              stride +
          first);
    }
    auto tile = b.build();
    if (!tile.ok()) return std::nullopt;
    const auto own = compose(*tile, map);
    if (!own.ok()) return std::nullopt;
    if (own->isKnownEmpty()) return false;
    for (size_t k = 0; k < rank; ++k) {
      const int64_t stride = strideOf(k);
      const auto end = checkedMul(root_.sizes[k].value, stride);
      const auto behind = end ? checkedAdd(at[k], *end) : std::nullopt;
      enum class Way { Before, Behind, Between };
      for (Way way : {Way::Before, Way::Behind, Way::Between}) {
        if (way == Way::Behind && !behind) continue;
        if (way == Way::Between && stride == 1) continue;
        const auto outside = restricted(
            *own, [&](IndexingMapBuilder &in, llvm::ArrayRef<Expr> results) {
              if (way == Way::Before)
                in.constraint(results[k],
                              {Interval::kMinusInfinity, at[k] - 1});
              else if (way == Way::Behind)
                in.constraint(results[k], {*behind, Interval::kInfinity});
              else
                in.constraint(mod(results[k] - at[k], stride), {1, stride - 1});
            });
        if (!outside.ok()) return std::nullopt;
        ExactOptions options(maps_.budget());
        options.operations = maps_.budget().operationsOr(kOperationsOfOne);
        const auto isNone = isEmpty(IndexingRelation(*outside), options);
        if (!isNone.ok() || isNone->answer == Answer::Undecided)
          return std::nullopt;
        if (isNone->answer == Answer::No) return true;
      }
    }
    return false;
  }

  int64_t strideOf(size_t k) const {
    return root_.strides.empty() ? 1 : root_.strides[k].value;
  }

  /// Whether what a tile has in the tensor lies in the space's tile at these
  /// offsets.
  bool isWithin(const ConcreteTile &tile, llvm::ArrayRef<int64_t> at) const {
    const RootTile &root = root_;
    llvm::SmallVector<int64_t, 4> counts;
    llvm::SmallVector<int64_t, 4> firsts;
    for (size_t k = 0; k < at.size(); ++k) {
      int64_t count = tile.sizes[k], first = tile.offsets[k];
      if (first < 0) {
        if (count <= 1) return true;
        const int64_t skipped = ceilDiv(-first, tile.strides[k]);
        if (skipped >= count) return true;
        first += skipped * tile.strides[k];
        count -= skipped;
      }
      if (first >= root.shape[k])
        count = 0;
      else if (count > 1)
        count =
            std::min(count, (root.shape[k] - 1 - first) / tile.strides[k] + 1);
      if (count <= 0) return true;
      counts.push_back(count);
      firsts.push_back(first);
    }
    for (size_t k = 0; k < at.size(); ++k) {
      const int64_t stride = strideOf(k);
      const int64_t first = firsts[k] - at[k];
      const int64_t last = first + (counts[k] - 1) * tile.strides[k];
      if (first < 0 || last > (root.sizes[k].value - 1) * stride ||
          first % stride != 0 || (counts[k] > 1 && tile.strides[k] % stride))
        return false;
    }
    return true;
  }

  ProgramIndexing &maps_;
  const TileSpace &space_;
  RootTile root_;
  std::map<std::pair<InstructionId, LeafId>, std::optional<Maps>> back_;
};

}  // namespace

absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space,
                                                      size_t jobs) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return tilesForward(maps, space, jobs); });
  INDEXICAL_RETURN_IF_ERROR(space.status());
  if (!space.isOneTile())
    return absl::InvalidArgumentError(
        "what reads a tile is asked of one result");
  INDEXICAL_ASSIGN_OR_RETURN(auto tiles,
                             Ascent(maps, space, jobs).run(0, LeafId()));
  Completeness completeness(maps, space);
  std::vector<ForwardTile> all;
  for (InstructionTile &tile : tiles) {
    ForwardTile &added = all.emplace_back(ForwardTile{std::move(tile), {}});
    added.complete = completeness.of(added);
  }
  return all;
}

absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space) {
  return tilesForward(maps, space, /*jobs=*/1);
}

}  // namespace indexical

#include "indexical/cost/tiles/tile_walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/cover.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// More maps to one leaf become one cover.
constexpr size_t kMostMaps = 16;

/// A map with more constraints, or with expressions of more terms, becomes a
/// cover, too: it costs time in every composition, and is no tile in the end.
constexpr size_t kMostConstraints = 64;
constexpr int64_t kMostTerms = 500;

/// Returns the map, or a small enough one that covers it; then `exact` is
/// false.
absl::StatusOr<IndexingMap> limited(IndexingMap map, bool &exact) {
  auto isLarge = [&](FormId form) {
    return map.expressions().writtenSize(form) > kMostTerms;
  };
  if (map.constraints().size() <= kMostConstraints &&
      llvm::none_of(map.results(), isLarge) &&
      llvm::none_of(map.constraints(),
                    [&](const Constraint &c) { return isLarge(c.form); }))
    return map;
  exact = false;
  bool givenUp = false;
  auto small = withoutLargeExpressions(IndexingRelation(std::move(map)),
                                       kMostTerms, givenUp);
  if (small.ok() && !small->isEmpty() &&
      small->pieces()[0].constraints().size() > kMostConstraints) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto free,
        withBody(small->pieces()[0], [](IndexingMapBuilder &, MapBody &body) {
          body.constraints.clear();
        }));
    return simplify(free);
  }
  INDEXICAL_RETURN_IF_ERROR(small.status());
  return small->isEmpty() ? IndexingMap::knownEmpty() : small->pieces()[0];
}

}  // namespace

TileWalk::TileWalk(ProgramIndexing &maps, const TileSpace &space, Order order,
                   size_t jobs)
    : maps_(maps),
      space_(space),
      number_(space.computation()),
      computation_(maps.module().computations[space.computation()]),
      direction_(order),
      jobs_(jobs),
      order_(computation_.postOrder()),
      position_(computation_.instructions.size(), 0),
      reached_(computation_.instructions.size()) {
  if (direction_ == Order::OperandsFirst)
    std::reverse(order_.begin(), order_.end());
  for (size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = k;
}

const ArrayShape &TileWalk::shapeOf(InstructionLeaf at) const {
  return shapesOf(computation_.instructions[at.instruction].op)
      .results[at.leaf];
}

TileWalk::Axes TileWalk::axesOf(InstructionId i, size_t leaf) const {
  Axes axes;
  const size_t first = space_.tile().shape.size() - space_.steps().size();
  for (auto [s, step] : llvm::enumerate(space_.steps()))
    if (step.instruction == i)
      if (const auto axis =
              summedAxis(computation_.instructions[i].op, leaf, step.dimension))
        axes.push_back({*axis, first + s});
  return axes;
}

/// Returns the map from the space to a result's own indices.
absl::StatusOr<IndexingMap> TileWalk::startOf(size_t root, InstructionLeaf at) {
  auto start = simplify(identityOf(shapeOf(at)));
  const bool isOpen = hasOpenSize(shapeOf(at));
  if (isOpen) start = endsOf(at);
  INDEXICAL_RETURN_IF_ERROR(start.status());
  const TileRoot &own = space_.roots()[root];
  const auto &shape = space_.tile().shape;
  if (shape.size() != own.rank && !start->isKnownEmpty()) {
    IndexingMapBuilder b;
    for (auto [k, size] : llvm::enumerate(shape)) {
      const int64_t last = size == kDynamicSize
                               ? Interval::kInfinity
                               : std::max<int64_t>(1, size) - 1;
      const Expr index = b.dimension({0, last});
      if (k >= own.first && k < own.first + own.rank) b.result(index);
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto part, b.build());
    start = compose(part, *start);
    INDEXICAL_RETURN_IF_ERROR(start.status());
  }
  if (isOpen) rootEnds_ = *start;
  return start;
}

absl::StatusOr<std::vector<InstructionTile>> TileWalk::run(size_t root,
                                                           LeafId leaf) {
  // A vector that grows would copy its tiles.
  std::deque<InstructionTile> tiles;
  const absl::Status end = walk(root, leaf, tiles);
  // What is wrong with a tile that was met comes before what ended the walk.
  INDEXICAL_RETURN_IF_ERROR(describe(tiles));
  INDEXICAL_RETURN_IF_ERROR(end);
  return std::vector<InstructionTile>(std::make_move_iterator(tiles.begin()),
                                      std::make_move_iterator(tiles.end()));
}

/// Finds the maps of the tiles.
absl::Status TileWalk::walk(size_t root, LeafId leaf,
                            std::deque<InstructionTile> &tiles) {
  all_.clear();
  byMap_.clear();
  asked_.clear();
  entries_ = std::make_shared<TilePath::Entries>();
  names_ = 0;
  rootEnds_ = std::nullopt;
  const InstructionLeaf from = {space_.instruction(), leaf};
  INDEXICAL_ASSIGN_OR_RETURN(auto start, startOf(root, from));
  add({std::move(start), true, -1}, from);
  while (!waiting_.empty()) {
    const InstructionId i = order_[waiting_.top()];
    waiting_.pop();
    INDEXICAL_RETURN_IF_ERROR(finish(i, root, tiles));
    if (absl::Status status = goOnFrom(i); !status.ok())
      return withPlace(status, computation_.instructions[i].place);
    reached_[i].clear();
  }
  return absl::OkStatus();
}

void TileWalk::add(Reached reached, InstructionLeaf at) {
  if (reached.map.isKnownEmpty()) return;
  const InstructionId i = at.instruction;
  const size_t hash =
      llvm::hash_combine(int32_t{i}, int64_t{at.leaf}, reached.map.hash());
  auto [same, last] = byMap_.equal_range(hash);
  for (; same != last; ++same) {
    Reached &known = all_[same->second];
    if (known.at.instruction != i || known.at.leaf != at.leaf ||
        known.map != reached.map)
      continue;
    known.exact &= reached.exact;
    return;
  }
  byMap_.emplace(hash, all_.size());
  reached.at = at;
  if (reached_[i].empty()) waiting_.push(position_[i]);
  reached_[i].push_back(all_.size());
  entries_->push_back(
      {i, reached.above,
       reached.above < 0 ? 0 : (*entries_)[reached.above].depth + 1});
  all_.push_back(std::move(reached));
}

/// Replaces the maps of a leaf that is reached by too many ways by one map that
/// covers them.
absl::Status TileWalk::limit(InstructionId i) {
  const size_t leaves = computation_.instructions[i].shape.leafCount();
  for (size_t leaf = 0; leaf < leaves; ++leaf) {
    IndexingRelation relation;
    size_t count = 0;
    int32_t first = -1;
    for (int32_t known : reached_[i])
      if (all_[known].at.leaf == static_cast<int64_t>(leaf)) {
        relation.add(all_[known].map);
        if (first < 0) first = known;
        ++count;
      }
    if (count <= kMostMaps) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto cover, coverOf(relation));
    INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(cover.pieces()[0]));
    llvm::erase_if(reached_[i], [&](int32_t known) {
      return known != first &&
             all_[known].at.leaf == static_cast<int64_t>(leaf);
    });
    all_[first].map = std::move(map);
    all_[first].exact = false;
  }
  return absl::OkStatus();
}

absl::Status TileWalk::finish(InstructionId i, size_t root,
                              std::deque<InstructionTile> &tiles) {
  if (reached_[i].size() > kMostMaps) INDEXICAL_RETURN_IF_ERROR(limit(i));
  for (int32_t known : reached_[i]) {
    Reached &reached = all_[known];
    const ArrayShape &shape = shapeOf(reached.at);
    INDEXICAL_ASSIGN_OR_RETURN(auto question, asked(reached, shape));
    InstructionTile found;
    found.open = question->open;
    found.instruction = i;
    found.leaf = reached.at.leaf;
    found.root = root;
    found.map = reached.map;
    found.shape.assign(shape.dimensions.begin(), shape.dimensions.end());
    found.isMapExact = reached.exact;
    found.way = TilePath(entries_, known);
    names_ += found.way.size();
    if (names_ <= kMostPathNames) found.path = found.way.instructions();
    if (reached.above >= 0) found.behind = all_[reached.above].tile;
    reached.tile = static_cast<int32_t>(tiles.size());
    tiles.push_back(std::move(found));
    asked_.push_back(std::move(question));
  }
  return absl::OkStatus();
}

/// Finds the tiles of the maps, which do not depend on each other.
absl::Status TileWalk::describe(std::deque<InstructionTile> &tiles) {
  std::vector<TiledMap *> open;
  for (const auto &question : asked_)
    if (!std::exchange(question->isAsked, true)) open.push_back(question.get());
  auto answer = [&](size_t, size_t k) {
    TiledMap &of = *open[k];
    of.tile = tileThrough(of.map, space_.tile(), of.shape, of.exact, of.open);
  };
  // Fewer are mostly answered before a thread has started.
  constexpr size_t kFew = 16;
  if (jobs_ > 1 && open.size() >= kFew)
    inParallel(jobs_, open.size(), answer);
  else
    for (size_t k = 0; k < open.size(); ++k) answer(0, k);
  for (auto [found, question] : llvm::zip_equal(tiles, asked_)) {
    INDEXICAL_RETURN_IF_ERROR(question->tile.status());
    found.tile = *question->tile;
    if (found.tile.isExact() || found.behind < 0) continue;
    const InstructionTile &above = tiles[found.behind];
    found.lostAt = above.lostAt >= 0 ? above.lostAt : above.instruction;
  }
  return absl::OkStatus();
}

/// Returns every index of a leaf to itself, with its sizes.
absl::StatusOr<IndexingMap> TileWalk::endsOf(InstructionLeaf leaf) {
  const Leaf at = {number_, leaf.instruction, leaf.leaf};
  INDEXICAL_ASSIGN_OR_RETURN(auto itself, maps_.until(at, {at}));
  if (itself[0].pieces().size() != 1) return IndexingMap::knownEmpty();
  return itself[0].pieces()[0];
}

/// Most instructions of a fusion are read by few different maps. Equal maps to
/// tensors of other sizes, if these are not known, are other tiles.
absl::StatusOr<std::shared_ptr<TileWalk::TiledMap>> TileWalk::asked(
    const Reached &reached, const ArrayShape &shape) {
  auto made = [&] {
    return std::make_shared<TiledMap>(
        TiledMap{reached.map, shape.dimensions, reached.exact});
  };
  if (rootEnds_ || hasOpenSize(shape)) {
    auto question = made();
    question->open.root = rootEnds_;
    if (hasOpenSize(shape)) {
      INDEXICAL_ASSIGN_OR_RETURN(auto ends, endsOf(reached.at));
      if (!ends.isKnownEmpty()) question->open.tensor = std::move(ends);
    }
    return question;
  }
  auto &others = known_[reached.map.hash()];
  for (const auto &known : others)
    if (known->exact == reached.exact && known->map == reached.map &&
        known->shape == llvm::ArrayRef<int64_t>(shape.dimensions))
      return known;
  return others.emplace_back(made());
}

/// Results of one shape are mostly made of the same, by the same maps.
absl::StatusOr<IndexingMap> TileWalk::composed(const IndexingMap &map,
                                               const IndexingMap &piece) {
  constexpr size_t kMostKept = 20'000;
  const size_t hash = llvm::hash_combine(map.hash(), piece.hash());
  auto [known, last] = composed_.equal_range(hash);
  for (; known != last; ++known)
    if (const Composed &of = known->second; of.map == map && of.piece == piece)
      return of.result;
  INDEXICAL_ASSIGN_OR_RETURN(auto result, compose(map, piece));
  if (composed_.size() == kMostKept) composed_.clear();
  composed_.emplace(hash, Composed{map, piece, result});
  return result;
}

absl::Status TileWalk::follow(int32_t known, const IndexingRelation &edge,
                              InstructionLeaf to, const Axes &axes) {
  const ArrayShape &from = shapeOf(all_[known].at);
  const bool exact = all_[known].exact && edge.precision() == Precision::Exact;
  for (const IndexingMap &piece : edge.pieces()) {
    if (axes.empty() && isIdentity(piece, from)) {
      add({all_[known].map, exact, known}, to);
      continue;
    }
    MapsInSteps both{all_[known].map, piece};
    if (!axes.empty() && direction_ == Order::OperandsFirst) {
      INDEXICAL_ASSIGN_OR_RETURN(both.first, inTurns(both.first, axes));
      if (both.first.isKnownEmpty()) continue;
    } else if (!axes.empty() && !piece.isKnownEmpty()) {
      auto bound = boundToSteps(both.first, both.second, axes);
      INDEXICAL_RETURN_IF_ERROR(bound.status());
      both = *std::move(bound);
    }
    auto composed = this->composed(both.first, both.second);
    bool isExact = exact;
    if (composed.ok()) composed = limited(*std::move(composed), isExact);
    INDEXICAL_RETURN_IF_ERROR(composed.status());
    if (composed->isKnownEmpty()) continue;
    if (composed->runtime().empty()) {
      add({*std::move(composed), isExact, known}, to);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        auto folded,
        maps_.withKnownValues(IndexingRelation(*std::move(composed))));
    for (const IndexingMap &map : folded.pieces())
      add({map, isExact, known}, to);
  }
  return absl::OkStatus();
}

}  // namespace indexical

// Tiles of a computation: maps composed from the root down, each way once.
#include "indexical/analysis/tiles/tile.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/cover.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

//===-- Tiles -------------------------------------------------------------===//

std::vector<std::string> RootTile::symbols() const {
  std::vector<std::string> names;
  for (const auto *extents : {&sizes, &strides})
    for (const TileExtent &extent : *extents)
      if (extent.isSymbol() && !llvm::is_contained(names, extent.name))
        names.push_back(extent.name);
  return names;
}

absl::Status RootTile::verify() const {
  const size_t rank = shape.size();
  if (sizes.size() != rank || (!strides.empty() && strides.size() != rank))
    return absl::InvalidArgumentError(
        "a tile of a tensor of " + std::to_string(rank) +
        " dimensions needs as many sizes (and strides, where it has any); "
        "there are " +
        std::to_string(sizes.size()) + " sizes and " +
        std::to_string(strides.size()) + " strides");
  for (const auto *extents : {&sizes, &strides})
    for (const TileExtent &extent : *extents)
      if (!extent.isSymbol() && extent.value < 1)
        return absl::InvalidArgumentError(
            "a tile's sizes and strides are at least 1, not " +
            std::to_string(extent.value));
  return absl::OkStatus();
}

std::string SymbolicTile::str(const Constraint &condition) const {
  return map_.str(condition.form) + " in " + condition.bounds.str();
}

std::vector<RunCase> casesOf(const IndexingMap &map) {
  std::vector<RunCase> cases;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    if (variable.clamped) continue;
    const Interval all = variable.source.values();
    if (variable.bounds.lower > std::max<int64_t>(all.lower, 1) ||
        variable.bounds.upper < all.upper)
      cases.push_back({map.nameOf({VariableKind::Runtime, i}) + " in " +
                           variable.bounds.str(),
                       {i}});
  }
  for (const Constraint &constraint : map.constraints()) {
    RunCase made;
    bool isOfRun = true;
    map.expressions().visitVariables({constraint.form}, [&](VariableId id) {
      isOfRun = isOfRun && id.kind == VariableKind::Runtime;
      made.runtime.push_back(id.index);
    });
    if (!isOfRun) continue;
    made.text = map.str(constraint.form) + " in " + constraint.bounds.str();
    cases.push_back(std::move(made));
  }
  return cases;
}

bool SymbolicTile::isExactFor(llvm::ArrayRef<int64_t> symbols,
                              llvm::ArrayRef<int64_t> runtime) const {
  if (!exact_ || symbols.size() != map_.ranges().size()) return false;
  bool isGiven = true;
  auto value = [&](VariableId id) -> int64_t {
    if (id.kind == VariableKind::Range) return symbols[id.index];
    const bool isRuntime = id.kind == VariableKind::Runtime;
    isGiven = isGiven && isRuntime && id.index < runtime.size();
    return isGiven ? runtime[id.index] : 1;
  };
  Evaluation evaluate(map_.expressions(), value);
  return llvm::all_of(conditions(), [&](const Constraint &condition) {
    auto found = evaluate(condition.form);
    return found && isGiven && condition.bounds.contains(*found);
  });
}

std::optional<ConcreteTile> SymbolicTile::at(
    llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
    llvm::ArrayRef<int64_t> runtime) const {
  auto value = [&](VariableId id) -> int64_t {
    llvm::ArrayRef<int64_t> values = id.kind == VariableKind::Dimension
                                         ? offsets
                                     : id.kind == VariableKind::Range ? symbols
                                                                      : runtime;
    return id.index < values.size() ? values[id.index] : 0;
  };
  Evaluation evaluate(map_.expressions(), value);
  ConcreteTile tile;
  auto fill = [&](llvm::ArrayRef<FormId> forms,
                  llvm::SmallVectorImpl<int64_t> &values) {
    for (FormId form : forms) {
      auto found = evaluate(form);
      if (!found) return false;
      values.push_back(*found);
    }
    return true;
  };
  if (!fill(this->offsets(), tile.offsets) || !fill(sizes(), tile.sizes) ||
      !fill(strides(), tile.strides))
    return std::nullopt;
  return tile;
}

//===-- The way down ------------------------------------------------------===//

namespace {

/// More maps to one leaf become one cover.
constexpr size_t kMostMaps = 16;

/// A map with more constraints, or with expressions of more terms, becomes a
/// cover, too: it costs time in every composition, and is no tile in the end.
constexpr size_t kMostConstraints = 64;
constexpr int64_t kMostTerms = 500;

class Descent {
 public:
  Descent(ProgramIndexing &maps, ComputationId computation,
          const RootTile &tile)
      : maps_(maps),
        number_(computation),
        computation_(maps.module().computations[computation]),
        tile_(tile),
        order_(computation_.postOrder()),
        position_(computation_.instructions.size(), 0),
        reached_(computation_.instructions.size()) {
    for (size_t k = 0; k < order_.size(); ++k) position_[order_[k]] = k;
  }

  absl::StatusOr<std::vector<InstructionTile>> run(InstructionLeaf root) {
    all_.clear();
    rootEnds_ = std::nullopt;
    auto start = simplify(identityOf(shapeOf(root)));
    if (hasOpenSize(shapeOf(root))) {
      start = endsOf(root);
      if (start.ok()) rootEnds_ = *start;
    }
    INDEXICAL_RETURN_IF_ERROR(start.status());
    add({*std::move(start), true, -1}, root);
    std::vector<InstructionTile> tiles;
    while (!waiting_.empty()) {
      const InstructionId i = order_[waiting_.top()];
      waiting_.pop();
      INDEXICAL_RETURN_IF_ERROR(finish(i, tiles));
      if (absl::Status status = descend(i); !status.ok())
        return withPlace(status, computation_.instructions[i].place);
      reached_[i].clear();
    }
    return tiles;
  }

 private:
  /// A map from the root to a leaf of an instruction.
  struct Reached {
    IndexingMap map;
    bool exact;
    int32_t above;  ///< the entry from which it came; -1: it is the root
    InstructionLeaf at;
    InstructionId lostAt;
    std::optional<SymbolicTile::Reason> reason;

    Reached(IndexingMap map, bool exact, int32_t above)
        : map(std::move(map)), exact(exact), above(above) {}
  };

  const ArrayShape &shapeOf(InstructionLeaf at) const {
    return shapesOf(computation_.instructions[at.instruction].op)
        .results[at.leaf];
  }

  /// Adds the map, unless the leaf was reached by an equal one.
  void add(Reached reached, InstructionLeaf at) {
    if (reached.map.isKnownEmpty()) return;
    const InstructionId i = at.instruction;
    for (int32_t known : reached_[i])
      if (all_[known].at.leaf == at.leaf && all_[known].map == reached.map) {
        all_[known].exact &= reached.exact;
        return;
      }
    reached.at = at;
    if (reached_[i].empty()) waiting_.push(position_[i]);
    reached_[i].push_back(all_.size());
    all_.push_back(std::move(reached));
  }

  /// Replaces the maps of a leaf that is reached by too many ways by one map
  /// that covers them.
  absl::Status limit(InstructionId i) {
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

  absl::Status finish(InstructionId i, std::vector<InstructionTile> &tiles) {
    if (reached_[i].size() > kMostMaps) INDEXICAL_RETURN_IF_ERROR(limit(i));
    for (int32_t known : reached_[i]) {
      Reached &reached = all_[known];
      const ArrayShape &shape = shapeOf(reached.at);
      INDEXICAL_ASSIGN_OR_RETURN(auto tile, tileOf(reached, shape));
      InstructionTile found;
      found.instruction = i;
      found.leaf = reached.at.leaf;
      found.map = reached.map;
      found.isMapExact = reached.exact;
      for (int32_t above = reached.above; above >= 0; above = all_[above].above)
        if (all_[above].above >= 0)
          found.path.push_back(all_[above].at.instruction);
      std::reverse(found.path.begin(), found.path.end());
      if (!tile->isExact() && reached.above >= 0) {
        const Reached &above = all_[reached.above];
        const bool isNew = !above.reason;
        reached.lostAt = isNew ? above.at.instruction : above.lostAt;
        reached.reason = isNew ? tile->reason() : above.reason;
        found.lostAt = reached.lostAt;
      }
      found.tile = *tile;
      tiles.push_back(std::move(found));
    }
    return absl::OkStatus();
  }

  /// Every index of a leaf to itself, with its sizes.
  absl::StatusOr<IndexingMap> endsOf(InstructionLeaf leaf) {
    const Leaf at = {number_, leaf.instruction, leaf.leaf};
    INDEXICAL_ASSIGN_OR_RETURN(auto itself, maps_.until(at, {at}));
    if (itself[0].pieces().size() != 1) return IndexingMap::knownEmpty();
    return itself[0].pieces()[0];
  }

  /// Most instructions of a fusion are read by few different maps.
  absl::StatusOr<const SymbolicTile *> tileOf(const Reached &reached,
                                              const ArrayShape &shape) {
    if (rootEnds_ || hasOpenSize(shape)) return openTileOf(reached, shape);
    for (const auto &known : tiles_[reached.map.hash()])
      if (known->exact == reached.exact && known->map == reached.map &&
          known->shape == llvm::ArrayRef<int64_t>(shape.dimensions))
        return &known->tile;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto tile,
        tileThrough(reached.map, tile_, shape.dimensions, reached.exact));
    auto &list = tiles_[reached.map.hash()];
    list.push_back(std::make_unique<TiledMap>(TiledMap{
        reached.map, shape.dimensions, reached.exact, std::move(tile)}));
    return &list.back()->tile;
  }

  /// Equal maps to tensors of other sizes are other tiles.
  absl::StatusOr<const SymbolicTile *> openTileOf(const Reached &reached,
                                                  const ArrayShape &shape) {
    OpenEnds open;
    open.root = rootEnds_;
    if (hasOpenSize(shape)) {
      INDEXICAL_ASSIGN_OR_RETURN(auto ends, endsOf(reached.at));
      if (!ends.isKnownEmpty()) open.tensor = std::move(ends);
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        openTile_,
        tileThrough(reached.map, tile_, shape.dimensions, reached.exact, open));
    return &openTile_;
  }

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

  absl::Status descend(InstructionId i) {
    if (computation_.instructions[i].parameterNumber >= 0)
      return absl::OkStatus();
    const Op &op = computation_.instructions[i].op;
    if (op.is<ForwardOp>()) return handOn(i, op.get<ForwardOp>());
    const auto leaves = computation_.operandLeaves(i);
    const auto &pairs = pairsOf(i);
    for (size_t l = 0; l < leaves.size(); ++l) {
      const bool keeps = keepsIndices(op, l);
      for (size_t r = 0; r < reached_[i].size(); ++r) {
        const int32_t known = reached_[i][r];
        if (!pairs.empty() &&
            !pairs.count({all_[known].at.leaf, static_cast<int64_t>(l)}))
          continue;
        if (keeps) {
          add({all_[known].map, all_[known].exact, known},
              {leaves[l].instruction, leaves[l].result});
          continue;
        }
        INDEXICAL_ASSIGN_OR_RETURN(
            auto edge, edgeOf(i, all_[known].at.leaf, LeafId(l), leaves));
        INDEXICAL_RETURN_IF_ERROR(follow(known, edge, leaves[l]));
      }
    }
    return absl::OkStatus();
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
    for (int32_t known : reached_[i])
      if (const int64_t from = op.reads[all_[known].at.leaf]; from >= 0)
        ways.push_back({from, known});
    llvm::stable_sort(ways, llvm::less_first());
    for (const auto &[from, known] : ways) {
      const OperandLeaf leaf = operandLeaf(i, LeafId(from));
      INDEXICAL_ASSIGN_OR_RETURN(
          auto edge,
          hasOpenSize(op.results[all_[known].at.leaf])
              ? onWay({number_, i, all_[known].at.leaf}, leaf)
              : maps_.instruction({number_, i, all_[known].at.leaf},
                                  LeafId(from), Direction::OutputToInput));
      INDEXICAL_RETURN_IF_ERROR(follow(known, edge, leaf));
    }
    return absl::OkStatus();
  }

  /// A tuple of many operands is gone through once, not for each leaf.
  OperandLeaf operandLeaf(InstructionId i, LeafId number) {
    if (computation_.instructions[i].operands.size() == 1)
      return computation_.operandLeaf(i, number);
    auto [entry, isNew] = leaves_.try_emplace(i);
    if (isNew) entry->second = computation_.operandLeaves(i);
    return entry->second[number];
  }

  /// Returns the pairs of result and operand leaves that can read, if the
  /// instruction has many results; empty stands for all pairs.
  using Pairs = llvm::DenseSet<std::pair<int64_t, int64_t>>;
  const Pairs &pairsOf(InstructionId i) {
    constexpr int64_t kMany = 64;
    auto [entry, isNew] = pairs_.try_emplace(i);
    const Instruction &own = computation_.instructions[i];
    const int64_t results = own.shape.leafCount();
    if (!isNew || results < kMany) return entry->second;
    auto pairs = maps_.instructionPairs(number_, i);
    // All of them need no list.
    if (static_cast<int64_t>(pairs.size()) <= kMany * results)
      for (const LeafPair &pair : pairs)
        entry->second.insert({pair.result, pair.leaf});
    return entry->second;
  }

  /// Returns the map, or a small enough one that covers it; then `exact` is
  /// false.
  static absl::StatusOr<IndexingMap> limited(IndexingMap map, bool &exact) {
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

  /// Results of one shape are mostly made of the same, by the same maps.
  absl::StatusOr<IndexingMap> composed(const IndexingMap &map,
                                       const IndexingMap &piece) {
    constexpr size_t kMostKept = 20'000;
    const size_t hash = llvm::hash_combine(map.hash(), piece.hash());
    auto [known, last] = composed_.equal_range(hash);
    for (; known != last; ++known)
      if (const Composed &of = known->second;
          of.map == map && of.piece == piece)
        return of.result;
    INDEXICAL_ASSIGN_OR_RETURN(auto result, compose(map, piece));
    if (composed_.size() == kMostKept) composed_.clear();
    composed_.emplace(hash, Composed{map, piece, result});
    return result;
  }

  absl::Status follow(int32_t known, const IndexingRelation &edge,
                      const OperandLeaf &leaf) {
    const ArrayShape &from = shapeOf(all_[known].at);
    const bool exact =
        all_[known].exact && edge.precision() == Precision::Exact;
    const InstructionLeaf to = {leaf.instruction, leaf.result};
    for (const IndexingMap &piece : edge.pieces()) {
      if (isIdentity(piece, from)) {
        add({all_[known].map, exact, known}, to);
        continue;
      }
      auto composed = this->composed(all_[known].map, piece);
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

  struct TiledMap {
    IndexingMap map;
    llvm::SmallVector<int64_t, 6> shape;
    bool exact;
    SymbolicTile tile;
  };
  struct Composed {
    IndexingMap map, piece, result;
  };

  ProgramIndexing &maps_;
  const ComputationId number_;
  const Computation &computation_;
  const RootTile &tile_;
  const InstructionOrder order_;   // operands first
  std::vector<int32_t> position_;  // of each instruction in it
  std::vector<Reached> all_;
  std::vector<llvm::SmallVector<int32_t, 2>> reached_;  // of an instruction
  std::priority_queue<int32_t> waiting_;  // positions: users before producers
  std::map<InstructionId, Pairs> pairs_;
  std::map<InstructionId, llvm::SmallVector<OperandLeaf, 4>> leaves_;
  std::unordered_map<size_t, std::vector<std::unique_ptr<TiledMap>>> tiles_;
  std::unordered_multimap<size_t, Composed> composed_;  // by both maps
  std::optional<IndexingMap> rootEnds_;  // if sizes of the root are open
  SymbolicTile openTile_;                // the last one that was made
  // By instruction and result: what is read of leaves.
  std::map<std::pair<InstructionId, LeafId>,
           std::map<std::pair<InstructionId, LeafId>, IndexingRelation>>
      onWays_;
};

/// Returns an error if the tile is none of the leaf.
absl::Status checkRoot(const Instruction &instruction, LeafId rootLeaf,
                       const RootTile &tile) {
  const auto &results = shapesOf(instruction.op).results;
  if (rootLeaf < 0 || rootLeaf >= static_cast<int64_t>(results.size()))
    return errorAt(instruction.place, "`" + instruction.name.str() +
                                          "` has no result " +
                                          std::to_string(rootLeaf));
  if (llvm::ArrayRef<int64_t>(tile.shape) !=
      llvm::ArrayRef<int64_t>(results[rootLeaf].dimensions))
    return errorAt(instruction.place, "the tile is one of another shape than " +
                                          results[rootLeaf].str());
  return absl::OkStatus();
}

}  // namespace

absl::Status forTilesOf(
    ProgramIndexing &maps, ComputationId computation, InstructionId root,
    llvm::ArrayRef<LeafId> rootLeaves, const RootTile &tile,
    llvm::function_ref<void(LeafId rootLeaf, std::vector<InstructionTile>)>
        take) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return forTilesOf(maps, computation, root, rootLeaves, tile, take);
    });
  INDEXICAL_RETURN_IF_ERROR(tile.verify());
  const Instruction &instruction =
      maps.module().computations[computation].instructions[root];
  Descent descent(maps, computation, tile);
  for (LeafId leaf : rootLeaves) {
    INDEXICAL_RETURN_IF_ERROR(checkRoot(instruction, leaf, tile));
    INDEXICAL_ASSIGN_OR_RETURN(auto tiles, descent.run({root, leaf}));
    take(leaf, std::move(tiles));
  }
  return absl::OkStatus();
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

std::vector<size_t> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles,
    llvm::ArrayRef<std::vector<int64_t>> candidates) {
  std::vector<size_t> fitting;
  for (size_t c = 0; c < candidates.size(); ++c)
    if (llvm::all_of(tiles, [&](const InstructionTile &tile) {
          return tile.tile.isExactFor(candidates[c]);
        }))
      fitting.push_back(c);
  return fitting;
}

}  // namespace indexical

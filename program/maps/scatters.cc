#include "indexical/program/maps/scatters.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/box.h"
#include "indexical/program/maps/reached.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/within.h"

namespace indexical {
namespace {

// The most pieces for what updates leave of an input; with more, nothing is
// said.
constexpr size_t kMostLeft = 32;

/// The operand leaves of a scatter that one of its results is made of.
struct Scattered {
  LeafId input, indices, updates;
  int64_t vectorDim = 0;    ///< of the indices
  Int64s batch;             ///< dimensions of the updates: which vector
  bool overwrites = false;  ///< the input's element does not matter then
};

/// tensor.scatter has the slices, the destination and the indices. It neither
/// clamps nor skips: a coordinate is inside.
Scattered scatteredOfTensor(const Instruction &instruction) {
  const OpShapes &shapes = shapesOf(instruction.op);
  Scattered found;
  found.updates = LeafId(0);
  found.input = LeafId(1);
  found.indices = LeafId(2);
  found.vectorDim = shapes.operands[found.indices].rank() - 1;
  for (int64_t j = 0; j < found.vectorDim; ++j) found.batch.push_back(j);
  found.overwrites = true;
  return found;
}

std::optional<Scattered> scatteredOf(const Instruction &instruction,
                                     LeafId result) {
  if (instruction.opcode == "tensor.scatter" &&
      shapesOf(instruction.op).operands.size() == 3)
    return scatteredOfTensor(instruction);
  const auto *op = instruction.op.as<ScatterOp>();
  if (!op) return std::nullopt;
  const int64_t count = op->results.size();
  Scattered found;
  found.input = result;
  found.indices = LeafId(count);
  found.updates = LeafId(count + 1 + result);
  found.vectorDim = op->indexVectorDim;
  for (int64_t j = 0; j < op->operands[found.updates].rank(); ++j)
    if (!llvm::is_contained(op->updateWindowDims, j)) found.batch.push_back(j);
  found.overwrites =
      !op->bodyReads.empty() &&
      op->bodyReads[result * count + result] == ScatterOp::BodyRead::Never;
  return found;
}

bool isElement(const RuntimeVariable &variable) {
  return variable.source.kind == RuntimeSource::Kind::Element;
}

bool hasElements(const IndexingMap &map) {
  return llvm::any_of(map.runtime(), isElement);
}

//===-- Indices -----------------------------------------------------------===//

/// Returns the dimensions of the result along which the places of updates are
/// known, or given by the batch. `landed` is what the result reads of the
/// updates, and `known` is the same with known values written.
llvm::SmallBitVector knownDimensions(const Scattered &of,
                                     const IndexingRelation &landed,
                                     const IndexingRelation &known) {
  auto componentOf = [&](const RuntimeVariable &variable,
                         const ExpressionTable &table) {
    const auto index = variable.elementIndex();
    const bool isExplicit = of.vectorDim < static_cast<int64_t>(index.size());
    return isExplicit && table.isConstant(index[of.vectorDim])
               ? table.constant(index[of.vectorDim])
               : 0;
  };
  llvm::SmallVector<int64_t, 4> unknown;
  for (const IndexingMap &piece : known.pieces())
    for (const RuntimeVariable &variable : piece.runtime())
      if (isElement(variable))
        unknown.push_back(componentOf(variable, piece.expressions()));
  llvm::SmallBitVector found;
  for (const IndexingMap &piece : landed.pieces()) {
    const ExpressionTable &table = piece.expressions();
    found.resize(piece.dimensions().size());
    auto look = [&](FormId form, bool isBatch) {
      bool isKnown = isBatch;
      table.visitVariables({form}, [&](VariableId id) {
        if (id.kind != VariableKind::Runtime) return;
        const RuntimeVariable &variable = piece.runtime()[id.index];
        isKnown = isKnown ||
                  (isElement(variable) &&
                   !llvm::is_contained(unknown, componentOf(variable, table)));
      });
      if (!isKnown) return;
      table.visitVariables({form}, [&](VariableId id) {
        if (id.kind == VariableKind::Dimension) found.set(id.index);
      });
    };
    for (auto [j, form] : llvm::enumerate(piece.results()))
      look(form, llvm::is_contained(of.batch, static_cast<int64_t>(j)));
    for (const Constraint &c : piece.constraints()) look(c.form, false);
  }
  return found;
}

/// Returns the map without its constraints on other dimensions of the result:
/// whether an update lands along them depends on the indices.
absl::StatusOr<IndexingMap> onlyAlong(const llvm::SmallBitVector &dimensions,
                                      const IndexingMap &map,
                                      const OpShapes &shapes,
                                      const Scattered &of,
                                      Direction direction) {
  const ArrayShape &result = shapes.results[0];
  const ArrayShape &updates = shapes.operands[of.updates];
  const bool reads = direction == Direction::OutputToInput;
  IndexingMapBuilder b;
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    b.addDimension(reads && !dimensions[k] ? indicesOf(result, k) : v.bounds,
                   v.name);
  for (const Variable &v : map.ranges()) b.addRange(v.bounds, v.name);
  llvm::SmallVector<std::optional<FormId>, 4> sizes(map.runtime().size());
  for (auto [i, v] : llvm::enumerate(map.runtime()))
    if (!isElement(v)) sizes[i] = b.runtime(v).form();
  bool isFree = false;  // whether the form names what is left out
  auto same = [&](VariableId id) {
    if (id.kind == VariableKind::Runtime) {
      isFree = isFree || !sizes[id.index];
      return sizes[id.index] ? *sizes[id.index] : b.pool().constantForm(0);
    }
    isFree = isFree || (reads && id.kind == VariableKind::Dimension &&
                        !dimensions[id.index]);
    return b.pool().variable(id);
  };
  auto imported = [&](FormId form) {
    isFree = false;
    ExpressionImport import(map.expressions(), b.pool(), same);
    return b.expression(import(form));
  };
  for (auto [k, form] : llvm::enumerate(map.results())) {
    Expr to = imported(form);
    if (isFree || (!reads && !dimensions[k]))
      to = b.range(indicesOf(reads ? updates : result, k));
    b.result(to);
  }
  for (const Constraint &c : map.constraints()) {
    const Expr form = imported(c.form);
    if (!isFree) b.constraint(form, c.bounds);
  }
  auto free = b.build();
  return free.ok() ? simplify(*free) : free;
}

/// Returns the map from an element of the updates to its index vector, or back.
absl::StatusOr<IndexingMap> toVector(const Scattered &of,
                                     const OpShapes &shapes,
                                     Direction direction) {
  const ArrayShape &updates = shapes.operands[of.updates];
  const ArrayShape &indices = shapes.operands[of.indices];
  const bool reads = direction == Direction::OutputToInput;
  IndexingMapBuilder b;
  auto coordinate = [&](bool isFrom, const ArrayShape &shape, int64_t k) {
    return isFrom ? b.dimension(indicesOf(shape, k))
                  : b.range(indicesOf(shape, k));
  };
  llvm::SmallVector<Expr, 6> update(updates.rank()), vector;
  auto addUpdates = [&] {
    for (int64_t j = 0; j < updates.rank(); ++j)
      if (reads || !llvm::is_contained(of.batch, j))
        update[j] = coordinate(reads, updates, j);
  };
  auto addVector = [&] {
    size_t next = 0;
    for (int64_t k = 0; k < indices.rank(); ++k) {
      const bool isBatch = k != of.vectorDim;
      if (isBatch && reads) {
        vector.push_back(update[of.batch[next++]]);
        continue;
      }
      vector.push_back(coordinate(!reads, indices, k));
      if (isBatch) update[of.batch[next++]] = vector.back();
    }
  };
  if (reads) addUpdates();
  addVector();
  if (!reads) addUpdates();
  for (Expr index : reads ? vector : update) b.result(index);
  return b.build();
}

//===-- The input ---------------------------------------------------------===//

using Regions = llvm::SmallVector<IndexingMap, 4>;

/// Adds the part of the region in which the form of the other map is within
/// bounds.
absl::Status addPart(Regions &regions, const IndexingMap &region,
                     const ExpressionTable &table, FormId form,
                     Interval within) {
  if (within.isEmpty()) return absl::OkStatus();
  auto part =
      restricted(region, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
        auto same = [&](VariableId id) { return b.pool().variable(id); };
        ExpressionImport import(table, b.pool(), same);
        b.constraint(b.expression(import(form)), within);
      });
  if (part.ok()) part = simplify(*part);
  INDEXICAL_RETURN_IF_ERROR(part.status());
  if (!part->isKnownEmpty()) regions.push_back(*std::move(part));
  return absl::OkStatus();
}

/// Return the values below, or above, a condition's interval.
Interval below(const Interval &bounds) {
  return bounds.hasLower()
             ? Interval{Interval::kMinusInfinity, bounds.lower - 1}
             : Interval::none();
}
Interval above(const Interval &bounds) {
  return bounds.hasUpper() ? Interval{bounds.upper + 1, Interval::kInfinity}
                           : Interval::none();
}

/// The conditions that make the map's domain, as forms of its table.
struct Conditions {
  ExpressionPool pool;
  llvm::SmallVector<std::pair<FormId, Interval>, 6> all;
};

/// Returns false if the domain also depends on ranges or runtime variables.
bool findConditions(const IndexingMap &map, Conditions &conditions) {
  for (uint32_t k = 0; k < map.dimensions().size(); ++k)
    conditions.all.push_back(
        {conditions.pool.variable({VariableKind::Dimension, k}),
         map.dimensions()[k].bounds});
  bool isPlain = map.runtime().empty();
  auto same = [&](VariableId id) {
    isPlain = isPlain && id.kind == VariableKind::Dimension;
    return conditions.pool.variable(id);
  };
  ExpressionImport import(map.expressions(), conditions.pool, same);
  for (const Constraint &c : map.constraints())
    conditions.all.push_back({import(c.form), c.bounds});
  return isPlain;
}

/// Adds the region without the domain of the map, as disjoint regions: the
/// first condition does not hold, or the first holds and the second does not,
/// and so on.
absl::Status addOutside(Regions &outside, IndexingMap region,
                        const Conditions &conditions) {
  for (const auto &[form, bounds] : conditions.all) {
    for (const Interval &side : {below(bounds), above(bounds)})
      INDEXICAL_RETURN_IF_ERROR(
          addPart(outside, region, conditions.pool, form, side));
    Regions inside;
    INDEXICAL_RETURN_IF_ERROR(
        addPart(inside, region, conditions.pool, form, bounds));
    if (inside.empty()) return absl::OkStatus();
    region = inside[0];
  }
  return absl::OkStatus();
}

/// Returns what the landed updates leave of an input, or nothing if their
/// domains are not plain, or if the pieces are too many.
absl::StatusOr<std::optional<IndexingRelation>> leftBy(
    const IndexingRelation &landed, const IndexingRelation &whole) {
  Regions left(whole.pieces());
  for (const IndexingMap &piece : landed.pieces()) {
    Conditions conditions;
    if (!findConditions(piece, conditions)) return std::nullopt;
    Regions next;
    for (const IndexingMap &region : left)
      INDEXICAL_RETURN_IF_ERROR(addOutside(next, region, conditions));
    if (next.size() > kMostLeft) return std::nullopt;
    left = std::move(next);
  }
  IndexingRelation relation;
  std::optional<LimitKind> limit;
  for (const IndexingMap &region : left)
    INDEXICAL_RETURN_IF_ERROR(unite(relation, IndexingRelation(region), limit));
  if (limit) return std::nullopt;
  return relation;
}

}  // namespace

//===-- Both --------------------------------------------------------------===//

/// Whether each update, whatever the indices hold, reads the element of the
/// input on which it lands.
bool Scatters::rewritesItself(Leaf scattered) {
  auto [known, isNew] = rewrites_.try_emplace(scattered, false);
  if (isNew) known->second = findRewrite(scattered);
  return known->second;
}

bool Scatters::findRewrite(Leaf scattered) {
  const auto [c, i, result] = scattered;
  const auto of = scatteredOf(graph_.instruction(c, i), result);
  const OperandLeaf input = graph_.operandLeaf(c, i, of->input);
  const OperandLeaf update = graph_.operandLeaf(c, i, of->updates);
  const InstructionLeaf origin =
      graph_.origin(c, {input.instruction, input.result});
  const InstructionId end = origin.instruction;
  // Most updates do not depend on the input.
  if (!graph_.below(c, update.instruction)[end]) return false;
  auto landed = ops_.own({c, i, Direction::InputToOutput, result, of->updates});
  if (landed.ok()) landed = facts_.folded(*landed);
  if (!landed.ok() || landed->precision() != Precision::Exact) return false;
  auto down = above_.readsUntil(c, {update.instruction, update.result}, end);
  if (!down.ok()) return false;
  const Reached *read = (*down)[end].find(origin.leaf);
  if (!read || read->limit || read->relation.precision() != Precision::Exact)
    return false;
  const auto pieces = read->relation.pieces();
  return llvm::all_of(landed->pieces(), [&](const IndexingMap &piece) {
    SimplifyOptions options;
    options.rename = true;
    const auto update = simplify(piece, options);
    return update.ok() && llvm::any_of(pieces, [&](const IndexingMap &other) {
             return isWithin(*update, other);
           });
  });
}

absl::StatusOr<std::optional<IndexingRelation>> Scatters::through(
    const Edge &edge) {
  const ComputationId c = edge.computation;
  const InstructionId i = edge.instruction;
  const LeafId result = edge.result, leaf = edge.leaf;
  const Instruction &instruction = graph_.instruction(c, i);
  const OpShapes &shapes = shapesOf(instruction.op);
  const auto of = scatteredOf(instruction, result);
  if (!of || (leaf != of->input && leaf != of->indices) ||
      llvm::any_of(shapes.operands,
                   [](const ArrayShape &s) { return s.isEmpty(); }))
    return std::nullopt;
  const bool reads = edge.reads();
  auto own = [&](Direction way, LeafId of) {
    return ops_.own({c, i, way, result, of});
  };
  if (leaf == of->input) {
    INDEXICAL_ASSIGN_OR_RETURN(auto itself, own(edge.direction, leaf));
    if (itself.precision() == Precision::Exact &&
        llvm::none_of(itself.pieces(), hasElements))
      return std::nullopt;
    if (rewritesItself({c, i, result})) {
      const OperandLeaf input = graph_.operandLeaf(c, i, leaf);
      INDEXICAL_ASSIGN_OR_RETURN(
          auto all, reads ? ops_.startAt(c, i, result)
                          : ops_.startAt(c, input.instruction, input.result));
      return all;
    }
    if (!of->overwrites || hasOpenSize(shapes.results[result]))
      return std::nullopt;
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      auto landed,
      own(leaf == of->input ? Direction::OutputToInput : edge.direction,
          of->updates));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto known, facts_.folded(landed, ProgramFacts::Known::Elements));
  if (known == landed) return std::nullopt;
  if (leaf == of->input) {
    INDEXICAL_ASSIGN_OR_RETURN(auto whole, ops_.startAt(c, i, result));
    return leftBy(known, whole);
  }
  // If all indices are known, it does not matter which ones are read.
  if (llvm::none_of(known.pieces(), hasElements)) return std::nullopt;
  llvm::SmallBitVector along;
  if (reads) {
    along = knownDimensions(*of, landed, known);
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(auto other,
                               own(Direction::OutputToInput, of->updates));
    along = knownDimensions(*of, other, known);
  }
  IndexingRelation any;
  for (const IndexingMap &piece : known.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto free, onlyAlong(along, piece, shapes, *of, edge.direction));
    any.add(std::move(free));
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto vector,
                             toVector(*of, shapes, edge.direction));
  const IndexingRelation way(std::move(vector));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto composed,
      reads ? compose(any, way) : compose(way, any, ResultSide::Second));
  return composed;
}

}  // namespace indexical

#include "indexical/program/maps/cover.h"

// One map for many pieces: their hull.
//
// A result that all pieces compute alike, from dimensions alone, stays as it
// is.
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/box.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

bool usesDimensionsAlone(const IndexingMap &map, FormId form) {
  bool alone = true;
  map.expressions().visitVariables(form, [&](VariableId id) {
    alone &= id.kind == VariableKind::Dimension;
  });
  return alone;
}

/// Whether result k, or member, is the same expression of the dimensions in all
/// pieces.
bool isCommon(llvm::ArrayRef<IndexingMap> pieces, size_t k) {
  ExpressionPool pool;
  auto same = [&](VariableId id) { return pool.variable(id); };
  std::optional<FormId> common;
  for (const IndexingMap &piece : pieces) {
    const FormId result = piece.resultsAndMembers()[k];
    if (!usesDimensionsAlone(piece, result)) return false;
    ExpressionImport import(piece.expressions(), pool, same);
    FormId form = import(result);
    if (common.value_or(form) != form) return false;
    common = form;
  }
  return true;
}

/// Returns the hull of pieces that pass the same collectives.
absl::StatusOr<IndexingMap> hullOf(llvm::ArrayRef<IndexingMap> pieces) {
  const IndexingMap &first = pieces[0];
  IndexingMapBuilder b;
  for (size_t i = 0; i < first.dimensions().size(); ++i) {
    Interval hull = Interval::none();
    for (const IndexingMap &piece : pieces)
      hull = hull.hull(piece.dimensions()[i].bounds);
    b.dimension(hull, first.dimensions()[i].name);
  }
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(first.expressions(), b.pool(), same);
  const size_t results = first.results().size();
  auto add = [&](size_t k, Expr form) {
    if (k < results)
      b.result(form);
    else
      b.member(first.collectives()[k - results], form);
  };
  for (size_t k = 0; k < first.resultsAndMembers().size(); ++k) {
    if (isCommon(pieces, k)) {
      add(k, b.expression(import(first.resultsAndMembers()[k])));
      continue;
    }
    Interval hull = Interval::none();
    for (const IndexingMap &piece : pieces) {
      auto boundsOf = [&](VariableId id) { return piece.variable(id).bounds; };
      hull = hull.hull(FormBounds(piece.expressions(),
                                  boundsOf)(piece.resultsAndMembers()[k]));
    }
    add(k, b.range(hull));
  }
  auto map = b.build();
  return map.ok() ? simplify(*map) : map.status();
}

}  // namespace

absl::StatusOr<IndexingRelation> coverOf(const IndexingRelation &relation) {
  const std::vector<IndexingRelation> ways = waysOf(relation);
  if (ways.size() == relation.pieces().size()) return relation;
  IndexingRelation cover;
  for (const IndexingRelation &way : ways) {
    INDEXICAL_ASSIGN_OR_RETURN(auto hull, hullOf(way.pieces()));
    cover.add(std::move(hull));
  }
  cover.weaken(std::min(Precision::Cover, relation.precision()));
  return cover;
}

namespace {

/// Returns the boxes around the pieces, one for each way through collectives.
/// Any member of a collective may be read.
absl::StatusOr<IndexingRelation> boxed(const IndexingRelation &reads,
                                       const ArrayShape &from,
                                       const ArrayShape &to,
                                       Direction direction) {
  IndexingRelation boxes;
  for (const IndexingRelation &way : waysOf(reads)) {
    auto box = boxOf(way, from, to);
    if (!box) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                               relationOf(*box, direction, membersOf(way)));
    boxes.unite(relation);
  }
  return boxes;
}

/// Whether `there` and then `back` is the identity where `there` holds.
bool leadsBack(const IndexingMap &there, const IndexingMap &back) {
  IndexingMapBuilder b;
  for (const Variable &v : there.dimensions()) b.result(b.dimension(v.bounds));
  auto same = b.build();
  auto round = compose(there, back);
  if (!same.ok() || !round.ok()) return false;
  auto identity = simplify(*same);
  return identity.ok() && *identity == *round;
}

/// Whether the two are seen to be each other's transposes: functions that undo
/// each other.
bool areTransposes(const IndexingRelation &reads,
                   const IndexingRelation &users) {
  for (const IndexingRelation *relation : {&reads, &users}) {
    if (relation->pieces().size() != 1) return false;
    const IndexingMap &map = relation->pieces()[0];
    if (!map.ranges().empty() || !map.runtime().empty() ||
        !map.collectives().empty())
      return false;
  }
  return leadsBack(reads.pieces()[0], users.pieces()[0]) &&
         leadsBack(users.pieces()[0], reads.pieces()[0]);
}

}  // namespace

absl::Status turnAround(IndexingRelation &reads, IndexingRelation &users,
                        const ArrayShape &from, const ArrayShape &to) {
  const Precision weaker = std::min(reads.precision(), users.precision());
  reads.weaken(weaker);
  users.weaken(weaker);
  if (areTransposes(reads, users)) return absl::OkStatus();
  INDEXICAL_ASSIGN_OR_RETURN(auto down,
                             boxed(reads, from, to, Direction::OutputToInput));
  INDEXICAL_ASSIGN_OR_RETURN(auto up,
                             boxed(reads, from, to, Direction::InputToOutput));
  reads = std::move(down);
  users = std::move(up);
  return absl::OkStatus();
}

absl::Status coverBothWays(IndexingRelation &reads, IndexingRelation &users,
                           const ArrayShape &from, const ArrayShape &to) {
  auto down = coverOf(reads), up = coverOf(users);
  INDEXICAL_RETURN_IF_ERROR(down.status());
  INDEXICAL_RETURN_IF_ERROR(up.status());
  if (*down == reads && *up == users) return absl::OkStatus();
  reads = *std::move(down);
  users = *std::move(up);
  return turnAround(reads, users, from, to);
}

namespace {

absl::StatusOr<IndexingMap> withoutLarge(const IndexingMap &map, int64_t most) {
  IndexingMapBuilder b;
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  auto isSmall = [&](FormId form) {
    return map.expressions().writtenSize(form) <= most;
  };
  for (const Variable &v : map.dimensions()) b.dimension(v.bounds, v.name);
  for (const Variable &v : map.ranges()) b.range(v.bounds);
  // A runtime variable whose source has a large index is any of its values.
  llvm::SmallVector<FormId, 4> runtime;
  uint32_t kept = 0;
  for (const RuntimeVariable &v : map.runtime())
    runtime.push_back(llvm::all_of(v.index, isSmall)
                          ? b.pool().variable({VariableKind::Runtime, kept++})
                          : b.range(v.bounds).form());
  auto replace = [&](VariableId id) {
    return id.kind == VariableKind::Runtime ? runtime[id.index]
                                            : b.pool().variable(id);
  };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  for (RuntimeVariable v : map.runtime()) {
    if (!llvm::all_of(v.index, isSmall)) continue;
    for (FormId &form : v.index) form = import(form);
    b.runtime(std::move(v));
  }
  auto smallOf = [&](FormId form) {
    return isSmall(form) ? b.expression(import(form)) : b.range(bounds(form));
  };
  for (FormId form : map.results()) b.result(smallOf(form));
  for (size_t i = 0; i < map.collectives().size(); ++i)
    b.member(map.collectives()[i], smallOf(map.members()[i]));
  for (const Constraint &c : map.constraints())
    if (isSmall(c.form)) b.constraint(b.expression(import(c.form)), c.bounds);
  INDEXICAL_ASSIGN_OR_RETURN(auto small, b.build());
  SimplifyOptions options;
  options.rename = true;
  return simplify(small, options);
}

}  // namespace

absl::StatusOr<IndexingRelation> withoutLargeExpressions(
    const IndexingRelation &relation, int64_t most, bool &givenUp) {
  auto isLarge = [&](const IndexingMap &map) {
    const ExpressionTable &table = map.expressions();
    // An atom can be written at most twice as often as the one before it.
    if (int64_t{1} << std::min<uint32_t>(62, table.atomCount()) <= most)
      return false;
    auto large = [&](FormId form) { return table.writtenSize(form) > most; };
    for (const RuntimeVariable &v : map.runtime())
      if (llvm::any_of(v.index, large)) return true;
    for (const Constraint &c : map.constraints())
      if (large(c.form)) return true;
    return llvm::any_of(map.resultsAndMembers(), large);
  };
  if (llvm::none_of(relation.pieces(), isLarge)) return relation;
  givenUp = true;
  IndexingRelation small;
  for (const IndexingMap &piece : relation.pieces()) {
    if (!isLarge(piece)) {
      small.add(piece);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto map, withoutLarge(piece, most));
    small.add(std::move(map));
  }
  small.weaken(std::min(Precision::Cover, relation.precision()));
  return small;
}

}  // namespace indexical

// One map for many pieces: their hull.
//
//   (d0) -> (d0) on [0, 3],  (d0) -> (9 - d0) on [6, 9]
//     -> (d0)[s0] -> (s0), d0 in [0, 9], s0 in [0, 3]
//
// A result that all pieces compute alike, from dimensions alone, stays as it is.
#include "indexing/bounds.h"
#include "indexing/map_builder.h"
#include "program/program_indexing.h"
#include "simplifier/simplify.h"

namespace indexical {
namespace {

bool usesDimensionsAlone(const IndexingMap &map, FormId form) {
  bool alone = true;
  map.expressions().visitVariables(
      form, [&](VariableId id) { alone &= id.kind == VariableKind::Dimension; });
  return alone;
}

/// Whether result k is the same expression of the dimensions in all pieces.
bool isCommon(llvm::ArrayRef<IndexingMap> pieces, size_t k) {
  ExpressionPool pool;
  auto same = [&](VariableId id) { return pool.variable(id); };
  std::optional<FormId> common;
  for (const IndexingMap &piece : pieces) {
    if (!usesDimensionsAlone(piece, piece.results()[k])) return false;
    ExpressionImport import(piece.expressions(), pool, same);
    FormId form = import(piece.results()[k]);
    if (common.value_or(form) != form) return false;
    common = form;
  }
  return true;
}

}  // namespace

absl::StatusOr<IndexingRelation> coverOf(const IndexingRelation &relation) {
  if (relation.pieces().size() <= 1) return relation;
  llvm::ArrayRef<IndexingMap> pieces = relation.pieces();
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
  for (size_t k = 0; k < first.results().size(); ++k) {
    if (isCommon(pieces, k)) {
      b.result(b.expression(import(first.results()[k])));
      continue;
    }
    Interval hull = Interval::none();
    for (const IndexingMap &piece : pieces) {
      auto boundsOf = [&](VariableId id) { return piece.variable(id).bounds; };
      hull = hull.hull(
          FormBounds(piece.expressions(), boundsOf)(piece.results()[k]));
    }
    b.result(b.range(hull));
  }
  auto map = b.build();
  if (!map.ok()) return map.status();
  auto simple = simplify(*map);
  if (!simple.ok()) return simple.status();
  return IndexingRelation(*std::move(simple),
                          std::min(Precision::Cover, relation.precision()));
}

}  // namespace indexical

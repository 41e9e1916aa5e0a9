#include "indexical/cost/tiles/tile_description.h"

#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

namespace {

/// Returns the first of the map's results, so many of which are members of
/// groups, that is not any member alike; nothing if all are.
std::optional<FormId> memberOf(const IndexingMap &map, size_t members) {
  const ExpressionTable &table = map.expressions();
  for (FormId member : map.results().take_front(members)) {
    // All members are read if a range goes through them and does nothing else.
    const auto id = table.asVariable(member);
    bool isAny = id && id->kind == VariableKind::Range;
    auto look = [&](VariableId used) { isAny = isAny && !(used == *id); };
    for (FormId other : map.results())
      if (isAny && other != member) table.visitVariables({other}, look);
    for (const Constraint &constraint : map.constraints())
      if (isAny) table.visitVariables({constraint.form}, look);
    for (const RuntimeVariable &variable : map.runtime())
      if (isAny) table.visitVariables(variable.index, look);
    if (!isAny) return member;
  }
  return std::nullopt;
}

}  // namespace

void TileDescription::addVariables(IndexingMapBuilder &b) {
  const IndexingMap &map = variables_.map();
  for (auto [k, dimension] : llvm::enumerate(variables_.dimensions()))
    b.dimension(dimension.all, variables_.root().offsetName(k));
  for (auto [name, bounds] :
       llvm::zip_equal(variables_.symbols(), variables_.symbolBounds()))
    b.range(bounds, name);
  uint32_t number = 0;
  for (const RuntimeVariable &own : map.runtime()) {
    RuntimeVariable variable;
    variable.bounds = f_.bounds(variables_.runtime()[number]);
    variable.clamped = own.clamped;
    variable.name = map.nameOf({VariableKind::Runtime, number++});
    if (own.source.kind == RuntimeSource::Kind::Size)
      variable.source = own.source;
    b.runtime(std::move(variable));
  }
  for (RuntimeVariable variable : variables_.moreRuntime()) {
    variable.name = "rt" + std::to_string(number++);
    b.runtime(std::move(variable));
  }
}

bool TileDescription::isOfAll() const {
  auto isNarrow = [](const TileDimension &own) { return own.isNarrow(); };
  auto isSize = [](const RuntimeVariable &variable) {
    return variable.source.kind == RuntimeSource::Kind::Size;
  };
  return !variables_.hasConstraints() && variables_.sizeGates().empty() &&
         llvm::none_of(variables_.dimensions(), isNarrow) &&
         llvm::all_of(variables_.map().runtime(), isSize);
}

absl::StatusOr<SymbolicTile> TileDescription::build(
    llvm::ArrayRef<Progression> parts, llvm::ArrayRef<FormId> zeros,
    std::optional<FormId> isRead) {
  IndexingMapBuilder b(f_.pool);
  addVariables(b);
  for (const Progression &p : parts) b.result(b.expression(p.first));
  for (const Progression &p : parts) b.result(b.expression(p.count));
  for (const Progression &p : parts) b.result(b.expression(p.stride));
  if (isRead) b.result(b.expression(*isRead));
  for (FormId zero : zeros) {
    const int64_t constant = f_.pool.constant(zero);
    b.constraint(b.expression(f_.shift(zero, -constant)),
                 Interval::point(-constant));
  }
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, b.build());
  if (map.isKnownEmpty())
    return absl::InternalError("conditions that exclude each other");
  SymbolicTile tile;
  tile.map_ = std::move(map);
  tile.ofAll_ = isOfAll();
  return tile;
}

SymbolicTile TileDescription::inexact(SymbolicTile tile, bool isLeast,
                                      const IndexingMap &map,
                                      const std::optional<TileBlame> &blame,
                                      size_t members) {
  using Kind = SymbolicTile::Reason::Kind;
  tile.exact_ = false;
  tile.least_ = isLeast;
  SymbolicTile::Reason &reason = tile.reason_.emplace();
  reason.map = map;
  reason.memberForm = memberOf(map, members);
  if (blame) {
    reason.kind = Kind::Expression;
    reason.dimension =
        std::max<int64_t>(-1, blame->dimension - static_cast<int64_t>(members));
    reason.form = blame->form;
  } else if (!reason.memberForm && !map.constraints().empty()) {
    reason.kind = Kind::Domain;
    reason.form = map.constraints()[0].form;
  }
  return tile;
}

}  // namespace indexical

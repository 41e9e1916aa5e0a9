#include "indexical/program/maps/map_copy.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

MapCopy::MapCopy(const IndexingMap &map, IndexingMapBuilder &builder,
                 std::vector<FormId> dimensions, std::vector<FormId> ranges)
    : map_(map),
      builder_(builder),
      dimensions_(std::move(dimensions)),
      ranges_(std::move(ranges)),
      replace_([this](VariableId id) {
        return id.kind == VariableKind::Dimension ? dimensions_[id.index]
               : id.kind == VariableKind::Range   ? ranges_[id.index]
                                                  : runtime_[id.index];
      }),
      import_(map.expressions(), builder.pool(), replace_) {
  // All variables first: an index may name one that stands behind its own.
  for (RuntimeVariable v : map.runtime()) {
    v.index.clear();
    runtime_.push_back(builder.runtime(std::move(v)).form());
  }
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    std::vector<FormId> index;
    for (FormId form : map.runtime()[i].index) index.push_back(import_(form));
    builder.setSourceIndex(builder.pool().asVariable(runtime_[i])->index,
                           index);
  }
}

Expr MapCopy::of(FormId form) { return builder_.expression(import_(form)); }

void MapCopy::addConstraints() {
  for (const Constraint &constraint : map_.constraints())
    builder_.constraint(of(constraint.form), constraint.bounds);
}

IndexingMap withRanges(const IndexingMap &map, size_t kept) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, ranges;
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    dimensions.push_back(
        (k < kept ? b.dimension(v.bounds, v.name) : b.range(v.bounds, v.name))
            .form());
  for (const Variable &v : map.ranges())
    ranges.push_back(b.range(v.bounds, v.name).form());
  MapCopy copy(map, b, std::move(dimensions), std::move(ranges));
  for (size_t k = 0; k < map.results().size(); ++k) b.result(copy.result(k));
  copy.addConstraints();
  auto made = b.build();
  return made.ok() ? *std::move(made) : map;
}

}  // namespace indexical

#include "indexical/program/kernel/map_copy.h"

#include <utility>

namespace indexical::kernels {

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

Expr MapCopy::result(size_t k) {
  return builder_.expression(import_(map_.results()[k]));
}

void MapCopy::addConstraints() {
  for (const Constraint &constraint : map_.constraints())
    builder_.constraint(builder_.expression(import_(constraint.form)),
                        constraint.bounds);
}

}  // namespace indexical::kernels

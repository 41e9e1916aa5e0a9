#include "indexical/ops/identity.h"

#include <utility>

#include "indexical/indexing/map_builder.h"

namespace indexical {

IndexingMap identityOf(const ArrayShape &shape) {
  IndexingMapBuilder b;
  for (int64_t size : shape.dimensions)
    b.result(b.dimension(
        {0, size == kDynamicSize ? Interval::kInfinity : size - 1}));
  auto map = b.build();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

bool isIdentity(const IndexingMap &map, const ArrayShape &shape) {
  const size_t rank = shape.dimensions.size();
  if (!map.ranges().empty() || !map.runtime().empty() ||
      !map.constraints().empty() || !map.collectives().empty() ||
      map.dimensions().size() != rank || map.results().size() != rank)
    return false;
  for (uint32_t k = 0; k < rank; ++k) {
    const int64_t size = shape.dimensions[k];
    if (size == kDynamicSize ||
        map.dimensions()[k].bounds != Interval{0, size - 1})
      return false;
    const FormId result = map.results()[k];
    const auto read = map.expressions().asVariable(result);
    if (!(read && *read == VariableId{VariableKind::Dimension, k}) &&
        !(size == 1 && map.expressions().isConstant(result, 0)))
      return false;
  }
  return true;
}

}  // namespace indexical

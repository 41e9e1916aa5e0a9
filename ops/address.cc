#include "indexical/ops/address.h"

#include <string>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/core/physical_order.h"

namespace indexical {

int64_t storedBits(const ArrayShape &shape) {
  if (shape.layout && shape.layout->elementBits > 0)
    return shape.layout->elementBits;
  return ceilDiv(bitsOf(shape.type), 8) * 8;
}

std::optional<int64_t> storedElements(const ArrayShape &shape) {
  if (shape.hasUnknownSize()) return std::nullopt;
  families::PhysicalOrder order(shape);
  if (!order.isKnown()) return std::nullopt;
  std::optional<int64_t> count = 1;
  for (const families::Axis &axis : order.axes())
    if (count) count = checkedMul(*count, axis.size);
  return count;
}

absl::StatusOr<IndexingMap> addressMap(const ArrayShape &shape) {
  if (!storedElements(shape))
    return absl::UnimplementedError("where the elements of " +
                                    shape.str(/*withLayout=*/true) +
                                    " lie is not known");
  families::PhysicalOrder order(shape);
  IndexingMapBuilder b;
  families::Exprs index;
  for (int64_t size : shape.dimensions)
    index.push_back(b.dimension({0, size - 1}));
  families::Exprs places = order.coordinates(b, index);
  Expr address = b.constant(0);
  int64_t stride = 1;
  for (size_t k = places.size(); k-- > 0;) {
    address = address + places[k] * stride;
    stride *= order.axes()[k].size;
  }
  b.result(address);
  return b.build();
}

}  // namespace indexical

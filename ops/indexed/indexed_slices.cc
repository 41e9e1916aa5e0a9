#include "indexical/ops/indexed/indexed_slices.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/core/access_builder.h"

namespace indexical {
namespace families {

IndexedSlices::IndexedSlices(const SliceNumbers &numbers, int64_t indicesLeaf)
    : numbers_(numbers), indicesLeaf_(indicesLeaf) {
  const int64_t rank = numbers.operand.rank();
  for (int64_t j = 0; j < numbers.slices.rank(); ++j)
    if (!llvm::is_contained(numbers.windowDims, j)) batch.push_back(j);
  for (int64_t j = 0; j < numbers.indices.rank(); ++j)
    if (j != numbers.vectorDim) indicesBatch.push_back(j);

  offset.resize(rank), batching.resize(rank), component.resize(rank);
  for (size_t b = 0; b < numbers.operandBatching.size(); ++b) {
    const size_t place = llvm::find(indicesBatch, numbers.indicesBatching[b]) -
                         indicesBatch.begin();
    batching[numbers.operandBatching[b]] = batch[place];
  }
  size_t next = 0;
  for (int64_t k = 0; k < rank; ++k)
    if (!batching[k] && !llvm::is_contained(numbers.collapsedDims, k))
      offset[k] = numbers.windowDims[next++];
  for (size_t c = 0; c < numbers.indexMap.size(); ++c)
    component[numbers.indexMap[c]] = c;
}

Interval IndexedSlices::batchBounds(int64_t j) const {
  const size_t place = llvm::find(batch, j) - batch.begin();
  Interval bounds =
      sharedIndices(numbers_.slices, j, numbers_.indices, indicesBatch[place]);
  for (size_t k = 0; k < batching.size(); ++k)
    if (batching[k] == j) bounds = bounds.intersect(inside[k]);
  return bounds;
}

Interval IndexedSlices::slicesBounds(int64_t j) const {
  if (llvm::is_contained(batch, j)) return batchBounds(j);
  const size_t k = llvm::find(offset, j) - offset.begin();
  return component[k] ? window[k] : window[k].intersect(inside[k]);
}

Exprs IndexedSlices::placeOf(Expr component,
                             llvm::ArrayRef<Expr> slicesIndex) const {
  Exprs place;
  for (int64_t j : batch) place.push_back(slicesIndex[j]);
  if (numbers_.vectorDim < numbers_.indices.rank())
    place.insert(place.begin() + numbers_.vectorDim, component);
  return place;
}

Int64s IndexedSlices::openStarts() const {
  Int64s open;
  for (int64_t k : numbers_.indexMap)
    if (starts[k].kind == SliceStart::Clamped && starts[k].last)
      open.push_back(k);
  return open;
}

/// The starts of the operand's dimensions that have one.
llvm::SmallVector<std::optional<Expr>, 6> IndexedSlices::makeStarts(
    IndexingMapBuilder &builder, SizeVariables &variables,
    const Variant &variant, llvm::ArrayRef<Expr> slicesIndex) const {
  llvm::SmallVector<std::optional<Expr>, 6> made(component.size());
  size_t question = 0;
  for (size_t c = 0; c < numbers_.indexMap.size(); ++c) {
    const int64_t k = numbers_.indexMap[c];
    const SliceStart &start = starts[k];
    const bool clamped = start.kind == SliceStart::Clamped;
    Expr index =
        builder.runtimeElement(start.bounds, clamped, indicesLeaf_,
                               placeOf(builder.constant(c), slicesIndex));
    made[k] = index;
    if (!start.last) continue;
    Expr last = start.last(variables);
    if (clamped && variant[question++]) {
      builder.constraint(index - last, {1, Interval::kInfinity});
      made[k] = last;
    } else {
      builder.constraint(index - last, {Interval::kMinusInfinity, 0});
    }
  }
  return made;
}

void IndexedSlices::addPiece(const Sides &sides, IndexingMapBuilder &builder,
                             SizeVariables &variables,
                             const Variant &variant) const {
  Bounds places, indices = inside;
  for (int64_t j = 0; j < numbers_.slices.rank(); ++j)
    places.push_back(slicesBounds(j));
  for (size_t k = 0; k < indices.size(); ++k) {
    if (batching[k])
      indices[k] = places[*batching[k]];
    else if (!component[k])  // the slice starts at 0
      indices[k] = indices[k].intersect(window[k]);
  }
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < indices.size(); ++k)
    if (batching[k]) access.same(*batching[k], k);
  Exprs slicesIndex(places.size());
  for (int64_t j : batch) slicesIndex[j] = access.resultAt(j);
  const auto made = makeStarts(builder, variables, variant, slicesIndex);
  for (size_t k = 0; k < indices.size(); ++k) {
    if (batching[k]) continue;
    LoopSum index = made[k] ? LoopSum(*made[k]) : LoopSum(0);
    if (offset[k]) {
      const Loop l = access.loop(window[k]);
      access.result(*offset[k], l);
      index = l + index;
    }
    access.operand(k, index);
    // A dimension of the map has these bounds already.
    if (made[k] && sides.isForward() &&
        !inside[k].contains(window[k] + starts[k].bounds))
      builder.constraint(access.operandAt(k), inside[k]);
  }
  access.finish();
}

Answer IndexedSlices::reads(Direction direction, const OpSizes &sizes) const {
  const Sides sides(direction, numbers_.slices, numbers_.operand);
  for (size_t k = 0; k < inside.size(); ++k)
    if (inside[k].isEmpty() || window[k].isEmpty()) return sides.nothing();
  const size_t questions = openStarts().size();
  if (!areFewVariants(questions)) return sides.everything(Precision::Cover);
  return ofVariants(questions,
                    [&](const Variant &variant, IndexingMapBuilder &builder) {
                      SizeVariables variables(sizes, builder);
                      addPiece(sides, builder, variables, variant);
                    });
}

}  // namespace families
}  // namespace indexical

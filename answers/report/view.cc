#include "indexical/answers/report/view.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

namespace {

/// Returns the one map from the launch's index to places in memory, in
/// elements, if the access has one that is exact, without loops and values.
std::optional<IndexingMap> placesOf(const Kernel &kernel,
                                    const MemoryAccess &access) {
  const IndexingRelation &map = access.map;
  if (map.pieces().size() != 1 || map.precision() != Precision::Exact ||
      access.isSome)
    return std::nullopt;
  const IndexingMap &piece = map.pieces().front();
  if (!piece.ranges().empty() || !piece.runtime().empty() ||
      !piece.collectives().empty())
    return std::nullopt;
  auto address = addressMap(kernel.buffers[access.buffer]);
  if (!address.ok()) return std::nullopt;
  auto places = compose(piece, *address);
  if (!places.ok() || places->isKnownEmpty()) return std::nullopt;
  return *std::move(places);
}

/// Whether the first map has that constraint of the second, whose dimensions
/// are its own.
bool isAmong(const IndexingMap &a, const Constraint &constraint,
             const IndexingMap &b) {
  IndexingMapBuilder builder;
  llvm::SmallVector<FormId, 6> dimensions;
  for (const Variable &of : a.dimensions())
    dimensions.push_back(builder.dimension(of.bounds, of.name).form());
  auto replace = [&](VariableId id) { return dimensions[id.index]; };
  ExpressionImport ofA(a.expressions(), builder.pool(), replace);
  ExpressionImport ofB(b.expressions(), builder.pool(), replace);
  const FormId wanted = ofB(constraint.form);
  return llvm::any_of(a.constraints(), [&](const Constraint &own) {
    return ofA(own.form) == wanted && constraint.bounds.contains(own.bounds);
  });
}

/// Returns whether the maps' results have one distance on the whole domain of
/// the first, and the second has that domain, too.
bool haveOneDistance(const IndexingMap &a, const IndexingMap &b) {
  if (a.dimensions().size() != b.dimensions().size()) return false;
  for (auto [ofA, ofB] : llvm::zip_equal(a.dimensions(), b.dimensions()))
    if (!ofB.bounds.contains(ofA.bounds)) return false;
  IndexingMapBuilder builder;
  llvm::SmallVector<FormId, 6> dimensions;
  for (const Variable &of : a.dimensions())
    dimensions.push_back(builder.dimension(of.bounds, of.name).form());
  auto replace = [&](VariableId id) { return dimensions[id.index]; };
  ExpressionImport ofA(a.expressions(), builder.pool(), replace);
  ExpressionImport ofB(b.expressions(), builder.pool(), replace);
  builder.result(builder.expression(ofA(a.results()[0])) -
                 builder.expression(ofB(b.results()[0])));
  for (const Constraint &constraint : a.constraints())
    builder.constraint(builder.expression(ofA(constraint.form)),
                       constraint.bounds);
  // An element that the second does not take is no element of the view: the
  // constraint must hold on all of the first's domain.
  for (const Constraint &constraint : b.constraints())
    if (!isAmong(a, constraint, b)) return false;
  auto difference = builder.build();
  if (!difference.ok()) return false;
  auto simplified = simplify(*difference);
  return simplified.ok() && !simplified->isKnownEmpty() &&
         simplified->expressions().isConstant(simplified->results()[0]);
}

}  // namespace

bool isView(const Kernel &kernel, const MovedElements &moved) {
  if (!moved.onlyMoves || moved.converts || moved.fills ||
      moved.sources.size() != 1)
    return false;
  if (kernel.bytesOnly || kernel.reads.size() != 1 || kernel.writes.size() != 1)
    return false;
  const MemoryAccess &read = kernel.reads[0], &write = kernel.writes[0];
  if (read.launch != write.launch) return false;
  const ArrayShape &from = kernel.buffers[read.buffer];
  const ArrayShape &to = kernel.buffers[write.buffer];
  if (storedBits(from) != storedBits(to)) return false;
  const auto readPlaces = placesOf(kernel, read);
  const auto writtenPlaces = placesOf(kernel, write);
  return readPlaces && writtenPlaces &&
         haveOneDistance(*writtenPlaces, *readPlaces);
}

}  // namespace indexical

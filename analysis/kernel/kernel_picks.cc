// Picks by order: a kernel's argmax and argmin along a dimension.
#include <utility>

#include "indexical/analysis/kernel/kernel_terms.h"
#include "indexical/analysis/kernel/term_types.h"
#include "indexical/analysis/values/order_picks.h"
#include "indexical/analysis/values/regions.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

ElementId KernelTerms::pickedAt(const KernelValue &value,
                                const IndexingMap &map) {
  auto fail = [&](const char *why) {
    return unknown("line " + std::to_string(value.line) + ": " + why);
  };
  const KernelValue &operand = kernel_.values[value.operands[0]];
  // The reducer's ops have no index: any point of its space will do.
  auto outside = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results.resize(3 + value.loops.size());
  });
  if (!outside.ok()) return fail("a reduction leaves 64 bits");
  const ElementId number = elementAt(value.operands[2], *outside);
  const ElementId index = elementAt(value.operands[3], *outside);
  const auto pick = number == kParts || index == kParts
                        ? std::nullopt
                        : orderPickOf(table_, number, index);
  parts_.clear();
  if (!pick) return fail("what is reduced by several ops is not followed");
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> outer, inner;
  for (int64_t size : kernel_.grid) outer.push_back(b.dimension({0, size - 1}));
  for (const auto &loop : value.loops)
    outer.push_back(b.dimension({0, loop.count - 1}));
  for (int64_t size : value.tile) inner.push_back(b.dimension({0, size - 1}));
  const int64_t size = operand.tile[value.axis];
  inner.insert(inner.begin() + value.axis, b.range({0, size - 1}));
  for (Expr each : outer) b.result(each);
  for (Expr each : inner) b.result(each);
  auto line = b.build();
  if (line.ok()) line = compose(map, *line);
  if (!line.ok() || line->isKnownEmpty())
    return fail("a reduction leaves 64 bits");
  const IndexingMap whole = rangesToDimensions(*line);
  const auto region = regionIn(whole);
  const size_t variables = map.dimensions().size();
  if (!region || whole.dimensions().size() != variables + 1)
    return fail("a reduction is not followed");
  Pieces pieces;
  auto both = [&](const IndexingMap &part, size_t k) {
    auto at = part == *region ? whole : compose(part, whole);
    return at.ok() ? operandAt(value, k, *at) : fail("an index leaves 64 bits");
  };
  if (!inPieces(
          *region, variables,
          [&](const IndexingMap &part) { return both(part, 0); }, pieces))
    return parts_.empty() ? fail("a reduction is not followed") : kParts;
  parts_.clear();
  std::vector<PickedPiece> pairs;
  for (const ElementTable::Piece &piece : pieces) {
    const ElementId behind = both(piece.region, 1);
    if (behind == kParts) {
      parts_.clear();
      return fail("a reduction is not followed");
    }
    if (piece.element == ElementTable::kNothing) continue;
    if (isUnknown(piece.element)) return piece.element;
    if (isUnknown(behind)) return behind;
    pairs.push_back({piece.region, piece.element, behind});
  }
  if (pairs.empty()) return fail("a reduction of nothing");
  const auto made = pickedOf(table_, *pick, value.text == "1", variables, pairs,
                             std::nullopt);
  return made ? *made
              : fail(
                    "what is reduced by several ops is not followed; "
                    "--float-laws=no-nan may say enough");
}

}  // namespace indexical::kernels

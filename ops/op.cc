// From an op to its family.
//
// This file has the parts that are the same for all families. It checks the
// numbers of leaves, and answers for tensors without elements, which neither
// read nor are read:
//
//   concatenate(f32[0,3], f32[2,3]), dimensions={0}
//   result 0, operand 0: no pieces, exact
#include "indexical/ops/op.h"

#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"
#include "indexical/simplifier/shortcuts/plain.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using families::counted;
using families::invalid;
using families::textOf;

absl::Status verifyLayout(const ArrayShape &shape) {
  llvm::SmallVector<bool, 6> seen(shape.rank(), false);
  const Layout &layout = *shape.layout;
  bool good = static_cast<int64_t>(layout.minorToMajor.size()) == shape.rank();
  for (int64_t dimension : layout.minorToMajor) {
    good =
        good && dimension >= 0 && dimension < shape.rank() && !seen[dimension];
    if (!good) break;
    seen[dimension] = true;
  }
  if (!good)
    return invalid(absl::StrCat("layout ", textOf(layout.minorToMajor), " of ",
                                textOf(shape), " is not a permutation of its ",
                                counted(shape.rank(), "dimension")));
  if (layout.elementBits < 0)
    return invalid(absl::StrCat("layout of ", textOf(shape), ": an element of ",
                                layout.elementBits, " bits"));
  for (const Tile &tile : layout.tiles)
    for (int64_t size : tile.dimensions)
      if (size < 1 && size != Tile::kCombineWithNext)
        return invalid(absl::StrCat("layout of ", textOf(shape), ": tile size ",
                                    size, " is not positive"));
  return absl::OkStatus();
}

/// `what` and `number` name the shape: operand 3.
absl::Status verifyShape(const ArrayShape &shape, const char *what,
                         size_t number) {
  for (int64_t size : shape.dimensions)
    if (size < 0 && size != kDynamicSize)
      return invalid(absl::StrCat("size ", size, " of ", what, " ", number,
                                  ", ", textOf(shape), ", is negative"));
  if (!shape.dynamic.empty() && shape.dynamic.size() != shape.dimensions.size())
    return invalid(absl::StrCat(what, " ", number, " of rank ", shape.rank(),
                                " has ", shape.dynamic.size(),
                                " flags of dynamic dimensions"));
  return shape.layout ? verifyLayout(shape) : absl::OkStatus();
}

absl::Status verifyShapes(const ShapeList &shapes, const char *what) {
  for (size_t i = 0; i < shapes.size(); ++i)
    INDEXICAL_RETURN_IF_ERROR(verifyShape(shapes[i], what, i));
  return absl::OkStatus();
}

absl::Status checkNumber(llvm::StringRef what, int64_t number, size_t count) {
  if (number >= 0 && number < static_cast<int64_t>(count))
    return absl::OkStatus();
  return invalid(absl::StrCat("the op has no ", what.str(), " leaf ", number,
                              "; it has ", count));
}

/// Returns what the family says. Maps that are canonical as they stand are
/// marked, so that they are not simplified again.
absl::StatusOr<IndexingRelation> ofFamily(OpView op, Direction direction,
                                          int64_t result, int64_t operand) {
  const OpShapes &shapes = op.descriptor();
  const families::Sides sides(direction, shapes.results[result],
                              shapes.operands[operand]);
  auto relation = op.family().reads(op.descriptor(), sides, result, operand);
  if (relation.ok())
    for (const IndexingMap &map : relation->pieces()) markPlainMap(map);
  return relation;
}

/// Gives the family the known sizes, and cuts its answer to them.
absl::StatusOr<IndexingRelation> ofOpenSizes(OpView op, Direction direction,
                                             int64_t result, int64_t operand) {
  OpSizes sizes(op);
  OpDraft known(op);
  static_cast<OpShapes &>(*known) = sizes.known();
  const OpShapes &shapes = *known;
  if (shapes.results[result].isEmpty() || shapes.operands[operand].isEmpty())
    return IndexingRelation();
  auto relation = ofFamily(known, direction, result, operand);
  if (!relation.ok()) return relation;
  const int64_t resultTensor = shapes.operands.size() + result;
  relation = direction == Direction::OutputToInput
                 ? withinSizes(sizes, *relation, resultTensor, operand)
                 : withinSizes(sizes, *relation, operand, resultTensor);
  if (!relation.ok()) return relation;
  // What the sizes say of the cuts, and of the family's own constraints, goes.
  const IndexingRelation cut = withFirstSizes(sizes, *relation);
  IndexingRelation simple;
  for (const IndexingMap &piece : cut.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(piece));
    simple.add(std::move(map));
  }
  simple.weaken(cut.precision());
  return simple;
}

}  // namespace

absl::Status verify(OpView op) {
  INDEXICAL_RETURN_IF_ERROR(verifyShapes(shapesOf(op).operands, "operand"));
  return verifyUse(op);
}

absl::Status verifyUse(OpView op) {
  const OpShapes &shapes = shapesOf(op);
  INDEXICAL_RETURN_IF_ERROR(verifyShapes(shapes.results, "result"));
  INDEXICAL_RETURN_IF_ERROR(op.family().verify(op.descriptor()));
  // If all sizes are known, the family has compared them.
  return hasOpenSizes(shapes) ? OpSizes(op).verify() : absl::OkStatus();
}

absl::StatusOr<IndexingRelation> indexing(OpView op, Direction direction,
                                          int64_t result, int64_t operand) {
  const OpShapes &shapes = shapesOf(op);
  INDEXICAL_RETURN_IF_ERROR(
      checkNumber("result", result, shapes.results.size()));
  INDEXICAL_RETURN_IF_ERROR(
      checkNumber("operand", operand, shapes.operands.size()));
  if (shapes.results[result].isEmpty() || shapes.operands[operand].isEmpty())
    return IndexingRelation();
  return mustBeCut(op, result, operand)
             ? ofOpenSizes(op, direction, result, operand)
             : ofFamily(op, direction, result, operand);
}

}  // namespace indexical

// Helpers of the collectives that cut a dimension into parts, or join parts.
//
//   all-gather of f32[8,5] along dimension 0
//     Along(from, to, 0): d1 is the same index in both, d0 is the op's affair
//
// A size that is open is a variable (OpenSizes). With n members, a joined size
// is n times the size of a part, and the size of a part is that of the whole
// divided by n.
#ifndef INDEXICAL_OPS_COLLECTIVES_ALONG_H
#define INDEXICAL_OPS_COLLECTIVES_ALONG_H

#include "indexical/ops/collectives/groups.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// Returns an error if there are not as many results as operands.
absl::Status checkPairs(const OpShapes &op);
inline constexpr const char *kOperand = "operand", *kResult = "result";
/// Returns the name of operand or result k of the list: `operand 1`, or
/// `operand` if there is only one.
Name oneOf(const ShapeList &list, Name name, size_t k);
/// Returns an error if there are not as many results as operands, or if a
/// result k does not have the sizes of operand k.
absl::Status checkSameShapes(const OpShapes &op, Rule rule);

/// A map with equal indices along all dimensions but one or two.
struct Along {
  Along(const ArrayShape &from, const ArrayShape &to, int64_t axis,
        int64_t secondAxis)
      : axis(axis) {
    for (int64_t k = 0; k < from.rank(); ++k)
      d.push_back(builder.dimension(k == axis || k == secondAxis
                                        ? indicesOf(from, k)
                                        : sharedIndices(from, k, to, k)));
  }
  Along(const ArrayShape &from, const ArrayShape &to, int64_t axis)
      : Along(from, to, axis, axis) {}

  Answer finish(Expr member) {
    for (Expr index : d) builder.result(index);
    return answerOf(builder, member);
  }
  Answer finish(Expr index, Expr member) {
    if (axis >= 0) d[axis] = index;
    return finish(member);
  }

  int64_t axis;
  IndexingMapBuilder builder;
  Exprs d;
};

/// Returns the indices of each dimension of `shape`: all of them along the two
/// axes, and along the others those that `other` has too.
Bounds indicesBut(const ArrayShape &shape, const ArrayShape &other,
                  int64_t axis, int64_t secondAxis);

/// An access with equal coordinates along all dimensions but one or two.
struct AccessAlong {
  AccessAlong(const Sides &sides, int64_t axis, int64_t secondAxis)
      : places(indicesBut(sides.result(), sides.operand(), axis, secondAxis)),
        indices(indicesBut(sides.operand(), sides.result(), axis, secondAxis)),
        access(sides, builder, places, indices) {
    for (int64_t k = 0; k < sides.result().rank(); ++k)
      if (k != axis && k != secondAxis) access.same(k, k);
  }
  AccessAlong(const Sides &sides, int64_t axis)
      : AccessAlong(sides, axis, axis) {}

  const Bounds places, indices;
  IndexingMapBuilder builder;
  AccessBuilder access;
};

/// Returns the size along `axis` of a member's part of the whole, or nothing if
/// either size is not known.
std::optional<int64_t> partSize(const ArrayShape &whole, const ArrayShape &part,
                                int64_t axis);

/// The sizes of a collective, for maps that divide by open sizes. Elements that
/// no member has are cut off afterwards (ops/sizes.h).
class OpenSizes {
 public:
  OpenSizes(OpView op, IndexingMapBuilder &builder)
      : sizes_(op), builder_(builder), variables_(sizes_, builder, 1) {}

  Expr size(int64_t tensor, int64_t axis) {
    return variables_.size({tensor, axis});
  }
  /// Returns the size as an expression that is seen to be at least 1, and so
  /// can divide: a size that is a sum is replaced by a variable of its own.
  Expr divisor(int64_t tensor, int64_t axis);

 private:
  const OpSizes sizes_;
  IndexingMapBuilder &builder_;
  SizeVariables variables_;
};

/// Adds that the size of result k is that of operand k times the number of
/// members (addScaled), or divided by it (addDivided). Adds nothing if the
/// number of members is not known.
void addScaled(const CollectiveShapes &op, SizeCollector &c, int64_t k,
               int64_t axis);
void addDivided(const CollectiveShapes &op, SizeCollector &c, int64_t k,
                int64_t axis);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_COLLECTIVES_ALONG_H

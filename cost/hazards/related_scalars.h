// Scalars that are computed of one another by numbers. Not part of the public
// surface.
//
//   k = s32[] parameter(2)
//   j = s32[] minimum(k, 7)
//   i = s32[] add(j, 1)          min(k, 7) + 1, of the root k
//   m = s32[] remainder(k, 4)    k - 4 * trunc(k / 4), of the root k
//
// So i and m are two numbers, and not any two. A step that may leave its type
// wraps; in types of 64 bits it is not followed: the root is what it gives.
#ifndef INDEXICAL_COST_HAZARDS_RELATED_SCALARS_H
#define INDEXICAL_COST_HAZARDS_RELATED_SCALARS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"
#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"

namespace indexical {

/// The values of a scalar of 64 bits, so that sums with small numbers stay
/// inside.
inline constexpr Interval kWideValues = {-(int64_t{1} << 62), int64_t{1} << 62};

/// Returns the number that a scalar is, if it is known.
std::optional<int64_t> numberOf(const Module &module, const Value &of);
/// Returns bounds of a scalar: those of its type, of what it is converted from,
/// and of a remainder by a number.
Interval boundsOfScalar(const Module &module, Value value);

/// A step from one scalar to the next: an operation with a number.
struct ScalarStep {
  enum class Kind : uint8_t {
    Add,
    Multiply,
    Divide,     ///< rounded towards 0; `by` is not 0
    Remainder,  ///< of that; `by` is not 0
    Min,
    Max,
    Wrap,  ///< into a type whose least number is `by`, and which has `count`
  };
  Kind kind = Kind::Add;
  int64_t by = 0, count = 0;
};

/// A scalar as steps from a root, which has these values.
struct DerivedScalar {
  Value root;
  Interval values;
  std::vector<ScalarStep> steps;
};

/// Returns how a scalar of integers is computed; a scalar that is not computed
/// of another one by numbers is its own root. Law: for each value of the root,
/// the steps give the scalar.
DerivedScalar derivedScalar(const Module &module, const Value &scalar);
/// Returns the steps' result for a root.
FormId formOf(const DerivedScalar &scalar, FormId root, ExpressionPool &pool);
/// Returns the form, clamped to those of the bounds that are finite.
FormId clampedForm(FormId form, Interval bounds, ExpressionPool &pool);

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_RELATED_SCALARS_H

#include "indexical/program/values/integers.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

size_t operandsOf(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::Same:
    case Arithmetic::SignExtend:
    case Arithmetic::ZeroExtend:
    case Arithmetic::Negate:
      return 1;
    case Arithmetic::Clamp:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

Interval valuesOf(ElementType type) {
  const int64_t bits = bitsOf(type);
  const bool isUnsigned = elementTypeName(type).starts_with("u");
  if (!isInteger(type) || bits <= 0) return Interval::all();
  if (type == ElementType::Pred) return {0, 1};
  if (bits >= 64)
    return isUnsigned ? Interval{0, Interval::kInfinity} : Interval::all();
  const int64_t half = int64_t{1} << (bits - 1);
  return isUnsigned ? Interval{0, 2 * half - 1} : Interval{-half, half - 1};
}

bool holdsAll(ElementType type, ElementType from) {
  if (type == from) return true;
  // An interval holds all values of up to 32 bits, and all signed ones of 64
  // bits, but not the upper half of the unsigned ones of 64 bits.
  return isInteger(type) && isInteger(from) && bitsOf(from) < 64 &&
         valuesOf(type).contains(valuesOf(from));
}

bool Integers::sumStays(Expr a, Expr b, int sign) {
  const Interval x = boundsOf(a), y = boundsOf(b);
  const __int128 low = sign < 0 ? -static_cast<__int128>(y.upper) : y.lower;
  const __int128 high = sign < 0 ? -static_cast<__int128>(y.lower) : y.upper;
  return x.lower + low >= INT64_MIN && x.upper + high <= INT64_MAX;
}

std::optional<Expr> Integers::difference(Expr a, Expr b) {
  // No form holds the smallest integer, which has no negative.
  const auto number =
      checkedSub(pool().constant(a.form()), pool().constant(b.form()));
  if (!number || *number == INT64_MIN || !sumStays(a, b, -1))
    return std::nullopt;
  return a - b;
}

std::optional<bool> Integers::isAtMost(Expr a, Expr b, int64_t most) {
  // A number stays on its side: no difference from a number leaves 64 bits.
  if (const auto number = valueOf(b)) {
    const auto bound = checkedAdd(*number, most);
    return bound ? isAtMost(a, *bound) : std::nullopt;
  }
  if (const auto number = valueOf(a)) {
    const auto bound = checkedSub(*number, most);
    return bound ? isAtLeast(b, *bound) : std::nullopt;
  }
  const auto apart = difference(a, b);
  return apart ? isAtMost(*apart, most) : std::nullopt;
}

std::optional<Expr> Integers::larger(Expr a, Expr b) {
  const auto isFirst = isAtLeast(a, b, 0);
  if (!isFirst) return std::nullopt;
  return *isFirst ? a : b;
}

std::optional<Expr> Integers::smaller(Expr a, Expr b) {
  const auto isFirst = isAtMost(a, b, 0);
  if (!isFirst) return std::nullopt;
  return *isFirst ? a : b;
}

std::optional<Expr> Integers::exactResult(const ElementwiseOp &op,
                                          llvm::ArrayRef<Expr> x) {
  if (!op.opKind) return std::nullopt;
  const Traits &traits = op.opKind->traits;
  // Unsigned numbers are as they are written if they are not negative.
  if (traits.isUnsigned &&
      llvm::any_of(x, [&](Expr value) { return boundsOf(value).lower < 0; }))
    return std::nullopt;
  if (x.size() != operandsOf(traits.arithmetic)) return std::nullopt;
  switch (traits.arithmetic) {
    case Arithmetic::None:
      return std::nullopt;
    case Arithmetic::Same:
      return x[0];
    case Arithmetic::SignExtend:
      // An i1 that holds is -1 there.
      if (!op.keepsValues()) return std::nullopt;
      return x[0];
    case Arithmetic::ZeroExtend:
      return x[0];
    case Arithmetic::Negate:
      return -x[0];
    case Arithmetic::Add:
      return x[0] + x[1];
    case Arithmetic::Subtract:
      return x[0] - x[1];
    case Arithmetic::Multiply:
      return product(x[0], x[1]);
    case Arithmetic::Divide:
    case Arithmetic::Remainder:
      return quotient(op, x[0], x[1]);
    case Arithmetic::Maximum:
      return larger(x[0], x[1]);
    case Arithmetic::Minimum:
      return smaller(x[0], x[1]);
    case Arithmetic::Clamp: {
      // This also holds if the bounds are reversed: the upper one comes last.
      const auto apart = difference(x[0], x[2]);
      if (apart && boundsOf(*apart).lower >= 0) return x[2];
      const auto raised = larger(x[1], x[0]);
      return raised ? smaller(*raised, x[2]) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace indexical

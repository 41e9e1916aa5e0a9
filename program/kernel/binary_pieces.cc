// What operations of two values are in cases.
#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::kernels {
namespace {

// Bits of which each takes a term of its own, and the highest one that a number
// may have.
constexpr int64_t kMostBitTerms = 16;
constexpr int64_t kHighestBit = 61;

/// Returns `value and bits`, for any value: a term for each run of ones. 20 is
/// 0b10100, so x and 20 is (x floordiv 4 mod 2) * 4 + (x floordiv 16 mod 2) *
/// 16. Negative bits take away what their complement keeps.
std::optional<Expr> bitsWith(const Expr &value, int64_t bits) {
  if (bits < 0) {
    const auto others = bitsWith(value, ~bits);
    return others ? std::optional<Expr>(value - *others) : std::nullopt;
  }
  if (bits >> kHighestBit != 0) return std::nullopt;
  Expr sum = value * 0;
  int64_t terms = 0;
  for (int64_t low = 0; bits >> low != 0;) {
    if ((bits >> low & 1) == 0) {
      ++low;
      continue;
    }
    int64_t high = low + 1;
    while (bits >> high & 1) ++high;
    if (++terms > kMostBitTerms) return std::nullopt;
    const int64_t by = int64_t{1} << low;
    sum = sum + mod(floorDiv(value, by), int64_t{1} << (high - low)) * by;
    low = high;
  }
  return sum;
}

/// Returns `a and b` of numbers without a sign, of which one is small: the
/// product of two bits is half of their sum, rounded down.
std::optional<Expr> commonBits(const Expr &a, Interval aBounds, const Expr &b,
                               Interval bBounds) {
  const int64_t most = std::min(aBounds.upper, bBounds.upper);
  if (aBounds.lower < 0 || bBounds.lower < 0 || most >> kMostBitTerms != 0)
    return std::nullopt;
  Expr sum = a * 0;
  for (int64_t k = 0; most >> k != 0; ++k) {
    const int64_t by = int64_t{1} << k;
    sum = sum +
          floorDiv(mod(floorDiv(a, by), 2) + mod(floorDiv(b, by), 2), 2) * by;
  }
  return sum;
}

}  // namespace

bool PieceMaker::shiftsOut(const TermNode &term, const TermPiece &amount) {
  if (term.kind != TermKind::Shl && term.kind != TermKind::ShrS &&
      term.kind != TermKind::ShrU)
    return false;
  const Interval by = boundsOf(amount.value, amount.when);
  return by.lower >= term.bits || by.upper < 0;
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::binary(const TermNode &term) {
  auto left = pieces(term.operands[0]);
  if (!left.ok()) return left;
  auto right = pieces(term.operands[1]);
  if (!right.ok()) return right;
  const bool isUnsigned =
      term.kind == TermKind::DivU || term.kind == TermKind::RemU ||
      term.kind == TermKind::MinU || term.kind == TermKind::MaxU ||
      term.kind == TermKind::ShrU;
  if (isUnsigned) {
    left = asUnsigned(*std::move(left), term.bits);
    if (!left.ok()) return left;
    right = asUnsigned(*std::move(right), term.bits);
    if (!right.ok()) return right;
  }
  Pieces all;
  for (const TermPiece &a : *left) {
    for (const TermPiece &b : *right) {
      auto both = joined(a.when, b.when);
      if (!both) continue;
      const TermPiece x{*both, a.value, std::max(a.argument, b.argument)};
      const TermPiece y{*both, b.value, -1};
      switch (term.kind) {
        case TermKind::DivS:
        case TermKind::DivU:
        case TermKind::FloorDivS:
        case TermKind::CeilDivS:
        case TermKind::RemS:
        case TermKind::RemU: {
          INDEXICAL_ASSIGN_OR_RETURN(auto parts, divided(term, x, y));
          for (TermPiece &part : parts)
            all.push_back(wrappedTo(std::move(part), term.bits));
          break;
        }
        case TermKind::MinS:
        case TermKind::MinU:
        case TermKind::MaxS:
        case TermKind::MaxU: {
          const bool isMin =
              term.kind == TermKind::MinS || term.kind == TermKind::MinU;
          TermPiece first{*both, isMin ? a.value : b.value, -1};
          TermPiece second{*both, isMin ? b.value : a.value, -1};
          const Expr difference = a.value - b.value;
          if (require(first.when, difference, {Interval::kMinusInfinity, 0}))
            all.push_back(wrappedTo(std::move(first), term.bits));
          if (require(second.when, difference, {1, Interval::kInfinity}))
            all.push_back(wrappedTo(std::move(second), term.bits));
          break;
        }
        default: {
          if (shiftsOut(term, y)) {
            all.push_back(undefined(x, term.bits));
            break;
          }
          INDEXICAL_ASSIGN_OR_RETURN(auto value, combined(term, x, y));
          const TermPiece whole{x.when, value, x.argument};
          if (term.bits >= 64 && mayWrap(whole))
            return notWritten("a number that may leave 64 bits");
          all.push_back(wrappedTo(whole, term.bits));
        }
      }
    }
  }
  return all;
}

absl::StatusOr<Expr> PieceMaker::combined(const TermNode &term,
                                          const TermPiece &a,
                                          const TermPiece &b) {
  const Interval leftBounds = boundsOf(a.value, a.when);
  const Interval rightBounds = boundsOf(b.value, b.when);
  std::optional<int64_t> left, right;
  if (leftBounds.isPoint()) left = leftBounds.lower;
  if (rightBounds.isPoint()) right = rightBounds.lower;
  switch (term.kind) {
    case TermKind::Add:
    case TermKind::PointerAdd:
      return a.value + b.value;
    case TermKind::Sub:
      return a.value - b.value;
    case TermKind::Mul:
      if (right) return a.value * *right;
      if (left) return b.value * *left;
      return a.value * b.value;
    case TermKind::And:
    case TermKind::Or:
    case TermKind::Xor: {
      if (term.bits == 1) break;
      // The bits that both have: then an `or` is the sum without one copy of
      // these, and an `xor` without either.
      const auto both =
          right  ? bitsWith(a.value, *right)
          : left ? bitsWith(b.value, *left)
                 : commonBits(a.value, leftBounds, b.value, rightBounds);
      if (!both) break;
      if (term.kind == TermKind::And) return *both;
      return a.value + b.value - *both * (term.kind == TermKind::Or ? 1 : 2);
    }
    case TermKind::Shl:
      if (right && *right >= 0 && *right < 62)
        return a.value * (int64_t{1} << *right);
      break;
    case TermKind::ShrS:
    case TermKind::ShrU:
      if (right && *right >= 0 && *right < 62)
        return floorDiv(a.value, int64_t{1} << *right);
      break;
    default:
      break;
  }
  return notWritten("an operation on single bits");
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::divided(
    const TermNode &term, const TermPiece &dividend, const TermPiece &divisor) {
  const Interval by = boundsOf(divisor.value, divisor.when);
  if (by.isPoint()) {
    if (by.lower == 0) return Pieces{undefined(dividend, term.bits)};
    return dividedBy(term.kind, term.bits, dividend, by.lower);
  }
  if (by.isFinite() && by.count() <= kMostDivisors) {
    Pieces all;
    for (int64_t value = by.lower; value <= by.upper; ++value) {
      TermPiece there = dividend;
      if (!require(there.when, divisor.value, Interval::point(value))) continue;
      if (value == 0) {
        all.push_back(undefined(there, term.bits));
        continue;
      }
      INDEXICAL_ASSIGN_OR_RETURN(auto parts,
                                 dividedBy(term.kind, term.bits, there, value));
      all.insert(all.end(), parts.begin(), parts.end());
    }
    return all;
  }
  const bool isPlain =
      by.lower >= 1 && boundsOf(dividend.value, dividend.when).lower >= 0;
  if (!isPlain || term.kind == TermKind::CeilDivS)
    return notWritten("a division by a number whose sign is not known");
  const bool isRemainder =
      term.kind == TermKind::RemS || term.kind == TermKind::RemU;
  return Pieces{{dividend.when,
                 isRemainder ? mod(dividend.value, divisor.value)
                             : floorDiv(dividend.value, divisor.value),
                 -1}};
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::dividedBy(
    TermKind kind, int32_t bits, const TermPiece &dividend, int64_t divisor) {
  if (divisor == INT64_MIN || (bits < 64 && divisor == leastOfBits(bits)))
    return notWritten("a division by the least integer");
  const int64_t size = std::abs(divisor);
  const Expr x = dividend.value;
  // The least integer by -1 has no result.
  if (divisor == -1 && bits >= 64 && mayWrap(dividend))
    return notWritten("a number that may leave 64 bits");
  if (kind == TermKind::FloorDivS)
    return Pieces{{dividend.when, floorDiv(x, divisor), -1}};
  if (kind == TermKind::CeilDivS)
    return Pieces{{dividend.when, -floorDiv(-x, divisor), -1}};
  const bool isRemainder = kind == TermKind::RemS || kind == TermKind::RemU;
  Pieces all;
  TermPiece above{dividend.when, x, -1};
  if (require(above.when, x, {0, Interval::kInfinity})) {
    const Expr quotient = floorDiv(x, size);
    above.value = isRemainder   ? mod(x, size)
                  : divisor > 0 ? quotient
                                : -quotient;
    all.push_back(above);
  }
  TermPiece below{dividend.when, x, -1};
  if (require(below.when, x, {Interval::kMinusInfinity, -1})) {
    const Expr quotient = floorDiv(-x, size);
    below.value = isRemainder   ? -mod(-x, size)
                  : divisor > 0 ? -quotient
                                : quotient;
    all.push_back(below);
  }
  return all;
}

absl::StatusOr<PieceMaker::Cases> PieceMaker::compared(const TermNode &term,
                                                       bool isTrue) {
  auto left = pieces(term.operands[0]);
  INDEXICAL_RETURN_IF_ERROR(left.status());
  auto right = pieces(term.operands[1]);
  INDEXICAL_RETURN_IF_ERROR(right.status());
  const int32_t bits = terms_[term.operands[0]].bits;
  if (term.kind == TermKind::LessU || term.kind == TermKind::LessEqualU) {
    left = asUnsigned(*std::move(left), bits == 1 ? 64 : bits);
    INDEXICAL_RETURN_IF_ERROR(left.status());
    right = asUnsigned(*std::move(right), bits == 1 ? 64 : bits);
    INDEXICAL_RETURN_IF_ERROR(right.status());
  }
  // `where` holds the differences a - b for which the comparison is true.
  constexpr int64_t kLow = Interval::kMinusInfinity,
                    kHigh = Interval::kInfinity;
  llvm::SmallVector<Interval, 2> where;
  switch (term.kind) {
    case TermKind::LessS:
    case TermKind::LessU:
      where = {isTrue ? Interval{kLow, -1} : Interval{0, kHigh}};
      break;
    case TermKind::LessEqualS:
    case TermKind::LessEqualU:
      where = {isTrue ? Interval{kLow, 0} : Interval{1, kHigh}};
      break;
    default:
      if ((term.kind == TermKind::Equal) == isTrue)
        where = {Interval::point(0)};
      else
        where = {Interval{kLow, -1}, Interval{1, kHigh}};
  }
  Cases all;
  for (const TermPiece &a : *left)
    for (const TermPiece &b : *right)
      for (const Interval &bounds : where) {
        if (a.argument != b.argument)
          return notWritten("a comparison of two pointers");
        auto both = joined(a.when, b.when);
        if (both && require(*both, a.value - b.value, bounds))
          all.push_back(*std::move(both));
        INDEXICAL_RETURN_IF_ERROR(checkOverflow());
      }
  return all;
}

}  // namespace indexical::kernels

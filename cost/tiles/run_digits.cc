// Quotients and remainders of runs: runs.h.
#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/cost/tiles/strided_digits.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {

namespace {

/// Returns whether a * b is a multiple of the divisor.
bool isMultiple(int64_t a, int64_t b, int64_t divisor) {
  return static_cast<__int128>(a) * b % divisor == 0;
}

/// How many values a sum has: in a tile that is not cut, and in the tile.
struct Counts {
  FormId full = 0, cut = 0;
};

/// Returns the numbers of integers from the sum's least value to its greatest
/// one. Requires parts whose gaps are numbers.
Counts spanOf(TileForms &f, const RunSum &sum) {
  FormId full = f.number(0), cut = full;
  for (const RunSum::Part &part : sum.parts) {
    cut = f.add(cut, f.scale(f.shift(part.run.cut, -1), part.gap));
    full = f.add(full, f.scale(f.shift(part.run.full, -1), part.gap));
  }
  return {f.shift(full, 1), f.shift(cut, 1)};
}

/// Returns the numbers of the sum's values, if these are all integers from the
/// least to the greatest one.
std::optional<Counts> contiguous(TileForms &f, const RunSum &sum,
                                 TileRunConditions &conditions) {
  Counts counts{f.number(1), f.number(1)};
  FormId lack = f.number(0);
  int64_t span = 1;  // of all values of the parts so far
  for (const RunSum::Part &part : sum.parts) {
    const Run &run = part.run;
    if (run.floating) return std::nullopt;
    const FormId more = f.shift(run.full, -1);
    const int64_t before = std::max<int64_t>(1, f.bounds(counts.cut).lower);
    if (part.gap != 0 && part.gap <= before) {  // it fits whatever the sizes
      counts.full = f.add(counts.full, f.scale(more, part.gap));
      counts.cut = f.add(counts.cut, f.scale(f.shift(run.cut, -1), part.gap));
    } else {
      const bool fits = part.gap == span;
      const FormId factors[] = {more, fits ? lack : f.number(1)};
      if (!conditions.require(f.anyZero(factors))) return std::nullopt;
      counts.full = f.product(counts.full, run.full);
      counts.cut = f.product(counts.cut, run.cut);
    }
    lack = f.add(lack, lackOf(f, run));
    span = boundedSum(span, boundedProduct(part.gap, run.most - 1));
  }
  return counts;
}

/// The digits of one sum with contiguous values.
class DigitRuns {
 public:
  DigitRuns(TileForms &f, const RunSum &sum, Counts counts)
      : f_(f), sum_(sum), counts_(counts) {
    for (const RunSum::Part &part : sum.parts) floating_ |= part.run.floating;
  }

  /// Requires that the digits part only at multiples between which tiles lie,
  /// or at which they begin and end.
  bool split(llvm::ArrayRef<RunDigit> digits,
             TileRunConditions &conditions) const {
    llvm::SmallVector<FormId, 4> zeros;
    for (size_t i = 0; i < digits.size(); ++i) {
      const auto [stride, modulus] = digits[i];
      const bool isLast = i + 1 == digits.size();
      if (i > 0 && !addCut(stride, zeros)) return false;
      if (isLast && modulus) {
        int64_t period;
        if (__builtin_mul_overflow(stride, modulus, &period)) return false;
        if (!addCut(period, zeros)) return false;
      }
      // If there is a gap between two digits, the run is cut at its lower end,
      // too.
      if (!isLast && modulus < digits[i + 1].stride / stride &&
          !addCut(stride * modulus, zeros))
        return false;
    }
    return llvm::all_of(zeros,
                        [&](FormId zero) { return conditions.require(zero); });
  }

  /// Whether all tiles begin and end at multiples of the number, or lie between
  /// two of them, in all sizes.
  bool isAlignedTo(int64_t number) const {
    if (number == 1) return true;
    llvm::SmallVector<FormId, 4> zeros;
    return !floating_ && sum_.widestGap(f_) <= 1 && addCut(number, zeros) &&
           llvm::all_of(zeros, [&](FormId zero) {
             return f_.bounds(zero) == Interval::point(0);
           });
  }

  /// Returns the digit's run. If `isAligned`, tiles begin at multiples of its
  /// stride, or lie between two of them.
  Run runOf(RunDigit digit, Interval values, bool isAligned) const {
    Run run = Run::point(f_, f_.digit(sum_.least, digit.stride, digit.modulus));
    run.full = countOf(digit, counts_.full, isAligned);
    run.cut = countOf(digit, counts_.cut, isAligned);
    return finished(run, digit, values, isAligned);
  }

  /// Like runOf(), if the sum has one value.
  Run pointOf(RunDigit digit, Interval values, bool isAligned) const {
    Run run = Run::point(f_, f_.digit(sum_.least, digit.stride, digit.modulus));
    return finished(run, digit, values, isAligned);
  }

 private:
  /// Whether tiles are only cut at multiples of the divisor.
  bool areCutAt(int64_t divisor) const {
    return llvm::all_of(sum_.parts, [&](const RunSum::Part &part) {
      return !part.run.hasOtherEdges &&
             llvm::all_of(part.run.edges, [&](int64_t edge) {
               return isMultiple(edge, part.coefficient, divisor);
             });
    });
  }

  /// Adds forms that are zero if tiles lie between two multiples of the
  /// divisor, or begin and end at multiples. Returns false if there are none.
  bool addCut(int64_t divisor, llvm::SmallVectorImpl<FormId> &zeros) const {
    if (!sum_.constant) return false;
    const FormId full = counts_.full, by = f_.number(divisor);
    const FormId inside = f_.remainder(by, full);
    if (areCutAt(divisor)) {
      const FormId factors[] = {inside, f_.remainder(full, by)};
      zeros.push_back(f_.anyZero(factors));
    } else {
      zeros.push_back(inside);
    }
    // Tiles begin at multiples of `full`, up to multiples of the divisor.
    if (const int64_t rest = floorMod(*sum_.constant, divisor))
      zeros.push_back(f_.remainder(f_.number(gcd(rest, divisor)), full));
    auto align = [&](FormId multiple) {
      if (multiple == full || f_.isNumber(f_.digit(multiple, 1, divisor), 0))
        return;
      zeros.push_back(f_.remainder(multiple, full));
    };
    for (FormId multiple : sum_.multiples) align(multiple);
    for (const RunSum::Part &part : sum_.parts) {
      const Run &run = part.run;
      // A run with all of its values begins at 0, so its multiple need not
      // align, unless it is counted down from its last value.
      const bool isLast = &part == &sum_.parts.back();
      align(isLast || run.mayLack || part.coefficient < 0
                ? part.multiple
                : f_.product(
                      part.multiple,
                      f_.step(f_.shift(f_.scale(run.full, -1), run.most - 1))));
    }
    return true;
  }

  bool isCutAtPeriods(RunDigit digit) const {
    int64_t period;
    return !__builtin_mul_overflow(digit.stride, digit.modulus, &period) &&
           areCutAt(period);
  }

  FormId countOf(RunDigit digit, FormId values, bool isAligned) const {
    const auto [stride, modulus] = digit;
    FormId count;
    if (isAligned) {
      count = f_.ceilDiv(values, stride);
    } else {
      const FormId last = f_.add(sum_.least, f_.shift(values, -1));
      count = f_.shift(
          f_.sub(f_.floorDiv(last, stride), f_.floorDiv(sum_.least, stride)),
          1);
    }
    if (!modulus || f_.bounds(count).upper <= modulus) return count;
    // The count is at most the modulus, or a multiple of it, which becomes the
    // modulus.
    return f_.sub(count,
                  f_.scale(f_.floorDiv(f_.shift(count, -1), modulus), modulus));
  }

  Run finished(Run run, RunDigit digit, Interval values, bool isAligned) const {
    const Interval quotients = values.floorDiv(digit.stride);
    run.most = quotients.count();
    if (digit.modulus) run.most = std::min(run.most, digit.modulus);
    run.floating = !isAligned || floating_;
    run.hasOtherEdges = run.full != run.cut;
    // A tile that is cut has all quotients if it has as many as all tiles, but
    // it may lack remainders.
    run.mayLack =
        run.floating ||
        (digit.modulus ? run.most < digit.modulus ||
                             (run.hasOtherEdges && !isCutAtPeriods(digit))
                       : quotients.lower != 0);
    if (!run.floating && (digit.modulus || isBelow(digit.stride)))
      run.multiple = run.full;
    return run;
  }

  /// Whether the sum has no summand that is always a multiple of the divisor,
  /// so that the quotients of tiles begin where those of the parts do.
  bool isBelow(int64_t divisor) const {
    auto isMultipleOfDivisor = [&](FormId form) {
      return form != counts_.full && !f_.isNumber(form, 0) &&
             f_.isNumber(f_.digit(form, 1, divisor), 0);
    };
    return sum_.constant && *sum_.constant >= 0 && *sum_.constant < divisor &&
           llvm::none_of(sum_.multiples, isMultipleOfDivisor) &&
           llvm::none_of(
               sum_.parts,
               [&](const RunSum::Part &part) {
                 return isMultipleOfDivisor(part.multiple);
               });
  }

  TileForms &f_;
  const RunSum &sum_;
  const Counts counts_;
  bool floating_ = false;
};

/// Returns whether the digit takes all of its values on any `count`
/// neighbouring integers, as the remainder by 2 does on o, o + 1, … o + 6 for
/// every o.
bool hasAllValues(TileForms &f, RunDigit digit, FormId count) {
  if (!digit.modulus) return false;
  const int64_t needed =
      boundedSum(boundedProduct(digit.stride, digit.modulus - 1), 1);
  return needed != Interval::kInfinity && f.bounds(count).lower >= needed;
}

/// Whether two digits have a part of a value in common, or are not parted at
/// multiples of one another.
bool doOverlap(llvm::ArrayRef<RunDigit> digits) {
  for (size_t i = 0; i + 1 < digits.size(); ++i) {
    const auto [stride, modulus] = digits[i];
    const int64_t next = digits[i + 1].stride;
    if (modulus == 0 || modulus > next / stride || next % stride != 0)
      return true;
  }
  return false;
}

}  // namespace

std::optional<llvm::SmallVector<Run, 4>> digitsOf(
    TileForms &f, const RunSum &sum, llvm::ArrayRef<RunDigit> digits,
    Interval values, TileCuts cuts, TileRunConditions &conditions) {
  const bool isAlone = digits.size() == 1;
  const size_t before = conditions.zeros().size();
  auto withGaps = [&] {
    conditions.keep(before);
    return stridedDigits(f, sum, digits);
  };
  llvm::SmallVector<Run, 4> runs;
  if (doOverlap(digits)) {  // known only if the sum has one value
    for (const RunSum::Part &part : sum.parts)
      if (part.run.floating || !conditions.require(f.shift(part.run.full, -1)))
        return std::nullopt;
    const DigitRuns found(f, sum, {f.number(1), f.number(1)});
    for (size_t i = 0; i < digits.size(); ++i)
      runs.push_back(
          found.pointOf(digits[i], values, i > 0 || digits[0].stride == 1));
    return runs;
  }
  Counts counts;
  if (isAlone && digits[0].modulus == 0 &&
      sum.widestGap(f) <= digits[0].stride) {
    counts = spanOf(f, sum);
  } else {
    const auto found = contiguous(f, sum, conditions);
    if (!found) return withGaps();
    counts = *found;
  }
  if (isAlone && hasAllValues(f, digits[0], counts.cut)) {
    runs.push_back(Run::all(f, {0, digits[0].modulus - 1}));
    runs[0].multiple = runs[0].full;
    return runs;
  }
  if (cuts == TileCuts::DoNotCount) counts.cut = counts.full;
  const DigitRuns found(f, sum, counts);
  if (!found.split(digits, conditions)) return withGaps();
  // The lowest digit may begin anywhere, unless it is known to be aligned.
  const bool isAligned = found.isAlignedTo(digits[0].stride);
  for (size_t i = 0; i < digits.size(); ++i)
    runs.push_back(found.runOf(digits[i], values, i > 0 || isAligned));
  return runs;
}

SomeQuotients quotientsOf(TileForms &f, const RunSum &sum, int64_t shift,
                          int64_t divisor, Interval remainders) {
  FormId greatest = sum.least;
  for (const RunSum::Part &part : sum.parts)
    greatest = f.add(greatest, f.scale(f.shift(part.run.cut, -1), part.gap));
  const FormId first =
      f.ceilDiv(f.shift(sum.least, shift - remainders.upper), divisor);
  const FormId last =
      f.floorDiv(f.shift(greatest, shift - remainders.lower), divisor);
  const FormId more = f.sub(last, first);  // -1 or less: there are none
  SomeQuotients found{f.step(more), std::nullopt};
  // v floordiv divisor is (v + shift) floordiv divisor plus a number, which
  // must be the same for all of the remainders.
  const int64_t moved = floorDiv(remainders.lower - shift, divisor);
  if (moved != floorDiv(remainders.upper - shift, divisor)) return found;
  Run run = Run::point(f, f.shift(first, moved));
  run.full = run.cut = f.shift(f.positive(more), 1);
  run.most = f.bounds(run.cut).upper;
  run.floating = run.mayLack = run.hasOtherEdges = true;
  found.run = std::move(run);
  return found;
}

}  // namespace indexical

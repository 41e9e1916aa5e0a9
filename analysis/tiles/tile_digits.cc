// The digits of one parent over a tile.
//
//   d1 floordiv 4 and d1 mod 4, d1 = o1, …, o1 + b - 1
//
// are a product if no tile crosses a multiple of 4 (b divides 4) or all begin
// and end at one (4 divides b). The quotient alone is always a progression:
// from o1 floordiv 4 to (o1 + b - 1) floordiv 4.
#include <algorithm>

#include "indexical/analysis/tiles/tile_maker.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {

TileMaker::Sum TileMaker::sumOf(FormId form) {
  Sum sum;
  sum.constant = table_.constant(form);
  sum.least = f_.number(sum.constant);
  for (const Term &term : table_.terms(form)) {
    const int64_t c = term.coefficient, size = std::abs(c);
    Run run = runOf(term.atom);
    const FormId width = f_.shift(run.cut, -1);
    FormId least = f_.scale(run.first, c);
    if (c < 0) least = f_.add(least, f_.scale(f_.product(width, run.gap), c));
    sum.least = f_.add(sum.least, least);
    const bool isPoint = f_.isNumber(run.full, 1) && f_.isNumber(run.cut, 1);
    FormId multiple = f_.number(0);
    if (f_.isNumber(least)) {
      sum.constant = boundedSum(sum.constant, f_.valueOf(least));
    } else if (c > 0 || isPoint) {
      multiple = f_.scale(run.multiple, size);
    } else {  // c * (first + full) - c
      sum.constant = boundedSum(sum.constant, size);
      const bool isDense = f_.isNumber(run.gap, 1);
      multiple = isDense && run.multiple == run.full ? f_.scale(run.full, size)
                                                     : f_.number(size);
    }
    if (isPoint) {
      sum.multiples.push_back(multiple);
      continue;
    }
    const int64_t gap = f_.isNumber(run.gap) ? f_.valueOf(run.gap) : 0;
    sum.parts.push_back(
        {c, term.atom, run, boundedProduct(size, gap), multiple});
  }
  llvm::stable_sort(sum.parts,
                    [](const Part &x, const Part &y) { return x.gap < y.gap; });
  return sum;
}

/// Returns an upper bound of the distance between neighbouring values of the
/// sum.
int64_t TileMaker::widestGap(const Sum &sum) {
  int64_t widest = 0, reach = 0;
  for (const Part &part : sum.parts) {
    if (part.gap == 0) return Interval::kInfinity;
    widest = std::max(widest, part.gap - reach);
    const int64_t atLeast = std::max<int64_t>(1, f_.bounds(part.run.cut).lower);
    reach = boundedSum(reach, boundedProduct(part.gap, atLeast - 1));
  }
  return widest;
}

/// Returns whether the sum has all values between the least and the greatest,
/// and sets `full` and `cut` to their number.
bool TileMaker::isContiguous(const Sum &sum, FormId &full, FormId &cut) {
  full = cut = f_.number(1);
  FormId lacking = f_.number(0);
  int64_t span = 1;  // of all values of the parts so far
  for (const Part &part : sum.parts) {
    const Run &run = part.run;
    if (run.floating) return fail();
    const FormId more = f_.shift(run.full, -1);
    const int64_t before = std::max<int64_t>(1, f_.bounds(cut).lower);
    if (part.gap != 0 && part.gap <= before) {  // it fits whatever the sizes
      full = f_.add(full, f_.scale(more, part.gap));
      cut = f_.add(cut, f_.scale(f_.shift(run.cut, -1), part.gap));
    } else {
      const bool fits = part.gap == span;
      const FormId factors[] = {more, fits ? lacking : f_.number(1)};
      if (!require(f_.anyZero(factors))) return false;
      full = f_.product(full, run.full);
      cut = f_.product(cut, run.cut);
    }
    lacking = f_.add(lacking, run.mayLack
                                  ? f_.number(1)
                                  : f_.shift(f_.scale(run.full, -1), run.most));
    span = boundedSum(span, boundedProduct(part.gap, run.most - 1));
  }
  return true;
}

/// Adds to `zeros` the forms that must be zero so that runs of `full` values
/// lie between two multiples of the divisor, or begin and end at multiples.
void TileMaker::addCut(const Sum &sum, FormId full, int64_t divisor,
                       llvm::SmallVectorImpl<FormId> &zeros) {
  const FormId by = f_.number(divisor);
  const FormId inside = f_.remainder(by, full);
  bool endsWell = true;
  for (const Part &part : sum.parts) {
    endsWell &= !part.run.hasOtherEdges;
    for (int64_t edge : part.run.edges)
      endsWell &=
          boundedProduct(edge, std::abs(part.coefficient)) % divisor == 0;
  }
  if (endsWell) {
    const FormId factors[] = {inside, f_.remainder(full, by)};
    zeros.push_back(f_.anyZero(factors));
  } else {
    zeros.push_back(inside);
  }
  if (const int64_t rest = floorMod(sum.constant, divisor))
    zeros.push_back(f_.remainder(f_.number(gcd(rest, divisor)), full));
  auto align = [&](FormId multiple) {
    if (multiple == full || f_.isNumber(f_.digit(multiple, 1, divisor), 0))
      return;
    zeros.push_back(f_.remainder(multiple, full));
  };
  for (FormId multiple : sum.multiples) align(multiple);
  for (const Part &part : sum.parts) {
    const Run &run = part.run;
    // A run with all of its values begins at 0, so its multiple need not align.
    const bool isLast = &part == &sum.parts.back();
    align(isLast || run.mayLack
              ? part.multiple
              : f_.product(
                    part.multiple,
                    f_.step(f_.shift(f_.scale(run.full, -1), run.most - 1))));
  }
}

/// Whether the digits need not know where a tile is cut: it is where the shape
/// ends, or all of them have all of their values there.
bool TileMaker::isNeverCut(const Sum &sum, llvm::ArrayRef<AtomId> digits) {
  if (sum.parts.size() != 1 || sum.parts[0].coefficient != 1 ||
      sum.constant != 0 || !sum.multiples.empty())
    return false;
  const Atom &atom = table_.atom(sum.parts[0].atom);
  if (atom.kind != AtomKind::Variable ||
      atom.variable().kind != VariableKind::Dimension)
    return false;
  const Side &side = sides_[atom.variable().index];
  if (side.isOpen || side.isNarrow() || !f_.isNumber(side.stride, 1))
    return false;
  for (AtomId id : digits)
    if (side.extent % table_.atom(id).stride != 0) return false;
  const Atom &top = table_.atom(digits.back());
  if (top.modulus) return side.extent / top.stride % top.modulus == 0;
  return isCutByShape(digits.back());
}

/// Returns the quotients by the divisor of those values of the sum + shift that
/// have one of the remainders. Requires contiguous values. The count may be
/// less than 1.
TileMaker::Progression TileMaker::quotientsOf(const Sum &sum, int64_t shift,
                                              int64_t divisor,
                                              Interval remainders) {
  FormId greatest = sum.least;
  for (const Part &part : sum.parts)
    greatest = f_.add(greatest, f_.scale(f_.shift(part.run.cut, -1), part.gap));
  const FormId first =
      f_.ceilDiv(f_.shift(sum.least, shift - remainders.upper), divisor);
  const FormId last =
      f_.floorDiv(f_.shift(greatest, shift - remainders.lower), divisor);
  return {first, f_.shift(f_.sub(last, first), 1), f_.number(1)};
}

/// Returns the quotients of those values of the parent whose remainder is
/// allowed.
std::optional<TileMaker::Run> TileMaker::residueRun(const Sum &sum,
                                                    FormId parent,
                                                    const Atom &digit) {
  for (const Residue &residue : residues_) {
    if (residue.divisor != digit.stride || digit.modulus != 0) continue;
    if (table_.terms(residue.parent) != table_.terms(parent)) continue;
    // residue.parent = parent + shift, so its remainders are moved by shift.
    const int64_t shift =
        table_.constant(residue.parent) - table_.constant(parent);
    const int64_t by = residue.divisor;
    const auto [first, count, stride] =
        quotientsOf(sum, shift, by, residue.bounds);
    Run run;
    addGate(f_.step(f_.shift(count, -1)));
    run.full = run.cut = f_.shift(f_.positive(f_.shift(count, -1)), 1);
    run.most = f_.bounds(run.cut).upper;
    run.gap = run.multiple = f_.number(1);
    run.floating = run.mayLack = run.hasOtherEdges = true;
    // floor(parent / by) of such a value is residue.parent's quotient plus a
    // number, which must be the same for all allowed remainders.
    const int64_t low = residue.bounds.lower - shift;
    const int64_t high = residue.bounds.upper - shift;
    if (indexical::floorDiv(low, by) != indexical::floorDiv(high, by))
      return std::nullopt;
    run.first = f_.shift(first, indexical::floorDiv(low, by));
    return run;
  }
  return std::nullopt;
}

/// Whether a digit has all of its values, wherever its parent's `count` values
/// begin, which are contiguous. Of (0, 1, … 6) + o the remainders by 2 are 0
/// and 1.
bool TileMaker::hasAllValues(const Atom &digit, FormId count) {
  if (!digit.modulus) return false;
  const int64_t needed =
      boundedSum(boundedProduct(digit.stride, digit.modulus - 1), 1);
  return needed != Interval::kInfinity && f_.bounds(count).lower >= needed;
}

bool TileMaker::digitsOf(const Sum &sum, llvm::ArrayRef<AtomId> digits) {
  auto atomOf = [&](size_t i) -> const Atom & {
    return table_.atom(digits[i]);
  };
  const FormId parent = atomOf(0).a;
  const bool alone = digits.size() == 1;
  if (alone && !residues_.empty())
    if (auto run = residueRun(sum, parent, atomOf(0))) {
      if (widestGap(sum) > 1) return fail();
      runs_[digits[0]] = *run;
      return true;
    }
  // Digits that overlap are only known if the parent has one value.
  bool overlaps = false;
  for (size_t i = 0; i + 1 < digits.size(); ++i)
    overlaps |= atomOf(i).modulus == 0 ||
                atomOf(i).modulus > atomOf(i + 1).stride / atomOf(i).stride ||
                atomOf(i + 1).stride % atomOf(i).stride != 0;
  const bool isQuotient = alone && atomOf(0).modulus == 0;
  const int64_t lowest = atomOf(0).stride;
  const bool isDense = widestGap(sum) <= (isQuotient ? lowest : 1);
  FormId full = f_.number(1), cut = full;
  if (overlaps) {
    for (const Part &part : sum.parts) {
      if (part.run.floating) return fail();
      if (!require(f_.shift(part.run.full, -1))) return false;
    }
  } else if (!isDense || !isQuotient) {
    if (!isContiguous(sum, full, cut)) return false;
  } else {
    FormId width = f_.number(0), whole = width;
    for (const Part &part : sum.parts) {
      width = f_.add(width, f_.scale(f_.shift(part.run.cut, -1), part.gap));
      whole = f_.add(whole, f_.scale(f_.shift(part.run.full, -1), part.gap));
    }
    cut = f_.shift(width, 1);
    full = f_.shift(whole, 1);
  }
  if (alone && !overlaps && hasAllValues(atomOf(0), cut)) {
    Run run;
    run.first = f_.number(0);
    run.full = run.cut = run.multiple = f_.number(atomOf(0).modulus);
    run.gap = f_.number(1);
    run.most = atomOf(0).modulus;
    runs_[digits[0]] = run;
    return true;
  }
  if (isNeverCut(sum, digits)) cut = full;

  bool isFloating = false;
  for (const Part &part : sum.parts) isFloating |= part.run.floating;
  llvm::SmallVector<FormId, 4> zeros;
  for (size_t i = 0; !overlaps && i < digits.size(); ++i) {
    const Atom &atom = atomOf(i);
    if (i > 0) addCut(sum, full, atom.stride, zeros);
    if (i + 1 == digits.size() && atom.modulus) {
      int64_t period;
      if (__builtin_mul_overflow(atom.stride, atom.modulus, &period))
        return fail();
      addCut(sum, full, period, zeros);
    }
    // If there is a gap between two digits, the run is cut at its lower end,
    // too.
    if (i + 1 < digits.size() &&
        atom.modulus < atomOf(i + 1).stride / atom.stride)
      addCut(sum, full, atom.stride * atom.modulus, zeros);
  }
  for (FormId zero : zeros)
    if (!require(zero)) return false;

  // The lowest digit may begin anywhere, unless it is known to be aligned.
  bool isAligned = lowest == 1;
  if (!isAligned && !isFloating && !overlaps && widestGap(sum) <= 1) {
    llvm::SmallVector<FormId, 4> open;
    addCut(sum, full, lowest, open);
    isAligned = llvm::all_of(open, [&](FormId zero) {
      return f_.bounds(zero) == Interval::point(0);
    });
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    const Atom &atom = atomOf(i);
    Run run;
    run.gap = run.multiple = f_.number(1);
    run.first = f_.digit(sum.least, atom.stride, atom.modulus);
    const bool begins = i > 0 || isAligned;
    auto countOf = [&](FormId values) {
      FormId count;
      if (begins) {
        count = f_.ceilDiv(values, atom.stride);
      } else {
        const FormId last = f_.add(sum.least, f_.shift(values, -1));
        count = f_.shift(f_.sub(f_.floorDiv(last, atom.stride),
                                f_.floorDiv(sum.least, atom.stride)),
                         1);
      }
      if (!atom.modulus || f_.bounds(count).upper <= atom.modulus) return count;
      // The count is at most the modulus, or a multiple of it, which becomes
      // the modulus.
      return f_.sub(count,
                    f_.scale(f_.floorDiv(f_.shift(count, -1), atom.modulus),
                             atom.modulus));
    };
    run.full = overlaps ? f_.number(1) : countOf(full);
    run.cut = overlaps ? f_.number(1) : countOf(cut);
    const Interval values = ownBounds(parent).floorDiv(atom.stride);
    run.most = values.count();
    if (atom.modulus) run.most = std::min(run.most, atom.modulus);
    run.floating = !begins || isFloating;
    run.mayLack = run.floating ||
                  (atom.modulus ? run.most < atom.modulus : values.lower != 0);
    if (!run.floating) run.multiple = run.full;
    run.hasOtherEdges = run.full != run.cut;
    runs_[digits[i]] = run;
  }
  return true;
}

/// The runs of all digits of the parent that are used.
bool TileMaker::addDigits(FormId parent) {
  llvm::SmallVector<AtomId, 4> digits;
  for (const auto &[id, count] : uses_) {
    const Atom &atom = table_.atom(id);
    if (atom.kind == AtomKind::Digit && atom.a == parent) digits.push_back(id);
  }
  llvm::sort(digits, [&](AtomId x, AtomId y) {
    return std::make_pair(table_.atom(x).stride, table_.atom(x).modulus) <
           std::make_pair(table_.atom(y).stride, table_.atom(y).modulus);
  });
  if (digitsOf(sumOf(parent), digits)) return true;
  hasFailed_ = true;
  return false;
}

}  // namespace indexical

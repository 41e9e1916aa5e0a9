// Digits of the index of an array. On d0 in [0, 2], d1 in [0, 5], d2 in [0, 3]:
//
//   (d0 * 24 + d1 * 4 + d2) floordiv 8      where a stride is, or a multiple of
//                                           one that divides the next, it comes
//                                           apart:     d0 * 3 + d1 floordiv 2
//   ((d0 * 24 + d1 * 4 + d2) floordiv 8) mod 3         d1 floordiv 2
//   (d0 * 24 + d1 * 4 + d2) floordiv 20     else what matters stays:
//                                           (d0 * 6 + d1) floordiv 5
//
// The other rules end there too, by more forms in between (division.cc).
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// The variables of an index, the least stride first: all from 0 on, and the
/// sum of those below less than each stride. Empty where the form is none.
llvm::SmallVector<CanonicalForms::Side, 8> CanonicalForms::sidesOf(
    FormId form) {
  llvm::SmallVector<Side, 8> sides;
  if (pool_.constant(form) != 0) return sides;
  for (const Term &term : pool_.terms(form)) {
    const Interval range = atomBounds(term.atom);
    auto end = checkedMul(term.coefficient, range.count());
    if (term.coefficient < 0 || range.lower != 0 || !range.hasUpper() || !end)
      return {};
    sides.push_back({term.atom, term.coefficient, *end});
  }
  llvm::sort(sides,
             [](const Side &x, const Side &y) { return x.stride < y.stride; });
  for (size_t i = 1; i < sides.size(); ++i)
    if (sides[i].stride < sides[i - 1].end) return {};
  return sides;
}

std::optional<FormId> CanonicalForms::digitOfIndex(FormId parent,
                                                   int64_t stride,
                                                   int64_t modulus) {
  if (!residues_.empty()) return std::nullopt;
  const auto sides = sidesOf(parent);
  if (sides.empty()) return std::nullopt;
  const int64_t period = modulus ? stride * modulus : INT64_MAX;
  llvm::SmallVector<ScaledForm, 8> parts;
  for (const Side &side : sides) {
    if (side.end <= stride) continue;
    // The digit takes the part of the variable from `low` on and below `high`
    // times `low`; all that is above where `high` is 0.
    int64_t low = 1, high = 0;
    bool isCut = true;
    if (side.stride >= period) {
      isCut = side.stride % period == 0;
    } else {
      isCut = side.stride < stride ? stride % side.stride == 0
                                   : side.stride % stride == 0;
      low = std::max<int64_t>(1, stride / side.stride);
      if (side.end > period) {
        isCut &= period % side.stride == 0;
        high = period / side.stride / low;
      }
    }
    if (!isCut) return digitOfShorter(sides, stride, modulus);
    if (side.stride >= period) continue;
    FormId part = pool_.atomForm(side.atom);
    if (low != 1 || high) {
      if (facts_.empty()) {
        // No rule makes anything of it.
        part = pool_.digit(part, low, high);
        atomMemo(*pool_.asAtom(part)).digit = part;
      } else {
        part = digit(part, low, high);
      }
    }
    parts.push_back({part, std::max<int64_t>(1, side.stride / stride)});
  }
  return facts_.empty() ? pool_.linear(parts, 0) : linear(parts, 0);
}

/// The digit of a shorter index: without what is a multiple of the period, and
/// without what is below a common factor of the stride and all that is above.
std::optional<FormId> CanonicalForms::digitOfShorter(llvm::ArrayRef<Side> sides,
                                                     int64_t stride,
                                                     int64_t modulus) {
  const int64_t period = modulus ? stride * modulus : stride;
  llvm::SmallVector<Term, 8> out, rest;
  int64_t factor = stride;  // of the rest, and the stride
  for (const Side &side : llvm::reverse(sides)) {
    if (side.stride % period == 0) {
      out.push_back({side.atom, side.stride / stride});
      continue;
    }
    // All that is below cannot carry.
    if (side.end <= factor) break;
    rest.push_back({side.atom, side.stride});
    factor = gcd(factor, side.stride);
  }
  if (rest.size() == sides.size() && factor == 1) return std::nullopt;
  for (Term &term : rest) term.coefficient /= factor;
  FormId form = digit(pool_.form(rest, 0), stride / factor, modulus);
  if (modulus || out.empty()) return form;
  return linear({{pool_.form(out, 0), 1}, {form, 1}}, 0);
}

}  // namespace indexical

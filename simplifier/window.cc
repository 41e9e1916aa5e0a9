// Sums that come apart where they are divided. On d1 in [0, 5],
//
//   (d0 * 6 + d1) floordiv 12       d1 cannot carry:       d0 floordiv 2
//   (d0 * 12 + d1) mod 18           two digits:            ((d0 * 2) mod 3) * 6
//                                                          + d1
//   (d0 * 6 + d1 * 7) floordiv 12   d1 * 7 is d1 * 6 + d1: (d0 + d1) floordiv 2
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {
namespace {

/// Where the terms may come apart: divisors of the period, multiples of the
/// stride or divisors of it, which some of the terms share. The largest first:
/// larger windows are easier, and drop more. A dense sum comes apart between
/// two of its terms only.
llvm::SmallVector<int64_t, 8> windowsOf(llvm::ArrayRef<Term> terms,
                                        int64_t stride, int64_t period,
                                        bool isDense) {
  llvm::SmallVector<int64_t, 8> divisors, windows;
  auto add = [](llvm::SmallVectorImpl<int64_t> &to, int64_t g) {
    if (!llvm::is_contained(to, g)) to.push_back(g);
  };
  auto addWindow = [&](int64_t g) {
    if (g > 1 && g <= period && (stride % g == 0 || g % stride == 0))
      add(windows, g);
  };
  for (const Term &term : terms) {
    if (isDense) {
      if (period % term.coefficient == 0) addWindow(term.coefficient);
      continue;
    }
    const int64_t g = gcd(period, term.coefficient);
    if (llvm::is_contained(divisors, g)) continue;
    for (size_t i = 0, n = divisors.size(); i < n; ++i)
      if (divisors[i] % g != 0 && g % divisors[i] != 0)
        add(divisors, gcd(divisors[i], g));
    add(divisors, g);
  }
  if (terms.size() == 1 && !isDense) add(divisors, period);
  for (int64_t divisor : divisors)
    for (int64_t g : {divisor, gcd(divisor, stride)}) addWindow(g);
  std::sort(windows.rbegin(), windows.rend());
  return windows;
}

enum class Split { Whole, Rest, Nearest };

/// terms + constant as high * g + low, where low stays inside one window
/// [window * g, window * g + g - 1].
struct Parted {
  llvm::SmallVector<Term, 8> high, low;
  Interval window;
};

/// Greatest less least value, or the most that there is.
uint64_t spanOf(Interval range) {
  if (!range.isFinite()) return UINT64_MAX;
  return static_cast<uint64_t>(range.upper) -
         static_cast<uint64_t>(range.lower);
}

/// Whether what is left of the terms, from the nearest multiples of g on, can
/// stay inside a window: no other way to part them leaves less.
bool mayFit(llvm::ArrayRef<Term> terms, llvm::ArrayRef<uint64_t> spans,
            int64_t g) {
  const uint64_t room = g;
  uint64_t width = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const uint64_t rest = floorMod(terms[i].coefficient, g);
    const uint64_t least = std::min(rest, room - rest);
    if (least == 0) continue;
    if (spans[i] > (room - 1 - width) / least) return false;
    width += spans[i] * least;
  }
  return true;
}

}  // namespace

/// Terms that are no multiples of g and stay inside one window of g cannot
/// carry. Where g divides the stride they drop out; where the stride divides g,
/// they are the low digit, and the rest is the high one.
std::optional<FormId> CanonicalForms::digitByWindow(FormId parent,
                                                    int64_t stride,
                                                    int64_t modulus) {
  const int64_t period = modulus ? stride * modulus : stride;
  llvm::SmallVector<Term, 8> terms(pool_.terms(parent));
  const int64_t constant = pool_.constant(parent);
  llvm::SmallVector<uint64_t, 8> spans;
  for (const Term &term : terms) spans.push_back(spanOf(atomBounds(term.atom)));
  for (int64_t g : windowsOf(terms, stride, period, isDense(parent))) {
    if (!mayFit(terms, spans, g)) continue;
    Parted parted;
    bool isWhole = true;
    // Whole terms first, then what is left of them: 25 * x is 24 * x + x; at
    // last what is missing: 23 * x is 24 * x - x.
    for (Split split : {Split::Whole, Split::Rest, Split::Nearest}) {
      parted = {};
      for (const Term &term : terms) {
        const int64_t k = term.coefficient;
        // k is turns * g + rest.
        int64_t rest = floorMod(k, g), turns = floorDiv(k, g);
        if (split == Split::Whole && rest != 0) {
          rest = k;
          turns = 0;
        } else if (split == Split::Nearest && rest > g / 2) {
          rest -= g;
          ++turns;
        }
        if (turns != 0) parted.high.push_back({term.atom, turns});
        if (rest != 0) parted.low.push_back({term.atom, rest});
      }
      parted.window = termBounds(parted.low, constant).floorDiv(g);
      if (parted.window.isPoint()) break;
      isWhole = false;
    }
    if (parted.high.empty() || !parted.window.isPoint()) continue;
    const int64_t window = parted.window.lower;
    auto part = [&](llvm::MutableArrayRef<Term> of, int64_t rest) {
      return isWhole ? partOf(parent, of, rest)
                     : linear({{pool_.form(of, rest), 1}}, 0);
    };
    FormId above = part(parted.high, window);
    if (stride % g == 0) return digit(above, stride / g, modulus);
    auto start = checkedMul(window, g);
    auto rest = start ? checkedSub(constant, *start) : std::nullopt;
    if (!rest) continue;
    FormId below = part(parted.low, *rest);
    return linear({{digit(below, stride, 0), 1},
                   {digit(above, 1, period / g), g / stride}},
                  0);
  }
  return std::nullopt;
}

}  // namespace indexical

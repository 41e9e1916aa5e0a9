// Congruences of one unknown, and sums that are congruent.
//
//   x * 2 + 1 = 2 mod 3:  x = 2 mod 3        x * 4 = 2 mod 6:  x = 2 mod 3
//   d0 * 4 - d1 is d0 + d1 * 2 but for whole turns of 3
#ifndef INDEXICAL_SIMPLIFIER_CONGRUENCE_H
#define INDEXICAL_SIMPLIFIER_CONGRUENCE_H

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/expression.h"

namespace indexical {

/// Returns the inverse of a mod n, in [0, n). Requires gcd(a, n) = 1.
inline int64_t inverseMod(int64_t a, int64_t n) {
  int64_t r0 = n, r1 = floorMod(a, n), x0 = 0, x1 = 1;
  while (r1 != 0) {
    const int64_t q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    x0 = std::exchange(x1, x0 - q * x1);
  }
  return floorMod(x0, n);
}

/// Returns a * b mod n, in [0, n), for a and b in [0, n).
inline int64_t productMod(int64_t a, int64_t b, int64_t n) {
  return static_cast<int64_t>(static_cast<__int128>(a) * b % n);
}

/// All solutions are start mod stride.
struct Congruence {
  int64_t stride, start;
};

/// Returns the x with factor * x = rest mod n, or nothing if there are none.
inline std::optional<Congruence> solve(int64_t factor, int64_t rest,
                                       int64_t n) {
  const int64_t g = gcd(factor, n);
  if (rest % g != 0) return std::nullopt;
  const int64_t stride = n / g;
  const int64_t inverse = inverseMod(factor / g, stride);
  return Congruence{stride,
                    productMod(inverse, floorMod(rest / g, stride), stride)};
}

/// Returns whether the terms are those of the other sum, times `sign`, but for
/// whole turns. Requires that each sum has an atom once.
inline bool areSameByTurns(llvm::ArrayRef<Term> terms,
                           llvm::ArrayRef<Term> others, int64_t sign,
                           int64_t turn) {
  size_t met = 0;
  for (const Term &term : terms) {
    const auto other = llvm::find_if(
        others, [&](const Term &t) { return t.atom == term.atom; });
    const bool isThere = other != others.end();
    met += isThere;
    const __int128 rest =
        term.coefficient -
        (isThere ? static_cast<__int128>(sign) * other->coefficient
                 : __int128{0});
    if (rest % turn != 0) return false;
  }
  // The terms that only the other one has.
  return met == others.size() || llvm::all_of(others, [&](const Term &other) {
           return other.coefficient % turn == 0 ||
                  llvm::any_of(terms, [&](const Term &t) {
                    return t.atom == other.atom;
                  });
         });
}

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_CONGRUENCE_H

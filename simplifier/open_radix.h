// Radixes whose digits have sizes that are not known: private to simplifier/.
//
//   (d0 * n + d1) floordiv n   on d1 in [0, n - 1]        d0
//   (d0 * n + d1) mod n                                   d1
//   (x floordiv n) * n + x mod n                          x
//   ((x floordiv m) floordiv n)                           x floordiv (n * m)
//
// A form is a polynomial of its atoms. A division by another form leaves a
// quotient and a rest, as long division does. If the rest is known to be at
// least 0 and less than the divisor, it is the remainder. The known facts are
// bounds of variables: numbers, and constraints that were added as facts, such
// as `d1 - n in [-inf, -1]`. The prover of sizes combines them (size_prover.h).
//
// docs/internals/normal_form.md has the laws,
// tests/simplifier/open_radix_test.cc holds each to all small sizes.
#ifndef INDEXICAL_SIMPLIFIER_OPEN_RADIX_H
#define INDEXICAL_SIMPLIFIER_OPEN_RADIX_H

#include <optional>

#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// Returns the product with the factors of both in structural order, sums of
/// products expanded, or nothing if that leaves 64 bits.
std::optional<FormId> openProduct(CanonicalForms &forms, FormId a, FormId b);

/// Return the quotient and the remainder by a form that is not a constant and
/// at least 1, or nothing if no rule makes another form of them.
std::optional<FormId> openQuotient(CanonicalForms &forms, FormId a, FormId b);
std::optional<FormId> openRemainder(CanonicalForms &forms, FormId a, FormId b);

/// Returns a digit of a quotient or a remainder of that kind.
std::optional<FormId> openDigit(CanonicalForms &forms, FormId form,
                                int64_t stride, int64_t modulus);

/// Returns whether the sum has a remainder by a size, or a digit of such a
/// quotient, beside other terms. Nearly all sums have none.
bool mayJoinOpen(const ExpressionPool &pool, FormId sum);

/// Returns the sum with a remainder and its quotient put together, or nothing
/// if it has none that meet.
std::optional<FormId> openJoined(CanonicalForms &forms, FormId sum);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_OPEN_RADIX_H

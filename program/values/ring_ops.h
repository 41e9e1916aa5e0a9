// Ops of a ring: what they give of polynomials.
//
//   add(x, 255), subtract(x, 1) of u8    x + 255
//   not(x)                               255 * x + 255
//   shift-left(x, 3)                     8 * x
//
// Leaves of programs (term_table.h) and elements (same/values) have the same
// ring, each over its own numbers.
#ifndef INDEXICAL_PROGRAM_VALUES_RING_OPS_H
#define INDEXICAL_PROGRAM_VALUES_RING_OPS_H

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical {

/// Returns what an op gives of its operands, each a SparsePolynomial of the
/// op's ring; nothing if it is not an op of the ring, or if the polynomial is
/// not made. `is` says whether the op is the elementwise one of that name.
/// `bits` is the width of integers modulo 2 to it, and 0 in another ring.
template <typename Polynomial>
std::optional<Polynomial> ringValue(llvm::function_ref<bool(const char *)> is,
                                    llvm::ArrayRef<Polynomial> x,
                                    int64_t bits) {
  using Coefficient = typename Polynomial::Coefficient;
  auto withAdded = [](std::optional<Polynomial> sum, auto &&...added) {
    if (sum && !sum->add(added...)) sum.reset();
    return sum;
  };
  const Coefficient one(1), minus(-1);
  if (is("negate")) return x[0].scaled(minus);
  if (is("not") && bits > 0) return withAdded(x[0].scaled(minus), minus);
  if (x.size() != 2) return std::nullopt;
  if (is("add")) return withAdded(std::optional(x[0]), x[1], one);
  if (is("subtract")) return withAdded(std::optional(x[0]), x[1], minus);
  if (is("multiply")) {
    if (x[0].terms().size() * x[1].terms().size() > Polynomial::kMostTerms)
      return std::nullopt;
    return x[0].times(x[1]);
  }
  if (!is("shift-left") || bits == 0 || !x[1].isConstant()) return std::nullopt;
  Coefficient by = one, left = x[1].constant();
  for (int64_t k = 0; k < bits; ++k) {
    if (left == Coefficient(k)) return x[0].scaled(by);
    by = by * Coefficient(2);
  }
  return std::nullopt;
}

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_RING_OPS_H

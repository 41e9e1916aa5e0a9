#include "indexical/program/kernel/size_polynomial.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::kernels {
namespace {

constexpr WideNumber kMost = WideNumber(1) << 100;

}  // namespace

WideNumber limited(WideNumber value) {
  return std::max(-kMost, std::min(kMost, value));
}

WideNumber productOf(WideNumber a, WideNumber b) {
  WideNumber product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return (a < 0) == (b < 0) ? kMost : -kMost;
  return limited(product);
}

bool SizePolynomial::has(int variable) const {
  return llvm::any_of(terms(), [&](const Sum::Term &term) {
    return llvm::is_contained(term.monomial, variable);
  });
}

void SizePolynomial::keep(bool fits) {
  if (fits && !isTooLong_) return;
  isTooLong_ = true;
  sum_ = Sum();
}

SizePolynomial SizePolynomial::plus(const SizePolynomial &o,
                                    WideNumber factor) const {
  SizePolynomial made = *this;
  made.keep(!o.isTooLong_ && made.sum_.add(o.sum_, factor));
  return made;
}

SizePolynomial SizePolynomial::operator*(const SizePolynomial &o) const {
  SizePolynomial made;
  auto product = sum_.times(o.sum_);
  made.keep(!isTooLong_ && !o.isTooLong_ && product);
  if (!made.isTooLong_) made.sum_ = *std::move(product);
  return made;
}

SizePolynomial SizePolynomial::with(int variable,
                                    const SizePolynomial &by) const {
  SizePolynomial made;
  made.keep(!isTooLong_);
  for (const auto &[product, factor] : terms()) {
    Product rest;
    llvm::copy_if(product, std::back_inserter(rest),
                  [&](int each) { return each != variable; });
    SizePolynomial others;
    others.add(rest, factor);
    for (size_t k = rest.size(); k < product.size(); ++k) others = others * by;
    made = made + others;
  }
  return made;
}

std::optional<SizePolynomial> SizePolynomial::factorOf(int variable) const {
  if (isTooLong_) return std::nullopt;
  SizePolynomial made;
  for (const auto &[product, factor] : terms()) {
    Product rest;
    llvm::copy_if(product, std::back_inserter(rest),
                  [&](int each) { return each != variable; });
    if (rest.size() + 1 < product.size()) return std::nullopt;
    if (rest.size() < product.size()) made.add(rest, factor);
  }
  return made;
}

}  // namespace indexical::kernels

#include "indexical/program/kernel/size_polynomial.h"

#include <algorithm>

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

WideNumber SizePolynomial::constant() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

bool SizePolynomial::has(int variable) const {
  for (const auto &[product, factor] : terms_)
    if (std::find(product.begin(), product.end(), variable) != product.end())
      return true;
  return false;
}

void SizePolynomial::add(const Product &product, WideNumber factor) {
  const auto [found, isNew] = terms_.try_emplace(product, 0);
  found->second = limited(found->second + factor);
  if (found->second == 0) terms_.erase(found);
}

SizePolynomial SizePolynomial::operator+(const SizePolynomial &o) const {
  SizePolynomial sum = *this;
  for (const auto &[product, factor] : o.terms_) sum.add(product, factor);
  return sum;
}

SizePolynomial SizePolynomial::operator-(const SizePolynomial &o) const {
  SizePolynomial sum = *this;
  for (const auto &[product, factor] : o.terms_) sum.add(product, -factor);
  return sum;
}

SizePolynomial SizePolynomial::operator*(const SizePolynomial &o) const {
  SizePolynomial made;
  if (terms_.size() * o.terms_.size() > 10 * kMostProducts) {
    // Too long on purpose: its user then takes it as unknown.
    for (int k = 0; k <= static_cast<int>(kMostProducts); ++k)
      made.add({-k - 2}, 1);
    return made;
  }
  for (const auto &[a, x] : terms_)
    for (const auto &[b, y] : o.terms_) {
      Product both = a;
      both.insert(both.end(), b.begin(), b.end());
      std::sort(both.begin(), both.end());
      made.add(both, productOf(x, y));
    }
  return made;
}

SizePolynomial SizePolynomial::with(int variable,
                                    const SizePolynomial &by) const {
  SizePolynomial made;
  for (const auto &[product, factor] : terms_) {
    Product rest;
    int times = 0;
    for (int each : product)
      if (each == variable)
        ++times;
      else
        rest.push_back(each);
    SizePolynomial others;
    others.add(rest, factor);
    for (int k = 0; k < times; ++k) others = others * by;
    made = made + others;
  }
  return made;
}

std::optional<SizePolynomial> SizePolynomial::factorOf(int variable) const {
  SizePolynomial made;
  for (const auto &[product, factor] : terms_) {
    Product rest;
    int times = 0;
    for (int each : product)
      if (each == variable)
        ++times;
      else
        rest.push_back(each);
    if (times > 1) return std::nullopt;
    if (times == 1) made.add(rest, factor);
  }
  return made;
}

}  // namespace indexical::kernels

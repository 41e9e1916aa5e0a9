#include "indexical/indexing/evaluation.h"

#include <algorithm>

namespace indexical {

std::optional<int64_t> PointDomain::sum(const Sum &form) const {
  int64_t sum = form.constant();
  for (size_t i = 0; i < form.size(); ++i) {
    const Value &value = form.value(i);
    if (!value) return std::nullopt;
    int64_t scaled;
    if (__builtin_mul_overflow(*value, form.coefficient(i), &scaled) ||
        __builtin_add_overflow(sum, scaled, &sum)) {
      const auto all = wide(form);
      return all ? all->value() : std::nullopt;
    }
  }
  return sum;
}

std::optional<WideSum> PointDomain::wide(const Sum &form) const {
  WideSum sum(form.constant());
  for (size_t i = 0; i < form.size(); ++i) {
    const Value &value = form.value(i);
    if (!value) return std::nullopt;
    sum.add(*value, form.coefficient(i));
  }
  return sum;
}

std::optional<int64_t> PointDomain::digit(const Sum &parent, int64_t stride,
                                          int64_t modulus) const {
  if (const auto value = sum(parent)) return digitOf(*value, stride, modulus);
  const auto all = wide(parent);
  if (!all) return std::nullopt;
  return all->digit(stride, modulus);
}

std::optional<int64_t> PointDomain::product(const Sum &a, const Sum &b) const {
  const auto x = sum(a), y = sum(b);
  return x && y ? checkedMul(*x, *y) : std::nullopt;
}

std::optional<int64_t> PointDomain::quotient(const Sum &a, const Sum &b) const {
  const auto x = sum(a), y = sum(b);
  if (!x || !y || *y == 0) return std::nullopt;
  return *y == -1 ? checkedSub(0, *x) : floorDiv(*x, *y);
}

std::optional<int64_t> PointDomain::remainder(const Sum &a,
                                              const Sum &b) const {
  const auto x = sum(a), y = sum(b);
  if (!x || !y || *y <= 0) return std::nullopt;
  return floorMod(*x, *y);
}

std::optional<int64_t> PointDomain::positivePart(const Sum &a) const {
  if (const auto value = sum(a)) return std::max<int64_t>(*value, 0);
  // A sum far below 0 need not fit into 64 bits.
  const auto all = wide(a);
  if (all && all->saturated() < 0) return 0;
  return std::nullopt;
}

bool Evaluation::isIn(const Interval &bounds, FormId form) {
  if (const auto value = fold_(form)) return bounds.contains(*value);
  const auto sum = fold_.domain().wide(fold_.valued(form));
  return sum && bounds.contains(sum->saturated());
}

}  // namespace indexical

// Cuts two shapes into groups of axes whose sizes have equal products.
//
//   from  {4, 8, 12}     groups  {4, 8}   {12}
//   to    {32, 3, 4}             {32}     {3, 4}
//
// Both shapes number the same elements, so that the coordinates of a group
// depend on those of its partner alone.
//
// Law (tests/simplifier/size_groups_test.cc, by enumeration): a group has as
// few axes as make the products equal.
#ifndef INDEXICAL_SIMPLIFIER_SIZE_GROUPS_H
#define INDEXICAL_SIMPLIFIER_SIZE_GROUPS_H

#include <cstddef>
#include <optional>

namespace indexical {

/// Moves `i` and `j` behind the next group. A size of 1 beside another size is
/// a group by itself. Returns false if an unknown size, a product that is not
/// known, or the end of a shape comes before the products are equal.
///
/// `from(k)` and `to(k)` return size k, or nothing if it is not known or there
/// is none. A Size can be compared; of two different ones the one that
/// `growsFirst` is multiplied next; `times` returns nothing if a product is not
/// known.
template <typename Size, typename From, typename To>
bool closeGroup(size_t &i, size_t &j, From from, To to) {
  std::optional<Size> a = from(i), b = to(j);
  const bool aIsOne = a && a->isOne(), bIsOne = b && b->isOne();
  if (aIsOne != bIsOne) return ++(aIsOne ? i : j), true;
  ++i, ++j;
  while (a && b && !(*a == *b)) {
    std::optional<Size> &product = a->growsFirst(*b) ? a : b;
    const std::optional<Size> next = &product == &a ? from(i++) : to(j++);
    product = next ? product->times(*next) : std::nullopt;
  }
  return a && b;
}

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_GROUPS_H

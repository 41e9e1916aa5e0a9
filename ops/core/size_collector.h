// Collects the rules of one op's sizes from its family.
//
//   transpose f32[?,4] -> f32[4,?], permutation {1, 0}
//     equal({0, 1}, {1, 0})    size 1 of the operand is size 0 of the result
//     equal({0, 0}, {1, 1})    and size 0 of the one is size 1 of the other
//
// Tensors are numbered as in ops/sizes.h: operands first, then results. A
// family without rules keeps its results' sizes as they are declared: each open
// size is a variable of its own.
#ifndef INDEXICAL_OPS_CORE_SIZE_COLLECTOR_H
#define INDEXICAL_OPS_CORE_SIZE_COLLECTOR_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"

namespace indexical {

class SizeCollector {
 public:
  SizeCollector(const OpShapes &shapes, SizeRules &rules)
      : shapes(shapes), rules(rules), operands(shapes.operands.size()) {}

  const OpShapes &shapes;
  SizeRules &rules;
  const int64_t operands;

  int64_t result(int64_t r) const { return operands + r; }
  int64_t rank(int64_t tensor) const {
    return tensor < operands ? shapes.operands[tensor].rank()
                             : shapes.results[tensor - operands].rank();
  }
  static bool isOne(const ArrayShape &shape, int64_t k) {
    return families::isFixed(shape, k) && shape.dimensions[k] == 1;
  }
  void equal(SizeRef a, SizeRef b) { rules.equal(a, b); }
  /// Adds that tensors `a` and `b` have equal sizes in all dimensions but
  /// `except`, if their ranks are equal.
  void same(int64_t a, int64_t b, int64_t except = -1) {
    if (rank(a) != rank(b)) return;
    for (int64_t k = 0; k < rank(a); ++k)
      if (k != except) equal({a, k}, {b, k});
  }
  /// Adds that all leaves with the rank of tensor `a` have its sizes, but for
  /// dimension `except`.
  void allSame(int64_t a, int64_t except = -1) {
    const int64_t count = operands + shapes.results.size();
    for (int64_t t = 0; t < count; ++t)
      if (t != a) same(a, t, except);
  }
  /// Returns the values that size k of a result may have: none above its bound.
  Interval sizesOf(int64_t r, int64_t k) const {
    const int64_t bound = shapes.results[r].dimensions[k];
    return {0, bound == kDynamicSize ? Interval::kInfinity : bound};
  }
  /// Adds that the sizes of result 0 are the elements of an operand of rank 1.
  void given(int64_t operand) {
    for (int64_t k = 0; k < rank(result(0)); ++k)
      rules.define({result(0), k},
                   [operand, k, sizes = sizesOf(0, k)](SizeContext &c) {
                     return c.element(operand, {k}, sizes);
                   });
  }
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_SIZE_COLLECTOR_H

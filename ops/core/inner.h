// An op inside of another op's descriptor, queried as a part of the outer op.
//
//   capturing  f32[?,4] x, f32[] zero, f32[] c -> f32[4]   leaves 0, 1, 2; 3
//   reduce     f32[?,4] x, f32[] zero          -> f32[4]   leaves 0, 1;    2
//
// The inner op's leaves have numbers of their own, its operands first, then its
// results. The inner op takes the shapes of the outer one and the known facts
// about their sizes. The answers and the size rules of the inner op have the
// outer op's numbers.
//
// Law (tests/ops/ops_test.cc, by enumeration, sizes open or not): the answer of
// the inner op for its leaves is what the outer op reads.
#ifndef INDEXICAL_OPS_CORE_INNER_H
#define INDEXICAL_OPS_CORE_INNER_H

#include <functional>
#include <memory>

#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

class Inner {
 public:
  /// The number in the outer op of a leaf of the inner one.
  using Numbers = std::function<int64_t(int64_t leaf)>;

  /// Makes a copy of `op` whose leaves have the shapes that `outer` has for
  /// them, if those of `op` are open.
  Inner(OpView op, const OpShapes &outer, Numbers number);

  /// Returns the inner op, with the shapes and known facts of the outer one.
  OpView op() const { return *op_; }
  /// Returns what the inner op reads. `result` and `operand` are the inner op's
  /// numbers; the sources of runtime variables have the outer op's numbers.
  Answer ask(Direction direction, int64_t result, int64_t operand) const;
  /// Adds the inner op's rules to `rules`, in the outer op's numbers.
  void addRules(SizeRules &rules) const;

 private:
  /// Shared with the formulas of the rules, which refer to it.
  std::shared_ptr<OpDraft> op_;
  Numbers number_;
};

/// Return the inner op of an op that starts it, or of an op that captures
/// values for it.
Inner innerOf(const StartOp &op);
Inner innerOf(const CapturingOp &op);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_INNER_H

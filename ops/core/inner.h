// An op inside of another's descriptor: asked as a part of it.
//
//   capturing  f32[?,4] x, f32[] zero, f32[] c -> f32[4]   leaves 0, 1, 2; 3
//   reduce     f32[?,4] x, f32[] zero          -> f32[4]   leaves 0, 1;    2
//
// The inner op's leaves have numbers of their own, its operands first, then its
// results. It takes the shapes of the outer op, and what is known beside that
// of their sizes; what it answers, and the rules of its sizes, have the outer's
// numbers.
//
// Law (tests/ops/ops_test.cc, by enumeration, sizes open or not): what it
// answers for its leaves is what the outer op reads.
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

  /// `op` gets the shapes of the leaves that it is.
  Inner(OpView op, const OpShapes &outer, Numbers number);

  /// The op that is told what the outer one knows.
  OpView op() const { return *op_; }
  /// What it reads, in its own numbers of results and operands; the sources of
  /// runtime variables have the outer op's.
  Answer ask(Direction direction, int64_t result, int64_t operand) const;
  /// Adds its rules to the outer op's.
  void addRules(SizeRules &rules) const;

 private:
  /// Formulas of its rules refer to it.
  std::shared_ptr<OpDraft> op_;
  Numbers number_;
};

/// The inner op of one that starts it, and of one that captures.
Inner innerOf(const StartOp &op);
Inner innerOf(const CapturingOp &op);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_INNER_H

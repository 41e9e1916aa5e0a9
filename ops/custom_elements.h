// The values of the elements of a CustomOp, beside their reads.
//
//   linalg.matmul ins(%a, %b) outs(%c)
//     loops    4, 16, 8
//     places   of %a (l0, l2), of %b (l2, l1), of %c (l0, l1)
//     body     ^bb0(%x, %y, %z): %z + %x * %y
//
// Element (d0, d1) of the result is what the body makes, in each iteration with
// l0 = d0 and l1 = d1, of the elements at these places and of what the
// iteration before made of %c. The body is the computation that the op's
// instruction calls: its parameters are the op's operands, one by one.
//
//   vector.contract %a, %b, %c
//     combine  arith.addf        product  arith.mulf
//
// Where two ops say all that an iteration does, there is no such computation.
//
// On tiles of open sizes, such as a last one that is smaller, a loop has the
// size of an operand's dimension, and is a number where the shape is one:
//
//   linalg.exp ins(%s : tensor<?x4xf32>)     sizes ?, 4; loop 0 has the size of
//                                            operand 0 in dimension 0
#ifndef INDEXICAL_OPS_CUSTOM_ELEMENTS_H
#define INDEXICAL_OPS_CUSTOM_ELEMENTS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/descriptor.h"

namespace indexical {

/// Loops around a body of scalars.
struct BodyLoops {
  std::vector<int64_t> sizes;  ///< kDynamicSize: as `extents` says
  /// A dimension of an operand leaf; leaf -1 if there is none.
  struct Extent {
    int64_t leaf = -1, dimension = 0;
  };
  /// For each loop where its size stands. Empty if all sizes are numbers.
  std::vector<Extent> extents;
  /// For each of the first operand leaves, the loops to its index: the inputs,
  /// then what each result begins with.
  std::vector<IndexingMap> places;
  int64_t inputs = 0;
  /// So many parameters of the body, in front, are the indices of the loops,
  /// and no operands: an element is computed from its index alone.
  int64_t indices = 0;
  /// Set if no computation is called: the op of what was before and of the
  /// input, or of the product of both inputs. Without an operand behind the
  /// inputs nothing was before.
  std::optional<Op> combine, product;

  bool isCombined() const { return combine.has_value(); }
};

/// The maps of a CustomOp that is such loops inherit this.
class HasBodyLoops {
 public:
  explicit HasBodyLoops(std::shared_ptr<const BodyLoops> loops)
      : loops_(std::move(loops)) {}
  virtual ~HasBodyLoops() = default;

  /// Null if the op is something else.
  const BodyLoops *bodyLoops() const { return loops_.get(); }

 private:
  std::shared_ptr<const BodyLoops> loops_;
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_CUSTOM_ELEMENTS_H

// Shapes and descriptors in few words:
// withShapes<DotOp>({f32({4, 8})}, {f32({})}).
#ifndef INDEXICAL_TESTS_SUPPORT_SHAPES_H
#define INDEXICAL_TESTS_SUPPORT_SHAPES_H

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical::testing {

inline ArrayShape f32(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::F32, sizes);
}

inline ArrayShape s32(llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(ElementType::S32, sizes);
}

template <typename OpType>
OpType withShapes(llvm::ArrayRef<ArrayShape> operands,
                  llvm::ArrayRef<ArrayShape> results) {
  OpType op;
  op.operands = operands;
  op.results = results;
  return op;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_SHAPES_H

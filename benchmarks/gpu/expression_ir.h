// Expressions of a map as instructions.
//
//   (d0, d1) -> (d0 * 4 + d1 floordiv 2), d0 in [0, 9], d1 in [0, 7]
//     %1 = mul i32 %d0, 4
//     %2 = udiv i32 %d1, 2
//     %3 = add i32 %1, %2
//
// Instructions are of 32 bits if nothing in the map leaves these, else of 64. A
// form that is never negative is divided without a sign; else quotients round
// toward minus infinity.
#ifndef INDEXICAL_BENCHMARKS_GPU_EXPRESSION_IR_H
#define INDEXICAL_BENCHMARKS_GPU_EXPRESSION_IR_H

#include <functional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {
namespace gpu {

class ExpressionWriter {
 public:
  /// `dimensions` are i32s, the values of the map's; it has no ranges.
  /// `runtime`, an i64, is the value of its runtime variable, if it has one.
  ExpressionWriter(llvm::IRBuilder<> &builder, const IndexingMap &map,
                   llvm::ArrayRef<llvm::Value *> dimensions,
                   llvm::Value *runtime);
  ExpressionWriter(const ExpressionWriter &) = delete;
  ExpressionWriter &operator=(const ExpressionWriter &) = delete;

  /// The map's first result, an i64; not negative.
  llvm::Value *result();
  /// Returns whether the map holds, if its dimensions have any value of
  /// `launched`; null if it always does.
  llvm::Value *domain(llvm::ArrayRef<Interval> launched);

 private:
  struct AtomCode;
  llvm::Value *form(FormId form);
  llvm::Value *atom(AtomId atom);
  llvm::Value *variable(VariableId id);
  llvm::Value *constant(int64_t value);
  /// Rounds toward minus infinity; the divisor is positive.
  llvm::Value *quotient(FormId dividend, llvm::Value *divisor);
  llvm::Value *remainder(llvm::Value *value, bool isNegative,
                         llvm::Value *modulus);
  bool canBeNegative(FormId form);

  llvm::IRBuilder<> &b_;
  const IndexingMap &map_;
  llvm::ArrayRef<llvm::Value *> dimensions_;
  llvm::Value *runtime_;
  const std::function<Interval(VariableId)> boundsOfVariable_;
  FormBounds bounds_;  // refers to it
  llvm::Type *type_;
  llvm::DenseMap<AtomId, llvm::Value *> atoms_;
};

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_EXPRESSION_IR_H

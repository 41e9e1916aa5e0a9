// The element of a tensor, as code in a nest of loops.
//
//   %t = stablehlo.transpose %x, dims = [1, 0]
//   %p = stablehlo.pad %t, %zero, low = [1, 0], …
//   %r = stablehlo.add %p, %y
//
// In a loop nest over the elements of %r, element (%i, %j) is
//
//   %a = affine.if (%i >= 1) { affine.load %x[%j, %i - 1] } else { 0.0 }
//   %b = affine.load %y[%i, %j]
//   arith.addf %a, %b
//
// `at(%r, W)` writes it, where W is a map from the values at hand (the *scope*:
// the loops' variables and indices that were read) to the index of the element.
// It goes from a value to its operands, and composes W with what each reads.
// An op that moves elements picks the piece that holds; one that reduces runs
// loops over the ranges of its maps; an index that is an element of a tensor
// (dynamic_slice, gather) is read, clamped, and joins the scope. A scatter runs
// a loop over its slices, and applies those that land on the element. No tensor
// is ever stored in between, so an element that two others need is computed
// twice, except where both need it at the same place of the code.
#ifndef INDEXICAL_STABLEHLO_LOWER_ELEMENTS_H
#define INDEXICAL_STABLEHLO_LOWER_ELEMENTS_H

#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {

struct ElementLimits {
  /// Elements that the code of one function computes: what reads many elements
  /// of what reads many doubles at every step.
  int64_t mostElements = 100'000;
};

class ElementEmitter {
 public:
  using Values = llvm::SmallVector<mlir::Value>;

  ElementEmitter(mlir::ImplicitLocOpBuilder &builder, mlir::ModuleOp module,
                 const ElementLimits &limits)
      : b_(builder), module_(module), limits_(limits) {
    memo_.emplace_back();
  }

  /// The function's argument is this: a memref of a tensor, a scalar of itself.
  void setArgument(mlir::Value argument, mlir::Value is) {
    arguments_[argument] = is;
  }

  /// Adds values to the scope.
  void addToScope(mlir::ValueRange values, llvm::ArrayRef<Interval> bounds);

  /// The element of `tensor` at the index that `where` says, a map from the
  /// scope (its first values, as many as the map has dimensions).
  ///
  /// Errors have no place; `failedAt` says which op it is. Unimplemented: ops
  /// that are not lowered. ResourceExhausted: past a limit.
  absl::StatusOr<mlir::Value> at(mlir::Value tensor, const IndexingMap &where);

  mlir::Operation *failedAt() const { return failedAt_; }

 private:
  /// A call that is looked into; null: the function itself.
  struct Frame {
    const Frame *caller = nullptr;
    mlir::func::CallOp call;
    int number = 0;
  };
  /// An element, as it is asked for.
  struct Known {
    mlir::Value tensor;
    int frame = 0;
    IndexingMap where;
    bool operator==(const Known &o) const {
      return tensor == o.tensor && frame == o.frame && where == o.where;
    }
  };
  struct KnownHash {
    size_t operator()(const Known &k) const {
      return llvm::hash_combine(k.tensor, k.frame, k.where.hash());
    }
  };
  /// An element that steers, and the bounds that it is clamped to or not.
  using Steering = std::tuple<void *, bool, int64_t, int64_t>;
  /// What is known at one place of the code.
  struct Memo {
    std::unordered_map<Known, mlir::Value, KnownHash> elements;
    std::map<Steering, mlir::Value> indices;
  };
  /// One of the elements that may be meant.
  struct Choice {
    mlir::Value tensor;
    IndexingMap where, condition;
  };
  using Emit = llvm::function_ref<absl::StatusOr<Values>()>;

  using Result = absl::StatusOr<mlir::Value>;

  Result compute(mlir::Value tensor, const IndexingMap &where);
  Result argument(mlir::BlockArgument argument, const IndexingMap &where);
  Result load(mlir::Value memref, const IndexingMap &where);
  Result called(mlir::func::CallOp call, mlir::OpResult result,
                const IndexingMap &where);
  Result scalar(mlir::Operation *op, const IndexingMap &where);
  Result constant(mlir::Operation *op, mlir::ElementsAttr value,
                  const IndexingMap &where);
  Result counted(mlir::Value result, int64_t dimension,
                 const IndexingMap &where);
  Result mapped(mlir::Operation *op, const IndexingMap &where);

  // Movement.
  Result moved(mlir::OpResult result, llvm::ArrayRef<unsigned> operands,
               const IndexingMap &where);
  Result choose(llvm::ArrayRef<Choice> choices);
  /// A runtime variable that has joined the scope.
  struct Steered {
    RuntimeSource source;
    IndexingMap index;
    Interval bounds;
    bool clamped = false;
    unsigned value = 0;  ///< its number in the scope
  };
  /// What an element that steers may be, where it is not clamped.
  enum class Outside {
    NotDefined,  ///< it is within the bounds, or the op is not defined
    Skipped,     ///< anything: outside of the bounds the map does not hold
  };
  absl::StatusOr<llvm::SmallVector<unsigned>> steered(
      mlir::Operation *op, llvm::ArrayRef<const IndexingRelation *> reads,
      const IndexingMap &piece, const IndexingMap &where,
      std::vector<Steered> &known, Outside outside = Outside::NotDefined);
  Result steeringIndex(mlir::Value element, mlir::Type type,
                       const RuntimeVariable &variable);
  Result clampedIndex(mlir::Value element, mlir::Type type,
                      const RuntimeVariable &variable);

  // Scatters.
  struct Scattered {
    unsigned count = 1;                ///< results
    unsigned inputs = 0, updates = 0;  ///< the first operand of each
    mlir::Region *body = nullptr;      ///< null: an update is put in place
  };
  Result scattered(mlir::OpResult result, const IndexingMap &where);
  Result scattered(mlir::OpResult result, const Scattered &of,
                   const IndexingMap &where);
  absl::StatusOr<Values> landed(mlir::Operation *op, const Scattered &of,
                                const IndexingMap &where, size_t piece,
                                Values soFar);
  absl::StatusOr<Values> landedOnce(mlir::Operation *op, const Scattered &of,
                                    const IndexingMap &where, size_t piece,
                                    Values soFar);

  // Reductions.
  Result reduced(mlir::OpResult result, const IndexingMap &where);
  absl::StatusOr<Values> folded(mlir::Operation *op, const IndexingMap &where,
                                size_t piece, Values soFar);
  Result structured(mlir::OpResult result, const IndexingMap &where);
  Result generated(mlir::Operation *op, const IndexingMap &where);
  /// Loops over the bounds, whose variables join the scope, with values that
  /// are carried along; `body` gets those of one trip.
  absl::StatusOr<Values> loops(
      llvm::ArrayRef<Interval> bounds, Values carried,
      llvm::function_ref<absl::StatusOr<Values>(Values)> body);
  /// The values that a region yields for these arguments.
  absl::StatusOr<Values> runRegion(mlir::Region &region,
                                   mlir::ValueRange arguments);
  /// `then` where the condition's constraints hold, else `otherwise`, each with
  /// what it makes at a place of its own.
  absl::StatusOr<Values> branch(const IndexingMap &condition,
                                mlir::TypeRange types, Emit then,
                                Emit otherwise);
  absl::StatusOr<Values> inBlock(mlir::Block *block, Emit emit);

  Result indexValue(const IndexingMap &where, unsigned result);
  /// The number in the scope of a value, which joins it if it is not there.
  unsigned numberInScope(mlir::Value value, const Interval &bounds);
  absl::StatusOr<const IndexingRelation *> exactReads(mlir::OpResult result,
                                                      unsigned operand);
  mlir::ValueRange valuesOf(const IndexingMap &where) const {
    return mlir::ValueRange(values_).take_front(where.dimensions().size());
  }
  bool isAffine(const IndexingMap &map, llvm::ArrayRef<FormId> forms);
  absl::Status fail(mlir::Operation *op, absl::Status status);

  mlir::ImplicitLocOpBuilder &b_;
  mlir::ModuleOp module_;
  const ElementLimits limits_;
  llvm::DenseMap<mlir::Value, mlir::Value> arguments_;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars_;  ///< of regions that run
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> globals_;
  std::map<std::pair<mlir::Operation *, const Frame *>, std::unique_ptr<Frame>>
      frames_;
  const Frame *frame_ = nullptr;
  /// What a result reads of an operand.
  std::map<std::pair<mlir::Operation *, std::pair<unsigned, unsigned>>,
           IndexingRelation>
      reads_;
  Values values_;
  llvm::SmallVector<Interval> bounds_;
  std::vector<Memo> memo_;
  mlir::SymbolTableCollection symbols_;
  int64_t elements_ = 0;
  int depth_ = 0;
  mlir::Operation *failedAt_ = nullptr;
};

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_LOWER_ELEMENTS_H

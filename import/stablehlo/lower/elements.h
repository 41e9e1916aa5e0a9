// An element of a tensor, as code in a nest of loops.
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
// `at(%r, W)` writes it. W is a map from the values in *scope* (the variables
// of the loops, and indices that were read) to the index of the element. The
// emitter goes from a value to its operands, and composes W with what each op
// reads. An op that moves elements picks the piece that holds. A reduction runs
// loops over the ranges of its maps. An index that is an element of a tensor
// (dynamic_slice, gather) is read, clamped, and joins the scope. A scatter runs
// a loop over its slices, and applies those that land on the element. No tensor
// is ever stored in between, so an element that two others need is computed
// twice, unless both need it at the same place in the code.
#ifndef INDEXICAL_IMPORT_STABLEHLO_LOWER_ELEMENTS_H
#define INDEXICAL_IMPORT_STABLEHLO_LOWER_ELEMENTS_H

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
  /// The largest number of elements that the code of one function computes. The
  /// number can double with each op of a chain in which every op reads many
  /// elements.
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

  /// Sets the value of a function's argument: a memref for a tensor, a scalar
  /// for a scalar.
  void setArgument(mlir::Value argument, mlir::Value is) {
    arguments_[argument] = is;
  }

  /// Appends loop variables or indices to the scope, the values that the
  /// dimensions of the maps in at() stand for. `bounds` has the interval of
  /// each value.
  void addToScope(mlir::ValueRange values, llvm::ArrayRef<Interval> bounds);

  /// Returns the element of `tensor` at the index that `where` gives, and emits
  /// the code that computes it unless it is known at this place. Dimension k of
  /// `where` is value k of the scope; the scope may have more values.
  ///
  /// Returns Unimplemented for an op that is not lowered, and ResourceExhausted
  /// if a limit is exceeded. The error does not say where: failedAt() returns
  /// the op.
  absl::StatusOr<mlir::Value> at(mlir::Value tensor, const IndexingMap &where);

  mlir::Operation *failedAt() const { return failedAt_; }

 private:
  /// The call that the emitter is in; null: the function itself.
  struct Frame {
    const Frame *caller = nullptr;
    mlir::func::CallOp call;
    int number = 0;
  };
  /// A request for an element: the key of Memo::elements.
  struct ElementKey {
    mlir::Value tensor;
    int frame = 0;
    IndexingMap where;
    bool operator==(const ElementKey &o) const {
      return tensor == o.tensor && frame == o.frame && where == o.where;
    }
  };
  struct ElementKeyHash {
    size_t operator()(const ElementKey &k) const {
      return llvm::hash_combine(k.tensor, k.frame, k.where.hash());
    }
  };
  /// An element that is used as an index, and its clamped flag and bounds: the
  /// key of Memo::indices.
  using Steering = std::tuple<void *, bool, int64_t, int64_t>;
  /// The values that are known at one place of the code.
  struct Memo {
    std::unordered_map<ElementKey, mlir::Value, ElementKeyHash> elements;
    std::map<Steering, mlir::Value> indices;
  };
  /// An element, and the condition under which it is chosen.
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
  /// How an element that is used as an index relates to its bounds, unless it
  /// is clamped.
  enum class Outside {
    NotDefined,  ///< it is within them, or the op is undefined
    Skipped,     ///< any value; the map does not hold outside
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
    unsigned count = 1;                ///< the number of results
    unsigned inputs = 0, updates = 0;  ///< the first operand of each
    mlir::Region *body = nullptr;      ///< null: an update replaces the element
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
  /// Emits loops over the bounds, with values that each trip passes to the
  /// next. The variables of the loops join the scope. `body` gets the values
  /// before a trip and returns those after it.
  absl::StatusOr<Values> loops(
      llvm::ArrayRef<Interval> bounds, Values carried,
      llvm::function_ref<absl::StatusOr<Values>(Values)> body);
  /// Returns the values that a region yields for these arguments.
  absl::StatusOr<Values> runRegion(mlir::Region &region,
                                   mlir::ValueRange arguments);
  /// Emits `then` if the condition's constraints hold, else `otherwise`. Each
  /// makes its code and its known values at a place of its own.
  absl::StatusOr<Values> branch(const IndexingMap &condition,
                                mlir::TypeRange types, Emit then,
                                Emit otherwise);
  absl::StatusOr<Values> inBlock(mlir::Block *block, Emit emit);

  Result indexValue(const IndexingMap &where, unsigned result);
  /// Returns the number of the value in the scope; adds it if it is not there.
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
  llvm::DenseMap<mlir::Value, mlir::Value> scalars_;  ///< in running regions
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> globals_;
  std::map<std::pair<mlir::Operation *, const Frame *>, std::unique_ptr<Frame>>
      frames_;
  const Frame *frame_ = nullptr;
  /// The relation of each result to each operand.
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

#endif  // INDEXICAL_IMPORT_STABLEHLO_LOWER_ELEMENTS_H

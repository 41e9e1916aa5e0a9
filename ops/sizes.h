// Sizes that are not known: which of them are equal, and what they follow from.
//
// Each family says, of the dimensions of its tensors, which sizes its
// definition makes equal, and from what the others follow. For
//
//   concatenate(f32[?,4], f32[?,4]) -> f32[?,4], dimensions={0}
//     operand 0, dimension 1 = operand 1, dimension 1 = result, dimension 1
//     result, dimension 0 = operand 0, dimension 0 + operand 1, dimension 0
//
// A size is then a number, where one of those that are equal to it is fixed; or
// a runtime variable of the kind Size, of the first operand that has it; or
// what it follows from: an expression of such variables and of elements of the
// operands that say sizes; or, where nothing is said, a variable of the result
// itself. The map of operand 1 above:
//
//   (d0, d1){rt0, rt1} -> (d0 - rt0, d1)
//   rt0 the size of operand 0, rt1 that of operand 1, dimension 0
//   d0 - rt0 in [0, inf], d0 - rt0 - rt1 in [-inf, -1]
//
// Law (tests/ops/ops_test.cc, AgreesWithOracleOfOpenSizes): with the sizes that
// a valid instance has, every formula gives the size of its dimension.
#ifndef INDEXICAL_OPS_SIZES_H
#define INDEXICAL_OPS_SIZES_H

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// A dimension of one of an op's tensors: its operand leaves, then its result
/// leaves.
struct SizeRef {
  int64_t tensor = 0, dimension = 0;
  bool operator==(const SizeRef &o) const {
    return tensor == o.tensor && dimension == o.dimension;
  }
};

/// What a formula is made of.
class SizeContext {
 public:
  virtual ~SizeContext() = default;
  virtual Expr constant(int64_t value) = 0;
  /// The value of an expression that is a constant.
  virtual std::optional<int64_t> valueOf(Expr expression) const = 0;
  virtual Expr size(SizeRef ref) = 0;
  /// The value of an element of an operand, which is within the bounds wherever
  /// the op is valid.
  virtual Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
                       Interval bounds) = 0;
};

/// The size, or nothing where it has no formula after all.
using SizeFormula = std::function<std::optional<Expr>(SizeContext &)>;

class SizeRules {
 public:
  struct Definition {
    SizeRef ref;
    SizeFormula formula;
  };
  void equal(SizeRef a, SizeRef b) { equalities_.push_back({a, b}); }
  void define(SizeRef result, SizeFormula formula) {
    definitions_.push_back({result, std::move(formula)});
  }
  llvm::ArrayRef<std::pair<SizeRef, SizeRef>> equalities() const {
    return equalities_;
  }
  llvm::ArrayRef<Definition> definitions() const { return definitions_; }

 private:
  llvm::SmallVector<std::pair<SizeRef, SizeRef>, 8> equalities_;
  std::vector<Definition> definitions_;
};

/// What somebody who sees more than the op knows of its sizes, and of elements
/// of operands that say sizes: expressions of runtime variables, whose tensors
/// are numbers from `kOutside` on.
class SizeFacts {
 public:
  static constexpr int64_t kOutside = int64_t{1} << 40;
  struct Variable {
    RuntimeSource source;  ///< a size, or an element
    Interval bounds;
    std::vector<int64_t> index;  ///< of an element
  };
  virtual ~SizeFacts() = default;
  /// Equal forms are equal sizes.
  virtual const ExpressionTable &table() const = 0;
  virtual const Variable &variable(uint32_t runtime) const = 0;
  virtual std::optional<FormId> size(SizeRef ref) const = 0;
  virtual std::optional<FormId> element(
      int64_t operand, llvm::ArrayRef<int64_t> index) const = 0;
};

/// What the op's definition says. Requires verify(op).ok(), but for sizes that
/// contradict each other.
/// The rules refer to the op's descriptor.
SizeRules sizeRulesOf(OpView op);

/// Whether a size of the shape is open.
bool hasOpenSize(const ArrayShape &shape);
bool hasOpenSizes(const OpShapes &shapes);

/// Whether the family's maps of these leaves do not know where tensors end:
/// sizes are open, or attributes are operands.
bool mustBeCut(OpView op, int64_t result, int64_t operand);

/// Which sizes of an op's tensors are equal.
class OpSizes {
 public:
  /// What `op` looks at must outlive it.
  explicit OpSizes(OpView op);

  /// Errors where sizes that would be equal cannot be: two that are fixed, or a
  /// fixed one and a smaller bound.
  absl::Status verify() const;

  /// The size, where it is fixed; else its least bound, or kDynamicSize.
  int64_t value(SizeRef ref) const { return classOf(ref).size; }
  bool isFixed(SizeRef ref) const { return classOf(ref).fixed; }
  bool areEqual(SizeRef a, SizeRef b) const;
  /// The first of those that are equal to it, operands before results.
  SizeRef first(SizeRef ref) const;
  const SizeFacts *facts() const { return shapes_.facts.get(); }

  /// The shapes with what is known of their sizes.
  OpShapes known() const;

 private:
  OpSizes(const OpShapes &shapes, SizeRules rules);
  friend class SizeVariables;
  struct Class {
    int64_t size = kDynamicSize;
    bool fixed = false;
    std::optional<SizeRef> said;     ///< whose type says the size
    std::optional<SizeRef> operand;  ///< the first that has it
    const SizeFormula *formula = nullptr;
    std::optional<SizeRef> result;  ///< the first that has it
  };
  size_t node(SizeRef ref) const { return first_[ref.tensor] + ref.dimension; }
  size_t root(size_t node) const;
  const Class &classOf(SizeRef ref) const { return classes_[root(node(ref))]; }
  const ArrayShape &shape(int64_t tensor) const;
  void join(SizeRef a, SizeRef b);
  std::string disagreement(SizeRef ref, const Class &of) const;

  const OpShapes &shapes_;
  SizeRules rules_;
  llvm::SmallVector<size_t, 8> first_;
  mutable llvm::SmallVector<size_t, 16> parent_;
  std::vector<Class> classes_;
  absl::Status status_;
};

/// The sizes as expressions of a map that is being built. A variable is made
/// when it is first asked for.
class SizeVariables : public SizeContext {
 public:
  /// `least`: 1 where sizes divide, and none of them is a sum.
  SizeVariables(const OpSizes &sizes, IndexingMapBuilder &builder,
                int64_t least = 0)
      : sizes_(sizes), builder_(builder), least_(least) {}

  Expr constant(int64_t value) override { return builder_.constant(value); }
  std::optional<int64_t> valueOf(Expr expression) const override {
    return builder_.valueOf(expression);
  }
  Expr size(SizeRef ref) override;
  /// The same without what is known beside the op.
  Expr ownSize(SizeRef ref);
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override;
  /// The sizes and elements that are variables of the map already, of which the
  /// builder's variables have the numbers.
  void addAll(const IndexingMap &map);

 private:
  Expr variable(SizeRef ref, const OpSizes::Class &of);
  Expr sizeVariable(const RuntimeSource &source, Interval bounds);
  Expr elementVariable(int64_t tensor, std::vector<int64_t> index,
                       Interval bounds);
  Expr imported(FormId fact, Interval bounds);

  const OpSizes &sizes_;
  IndexingMapBuilder &builder_;
  const int64_t least_;
  std::map<size_t, Expr> made_;
  // By tensor, dimension and least value; by tensor and index.
  std::map<std::tuple<int64_t, int64_t, int64_t>, Expr> variables_;
  struct Element {
    Interval bounds;
    Expr made;
  };
  std::multimap<std::pair<int64_t, std::vector<int64_t>>, Element> elements_;
};

/// The relation of an op as its family gives it, cut to the elements that the
/// tensors have: an index stays below its size.
absl::StatusOr<IndexingRelation> withinSizes(const OpSizes &sizes,
                                             const IndexingRelation &relation,
                                             int64_t from, int64_t to);
/// The relation with each size named by the first tensor that has it.
IndexingRelation withFirstSizes(const OpSizes &sizes,
                                const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_OPS_SIZES_H

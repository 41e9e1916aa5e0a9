// Sizes that are not known: which of them are equal, and what they follow from.
//
// Each family says which sizes of its tensors its definition makes equal, and
// from what the others follow. For
//
//   concatenate(f32[?,4], f32[?,4]) -> f32[?,4], dimensions={0}
//     operand 0, dimension 1 = operand 1, dimension 1 = result, dimension 1
//     result, dimension 0 = operand 0, dimension 0 + operand 1, dimension 0
//
// A size is a number if it or a size that is equal to it is fixed. Else it is a
// runtime variable of the kind Size, of the first operand that has it. Else it
// is its formula: an expression of such variables and of elements of operands
// that say sizes. If it has no formula, it is a variable of the result itself.
// The map of operand 1 above:
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
#include "indexical/ops/size_classes.h"

namespace indexical {

/// A dimension of one of an op's tensors: its operand leaves, then its result
/// leaves.
struct SizeRef {
  int64_t tensor = 0, dimension = 0;
  bool operator==(const SizeRef &o) const {
    return tensor == o.tensor && dimension == o.dimension;
  }
};

/// Makes the parts of a formula: constants, sizes and elements.
class SizeContext {
 public:
  virtual ~SizeContext() = default;
  virtual Expr constant(int64_t value) = 0;
  /// Returns the value of the expression if it is a constant, else nothing.
  virtual std::optional<int64_t> valueOf(Expr expression) const = 0;
  virtual Expr size(SizeRef ref) = 0;
  /// Returns the value of an element of an operand, which is in the bounds if
  /// the op is valid.
  virtual Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
                       Interval bounds) = 0;
};

/// Returns the size, or nothing if it has no formula after all.
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

/// Known facts, from outside of the op, about its sizes and about elements of
/// operands that say sizes. They are expressions of runtime variables whose
/// tensors have numbers from `kOutside` on.
class SizeFacts {
 public:
  static constexpr int64_t kOutside = int64_t{1} << 40;
  struct Variable {
    RuntimeSource source;  ///< a size, or an element
    Interval bounds;
    std::vector<int64_t> index;  ///< of an element
  };
  virtual ~SizeFacts() = default;
  /// Returns the table of the facts' forms. Equal forms are equal sizes.
  virtual const ExpressionTable &table() const = 0;
  virtual const Variable &variable(uint32_t runtime) const = 0;
  virtual std::optional<FormId> size(SizeRef ref) const = 0;
  virtual std::optional<FormId> element(
      int64_t operand, llvm::ArrayRef<int64_t> index) const = 0;
};

/// Returns the rules of the op's definition, which refer to the op's
/// descriptor. Requires verify(op).ok(), but the sizes may contradict each
/// other.
SizeRules sizeRulesOf(OpView op);

/// Returns the size of a dimension, or nothing if it is open: its bound, if it
/// has one, is not its size.
std::optional<int64_t> sizeIfFixed(const ArrayShape &shape, int64_t dimension);
/// Returns whether a size of the shape is open.
bool hasOpenSize(const ArrayShape &shape);
bool hasOpenSizes(const OpShapes &shapes);

/// Returns whether the family's maps of these leaves must be cut to the
/// tensors' elements, because sizes are open or attributes are operands.
bool mustBeCut(OpView op, int64_t result, int64_t operand);

/// Which sizes of an op's tensors are equal.
class OpSizes {
 public:
  /// Finds which sizes of the op are equal. The descriptor that `op` views must
  /// outlive this.
  explicit OpSizes(OpView op);

  /// Returns an error if sizes that the rules make equal cannot be equal: two
  /// different fixed sizes, or a fixed size and a smaller bound.
  absl::Status verify() const;

  /// Returns the size if it is fixed, else its least bound, or kDynamicSize.
  int64_t value(SizeRef ref) const { return known(ref).size; }
  bool isFixed(SizeRef ref) const { return known(ref).fixed; }
  bool areEqual(SizeRef a, SizeRef b) const;
  /// Returns the first of the sizes that are equal to `ref`, operands before
  /// results.
  SizeRef first(SizeRef ref) const { return refs_[classOf(ref)]; }
  const SizeFacts *facts() const { return shapes_.facts.get(); }

  /// Returns the shapes, with each size replaced by its value().
  OpShapes known() const;

 private:
  OpSizes(const OpShapes &shapes, SizeRules rules);
  friend class SizeVariables;
  /// Returns the number of a size: operands before results.
  size_t node(SizeRef ref) const { return first_[ref.tensor] + ref.dimension; }
  size_t classOf(SizeRef ref) const { return classes_.first(node(ref)); }
  const KnownSize &known(SizeRef ref) const {
    return classes_.known(node(ref));
  }
  bool isOfOperand(SizeRef ref) const {
    return ref.tensor < static_cast<int64_t>(shapes_.operands.size());
  }
  const SizeFormula *formula(SizeRef ref) const {
    return formulas_[classOf(ref)];
  }
  const ArrayShape &shape(int64_t tensor) const;
  void join(SizeRef a, SizeRef b);
  std::string disagreement(SizeRef ref) const;

  const OpShapes &shapes_;
  SizeRules rules_;
  llvm::SmallVector<size_t, 8> first_;
  SizeClasses classes_;
  // By number; of a class, by that of its first size.
  std::vector<SizeRef> refs_;
  std::vector<SizeRef> said_;  ///< whose type says the size, or the size itself
  std::vector<const SizeFormula *> formulas_;
  absl::Status status_;
};

/// The sizes as expressions of a map that is being built. A variable is made
/// when it is first asked for.
class SizeVariables : public SizeContext {
 public:
  /// Makes the sizes as expressions of `builder`. `least` is the lower bound of
  /// the variables: 1 if sizes divide and none of them is a sum.
  SizeVariables(const OpSizes &sizes, IndexingMapBuilder &builder,
                int64_t least = 0)
      : sizes_(sizes), builder_(builder), least_(least) {}

  Expr constant(int64_t value) override { return builder_.constant(value); }
  std::optional<int64_t> valueOf(Expr expression) const override {
    return builder_.valueOf(expression);
  }
  Expr size(SizeRef ref) override;
  /// Returns the size as a number or as a variable of its own, without its
  /// formula and without facts from outside of the op.
  Expr ownSize(SizeRef ref);
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override;
  /// Makes size() and element() return the map's variables for the sizes and
  /// elements that they stand for. The builder must have variables with the
  /// same numbers.
  void addAll(const IndexingMap &map);

 private:
  Expr variable(SizeRef ref);
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

/// Returns the relation of an op as its family gives it, cut to the elements
/// that the tensors have: an index stays below its size.
absl::StatusOr<IndexingRelation> withinSizes(const OpSizes &sizes,
                                             const IndexingRelation &relation,
                                             int64_t from, int64_t to);
/// Returns the relation with each size named by the first tensor that has it.
IndexingRelation withFirstSizes(const OpSizes &sizes,
                                const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_OPS_SIZES_H

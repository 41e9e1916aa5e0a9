// Elements of arrays, interned: equal functions of the parameters have one
// number if a normal form shows that they are equal.
//
//   transpose(add(p, q))              element (i, j):  add(p[j, i], q[j, i])
//   add(transpose(q), transpose(p))   element (i, j):  the same number
//
// An element is an op on the elements that it reads. Ops that move elements
// leave no trace: they disappear into the maps by which arrays are read. The
// variables of a map are the indices of the result, and behind them the indices
// of reduced dimensions.
//
// The laws are rows of laws.h, the ring of integers (polynomial.h), and:
//
//   what is nested in and, or, xor, maximum and minimum is a set, or two equal
//   ones of xor vanish; floats' maximum and minimum are not nested so
//   narrow(wide(x)) is x, if the wider type holds every x; of a predicate,
//   wide(x) != 0 is x, and a maximum of wide ones is a wide `or`
//
// The table notes which laws it used, and when one of them dropped an operand.
//
// With FloatLaws::Real, floats are assumed to be real numbers: their sums and
// products are a ring, too, in which one can divide by a constant. Infinity and
// NaN are not numbers of the ring, nor is a value computed from them, or by an
// op that is not known to have a real value there: no law of the ring is used
// then (real_numbers.cc).
//
// Law (tests/same/values/module_values_test.cc): elements of one number are the
// same in every execution.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_TABLE_H
#define INDEXICAL_SAME_VALUES_ELEMENT_TABLE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interned.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/values/term_table.h"
#include "indexical/same/values/laws.h"
#include "indexical/same/values/polynomial.h"

namespace indexical {

struct Element {
  enum class Kind : uint8_t {
    Nothing,    ///< an element of an empty region
    Unknown,    ///< like no other
    Parameter,  ///< an array: leaf `leaf` of parameter `number` of the entry
    Computed,   ///< an array: result leaf `leaf` of `op` of whole arrays
    Known,      ///< an array: the term `number` of program/values/term_table.h;
                ///< `leaf` is 1 if it may not be a real number
    List,       ///< an array: a literal
    Read,       ///< the element of array operands[0] that maps[0] names
    Literal,    ///< a number, its bytes in `text`
    Index,      ///< the number that maps[0] gives
    Apply,      ///< `op`, with its shapes scalar, of the operands
    Sum,        ///< a polynomial
    Reduced,    ///< `op` over the last `number` variables of the regions maps
                ///< of the operands; one operand more is the initial value.
                ///< `leaf` is kMayBeEmpty of floats that may be of no number
    Cases,      ///< operands[k] in the region maps[k]
    Along,      ///< result leaf `leaf` of `op`, a function of whole lines: the
                ///< operands are functions of one variable more, in the region
                ///< maps[1]; maps[0] is the place of the result in its line
  };
  Kind kind = Kind::Unknown;
  ElementType type = ElementType::Unknown;
  Op op = Op::none();
  int64_t number = -1, leaf = -1;
  llvm::SmallVector<ElementId, 4> operands;
  llvm::SmallVector<IndexingMap, 1> maps;
  llvm::SmallVector<TermId, 2> functions;  ///< of Computed
  std::string text;

  /// The `number` of a Computed array, or of an Along, that may hold numbers
  /// that are not real.
  static constexpr int64_t kNotReal = -2;
  static constexpr int64_t kMayBeEmpty = 1;

  bool operator==(const Element &other) const;
  size_t hash() const;
};

class ScalarFunctions;

class ElementTable {
 public:
  static constexpr ElementId kNothing = 0;

  explicit ElementTable(FloatLaws floats);

  ElementId intern(Element element);
  /// Returns a new element that is like no other.
  ElementId unknown();
  ElementId read(ElementId array, ElementType type, const IndexingMap &map);
  /// Returns the number with these bytes, the least significant first.
  ElementId literal(ElementType type, llvm::StringRef bytes);
  /// Returns the number that the one result of the map is, of an integral type
  /// that holds all of its values, or of a float.
  ElementId index(ElementType type, const IndexingMap &map);
  /// Returns an op applied to operands. Requires scalar operands, and one
  /// scalar result.
  ElementId apply(const Op &op, llvm::ArrayRef<ElementId> operands);
  /// A piece of a reduction or of cases. reduced() returns the reduction of
  /// pieces by `op` over their last `variables` variables, begun with `init`.
  struct Piece {
    IndexingMap region;
    ElementId element;
    /// For a reduction: whether it has an element at each index (regions.h).
    bool isNeverEmpty = false;
  };
  ElementId reduced(const Op &op, int64_t variables,
                    llvm::ArrayRef<Piece> pieces,
                    std::optional<ElementId> init);
  ElementId cases(ElementType type, llvm::ArrayRef<Piece> pieces);
  /// Returns the number that the polynomial is. Requires a ring.
  ElementId sum(ElementType type, Polynomial polynomial) {
    return fromPolynomial(type, std::move(polynomial));
  }

  /// Returns whether the number changes nothing that is reduced by the op: 0 of
  /// a sum, the lowest of a maximum. A 0 of floats changes a sum of -0 alone.
  bool isNeutral(const Op &op, ElementId id) const;
  /// Returns the bytes of the number that changes nothing; empty if there is
  /// none, or if it is not known.
  static std::string neutralOf(const Op &op, ElementType type);
  /// Returns the text of a literal of these bytes.
  static std::string literalText(ElementType type, llvm::StringRef bytes);
  /// Returns the laws of laws.h that were used so far, by name.
  const std::set<std::string> &lawsUsed() const { return used_; }
  void noteLaw(llvm::StringRef name) { used_.insert(name.str()); }
  /// Returns the name of a law that dropped an operand since the last call, or
  /// "".
  std::string takeLost() { return std::exchange(lost_, ""); }
  /// Returns whether any law has dropped an operand.
  bool hasLost() const { return hasLost_; }

  /// Returns whether sums and products of the type have normal forms.
  bool isRing(ElementType type) const;
  /// Returns whether the element is known to be a real number, if the
  /// parameters are. True for all integers.
  bool isRealNumber(ElementId id) const { return isReal_[id]; }
  /// Returns whether the element depends on parameters at most through the
  /// indices of its reads.
  bool isConstant(ElementId id) const { return isConstant_[id]; }
  const Polynomial *polynomialOf(ElementId id) const;
  const Element &operator[](ElementId id) const { return elements_[id]; }
  size_t size() const { return elements_.size(); }
  /// Returns the integer that a literal of at most 64 bits is; nothing for any
  /// other element.
  std::optional<int64_t> integerOf(ElementId id) const;
  /// Returns the index that an integer literal is: a u64 from 2^63 on is
  /// larger than all, as INT64_MAX is.
  std::optional<int64_t> indexOf(ElementId id) const;
  FloatLaws floats() const { return floats_; }
  /// Returns the functions that elements run (scalar_functions.h).
  ScalarFunctions &functions();
  /// Returns them, or null if there are none.
  const ScalarFunctions *knownFunctions() const { return functions_.get(); }
  /// Returns the parameters of the entry that these elements read.
  std::set<ParameterLeaf> parametersOf(llvm::ArrayRef<ElementId> ids) const;
  /// Returns whether an array is unknown: a library call that reads nothing.
  bool isAnything(ElementId array) const;
  /// Returns whether the element may read such an array.
  bool readsAnything(ElementId id) const;
  /// Returns the polynomial that the element is, if only of itself.
  Polynomial asPolynomial(ElementId id) const;

 private:
  using Bindings = llvm::SmallVector<std::pair<char, ElementId>, 4>;
  bool match(const TermPattern &pattern, ElementId id, Bindings &bound);
  bool matchOperands(const TermPattern &pattern, llvm::ArrayRef<ElementId> ids,
                     Bindings &bound);
  std::optional<ElementId> instantiate(const TermPattern &pattern,
                                       ElementType type, const Bindings &bound);
  std::optional<ElementId> byLaws(const Op &op,
                                  llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> rootOf(ElementId id);
  std::optional<ElementId> folded(const Op &op,
                                  llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> converted(const Op &op, ElementId operand);
  // Of MLIR's ops, integers that change their width, and NaN (arith_ops.cc).
  std::optional<ElementId> ofArith(const Op &op,
                                   llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> resized(const Op &op, ElementId operand);
  std::optional<ElementId> comparedBefore(const Op &op,
                                          llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> ofNan(const Op &op,
                                 llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> truthOf(const Op &op,
                                   llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> asSet(const Op &op,
                                 llvm::ArrayRef<ElementId> operands);
  bool meetsNeeds(const Law &law, const Bindings &bound) const;
  std::optional<ElementId> complemented(ElementId id) const;
  void use(llvm::StringRef law, bool loses) {
    used_.insert(law.str());
    hasLost_ |= loses;
    if (loses) lost_ = law.str();
  }

  bool findIsReal(const Element &element) const;
  bool findIsConstant(const Element &element) const;
  bool isInfinity(ElementId id, bool negative) const;
  bool hasRealValue(const Element &element) const;
  Polynomial withJoinedExponents(ElementType type, Polynomial polynomial);
  ElementId fromPolynomial(ElementType type, Polynomial polynomial);
  std::optional<Polynomial> ringValue(const Op &op,
                                      llvm::ArrayRef<ElementId> operands) const;
  std::optional<ElementId> ringOp(const Op &op,
                                  llvm::ArrayRef<ElementId> operands);
  std::optional<ElementId> reducedTruths(const Op &op, int64_t variables,
                                         llvm::ArrayRef<Piece> pieces,
                                         std::optional<ElementId> init);
  ElementId reducedNode(const Op &op, int64_t variables,
                        llvm::ArrayRef<Piece> pieces,
                        std::optional<ElementId> init);

  /// Parameters, in their order. Elements share them.
  using Leaves = std::shared_ptr<const std::vector<ParameterLeaf>>;
  const Leaves &readsOf(ElementId id) const;
  void walk(llvm::ArrayRef<ElementId> ids,
            llvm::function_ref<void(ElementId)> take) const;

  const FloatLaws floats_;
  Interned<Element, ElementId> elements_;
  // By element. A constant depends on no parameter.
  std::vector<bool> isReal_, isConstant_;
  mutable std::vector<Leaves> reads_;  ///< of those that were asked for
  std::unordered_map<ElementId, Polynomial> polynomials_;
  int64_t unknowns_ = 0;
  std::set<std::string> used_;
  std::shared_ptr<ScalarFunctions> functions_;
  std::string lost_;
  bool hasLost_ = false;
};

/// Returns whether a literal has real numbers alone: no infinity and no NaN.
/// Conservative: false when unknown, that is for a literal of floats whose
/// value is not known or which is large, of which a descriptor has a hash, or
/// has 8 bits or fewer, or complex numbers.
bool hasRealNumbers(const ConstantOp &literal);

/// Returns whether an op of whole arrays gives real numbers for all real
/// numbers, if the functions that it calls do. Conservative: false for an op
/// that is not in a list of such ops.
bool keepsRealNumbers(const Op &op);

/// Returns the op with scalars of the same element types for all shapes,
/// without layouts; its attributes stay. If it is elementwise, it then computes
/// one element.
Op scalarOp(const Op &op);

/// Returns the elementwise op of that name on scalars of these types.
Op elementwiseOp(llvm::StringRef name, llvm::ArrayRef<ElementType> operands,
                 ElementType result);
/// Returns the comparison with that direction of two scalars of the type.
Op comparisonOp(llvm::StringRef direction, ElementType type);
/// Returns whether every number of `from` is one of `to`, so that a conversion
/// is exact.
bool isExactConversion(ElementType from, ElementType to);
/// The configuration of the op of a reduction that keeps the order of its
/// numbers begins so: it is the same as one with the same numbers in the same
/// order alone.
inline constexpr llvm::StringLiteral kKeepsOrder = "as a loop ";
/// Returns whether the op keeps that order (keepsOrder), or the op without that
/// mark.
bool keepsOrder(const Op &op);
/// Returns the op without that mark.
Op withoutOrder(const Op &op);
/// Returns the name by which laws know the op: that of its kind, or of a
/// comparison its direction; "" if it says more than that.
llvm::StringRef lawName(const Op &op);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_TABLE_H

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
// These laws hold for all values, and are always used:
//
//   add and multiply commute, integers' and, or, xor, maximum, minimum too
//   integers are a ring modulo 2 to their width (polynomial.h)
//   select(c, x, x) is x, select on a constant is what it chooses
//   what is reduced over several dimensions is so in any order of these
//
// With FloatLaws::Real, floats are assumed to be real numbers: their sums and
// products are a ring, too, in which one can divide by a constant. Infinity and
// NaN are no numbers of it, nor is what is computed of them, or by an op that
// is not known to have a real value there: no law of the ring is used then
// (real_numbers.cc).
//
// Law (tests/analysis/module_values_test.cc): elements of one number are the
// same in every execution.
#ifndef INDEXICAL_ANALYSIS_VALUES_ELEMENT_TABLE_H
#define INDEXICAL_ANALYSIS_VALUES_ELEMENT_TABLE_H

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/values/polynomial.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/op.h"
#include "indexical/values/term_table.h"

namespace indexical {

/// The laws that are assumed of floats.
enum class FloatLaws : uint8_t {
  None,  ///< except that add and multiply commute
  Real,  ///< those of real numbers
};

struct Element {
  enum class Kind : uint8_t {
    Nothing,    ///< an element of an empty region
    Unknown,    ///< like no other
    Parameter,  ///< an array: leaf `leaf` of parameter `number` of the entry
    Computed,   ///< an array: result leaf `leaf` of `op` of whole arrays
    Known,      ///< an array: the term `number` of values/term_table.h; `leaf`
                ///< is 1 if it may be no real number
    List,       ///< an array: a literal
    Read,       ///< the element of array operands[0] that maps[0] names
    Literal,    ///< a number, its bytes in `text`
    Index,      ///< the number that maps[0] gives
    Apply,      ///< `op`, with its shapes scalar, of the operands
    Sum,        ///< a polynomial
    Reduced,    ///< `op` over the last `number` variables of the regions maps
                ///< of the operands; one operand more is the initial value
    Cases,      ///< operands[k] in the region maps[k]
  };
  Kind kind = Kind::Unknown;
  ElementType type = ElementType::Unknown;
  Op op = Op::none();
  int64_t number = -1, leaf = -1;
  llvm::SmallVector<ElementId, 4> operands;
  llvm::SmallVector<IndexingMap, 1> maps;
  llvm::SmallVector<TermId, 2> functions;  ///< of Computed
  std::string text;

  /// The `number` of a Computed array that may hold what is no real number.
  static constexpr int64_t kNotReal = -2;

  bool operator==(const Element &other) const;
  size_t hash() const;
};

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
  /// Returns an op applied to operands. Requires scalar operands, and one
  /// scalar result.
  ElementId apply(const Op &op, llvm::ArrayRef<ElementId> operands);
  /// A piece of a reduction or of cases. reduced() returns the reduction of
  /// pieces by `op` over their last `variables` variables, begun with `init`.
  struct Piece {
    IndexingMap region;
    ElementId element;
  };
  ElementId reduced(const Op &op, int64_t variables,
                    llvm::ArrayRef<Piece> pieces,
                    std::optional<ElementId> init);
  ElementId cases(ElementType type, llvm::ArrayRef<Piece> pieces);

  /// Whether sums and products of the type have normal forms.
  bool isRing(ElementType type) const;
  /// Whether the element is known to be a real number, if the parameters are.
  /// True of all integers.
  bool isRealNumber(ElementId id) const { return isReal_[id]; }
  const Polynomial *polynomialOf(ElementId id) const;
  const Element &operator[](ElementId id) const { return elements_[id]; }
  size_t size() const { return elements_.size(); }
  /// Returns the integer that a literal of at most 64 bits is; nothing for any
  /// other element.
  std::optional<int64_t> integerOf(ElementId id) const;

 private:
  bool findIsReal(const Element &element) const;
  bool findIsConstant(const Element &element) const;
  bool isInfinity(ElementId id, bool negative) const;
  bool hasRealValue(const Element &element) const;
  Polynomial asPolynomial(ElementId id) const;
  ElementId fromPolynomial(ElementType type, Polynomial polynomial);
  std::optional<Polynomial> ringValue(const Op &op,
                                      llvm::ArrayRef<ElementId> operands) const;
  std::optional<ElementId> ringOp(const Op &op,
                                  llvm::ArrayRef<ElementId> operands);
  ElementId reducedNode(const Op &op, int64_t variables,
                        llvm::ArrayRef<Piece> pieces,
                        std::optional<ElementId> init);

  const FloatLaws floats_;
  std::deque<Element> elements_;
  // By element. A constant depends on no parameter.
  std::vector<bool> isReal_, isConstant_;
  std::unordered_multimap<size_t, ElementId> byHash_;
  std::unordered_map<ElementId, Polynomial> polynomials_;
  int64_t unknowns_ = 0;
};

/// Whether a literal has real numbers alone: no infinity and no NaN. False of a
/// literal of floats that is not known, is large, of which a descriptor has a
/// hash, or has 8 bits or fewer, or complex numbers.
bool hasRealNumbers(const ConstantOp &literal);

/// Whether an op of whole arrays gives real numbers for all real numbers, if
/// the functions do that it calls. False of what is not in a list of such ops.
bool keepsRealNumbers(const Op &op);

/// Returns the op with scalars of the same element types for all shapes,
/// without layouts; its attributes stay. If it is elementwise, it then computes
/// one element.
Op scalarOp(const Op &op);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_ELEMENT_TABLE_H

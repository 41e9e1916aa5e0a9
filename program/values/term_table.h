// Terms: what the leaves of programs compute. One table interns the terms of as
// many programs as are added to it.
//
//   a = f32[4] add(p, q)        term 3: add of terms 1 and 2
//   b = f32[4] add(q, p)        term 3, for an add's operands have an order
//   c = f32[4] subtract(q, p)   term 4
//
// A leaf has two terms. Its *value* says what is computed: leaves of one value
// hold the same numbers in every execution. Its *reads* say which elements of
// the parameters it depends on, as far as this follows without a map:
// `add(p, q)` and `subtract(p, q)` both read the union of what p and q read,
// element by element. If reads depend on values, as those of a gather do, the
// values are part of them. An op that moves elements is a map, and maps of maps
// are composed: `reshape(reshape(p))` is p, and a transpose of a sum reads what
// the transposes of the sum's parts read.
//
// Equal reads mean equal relations, element by element; unequal terms mean
// nothing.
//
// Integers are those of their type's width, where sums wrap: add(x, 255) and
// subtract(x, 1) of u8 are one value, a sum of multiples and a number.
//
// An execution that gives something new every time (rng, infeed) is a symbol:
// an op with a number, so that two of a program are different. So is a literal
// that the text leaves out.
#ifndef INDEXICAL_PROGRAM_VALUES_TERM_TABLE_H
#define INDEXICAL_PROGRAM_VALUES_TERM_TABLE_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interned.h"
#include "indexical/indexing/relation.h"
#include "indexical/indexing/sparse_polynomial.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

using TermId = int32_t;

struct ValueTerm {
  enum class Kind : uint8_t {
    Nothing,    ///< reads: no parameter at all
    Parameter,  ///< leaf `leaf` of parameter `number` of the entry
    Argument,   ///< the same of a function
    Op,         ///< value: result leaf `leaf` of `op` of the operands
    Symbol,     ///< as Op, new in every execution: the `number`-th of its kind
    Unknown,    ///< a value that is like no other
    Function,   ///< what a computation gives, of its arguments
    Order,      ///< tokens: what comes before
    Sum,        ///< integers: multiples of the operands and a number
    Move,       ///< the operand's element that a map names
    Through,    ///< reads: what the operand's elements read that maps name
    Reads,      ///< reads: as `op` of the operands, steered by values
    Union,      ///< reads: at each index what all of the operands read there
    Tuple,      ///< all operands of an op with several results, of either kind
  };
  Kind kind = Kind::Unknown;
  Op op = Op::none();
  int64_t number = -1, leaf = -1;
  llvm::SmallVector<TermId, 4> operands;
  /// The values on which reads depend. Terms of both kinds also have functions
  /// and tokens here.
  llvm::SmallVector<TermId, 2> steering;
  std::string text;  ///< what else distinguishes it

  bool operator==(const ValueTerm &other) const;
  size_t hash() const;
  /// Returns whether the term is one of an op of unknown meaning.
  bool isOpaque() const;
  /// Returns whether the maps of its op can contain more than the op reads.
  /// Those of an instruction may be exact all the same, where values are known.
  bool canBeCovered() const;
};

/// Multiples of values and a number, modulo 2 to a type's width.
using IntegerSum = SparsePolynomial<FactorLists<TermId, 1>, Residues>;

class TermTable {
 public:
  /// Number 0 reads nothing.
  static constexpr TermId kNothing = 0;

  TermTable();
  TermId intern(ValueTerm term) { return terms_.intern(std::move(term)).first; }
  /// Returns a new value that is like no other.
  TermId unknown();
  /// Returns the operands as each result of an op with so many results has
  /// them: one Tuple of them, or the operands themselves. A loop that carries
  /// thousands of arrays would list all of them for each.
  llvm::SmallVector<TermId, 4> shared(llvm::ArrayRef<TermId> operands,
                                      size_t results);
  /// Returns the operands of the op of a value.
  llvm::ArrayRef<TermId> operandsOf(const ValueTerm &value) const;
  /// Returns the term of moved elements: at each index of the shape, the
  /// element of `term` that the map names. The map is simplified and has no
  /// ranges. Moves of moves are composed, and the parts of a union are moved
  /// one by one.
  TermId moved(const IndexingMap &map, const ArrayShape &shape, TermId term);
  /// Returns what those elements of `term` read that the relation names for
  /// each index of the shape. The relation is exact and simplified.
  TermId through(const IndexingRelation &relation, const ArrayShape &shape,
                 TermId term);
  /// Returns the term that reads, at each index, what all of the parts read
  /// there. Parts that read nothing are left out. The union of one part is that
  /// part, and the union of none is kNothing.
  TermId unionOf(llvm::SmallVector<TermId, 4> parts);
  /// Returns the sum, of elements of the shape's type. One value times 1 is the
  /// value.
  TermId sumOf(const ArrayShape &shape, const IntegerSum &sum);
  /// Returns the value as a sum of that shape.
  IntegerSum sumIn(const ArrayShape &shape, TermId term) const;
  /// Returns the map of a Move.
  const IndexingMap &mapOf(TermId move) const { return maps_.at(move); }
  const ValueTerm &operator[](TermId id) const { return terms_[id]; }
  size_t size() const { return terms_.size(); }

 private:
  Interned<ValueTerm, TermId> terms_;
  std::unordered_map<TermId, IndexingMap> maps_;
  std::unordered_map<TermId, IntegerSum> sums_;
  int64_t unknowns_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_TERM_TABLE_H

// The terms of cells.
//
//   add(x, y) of f32       x + y, a polynomial
//   add(x, y) of u8        x + y, a polynomial modulo 256
//   maximum(x, maximum(y, x))   the set {x, y}
//   convert(x)             a function of x and of both types, if it rounds
//   sort(x, y), by LT      a function of [x, y] and of what LT returns
//
// An op that is none of a ring or of a lattice is a function of all that it
// reads, in order, and of its identity: kind, configuration, fields, types,
// what its functions return as terms of their arguments; and, but for the
// dimensions along which it does the same thing everywhere (`batch`), its sizes
// and the place of the element. Two terms with one number (term_numbers.h) are
// one function, where floats are real numbers. What may be no real number (of
// `log`, `sqrt`, `exponential`, a quotient…) is added and multiplied in any
// order, but cancels nowhere.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERMS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERMS_H

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"
#include "tests/same/partitioned/runs/cells.h"

namespace indexical {

/// An op's result, prepared for the terms of its elements.
struct OpTerm {
  enum class Form : uint8_t {
    Moved,        ///< the one element that it reads
    Elementwise,  ///< what it makes of one element of each operand
    Folded,       ///< the fold of all that it reads by `fold`
    Function,     ///< a function of all that it reads
  };
  Form form = Form::Function;
  Op op = Op::none();
  int64_t result = 0;
  ElementType type;
  /// Whether it is an op of HLO or StableHLO that says no more than its kind
  /// does: laws hold of it.
  bool isPlain = true;
  llvm::StringRef fold;
  /// Dimensions of the result along which it does the same thing everywhere.
  uint64_t batch = 0;
  TermNumber identity;
};

class Terms {
 public:
  explicit Terms(ElementSets &sets) : sets_(sets) {}

  /// Returns the fold (`add`, `multiply`, `maximum`, `minimum`, `and`, `or`) by
  /// an op of that name on elements of the type: one that is a ring's or a
  /// lattice's, so that order does not count. Returns nothing if there is none.
  static llvm::StringRef foldOf(llvm::StringRef name, ElementType type);
  /// Returns whether the functions that an op calls say what it makes of its
  /// operands. `fold` is its reducer's, or empty.
  static bool takesFunctions(const Instruction &of, const Op &op,
                             llvm::StringRef fold);

  /// Prepares an op's result. `functions` are the terms that its functions
  /// return.
  OpTerm prepare(const Instruction &of, const Op &op, int64_t result,
                 llvm::StringRef fold, llvm::ArrayRef<TermNumber> functions);
  /// Returns the cell of a result's element. `reads[k]` are the cells of
  /// operand leaf k, in the order of their places.
  DeviceCell of(const OpTerm &term, llvm::ArrayRef<int64_t> index,
                llvm::ArrayRef<std::vector<const DeviceCell *>> reads);
  /// Returns the fold of cells. Requires a fold of the type.
  DeviceCell folded(llvm::StringRef fold, ElementType type,
                    llvm::ArrayRef<const DeviceCell *> cells);
  /// Returns a cell as a number of another type, by `convert`. Its value is
  /// followed between integers, and between floats.
  static DeviceCell converted(const DeviceCell &cell, ElementType from,
                              ElementType to);
  /// Returns the sum of products of cells of the type.
  DeviceCell sumOfProducts(
      ElementType type,
      llvm::ArrayRef<std::pair<const DeviceCell *, const DeviceCell *>> pairs);

 private:
  TermNumber identityOf(const Instruction &of, const OpTerm &term,
                        llvm::ArrayRef<TermNumber> functions);
  DeviceCell elementwise(const OpTerm &term,
                         llvm::ArrayRef<const DeviceCell *> cells);
  DeviceCell function(const OpTerm &term, llvm::ArrayRef<int64_t> index,
                      llvm::ArrayRef<std::vector<const DeviceCell *>> reads);
  TermNumber foldedNumber(llvm::StringRef fold, ElementType type,
                          llvm::ArrayRef<const DeviceCell *> cells);
  /// Returns the number of a product, which laws of rings change only if all
  /// cells are real numbers.
  TermNumber productNumber(ElementType type,
                           llvm::ArrayRef<const DeviceCell *> cells);
  static TermNumber negatedNumber(const DeviceCell &cell, ElementType type);
  TermNumber meet(llvm::StringRef fold, ElementType type,
                  llvm::ArrayRef<const DeviceCell *> cells);

  ElementSets &sets_;
  /// An op of each class of ops that are one function of what they read.
  std::unordered_multimap<size_t, size_t> byHash_;
  std::vector<OpTerm> known_;
  /// The members of terms of lattices, by the term's first number.
  struct Lattice {
    TermNumber number;
    llvm::StringRef fold;
    ElementType type;
    std::vector<TermNumber> members;
  };
  std::unordered_map<uint64_t, Lattice> lattices_;
  int64_t keptMembers_ = 0;
  /// The products that numbers of their own stand for, by the first of these.
  std::unordered_map<uint64_t, std::pair<TermNumber, TermNumber>> products_;
};

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERMS_H

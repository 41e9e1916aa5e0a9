// Constraints as polynomials of variables and quotients, for the prover of
// sizes: private to simplifier/.
//
//   d0 mod rt0 in [0, 5]      d0 - rt0 * q >= 0, rt0 * q - d0 + 5 >= 0
//                             q is d0 floordiv rt0: rt0 * q + rt0 - 1 - d0 >= 0
//
// A quotient is made canonical before it is an atom: common factors and
// multiples of the divisor go out, a quotient of a quotient is one, and a rest
// that is known to be less than the divisor vanishes. All of that needs a
// divisor that is shown to be at least 1; another quotient is an atom without
// known properties. A variable that an equation gives is replaced.
//
// Law (tests/simplifier/size_prover_test.cc, by enumeration): each row is at
// least 0 at every point of the constraints.
#ifndef INDEXICAL_SIMPLIFIER_SIZE_ATOMS_H
#define INDEXICAL_SIMPLIFIER_SIZE_ATOMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/packed_polynomial.h"
#include "indexical/simplifier/size_rows.h"

namespace indexical {

class SizeAtoms {
 public:
  /// Reads the forms of `table`. Touched coefficients are taken from `work`.
  SizeAtoms(const ExpressionTable &table,
            llvm::function_ref<Interval(VariableId)> boundsOf, int64_t &work)
      : table_(table), boundsOf_(boundsOf), work_(&work) {}
  /// Copies all that is known. The copy takes what it touches from its own
  /// `work`.
  SizeAtoms(const SizeAtoms &other, int64_t &work) : SizeAtoms(other) {
    work_ = &work;
  }

  /// Adds the constraints, solves their equations, and makes their rows.
  void addGivens(llvm::ArrayRef<Constraint> givens);
  /// Returns the rows of another constraint, which may be false.
  std::vector<SizeRow> rowsOf(const Constraint &constraint, SizeReason reason);

  /// Returns all rows that are known: of the constraints, bounds and quotients.
  llvm::ArrayRef<SizeRow> rows() const { return rows_; }
  /// Returns the divisors of quotients, which are at least 1.
  llvm::ArrayRef<PackedPolynomial> divisors() const { return divisors_; }
  bool isQuotient(PackedAtom atom) const;
  /// Returns the number of atoms; they are counted from 1.
  unsigned count() const { return atoms_.size(); }

  /// Returns the polynomial as a form of the variables.
  FormId form(ExpressionPool &pool, const PackedPolynomial &sum) const;
  /// Calls `visit` with each variable that an equation gave, and its value.
  void forSolved(llvm::function_ref<void(VariableId, const PackedPolynomial &)>
                     visit) const;

 private:
  enum class Kind : uint8_t {
    Variable,
    Quotient,   ///< a floordiv b, with b at least 1
    Forgotten,  ///< that, but an equation solved it: an integer
    Part,       ///< the integer (a floordiv b), where a mod b is 0
    OpaqueQuotient,
    OpaqueRemainder,
  };
  struct Atom {
    Kind kind;
    VariableId variable;
    PackedPolynomial a, b;
  };
  using Sum = std::optional<PackedPolynomial>;

  SizeAtoms(const SizeAtoms &) = default;

  void restart();
  Sum polynomial(FormId form);
  Sum ofAtom(AtomId id);
  Sum variable(VariableId id);
  Sum quotient(PackedPolynomial a, PackedPolynomial b);
  Sum remainder(const PackedPolynomial &a, const PackedPolynomial &b);
  Sum opaque(Kind kind, const PackedPolynomial &a, const PackedPolynomial &b);
  void cancelCommonFactors(PackedPolynomial &a, PackedPolynomial &b);
  Sum quotientOfQuotient(const PackedPolynomial &rest,
                         const PackedPolynomial &b);
  Sum quotientAtom(const PackedPolynomial &a, const PackedPolynomial &b);
  void addAxioms(PackedAtom atom);
  void addFloors(PackedAtom lower, PackedAtom upper);
  std::optional<PackedAtom> find(Kind kind, const PackedPolynomial &a,
                                 const PackedPolynomial &b) const;
  std::optional<PackedAtom> newAtom(Atom atom);

  void addRow(const Sum &sum, SizeReason reason);
  bool isShown(const PackedPolynomial &sum);
  bool isAtLeast(const PackedPolynomial &sum, int64_t least);
  std::optional<int64_t> leastByBounds(const PackedPolynomial &sum) const;

  bool solveOne(llvm::ArrayRef<Constraint> givens);
  bool solve(const PackedPolynomial &equation);
  bool replace(PackedAtom atom, const PackedPolynomial &value);
  bool restsOn(PackedAtom atom, PackedAtom other) const;
  bool mayBeSolved(const PackedPolynomial &equation, PackedAtom atom) const;

  const ExpressionTable &table_;
  llvm::function_ref<Interval(VariableId)> boundsOf_;
  int64_t *work_;
  std::vector<Atom> atoms_;  ///< number i is atom i + 1
  std::vector<std::pair<PackedAtom, PackedPolynomial>> solved_;
  std::vector<SizeRow> kept_;  ///< of quotients that are forgotten
  std::vector<SizeRow> rows_;
  std::vector<PackedPolynomial> divisors_;
  /// Quotients and variables that have their axioms among the rows.
  std::vector<PackedAtom> inUse_;
  std::vector<Sum> equations_;  ///< what is 0, for each given
  std::map<FormId, Sum> known_;
  std::map<AtomId, Sum> knownAtoms_;
  std::vector<PackedPolynomial> shown_;  ///< are at least 0
  std::vector<PackedPolynomial> notShown_;
  size_t notShownRows_ = 0;  ///< the number of rows when they were not
  int depth_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_ATOMS_H

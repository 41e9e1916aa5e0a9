// A prover for symbolic sizes.
//
//   a in [1, inf], b in [1, inf], c in [1, inf], a - b * c in [-inf, -1]
//     implies a floordiv b - c in [-inf, -1]
//   d0 in [0, inf], rt0 in [1, inf], d0 mod rt0 - rt0 in [0, inf]
//     has no point
//
// It shows that constraints have no point, also where sizes are products,
// divisors and moduli. A claim is shown by refuting its contrary. It never says
// that there is a point. Proofs are about all integers; nothing is evaluated.
//
//  1. Constraints become polynomials of variables and quotients (size_atoms.h).
//     Equations are solved.
//  2. Facts about bounds and quotients become rows. A simplex looks for a
//     sum of rows that is a negative constant (size_simplex.h).
//  3. Rows are multiplied by bounds, and the simplex is asked again
//     (size_rows.h).
//  4. Two cases are looked at, of which one is true: a form is negative or not.
//
// All goes in the order of structure, so that an answer depends on nothing but
// the question. The work is counted, and a number that leaves 64 bits gives up.
//
// Law (tests/simplifier/size_prover_test.cc, by enumeration): a refuted
// question has no point. A smaller budget changes an answer only to "not
// shown".
#ifndef INDEXICAL_SIMPLIFIER_SIZE_PROVER_H
#define INDEXICAL_SIMPLIFIER_SIZE_PROVER_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/prover.h"
#include "indexical/simplifier/size_certificate.h"

namespace indexical {

/// Constraints on forms of a table, and bounds of their variables.
struct SizeQuestion {
  const ExpressionTable &table;
  llvm::function_ref<Interval(VariableId)> boundsOf;
  llvm::ArrayRef<Constraint> givens;
};

struct SizeBudget {
  /// Coefficients that may be touched, at about 10 ns each.
  int64_t operations = 50'000;
  /// Whether cases are looked at.
  bool cases = true;
};

/// Returns whether it is proven that no integers satisfy all bounds and
/// constraints. If so, and `certificate` is not null, it receives the proof.
bool sizesRefute(const SizeQuestion &question, const SizeBudget &budget = {},
                 SizeCertificate *certificate = nullptr);

/// Returns whether it is proven that `claim` holds wherever the constraints do.
/// Each side of its bounds is a question of its own, with the whole budget.
/// `certificates`, if not null, receives a proof for each side.
bool sizesImply(const SizeQuestion &question, const Constraint &claim,
                const SizeBudget &budget = {},
                std::vector<SizeCertificate> *certificates = nullptr);

/// Returns whether `holds` says so of each atom inside the form. It is asked
/// once of each, however often the form's text would name it.
bool allAtoms(const ExpressionTable &table, FormId form,
              llvm::function_ref<bool(const Atom &)> holds);

/// Returns whether a form names a product, a quotient or a remainder of
/// variables. The prover is for such forms, others have better ones.
bool namesSizes(const ExpressionTable &table, FormId form);

/// Returns how many questions were asked on this thread.
int64_t sizeQuestions();

/// The prover of sizes as one that code takes. It cannot take maps apart.
class SizeProver final : public Prover {
 public:
  explicit SizeProver(const SizeBudget &budget = {}) : budget_(budget) {}
  bool isEmpty(const IndexingMap &map) override;
  std::optional<IndexingRelation> difference(
      const IndexingMap &, const IndexingRelation &) override {
    return std::nullopt;
  }

 private:
  SizeBudget budget_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_PROVER_H

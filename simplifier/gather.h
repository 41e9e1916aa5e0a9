// The digits of one parent, gathered.
//
//   4 * ((P floordiv 4) mod 2) + P mod 4                    digits of P
//   = 4*floor(P/4) - 8*floor(P/8) + P - 4*floor(P/4)        their floors
//   = P - 8*floor(P/8)                                      telescoped
//   = P mod 8                                               one digit
//
// Law (tests/simplifier/canonical_form_test.cc, by enumeration): what is
// gathered has the form's values; what is left in turns has them but for whole
// turns.
#ifndef INDEXICAL_SIMPLIFIER_GATHER_H
#define INDEXICAL_SIMPLIFIER_GATHER_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"

namespace indexical {

class CanonicalForms;

/// The digits of one parent in a sum.
struct Siblings {
  FormId parent;
  llvm::SmallVector<AtomId, 4> digits;
};
llvm::SmallVector<Siblings, 4> siblingsIn(const ExpressionTable &table,
                                          llvm::ArrayRef<Term> terms);

class Gathering {
 public:
  Gathering(CanonicalForms &forms, ExpressionPool &pool)
      : forms_(forms), pool_(pool) {}

  FormId operator()(FormId form);
  /// The sum, gathered, but not searched, though it may have been elsewhere:
  /// what is made of it must not depend on that.
  FormId sum(llvm::ArrayRef<ScaledForm> parts, int64_t constant);
  /// The form with `parts` in place of the terms `without`; as it is where that
  /// leaves 64 bits.
  FormId replaced(FormId form, llvm::ArrayRef<AtomId> without,
                  llvm::ArrayRef<ScaledForm> parts);
  /// k * (P floordiv s) as k/s * (P - r), where P is known to be r mod s.
  FormId dividedExactly(FormId form);
  /// What is left of the form where multiples of the period do not count: (d0
  /// mod 2) * 6 is d0 * 6 in steps of 4. Digits of one parent become fewer only
  /// where it `merges` them.
  FormId withoutTurns(FormId form, int64_t period, bool merges);

 private:
  FormId once(FormId form);
  bool standsAlone(FormId form, const Siblings &family) const;
  bool gatherParent(const Siblings &family, llvm::SmallVectorImpl<Term> &terms,
                    llvm::SmallVectorImpl<ScaledForm> &parts,
                    int64_t period = 0);
  void takeTurns(llvm::SmallVectorImpl<Term> &terms, int64_t period,
                 llvm::SmallVectorImpl<ScaledForm> &parts);

  CanonicalForms &forms_;
  ExpressionPool &pool_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_GATHER_H

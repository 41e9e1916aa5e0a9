// The digits of one parent, gathered.
//
//   4 * ((P floordiv 4) mod 2) + P mod 4                    digits of P
//   = 4*floor(P/4) - 8*floor(P/8) + P - 4*floor(P/4)        their floors
//   = P - 8*floor(P/8)                                      telescoped
//   = P mod 8                                               one digit
//
// Law (tests/simplifier/canonical_form_test.cc, by enumeration): a gathered
// form has the form's values; withoutTurns() keeps them modulo the period.
#ifndef INDEXICAL_SIMPLIFIER_GATHER_H
#define INDEXICAL_SIMPLIFIER_GATHER_H

#include <cstddef>
#include <cstdint>
#include <optional>

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

/// The parents whose digits change, in rounds. In each round but the first,
/// these are less than the greatest one of the round before: the form is less
/// (form_order.h), or as great, and its digits are of fewer floors. That ends
/// the rounds. A digit becomes digits of lesser parents, or it stays.
class FallingParents {
 public:
  explicit FallingParents(CanonicalForms &forms) : forms_(forms) {}

  /// Returns whether the digits of the parent, which are of so many floors, may
  /// change in this round.
  bool take(FormId parent, size_t floors);
  void nextRound();

 private:
  struct Taken {
    FormId parent;
    size_t floors;
  };
  CanonicalForms &forms_;
  bool isFirst_ = true;
  llvm::SmallVector<Taken, 4> before_, taken_;
};

class Gathering {
 public:
  Gathering(CanonicalForms &forms, ExpressionPool &pool)
      : forms_(forms), pool_(pool) {}

  FormId operator()(FormId form);
  /// Returns the sum, gathered but not searched, even if it was searched
  /// before: forms composed of it must not depend on that.
  FormId sum(llvm::ArrayRef<ScaledForm> parts, int64_t constant);
  /// Returns the form with `parts` in place of the terms `without`, or the form
  /// itself if that leaves 64 bits.
  FormId replaced(FormId form, llvm::ArrayRef<AtomId> without,
                  llvm::ArrayRef<ScaledForm> parts);
  /// Writes k * (P floordiv s) as k/s * (P - r) if P is known to be r mod s.
  FormId dividedExactly(FormId form);
  /// Returns a form that equals `form` modulo the period: (d0 mod 2) * 6
  /// becomes d0 * 6 if the period is 4. With `merges`, digits of one parent may
  /// be merged.
  FormId withoutTurns(FormId form, int64_t period, bool merges);

 private:
  FormId once(FormId form, FallingParents &parents);
  bool standsAlone(FormId form, const Siblings &family) const;
  std::optional<size_t> gatherParent(const Siblings &family,
                                     llvm::SmallVectorImpl<Term> &terms,
                                     llvm::SmallVectorImpl<ScaledForm> &parts,
                                     int64_t period = 0);
  void takeTurns(llvm::SmallVectorImpl<Term> &terms, int64_t period,
                 FallingParents &parents,
                 llvm::SmallVectorImpl<ScaledForm> &parts);

  CanonicalForms &forms_;
  ExpressionPool &pool_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_GATHER_H

// Joins digits of one index that have different parents.
//
// Each digit is made minimal by itself, so two digits of one index may have
// different parents. They are joined if a common parent can be found:
//
//   ((d0 * 12 + d1 * 6 + d2) floordiv 4) mod 3   is  (d1 * 6 + d2) floordiv 4,
//   and (d0 * 12 + d1 * 6 + d2) mod 4            is  (d1 * 2 + d2) mod 4:
//   (d1 * 2 + d2) mod 4 + ((d1 * 6 + d2) floordiv 4) * 4
//                                                is  d1 * 6 + d2
//
// A digit depends on its parent only modulo its own period, and the digit above
// does not depend on anything that stays below a step of its own. So the common
// parent of a low digit of P and a high one of Q, whose periods meet, is a
// multiple of Q and a rest that cannot carry, if that sum equals P up to whole
// turns.
//
// Law (tests/simplifier/canonical_form_test.cc, by enumeration): a joined form
// has the values of its parts.
#ifndef INDEXICAL_SIMPLIFIER_JOIN_H
#define INDEXICAL_SIMPLIFIER_JOIN_H

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/DenseMap.h"

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/measures.h"

namespace indexical {

class CanonicalForms;

class Joins {
 public:
  Joins(CanonicalForms &forms, ExpressionPool &pool)
      : forms_(forms), pool_(pool) {}
  /// Forgets all it knew, keeps the memory.
  void restart();

  /// Returns low + carry * high as one digit if they are digits of one parent,
  /// one above the other. Requires low in [0, carry). With `byTurns`, the
  /// parents may also differ by whole turns of the low digit inside one
  /// coefficient.
  std::optional<Cut> joined(const Cut &low, int64_t carry, const Cut &high,
                            bool byTurns = false);
  /// Returns the form as one digit of one parent, found from its smallest term
  /// up.
  std::optional<Cut> joinedAll(FormId form);
  /// Returns low + ratio * high as one digit and a constant, if they can be
  /// joined. Requires low in [0, |ratio|).
  std::optional<FormId> united(AtomId low, AtomId high, int64_t ratio);

 private:
  int64_t reflect(Cut &cut);
  bool staysInside(FormId form);
  bool mayJoin(const Cut &low, int64_t carry, const Cut &high);
  std::optional<FormId> rest(FormId all, const Cut &part, int64_t factor,
                             int64_t turn, int64_t room, bool byTurns);
  struct CutTerm;
  struct JoinedTerms;
  bool sortTerms(FormId form, JoinedTerms &soFar);
  std::optional<Cut> added(const JoinedTerms &soFar, const CutTerm &term);
  std::optional<Cut> stacked(FormId form);

  CanonicalForms &forms_;
  ExpressionPool &pool_;
  /// The results of united().
  llvm::DenseMap<std::pair<std::pair<AtomId, AtomId>, int64_t>,
                 std::optional<FormId>>
      united_;
  /// The results of joinedAll(), by form.
  llvm::DenseMap<FormId, std::optional<Cut>> all_;
};

/// Returns the form with each coefficient reduced modulo `turn` to the range
/// from -(turn - 1) / 2 to turn / 2: for a turn of 8, d0 * 25 + d1 * 7 is d0 -
/// d1. The constant stays. Requires turn > 0.
FormId withinTurn(ExpressionPool &pool, FormId form, int64_t turn);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_JOIN_H

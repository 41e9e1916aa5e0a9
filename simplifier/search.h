// The search for the best of several equal sums, which differ in how their
// digits are cut.
//
// Each move is a row: its name, which `simplify --explain` prints and by which
// its test is found; an example; and its function, which proposes other sums.
// The best of all proposals is taken, until none is better.
//
// A sum is better if it has fewer positive parts, then fewer of them inside of
// others, then if its interval is tighter (a perfect mixed radix has no slack).
// If they are equal, the order is: fewer points in the box of all terms
// (no part is said twice), shorter to read, fewer terms, larger strides, the
// structural order.
//
// Laws (tests/simplifier/rules_test.cc, by enumeration, each move by its name):
// the sum that is found has the given sum's values; a row turns its example
// into the form that it states.
#ifndef INDEXICAL_SIMPLIFIER_SEARCH_H
#define INDEXICAL_SIMPLIFIER_SEARCH_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/measures.h"

namespace indexical {

class CanonicalForms;
class Proposals;

struct SearchMove {
  const char *name;
  /// A map as text, and the text of its result after this move.
  const char *example, *becomes;
  /// Whether the move is for sums of more than one term, for digits that may be
  /// cut anew, or for sums with positive parts.
  enum class Of : uint8_t { Sums, Digits, Parts } of;
  void (*propose)(Proposals &proposals);
};

/// Returns all moves, in the order in which they are tried.
llvm::ArrayRef<SearchMove> searchMoves();

class Search {
 public:
  explicit Search(CanonicalForms &forms) : forms_(forms) {}
  void restart() { begun_.reset(); }

  /// Returns whether the form may be searched now. Moves make forms that are
  /// searched too. Inside of a search only forms may be that are less
  /// (form_order.h) than the one that it began with, which ends it.
  bool mayBegin(FormId form) const;
  /// Returns the best sum that equals the form and that the moves find, or the
  /// form itself if it may not be searched.
  FormId operator()(FormId form);
  /// Returns whether the first of two equal sums is the better one.
  bool isBetter(FormId form, FormId other) const;

 private:
  CanonicalForms &forms_;
  /// The form that the innermost search began with.
  std::optional<FormId> begun_;
};

/// The sums that the moves propose instead of one sum.
class Proposals {
 public:
  Proposals(CanonicalForms &forms, FormId form);

  CanonicalForms &forms() { return forms_; }
  llvm::ArrayRef<Term> terms() const { return terms_; }
  /// Returns the parents of digits of the sum that can cancel or merge: with
  /// each other, or with terms that also stand inside the parent.
  llvm::ArrayRef<FormId> parents() const { return parents_; }
  /// A digit of the sum that may be better if it is cut anew, and the places at
  /// which its parent may be cut.
  struct Recut {
    Term term;
    llvm::SmallVector<int64_t, 16> cuts;
  };
  llvm::ArrayRef<Recut> recuts() const { return recuts_; }

  /// Adds the sum with `parts` in place of the terms `without`, if that can be
  /// an improvement.
  void add(llvm::ArrayRef<AtomId> without, llvm::ArrayRef<ScaledForm> parts);

  /// A sum, and the move that proposed it.
  struct Found {
    FormId form;
    const SearchMove *move;
  };
  llvm::ArrayRef<Found> all();

 private:
  bool isFor(const SearchMove &move) const;
  bool isMetInside(FormId parent, AtomId digit);
  bool mayImprove(llvm::ArrayRef<AtomId> without,
                  llvm::ArrayRef<ScaledForm> parts);
  void findRecuts();

  CanonicalForms &forms_;
  const FormId form_;
  const llvm::SmallVector<Term, 8> terms_;
  llvm::SmallVector<Measures::Family, 8> families_;  // of the terms
  llvm::SmallVector<FormId, 4> parents_;
  llvm::SmallVector<Recut, 0> recuts_;
  const SearchMove *move_ = nullptr;  // that is asked now
  llvm::SmallVector<Found, 16> found_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SEARCH_H

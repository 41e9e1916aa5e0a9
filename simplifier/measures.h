// Measures of forms, which are found without making another form.
//
//   d0 * 8 + d1, d0 in [0, 3], d1 in [0, 7]  a radix, and dense
//   (d0 * 8 + d1) mod 3                      weight 5: its own term, the digit,
//                                            the parent's two and the modulus
//   d0 mod 2 + d0 floordiv 2                 neighbours, of one family: d0's
//
// Answers are remembered.
#ifndef INDEXICAL_SIMPLIFIER_MEASURES_H
#define INDEXICAL_SIMPLIFIER_MEASURES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/facts.h"
#include "indexical/simplifier/memo.h"

namespace indexical {

/// (parent floordiv stride) mod modulus, or, modulus 0, without the mod. Not
/// the lanes::CutTerm of cost/memory, nor a cut of a Delinearization, which has
/// no parent of its own.
struct Cut {
  FormId parent;
  int64_t stride, modulus;
  /// Returns the period. A multiple of it does not change the digit, or goes
  /// out of the floor. Requires that the period is in 64 bits.
  int64_t period() const { return modulus ? stride * modulus : stride; }
};

inline bool isDigit(const ExpressionTable &table, AtomId id) {
  return table.atom(id).kind == AtomKind::Digit;
}

/// Returns the form as a cut of its parent, if it is one digit and no more.
inline std::optional<Cut> asDigit(const ExpressionTable &table, FormId form) {
  const auto single = table.asAtom(form);
  if (!single || !isDigit(table, *single)) return std::nullopt;
  const Atom &digit = table.atom(*single);
  return Cut{digit.a, digit.stride, digit.modulus};
}

class Measures {
 public:
  Measures(ExpressionPool &pool, Facts &facts) : pool_(pool), facts_(facts) {}
  /// Forgets all it knew, keeps the memory.
  void restart();

  /// Returns whether the form has no digits.
  bool isPlain(FormId form) const {
    for (const Term &term : pool_.terms(form))
      if (isDigit(pool_, term.atom)) return false;
    return true;
  }
  /// Returns a digit as a cut of its parent. Any other atom is its own parent.
  Cut asCut(AtomId id) const;
  /// Returns whether the form has a digit of `parent`.
  bool standsOn(FormId form, FormId parent) const;
  /// Returns whether two terms of the form are digits of one parent, of which
  /// one begins where the other one ends: `d0 mod 2` and `d0 floordiv 2`.
  /// Coefficients do not matter, and digits inside of a term are not looked at.
  bool hasNeighbours(FormId form) const;

  /// Returns how long a form is to read: its terms, and those of the digits in
  /// it.
  uint64_t weight(FormId form);
  uint64_t weightOf(AtomId id);

  /// Counts the positive parts that are written in a form, and those of them
  /// that stand inside of others.
  struct Parts {
    uint32_t all = 0, inside = 0;
  };
  Parts partsOf(FormId form);

  /// Says how the terms of a sum relate. It is a radix if the smaller terms
  /// together stay below the next larger coefficient, as in the linear index of
  /// an array. Digits of such a parent telescope, so it stays whole; other
  /// parents are made small. It is dense if the terms also fill the steps
  /// between their coefficients, from 0 on.
  enum class Radix : uint8_t { Unknown, None, Sparse, Dense };
  Radix radixOf(FormId form);
  bool isRadix(FormId form) { return radixOf(form) != Radix::None; }
  bool isDense(FormId form) { return radixOf(form) == Radix::Dense; }

  bool haveCommonVariable(FormId a, FormId b) {
    return (variablesOf(a) & variablesOf(b)) != kAlways;
  }

  /// The number of a digit's parent, or of another atom, and a bit that says
  /// which of the two. Digits of one parent are one family, and so are a
  /// variable and its digits.
  using Family = uint32_t;
  Family familyOf(AtomId id);

 private:
  static constexpr uint64_t kAlways = uint64_t{1} << 63;
  uint64_t variablesOf(FormId form);

  struct FoundMeasures {
    uint64_t weight = 0;     // 0: not yet
    uint64_t variables = 0;  // 0: not yet
    Radix radix = Radix::Unknown;
  };

  ExpressionPool &pool_;
  Facts &facts_;
  Memo<FoundMeasures> forms_;
  Memo<Family> families_;  // of atoms; 0: not yet
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MEASURES_H

// The rules by which one constraint gets its form, in one order.
//
//   d0 * 2 + d1 * 2 + 3 in [7, 12]
//     "a constant goes to the bounds"     d0 * 2 + d1 * 2 in [4, 9]
//     "a common factor goes out"          d0 + d1 in [2, 4]
//
// Each rule is a row: its name, an example, what becomes of it, when it is
// asked, and its function. Domain (domain.h) asks the rows for a constraint
// that is added, and again from the first row on for what became of it, until
// none applies. Then it asks the rules of pairs for it and each other one:
//
//   d0 mod 4 in [3, 3], d0 mod 6 in [1, 1]
//     "two residues of one sum"           d0 mod 12 in [7, 7]
//
// The constraint that the two become is added in their stead, so that there are
// fewer. When all are there, Domain asks the rows for the end.
//
// A rule of the first kind lowers this order (RuleOrder), so that the rules
// end: first the number of atoms, then the sum of the coefficients' magnitudes,
// then how many of these are true: the form has a constant, its first
// coefficient is negative; then how many of these: it is a remainder of a sum
// whose constant counts, or of one with a common factor.
//
// Laws (tests/simplifier/constraint_rules_test.cc, by enumeration, each rule by
// its name): the points stay the same; the order is lowered; a row makes of its
// example what it says; a rule of pairs makes the same of the two in either
// order.
#ifndef INDEXICAL_SIMPLIFIER_CONSTRAINT_RULES_H
#define INDEXICAL_SIMPLIFIER_CONSTRAINT_RULES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct ConstraintRule {
  enum class When : uint8_t {
    Added,  ///< a constraint is added
    End,    ///< all are there, and the bounds of variables are known
  };
  const char *name;
  /// A constraint, the bounds of d0, d1, … that it is on, and the constraint
  /// after this rule; "" if it is gone, "no point" if it never holds.
  const char *example, *on, *becomes;
  When when;
  /// Says which forms the rule makes of canonical ones.
  enum class Makes : uint8_t {
    Canonical,
    Turned,  ///< canonical, though another sign may be better
    New,     ///< canonical only if they are sums of variables
  };
  Makes makes;
  /// Returns the constraint that has the same points, or nothing if the rule
  /// does not apply. Bounds of all numbers say that it is gone. At the end,
  /// `known` gives the bounds of forms by the bounds of variables alone; before
  /// that it is null.
  std::optional<Constraint> (*what)(ExpressionPool &pool, FormBounds *known,
                                    const Constraint &constraint);
};

/// Returns all rules, in the order in which they are tried.
llvm::ArrayRef<ConstraintRule> constraintRules();

/// A rule by which two constraints become one.
struct PairRule {
  const char *name;
  /// Two constraints, the bounds of d0, d1, … that they are on, and what they
  /// become.
  const char *example, *other, *on, *becomes;
  /// Returns the constraint that holds where both hold, or nothing if the rule
  /// does not apply. Its form may not be canonical.
  std::optional<Constraint> (*what)(ExpressionPool &pool, const Constraint &c,
                                    const Constraint &other);
};

/// Returns the rules of pairs, in the order in which they are tried.
llvm::ArrayRef<PairRule> pairRules();

/// Orders the forms of constraints. A rule for constraints that are added makes
/// of a form one that comes before it. For a constraint on a sum with a
/// positive part: its statements about both cases of the part, and the rest
/// about the sum.
struct SplitConstraint {
  Constraint first, second, rest;
};

/// Splits a constraint that both cases of a part must hold: min(d0, d1) in
/// [2, inf] is d0 in [2, inf] and d1 in [2, inf]. Returns nothing if there is
/// none. The cases have a part less, and the rest no such side.
std::optional<SplitConstraint> splitByPart(ExpressionPool &pool,
                                           const Constraint &c);

struct RuleOrder {
  int64_t atoms = 0;          ///< in the form, those inside of others too
  __int128 coefficients = 0;  ///< the sum of their magnitudes
  int marks = 0;       ///< has a constant, begins with a negative coefficient
  int innerMarks = 0;  ///< a remainder: of a sum with a constant, with a factor
  bool operator<(const RuleOrder &o) const;
};
RuleOrder orderOf(const ExpressionTable &table, FormId form);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_CONSTRAINT_RULES_H

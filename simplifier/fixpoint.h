// Propagates the domain of a map in work to its fixpoint.
//
//   d0 in [0, 9], d0 * 8 + d1 in [0, 17], d1 in [0, 7], d1 mod 2 in [0, 0]
//     a round: d1 is q * 2, q in [0, 3], and d0 * 4 + q in [0, 8]
//     another: d0 in [0, 2]; and one that finds nothing more
//
// A round makes the forms of the constraints and lets them and the bounds
// tighten one another (domain.h). The next round begins with its result. When
// nothing changes any more, the constraints become facts for the results, which
// are made after that.
//
// Law (tests/simplifier/simplifier_test.cc, by enumeration): the points of the
// domain are the same; on the result, another fixpoint changes nothing.
#ifndef INDEXICAL_SIMPLIFIER_FIXPOINT_H
#define INDEXICAL_SIMPLIFIER_FIXPOINT_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/dense.h"
#include "indexical/simplifier/domain.h"
#include "indexical/simplifier/form_order.h"
#include "indexical/simplifier/map_in_work.h"

namespace indexical {

/// Says how the domain ends. `Given`: bounds converge without an end, so that
/// the domain stays as it was given; otherwise a map that is simplified again
/// would be tightened further.
enum class DomainEnd : uint8_t { Points, Given, NoPoint, Leaves64Bits };

class Fixpoint {
 public:
  explicit Fixpoint(MapInWork &work) : work_(work) {}

  /// Brings box, constraints and forms of the map to those for its results.
  DomainEnd operator()();

 private:
  enum class Round : uint8_t { Again, Settled, NoPoint, Leaves64Bits };
  Round round();
  bool isKnownFrom();
  DomainEnd asGiven();
  void importDomain();
  void importCanonical();
  void importKept();
  bool hasMadeConstraints();
  void dropWhatHolds();
  Domain given() const;
  void takeOver(const Domain &domain);
  bool changesNothing(const Domain &domain) const;
  bool turnsAgain(const Domain &domain);
  void keepConstraints(size_t steps);
  void addFacts();
  bool fixPoints();
  bool makeDense(llvm::ArrayRef<SteppedVariable> steps);
  bool makeGivenDense();
  void explain(const Domain &domain);

  MapInWork &work_;
  /// The bounds of clamped variables stay.
  struct {
    MapInWork *work;
    bool operator()(VariableId id) const {
      return id.kind == VariableKind::Runtime &&
             work->parts.runtime[id.index].clamped;
    }
  } isFixed_{&work_};
  // Rounds that make variables dense, and those that negate forms again on one
  // box, end by themselves. They do not count, so that a map ends alike however
  // it was given.
  int rounds_ = 0;
  /// The last round that negated forms: its box, and how great it left the
  /// constraints.
  struct TurnedRound {
    VariableBounds box;
    FormOrder left;
  };
  std::optional<TurnedRound> turned_;
  bool adopts_ = false;   // the first map's forms, in this round
  bool areGiven_ = true;  // the constraints, as the parts have them
  /// The constraints that the last round left, and the forms they stand on.
  llvm::SmallVector<Constraint, 4> kept_;
  FrozenExpressions keptForms_;
  size_t keptSteps_ = 0;  // of the dense variables, those the forms have seen
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_FIXPOINT_H

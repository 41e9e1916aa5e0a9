// Refutes proposals, and suggests forms, by values at a few points.
//
//   can ((d0 * 4 + d1) floordiv 8) * 2 - d0 be in [0, 1], on d0 in [0, 7] and
//   d1 in [0, 3]?      no: it is -1 at (1, 0)
//
// Most proposals do not hold, and the first points show that. All points are in
// the domain, so that no proposal that holds everywhere is given up. They are
// drawn from the box. If too few of those are in the domain, and the box is
// small, they are chosen among all points of the box. Without a point nothing
// is refuted.
//
// The points also suggest what may hold, which nothing else in simplifier/
// does. A suggestion is checked by code that shares nothing with this: a scan
// of all points, while forms are made (scan.h, called by collapse.h), or the
// caller's prover, on the whole map (prover.h, called by proof.h).
#ifndef INDEXICAL_SIMPLIFIER_POINTS_H
#define INDEXICAL_SIMPLIFIER_POINTS_H

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/simplifier/facts.h"
#include "indexical/simplifier/memo.h"
#include "indexical/simplifier/variable_bounds.h"

namespace indexical {

class Points {
 public:
  Points(ExpressionPool &pool, Facts &facts) : pool_(pool), facts_(facts) {}
  /// Forgets all it knew, keeps the memory.
  void restart();

  // Refutations: true if the points do not decide.
  /// Returns whether the form can be a sum of variables up to whole turns.
  bool mayBeAffine(FormId form, int64_t turn);
  /// Returns whether all values of the form can be in the range.
  bool mayBeWithin(FormId form, Interval range);
  /// Returns whether all - factor * part, modulo `turn`, can be in [0, room).
  bool mayBeBelow(FormId all, FormId part, int64_t factor, int64_t turn,
                  int64_t room);

  // Suggestions: false, or empty, if there are too few points.
  /// Returns whether the two forms have the same values at the points.
  bool areAlike(FormId a, FormId b);
  /// Returns forms that may equal `form`, in this order: a constant, and one of
  /// the parts and a constant.
  llvm::SmallVector<FormId, 2> suggestions(FormId form,
                                           llvm::ArrayRef<ScaledForm> parts);
  /// Returns forms that may equal `form`, in this order: a constant, and a
  /// multiple of each of the parts and a constant.
  llvm::SmallVector<FormId, 4> multiples(FormId form,
                                         llvm::ArrayRef<ScaledForm> parts);
  /// Returns variables that may have one value on the domain, with that value.
  llvm::SmallVector<Constraint, 2> suggestedValues();
  /// Returns whether all points of the box were looked at, and none is in the
  /// domain.
  bool areNone() const { return areAll_ && count_ == 0; }

  /// Values at the points, the same ones for all forms.
  using Sample = std::array<int64_t, 8>;

 private:
  struct AtPoints;
  std::optional<Sample> sample(FormId form);
  std::optional<Sample> atomSample(AtomId id);
  Sample sampleOf(VariableId id) const;
  void draw();
  bool lookThrough();
  std::optional<int64_t> constantBeside(const Sample &values, ScaledForm part);
  /// Returns whether there are enough points for a suggestion: three, or all of
  /// the domain.
  bool tell() const;

  ExpressionPool &pool_;
  Facts &facts_;
  Memo<uint32_t> forms_, atoms_;  // places among the samples; 0: not yet
  std::vector<std::optional<Sample>> samples_;
  /// The point at `place` among those of draw `draw`.
  struct Point {
    uint32_t draw, place;
  };
  std::array<Point, std::tuple_size_v<Sample>> points_;
  size_t count_ = 0;                            // different ones among them
  llvm::SmallVector<VariableBounds, 0> found_;  // in place of those drawn
  bool areAll_ = false;                         // of the domain
  bool areDrawn_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_POINTS_H

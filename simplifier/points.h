// What a few points show.
//
//   can ((d0 * 4 + d1) floordiv 8) * 2 - d0 be in [0, 1], on d0 in [0, 7] and
//   d1 in [0, 3]?      no: it is -1 at (1, 0)
//
// Most of what could be tried does not hold, and that is seen at the first
// points. They are of the domain, so that what holds everywhere is never given
// up: drawn from the box, or found in it where it is small and few of its
// points are in the domain. Where none is found nothing is said. And they
// suggest what may be so: nothing else in simplifier/ does. Whether it is so,
// one of two says who share no code with it: a scan of all points, while forms
// are made (scan.h, asked by collapse.h), or the caller's prover, of the whole
// map (prover.h, asked by proof.h).
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

  // What can be; yes where the points do not tell.
  /// Whether the form can be a sum of variables but for whole turns.
  bool mayBeAffine(FormId form, int64_t turn);
  /// Whether all values of the form can be in the range.
  bool mayBeWithin(FormId form, Interval range);
  /// Whether all - factor * part can be in [0, room) in steps of a turn.
  bool mayBeBelow(FormId all, FormId part, int64_t factor, int64_t turn,
                  int64_t room);

  // What may be so; nothing where there are too few points.
  /// Whether two forms have the same values.
  bool areAlike(FormId a, FormId b);
  /// What the form may be, in this order: a constant, or one of the parts and a
  /// constant.
  llvm::SmallVector<FormId, 2> suggestions(FormId form,
                                           llvm::ArrayRef<ScaledForm> parts);
  /// Variables that may have one value on the domain.
  llvm::SmallVector<Constraint, 2> suggestedValues();
  /// Whether all points of the box were looked through, and none is in the
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
  /// Whether there are so many points that they suggest what is so, or all.
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

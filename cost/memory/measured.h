// Measured: the figures of an access, or the obstacle that prevents them.
//
//   AccessFigures   wasted bytes 229376, …
//   Unmeasured      UnknownLayout, s64[?,2]
//
// An obstacle is data; wordsOf() makes the sentence about it.
#ifndef INDEXICAL_COST_MEMORY_MEASURED_H
#define INDEXICAL_COST_MEMORY_MEASURED_H

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// A figure, or bounds of it.
struct Figure {
  int64_t least = 0, most = 0;
  bool isKnown() const { return least == most; }
  bool operator==(const Figure &o) const {
    return least == o.least && most == o.most;
  }
};

/// The least of the figures of an access.
struct LeastFigures {
  int64_t accesses = 0, sectors = 0, lines = 0, distinctSectors = 0,
          wastedBytes = 0;
  /// Returns whether most sectors of the lines that are touched are touched.
  bool fillLines(int64_t sectorsOfLine) const {
    return lines * sectorsOfLine <= sectors + sectors / 4;
  }
};

/// The figures of one access for a whole launch.
struct AccessFigures {
  Figure accesses, activeLanes, bytesUsed, sectors, sectorsFewest, lines,
      distinctSectors, wastedBytes;
  /// Whether every bound is reached.
  bool exact = true;
  /// Elements that one lane reads at once.
  int64_t vector = 1;
  int64_t vectorLoop = 1;  ///< values of the last loop of the thread map
  /// The most frequent distance in bits from the read of a lane to that of the
  /// next lane, in the first warp of which two lanes read; nothing if there is
  /// no such warp.
  std::optional<int64_t> laneStride;
  /// How many runs of lanes of that warp are so far apart; 1: all lanes are.
  int64_t laneRuns = 1;
  /// Whether lanes have different values of a runtime variable.
  bool gathered = false;
  /// Iterations of the loops on which the access does not depend: a compiler
  /// makes the access once for all of them, but the figures count each.
  int64_t repeats = 1;
  /// Whether all threads of a block read one address: the block reads it once.
  bool byEveryThread = false;
  /// If so, the number of accesses of the warps, each of which loads the
  /// address for itself and touches one sector; else nothing.
  std::optional<Figure> requests;
  /// The least if every access is made. Set if some may be left out: an index
  /// of a scatter may be out of bounds, and then the least of all is 0.
  std::optional<LeastFigures> leastIfMade;
  /// The sectors, and the distinct ones, if a sector were kMemoryPiece bytes
  /// (device.h). Nothing if the figures are bounds, if most of each line is
  /// touched, or if these were not counted beside the others.
  struct MemoryPieces {
    int64_t all = 0, distinct = 0;
  };
  std::optional<MemoryPieces> memoryPieces;

  /// Returns the lower bounds if every access is made: the figures that orders
  /// and times use.
  LeastFigures least() const {
    if (leastIfMade) return *leastIfMade;
    return {accesses.least, sectors.least, lines.least, distinctSectors.least,
            wastedBytes.least};
  }
  /// Returns whether the bytes that are moved and wasted are numbers, and not
  /// bounds.
  bool areBytesKnown() const {
    return sectors.isKnown() && wastedBytes.isKnown();
  }

  /// Returns the share of the touched sectors that the used bytes would need; 1
  /// if nothing is touched. If there are bounds, the upper ones count.
  double efficiency() const {
    return sectors.most == 0
               ? 1.0
               : static_cast<double>(sectorsFewest.most) / sectors.most;
  }
  /// Returns whether accesses touch less than twice as many sectors as their
  /// bytes need, on the average of the launch, or exactly as many. An access of
  /// 32 lanes that begins in the middle of a sector is coalesced (5 for 4).
  bool isCoalesced() const {
    return sectors.most < 2 * sectorsFewest.most ||
           sectors.most == sectorsFewest.most;
  }
};

/// Why an access has no figures. Not an EqualityObstacle (same/equality/),
/// which is an instruction that prevents an answer, nor a lanes::UnsettledForm.
enum class Obstacle : uint8_t {
  InsideNotFollowed,  ///< a library, or several launches, do the work
  NotExact,           ///< the reads are a part of the map
  UnknownSize,        ///< the index space `shape` has a size that is not known
  UnknownLayout,      ///< the place of the elements of `shape` is not known
  UnknownElement,     ///< the size of an element of `shape` is not known
  OtherDevice,        ///< another device is read
  EndlessRange,       ///< a range variable has no end
  TooManySectors,     ///< more than CoalescingOptions::mostSectors
  RanksDiffer,  ///< threads give `given` dimensions, the map takes `taken`
  Failed,       ///< `status` says why: maps that do not fit, or overflow
};

struct Unmeasured {
  Obstacle obstacle = Obstacle::Failed;
  ArrayShape shape = {};
  int64_t given = 0, taken = 0;
  absl::Status status = {};
};

/// Returns the obstacle in words: `a range without an end`.
std::string wordsOf(const Unmeasured &why);

class Measured {
 public:
  Measured(AccessFigures figures) : answer_(std::move(figures)) {}
  Measured(Unmeasured why) : answer_(std::move(why)) {}
  /// Makes an answer without figures, for a reason that is an error. Requires a
  /// status that is not OK.
  Measured(absl::Status status) {
    assert(!status.ok());
    Unmeasured failed;
    failed.status = std::move(status);
    answer_ = std::move(failed);
  }

  bool ok() const { return std::holds_alternative<AccessFigures>(answer_); }
  /// Return the figures. Require ok().
  const AccessFigures &operator*() const {
    return std::get<AccessFigures>(answer_);
  }
  const AccessFigures *operator->() const { return &**this; }
  /// Returns why there are no figures. Requires !ok().
  const Unmeasured &why() const { return std::get<Unmeasured>(answer_); }
  /// Returns OK if there are figures. Else returns an error that says why not:
  /// the one that something failed with, or FailedPrecondition with the words
  /// for the obstacle.
  absl::Status status() const;

 private:
  std::variant<AccessFigures, Unmeasured> answer_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_MEASURED_H

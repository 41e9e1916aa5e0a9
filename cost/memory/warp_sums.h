// Sums over all warps of a launch, warp by warp of a kind and not one by one.
//
// A box of outer variables (lane_forms.h) on which every digit and constraint
// is settled holds warps that all read the same pattern, moved by a linear form
// of the box. The sectors that a warp touches then depend only on the residue
// of that form modulo the line, and the number of warps with each residue
// follows from the coefficients. For f32, rows of 1000 elements read by warps
// of 32:
//
//   w in [0, 124999], digits of 32 * w + lane by 1000
//     = 125 * q + r: r in [0, 30], 31, [32, 61], 62, … eight boxes, each with
//     q in [0, 999]: 8000 bytes further, one residue modulo 128 of two
//
// Boxes are cut where a digit carries or a constraint ends, and by the period
// of a digit. Each step spends some of a budget; boxes that are left when it
// ends have bounds only.
//
// Law (tests/cost/memory/random_coalescing_test.cc): the sums are those of a
// simulator that goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_WARP_SUMS_H
#define INDEXICAL_COST_MEMORY_WARP_SUMS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/cost/memory/lane_forms.h"
#include "indexical/indexing/budget.h"

namespace indexical {
namespace lanes {

/// The sizes with which one access is measured, in bits.
struct Geometry {
  int64_t sector = 256, line = 1024;
  int64_t width = 32;  ///< of one lane's vector
  size_t slotsPerLane = 1;
  int64_t buffer = INT64_MAX;  ///< the whole of it
  /// The unit in which memory is moved, which divides the line. 0: not counted.
  int64_t piece = 0;
  /// Returns how many pieces of that size the buffer has, if it begins with
  /// one.
  int64_t most(int64_t size) const {
    return buffer / size + (buffer % size != 0);
  }
};

/// A sum over accesses, or bounds of it.
struct AccessSum {
  __int128 least = 0, most = 0;
  void add(__int128 times, int64_t a, int64_t b) {
    least += times * a;
    most += times * b;
  }
};

struct Sums {
  AccessSum accesses, lanes, bytes, sectors, fewest, lines, wasted;
  /// The waste if an unknown part of the lanes takes part: an access that
  /// touches anything needs one sector.
  AccessSum wastedOfSome;
  /// Whether the bounds are reached, each by one choice of values of the
  /// runtime variables. False if the budget ended.
  bool exact = true;
  bool complete = true;  ///< the budget did not end
  /// The accesses of warps, if blocks share what they read (shared_reads.h).
  AccessSum requests;
  /// Pieces of memory, of accesses whose lanes are known one by one.
  __int128 pieces = 0;
};

/// The figures of a single access.
struct Touched {
  int64_t lanes = 0, bytes = 0, sectors = 0, lines = 0, pieces = 0;
};
/// Returns the figures of lanes that begin at `starts`, moved by `shift`, and
/// have the geometry's width; all in bits. Requires sorted starts.
Touched touchedBy(llvm::ArrayRef<int64_t> starts, int64_t shift,
                  const Geometry &geometry);

/// The values of a sum of coefficients * x modulo the modulus, with x in a box,
/// and how many x have each value.
using Residues = std::vector<std::pair<int64_t, __int128>>;
Residues residuesOf(llvm::ArrayRef<int64_t> coefficients,
                    llvm::ArrayRef<int64_t> extents, int64_t modulus);

/// Returns all sums modulo the modulus that runtime terms can add to an
/// address.
std::vector<int64_t> shiftsOf(llvm::ArrayRef<RuntimeTerm> terms,
                              int64_t modulus);

/// `count` vectors that begin at bit `start` and in steps from there on.
struct Span {
  int64_t start, step, count;
  int64_t last() const { return start + step * (count - 1); }
  bool operator==(const Span &o) const {
    return start == o.start && step == o.step && count == o.count;
  }
};
/// Returns the same for spans of steps that are not negative, none of which
/// begins before the one before it ends.
Touched touchedBy(llvm::ArrayRef<Span> spans, int64_t shift,
                  const Geometry &geometry);

/// Makes spans, none of which has a negative step, such as touchedBy() takes:
/// sorted, and elements that two of them have once.
void putInOrder(std::vector<Span> &spans);

class Boxes;
struct WarpsAlike;

class WarpSums {
 public:
  WarpSums(LaneNumbers &numbers, const Geometry &geometry, Meter &meter)
      : algebra_(numbers), geometry_(geometry), meter_(meter) {}

  /// Adds the sums over the problem's box. Returns false, with sums of a part
  /// of it, once the sums have more than `most` sectors and waste some of
  /// these, and an access has more than one vector.
  bool add(const Problem &problem, Sums &sums, int64_t most = INT64_MAX);

  /// Returns whether all vectors of slots are contiguous, aligned, and wholly
  /// in the domain or wholly outside. Returns false, and sets `complete` to
  /// false, if the budget ends first.
  bool areVectors(const Problem &problem, bool &complete);

  /// Moves all addresses by so many bits.
  void setShift(int64_t bits) { shift_ = bits; }

 private:
  enum class Sample : uint8_t { Idle, Vectors, Others, Unknown };
  Sample sampleAt(const Problem &problem, llvm::ArrayRef<int64_t> values);
  bool isRefuted(const Problem &problem);
  bool movesAsOne(const Problem &problem);
  bool areFew() const;
  void sum(const Problem &problem);
  bool sumRuns(const Problem &problem);
  void addRuns(const WarpsAlike &alike, const Residues &residues);
  void spanStarts();
  void addSpans(int64_t lanes, const Residues &residues, int64_t by,
                int64_t often);
  void sumGroups(const Problem &problem, const Residues &residues,
                 int64_t lanes);
  void bound(const Problem &problem);
  bool checkVectors(const Problem &problem);
  bool checkRuns(const Problem &problem);
  bool areVectorsAt(llvm::ArrayRef<std::optional<int64_t>> at) const;

  LaneAlgebra algebra_;
  Geometry geometry_;
  Meter &meter_;
  int64_t shift_ = 0;
  Sums *sums_ = nullptr;
  int64_t most_ = INT64_MAX;
  Boxes *boxes_ = nullptr;
  bool goesOn_ = true;

  /// The last pattern, and what it touches at a residue.
  std::vector<Span> pattern_, spans_;
  std::vector<int64_t> starts_;
  std::vector<Touched> touched_;
  std::vector<uint32_t> touchedAt_;
  uint32_t patternNumber_ = 0;
  std::vector<bool> active_;  ///< lanes
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_WARP_SUMS_H

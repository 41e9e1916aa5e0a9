#include "indexical/cost/memory/distinct_sectors.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/boxes.h"
#include "indexical/cost/memory/launch.h"
#include "indexical/cost/memory/warp_sums.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace lanes {
namespace {

struct StrideCount {
  int64_t stride, count;
  bool operator==(const StrideCount &o) const {
    return stride == o.stride && count == o.count;
  }
};

/// base + sum of steps + [0, run - 1]: runs without a whole sector in between
/// are one.
struct Runs {
  int64_t base = 0, run = 0;
  llvm::SmallVector<StrideCount, 8> steps;  // by stride

  /// Makes the runs of the elements of a settled box.
  Runs(const Problem &box, const Piece &piece, int64_t start,
       const SectorSize &size)
      : base(start), run(size.element) {
    for (size_t x = 0; x < box.extents.size(); ++x) {
      StrideCount step{piece.address.outer[x], box.extents[x]};
      if (step.count == 1 || step.stride == 0) continue;
      if (step.stride < 0) {
        base += step.stride * (step.count - 1);
        step.stride = -step.stride;
      }
      steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end(),
              [](const StrideCount &a, const StrideCount &b) {
                return a.stride < b.stride;
              });
    join();
    fill(size.sector);
  }

  /// Makes steps that leave no whole sector between two runs a part of the run.
  void fill(int64_t sector) {
    while (!steps.empty() && steps[0].stride - run < sector) {
      run += steps[0].stride * (steps[0].count - 1);
      steps.erase(steps.begin());
    }
  }

  /// If the runs of `next` begin where these end, step for step, makes these
  /// longer by them. Returns whether it did.
  bool goesOnWith(const Runs &next, int64_t sector) {
    if (steps != next.steps || next.base < base ||
        next.base - (base + run) >= sector)
      return false;
    run = std::max(run, next.base + next.run - base);
    return true;
  }

  /// a * (x + k * y), x below n >= k: one progression.
  void join() {
    for (size_t i = 0; i + 1 < steps.size();) {
      StrideCount &low = steps[i], &high = steps[i + 1];
      const int64_t factor = high.stride / low.stride;
      if (high.stride % low.stride != 0 || factor > low.count) {
        ++i;
        continue;
      }
      low.count += factor * (high.count - 1);
      steps.erase(steps.begin() + i + 1);
    }
  }

  /// Whether two runs never share a sector.
  bool areApart(int64_t sector) const {
    int64_t span = run;
    for (const StrideCount &step : steps) {
      if (step.stride - span < sector) return false;
      span += step.stride * (step.count - 1);
    }
    return true;
  }

  int64_t sectorsAt(int64_t start, int64_t sector) const {
    return floorDiv(start + run - 1, sector) - floorDiv(start, sector) + 1;
  }

  __int128 count(int64_t sector) const {
    llvm::SmallVector<int64_t, 8> strides, counts;
    for (const StrideCount &step : steps) {
      strides.push_back(step.stride);
      counts.push_back(step.count);
    }
    __int128 sectors = 0;
    for (auto [residue, times] : residuesOf(strides, counts, sector))
      sectors += times * sectorsAt(floorMod(base, sector) + residue, sector);
    return sectors;
  }

  __int128 runs() const {
    __int128 count = 1;
    for (const StrideCount &step : steps) count *= step.count;
    return count;
  }

  /// Marks the sectors of all runs. Returns false if the meter ends first.
  bool mark(size_t level, int64_t start, int64_t sector, llvm::BitVector &marks,
            Meter &meter) const {
    if (level == 0) {
      const int64_t first = floorDiv(start, sector);
      const int64_t end = floorDiv(start + run - 1, sector) + 1;
      marks.set(first, end);
      return meter.spend(8 + (end - first) / 32);
    }
    const StrideCount &step = steps[level - 1];
    for (int64_t i = 0; i < step.count; ++i)
      if (!mark(level - 1, start + i * step.stride, sector, marks, meter))
        return false;
    return true;
  }
};

/// Takes out the variables that only say whether an element is touched, and not
/// which one: there is a value that lets the element be touched if the forms of
/// the others are within wider bounds.
void dropUnseen(Problem &problem) {
  Piece &piece = problem.pieces.front();
  for (size_t x = 0; x < problem.extents.size(); ++x) {
    const int64_t last = problem.extents[x] - 1;
    if (last == 0 || piece.address.outer[x] != 0 ||
        llvm::any_of(piece.digits, [&](const Digit &digit) {
          return digit.parent.outer[x] != 0;
        }))
      continue;
    llvm::SmallVector<LaneConstraint *, 4> own;
    bool mostHolds = true, leastHolds = true;
    for (LaneConstraint &constraint : piece.constraints) {
      const int64_t factor = constraint.form.outer[x];
      if (factor == 0) continue;
      own.push_back(&constraint);
      mostHolds &= factor > 0 ? !constraint.bounds.hasUpper()
                              : !constraint.bounds.hasLower();
      leastHolds &= factor > 0 ? !constraint.bounds.hasLower()
                               : !constraint.bounds.hasUpper();
    }
    if (mostHolds || leastHolds) {
      // Another value never holds where this one does not.
      LaneAlgebra::restrict(problem, x, mostHolds ? last : 0, 1);
      continue;
    }
    if (own.size() != 1) continue;
    Interval &bounds = own[0]->bounds;
    int64_t &factor = own[0]->form.outer[x];
    // Steps that no value can jump over the bounds with.
    if (!bounds.isFinite() || bounds.isEmpty() ||
        bounds.count() < std::abs(factor))
      continue;
    (factor > 0 ? bounds.lower : bounds.upper) -= factor * last;
    factor = 0;
    problem.extents[x] = 1;
  }
}

/// Returns how many sectors runs without steps touch. Requires an order by
/// their beginnings.
__int128 sectorsOf(llvm::ArrayRef<Runs> runs, int64_t sector) {
  __int128 count = 0;
  int64_t seen = INT64_MIN;
  for (const Runs &of : runs) {
    const int64_t first = floorDiv(of.base, sector),
                  last = floorDiv(of.base + of.run - 1, sector);
    if (last <= seen) continue;
    count += last - std::max(first, seen + 1) + 1;
    seen = last;
  }
  return count;
}

/// Joins boxes that were cut apart, if they are one set of runs.
void joinBoxes(std::vector<Runs> &boxes, int64_t sector) {
  std::stable_sort(
      boxes.begin(), boxes.end(),
      [](const Runs &a, const Runs &b) { return a.base < b.base; });
  for (bool joined = true; joined && boxes.size() > 1;) {
    joined = false;
    std::vector<Runs> kept = {boxes[0]};
    for (size_t i = 1; i < boxes.size(); ++i)
      if (kept.back().goesOnWith(boxes[i], sector))
        joined = true;
      else
        kept.push_back(boxes[i]);
    boxes = std::move(kept);
    for (Runs &box : boxes) box.fill(sector);
  }
}

// 16 MiB of marks.
constexpr int64_t kMostMarks = int64_t{1} << 27;

int64_t clamped(__int128 value, int64_t most) {
  return static_cast<int64_t>(std::min<__int128>(value, most));
}

}  // namespace

absl::StatusOr<Figure> distinctSectors(llvm::ArrayRef<IndexingMap> elements,
                                       const SectorSize &size, Meter &meter) {
  // One slot: all variables are outer ones.
  LaneNumbers numbers(1);
  std::vector<Runs> boxes;
  bool complete = true;
  for (const IndexingMap &map : elements) {
    if (map.isKnownEmpty()) continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto problem,
        pointProblem(rangesToDimensions(map), size.element, numbers));
    dropUnseen(problem);
    auto inside = [&](const Problem &box) {
      const Piece &piece = box.pieces.front();
      const LaneAlgebra algebra(numbers);
      boxes.emplace_back(box, piece, algebra.at(piece.address, 0) + size.shift,
                         size);
      return true;
    };
    auto beyond = [&](const Problem &) { return complete = false; };
    Boxes(numbers, meter, inside, beyond).visit(problem);
  }
  if (boxes.empty()) return Figure{0, complete ? 0 : size.total};
  if (complete) joinBoxes(boxes, size.sector);
  if (complete && boxes.size() == 1 && boxes[0].areApart(size.sector)) {
    const int64_t count = clamped(boxes[0].count(size.sector), size.total);
    return Figure{count, count};
  }
  if (complete &&
      llvm::all_of(boxes, [](const Runs &of) { return of.steps.empty(); })) {
    const int64_t count = clamped(sectorsOf(boxes, size.sector), size.total);
    return Figure{count, count};
  }
  // Sectors are marked, if that does not take too much work.
  __int128 most = 0, work = size.total / 64;
  int64_t least = 1;
  for (const Runs &box : boxes) {
    const __int128 count = box.count(size.sector);
    most += count;
    work += 8 * box.runs() + count / 32;
    if (box.areApart(size.sector))
      least = std::max(least, clamped(count, size.total));
  }
  if (complete && size.total <= kMostMarks && work <= meter.left() &&
      meter.spend(size.total / 64)) {
    llvm::BitVector marks(size.total + size.shift / size.sector + 2);
    if (llvm::all_of(boxes, [&](const Runs &box) {
          return box.mark(box.steps.size(), box.base, size.sector, marks,
                          meter);
        })) {
      const int64_t count = marks.count();
      return Figure{count, count};
    }
  }
  return Figure{least, complete ? clamped(most, size.total) : size.total};
}

bool coversBox(const IndexingMap &threads, llvm::ArrayRef<Interval> box) {
  if (threads.isKnownEmpty()) return false;
  __int128 indices = 1, given = 1;
  for (const Interval &bounds : box)
    indices = std::min<__int128>(INT64_MAX, indices * bounds.count());
  for (const auto &variables : {threads.dimensions(), threads.ranges()})
    for (const Variable &v : variables) given *= v.bounds.count();
  if (given < indices) return false;
  int64_t volume = 1;
  auto number = [&](IndexingMapBuilder &b, MapBody &body) {
    Expr sum = b.constant(0);
    for (auto [k, bounds] : llvm::enumerate(box)) {
      const auto next = checkedMul(volume, bounds.count());
      volume = next.value_or(0);
      b.constraint(body.results[k], bounds);
      sum = sum * bounds.count() + (body.results[k] - bounds.lower);
    }
    body.results = {sum};
  };
  auto numbered = withBody(threads, number);
  if (!numbered.ok() || volume <= 0) return false;
  auto simple = simplify(rangesToDimensions(*numbered));
  if (!simple.ok()) return false;
  Meter meter(1'000'000);
  auto count = distinctSectors({*simple}, {1, 1, volume, 0}, meter);
  return count.ok() && count->least == volume;
}

}  // namespace lanes
}  // namespace indexical

#include "indexical/cost/memory/warp_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/cost/memory/boxes.h"
#include "indexical/cost/memory/overlaps.h"
#include "indexical/cost/memory/warp_runs.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {

namespace {

/// Floors by a size that is a power of two on every device there is: divisions
/// are most of the time of a sum.
class FloorBy {
 public:
  explicit FloorBy(int64_t size)
      : size_(size),
        shift_(llvm::isPowerOf2_64(size) ? llvm::Log2_64(size) : -1) {}
  int64_t operator()(int64_t value) const {
    return shift_ >= 0 ? value >> shift_ : floorDiv(value, size_);
  }

 private:
  const int64_t size_;
  const int shift_;
};

/// Adds up the pieces of a size that intervals touch, which come in order.
struct Pieces {
  explicit Pieces(int64_t size) : floor(size) {}
  void take(int64_t first, int64_t last) {
    first = floor(first), last = floor(last);
    if (last <= seen) return;
    count += last - std::max(first, seen + 1) + 1;
    seen = last;
  }
  /// Takes vectors of which each lies in one piece: those of steps below a
  /// piece leave none out, those of larger steps have one each.
  void takeWhole(int64_t first, int64_t step, int64_t times, int64_t size) {
    const int64_t last = first + step * (times - 1);
    if (step <= size) return take(first, last);
    first = floor(first);
    count += times - (first <= seen ? 1 : 0);
    seen = floor(last);
  }

  const FloorBy floor;
  int64_t seen = INT64_MIN, count = 0;
};

/// Adds the spans that the starts, which are sorted, fall into.
void addSpansOf(llvm::ArrayRef<int64_t> starts, std::vector<Span> &spans) {
  for (size_t i = 0; i < starts.size();) {
    Span span{starts[i], 0, 1};
    for (++i; i < starts.size(); ++i, ++span.count) {
      const int64_t step = starts[i] - starts[i - 1];
      if (span.count == 1) span.step = step;
      if (span.step != step) break;
    }
    if (span.count == 1) span.step = 0;
    spans.push_back(span);
  }
}

}  // namespace

Touched touchedBy(llvm::ArrayRef<Span> spans, int64_t shift,
                  const Geometry &geometry) {
  Pieces bytes(8), sectors(geometry.sector), lines(geometry.line);
  const bool hasPieces = geometry.piece > 0;
  Pieces pieces(hasPieces ? geometry.piece : geometry.sector);
  const int64_t vector = geometry.width;
  const bool divides = vector % 8 == 0 && geometry.sector % vector == 0 &&
                       geometry.line % geometry.sector == 0 &&
                       geometry.piece % geometry.sector == 0;
  for (const Span &span : spans) {
    if (divides && span.step > vector && span.step % vector == 0 &&
        (span.start + shift) % vector == 0) {
      const int64_t first = span.start + shift;
      // The vectors before may be in the way of the first one's bytes.
      bytes.take(first, first + vector - 1);
      bytes.count += (span.count - 1) * (vector / 8);
      bytes.seen =
          bytes.floor(first + span.step * (span.count - 1) + vector - 1);
      sectors.takeWhole(first, span.step, span.count, geometry.sector);
      lines.takeWhole(first, span.step, span.count, geometry.line);
      if (hasPieces)
        pieces.takeWhole(first, span.step, span.count, geometry.piece);
      continue;
    }
    // Vectors without a gap between them are one.
    const bool isWhole = span.step <= geometry.width;
    const int64_t width =
        geometry.width + (isWhole ? span.step * (span.count - 1) : 0);
    for (int64_t i = 0; i < (isWhole ? 1 : span.count); ++i) {
      const int64_t first = span.start + i * span.step + shift;
      for (Pieces *of : {&bytes, &sectors, &lines, &pieces})
        of->take(first, first + width - 1);
    }
  }
  return {0, bytes.count, sectors.count, lines.count,
          hasPieces ? pieces.count : 0};
}

Touched touchedBy(llvm::ArrayRef<int64_t> starts, int64_t shift,
                  const Geometry &geometry) {
  std::vector<Span> spans;
  addSpansOf(starts, spans);
  return touchedBy(spans, shift, geometry);
}

void putInOrder(std::vector<Span> &spans) {
  auto comesBefore = [](const Span &a, const Span &b) {
    return a.start < b.start;
  };
  if (!llvm::is_sorted(spans, comesBefore)) llvm::sort(spans, comesBefore);
  bool inOrder = true;
  for (size_t i = 1; i < spans.size(); ++i)
    inOrder &= spans[i - 1].last() <= spans[i].start;
  if (inOrder) return;
  llvm::SmallVector<int64_t, 64> starts;
  for (const Span &span : spans)
    for (int64_t i = 0; i < span.count; ++i)
      starts.push_back(span.start + span.step * i);
  llvm::sort(starts);
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  spans.clear();
  addSpansOf(starts, spans);
}

//===-- Boxes -------------------------------------------------------------===//

bool WarpSums::add(const Problem &problem, Sums &sums, int64_t most) {
  sums_ = &sums;
  most_ = most;
  goesOn_ = true;
  auto inside = [&](const Problem &box) {
    if (!movesAsOne(box)) return goesOn_;
    sum(box);
    return areFew();
  };
  auto beyond = [&](const Problem &box) {
    bound(box);
    return true;
  };
  auto points = [&](const Problem &box) { return sumRuns(box); };
  // The sectors of a warp depend on its place in a line.
  Boxes boxes(algebra_.numbers(), meter_, inside, beyond, points,
              geometry_.line);
  boxes_ = &boxes;
  return boxes.visit(problem);
}

/// Whether the sums may become those of few sectors. Blocks that read one
/// vector at a time may have fewer than their warps.
bool WarpSums::areFew() const {
  return sums_->sectors.most <= most_ || sums_->wasted.most == 0 ||
         sums_->bytes.least * 8 <= sums_->accesses.most * geometry_.width;
}

/// What the warp at these values of the outer variables says of vectors.
WarpSums::Sample WarpSums::sampleAt(const Problem &problem,
                                    llvm::ArrayRef<int64_t> values) {
  LaneNumbers &numbers = algebra_.numbers();
  Problem point = problem;
  for (auto [x, value] : llvm::enumerate(values))
    LaneAlgebra::restrict(point, x, value, 1);
  const size_t mark = numbers.mark();
  Sample sample = Sample::Unknown;
  if (!algebra_.settle(point))
    sample = point.pieces.empty()  ? Sample::Idle
             : checkVectors(point) ? Sample::Vectors
                                   : Sample::Others;
  numbers.release(mark);
  return sample;
}

/// Whether a warp is found whose vectors are none: the first one, one in the
/// middle, the last one that reads, or the last of all. Most launches that have
/// no vectors have none in one of these.
bool WarpSums::isRefuted(const Problem &problem) {
  using Values = llvm::SmallVector<int64_t, 10>;
  Values low, high;
  for (int64_t extent : problem.extents) {
    low.push_back((extent - 1) / 2);
    high.push_back(extent - 1);
  }
  if (sampleAt(problem, Values(low.size(), 0)) == Sample::Others) return true;
  const Sample middle = sampleAt(problem, low);
  if (middle == Sample::Others) return true;
  const Sample last = sampleAt(problem, high);
  // A launch ends in warps that do nothing: the one in front of these is looked
  // for between the middle and the end.
  while (middle == Sample::Vectors && last == Sample::Idle) {
    Values between;
    for (size_t x = 0; x < low.size(); ++x)
      between.push_back(low[x] + (high[x] - low[x]) / 2);
    if (between == low) break;
    const Sample sample = sampleAt(problem, between);
    if (sample == Sample::Others) return true;
    (sample == Sample::Idle ? high : low) = between;
  }
  return last == Sample::Others;
}

bool WarpSums::areVectors(const Problem &problem, bool &complete) {
  complete = true;
  if (isRefuted(problem)) return false;
  auto inside = [&](const Problem &box) {
    return movesAsOne(box) ? checkVectors(box) : goesOn_;
  };
  auto beyond = [&](const Problem &) { return false; };
  auto points = [&](const Problem &box) { return checkRuns(box); };
  const bool divides = geometry_.line % geometry_.width == 0;
  Boxes boxes(algebra_.numbers(), meter_, inside, beyond, points,
              divides ? geometry_.line : 0);
  boxes_ = &boxes;
  const bool yes = boxes.visit(problem);
  complete = yes || meter_.left() >= 0;
  return yes;
}

/// Whether all pieces move by the same form; else the box is gone through in
/// parts in which they do.
bool WarpSums::movesAsOne(const Problem &problem) {
  const auto &pieces = problem.pieces;
  for (size_t x = 0; x < problem.extents.size(); ++x)
    for (const Piece &piece : pieces)
      if (piece.address.outer[x] != pieces[0].address.outer[x]) {
        goesOn_ = boxes_->visitFewOrPoints(problem, x);
        return false;
      }
  return true;
}

/// Adds the bounds of a box that the budget did not reach: at most, every slot
/// is a lane with sectors of its own.
void WarpSums::bound(const Problem &problem) {
  sums_->exact = sums_->complete = false;
  const __int128 times = pointsOf(problem);
  size_t slots = 0;
  for (const Piece &piece : problem.pieces) slots += piece.alive.size();
  if (slots == 0) return;
  auto most = [&](int64_t size) {
    return std::min(geometry_.most(size),
                    static_cast<int64_t>(slots) *
                        ((geometry_.width + size - 2) / size + 1));
  };
  const int64_t lanes = std::min<int64_t>(
      slots, algebra_.numbers().slots() / geometry_.slotsPerLane);
  const int64_t bytes = most(8), sectors = most(geometry_.sector);
  sums_->accesses.add(times, 0, 1);
  sums_->lanes.add(times, 0, lanes);
  sums_->bytes.add(times, 0, bytes);
  sums_->sectors.add(times, 0, sectors);
  sums_->lines.add(times, 0, most(geometry_.line));
  sums_->fewest.add(times, 0, ceilDiv(bytes * 8, geometry_.sector));
  // An access that touches anything needs at least one sector.
  sums_->wasted.add(times, 0, sectors - 1);
  sums_->wastedOfSome.add(times, 0, sectors - 1);
}

//===-- A box of one pattern ----------------------------------------------===//

namespace {

/// The residues, if `points(x, cycle, i)` points have a value of variable x of
/// which i is the remainder by the cycle.
template <typename Points>
Residues residuesBy(llvm::ArrayRef<int64_t> coefficients, int64_t modulus,
                    Points points) {
  __int128 times = 1;
  int64_t step = modulus;
  llvm::SmallVector<size_t, 8> moving;
  for (size_t x = 0; x < coefficients.size(); ++x) {
    if (coefficients[x] % modulus == 0) {
      times *= points(x, 1, 0);
      continue;
    }
    step = gcd(step, coefficients[x]);
    moving.push_back(x);
  }
  const int64_t count = modulus / step;
  std::vector<__int128> now(count, 0), next;
  now[0] = times;
  for (size_t x : moving) {
    const int64_t by = floorMod(coefficients[x], modulus) / step;
    const int64_t cycle = count / gcd(by, count);
    std::vector<__int128> ofClass;
    for (int64_t i = 0; i < cycle; ++i) {
      ofClass.push_back(points(x, cycle, i));
      if (ofClass.back() == 0) break;
    }
    next.assign(count, 0);
    for (int64_t from = 0; from < count; ++from) {
      if (now[from] == 0) continue;
      int64_t to = from;
      for (const __int128 each : ofClass) {
        next[to] += now[from] * each;
        if ((to += by) >= count) to -= count;
      }
    }
    now.swap(next);
  }
  Residues residues;
  for (int64_t i = 0; i < count; ++i)
    if (now[i] != 0) residues.push_back({i * step, now[i]});
  return residues;
}

/// The residues of the outer part of an address over the problem's box.
Residues residuesOf(const Problem &problem, int64_t modulus) {
  Residues residues = residuesBy(problem.pieces.front().address.outer, modulus,
                                 [&](size_t x, int64_t cycle, int64_t i) {
                                   return pointsAt(problem, x, cycle, i);
                                 });
  for (auto &[residue, times] : residues) times *= problem.times;
  return residues;
}

}  // namespace

Residues residuesOf(llvm::ArrayRef<int64_t> coefficients,
                    llvm::ArrayRef<int64_t> extents, int64_t modulus) {
  return residuesBy(coefficients, modulus,
                    [&](size_t x, int64_t cycle, int64_t i) -> __int128 {
                      return extents[x] / cycle + (i < extents[x] % cycle);
                    });
}

void WarpSums::sum(const Problem &problem) {
  const size_t perLane = geometry_.slotsPerLane;
  llvm::SmallVector<bool, 64> active(algebra_.numbers().slots() / perLane,
                                     false);
  starts_.clear();
  bool grouped = false;
  for (const Piece &piece : problem.pieces) {
    grouped |= !piece.runtime.empty() || !piece.deciders.empty();
    for (uint32_t slot : piece.alive) {
      active[perLane == 1 ? slot : slot / perLane] = true;
      starts_.push_back(algebra_.at(piece.address, slot) + shift_);
    }
  }
  const int64_t lanes = llvm::count(active, true);
  const Residues residues = residuesOf(problem, geometry_.line);
  meter_.spend(static_cast<int64_t>(2 * residues.size()));
  if (grouped) {
    sumGroups(problem, residues, lanes);
    return;
  }
  spanStarts();
  addSpans(lanes, residues, 0, 1);
}

/// Makes spans of the vectors at `starts_`.
void WarpSums::spanStarts() {
  if (!llvm::is_sorted(starts_)) llvm::sort(starts_);
  starts_.erase(std::unique(starts_.begin(), starts_.end()), starts_.end());
  spans_.clear();
  addSpansOf(starts_, spans_);
}

/// Adds the access of vectors at `spans_`, moved by so many bits, as often as
/// there are residues, and each so often.
void WarpSums::addSpans(int64_t lanes, const Residues &residues, int64_t by,
                        int64_t often) {
  const int64_t base = spans_.front().start + by;
  auto isMoved = [&](const Span &span, const Span &known) {
    return span.start - spans_.front().start == known.start &&
           span.step == known.step && span.count == known.count;
  };
  if (!llvm::equal(spans_, pattern_, isMoved)) {
    pattern_ = spans_;
    for (Span &span : pattern_) span.start -= spans_.front().start;
    touched_.resize(geometry_.line);
    touchedAt_.resize(geometry_.line, 0);
    ++patternNumber_;
  }
  for (auto [residue, repeated] : residues) {
    const __int128 times = repeated * often;
    const int64_t at = floorMod(base + residue, geometry_.line);
    if (touchedAt_[at] != patternNumber_) {
      touched_[at] = touchedBy(pattern_, at, geometry_);
      touchedAt_[at] = patternNumber_;
      for (const Span &span : pattern_)
        meter_.spend(span.step <= geometry_.width ? 1 : span.count);
    }
    const Touched &of = touched_[at];
    const int64_t fewest = ceilDiv(of.bytes * 8, geometry_.sector);
    sums_->accesses.add(times, 1, 1);
    sums_->lanes.add(times, lanes, lanes);
    sums_->bytes.add(times, of.bytes, of.bytes);
    sums_->sectors.add(times, of.sectors, of.sectors);
    sums_->lines.add(times, of.lines, of.lines);
    sums_->pieces += times * of.pieces;
    sums_->fewest.add(times, fewest, fewest);
    sums_->wasted.add(times, of.sectors - fewest, of.sectors - fewest);
    sums_->wastedOfSome.add(times, 0, of.sectors - 1);
  }
}

//===-- Few warps, one by one ---------------------------------------------===//

bool WarpSums::sumRuns(const Problem &problem) {
  WarpRuns warps(problem, algebra_.numbers());
  const Residues residues =
      residuesOf(warps.freeCoefficients(), warps.freeExtents(), geometry_.line);
  meter_.spend(static_cast<int64_t>(2 * residues.size()));
  const Sums before = *sums_;
  const bool goesOn = warps.visit(meter_, [&](const WarpsAlike &alike) {
    addRuns(alike, residues);
    return areFew();
  });
  if (meter_.left() >= 0) return goesOn;
  // The budget ended in between: some of the box is added, and nobody knows
  // which.
  *sums_ = before;
  bound(problem);
  return true;
}

void WarpSums::addRuns(const WarpsAlike &alike, const Residues &residues) {
  const llvm::ArrayRef<SlotRun> runs = alike.runs;
  const size_t perLane = geometry_.slotsPerLane;
  int64_t lanes = 0;
  if (perLane == 1 && runs.front().piece == runs.back().piece) {
    for (const SlotRun &run : runs) lanes += run.count;
  } else {
    active_.assign(algebra_.numbers().slots() / perLane, false);
    for (const SlotRun &run : runs)
      for (uint32_t slot = run.first; slot < run.first + run.count; ++slot)
        active_[slot / perLane] = true;
    lanes = llvm::count(active_, true);
  }
  spans_.clear();
  for (const SlotRun &run : runs) {
    Span span{run.start + shift_, run.step, run.count};
    if (span.step < 0) span = {span.last(), -span.step, span.count};
    if (span.step == 0) span.count = 1;
    if (span.count == 1) span.step = 0;
    spans_.push_back(span);
  }
  putInOrder(spans_);
  // Moves by whole lines change nothing.
  const int64_t cycle = geometry_.line / gcd(geometry_.line, alike.by);
  for (int64_t i = 0; i < std::min(cycle, alike.count); ++i)
    addSpans(lanes, residues, alike.by * i,
             alike.count / cycle + (i < alike.count % cycle));
}

bool WarpSums::checkRuns(const Problem &problem) {
  WarpRuns warps(problem, algebra_.numbers());
  bool moves = false;
  for (int64_t coefficient : warps.freeCoefficients())
    moves |= coefficient % geometry_.width != 0;
  std::vector<std::optional<int64_t>> at(algebra_.numbers().slots());
  return warps.visit(meter_, [&](const WarpsAlike &alike) {
    if (moves || (alike.count > 1 && alike.by % geometry_.width != 0))
      return false;
    llvm::fill(at, std::nullopt);
    for (const SlotRun &run : alike.runs)
      for (uint32_t i = 0; i < run.count; ++i) {
        auto &slot = at[run.first + i];
        const int64_t start = run.start + run.step * i + shift_;
        if (slot && *slot != start) return false;
        slot = start;
      }
    return areVectorsAt(at);
  });
}

//===-- Vectors -----------------------------------------------------------===//

bool WarpSums::checkVectors(const Problem &problem) {
  const Form &address = problem.pieces.front().address;
  for (size_t x = 0; x < problem.extents.size(); ++x)
    if (problem.extents[x] > 1 && address.outer[x] % geometry_.width != 0)
      return false;
  // Every slot has one address.
  const size_t slots = algebra_.numbers().slots();
  std::vector<std::optional<int64_t>> at(slots);
  for (const Piece &piece : problem.pieces) {
    if (!piece.runtime.empty() || !piece.deciders.empty()) {
      // Elements of one vector have the same values of runtime variables, or
      // they are not known to be neighbours.
      const size_t vector = geometry_.slotsPerLane;
      for (const auto *forms : {&piece.sources, &piece.deciders})
        for (uint32_t slot : piece.alive)
          for (const Form &source : *forms)
            if (algebra_.at(source, slot) !=
                algebra_.at(source, slot / vector * vector))
              return false;
      for (const RuntimeTerm &term : piece.runtime)
        if (!term.values.isPoint() && term.coefficient % geometry_.width != 0)
          return false;
    }
    for (uint32_t slot : piece.alive) {
      const int64_t start = algebra_.at(piece.address, slot) + shift_;
      if (at[slot] && (*at[slot] != start || !piece.runtime.empty() ||
                       !piece.deciders.empty()))
        return false;
      at[slot] = start;
    }
  }
  return areVectorsAt(at);
}

/// Whether slots that begin at these bits, if they take part, are vectors.
bool WarpSums::areVectorsAt(llvm::ArrayRef<std::optional<int64_t>> at) const {
  const int64_t vector = geometry_.slotsPerLane,
                bits = geometry_.width / vector;
  for (size_t slot = 0; slot < at.size(); slot += vector) {
    for (int64_t k = 0; k < vector; ++k) {
      if (at[slot].has_value() != at[slot + k].has_value()) return false;
      if (at[slot] && *at[slot + k] != *at[slot] + k * bits) return false;
    }
    if (at[slot] && floorMod(*at[slot], geometry_.width) != 0) return false;
  }
  return true;
}

}  // namespace lanes
}  // namespace indexical

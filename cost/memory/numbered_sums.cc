#include "indexical/cost/memory/numbered_sums.h"

#include <algorithm>
#include <map>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {
namespace {

struct Totals {
  int64_t accesses = 0, lanes = 0, bytes = 0, sectors = 0, lines = 0,
          pieces = 0, wasted = 0;
  void add(const Totals &of, int64_t times) {
    accesses += times * of.accesses;
    lanes += times * of.lanes;
    bytes += times * of.bytes;
    sectors += times * of.sectors;
    lines += times * of.lines;
    pieces += times * of.pieces;
    wasted += times * of.wasted;
  }
};

/// Adds up accesses, whose lanes come in order. No number leaves 64 bits: there
/// are fewer than 2^31 numbers.
class AccessAdder {
 public:
  AccessAdder(int64_t warp, const Geometry &geometry)
      : warp_(warp), geometry_(geometry) {}

  /// Takes lanes from `at` on, counted over all warps.
  void take(int64_t at, Span span) {
    int64_t warp = at / warp_;
    int64_t lane = at - warp * warp_;
    while (span.count > 0) {
      if (warp != now_) {
        end();
        now_ = warp;
      }
      if (lane == 0 && span.count >= warp_) {
        const int64_t whole = span.count / warp_;
        addWhole(span, whole);
        span.start += span.step * whole * warp_;
        span.count -= whole * warp_;
        warp += whole;
        continue;
      }
      const int64_t own = std::min(span.count, warp_ - lane);
      spans_.push_back({span.start, own > 1 ? span.step : 0, own});
      lanes_ += own;
      span.start += span.step * own;
      span.count -= own;
      ++warp;
      lane = 0;
    }
  }

  /// Adds the access whose lanes were taken last.
  void end() {
    if (spans_.empty()) return;
    const int64_t lanes = lanes_;
    for (Span &span : spans_)
      if (span.step < 0) span = {span.last(), -span.step, span.count};
    putInOrder(spans_);
    add(touchedBy(spans_, 0, geometry_), lanes, 1);
    spans_.clear();
    lanes_ = 0;
  }

  /// Adds what has been added since the totals were `since` so many times
  /// more, and goes on after as many warps and bits.
  void repeat(const Totals &since, int64_t times, int64_t warps, int64_t bits) {
    Totals grown = totals_;
    grown.add(since, -1);
    totals_.add(grown, times);
    now_ += warps;
    for (Span &span : spans_) span.start += bits;
  }
  const Totals &totals() const { return totals_; }

  bool areFew(int64_t most) const {
    return totals_.sectors <= most || totals_.wasted == 0 ||
           totals_.bytes * 8 <= totals_.accesses * geometry_.width;
  }

  void addTo(Sums &sums) const {
    const Totals &of = totals_;
    sums.accesses.add(1, of.accesses, of.accesses);
    sums.lanes.add(1, of.lanes, of.lanes);
    sums.bytes.add(1, of.bytes, of.bytes);
    sums.sectors.add(1, of.sectors, of.sectors);
    sums.lines.add(1, of.lines, of.lines);
    sums.fewest.add(1, of.sectors - of.wasted, of.sectors - of.wasted);
    sums.wasted.add(1, of.wasted, of.wasted);
    sums.wastedOfSome.add(1, 0, of.sectors - of.accesses);
    sums.pieces += of.pieces;
  }

 private:
  void addWhole(const Span &of, int64_t whole) {
    Span span = {of.start, of.step, warp_};
    if (span.step < 0) span = {span.last(), -span.step, warp_};
    if (span.step == 0) span.count = 1;
    if (span.count == 1) span.step = 0;
    const int64_t by = of.step * warp_;
    // Moves by whole lines change nothing.
    const int64_t cycle = geometry_.line / gcd(geometry_.line, by);
    for (int64_t i = 0; i < std::min(cycle, whole); ++i) {
      add(touchedBy(span, 0, geometry_), warp_,
          whole / cycle + (i < whole % cycle));
      span.start += by;
    }
  }

  void add(const Touched &of, int64_t lanes, int64_t times) {
    totals_.add({1, lanes, of.bytes, of.sectors, of.lines, of.pieces,
                 of.sectors - ceilDiv(of.bytes * 8, geometry_.sector)},
                times);
  }

  const int64_t warp_;
  const Geometry &geometry_;
  int64_t now_ = -1, lanes_ = 0;
  std::vector<Span> spans_;  ///< of the access that is taken
  Totals totals_;
};

/// Returns after how many repetitions all numbers have gone on by whole warps,
/// and all bits by whole lines.
int64_t cycleOf(const RepeatedRuns &repeated, int64_t ofWarp, int64_t line) {
  const int64_t byWarps = ofWarp / gcd(ofWarp, repeated.numbers);
  const int64_t byLines = line / gcd(line, repeated.bits);
  return byWarps / gcd(byWarps, byLines) * byLines;
}

/// Calls `visit` with the numbers of the run that have this remainder by the
/// vector: the first quotient, and a span.
template <typename Visit>
void visitRemainder(const NumberedRun &run, int64_t vector, int64_t remainder,
                    Visit visit) {
  if (vector == 1) {
    visit(run.first, Span{run.start, run.step, run.count});
    return;
  }
  const int64_t from = run.first + floorMod(remainder - run.first, vector);
  if (from >= run.end()) return;
  visit((from - remainder) / vector,
        Span{run.start + run.step * (from - run.first), run.step * vector,
             (run.end() - 1 - from) / vector + 1});
}

/// Goes through vectors element by element.
class VectorCheck {
 public:
  VectorCheck(int64_t vector, int64_t bits) : vector_(vector), bits_(bits) {}

  bool take(const NumberedRun &run) {
    int64_t done = 0;
    while (done < run.count && (run.first + done) % vector_ != 0)
      if (!takeOne(run, done++)) return false;
    const int64_t whole = (run.count - done) / vector_;
    if (whole > 0) {
      if (known_ != 0 || run.step != bits_ ||
          (run.start + run.step * done) % (bits_ * vector_) != 0)
        return false;
      done += whole * vector_;
    }
    while (done < run.count)
      if (!takeOne(run, done++)) return false;
    return true;
  }
  bool isWhole() const { return known_ == 0; }

 private:
  bool takeOne(const NumberedRun &run, int64_t i) {
    const int64_t number = run.first + i, start = run.start + run.step * i;
    const int64_t place = number % vector_;
    if (place != known_ || (place > 0 && number != next_)) return false;
    if (place == 0 && start % (bits_ * vector_) != 0) return false;
    if (place > 0 && start != start_ + place * bits_) return false;
    if (place == 0) start_ = start;
    next_ = number + 1;
    known_ = place + 1 == vector_ ? 0 : place + 1;
    return true;
  }

  const int64_t vector_, bits_;
  int64_t known_ = 0;  ///< elements of a vector that is not whole yet
  int64_t start_ = 0, next_ = 0;
};

}  // namespace

int64_t costOfNumbered(const NumberedAccesses &accesses) {
  // A run and the place where it meets the next one, for each remainder.
  constexpr int64_t kOfRun = 40;
  return kOfRun * static_cast<int64_t>(accesses.runs.size()) *
         (accesses.vector / accesses.atOnce);
}

bool addNumbered(const NumberedAccesses &accesses, const Geometry &geometry,
                 int64_t most, Sums &sums) {
  AccessAdder adder(accesses.warp, geometry);
  const RepeatedRuns &repeated = accesses.repeated;
  const int64_t ofWarp = accesses.warp * accesses.vector;
  const int64_t cycle = cycleOf(repeated, ofWarp, geometry.line);
  // A warp in which a repetition begins may hold runs of those before it.
  const size_t before = ofWarp / repeated.numbers + 1;
  const size_t begin = repeated.from + before * repeated.runs;
  const size_t ofCycle = cycle * repeated.runs;
  const size_t cycles =
      begin + ofCycle < repeated.to ? (repeated.to - begin) / ofCycle - 1 : 0;
  bool few = true;
  for (int64_t remainder = 0; few && remainder < accesses.vector;
       remainder += accesses.atOnce) {
    Totals since;
    for (size_t i = 0; few && i < accesses.runs.size(); ++i) {
      if (cycles > 0 && i == begin) since = adder.totals();
      if (cycles > 0 && i == begin + ofCycle) {
        const auto times = static_cast<int64_t>(cycles);
        adder.repeat(since, times, times * cycle * repeated.numbers / ofWarp,
                     times * cycle * repeated.bits);
        i += cycles * ofCycle;
        if (i >= accesses.runs.size()) break;
      }
      visitRemainder(
          accesses.runs[i], accesses.vector, remainder,
          [&](int64_t at, const Span &span) { adder.take(at, span); });
      few = adder.areFew(most);
    }
    adder.end();
  }
  few = few && adder.areFew(most);
  adder.addTo(sums);
  return few;
}

bool areNumberedVectors(const NumberedAccesses &accesses, int64_t bits) {
  VectorCheck check(accesses.atOnce, bits);
  return llvm::all_of(
             accesses.runs,
             [&](const NumberedRun &run) { return check.take(run); }) &&
         check.isWhole();
}

bool mayReadOneElement(const NumberedAccesses &accesses) {
  const int64_t vector = accesses.vector;
  return llvm::all_of(accesses.runs, [&](const NumberedRun &run) {
    return run.step == 0 && run.first % vector == 0 && run.count % vector == 0;
  });
}

std::optional<LaneSteps> numberedSteps(const NumberedAccesses &accesses) {
  // The most warps in which one that reads is searched.
  constexpr int kMostWarps = 128;
  const int64_t ofWarp = accesses.warp * accesses.vector;
  int64_t warp = -1;
  const auto *from = accesses.runs.begin();
  for (int tried = 0; tried < kMostWarps; ++tried) {
    // The next warp with lanes, and its runs.
    while (from != accesses.runs.end() && from->end() <= (warp + 1) * ofWarp)
      ++from;
    if (from == accesses.runs.end()) return std::nullopt;
    warp = std::max(warp + 1, from->first / ofWarp);
    for (int64_t remainder = 0; remainder < accesses.vector;
         remainder += accesses.atOnce) {
      std::map<uint32_t, std::vector<int64_t>> starts;
      for (const auto *run = from; run != accesses.runs.end(); ++run) {
        if (run->first >= (warp + 1) * ofWarp) break;
        visitRemainder(
            *run, accesses.vector, remainder, [&](int64_t at, Span span) {
              const int64_t skipped =
                  std::max<int64_t>(0, warp * accesses.warp - at);
              const int64_t end =
                  std::min(span.count, (warp + 1) * accesses.warp - at);
              for (int64_t i = skipped; i < end; ++i)
                starts[run->piece].push_back(span.start + span.step * i);
            });
      }
      for (const auto &[piece, of] : starts) {
        if (of.size() < 2) continue;
        std::map<int64_t, size_t> times;
        for (size_t k = 1; k < of.size(); ++k) ++times[of[k] - of[k - 1]];
        const auto most = std::max_element(
            times.begin(), times.end(),
            [](const auto &a, const auto &b) { return a.second < b.second; });
        return LaneSteps{most->first,
                         static_cast<int64_t>(of.size() - most->second)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace lanes
}  // namespace indexical

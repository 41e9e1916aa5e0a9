#include "indexical/cost/tiles/progressions.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

/// Returns x with a * x = 1 modulo b, for numbers without a common factor.
int64_t inverseModulo(int64_t a, int64_t b) {
  int64_t x = 1, next = 0, rest = a, divisor = b;
  while (divisor != 0) {
    const int64_t quotient = rest / divisor;
    rest = std::exchange(divisor, rest % divisor);
    x = std::exchange(next, x - quotient * next);
  }
  return floorMod(x, b);
}

/// Joins boxes that are equal but along dimension j, where one goes on as the
/// other ends, and drops boxes that stand twice.
void joinAlong(size_t j, std::vector<ProgressionBox> &boxes) {
  auto isBefore = [&](const ProgressionBox &a, const ProgressionBox &b) {
    for (size_t k = 0; k < a.size(); ++k)
      if (k != j && !(a[k] == b[k])) return a[k] < b[k];
    return std::tuple(a[j].stride, a[j].first, a[j].count) <
           std::tuple(b[j].stride, b[j].first, b[j].count);
  };
  std::sort(boxes.begin(), boxes.end(), isBefore);
  std::vector<ProgressionBox> joined;
  for (ProgressionBox &box : boxes) {
    if (!joined.empty()) {
      ArithmeticProgression &last = joined.back()[j];
      const ArithmeticProgression &own = box[j];
      bool areAlike = last.stride == own.stride;
      for (size_t k = 0; k < box.size() && areAlike; ++k)
        areAlike = k == j || joined.back()[k] == box[k];
      // The first of them is at or behind the first one of the last box.
      const int64_t distance = own.first - last.first;
      if (areAlike && distance % own.stride == 0 &&
          distance / own.stride <= last.count) {
        last.count = std::max(last.count, distance / own.stride + own.count);
        continue;
      }
    }
    joined.push_back(std::move(box));
  }
  boxes = std::move(joined);
}

bool overlap(const ProgressionBox &a, const ProgressionBox &b) {
  for (size_t k = 0; k < a.size(); ++k)
    if (common(a[k], b[k]).count == 0) return false;
  return true;
}

/// Whether no two boxes, which are sorted by their first dimension, share an
/// element; nothing if the meter does not suffice.
std::optional<bool> areApart(std::vector<ProgressionBox> &boxes, Meter &meter) {
  std::sort(boxes.begin(), boxes.end());
  for (size_t i = 0; i < boxes.size(); ++i) {
    const int64_t end = boxes[i][0].last();
    for (size_t n = i + 1; n < boxes.size() && boxes[n][0].first <= end; ++n) {
      if (!meter.spend(4)) return std::nullopt;
      if (overlap(boxes[i], boxes[n])) return false;
    }
  }
  return true;
}

/// Returns the elements one by one, in rows along the last dimension.
std::optional<std::vector<ProgressionBox>> elementsOf(
    const std::vector<ProgressionBox> &boxes, Meter &meter) {
  const int64_t count = countOf(boxes);
  if (count > meter.left() / 8 || !meter.spend(8 * count)) return std::nullopt;
  std::vector<std::vector<int64_t>> points;
  for (const ProgressionBox &box : boxes) {
    std::vector<int64_t> at(box.size(), 0), point(box.size());
    size_t k;
    do {
      for (size_t n = 0; n < box.size(); ++n)
        point[n] = box[n].first + at[n] * box[n].stride;
      points.push_back(point);
      for (k = 0; k < box.size() && ++at[k] == box[k].count; ++k) at[k] = 0;
    } while (k < box.size());
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<ProgressionBox> single;
  for (const auto &point : points) {
    ProgressionBox &box = single.emplace_back();
    for (int64_t value : point) box.push_back({value, 1, 1});
  }
  joinAlong(single.empty() ? 0 : single[0].size() - 1, single);
  return single;
}

}  // namespace

bool ArithmeticProgression::operator<(const ArithmeticProgression &o) const {
  return std::tie(first, count, stride) < std::tie(o.first, o.count, o.stride);
}

ArithmeticProgression within(ArithmeticProgression p, int64_t size) {
  if (p.count <= 0) return {0, 0, 1};
  if (p.first < 0) {
    const int64_t skipped = floorDiv(-1 - p.first, p.stride) + 1;
    if (skipped >= p.count) return {0, 0, 1};
    // Of a long stride the first value that is left may be past 64 bits.
    const auto first = checkedAdd(p.first + (skipped - 1) * p.stride, p.stride);
    if (!first) return {0, 0, 1};
    p.first = *first;
    p.count -= skipped;
  }
  if (p.first >= size) return {0, 0, 1};
  p.count = std::min(p.count, (size - 1 - p.first) / p.stride + 1);
  return p;
}

ArithmeticProgression common(const ArithmeticProgression &a,
                             const ArithmeticProgression &b) {
  if (a.count <= 0 || b.count <= 0) return {0, 0, 1};
  const int64_t least = std::max(a.first, b.first);
  const int64_t greatest = std::min(a.last(), b.last());
  const int64_t shared = std::gcd(a.stride, b.stride);
  if (least > greatest || (b.first - a.first) % shared != 0) return {0, 0, 1};
  // a.first + n * a.stride is one of the values of b's stride for one n below
  // b.stride / shared, and so for each n that far on.
  const int64_t turns = b.stride / shared;
  const auto steps = static_cast<int64_t>(
      static_cast<__int128>(floorMod((b.first - a.first) / shared, turns)) *
      inverseModulo(a.stride / shared, turns) % turns);
  const __int128 period = static_cast<__int128>(a.stride) * turns;
  __int128 value = static_cast<__int128>(steps) * a.stride + a.first;
  if (value < least) value += (least - value + period - 1) / period * period;
  if (value > greatest) return {0, 0, 1};
  if (value + period > greatest) return {static_cast<int64_t>(value), 1, 1};
  return {static_cast<int64_t>(value),
          static_cast<int64_t>((greatest - value) / period + 1),
          static_cast<int64_t>(period)};
}

int64_t countOf(const ProgressionBox &box) {
  int64_t count = 1;
  for (const ArithmeticProgression &p : box)
    count = boundedProduct(count, p.count);
  return count;
}

int64_t countOf(const std::vector<ProgressionBox> &boxes) {
  int64_t count = 0;
  for (const ProgressionBox &box : boxes)
    count = boundedSum(count, countOf(box));
  return count;
}

std::optional<std::vector<ProgressionBox>> withoutOverlap(
    std::vector<ProgressionBox> boxes, Meter &meter) {
  boxes.erase(std::remove_if(
                  boxes.begin(), boxes.end(),
                  [](const ProgressionBox &box) { return countOf(box) == 0; }),
              boxes.end());
  if (boxes.empty()) return boxes;
  if (boxes[0].empty()) {  // a scalar
    boxes.resize(1);
    return boxes;
  }
  for (ProgressionBox &box : boxes)
    for (ArithmeticProgression &p : box)
      if (p.count == 1) p.stride = 1;
  for (size_t j = boxes[0].size(); j-- > 0;) {
    const auto steps = static_cast<int64_t>(boxes.size() * boxes[0].size());
    if (!meter.spend(steps)) return std::nullopt;
    joinAlong(j, boxes);
  }
  const auto apart = areApart(boxes, meter);
  if (!apart) return std::nullopt;
  if (*apart) return boxes;
  return elementsOf(boxes, meter);
}

std::optional<std::vector<ProgressionBox>> common(
    const std::vector<ProgressionBox> &a, const std::vector<ProgressionBox> &b,
    Meter &meter) {
  const auto pairs = boundedProduct(static_cast<int64_t>(a.size()),
                                    static_cast<int64_t>(b.size()));
  if (pairs > meter.left() / 4 || !meter.spend(4 * pairs)) return std::nullopt;
  std::vector<ProgressionBox> shared;
  for (const ProgressionBox &first : a)
    for (const ProgressionBox &second : b) {
      ProgressionBox both;
      for (size_t k = 0; k < first.size(); ++k)
        both.push_back(common(first[k], second[k]));
      if (countOf(both) > 0) shared.push_back(std::move(both));
    }
  return shared;
}

}  // namespace indexical

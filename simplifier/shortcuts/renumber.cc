#include "indexical/simplifier/shortcuts/renumber.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/plain_map.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/size_groups.h"

namespace indexical {
namespace {

using Coordinates = llvm::SmallVector<llvm::SmallVector<PlainDigit, 2>, 6>;

/// A size, or a product of sizes.
struct Count {
  int64_t number;

  bool operator==(const Count &o) const { return number == o.number; }
  bool isOne() const { return number == 1; }
  bool growsFirst(const Count &o) const { return number < o.number; }
  std::optional<Count> times(const Count &o) const {
    const auto product = checkedMul(number, o.number);
    if (!product) return std::nullopt;
    return Count{*product};
  }
};

/// Finds the digits of dimensions that each coordinate of `to` is the sum of.
class CommonRadix {
 public:
  CommonRadix(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to)
      : from_(from), to_(to), coordinates_(to.size()) {}

  /// Returns false if there is no common radix.
  bool find() {
    size_t i = 0, j = 0;
    while (i < from_.size() || j < to_.size()) {
      const size_t firstFrom = i, firstTo = j;
      auto sizeOfFrom = [&](size_t k) { return sizeAt(from_, k); };
      auto sizeOfTo = [&](size_t k) { return sizeAt(to_, k); };
      if (!closeGroup<Count>(i, j, sizeOfFrom, sizeOfTo)) return false;
      if (!cut(firstFrom, i, firstTo, j)) return false;
    }
    return true;
  }

  const Coordinates &coordinates() const { return coordinates_; }

 private:
  static std::optional<Count> sizeAt(llvm::ArrayRef<int64_t> sizes, size_t k) {
    if (k >= sizes.size()) return std::nullopt;
    return Count{sizes[k]};
  }

  /// Cuts axes [firstFrom, i) and [firstTo, j), whose products are equal.
  bool cut(size_t firstFrom, size_t i, size_t firstTo, size_t j) {
    if (i == firstFrom + 1 && j == firstTo + 1) {
      add(firstTo, {static_cast<uint32_t>(firstFrom), 1, 0, 1});
      return true;
    }
    int64_t leftFrom = 1, leftTo = 1;  // of the axes that are being cut
    int64_t stride = 1, coefficient = 1;
    while (true) {
      while (leftFrom == 1 && i > firstFrom) leftFrom = from_[--i], stride = 1;
      while (leftTo == 1 && j > firstTo) leftTo = to_[--j], coefficient = 1;
      if (leftFrom == 1 || leftTo == 1) return leftFrom == leftTo;
      const int64_t width = std::min(leftFrom, leftTo);
      if (leftFrom % width != 0 || leftTo % width != 0) return false;
      const bool isHighest = leftFrom == width;
      add(j, {static_cast<uint32_t>(i), stride, isHighest ? 0 : width,
              coefficient});
      leftFrom /= width;
      leftTo /= width;
      stride *= width;
      coefficient *= width;
    }
  }

  void add(size_t coordinate, const PlainDigit &digit) {
    coordinates_[coordinate].push_back(digit);
  }

  const llvm::ArrayRef<int64_t> from_, to_;
  Coordinates coordinates_;
};

/// Returns the row major number and how `to` cuts it, or nothing if the number
/// leaves 64 bits. Variables with one value are left out.
std::optional<Delinearization> digitsOf(llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to) {
  Delinearization digits;
  int64_t stride = 1;
  for (size_t k = from.size(); k-- > 0;) {
    if (from[k] > 1)
      digits.index.push_back(
          {{VariableKind::Dimension, static_cast<uint32_t>(k)}, stride});
    const auto next = checkedMul(stride, from[k]);
    if (!next) return std::nullopt;
    stride = *next;
  }
  const int64_t all = stride;
  stride = 1;
  for (int64_t size : llvm::reverse(to)) {
    const bool isHighest = size > 1 && stride * size == all;
    digits.results.push_back({size > 1 ? stride : 1, isHighest ? 0 : size});
    stride *= size;
  }
  std::reverse(digits.results.begin(), digits.results.end());
  return digits;
}

/// Returns the map as a builder makes it; nothing if arithmetic leaves 64 bits.
std::optional<IndexingMap> built(llvm::ArrayRef<Interval> indices,
                                 const Coordinates &coordinates) {
  IndexingMapBuilder builder;
  llvm::SmallVector<Expr, 6> d;
  for (const Interval &bounds : indices) d.push_back(builder.dimension(bounds));
  ExpressionPool &pool = builder.pool();
  for (const auto &digits : coordinates) {
    llvm::SmallVector<ScaledForm, 4> sum;
    for (const PlainDigit &digit : digits)
      sum.push_back(
          {pool.digit(d[digit.dimension].form(), digit.stride, digit.modulus),
           digit.coefficient});
    builder.result(builder.expression(pool.linear(sum, 0)));
  }
  auto map = builder.build();
  if (!map.ok()) return std::nullopt;
  return *std::move(map);
}

}  // namespace

std::optional<IndexingMap> renumberedAtOnce(llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to) {
  // The normal form of greater numbers may leave 64 bits.
  auto isSmall = [](int64_t size) { return size > 0 && size >> 31 == 0; };
  if (!llvm::all_of(from, isSmall) || !llvm::all_of(to, isSmall))
    return std::nullopt;
  CommonRadix radix(from, to);
  if (!radix.find()) return std::nullopt;

  llvm::SmallVector<Interval, 6> indices;
  for (int64_t size : from) indices.push_back({0, size - 1});
  bool isPlain = true;      // each result is a variable or 0
  bool hasNoPoints = true;  // no result is a variable with one value
  for (const auto &digits : radix.coordinates())
    for (const PlainDigit &digit : digits) {
      isPlain &= digit.stride == 1 && digit.modulus == 0 && digits.size() == 1;
      hasNoPoints &= from[digit.dimension] > 1;
    }
  auto map = digitMap(indices, radix.coordinates());
  if (!map) map = built(indices, radix.coordinates());
  if (!map) return std::nullopt;
  SimplifierMarks::setMarks(*map, hasNoPoints,
                            isPlain ? std::nullopt : digitsOf(from, to));
  return map;
}

}  // namespace indexical

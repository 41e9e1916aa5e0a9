// Elements of a constant as expressions of their index.
//
//   c = s32[3,1] constant({{1}, {3}, {5}})    at (d0, 0)    d0 * 2 + 1
//   c = s32[5] constant({4, 5, 6, 2, 2})      at (d0)
//     case 1    d0 in [0, 2]    d0 + 4
//     case 2    d0 in [3, 4]    2
//
// The elements that the index can name are a box. One expression has all of
// them if they grow by a fixed step along each dimension. Otherwise the box is
// read in row-major order and cut into runs: stretches of equal steps.
#include <algorithm>

#include "indexical/indexing/arithmetic.h"
#include "indexical/program/values/elements_at.h"

namespace indexical {
namespace {

// A literal of more runs is not taken apart.
constexpr size_t kMostRuns = 16;

// A box of more elements is not looked at.
constexpr int64_t kMostElements = int64_t{1} << 16;

/// The elements from number `first` of the box on, up to those of the next run.
struct Run {
  int64_t first = 0, value = 0, step = 0;
};

/// Whether so many steps are numbers to compute with.
bool isComputable(int64_t step, int64_t count) {
  const auto all = checkedMul(step, count);
  return all && kComputable.contains(Interval::point(*all));
}

/// The elements of a constant that an index can name.
struct LiteralBox {
  llvm::ArrayRef<int64_t> values;  ///< of the whole constant
  llvm::SmallVector<Interval, 4> sides;
  /// How many elements of the constant, and of the box, a step along a
  /// dimension passes.
  llvm::SmallVector<int64_t, 4> strides, boxStrides;
  llvm::SmallVector<Expr, 4> offsets;  ///< the index from the box's begin
  int64_t count = 1;

  int64_t valueAt(int64_t number) const {
    int64_t place = 0;
    for (size_t k = 0; k < sides.size(); ++k) {
      place += (sides[k].lower + number / boxStrides[k]) * strides[k];
      number %= boxStrides[k];
    }
    return values[place];
  }

  /// Returns the step along each dimension, or nothing if it is not fixed.
  std::optional<llvm::SmallVector<int64_t, 4>> steps() const {
    llvm::SmallVector<int64_t, 4> found;
    const int64_t first = valueAt(0);
    for (size_t k = 0; k < sides.size(); ++k) {
      const auto step = sides[k].isPoint()
                            ? int64_t{0}
                            : checkedSub(valueAt(boxStrides[k]), first);
      if (!step || !isComputable(*step, sides[k].count())) return std::nullopt;
      found.push_back(*step);
    }
    for (int64_t n = 0; n < count; ++n) {
      std::optional<int64_t> wanted = first;
      int64_t rest = n;
      for (size_t k = 0; k < sides.size() && wanted; ++k) {
        const auto grown = checkedMul(rest / boxStrides[k], found[k]);
        wanted = grown ? checkedAdd(*wanted, *grown) : std::nullopt;
        rest %= boxStrides[k];
      }
      if (wanted != valueAt(n)) return std::nullopt;
    }
    return found;
  }

  /// Returns the runs, or nothing if there are too many.
  std::optional<llvm::SmallVector<Run, kMostRuns>> runs() const {
    llvm::SmallVector<Run, kMostRuns> found;
    for (int64_t n = 0; n < count;) {
      if (found.size() == kMostRuns) return std::nullopt;
      Run run = {n, valueAt(n), 0};
      if (++n < count) {
        const auto step = checkedSub(valueAt(n), run.value);
        if (!step || !isComputable(*step, count)) return std::nullopt;
        run.step = *step;
        while (++n < count &&
               checkedSub(valueAt(n), valueAt(n - 1)) == run.step) {
        }
      }
      found.push_back(run);
    }
    return found;
  }
};

/// Returns the element if the index lies in one of the runs, which is a choice.
std::optional<Expr> runOf(const LiteralBox &box, Integers &integers) {
  const auto runs = box.runs();
  if (!runs) return std::nullopt;
  Expr number = integers.constant(0);
  for (size_t k = 0; k < box.sides.size(); ++k)
    number = number + box.offsets[k] * box.boxStrides[k];
  for (size_t i = 0; i < runs->size(); ++i) {
    const bool isLast = i + 1 == runs->size();
    const auto isInside =
        isLast ? true : integers.isAtMost(number, (*runs)[i + 1].first - 1);
    if (!isInside) return std::nullopt;
    const Run &run = (*runs)[i];
    if (*isInside) return (number - run.first) * run.step + run.value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Expr> literalAt(const ConstantOp &op, llvm::ArrayRef<Expr> index,
                              Integers &integers) {
  if (op.values.empty()) return std::nullopt;
  // The smallest integer has no negative: no expression holds it.
  auto constant = [&](int64_t value) -> std::optional<Expr> {
    if (value == INT64_MIN) return std::nullopt;
    return integers.constant(value);
  };
  if (llvm::all_equal(op.values)) return constant(op.values[0]);
  LiteralBox box;
  box.values = op.values;
  llvm::ArrayRef<int64_t> sizes = op.results[0].dimensions;
  for (size_t k = 0; k < index.size(); ++k) {
    const Interval side =
        integers.boundsOf(index[k]).intersect({0, sizes[k] - 1});
    if (side.isEmpty()) return std::nullopt;
    box.sides.push_back(side);
    box.offsets.push_back(index[k] - side.lower);
    const auto count = checkedMul(box.count, side.count());
    if (!count || *count > kMostElements) return std::nullopt;
    box.count = *count;
  }
  box.strides.resize(sizes.size());
  box.boxStrides.resize(sizes.size());
  int64_t stride = 1, boxStride = 1;
  for (size_t k = sizes.size(); k-- > 0;) {
    box.strides[k] = stride;
    box.boxStrides[k] = boxStride;
    stride *= sizes[k];
    boxStride *= box.sides[k].count();
  }
  if (stride != static_cast<int64_t>(op.values.size())) return std::nullopt;
  if (box.count == 1) return constant(box.valueAt(0));
  for (int64_t n = 0; n < box.count; ++n)
    if (!kComputable.contains(Interval::point(box.valueAt(n))))
      return std::nullopt;
  const auto steps = box.steps();
  if (!steps) return runOf(box, integers);
  Expr value = integers.constant(box.valueAt(0));
  for (size_t k = 0; k < steps->size(); ++k)
    if ((*steps)[k] != 0) value = value + box.offsets[k] * (*steps)[k];
  return value;
}

}  // namespace indexical

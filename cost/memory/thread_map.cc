#include "indexical/cost/memory/thread_map.h"

#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

constexpr const char *kNames[kThreadDimensions] = {"th_x", "th_y", "th_z",
                                                   "bl_x", "bl_y", "bl_z"};

absl::Status invalid(const std::string &text) {
  return absl::InvalidArgumentError(text);
}

absl::Status checkSizes(const ArrayShape &shape,
                        std::initializer_list<int64_t> numbers) {
  if (shape.hasUnknownSize())
    return invalid("a thread map needs sizes that are known, and " +
                   shape.str() + " has one that is not");
  if (!shape.elementCount())
    return invalid("the number of elements of " + shape.str() +
                   " leaves 64 bits");
  for (int64_t number : numbers)
    if (number < 1 || number > (int64_t{1} << 31))
      return invalid(
          "numbers of threads, of vectors and of rows lie in [1, "
          "2^31], and " +
          std::to_string(number) + " is one of them");
  return absl::OkStatus();
}

/// A thread map under construction: the six dimensions are there.
struct ThreadMapBuilder {
  explicit ThreadMapBuilder(llvm::ArrayRef<int64_t> extents) {
    for (size_t i = 0; i < kThreadDimensions; ++i)
      threads.push_back(builder.dimension({0, extents[i] - 1}, kNames[i]));
  }
  Expr loop(int64_t extent, const char *name) {
    return builder.range({0, extent - 1}, name);
  }
  // Never simplified: the bounds are those of the launch, whichever threads are
  // active.
  absl::StatusOr<IndexingMap> build() { return builder.build(); }

  IndexingMapBuilder builder;
  llvm::SmallVector<Expr, 6> threads;
};

/// The coordinates along sizes, the most minor first, of a number.
llvm::SmallVector<Expr, 6> digitsOf(Expr number,
                                    llvm::ArrayRef<int64_t> minorToMajor) {
  llvm::SmallVector<Expr, 6> digits;
  int64_t stride = 1;
  for (auto [k, size] : llvm::enumerate(minorToMajor)) {
    Expr digit = stride == 1 ? number : floorDiv(number, stride);
    if (k + 1 < minorToMajor.size()) digit = mod(digit, size);
    digits.push_back(digit);
    stride *= size;
  }
  return digits;
}

IndexingMap emptyMap() { return IndexingMap::knownEmpty(); }

}  // namespace

absl::Status checkThreadMap(const IndexingMap &map) {
  if (map.isKnownEmpty()) return absl::OkStatus();
  if (map.dimensions().size() != kThreadDimensions)
    return invalid(
        "a thread map has six dimensions, (th_x, th_y, th_z, bl_x, bl_y, "
        "bl_z), and this one has " +
        std::to_string(map.dimensions().size()));
  if (!map.runtime().empty())
    return invalid("a thread map has no runtime variables, and this one has " +
                   std::to_string(map.runtime().size()));
  for (uint32_t i = 0; i < kThreadDimensions; ++i) {
    const Interval bounds = map.dimensions()[i].bounds;
    if (bounds.lower != 0 || !bounds.hasUpper())
      return invalid("threads and blocks count from 0 to an end, and " +
                     map.nameOf({VariableKind::Dimension, i}) + " is in " +
                     bounds.str());
  }
  for (uint32_t i = 0; i < map.ranges().size(); ++i)
    if (!map.ranges()[i].bounds.isFinite())
      return invalid("loops have an end, and " +
                     map.nameOf({VariableKind::Range, i}) + " is in " +
                     map.ranges()[i].bounds.str());
  std::optional<int64_t> points = 1;
  for (const auto &variables : {map.dimensions(), map.ranges()})
    for (const Variable &v : variables)
      if (points) points = checkedMul(*points, v.bounds.count());
  if (!points)
    return invalid(
        "the threads of a launch, times the steps of their loops, are fewer "
        "than 2^63, and this map has more");
  return absl::OkStatus();
}

absl::StatusOr<IndexingMap> linearThreads(const ArrayShape &shape,
                                          const LinearThreads &options) {
  INDEXICAL_RETURN_IF_ERROR(
      checkSizes(shape, {options.threads, options.unroll, options.vector}));
  if (shape.isEmpty()) return emptyMap();
  const int64_t elements = *shape.elementCount();
  const auto perStep = checkedMul(options.threads, options.vector);
  const auto perBlock =
      perStep ? checkedMul(*perStep, options.unroll) : std::nullopt;
  if (!perBlock) return invalid("the elements of a block leave 64 bits");
  const int64_t blocks = ceilDiv(elements, *perBlock);
  ThreadMapBuilder b({options.threads, 1, 1, blocks, 1, 1});
  Expr unroll = b.loop(options.unroll, "unroll");
  Expr vector = b.loop(options.vector, "vector");
  Expr number = b.threads[3] * *perBlock + unroll * *perStep +
                b.threads[0] * options.vector + vector;
  const auto order = shape.minorToMajor();
  llvm::SmallVector<int64_t, 6> sizes;
  for (int64_t k : order) sizes.push_back(shape.dimensions[k]);
  auto digits = digitsOf(number, sizes);
  llvm::SmallVector<Expr, 6> index(order.size());
  for (auto [i, k] : llvm::enumerate(order)) index[k] = digits[i];
  for (Expr expression : index) b.builder.result(expression);
  if (blocks * *perBlock != elements)
    b.builder.constraint(number, {0, elements - 1});
  return b.build();
}

absl::StatusOr<IndexingMap> rowThreads(const ArrayShape &shape,
                                       int64_t rowDimensions,
                                       const RowThreads &options) {
  INDEXICAL_RETURN_IF_ERROR(
      checkSizes(shape, {options.lanes, options.rows, options.vector}));
  if (rowDimensions < 0 || rowDimensions > shape.rank())
    return invalid("a row of " + shape.str() + " cannot have " +
                   std::to_string(rowDimensions) + " dimensions");
  if (shape.isEmpty()) return emptyMap();
  const auto order = shape.minorToMajor();
  llvm::SmallVector<int64_t, 6> inRow, above;
  int64_t length = 1, rows = 1;
  for (auto [i, k] : llvm::enumerate(order)) {
    const bool isRow = static_cast<int64_t>(i) < rowDimensions;
    (isRow ? inRow : above).push_back(shape.dimensions[k]);
    (isRow ? length : rows) *= shape.dimensions[k];
  }
  const auto perStep = checkedMul(options.lanes, options.vector);
  if (!perStep) return invalid("the elements of a step leave 64 bits");
  const int64_t steps = ceilDiv(length, *perStep);
  const int64_t blocks = ceilDiv(rows, options.rows);
  ThreadMapBuilder b({options.lanes, options.rows, 1, blocks, 1, 1});
  Expr step = b.loop(steps, "step"), vector = b.loop(options.vector, "vector");
  Expr column = step * *perStep + b.threads[0] * options.vector + vector;
  Expr row = b.threads[3] * options.rows + b.threads[1];
  llvm::SmallVector<Expr, 6> digits;
  if (!inRow.empty()) digits = digitsOf(column, inRow);
  if (!above.empty()) llvm::append_range(digits, digitsOf(row, above));
  llvm::SmallVector<Expr, 6> index(order.size());
  for (auto [i, k] : llvm::enumerate(order)) index[k] = digits[i];
  for (Expr expression : index) b.builder.result(expression);
  if (steps * *perStep != length) b.builder.constraint(column, {0, length - 1});
  if (blocks * options.rows != rows) b.builder.constraint(row, {0, rows - 1});
  return b.build();
}

absl::StatusOr<IndexingMap> tileThreads(const ArrayShape &shape, int64_t row,
                                        int64_t column,
                                        const TileThreads &options) {
  INDEXICAL_RETURN_IF_ERROR(checkSizes(shape, {options.tile, options.rows}));
  for (int64_t k : {row, column})
    if (k < 0 || k >= shape.rank())
      return invalid(shape.str() + " has no dimension " + std::to_string(k));
  if (row == column) return invalid("rows and columns are one dimension");
  if (options.tile % options.rows != 0)
    return invalid("the rows of threads, " + std::to_string(options.rows) +
                   ", do not divide the tile, " + std::to_string(options.tile));
  if (shape.isEmpty()) return emptyMap();
  const int64_t rows = shape.dimensions[row],
                columns = shape.dimensions[column];
  const int64_t across = ceilDiv(columns, options.tile);
  const int64_t down = ceilDiv(rows, options.tile);
  const int64_t others = *shape.elementCount() / rows / columns;
  ThreadMapBuilder b({options.tile, options.rows, 1, across, down, others});
  Expr step = b.loop(options.tile / options.rows, "step");
  Expr x = b.threads[3] * options.tile + b.threads[0];
  Expr y = b.threads[4] * options.tile + step * options.rows + b.threads[1];
  llvm::SmallVector<int64_t, 6> sizes;
  for (int64_t k : shape.minorToMajor())
    if (k != row && k != column) sizes.push_back(shape.dimensions[k]);
  auto digits = digitsOf(b.threads[5], sizes);
  llvm::SmallVector<Expr, 6> index(shape.rank());
  size_t next = 0;
  for (int64_t k : shape.minorToMajor())
    index[k] = k == row ? y : k == column ? x : digits[next++];
  for (Expr expression : index) b.builder.result(expression);
  if (across * options.tile != columns)
    b.builder.constraint(x, {0, columns - 1});
  if (down * options.tile != rows) b.builder.constraint(y, {0, rows - 1});
  return b.build();
}

}  // namespace indexical

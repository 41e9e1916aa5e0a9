#include "indexical/cost/sparsity/coloring.h"

#include <algorithm>
#include <numeric>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include "indexical/simplifier/enumeration.h"

namespace indexical {
namespace {

/// Colours columns one after another. Each row has a set of the colours that
/// its columns have.
class Greedy {
 public:
  Greedy(const SparsePattern &byRow, const SparsePattern &byColumn,
         int64_t &steps)
      : byRow_(byRow), byColumn_(byColumn), steps_(steps) {}

  /// Returns nothing if the steps do not suffice.
  std::optional<std::vector<int64_t>> run(llvm::ArrayRef<int64_t> order) {
    used_.assign(byRow_.rows(), {});
    std::vector<int64_t> colors(byColumn_.rows(), -1);
    for (int64_t column : order) {
      const auto rows = byColumn_.row(column);
      if (rows.empty()) continue;
      const auto color = firstFree(rows);
      if (!color) return std::nullopt;
      colors[column] = *color;
      for (int64_t row : rows) {
        auto &words = used_[row];
        const size_t word = *color / 64;
        if (words.size() <= word) {
          steps_ -= static_cast<int64_t>(word + 1 - words.size());
          if (steps_ < 0) return std::nullopt;
          words.resize(word + 1, 0);
        }
        words[word] |= uint64_t{1} << (*color % 64);
      }
    }
    return colors;
  }

 private:
  std::optional<int64_t> firstFree(llvm::ArrayRef<int64_t> rows) {
    for (size_t word = 0;; ++word) {
      uint64_t taken = 0;
      for (int64_t row : rows)
        if (word < used_[row].size()) taken |= used_[row][word];
      steps_ -= static_cast<int64_t>(rows.size());
      if (steps_ < 0) return std::nullopt;
      if (~taken) return word * 64 + llvm::countr_one(taken);
    }
  }

  const SparsePattern &byRow_, &byColumn_;
  int64_t &steps_;
  std::vector<llvm::SmallVector<uint64_t, 1>> used_;
};

int64_t countOf(llvm::ArrayRef<int64_t> colors) {
  int64_t most = -1;
  for (int64_t color : colors) most = std::max(most, color);
  return most + 1;
}

/// Takes the columns of each colour together, the colours in other orders: that
/// never takes more colours, and often fewer (Culberson's iterated greedy).
void improve(Greedy &greedy, const int64_t &steps, Coloring &found) {
  constexpr int kRounds = 200;
  constexpr int64_t kMostSteps = int64_t{1} << 26;
  const int64_t begin = steps;
  Draws draws;
  for (int round = 0; round < kRounds && found.count > found.least &&
                      begin - steps < kMostSteps;
       ++round) {
    auto seeds = found.seeds();
    if (round % 3 == 0) {
      std::reverse(seeds.begin(), seeds.end());
    } else {
      for (size_t k = seeds.size(); k > 1; --k)
        std::swap(seeds[k - 1],
                  seeds[draws.in({0, static_cast<int64_t>(k) - 1})]);
    }
    std::vector<int64_t> order;
    for (const auto &together : seeds)
      order.insert(order.end(), together.begin(), together.end());
    auto colors = greedy.run(order);
    if (!colors) return;
    found.count = countOf(*colors);
    found.colors = *std::move(colors);
  }
}

}  // namespace

std::vector<std::vector<int64_t>> Coloring::seeds() const {
  std::vector<std::vector<int64_t>> all(count);
  for (size_t column = 0; column < colors.size(); ++column)
    if (colors[column] >= 0)
      all[colors[column]].push_back(static_cast<int64_t>(column));
  return all;
}

std::optional<Coloring> coloringOf(const SparsePattern &pattern,
                                   int64_t mostSteps) {
  const SparsePattern byColumn = pattern.transposed();
  int64_t steps = mostSteps;
  Greedy greedy(pattern, byColumn, steps);
  std::vector<int64_t> order(byColumn.rows());
  std::iota(order.begin(), order.end(), 0);
  Coloring found;
  found.least = pattern.largestRow();
  auto first = greedy.run(order);
  if (!first) return std::nullopt;
  found.colors = *std::move(first);
  found.count = found.greedy = countOf(found.colors);
  auto attempt = [&] {
    if (found.count == found.least) return;
    auto other = greedy.run(order);
    if (!other || countOf(*other) >= found.count) return;
    found.colors = *std::move(other);
    found.count = countOf(found.colors);
  };
  // Columns that meet many others first, then the other way round.
  std::vector<int64_t> meets(byColumn.rows(), 0);
  for (int64_t row = 0; row < pattern.rows(); ++row)
    for (int64_t column : pattern.row(row))
      meets[column] += static_cast<int64_t>(pattern.row(row).size()) - 1;
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return meets[a] > meets[b]; });
  attempt();
  std::iota(order.rbegin(), order.rend(), 0);
  attempt();
  improve(greedy, steps, found);
  return found;
}

}  // namespace indexical

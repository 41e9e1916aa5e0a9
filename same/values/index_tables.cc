#include "indexical/same/values/index_tables.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical {
namespace {

// Entries so large are no indices.
constexpr int64_t kLargest = int64_t{1} << 40;

bool isLargeNumber(int64_t entry) {
  return entry > kLargest || entry < -kLargest;
}

/// Whether each run of `size` entries rises by `by`.
bool risesBy(llvm::ArrayRef<int64_t> table, int64_t size, int64_t by) {
  for (size_t k = 0; k < table.size(); ++k)
    if (k % size != 0 && table[k] - table[k - 1] != by) return false;
  return true;
}

/// Returns the sum for one level of digits, of stride `stride`, and above.
bool addDigits(std::vector<int64_t> table, int64_t stride, DigitSum &sum) {
  while (table.size() > 1) {
    const int64_t by = table[1] - table[0];
    const int64_t count = static_cast<int64_t>(table.size());
    int64_t size = 0;
    for (int64_t k = count; k > 1 && size == 0; --k)
      if (count % k == 0 && risesBy(table, k, by)) size = k;
    if (size == 0) return false;
    if (by != 0) sum.digits.push_back({{stride, size}, by});
    std::vector<int64_t> above;
    for (int64_t k = 0; k < count; k += size) above.push_back(table[k]);
    stride *= size;
    table = std::move(above);
  }
  return true;
}

/// The runs of a table in which neighbours rise by one number.
std::vector<Interval> runsOf(llvm::ArrayRef<int64_t> table) {
  std::vector<Interval> runs;
  const int64_t count = static_cast<int64_t>(table.size());
  for (int64_t k = 0; k < count;) {
    int64_t end = k + 1;
    while (end + 1 < count &&
           table[end + 1] - table[end] == table[k + 1] - table[k])
      ++end;
    if (end >= count) end = count - 1;
    // Two alone are no run if the second begins a longer one.
    if (end == k + 1 && end + 2 < count &&
        table[end + 2] - table[end + 1] == table[end + 1] - table[end])
      end = k;
    runs.push_back({k, end});
    k = end + 1;
  }
  return runs;
}

}  // namespace

int64_t DigitSum::of(int64_t k) const {
  int64_t value = base;
  for (const auto &[digit, by] : digits) value += digit.of(k) * by;
  return value;
}

Expr DigitSum::of(Expr k, int64_t count) const {
  Expr value = k * 0 + base;
  for (const auto &[digit, by] : digits)
    value = value + digit.of(k, count) * by;
  return value;
}

std::optional<DigitSum> digitSumOf(llvm::ArrayRef<int64_t> table) {
  if (table.empty() || llvm::any_of(table, isLargeNumber)) return std::nullopt;
  DigitSum sum;
  sum.base = table[0];
  if (!addDigits(table.vec(), 1, sum)) return std::nullopt;
  return sum;
}

std::optional<std::vector<TablePart>> tablePartsOf(
    llvm::ArrayRef<int64_t> table, size_t most) {
  const int64_t count = static_cast<int64_t>(table.size());
  if (llvm::any_of(table, isLargeNumber)) return std::nullopt;
  if (auto sum = digitSumOf(table))
    return std::vector<TablePart>{{{1, count}, {0, count - 1}, *sum}};
  // One digit decides, and what it adds has few runs: the others are a sum of
  // digits.
  std::optional<std::vector<TablePart>> best;
  for (int64_t stride = 1; stride < count; ++stride) {
    if (count % stride != 0) continue;
    for (int64_t size = 2; size * stride <= count; ++size) {
      if (count / stride % size != 0) continue;
      const IndexDigit digit{stride, size};
      std::vector<int64_t> own, others = table.vec();
      for (int64_t d = 0; d < size; ++d) own.push_back(table[d * stride]);
      for (int64_t k = 0; k < count; ++k)
        others[k] -= own[digit.of(k)] - table[0];
      const auto rest = digitSumOf(others);
      if (!rest) continue;
      std::vector<TablePart> parts;
      for (const Interval &run : runsOf(own)) {
        const int64_t by =
            run.upper > run.lower ? own[run.lower + 1] - own[run.lower] : 0;
        TablePart part{digit, run, *rest};
        part.sum.base += own[run.lower] - by * run.lower - table[0];
        if (by != 0) part.sum.digits.push_back({digit, by});
        parts.push_back(std::move(part));
      }
      if (parts.size() <= most && (!best || parts.size() < best->size()))
        best = std::move(parts);
    }
  }
  return best;
}

}  // namespace indexical

#include "indexical/simplifier/size_simplex.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

// From here on the least number is taken instead of what is farthest from its
// bound, which ends for certain (Bland).
constexpr int kGreedySteps = 60;

struct Entry {
  uint32_t column;
  int64_t value;
};
/// The sum of value * column that is 0, in the order of columns. One column is
/// basic, and has a negative value.
struct Row {
  llvm::SmallVector<Entry, 8> entries;
  uint32_t basic;
  int64_t at(uint32_t column) const {
    for (const Entry &entry : entries)
      if (entry.column == column) return entry.value;
    return 0;
  }
};

using WideEntries = llvm::SmallVector<std::pair<uint32_t, __int128>, 16>;

/// Returns the greatest common divisor, or 1 if it leaves 64 bits.
int64_t commonFactor(const WideEntries &entries) {
  __int128 divisor = 0;
  for (const auto &entry : entries) {
    __int128 a = entry.second < 0 ? -entry.second : entry.second;
    while (a) {
      std::swap(divisor, a);
      a %= divisor;
    }
  }
  return divisor > INT64_MAX ? 1 : static_cast<int64_t>(divisor);
}

/// Columns are the unknowns, then a slack for each row, which is at least 0,
/// then the constant. All columns but those of basic slacks are 0; a row says
/// what its basic slack then is. An unknown that became basic has no bound and
/// is needed no more, and its row goes.
class Simplex {
 public:
  Simplex(llvm::ArrayRef<const PackedPolynomial *> rows, int64_t &work);
  std::optional<RowMultipliers> run();

 private:
  const Row *leaving(int step) const;
  const Entry *entering(const Row &row) const;
  RowMultipliers multipliers(const Row &row) const;
  bool pivot(Row row, uint32_t column);
  bool eliminate(Row &row, const Row &pivot, int64_t by, uint32_t column);
  bool isUnknown(uint32_t column) const { return column < unknowns_; }

  std::vector<Row> rows_;
  uint32_t unknowns_ = 0, constant_ = 0;
  int64_t &work_;
};

Simplex::Simplex(llvm::ArrayRef<const PackedPolynomial *> rows, int64_t &work)
    : work_(work) {
  llvm::SmallVector<PackedMonomial, 32> monomials;
  for (const PackedPolynomial *row : rows)
    for (const PackedTerm &term : row->terms())
      if (!term.monomial.isConstant()) monomials.push_back(term.monomial);
  llvm::sort(monomials);
  monomials.erase(std::unique(monomials.begin(), monomials.end()),
                  monomials.end());
  unknowns_ = monomials.size();
  constant_ = unknowns_ + rows.size();
  for (auto [i, polynomial] : llvm::enumerate(rows)) {
    Row row;
    row.basic = unknowns_ + i;
    for (const PackedTerm &term : polynomial->terms()) {
      if (term.monomial.isConstant()) continue;
      const auto at = llvm::lower_bound(monomials, term.monomial);
      row.entries.push_back(
          {static_cast<uint32_t>(at - monomials.begin()), term.coefficient});
    }
    row.entries.push_back({row.basic, -1});
    if (polynomial->constant())
      row.entries.push_back({constant_, polynomial->constant()});
    work_ -= row.entries.size();
    rows_.push_back(std::move(row));
  }
}

/// Returns a row whose slack is negative, or null if there is none.
const Row *Simplex::leaving(int step) const {
  const Row *found = nullptr;
  double most = 0;
  for (const Row &row : rows_) {
    const Entry &last = row.entries.back();
    if (last.column != constant_ || last.value >= 0) continue;
    if (step >= kGreedySteps) {
      if (!found || row.basic < found->basic) found = &row;
      continue;
    }
    const double value = static_cast<double>(last.value) /
                         static_cast<double>(row.at(row.basic));
    if (value > most) {
      most = value;
      found = &row;
    }
  }
  return found;
}

/// Returns the column that can raise the row's slack: an unknown, the one of
/// the highest degree, or else a slack, the first one. Null if there is none.
const Entry *Simplex::entering(const Row &row) const {
  const Entry *found = nullptr;
  for (const Entry &entry : row.entries) {
    if (isUnknown(entry.column))
      found = &entry;
    else if (entry.column != constant_ && entry.value > 0)
      return found ? found : &entry;
  }
  return found;
}

/// The row says that a sum of slacks, each times a number that is not negative,
/// is a negative constant.
RowMultipliers Simplex::multipliers(const Row &row) const {
  RowMultipliers found;
  for (const Entry &entry : row.entries)
    if (entry.column != constant_) {
      assert(!isUnknown(entry.column) && entry.value < 0);
      found.push_back({entry.column - unknowns_, -entry.value});
    }
  return found;
}

/// Takes the column out of a row.
bool Simplex::eliminate(Row &row, const Row &pivot, int64_t by,
                        uint32_t column) {
  const int64_t own = row.at(column);
  if (own == 0) return true;
  const int64_t g = gcd(own, by);
  const __int128 factor = (by < 0 ? -by : by) / g;
  const __int128 less = (by < 0 ? own : -own) / g;
  WideEntries sum;
  const Entry *x = row.entries.begin(), *y = pivot.entries.begin();
  while (x != row.entries.end() || y != pivot.entries.end()) {
    const bool hasX = y == pivot.entries.end() ||
                      (x != row.entries.end() && x->column <= y->column);
    const bool hasY = x == row.entries.end() ||
                      (y != pivot.entries.end() && y->column <= x->column);
    const uint32_t at = hasX ? x->column : y->column;
    __int128 value = hasX ? x->value * factor : 0;
    if (hasY) value += y->value * less;
    x += hasX;
    y += hasY;
    if (value) sum.push_back({at, value});
  }
  work_ -= sum.size();
  // Numbers of 64 bits are divided ten times as fast as those of 128.
  uint64_t divisor = 0;
  for (const auto &entry : sum) {
    const __int128 size = entry.second < 0 ? -entry.second : entry.second;
    if (size > INT64_MAX) {
      divisor = commonFactor(sum);
      break;
    }
    divisor = std::gcd(divisor, static_cast<uint64_t>(size));
    if (divisor == 1) break;
  }
  row.entries.clear();
  const auto common = static_cast<__int128>(divisor);
  for (const auto &[at, value] : sum) {
    const __int128 reduced = divisor == 1 ? value : value / common;
    if (reduced > INT64_MAX || reduced <= INT64_MIN) return false;
    row.entries.push_back({at, static_cast<int64_t>(reduced)});
  }
  return true;
}

/// Makes the column basic in the row, in the place of its slack.
bool Simplex::pivot(Row row, uint32_t column) {
  const int64_t by = row.at(column);
  const uint32_t leaves = row.basic;
  llvm::erase_if(rows_,
                 [&](const Row &other) { return other.basic == leaves; });
  for (Row &other : rows_)
    if (!eliminate(other, row, by, column)) return false;
  if (isUnknown(column)) return true;
  if (by > 0)
    for (Entry &entry : row.entries) entry.value = -entry.value;
  row.basic = column;
  rows_.push_back(std::move(row));
  return true;
}

std::optional<RowMultipliers> Simplex::run() {
  for (int step = 0; work_ > 0; ++step) {
    const Row *row = leaving(step);
    if (!row) return std::nullopt;
    const Entry *column = entering(*row);
    if (!column) return multipliers(*row);
    if (!pivot(*row, column->column)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RowMultipliers> refutingMultipliers(
    llvm::ArrayRef<const PackedPolynomial *> rows, int64_t &work) {
  return Simplex(rows, work).run();
}

}  // namespace indexical

#include "indexical/same/partitioned/flow.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

llvm::SmallVector<int64_t, 4> rowMajor(llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<int64_t, 4> strides(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;)
    strides[k - 1] = strides[k] * sizes[k];
  return strides;
}

/// A constant, and a coefficient for each dimension of a result.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<int64_t, 4> coefficients;
  /// The only dimension in it; -1 if there is none, -2 if there are several.
  int64_t only() const {
    int64_t found = -1;
    for (auto [k, each] : llvm::enumerate(coefficients))
      if (each != 0) found = found == -1 ? static_cast<int64_t>(k) : -2;
    return found;
  }
};

/// Reads forms as linear ones, with runtime variables replaced by values.
class LinearReader {
 public:
  LinearReader(const IndexingMap &map, RuntimeAt value)
      : map_(map), table_(map.expressions()), value_(value) {}

  /// Nothing if the form is not linear, or if a value is not known.
  std::optional<LinearForm> operator()(FormId form) {
    if (!table_.isSumOfVariables(form)) return std::nullopt;
    LinearForm linear;
    linear.constant = table_.constant(form);
    linear.coefficients.resize(map_.dimensions().size(), 0);
    for (const Term &term : table_.terms(form)) {
      const VariableId id = table_.atom(term.atom).variable();
      if (id.kind == VariableKind::Dimension) {
        linear.coefficients[id.index] += term.coefficient;
        continue;
      }
      if (id.kind != VariableKind::Runtime) return std::nullopt;
      auto known = valueOf(id.index);
      if (!known) return std::nullopt;
      const auto product = checkedMul(term.coefficient, *known);
      const auto sum =
          product ? checkedAdd(linear.constant, *product) : product;
      if (!sum) return std::nullopt;
      linear.constant = *sum;
    }
    return linear;
  }

 private:
  std::optional<int64_t> valueOf(size_t i) {
    if (i >= map_.runtime().size()) return std::nullopt;
    auto known = value_(map_, i);
    if (!known) return std::nullopt;
    const auto &runtime = map_.runtime()[i];
    if (runtime.clamped)
      return std::min(std::max(*known, runtime.bounds.lower),
                      runtime.bounds.upper);
    if (*known < runtime.bounds.lower || *known > runtime.bounds.upper)
      return std::nullopt;
    return known;
  }

  const IndexingMap &map_;
  const ExpressionTable &table_;
  RuntimeAt value_;
};

/// Narrows the box to the indices at which the form is in [lower, upper].
/// Returns false if the form has several dimensions.
bool narrow(const LinearForm &form, Interval within, ElementBox &box) {
  const int64_t k = form.only();
  if (k == -2) return false;
  if (k == -1) {
    if (form.constant < within.lower || form.constant > within.upper)
      for (auto &side : box) side.second = side.first;
    return true;
  }
  // c x + constant in [lower, upper]; an open side restricts nothing.
  const int64_t c = form.coefficients[k];
  auto &[begin, end] = box[k];
  if (within.hasLower()) {
    const auto rest = checkedSub(within.lower, form.constant);
    if (!rest) return false;
    if (c > 0)
      begin = std::max(begin, llvm::divideCeilSigned(*rest, c));
    else
      end = std::min(end, llvm::divideFloorSigned(*rest, c) + 1);
  }
  if (within.hasUpper()) {
    const auto rest = checkedSub(within.upper, form.constant);
    if (!rest) return false;
    if (c > 0)
      end = std::min(end, llvm::divideFloorSigned(*rest, c) + 1);
    else
      begin = std::max(begin, llvm::divideCeilSigned(*rest, c));
  }
  if (end < begin) end = begin;
  return true;
}

bool isEmpty(const ElementBox &box) {
  return llvm::any_of(box, [](auto side) { return side.first >= side.second; });
}

/// One map of a relation, as linear forms.
struct LinearMap {
  std::vector<LinearForm> results;
  std::vector<std::pair<LinearForm, Interval>> constraints;
  ElementBox box;
};

std::optional<LinearMap> linearOf(const IndexingMap &map, RuntimeAt value) {
  if (!map.ranges().empty() || map.hiddenRuntimeCount() > 0 ||
      !map.collectives().empty())
    return std::nullopt;
  LinearMap linear;
  LinearReader read(map, value);
  for (const Variable &v : map.dimensions()) {
    if (!v.bounds.isFinite()) return std::nullopt;
    linear.box.emplace_back(v.bounds.lower, v.bounds.upper + 1);
  }
  for (FormId form : map.results()) {
    auto one = read(form);
    if (!one) return std::nullopt;
    linear.results.push_back(*std::move(one));
  }
  for (const Constraint &constraint : map.constraints()) {
    auto one = read(constraint.form);
    if (!one) return std::nullopt;
    linear.constraints.emplace_back(*std::move(one), constraint.bounds);
  }
  return linear;
}

}  // namespace

PartsId PartsTable::intern(std::vector<Part> parts) {
  auto [known, isNew] = known_.try_emplace(parts, lists_.size());
  if (isNew) lists_.push_back(std::move(parts));
  return known->second;
}

FlowPieces wholeValue(llvm::ArrayRef<int64_t> sizes, PartsId parts) {
  FlowPiece piece;
  for (int64_t size : sizes) piece.box.emplace_back(0, size);
  piece.parts = parts;
  piece.strides = rowMajor(sizes);
  if (isEmpty(piece.box)) return {};
  return {std::move(piece)};
}

bool addMoved(const IndexingRelation &reads, const FlowPieces &from,
              RuntimeAt value, FlowPieces &into) {
  if (reads.precision() != Precision::Exact) return false;
  for (const IndexingMap &map : reads.pieces()) {
    if (map.isKnownEmpty()) continue;
    const auto linear = linearOf(map, value);
    if (!linear) return false;
    ElementBox domain = linear->box;
    for (const auto &[form, bounds] : linear->constraints)
      if (!narrow(form, bounds, domain)) return false;
    if (isEmpty(domain)) continue;
    for (const FlowPiece &piece : from) {
      FlowPiece moved;
      moved.box = domain;
      moved.parts = piece.parts;
      moved.base = piece.base;
      moved.strides.resize(domain.size(), 0);
      for (auto [k, form] : llvm::enumerate(linear->results)) {
        const auto [begin, end] = piece.box[k];
        if (!narrow(form, {begin, end - 1}, moved.box)) return false;
        moved.base += piece.strides[k] * form.constant;
        for (auto [stride, c] : llvm::zip(moved.strides, form.coefficients))
          stride += piece.strides[k] * c;
      }
      if (isEmpty(moved.box)) continue;
      if (into.size() >= kMostPiecesOfFlow) return false;
      into.push_back(std::move(moved));
    }
  }
  return true;
}

std::optional<FlowPiece> cutTo(const FlowPiece &piece, const ElementBox &box) {
  FlowPiece cut = piece;
  for (auto [side, other] : llvm::zip(cut.box, box)) {
    side.first = std::max(side.first, other.first);
    side.second = std::min(side.second, other.second);
    if (side.first >= side.second) return std::nullopt;
  }
  return cut;
}

void addSlice(const FlowPieces &from, size_t dimension, int64_t begin,
              int64_t size, int64_t at, FlowPieces &into) {
  for (const FlowPiece &piece : from) {
    FlowPiece moved = piece;
    auto &[first, end] = moved.box[dimension];
    first = std::max(first, begin);
    end = std::min(end, begin + size);
    if (first >= end) continue;
    first += at - begin;
    end += at - begin;
    moved.base -= moved.strides[dimension] * (at - begin);
    into.push_back(std::move(moved));
  }
}

namespace {

/// Returns the sum of one piece of each of some members, all in one box.
/// Returns nothing if the pieces have different strides.
std::optional<FlowPiece> sumOfPieces(llvm::ArrayRef<const FlowPiece *> pieces,
                                     const ElementBox &box, PartsTable &table) {
  FlowPiece sum = *pieces[0];
  sum.box = box;
  // A side of one index fits any stride.
  auto rebase = [&](const FlowPiece &piece) {
    int64_t base = piece.base;
    for (auto [side, stride] : llvm::zip(box, piece.strides))
      if (side.second - side.first == 1) base += stride * side.first;
    return base;
  };
  std::vector<Part> parts;
  for (const FlowPiece *piece : pieces) {
    for (auto [side, stride, first] :
         llvm::zip(box, piece->strides, pieces[0]->strides))
      if (side.second - side.first > 1 && stride != first) return std::nullopt;
    for (auto [holder, shift] : table.of(piece->parts))
      parts.emplace_back(holder, rebase(*piece) + shift);
  }
  for (auto [side, stride] : llvm::zip(box, sum.strides))
    if (side.second - side.first == 1) stride = 0;
  // The parts of a sum have no order, and the first one has no shift.
  llvm::sort(parts);
  sum.base = parts.front().second;
  for (Part &part : parts) part.second -= sum.base;
  sum.parts = table.intern(std::move(parts));
  return sum;
}

/// A grid whose lines are the ends of pieces: each piece is some whole cells.
class MemberGrid {
 public:
  /// Requires a piece. Nothing if there are too many cells.
  static std::optional<MemberGrid> of(llvm::ArrayRef<FlowPtr> members) {
    MemberGrid grid;
    for (const FlowPtr &member : members)
      for (const FlowPiece &piece : *member) {
        grid.lines_.resize(piece.box.size());
        for (auto [lines, side] : llvm::zip(grid.lines_, piece.box)) {
          lines.push_back(side.first);
          lines.push_back(side.second);
        }
      }
    size_t cells = 1;
    for (auto &lines : grid.lines_) {
      llvm::sort(lines);
      lines.erase(llvm::unique(lines), lines.end());
      cells *= lines.size() - 1;
      if (cells > kMostPiecesOfFlow) return std::nullopt;
    }
    grid.covering_.resize(cells);
    for (const FlowPtr &member : members)
      for (const FlowPiece &piece : *member) grid.add(piece);
    return grid;
  }

  size_t cells() const { return covering_.size(); }
  /// The pieces that have the cell, in the order of the members.
  llvm::ArrayRef<const FlowPiece *> covering(size_t cell) const {
    return covering_[cell];
  }
  ElementBox box(size_t cell) const {
    ElementBox box(lines_.size());
    for (size_t k = lines_.size(); k-- > 0;) {
      const size_t count = lines_[k].size() - 1, at = cell % count;
      box[k] = {lines_[k][at], lines_[k][at + 1]};
      cell /= count;
    }
    return box;
  }

 private:
  void add(const FlowPiece &piece) {
    llvm::SmallVector<size_t, 4> begins, ends;
    for (auto [lines, side] : llvm::zip(lines_, piece.box)) {
      begins.push_back(llvm::lower_bound(lines, side.first) - lines.begin());
      ends.push_back(llvm::lower_bound(lines, side.second) - lines.begin());
      if (begins.back() >= ends.back()) return;
    }
    llvm::SmallVector<size_t, 4> at = begins;
    while (true) {
      size_t cell = 0;
      for (size_t k = 0; k < at.size(); ++k)
        cell = cell * (lines_[k].size() - 1) + at[k];
      covering_[cell].push_back(&piece);
      size_t k = at.size();
      for (; k > 0; --k) {
        if (++at[k - 1] < ends[k - 1]) break;
        at[k - 1] = begins[k - 1];
      }
      if (k == 0) return;
    }
  }

  std::vector<std::vector<int64_t>> lines_;
  std::vector<std::vector<const FlowPiece *>> covering_;
};

}  // namespace

std::optional<FlowPieces> sumOf(llvm::ArrayRef<FlowPtr> members,
                                PartsTable &table) {
  FlowPieces sum;
  if (llvm::all_of(members, [](const FlowPtr &each) { return each->empty(); }))
    return sum;
  const auto grid = MemberGrid::of(members);
  if (!grid) return std::nullopt;
  // In a cell each member has one piece, or none.
  for (size_t cell = 0; cell < grid->cells(); ++cell) {
    if (grid->covering(cell).empty()) continue;
    auto one = sumOfPieces(grid->covering(cell), grid->box(cell), table);
    if (!one) return std::nullopt;
    sum.push_back(*std::move(one));
  }
  return sum;
}

//===-- Reshapes ----------------------------------------------------------===//

namespace {

/// Steps through positions of an array and numbers of the value at once.
struct PositionLoop {
  int64_t count, position, number;
};

class Reshaper {
 public:
  Reshaper(llvm::ArrayRef<int64_t> sizes, const FlowPiece &piece,
           FlowPieces &into)
      : sizes_(sizes), strides_(rowMajor(sizes)), piece_(piece), into_(into) {}

  /// Adds boxes with these positions; `number` is that of the first.
  bool add(llvm::SmallVector<PositionLoop, 6> loops, int64_t position,
           int64_t number) {
    // Each loop must step through one digit without a carry, no two of them
    // through the same one.
    llvm::SmallVector<int64_t, 6> digits(loops.size(), -1);
    for (size_t l = 0; l < loops.size(); ++l) {
      const PositionLoop loop = loops[l];
      if (loop.count == 1) continue;
      const size_t k = digitOf(loop.position);
      const int64_t step = loop.position / strides_[k];
      const int64_t digit = position / strides_[k] % sizes_[k];
      const bool isAlone = !llvm::is_contained(
          llvm::ArrayRef(digits).take_front(l), static_cast<int64_t>(k));
      if (!isAlone || step > 1 || loop.position % strides_[k] != 0)
        return split(loops, l, 1, position, number);
      const int64_t fits = sizes_[k] - digit;
      if (loop.count > fits) {
        if (digit == 0 && loop.count % sizes_[k] == 0) {
          const PositionLoop outer{loop.count / sizes_[k],
                                   loop.position * sizes_[k],
                                   loop.number * sizes_[k]};
          loops[l].count = sizes_[k];
          loops.insert(loops.begin() + l, outer);
          return add(std::move(loops), position, number);
        }
        const int64_t head =
            digit == 0 ? loop.count / sizes_[k] * sizes_[k] : fits;
        return split(loops, l, head, position, number);
      }
      digits[l] = k;
    }
    return emit(loops, digits, position, number);
  }

 private:
  /// The dimension with the largest stride that is no larger.
  size_t digitOf(int64_t position) const {
    size_t k = 0;
    while (k + 1 < strides_.size() &&
           (strides_[k] > position || sizes_[k] == 1))
      ++k;
    return k;
  }

  bool split(const llvm::SmallVector<PositionLoop, 6> &loops, size_t l,
             int64_t head, int64_t position, int64_t number) {
    if (into_.size() >= kMostPiecesOfFlow) return false;
    auto first = loops, rest = loops;
    first[l].count = head;
    rest[l].count -= head;
    return add(std::move(first), position, number) &&
           add(std::move(rest), position + head * loops[l].position,
               number + head * loops[l].number);
  }

  bool emit(llvm::ArrayRef<PositionLoop> loops, llvm::ArrayRef<int64_t> digits,
            int64_t position, int64_t number) {
    if (into_.size() >= kMostPiecesOfFlow) return false;
    FlowPiece piece;
    piece.parts = piece_.parts;
    piece.base = number;
    piece.strides.resize(sizes_.size(), 0);
    for (size_t k = 0; k < sizes_.size(); ++k) {
      const int64_t digit = position / strides_[k] % sizes_[k];
      piece.box.emplace_back(digit, digit + 1);
    }
    for (auto [loop, k] : llvm::zip(loops, digits)) {
      if (k < 0) continue;
      piece.box[k].second += loop.count - 1;
      piece.strides[k] = loop.number;
      piece.base -= loop.number * piece.box[k].first;
    }
    into_.push_back(std::move(piece));
    return true;
  }

  llvm::ArrayRef<int64_t> sizes_;
  const llvm::SmallVector<int64_t, 4> strides_;
  const FlowPiece &piece_;
  FlowPieces &into_;
};

}  // namespace

bool addReshaped(llvm::ArrayRef<int64_t> fromSizes,
                 llvm::ArrayRef<int64_t> toSizes, const FlowPieces &from,
                 FlowPieces &into) {
  const auto strides = rowMajor(fromSizes);
  for (const FlowPiece &piece : from) {
    llvm::SmallVector<PositionLoop, 6> loops;
    int64_t position = 0, number = piece.base;
    for (size_t k = 0; k < fromSizes.size(); ++k) {
      const auto [begin, end] = piece.box[k];
      position += begin * strides[k];
      number += begin * piece.strides[k];
      if (end - begin == 1) continue;
      // A dimension that continues the one within it is merged with it.
      if (!loops.empty() &&
          loops.back().position == (end - begin) * strides[k] &&
          loops.back().number == (end - begin) * piece.strides[k]) {
        loops.back() = {loops.back().count * (end - begin), strides[k],
                        piece.strides[k]};
        continue;
      }
      loops.push_back({end - begin, strides[k], piece.strides[k]});
    }
    if (toSizes.empty()) {
      FlowPiece scalar;
      scalar.parts = piece.parts;
      scalar.base = number;
      into.push_back(std::move(scalar));
      continue;
    }
    if (!Reshaper(toSizes, piece, into).add(loops, position, number))
      return false;
  }
  return true;
}

//===-- Sets of numbers ---------------------------------------------------===//

int64_t StridedNumbers::count() const {
  int64_t count = 1;
  for (const Loop &loop : loops)
    if (llvm::MulOverflow(count, loop.count, count)) return INT64_MAX;
  return count;
}

StridedNumbers numbersOf(const FlowPiece &piece) {
  StridedNumbers numbers;
  numbers.base = piece.base;
  llvm::SmallVector<StridedNumbers::Loop, 4> loops;
  for (auto [side, stride] : llvm::zip(piece.box, piece.strides)) {
    const int64_t count = side.second - side.first;
    numbers.base += stride * (stride < 0 ? side.second - 1 : side.first);
    if (stride != 0 && count > 1) loops.push_back({std::abs(stride), count});
  }
  llvm::sort(loops, [](const auto &a, const auto &b) {
    return a.stride > b.stride || (a.stride == b.stride && a.count > b.count);
  });
  for (const auto &loop : loops) {
    if (!numbers.loops.empty() &&
        numbers.loops.back().stride == loop.stride * loop.count)
      numbers.loops.back() = {loop.stride,
                              loop.count * numbers.loops.back().count};
    else
      numbers.loops.push_back(loop);
  }
  return numbers;
}

int64_t countUnion(std::vector<StridedNumbers> sets, bool &isExact) {
  std::vector<StridedNumbers> different;
  for (StridedNumbers &set : sets)
    if (!llvm::is_contained(different, set)) different.push_back(set);
  if (different.empty()) return 0;
  if (different.size() == 1) return different[0].count();
  // All runs of consecutive numbers, sorted.
  constexpr int64_t kMostRuns = 1 << 17;
  std::vector<std::pair<int64_t, int64_t>> runs;
  int64_t most = 0, sum = 0;
  for (const StridedNumbers &set : different) {
    const bool hasRun = !set.loops.empty() && set.loops.back().stride == 1;
    sum = checkedAdd(sum, set.count()).value_or(INT64_MAX);
    most += set.count() / (hasRun ? set.loops.back().count : 1);
    if (most > kMostRuns) break;
  }
  if (most > kMostRuns) {
    isExact = false;
    sum = 0;
    for (const StridedNumbers &set : different)
      sum = checkedAdd(sum, set.count()).value_or(INT64_MAX);
    return sum;
  }
  for (const StridedNumbers &set : different) {
    const bool hasRun = !set.loops.empty() && set.loops.back().stride == 1;
    const int64_t length = hasRun ? set.loops.back().count : 1;
    const auto outer = llvm::ArrayRef(set.loops).drop_back(hasRun);
    llvm::SmallVector<int64_t, 4> at(outer.size(), 0);
    for (bool goesOn = true; goesOn;) {
      int64_t first = set.base;
      for (auto [loop, i] : llvm::zip(outer, at)) first += loop.stride * i;
      runs.emplace_back(first, first + length);
      goesOn = false;
      for (size_t k = outer.size(); k-- > 0 && !goesOn;) {
        goesOn = ++at[k] < outer[k].count;
        if (!goesOn) at[k] = 0;
      }
    }
  }
  llvm::sort(runs);
  int64_t count = 0, end = INT64_MIN;
  for (auto [first, last] : runs) {
    const int64_t begin = std::max(first, end);
    if (last > begin) count += last - begin;
    end = std::max(end, last);
  }
  return count;
}

}  // namespace indexical

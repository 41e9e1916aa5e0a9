#include "indexical/cost/memory/warp_runs.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {
namespace {

/// The outer coefficients of a piece's forms, with those taken out of digits
/// that these pass on as they are.
struct Outer {
  using Row = llvm::SmallVector<int64_t, 10>;
  std::vector<Row> rows;  ///< by form: digits, constraints, address

  explicit Outer(const Piece &piece) {
    std::vector<Row> passed;  // by digit
    auto rowOf = [&](const Form &form) {
      Row row(form.outer.begin(), form.outer.end());
      for (auto [digit, coefficient] : form.digits)
        for (size_t x = 0; x < row.size(); ++x)
          row[x] += coefficient * passed[digit][x];
      return row;
    };
    for (const Digit &digit : piece.digits) {
      Row row = rowOf(digit.parent), out(row.size(), 0);
      for (size_t x = 0; x < row.size(); ++x) {
        if (row[x] % digit.stride != 0) continue;
        const int64_t quotient = row[x] / digit.stride;
        if (digit.modulus > 0 && quotient % digit.modulus != 0) continue;
        if (digit.modulus == 0) out[x] = quotient;
        row[x] = 0;
      }
      rows.push_back(std::move(row));
      passed.push_back(std::move(out));
    }
    for (const LaneConstraint &constraint : piece.constraints)
      rows.push_back(rowOf(constraint.form));
    rows.push_back(rowOf(piece.address));
  }

  /// Whether the variable does more than move the address.
  bool decides(size_t x) const {
    return llvm::any_of(llvm::ArrayRef(rows).drop_back(),
                        [&](const Row &row) { return row[x] != 0; });
  }
};

bool isFree(llvm::ArrayRef<Outer> pieces, size_t x) {
  return llvm::all_of(pieces, [&](const Outer &piece) {
    return !piece.decides(x) &&
           piece.rows.back()[x] == pieces[0].rows.back()[x];
  });
}

std::vector<Outer> outerOf(const Problem &problem) {
  std::vector<Outer> all;
  for (const Piece &piece : problem.pieces) all.emplace_back(piece);
  return all;
}

int64_t nearestMultiple(int64_t value, int64_t divisor) {
  if (std::abs(value) <= divisor / 2) return 0;
  return floorDiv(value + divisor / 2, divisor);
}

/// Returns about how often warps along x cease to be alike: while a digit
/// carries at other lanes in each warp, and where a constraint begins or ends.
double changesAlong(const Problem &problem, llvm::ArrayRef<Outer> pieces,
                    const LaneNumbers &numbers, size_t x) {
  const auto extent = static_cast<double>(problem.extents[x]);
  double changes = 1;
  for (auto [piece, outer] : llvm::zip_equal(problem.pieces, pieces)) {
    for (auto [digit, row] : llvm::zip(piece.digits, outer.rows)) {
      if (row[x] == 0) continue;
      double span = 0;  // of the lanes
      if (digit.parent.numbers != kNoNumbers && !piece.alive.empty()) {
        const int64_t *of = numbers.of(digit.parent.numbers);
        span = std::abs(
            static_cast<double>(of[piece.alive.back()] - of[piece.alive[0]]));
      }
      auto carries = [&](int64_t coefficient, int64_t size) {
        const int64_t whole = nearestMultiple(coefficient, size);
        const int64_t rest = coefficient - whole * size;
        if (rest != 0)
          changes += (std::abs(static_cast<double>(rest)) + span) * extent /
                     static_cast<double>(size);
        return whole;
      };
      int64_t quotient = row[x];
      if (digit.stride > 1) quotient = carries(quotient, digit.stride);
      span /= static_cast<double>(digit.stride);
      if (digit.modulus > 0) carries(quotient, digit.modulus);
    }
    for (size_t c = 0; c < piece.constraints.size(); ++c)
      if (outer.rows[piece.digits.size() + c][x] != 0) changes += 2;
  }
  return std::min(changes, extent);
}

/// The variable along which warps are alike for longest, and how many visits
/// there are if it is that.
struct Walk {
  std::optional<size_t> along;
  double visits = 1;
};

Walk walkOf(const Problem &problem, llvm::ArrayRef<Outer> pieces,
            const LaneNumbers &numbers) {
  Walk walk;
  double shortest = 1;
  for (size_t x = 0; x < problem.extents.size(); ++x) {
    if (problem.extents[x] == 1 || isFree(pieces, x)) continue;
    const auto extent = static_cast<double>(problem.extents[x]);
    walk.visits *= extent;
    const double share = changesAlong(problem, pieces, numbers, x) / extent;
    if (walk.along && share >= shortest) continue;
    walk.along = x;
    shortest = share;
  }
  walk.visits *= shortest;
  return walk;
}

}  // namespace

std::optional<int64_t> visitsOf(const Problem &problem,
                                const LaneNumbers &numbers, int64_t most) {
  for (const Piece &piece : problem.pieces)
    if (!piece.runtime.empty() || !piece.deciders.empty()) return std::nullopt;
  const double visits = walkOf(problem, outerOf(problem), numbers).visits;
  if (visits > static_cast<double>(most)) return std::nullopt;
  return std::max<int64_t>(1, static_cast<int64_t>(visits));
}

int64_t costOfVisit(const Problem &problem) {
  int64_t cost = 20;
  for (const Piece &piece : problem.pieces)
    cost += 40 + 20 * piece.digits.size() + 4 * piece.constraints.size();
  return cost;
}

//===-- Making it ---------------------------------------------------------===//

WarpRuns::WarpRuns(const Problem &problem, const LaneNumbers &numbers)
    : cost_(costOfVisit(problem)) {
  const std::vector<Outer> outer = outerOf(problem);
  const Walk walk = walkOf(problem, outer, numbers);
  for (size_t x = 0; x < problem.extents.size(); ++x) {
    if (problem.extents[x] == 1) continue;
    if (isFree(outer, x)) {
      coefficients_.push_back(outer[0].rows.back()[x]);
      extents_.push_back(problem.extents[x]);
      continue;
    }
    Moving moving;
    moving.extent = problem.extents[x];
    uint32_t form = 0;
    for (const Outer &piece : outer)
      for (const Outer::Row &row : piece.rows) {
        if (row[x] != 0) moving.adds.push_back({form, row[x]});
        ++form;
      }
    if (walk.along == x)
      along_ = std::move(moving);
    else
      moving_.push_back(std::move(moving));
  }
  for (auto [number, piece] : llvm::enumerate(problem.pieces)) {
    FlatPiece flat;
    flat.number = number;
    flat.firstForm = base_.size();
    llvm::SmallVector<const Form *, 16> forms;
    for (const Digit &digit : piece.digits) {
      forms.push_back(&digit.parent);
      flat.digits.push_back({digit.stride, digit.modulus});
    }
    flat.constraints.resize(piece.digits.size() + 1);
    for (const LaneConstraint &constraint : piece.constraints) {
      size_t known = 0;
      for (auto [digit, coefficient] : constraint.form.digits)
        known = std::max<size_t>(known, digit + 1);
      flat.constraints[known].push_back(
          {constraint.bounds, static_cast<uint32_t>(forms.size())});
      forms.push_back(&constraint.form);
    }
    forms.push_back(&piece.address);
    for (const Form *form : forms) {
      base_.push_back(form->constant);
      flat.terms.emplace_back(form->digits.begin(), form->digits.end());
    }
    addSegments(piece, forms, numbers, flat);
    pieces_.push_back(std::move(flat));
  }
  by_.assign(base_.size(), 0);
  for (auto [form, coefficient] : along_.adds) by_[form] = coefficient;
}

void WarpRuns::addSegments(const Piece &piece,
                           llvm::ArrayRef<const Form *> forms,
                           const LaneNumbers &numbers, FlatPiece &to) {
  auto numberAt = [&](const Form *form, uint32_t slot) {
    return form->numbers == kNoNumbers ? 0 : numbers.of(form->numbers)[slot];
  };
  const auto &alive = piece.alive;
  for (size_t i = 0; i < alive.size();) {
    Segment segment{alive[i], 1, std::vector<Line>(forms.size())};
    for (size_t f = 0; f < forms.size(); ++f)
      segment.lines[f].start = numberAt(forms[f], alive[i]);
    for (++i; i < alive.size() && alive[i] == alive[i - 1] + 1; ++i) {
      const bool isSecond = segment.count == 1;
      bool goesOn = true;
      for (size_t f = 0; f < forms.size() && goesOn; ++f) {
        Line &line = segment.lines[f];
        const int64_t step =
            numberAt(forms[f], alive[i]) - numberAt(forms[f], alive[i - 1]);
        if (isSecond) line.step = step;
        goesOn = line.step == step;
      }
      if (!goesOn) break;
      ++segment.count;
    }
    to.segments.push_back(std::move(segment));
  }
}

//===-- Going through it --------------------------------------------------===//

/// Returns the form over the segment's slots, counted from its first one.
WarpRuns::Line WarpRuns::lineOf(const FlatPiece &piece, const Segment &segment,
                                uint32_t form) const {
  Line line = segment.lines[form];
  line.start += base_[piece.firstForm + form];
  line.by = by_[piece.firstForm + form];
  for (auto [digit, coefficient] : piece.terms[form]) {
    line.start += coefficient * digits_[digit].start;
    line.step += coefficient * digits_[digit].step;
    line.by += coefficient * digits_[digit].by;
  }
  return line;
}

/// Ends the warps that are alike in front of the one in which values that are
/// in the bounds, and move by `by`, leave them.
void WarpRuns::stayWithin(int64_t least, int64_t most, int64_t by,
                          Interval bounds) {
  if (alike_ == 1 || by == 0) return;
  if (by > 0 ? !bounds.hasUpper() : !bounds.hasLower()) return;
  const int64_t room = by > 0 ? bounds.upper - most : least - bounds.lower;
  const int64_t step = std::abs(by);
  // Divisions are most of the time of a visit.
  if (room < step)
    alike_ = 1;
  else if (room / step + 1 < alike_)
    alike_ = room / step + 1;
}

/// Narrows the slots to those in which constraints over the digits that are
/// `known` hold. Returns whether any are left.
bool WarpRuns::clip(const FlatPiece &piece, const Segment &segment,
                    size_t known, int64_t &from, int64_t &to) {
  for (const FlatConstraint &constraint : piece.constraints[known]) {
    const Line line = lineOf(piece, segment, constraint.form);
    const Interval &bounds = constraint.bounds;
    const int64_t first = line.start + line.step * from;
    const int64_t last = line.start + line.step * (to - 1);
    const auto [least, most] = std::minmax(first, last);
    if (most < bounds.lower) {
      stayWithin(least, most, line.by,
                 {Interval::kMinusInfinity, bounds.lower - 1});
      return false;
    }
    if (least > bounds.upper) {
      stayWithin(least, most, line.by, {bounds.upper + 1, Interval::kInfinity});
      return false;
    }
    if (bounds.lower <= least && most <= bounds.upper) {
      stayWithin(least, most, line.by, bounds);
      continue;
    }
    if (line.by != 0) alike_ = 1;
    const bool falls = line.step < 0;
    const int64_t step = falls ? -line.step : line.step;
    if (bounds.hasLower()) {
      if (falls)
        to = std::min(to, floorDiv(line.start - bounds.lower, step) + 1);
      else
        from = std::max(from, ceilDiv(bounds.lower - line.start, step));
    }
    if (bounds.hasUpper()) {
      if (falls)
        from = std::max(from, ceilDiv(line.start - bounds.upper, step));
      else
        to = std::min(to, floorDiv(bounds.upper - line.start, step) + 1);
    }
    if (from >= to) return false;
  }
  return true;
}

/// Adds the runs among these slots of the segment, of which the lines of the
/// first `known` digits are known.
void WarpRuns::follow(const FlatPiece &piece, const Segment &segment,
                      size_t known, int64_t from, int64_t to) {
  if (!clip(piece, segment, known, from, to)) return;
  if (known == piece.digits.size()) {
    const Line address = lineOf(piece, segment, piece.address());
    if (runs_.empty()) runsMove_ = address.by;
    if (runsMove_ != address.by) alike_ = 1;
    runs_.push_back({piece.number, segment.first + static_cast<uint32_t>(from),
                     static_cast<uint32_t>(to - from),
                     address.start + address.step * from, address.step});
    return;
  }
  const auto [stride, modulus] = piece.digits[known];
  const Line parent = lineOf(piece, segment, known);
  while (from < to && stepsLeft_-- > 0) {
    const int64_t at = parent.start + parent.step * from;
    // From here on the quotient is a line until `end`.
    const int64_t quotient = stride == 1 ? at : floorDiv(at, stride);
    int64_t step = 0, end = to;
    if (stride == 1)
      step = parent.step;
    else if (parent.step % stride == 0)
      step = parent.step / stride;
    else if (parent.step >= stride || parent.step <= -stride)
      end = from + 1;
    else if (parent.step > 0)
      end = from + ceilDiv((quotient + 1) * stride - at, parent.step);
    else
      end = from + floorDiv(at - quotient * stride, -parent.step) + 1;
    int64_t value = quotient, valueStep = step;
    if (modulus > 0) {
      value = floorMod(quotient, modulus);
      if (step % modulus == 0) {
        valueStep = 0;
      } else if (step >= modulus || step <= -modulus) {
        valueStep = 0;
        end = from + 1;
      } else {
        const int64_t steps = step > 0 ? ceilDiv(modulus - value, step)
                                       : floorDiv(value, -step) + 1;
        end = std::min(end, from + steps);
      }
    }
    end = std::min(end, to);
    // From warp to warp, too, it is a line as long as no slot carries.
    int64_t by = parent.by;
    auto takeRest = [&](int64_t first, int64_t restStep, int64_t size) {
      const int64_t whole = nearestMultiple(by, size);
      const int64_t last = first + restStep * (end - 1 - from);
      const auto [least, most] = std::minmax(first, last);
      stayWithin(least, most, by - whole * size, {0, size - 1});
      return whole;
    };
    if (stride > 1 && by != 0)
      by =
          takeRest(at - quotient * stride, parent.step - step * stride, stride);
    if (modulus > 0 && by != 0)
      by -= takeRest(value, valueStep, modulus) * modulus;
    digits_[known] = {value - valueStep * from, valueStep, by};
    follow(piece, segment, known + 1, from, end);
    from = end;
  }
}

std::optional<std::vector<SlotRun>> WarpRuns::alongVariable(
    const Problem &problem, const LaneNumbers &numbers, int64_t most) {
  const int64_t extent = problem.extents[0];
  if (extent > INT32_MAX) return std::nullopt;
  Problem point = problem;
  LaneAlgebra::restrict(point, 0, 0, 1);
  WarpRuns runs(point, numbers);
  runs.stepsLeft_ = most;
  size_t digits = 0;
  for (auto [flat, piece] : llvm::zip_equal(runs.pieces_, problem.pieces)) {
    Segment &segment = flat.segments.front();
    segment.count = static_cast<uint32_t>(extent);
    auto line = segment.lines.begin();
    auto take = [&](const Form &form) { (line++)->step = form.outer[0]; };
    for (const Digit &digit : piece.digits) take(digit.parent);
    for (const LaneConstraint &constraint : piece.constraints)
      take(constraint.form);
    take(piece.address);
    digits = std::max(digits, piece.digits.size());
  }
  runs.digits_.resize(digits);
  for (const FlatPiece &piece : runs.pieces_)
    runs.follow(piece, piece.segments.front(), 0, 0, extent);
  if (runs.stepsLeft_ <= 0) return std::nullopt;
  return std::move(runs.runs_);
}

/// Goes to the next point of the variables beside that of warps that are alike.
/// Returns false behind the last one.
bool WarpRuns::step() {
  for (Moving &moving : moving_) {
    if (moving.at + 1 < moving.extent) {
      moving.moveBy(1, base_);
      return true;
    }
    moving.moveBy(-moving.at, base_);
  }
  return false;
}

bool WarpRuns::visit(Meter &meter,
                     llvm::function_ref<bool(const WarpsAlike &)> visit) {
  size_t most = 0;
  for (const FlatPiece &piece : pieces_)
    most = std::max(most, piece.digits.size());
  digits_.resize(most);
  do {
    while (along_.at < along_.extent) {
      if (!meter.spend(cost_)) return false;
      runs_.clear();
      alike_ = along_.extent - along_.at;
      for (const FlatPiece &piece : pieces_)
        for (const Segment &segment : piece.segments)
          follow(piece, segment, 0, 0, segment.count);
      if (!runs_.empty() && !visit({runs_, alike_, runsMove_})) return false;
      along_.moveBy(alike_, base_);
    }
    along_.moveBy(-along_.at, base_);
  } while (step());
  return true;
}

}  // namespace lanes
}  // namespace indexical

#include "indexical/analysis/memory/warp_runs.h"

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

}  // namespace

std::optional<int64_t> pointsOf(const Problem &problem, int64_t most) {
  for (const Piece &piece : problem.pieces)
    if (!piece.runtime.empty() || !piece.deciders.empty()) return std::nullopt;
  const std::vector<Outer> outer = outerOf(problem);
  int64_t points = 1;
  for (size_t x = 0; x < problem.extents.size(); ++x) {
    if (problem.extents[x] == 1 || isFree(outer, x)) continue;
    if (problem.extents[x] > most / points) return std::nullopt;
    points *= problem.extents[x];
  }
  return points;
}

//===-- Making it ---------------------------------------------------------===//

WarpRuns::WarpRuns(const Problem &problem, const LaneNumbers &numbers) {
  const std::vector<Outer> outer = outerOf(problem);
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
  for (auto [digit, coefficient] : piece.terms[form]) {
    line.start += coefficient * digits_[digit].start;
    line.step += coefficient * digits_[digit].step;
  }
  return line;
}

/// Narrows the slots to those in which constraints over the digits that are
/// `known` hold. Returns whether any are left.
bool WarpRuns::clip(const FlatPiece &piece, const Segment &segment,
                    size_t known, int64_t &from, int64_t &to) const {
  for (const FlatConstraint &constraint : piece.constraints[known]) {
    const Line line = lineOf(piece, segment, constraint.form);
    const Interval &bounds = constraint.bounds;
    if (line.step == 0) {
      if (!bounds.contains(line.start)) return false;
      continue;
    }
    const bool falls = line.step < 0;
    const int64_t by = falls ? -line.step : line.step;
    if (bounds.hasLower()) {
      if (falls)
        to = std::min(to, floorDiv(line.start - bounds.lower, by) + 1);
      else
        from = std::max(from, ceilDiv(bounds.lower - line.start, by));
    }
    if (bounds.hasUpper()) {
      if (falls)
        from = std::max(from, ceilDiv(line.start - bounds.upper, by));
      else
        to = std::min(to, floorDiv(bounds.upper - line.start, by) + 1);
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
    runs_.push_back({piece.number, segment.first + static_cast<uint32_t>(from),
                     static_cast<uint32_t>(to - from),
                     address.start + address.step * from, address.step});
    return;
  }
  const auto [stride, modulus] = piece.digits[known];
  const Line parent = lineOf(piece, segment, known);
  while (from < to) {
    const int64_t at = parent.start + parent.step * from;
    // From here on the quotient is a line until `end`.
    int64_t quotient = stride == 1 ? at : floorDiv(at, stride), step = 0;
    int64_t end = to;
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
    if (modulus > 0) {
      quotient = floorMod(quotient, modulus);
      if (step % modulus == 0) {
        step = 0;
      } else if (step >= modulus || step <= -modulus) {
        step = 0;
        end = from + 1;
      } else {
        const int64_t steps = step > 0 ? ceilDiv(modulus - quotient, step)
                                       : floorDiv(quotient, -step) + 1;
        end = std::min(end, from + steps);
      }
    }
    end = std::min(end, to);
    digits_[known] = {quotient - step * from, step};
    follow(piece, segment, known + 1, from, end);
    from = end;
  }
}

/// Goes to the next point. Returns false behind the last one.
bool WarpRuns::step() {
  for (Moving &moving : moving_) {
    if (++moving.at < moving.extent) {
      for (auto [form, coefficient] : moving.adds) base_[form] += coefficient;
      return true;
    }
    moving.at = 0;
    for (auto [form, coefficient] : moving.adds)
      base_[form] -= coefficient * (moving.extent - 1);
  }
  return false;
}

bool WarpRuns::visit(llvm::function_ref<bool(llvm::ArrayRef<SlotRun>)> visit) {
  size_t most = 0;
  for (const FlatPiece &piece : pieces_)
    most = std::max(most, piece.digits.size());
  digits_.resize(most);
  do {
    runs_.clear();
    for (const FlatPiece &piece : pieces_)
      for (const Segment &segment : piece.segments)
        follow(piece, segment, 0, 0, segment.count);
    if (!runs_.empty() && !visit(runs_)) return false;
  } while (step());
  return true;
}

}  // namespace lanes
}  // namespace indexical

#include "indexical/cost/memory/lane_forms.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {

//===-- Boxes -------------------------------------------------------------===//

namespace {

template <typename Visit>
void visitAll(Problem &problem, Visit visit) {
  for (Piece &piece : problem.pieces) LaneAlgebra::visitForms(piece, visit);
}

}  // namespace

void LaneAlgebra::restrict(Problem &problem, size_t x, int64_t from,
                           int64_t extent) {
  problem.extents[x] = extent;
  for (Weight &weight : problem.weights)
    if (weight.variable == x) {
      weight.from += from;
      if (extent == 1) problem.times *= weight.at(0);
    }
  if (extent == 1)
    llvm::erase_if(problem.weights,
                   [&](const Weight &of) { return of.variable == x; });
  visitAll(problem, [&](Form &form) {
    form.constant += form.outer[x] * from;
    if (extent == 1) form.outer[x] = 0;
  });
}

void LaneAlgebra::split(Problem &problem, size_t x, int64_t extent,
                        int64_t count) {
  problem.extents[x] = extent;
  problem.extents.push_back(count);
  visitAll(problem, [&](Form &form) {
    form.outer.push_back(count == 1 ? 0 : form.outer[x] * extent);
    if (extent == 1) form.outer[x] = 0;
  });
}

bool LaneAlgebra::mergeVariables(Problem &problem) {
  const size_t count = problem.extents.size();
  auto runsInside = [&](size_t y, size_t x) {
    bool inside = true;
    visitAll(problem, [&](Form &form) {
      inside &= form.outer[x] == problem.extents[y] * form.outer[y];
    });
    return inside;
  };
  auto isWeighted = [&](size_t x) {
    return llvm::any_of(problem.weights,
                        [&](const Weight &of) { return of.variable == x; });
  };
  bool any = false;
  for (bool merged = true; merged;) {
    merged = false;
    for (size_t x = 0; x < count; ++x)
      for (size_t y = 0; y < count; ++y) {
        if (x == y || problem.extents[x] == 1 || problem.extents[y] == 1 ||
            isWeighted(x) || isWeighted(y))
          continue;
        auto extent = checkedMul(problem.extents[x], problem.extents[y]);
        if (!extent || !runsInside(y, x)) continue;
        problem.extents[y] = *extent;
        restrict(problem, x, 0, 1);
        merged = any = true;
      }
  }
  return any;
}

//===-- Forms -------------------------------------------------------------===//

Form LaneAlgebra::zero(const Problem &problem) {
  Form form;
  form.outer.assign(problem.extents.size(), 0);
  return form;
}

void LaneAlgebra::add(Form &a, const Form &b, int64_t factor) {
  a.constant += factor * b.constant;
  for (size_t x = 0; x < b.outer.size(); ++x) a.outer[x] += factor * b.outer[x];
  for (auto [digit, coefficient] : b.digits) {
    auto *known = llvm::find_if(
        a.digits, [digit = digit](auto &term) { return term.first == digit; });
    if (known == a.digits.end())
      a.digits.push_back({digit, factor * coefficient});
    else if ((known->second += factor * coefficient) == 0)
      a.digits.erase(known);
  }
  if (b.numbers == kNoNumbers) return;
  if (a.numbers == kNoNumbers && factor == 1) {
    a.numbers = b.numbers;
    return;
  }
  const int32_t sum = numbers_.add();
  int64_t *to = numbers_.of(sum);
  const int64_t *ofB = numbers_.of(b.numbers);
  const int64_t *ofA =
      a.numbers == kNoNumbers ? nullptr : numbers_.of(a.numbers);
  for (size_t slot = 0; slot < numbers_.slots(); ++slot)
    to[slot] = (ofA ? ofA[slot] : 0) + factor * ofB[slot];
  a.numbers = sum;
}

Interval LaneAlgebra::boundsOf(const Problem &problem, const Piece &piece,
                               const Digit &digit) const {
  if (digit.modulus > 0) return {0, digit.modulus - 1};
  Interval bounds = Interval::none();
  for (uint32_t slot : piece.alive)
    bounds = bounds.hull(Interval::point(at(digit.parent, slot)));
  return (bounds + spanOf(problem, piece, digit.parent)).floorDiv(digit.stride);
}

Interval LaneAlgebra::spanOf(const Problem &problem, const Piece &piece,
                             const Form &form) const {
  Interval span = Interval::point(0);
  auto widen = [&](int64_t least, int64_t most, int64_t factor) {
    span.lower += factor * (factor > 0 ? least : most);
    span.upper += factor * (factor > 0 ? most : least);
  };
  for (auto [x, coefficient] : llvm::enumerate(form.outer))
    if (coefficient != 0) widen(0, problem.extents[x] - 1, coefficient);
  for (auto [digit, coefficient] : form.digits) {
    Interval bounds = boundsOf(problem, piece, piece.digits[digit]);
    widen(bounds.lower, bounds.upper, coefficient);
  }
  return span;
}

//===-- Settling ----------------------------------------------------------===//

int64_t multiplesIn(int64_t coefficient, int64_t span, int64_t divisor) {
  if (coefficient % divisor == 0) return coefficient / divisor;
  if (std::abs(coefficient) * span < divisor) return 0;
  return floorDiv(coefficient + divisor / 2, divisor);
}

/// Sets `quotient` to the floor of the form by the divisor. Returns whether it
/// could: the part of the form that is no multiple must stay between two
/// multiples, in every slot.
bool LaneAlgebra::takeFloor(const Problem &problem, const Piece &piece,
                            const Form &form, int64_t divisor, Form &quotient) {
  quotient = zero(problem);
  Interval rest = Interval::point(0);
  // A large coefficient is taken out; a small one may stay below the divisor.
  auto take = [&](int64_t coefficient, Interval values) {
    const int64_t out =
        multiplesIn(coefficient, values.upper - values.lower, divisor);
    rest = rest + values * (coefficient - out * divisor);
    return out;
  };
  for (auto [x, coefficient] : llvm::enumerate(form.outer))
    if (coefficient != 0)
      quotient.outer[x] = take(coefficient, {0, problem.extents[x] - 1});
  for (auto [digit, coefficient] : form.digits) {
    const int64_t out =
        take(coefficient, boundsOf(problem, piece, piece.digits[digit]));
    if (out != 0) quotient.digits.push_back({digit, out});
  }
  if (form.numbers == kNoNumbers) {
    quotient.constant = floorDiv(form.constant + rest.lower, divisor);
    return quotient.constant == floorDiv(form.constant + rest.upper, divisor);
  }
  if (rest.upper - rest.lower >= divisor) return false;
  const int32_t floors = numbers_.add();
  int64_t *to = numbers_.of(floors);
  bool same = true;
  for (uint32_t slot : piece.alive) {
    const int64_t number = at(form, slot);
    to[slot] = floorDiv(number + rest.lower, divisor);
    // The upper end has the same floor, so one division is enough.
    if (number + rest.upper - to[slot] * divisor >= divisor) return false;
    same &= to[slot] == to[piece.alive.front()];
  }
  if (same)
    quotient.constant = to[piece.alive.front()];
  else
    quotient.numbers = floors;
  return true;
}

Form LaneAlgebra::withDigits(const Form &form, llvm::ArrayRef<Form> digits) {
  if (form.digits.empty()) return form;
  Form made = form;
  made.digits.clear();
  for (auto [digit, coefficient] : form.digits)
    add(made, digits[digit], coefficient);
  return made;
}

/// Adds the constant to the numbers of these slots, and makes the others 0. The
/// remainder is small then in each slot. A constant that stayed beside numbers
/// that take it off again would grow from digit to digit, past 64 bits.
void LaneAlgebra::takeConstant(Form &form, llvm::ArrayRef<uint32_t> alive) {
  int64_t *numbers = numbers_.of(form.numbers);
  size_t next = 0;
  for (uint32_t slot : alive) {
    std::fill(numbers + next, numbers + slot, 0);
    numbers[slot] += form.constant;
    next = slot + 1;
  }
  std::fill(numbers + next, numbers + numbers_.slots(), 0);
  form.constant = 0;
}

std::optional<UnsettledForm> LaneAlgebra::settleDigits(const Problem &problem,
                                                       Piece &piece) {
  if (piece.digits.empty()) return std::nullopt;
  // Digits that stand are numbered anew.
  std::vector<Digit> old = std::move(piece.digits);
  piece.digits.clear();
  std::vector<Form> values;
  std::vector<UnsettledForm> obstacles;
  for (Digit &digit : old) {
    Form value = withDigits(digit.parent, values), floor;
    UnsettledForm obstacle;
    bool resolved = true;
    if (digit.stride > 1) {
      resolved = takeFloor(problem, piece, value, digit.stride, floor);
      if (resolved)
        value = floor;
      else
        obstacle = {value, digit.stride, {}, 0};
    }
    const int64_t strideLeft = resolved ? 1 : digit.stride;
    if (resolved && digit.modulus > 0) {
      resolved = takeFloor(problem, piece, value, digit.modulus, floor);
      if (resolved) {
        add(value, floor, -digit.modulus);
        // The numbers are a new list.
        if (floor.numbers != kNoNumbers) takeConstant(value, piece.alive);
      } else {
        obstacle = {value, digit.modulus, {}, 0};
      }
    }
    if (!resolved) {
      piece.digits.push_back({value, strideLeft, digit.modulus});
      obstacles.push_back(obstacle);
      value = zero(problem);
      value.digits.push_back({static_cast<uint32_t>(obstacles.size() - 1), 1});
    }
    values.push_back(std::move(value));
  }
  auto replace = [&](Form &form) { form = withDigits(form, values); };
  replace(piece.address);
  for (LaneConstraint &constraint : piece.constraints) replace(constraint.form);
  for (Form &source : piece.sources) replace(source);
  for (Form &decider : piece.deciders) replace(decider);

  // A digit is an obstacle only if something uses it.
  llvm::SmallVector<bool, 8> used(piece.digits.size(), false);
  auto use = [&](const Form &form) {
    for (auto [digit, coefficient] : form.digits) used[digit] = true;
  };
  use(piece.address);
  for (const LaneConstraint &constraint : piece.constraints)
    use(constraint.form);
  for (const Form &source : piece.sources) use(source);
  for (const Form &decider : piece.deciders) use(decider);
  for (size_t i = piece.digits.size(); i-- > 0;)
    if (used[i]) use(piece.digits[i].parent);
  for (size_t i = 0; i < piece.digits.size(); ++i)
    if (used[i]) return obstacles[i];
  piece.digits.clear();
  return std::nullopt;
}

std::optional<UnsettledForm> LaneAlgebra::settleConstraints(
    const Problem &problem, Piece &piece) {
  std::optional<UnsettledForm> obstacle;
  llvm::erase_if(piece.constraints, [&](const LaneConstraint &constraint) {
    const Interval span = spanOf(problem, piece, constraint.form);
    bool holds = true;
    // Ends that are open are those of 64 bits: no number of a form is beyond.
    const auto [lower, upper] = constraint.bounds;
    llvm::erase_if(
        piece.alive, [&, lower = lower, upper = upper](uint32_t slot) {
          const int64_t number = at(constraint.form, slot);
          const int64_t least = span.lower + number, most = span.upper + number;
          if (most < lower || least > upper) return true;
          holds &= lower <= least && most <= upper;
          return false;
        });
    if (!holds && !obstacle && constraint.form.isLinear())
      obstacle = UnsettledForm{constraint.form, 0, constraint.bounds, 0};
    return holds;
  });
  return obstacle;
}

std::optional<UnsettledForm> LaneAlgebra::settle(Problem &problem) {
  std::optional<UnsettledForm> first;
  for (Piece &piece : problem.pieces) {
    settleConstraints(problem, piece);
    if (piece.alive.empty()) continue;
    auto digits = settleDigits(problem, piece);
    auto constraints = settleConstraints(problem, piece);
    auto &obstacle = constraints ? constraints : digits;
    if (first || !obstacle || piece.alive.empty()) continue;
    first = std::move(obstacle);
    first->piece = &piece - problem.pieces.data();
  }
  // The obstacle's piece comes before those that are off, or keeps its place.
  if (first) {
    size_t off = 0;
    for (size_t i = 0; i < first->piece; ++i)
      off += problem.pieces[i].alive.empty();
    first->piece -= off;
  }
  llvm::erase_if(problem.pieces,
                 [](const Piece &piece) { return piece.alive.empty(); });
  return first;
}

}  // namespace lanes
}  // namespace indexical

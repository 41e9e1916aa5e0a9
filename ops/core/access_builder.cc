#include "indexical/ops/core/access_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace families {

Bounds indicesOf(const ArrayShape &shape) {
  Bounds bounds;
  for (int64_t k = 0; k < shape.rank(); ++k)
    bounds.push_back(indicesOf(shape, k));
  return bounds;
}

//===-- LoopSum -----------------------------------------------------------===//

LoopSum operator*(Loop loop, int64_t factor) {
  LoopSum sum = loop;
  sum.terms_[0].factor = factor;
  return sum;
}

LoopSum operator*(Loop loop, Expr factor) {
  LoopSum sum = loop;
  sum.scale_ = factor;
  return sum;
}

LoopSum operator+(LoopSum a, const LoopSum &b) {
  assert(!b.scale_ && "the scaled loop comes first");
  a.terms_.append(b.terms_.begin(), b.terms_.end());
  if (b.expression_)
    a.expression_ =
        a.expression_ ? *a.expression_ + *b.expression_ : *b.expression_;
  a.constant_ += b.constant_;
  return a;
}

//===-- Coordinates -------------------------------------------------------===//

AccessBuilder::AccessBuilder(const Sides &sides, IndexingMapBuilder &builder,
                             llvm::ArrayRef<Interval> resultBounds,
                             llvm::ArrayRef<Interval> operandBounds)
    : sides_(sides),
      builder_(builder),
      fromBounds_(sides.ordered(resultBounds, operandBounds).from),
      toBounds_(sides.ordered(resultBounds, operandBounds).to),
      results_(toBounds_.size()) {
  for (const Interval &bounds : fromBounds_)
    dimensions_.push_back(builder.dimension(bounds));
}

Loop AccessBuilder::loop(Interval bounds) {
  loops_.push_back({bounds, false, std::nullopt});
  return {static_cast<uint32_t>(loops_.size() - 1)};
}

LoopSum AccessBuilder::part(LoopSum begin, int64_t size) {
  if (size == 1) return begin;
  return std::move(begin) + loop(indicesOf(size));
}

void AccessBuilder::coordinate(bool isFrom, int64_t dimension,
                               const LoopSum &index) {
  if (isFrom)
    return solve(dimensions_[dimension], fromBounds_[dimension], index);
  bool isKnown = true;
  for (const LoopSum::Term &term : index.terms_) {
    loops_[term.loop.number].isUsed = true;
    isKnown &= loops_[term.loop.number].value.has_value();
  }
  if (isKnown)
    results_[dimension].value = at(index);
  else
    results_[dimension].sum = index;
}

void AccessBuilder::same(int64_t resultDimension, int64_t operandDimension) {
  const auto [from, to] = sides_.ordered(resultDimension, operandDimension);
  results_[to].value = dimensions_[from];
}

void AccessBuilder::related(int64_t resultDimension, int64_t operandDimension,
                            llvm::function_ref<Expr(Expr)> across) {
  const auto [from, to] = sides_.ordered(resultDimension, operandDimension);
  results_[to].value = across(dimensions_[from]);
}

void AccessBuilder::member(Loop loop) {
  member_ = loop;
  loops_[loop.number].isUsed = true;
}

//===-- Solving -----------------------------------------------------------===//

/// Solves dimension = index for the loops that have no value yet. `bounds` are
/// those of the rest of the dimension; they need no constraint.
void AccessBuilder::solve(Expr dimension, Interval bounds,
                          const LoopSum &index) {
  Expr value = dimension;
  auto subtract = [&](Expr part) {
    const std::optional<int64_t> known = builder_.valueOf(part);
    if (known == 0) return;
    value = value - part;
    bounds = known ? bounds - Interval::point(*known) : Interval::all();
  };
  if (index.expression_) subtract(*index.expression_);
  if (index.constant_ != 0) {
    value = value - index.constant_;
    bounds = bounds - Interval::point(index.constant_);
  }
  llvm::SmallVector<LoopSum::Term, 2> open;
  for (const LoopSum::Term &term : index.terms_) {
    const LoopInfo &info = loops_[term.loop.number];
    if (info.value)
      subtract(*info.value * term.factor);
    else
      open.push_back(term);
  }
  if (open.empty()) {
    if (!Interval::point(0).contains(bounds))
      builder_.constraint(value, Interval::point(0));
    return;
  }
  if (open.size() > 1) return solveDigits(value, bounds, open);
  const Loop loop = open[0].loop;
  int64_t factor = open[0].factor;
  if (index.scale_) {
    const std::optional<int64_t> known = builder_.valueOf(*index.scale_);
    if (!known) {
      builder_.constraint(mod(value, *index.scale_), Interval::point(0));
      return give(loop, floorDiv(value, *index.scale_), Interval::all());
    }
    factor = *known;
  }
  if (factor < 0) {
    value = -value, bounds = -bounds;
    factor = -factor;
  }
  const Interval values = loops_[loop.number].bounds;
  // The step of a single iteration has no meaning.
  if (factor > 1 && values.isPoint()) {
    subtract(builder_.constant(values.lower) * (factor - 1));
    factor = 1;
  }
  if (factor > 1) {
    builder_.constraint(mod(value, factor), Interval::point(0));
    value = floorDiv(value, factor);
    bounds = bounds.floorDiv(factor);
  }
  give(loop, value, bounds);
}

void AccessBuilder::solveDigits(Expr value, Interval bounds,
                                llvm::MutableArrayRef<LoopSum::Term> terms) {
  // The last one is the least significant, also if a part has one element
  // and two factors are equal.
  std::reverse(terms.begin(), terms.end());
  llvm::stable_sort(terms, [](const LoopSum::Term &a, const LoopSum::Term &b) {
    return a.factor < b.factor;
  });
  const int64_t least = terms.front().factor;
  if (least > 1) builder_.constraint(mod(value, least), Interval::point(0));
  for (size_t i = 0; i < terms.size(); ++i) {
    const bool isLast = i + 1 == terms.size();
    const int64_t unit = terms[i].factor;
    const int64_t ratio = isLast ? 0 : terms[i + 1].factor / unit;
    assert(unit > 0 && (isLast || terms[i + 1].factor % unit == 0) &&
           loops_[terms[i].loop.number].bounds.lower == 0);
    const FormId digit = builder_.pool().digit(value.form(), unit, ratio);
    give(terms[i].loop, builder_.expression(digit),
         isLast ? bounds.floorDiv(unit) : indicesOf(ratio));
  }
}

void AccessBuilder::give(Loop loop, Expr value, Interval bounds) {
  LoopInfo &info = loops_[loop.number];
  info.value = value;
  if (!info.bounds.contains(bounds)) builder_.constraint(value, info.bounds);
}

//===-- The map -----------------------------------------------------------===//

Expr AccessBuilder::at(Loop loop) {
  LoopInfo &info = loops_[loop.number];
  if (!info.value) info.value = builder_.range(info.bounds);
  return *info.value;
}

Expr AccessBuilder::at(const LoopSum &sum) {
  std::optional<Expr> value;
  auto add = [&](Expr part) { value = value ? *value + part : part; };
  for (const LoopSum::Term &term : sum.terms_) {
    const Expr loop = at(term.loop);
    add(sum.scale_         ? loop * *sum.scale_
        : term.factor == 1 ? loop
                           : loop * term.factor);
  }
  if (sum.expression_) add(*sum.expression_);
  if (!value) return builder_.constant(sum.constant_);
  return sum.constant_ == 0 ? *value : *value + sum.constant_;
}

Expr AccessBuilder::coordinateAt(bool isFrom, int64_t dimension) {
  if (isFrom) return dimensions_[dimension];
  Coordinate &coordinate = results_[dimension];
  if (!coordinate.value)
    coordinate.value = coordinate.sum ? at(*coordinate.sum)
                                      : builder_.range(toBounds_[dimension]);
  return *coordinate.value;
}

void AccessBuilder::complete() {
  for (uint32_t i = 0; i < loops_.size(); ++i)
    if (loops_[i].isUsed) at(Loop{i});
  for (size_t k = 0; k < results_.size(); ++k) coordinateAt(false, k);
}

void AccessBuilder::finish() {
  complete();
  for (const Coordinate &coordinate : results_)
    builder_.result(*coordinate.value);
  if (member_) builder_.member(0, at(*member_));
}

Answer AccessBuilder::answer(Precision precision) {
  finish();
  return answerOf(builder_, precision);
}

}  // namespace families
}  // namespace indexical

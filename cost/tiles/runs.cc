#include "indexical/cost/tiles/runs.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

//===-- Runs and sums -----------------------------------------------------===//

Run Run::point(TileForms &f, FormId value) {
  Run run;
  run.first = value;
  run.gap = run.cut = run.full = run.multiple = f.number(1);
  return run;
}

Run Run::all(TileForms &f, Interval values) {
  Run run = point(f, f.number(values.lower));
  run.most = values.count();
  run.cut = run.full = f.number(run.most);
  return run;
}

RunSum::RunSum(TileForms &f, int64_t constant, llvm::ArrayRef<ScaledRun> runs)
    : least(f.number(constant)), constant(constant) {
  auto addConstant = [&](int64_t value) {
    if (this->constant &&
        __builtin_add_overflow(*this->constant, value, &*this->constant))
      this->constant = std::nullopt;
  };
  for (const auto &[c, run] : runs) {
    const int64_t size = std::abs(c);
    const FormId width = f.shift(run.cut, -1);
    FormId own = f.scale(run.first, c);
    if (c < 0) own = f.add(own, f.scale(f.product(width, run.gap), c));
    least = f.add(least, own);
    const bool isPoint = f.isNumber(run.full, 1) && f.isNumber(run.cut, 1);
    FormId multiple = f.number(0);
    if (f.isNumber(own)) {
      addConstant(f.valueOf(own));
    } else if (c > 0 || isPoint) {
      multiple = f.scale(run.multiple, size);
    } else {  // c * (first + full) - c
      addConstant(size);
      const bool isDense = f.isNumber(run.gap, 1);
      multiple = isDense && run.multiple == run.full ? f.scale(run.full, size)
                                                     : f.number(size);
    }
    if (isPoint) {
      multiples.push_back(multiple);
      continue;
    }
    int64_t gap = f.isNumber(run.gap) ? f.valueOf(run.gap) : 0;
    if (__builtin_mul_overflow(gap, size, &gap)) {
      f.pool.setOverflowed(true);
      gap = Interval::kInfinity;
    }
    Part part;
    part.coefficient = c;
    part.run = run;
    part.gap = gap;
    part.multiple = multiple;
    parts.push_back(std::move(part));
  }
  llvm::stable_sort(parts,
                    [](const Part &x, const Part &y) { return x.gap < y.gap; });
}

int64_t RunSum::widestGap(TileForms &f) const {
  int64_t widest = 0, reach = 0;
  for (const Part &part : parts) {
    if (part.gap == 0) return Interval::kInfinity;
    widest = std::max(widest, part.gap - reach);
    const int64_t atLeast = std::max<int64_t>(1, f.bounds(part.run.cut).lower);
    reach = boundedSum(reach, boundedProduct(part.gap, atLeast - 1));
  }
  return widest;
}

bool TileRunConditions::require(FormId zero) {
  const Interval bounds = forms_.bounds(zero);
  if (bounds == Interval::point(0)) return true;
  if (bounds.lower >= 1) return false;
  if (!llvm::is_contained(zeros_, zero)) zeros_.push_back(zero);
  return true;
}

std::optional<Run> product(TileForms &f, const RunSum &sum, FormId by) {
  if (sum.parts.size() > 1) return std::nullopt;
  Run run = Run::point(f, f.product(sum.least, by));
  run.hasOtherEdges = run.mayLack = true;
  if (sum.parts.empty()) return run;
  const RunSum::Part &part = sum.parts[0];
  run.full = part.run.full;
  run.cut = part.run.cut;
  run.most = part.run.most;
  run.floating = part.run.floating;
  run.gap = f.product(f.scale(part.run.gap, std::abs(part.coefficient)), by);
  return run;
}

std::optional<Progression> clipped(TileForms &f, Progression values,
                                   std::optional<FormId> lower,
                                   std::optional<FormId> upper) {
  if (!f.isNumber(values.stride)) return std::nullopt;
  const int64_t stride = f.valueOf(values.stride);
  // A value that is there again and again has no place to be cut.
  if (stride < 1) return std::nullopt;
  const FormId last =
      f.add(values.first, f.scale(f.shift(values.count, -1), stride));
  FormId count = values.count;
  if (upper)
    count = f.sub(count, f.ceilDiv(f.positive(f.sub(last, *upper)), stride));
  if (lower) {
    const FormId skipped =
        f.ceilDiv(f.positive(f.sub(*lower, values.first)), stride);
    count = f.sub(count, skipped);
    values.first = f.add(values.first, f.scale(skipped, stride));
  }
  values.count = f.positive(count);
  return values;
}

FormId lackOf(TileForms &f, const Run &run) {
  return run.mayLack ? f.number(1) : f.shift(f.scale(run.full, -1), run.most);
}

//===-- Progressions ------------------------------------------------------===//

namespace {

/// Returns the most values that the run has. One that never lacks a value of
/// run.most has that many in some sizes.
int64_t mostOf(TileForms &f, const Run &run) {
  return run.mayLack ? std::min(run.most, f.bounds(run.cut).upper) : run.most;
}

/// Some parts of a sum, as one progression.
class GrowingSum {
 public:
  GrowingSum(TileForms &f, FormId first, const RunSum::Part &part)
      : f_(f),
        all_{first, part.run.cut, f.number(part.gap)},
        full_(part.run.full),
        lack_(lackOf(f, part.run)),
        floating_(part.run.floating),
        least_(part.gap),
        most_(mostOf(f, part.run)) {}

  /// Adds a part whose gap is not less. Returns whether it is possible.
  bool add(const RunSum::Part &part, TileRunConditions &conditions) {
    const Run &run = part.run;
    const int64_t ratio = part.gap % least_ == 0 ? part.gap / least_ : 0;
    const FormId lack = lackOf(f_, run);
    if (f_.isNumber(all_.stride, least_) && ratio > 0 &&
        ratio <= std::max<int64_t>(1, f_.bounds(all_.count).lower)) {
      // Its steps reach no further than the parts so far, whatever the sizes.
      all_.count = f_.add(all_.count, f_.scale(f_.shift(run.cut, -1), ratio));
      full_ = f_.add(full_, f_.scale(f_.shift(run.full, -1), ratio));
      lack_ = f_.add(lack_, lack);
      most_ = boundedSum(most_, boundedProduct(ratio, run.most - 1));
    } else if (ratio == 2 && most_ == 2 && f_.bounds(all_.count).lower >= 1) {
      // The parts so far have both of two values, or one.
      const FormId isMore = f_.step(f_.shift(all_.count, -2));
      const FormId gap = f_.number(part.gap);
      all_.stride = f_.sub(gap, f_.product(f_.sub(gap, all_.stride), isMore));
      all_.count = f_.product(all_.count, run.cut);
      full_ = f_.product(full_, run.full);
      lack_ = f_.number(1);
      most_ = boundedProduct(most_, run.most);
    } else {
      const bool fits = ratio == most_;
      const bool overlaps = ratio > 0 && ratio < most_;
      if (!conditions.require(isNoSum(run, ratio))) return false;
      const FormId isMore =
          f_.step(f_.shift(floating_ ? all_.count : full_, -2));
      if (overlaps) {  // run's steps are `ratio` values, or one if it is alone
        const FormId values = f_.shift(f_.scale(isMore, ratio - 1), 1);
        all_.count =
            f_.add(all_.count, f_.product(f_.shift(run.cut, -1), values));
        full_ = f_.add(full_, f_.product(f_.shift(run.full, -1), values));
        most_ = boundedSum(most_, boundedProduct(ratio, run.most - 1));
      } else {
        all_.count = f_.product(all_.count, run.cut);
        full_ = f_.product(full_, run.full);
        most_ = boundedProduct(most_, run.most);
      }
      const FormId gap = f_.number(part.gap);
      all_.stride = f_.sub(gap, f_.product(f_.sub(gap, all_.stride), isMore));
      lack_ = fits || overlaps ? f_.add(lack_, lack) : f_.number(1);
    }
    floating_ |= run.floating;
    return true;
  }

  Progression values() const { return all_; }

 private:
  /// Returns a form that is zero if the parts so far or the run have one value,
  /// or if the parts so far reach up to the run's next value.
  FormId isNoSum(const Run &run, int64_t ratio) {
    llvm::SmallVector<FormId, 3> factors;
    if (!floating_) factors.push_back(f_.shift(full_, -1));
    if (!run.floating) factors.push_back(f_.shift(run.full, -1));
    if (ratio == most_) {
      factors.push_back(lack_);
    } else if (ratio > 0 && ratio < most_) {
      const bool isEnough =
          f_.isNumber(all_.stride, least_) && full_ == all_.count && !floating_;
      factors.push_back(
          isEnough ? f_.positive(f_.shift(f_.scale(full_, -1), ratio)) : lack_);
    }
    return f_.anyZero(factors);
  }

  TileForms &f_;
  Progression all_;
  FormId full_;    ///< as of a run
  FormId lack_;    ///< 0 if no value is missing
  bool floating_;  ///< as of a run
  int64_t least_;  ///< the least gap
  int64_t most_;   ///< values that are `least_` apart, if none is missing
};

/// Returns the progression of a sum, if each gap that is no number is one.
std::optional<Progression> progressionOfNumbers(TileForms &f, const RunSum &sum,
                                                TileRunConditions &conditions) {
  Progression all{sum.least, f.number(1), f.number(1)};
  if (sum.parts.empty()) return all;
  if (sum.parts.size() == 1) {
    const RunSum::Part &part = sum.parts[0];
    all.count = part.run.cut;
    all.stride = f.scale(part.run.gap, std::abs(part.coefficient));
  } else {
    llvm::SmallVector<RunSum::Part, 4> parts(sum.parts);
    for (RunSum::Part &part : parts) {
      if (part.gap != 0) continue;
      const FormId factors[] = {f.shift(part.run.gap, -1),
                                f.shift(part.run.full, -1)};
      if (part.run.floating || !conditions.require(f.anyZero(factors)))
        return std::nullopt;
      part.gap = std::abs(part.coefficient);
    }
    llvm::stable_sort(
        parts, [](const auto &x, const auto &y) { return x.gap < y.gap; });
    GrowingSum growing(f, sum.least, parts[0]);
    for (const RunSum::Part &part : llvm::drop_begin(parts))
      if (!growing.add(part, conditions)) return std::nullopt;
    all = growing.values();
  }
  if (f.isNumber(all.count, 1)) all.stride = f.number(1);
  return all;
}

/// Adds the parts whose gaps are no numbers to the progression `all`. Returns
/// whether that is possible: each part must lie around those inside of it, so
/// that it begins where they have ended, as in d0 * rt0 + d1 with all rt0
/// values of d1.
bool addAround(TileForms &f, Progression &all,
               llvm::ArrayRef<RunSum::Part> parts) {
  llvm::SmallVector<const RunSum::Part *, 4> open;
  for (const RunSum::Part &part : parts) open.push_back(&part);
  auto gapOf = [&](const RunSum::Part &part) {
    return f.scale(part.run.gap, std::abs(part.coefficient));
  };
  bool isFirst = f.isNumber(all.count, 1);
  while (!open.empty()) {
    const FormId reach = f.product(all.count, all.stride);
    auto next = llvm::find_if(open, [&](const RunSum::Part *part) {
      return isFirst || gapOf(*part) == reach;
    });
    if (next == open.end() || (isFirst && open.size() > 1)) return false;
    if (isFirst) all.stride = gapOf(**next);
    all.count = f.product(all.count, (*next)->run.cut);
    isFirst = false;
    open.erase(next);
  }
  return true;
}

}  // namespace

std::optional<Progression> progressionOf(TileForms &f, const RunSum &sum,
                                         TileRunConditions &conditions) {
  const auto numbers = llvm::partition_point(
      sum.parts, [](const RunSum::Part &part) { return part.gap == 0; });
  const size_t opens = numbers - sum.parts.begin();
  if (opens == 0 || sum.parts.size() == 1)
    return progressionOfNumbers(f, sum, conditions);
  // The parts may fit for all values of the sizes that are not known.
  RunSum inner = sum;
  inner.parts.erase(inner.parts.begin(), inner.parts.begin() + opens);
  const size_t before = conditions.zeros().size();
  auto all = progressionOfNumbers(f, inner, conditions);
  if (all && addAround(f, *all, llvm::ArrayRef(sum.parts).take_front(opens)))
    return all;
  conditions.keep(before);
  return progressionOfNumbers(f, sum, conditions);
}

}  // namespace indexical

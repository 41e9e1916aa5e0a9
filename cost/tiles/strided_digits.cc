#include "indexical/cost/tiles/strided_digits.h"

#include <algorithm>

namespace indexical {
namespace {

/// A digit that is asked for, or one between two of these.
struct Level {
  int64_t stride = 1, modulus = 0;  ///< modulus 0: there is no next one
  std::optional<size_t> digit;
};

/// Returns the digits with those between them, so that each begins where the
/// one before ends; nothing if a stride leaves 64 bits.
std::optional<llvm::SmallVector<Level, 6>> levelsOf(
    llvm::ArrayRef<RunDigit> digits) {
  llvm::SmallVector<Level, 6> levels;
  int64_t end = 1;
  for (size_t i = 0; i < digits.size(); ++i) {
    const auto [stride, modulus] = digits[i];
    if (end == 0 || stride % end != 0) return std::nullopt;
    if (stride > end) levels.push_back({end, stride / end, std::nullopt});
    levels.push_back({stride, modulus, i});
    if (__builtin_mul_overflow(stride, modulus, &end)) return std::nullopt;
  }
  if (end != 0) levels.push_back({end, 0, std::nullopt});
  return levels;
}

/// Parts of a sum that are joined.
struct JoinedRun {
  int64_t gap;
  FormId count;
  int64_t most;
};

std::optional<llvm::SmallVector<JoinedRun, 4>> joined(TileForms &f,
                                                      const RunSum &sum) {
  llvm::SmallVector<JoinedRun, 4> runs;
  for (const RunSum::Part &part : sum.parts) {
    if (part.gap == 0 || part.gap == Interval::kInfinity) return std::nullopt;
    const int64_t most = std::min(part.run.most, f.bounds(part.run.cut).upper);
    if (most <= 1) continue;
    if (!runs.empty() && f.isNumber(runs.back().count) &&
        boundedProduct(runs.back().gap, runs.back().most) == part.gap) {
      JoinedRun &last = runs.back();
      last.count = f.scale(part.run.cut, last.most);
      last.most = boundedProduct(last.most, most);
      continue;
    }
    runs.push_back({part.gap, part.run.cut, most});
  }
  return runs;
}

class StridedDigits {
 public:
  StridedDigits(TileForms &f, const RunSum &sum, llvm::ArrayRef<Level> levels,
                size_t digits)
      : f_(f), sum_(sum), levels_(levels) {
    for (size_t i = 0; i < digits; ++i)
      runs_.push_back(Run::point(f, f.number(0)));
    for (const Level &level : levels)
      if (level.digit) runs_[*level.digit].first = digitOf(level);
  }

  /// Finds the digits of a run. Requires that those with less gap were added.
  bool add(const JoinedRun &run) {
    size_t at = levels_.size();
    while (at > 0 && levels_[at - 1].stride > run.gap) --at;
    if (at == 0) return false;
    --at;
    if (run.gap % levels_[at].stride != 0) return false;
    int64_t step = run.gap / levels_[at].stride, most = run.most;
    FormId count = run.count;
    while (true) {
      if (at < next_) return false;
      const Level &level = levels_[at];
      next_ = at + 1;
      if (level.modulus == 0 || stays(level, step, most)) {
        set(level, step, count, most);
        return true;
      }
      const int64_t values = level.modulus / step;
      if (level.modulus % step != 0 || most % values != 0 ||
          !f_.isNumber(count) || mostOf(level) >= step)
        return false;
      set(level, step, f_.number(values), values);
      most /= values;
      count = f_.number(most);
      if (most == 1) return true;
      step = 1;
      ++at;
    }
  }

  llvm::SmallVector<Run, 4> runs() const { return runs_; }

 private:
  FormId digitOf(const Level &level) {
    return f_.digit(sum_.least, level.stride, level.modulus);
  }

  /// Returns the greatest value of the digit of the least value of any tile.
  int64_t mostOf(const Level &level) {
    return std::min(f_.bounds(digitOf(level)).upper,
                    f_.greatestDigit(sum_.least, level.stride, level.modulus));
  }

  bool stays(const Level &level, int64_t step, int64_t most) {
    const int64_t reach =
        boundedSum(mostOf(level), boundedProduct(step, most - 1));
    return reach < level.modulus;
  }

  void set(const Level &level, int64_t step, FormId count, int64_t most) {
    if (!level.digit) return;
    Run &run = runs_[*level.digit];
    run.gap = f_.number(step);
    run.cut = run.full = count;
    run.most = most;
    run.multiple = f_.number(1);
    run.floating = !f_.isNumber(count);
    run.mayLack = run.hasOtherEdges = true;
  }

  TileForms &f_;
  const RunSum &sum_;
  const llvm::ArrayRef<Level> levels_;
  llvm::SmallVector<Run, 4> runs_;
  size_t next_ = 0;  ///< the first level that no run serves
};

}  // namespace

std::optional<llvm::SmallVector<Run, 4>> stridedDigits(
    TileForms &f, const RunSum &sum, llvm::ArrayRef<RunDigit> digits) {
  const auto levels = levelsOf(digits);
  const auto runs = joined(f, sum);
  if (!levels || !runs) return std::nullopt;
  StridedDigits found(f, sum, *levels, digits.size());
  for (const JoinedRun &run : *runs)
    if (!found.add(run)) return std::nullopt;
  return found.runs();
}

}  // namespace indexical

// A result over a tile: the sum of runs, as one progression.
//
//   3 * d0 + d1 floordiv 4, of a and of n <= 3 values
//
// is one if n is 1 (a values, 3 apart), if a is 1 (n values), or if n is 3 (3 *
// a values); there are a * n in each case. If the steps of one run reach no
// further than the runs below it, it fits for all sizes.
#include "indexical/analysis/tiles/tile_maker.h"

namespace indexical {

std::optional<TileMaker::Progression> TileMaker::progressionOf(size_t result) {
  Sum sum = sumOf(map_.results()[result]);
  if (hasFailed_) return std::nullopt;
  const auto open = llvm::partition_point(
      sum.parts, [](const Part &part) { return part.gap == 0; });
  const size_t opens = open - sum.parts.begin();
  if (opens == 0 || sum.parts.size() == 1) return progressionOf(sum);
  // The parts may fit for all values of the sizes that are not known.
  Sum inner = sum;
  inner.parts.erase(inner.parts.begin(), inner.parts.begin() + opens);
  const size_t conditions = conditions_.size();
  auto all = progressionOf(inner);
  if (all &&
      addAround(*all, llvm::MutableArrayRef(sum.parts).take_front(opens)))
    return all;
  conditions_.resize(conditions);
  blames_.resize(conditions);
  return progressionOf(sum);
}

std::optional<TileMaker::Progression> TileMaker::progressionOf(Sum sum) {
  Progression all{sum.least, f_.number(1), f_.number(1)};
  if (sum.parts.empty()) return all;
  if (sum.parts.size() == 1) {
    const Part &part = sum.parts[0];
    all.count = part.run.cut;
    all.stride = f_.scale(part.run.gap, std::abs(part.coefficient));
    if (f_.isNumber(all.count, 1)) all.stride = f_.number(1);
    return all;
  }
  for (Part &part : sum.parts) {
    if (part.gap != 0) continue;
    const FormId factors[] = {f_.shift(part.run.gap, -1),
                              f_.shift(part.run.full, -1)};
    if (!require(f_.anyZero(factors))) return std::nullopt;
    part.gap = std::abs(part.coefficient);
  }
  llvm::stable_sort(sum.parts,
                    [](const Part &x, const Part &y) { return x.gap < y.gap; });

  // The sum of the parts so far has `most` values that are `least` apart, if
  // none is missing.
  FormId full = f_.number(1), lacking = f_.number(0);
  bool floating = false;
  int64_t least = 0, most = 1;
  for (const Part &part : sum.parts) {
    const Run &run = part.run;
    const FormId lacks =
        run.mayLack ? f_.number(1) : f_.shift(f_.scale(run.full, -1), run.most);
    if (least == 0) {
      full = run.full;
      all.count = run.cut;
      all.stride = f_.number(part.gap);
      lacking = lacks;
      floating = run.floating;
      least = part.gap;
      most = run.most;
      continue;
    }
    const int64_t ratio = part.gap % least == 0 ? part.gap / least : 0;
    const FormId more = f_.shift(run.cut, -1);
    if (f_.isNumber(all.stride, least) && ratio > 0 &&
        ratio <= std::max<int64_t>(1, f_.bounds(all.count).lower)) {
      all.count = f_.add(all.count, f_.scale(more, ratio));
      full = f_.add(full, f_.scale(f_.shift(run.full, -1), ratio));
      lacking = f_.add(lacking, lacks);
      floating |= run.floating;
      most = boundedSum(most, boundedProduct(ratio, run.most - 1));
      continue;
    }
    // Either the parts so far or this part have one value, or the parts so far
    // reach up to this part's next value.
    llvm::SmallVector<FormId, 3> factors;
    if (!floating) factors.push_back(f_.shift(full, -1));
    if (!run.floating) factors.push_back(f_.shift(run.full, -1));
    const bool fits = ratio == most;
    const bool overlaps = ratio > 0 && ratio < most;
    if (fits) {
      factors.push_back(lacking);
    } else if (overlaps) {
      factors.push_back(f_.isNumber(all.stride, least) && full == all.count &&
                                !floating
                            ? f_.positive(f_.shift(f_.scale(full, -1), ratio))
                            : lacking);
    }
    if (!require(f_.anyZero(factors))) return std::nullopt;
    const FormId isMore = f_.step(f_.shift(floating ? all.count : full, -2));
    if (overlaps) {
      all.count =
          f_.add(all.count,
                 f_.product(more, f_.shift(f_.scale(isMore, ratio - 1), 1)));
    } else {
      all.count = f_.product(all.count, run.cut);
    }
    full =
        overlaps
            ? f_.add(full, f_.product(f_.shift(run.full, -1),
                                      f_.shift(f_.scale(isMore, ratio - 1), 1)))
            : f_.product(full, run.full);
    all.stride =
        f_.sub(f_.number(part.gap),
               f_.product(f_.sub(f_.number(part.gap), all.stride), isMore));
    lacking = fits || overlaps ? f_.add(lacking, lacks) : f_.number(1);
    floating |= run.floating;
    most = overlaps ? boundedSum(most, boundedProduct(ratio, run.most - 1))
                    : boundedProduct(most, run.most);
  }
  if (f_.isNumber(all.count, 1)) all.stride = f_.number(1);
  return all;
}

}  // namespace indexical

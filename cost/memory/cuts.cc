#include "indexical/cost/memory/cuts.h"

#include <algorithm>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {
namespace {

/// A part is a box, which takes some operations. The cuts are found in less.
constexpr int64_t kOperationsOfCut = 16, kCutsInOperation = 16;

/// Returns the first x with c * x >= bound if c > 0, or with c * x < bound if c
/// < 0.
int64_t crossing(int64_t coefficient, int64_t bound) {
  return coefficient > 0 ? ceilDiv(bound, coefficient)
                         : floorDiv(bound, coefficient) + 1;
}

/// Returns both ends of the interval, or the only value.
llvm::SmallVector<int64_t, 2> ends(const Interval &values) {
  if (values.isPoint()) return {values.lower};
  return {values.lower, values.upper};
}

void finish(const CutTerm &cut, std::vector<int64_t> &cuts) {
  llvm::erase_if(cuts, [&](int64_t at) { return at <= 0 || at >= cut.extent; });
  // Many cuts of few values are marked in less time than they are sorted.
  const auto count = static_cast<int64_t>(cuts.size());
  if (cut.extent / 32 < count) {
    llvm::BitVector marks(cut.extent);
    for (int64_t at : cuts) marks.set(at);
    cuts.assign(marks.set_bits_begin(), marks.set_bits_end());
    return;
  }
  llvm::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
}

}  // namespace

bool cutAtMultiples(const CutTerm &cut, llvm::ArrayRef<int64_t> slots,
                    int64_t divisor, Meter &meter, std::vector<int64_t> &cuts) {
  if (cut.rest.upper - cut.rest.lower >= divisor) return false;
  const int64_t reach = cut.coefficient * (cut.extent - 1);
  for (int64_t slot : slots)
    for (int64_t rest : ends(cut.rest)) {
      const int64_t at = slot + rest;
      const int64_t from = floorDiv(std::min(at, at + reach), divisor) + 1;
      const int64_t to = floorDiv(std::max(at, at + reach), divisor);
      if (to - from + 1 >= cut.extent) return false;
      // Parts that the budget does not reach need no cuts.
      if (to - from >= meter.left() / kOperationsOfCut ||
          !meter.spend(1 + std::max<int64_t>(0, to - from) / kCutsInOperation))
        return false;
      for (int64_t k = from; k <= to; ++k)
        cuts.push_back(crossing(cut.coefficient, k * divisor - at));
    }
  finish(cut, cuts);
  return static_cast<int64_t>(cuts.size()) < cut.extent - 1;
}

bool cutAtBounds(const CutTerm &cut, llvm::ArrayRef<int64_t> slots,
                 const Interval &bounds, std::vector<int64_t> &cuts) {
  for (int64_t slot : slots)
    for (int64_t rest : ends(cut.rest)) {
      if (bounds.hasLower())
        cuts.push_back(crossing(cut.coefficient, bounds.lower - slot - rest));
      if (bounds.hasUpper())
        cuts.push_back(
            crossing(cut.coefficient, bounds.upper + 1 - slot - rest));
    }
  finish(cut, cuts);
  return static_cast<int64_t>(cuts.size()) < cut.extent - 1;
}

}  // namespace lanes
}  // namespace indexical

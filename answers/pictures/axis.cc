#include "indexical/answers/pictures/axis.h"

#include <set>

namespace indexical {
namespace {

/// If there are more indices of interest, the first and the last ones are
/// shown.
constexpr size_t kFirstOnes = 16, kLastOnes = 6;

}  // namespace

std::vector<int64_t> axisOf(int64_t first, int64_t count,
                            llvm::ArrayRef<int64_t> interest) {
  const int64_t last = first + count - 1;
  std::set<int64_t> shown;
  auto show = [&](int64_t from, int64_t to) {
    for (int64_t i = std::max(from, first); i <= std::min(to, last); ++i)
      shown.insert(i);
  };
  if (count <= kWhole) {
    show(first, last);
  } else {
    show(first, first + 1);
    show(last - 1, last);
    const std::set<int64_t> sorted(interest.begin(), interest.end());
    size_t number = 0;
    for (int64_t i : sorted) {
      const bool isFar =
          number >= kFirstOnes && number + kLastOnes < sorted.size();
      ++number;
      if (isFar) continue;
      // The neighbours show where the part of interest ends.
      show(i - 1, i + 1);
    }
    if (interest.empty()) show(first, first + 7);
  }
  std::vector<int64_t> axis;
  for (int64_t i : shown) {
    if (!axis.empty() && i - axis.back() == 2) axis.push_back(i - 1);
    if (!axis.empty() && i - axis.back() > 2) axis.push_back(kGap);
    axis.push_back(i);
  }
  return axis;
}

}  // namespace indexical

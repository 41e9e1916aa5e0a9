#include "indexical/layout/point_values.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical::layouts {

std::optional<PointValues> PointValues::of(llvm::ArrayRef<Sum> sums, Box box) {
  int64_t places = 0;
  for (int64_t side : box) {
    if (side < 1 || side > kMostTabulated) return std::nullopt;
    places += side;
  }
  if (places > kMostTabulated) return std::nullopt;
  PointValues made;
  const size_t width = sums.size() + 1;
  for (int64_t side : box)
    made.tables_.emplace_back(static_cast<size_t>(side) * width, 0);
  for (const auto &[number, sum] : llvm::enumerate(sums)) {
    made.constants_.push_back(sum.constant);
    for (const Digit &digit : sum.digits)
      for (int64_t x = 0; x < box[digit.input]; ++x) {
        int64_t value = x / digit.step;
        if (digit.size != 0) value %= digit.size;
        made.tables_[digit.input][x * width + number] +=
            static_cast<uint64_t>(digit.weight) * static_cast<uint64_t>(value);
      }
    for (const Parity &parity : sum.parities) {
      const size_t at = made.parities_.size();
      if (at == 64) return std::nullopt;
      made.parities_.push_back({number, parity.weight});
      for (const auto &[input, bit] : parity.bits)
        for (int64_t x = 0; x < box[input]; ++x)
          made.tables_[input][x * width + sums.size()] ^=
              static_cast<uint64_t>(x >> bit & 1) << at;
    }
  }
  return made;
}

void PointValues::at(llvm::ArrayRef<int64_t> point,
                     llvm::MutableArrayRef<int64_t> values) const {
  const size_t count = constants_.size();
  uint64_t odd = 0;
  for (size_t i = 0; i < count; ++i) values[i] = constants_[i];
  const auto add = [&](size_t sum, uint64_t more) {
    values[sum] =
        static_cast<int64_t>(static_cast<uint64_t>(values[sum]) + more);
  };
  for (size_t k = 0; k < tables_.size(); ++k) {
    const uint64_t *row = &tables_[k][point[k] * (count + 1)];
    for (size_t i = 0; i < count; ++i) add(i, row[i]);
    odd ^= row[count];
  }
  for (size_t i = 0; i < parities_.size(); ++i)
    if (odd >> i & 1)
      add(parities_[i].first, static_cast<uint64_t>(parities_[i].second));
}

}  // namespace indexical::layouts

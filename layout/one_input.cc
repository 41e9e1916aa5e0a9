#include "indexical/layout/one_input.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical::layouts {

namespace {

using Wide = __int128;

bool fits(Wide value) { return value == static_cast<int64_t>(value); }

/// Returns the value without the constant, where only the input is not 0.
Wide valueAt(const Sum &sum, uint64_t x) {
  Wide value = 0;
  for (const Digit &digit : sum.digits) {
    uint64_t d = x / static_cast<uint64_t>(digit.step);
    if (digit.size != 0) d %= static_cast<uint64_t>(digit.size);
    value += static_cast<Wide>(digit.weight) * static_cast<Wide>(d);
  }
  for (const Parity &parity : sum.parities) {
    uint64_t odd = 0;
    for (const auto &[input, bit] : parity.bits) odd ^= x >> bit;
    if (odd & 1) value += parity.weight;
  }
  return value;
}

/// The function is looked at in so many places.
constexpr uint64_t kMostSteps = uint64_t{1} << 12;

enum class Found { Yes, No, Unknown };

/// The terms of one input of 2^bits places.
class OneInput {
 public:
  OneInput(int input, int bits, Sum terms)
      : input_(input), bits_(bits), terms_(std::move(terms)) {}

  /// Writes bits as digits. Such digits are cut in the middle of the bits: at
  /// an odd number of 2^a, the lowest bit in a parity. Then there is no bit
  /// above those in parities, as the cuts would come again in each of the
  /// bit's halves, where they are no multiples of the first; and the values up
  /// to the next power of two have all parities of the bits below, one of
  /// which has the bits a and a + 1.
  Found asDigits(Sum &made) const {
    int lowest = bits_, highest = 0;
    for (const Parity &parity : terms_.parities) {
      lowest = std::min(lowest, parity.bits.front().second);
      highest = std::max(highest, parity.bits.back().second);
    }
    const bool hasBoth = llvm::any_of(terms_.parities, [&](const Parity &p) {
      return p.bits[0].second == lowest && p.bits[1].second == lowest + 1;
    });
    if (highest + 1 != bits_ || !hasBoth) return Found::No;
    std::vector<std::pair<uint64_t, Wide>> cuts = {{1, at(1, lowest)}};
    const uint64_t places = uint64_t{1} << (bits_ - lowest);
    for (uint64_t y = 2; y < places; ++y) {
      if (y > kMostSteps) return Found::Unknown;
      // A cut at y < 2^(j + 1) takes 2^(j + 1) - j - 2 parities.
      if (cuts.size() == 1 && y > 2 * terms_.parities.size() + 4)
        return Found::No;
      const Wide value = at(y, lowest);
      Wide expected = 0;
      for (size_t i = 0; i < cuts.size(); ++i) {
        uint64_t d = y / cuts[i].first;
        if (i + 1 < cuts.size()) d %= cuts[i + 1].first / cuts[i].first;
        expected += cuts[i].second * static_cast<Wide>(d);
      }
      if (value == expected) continue;
      const bool isCut = cuts.size() == 1 ? y % 2 == 1
                                          : y > cuts.back().first &&
                                                y % cuts.back().first == 0;
      if (!isCut) return Found::No;
      cuts.push_back({y, value});
    }
    for (int bit = 0; bit < lowest; ++bit)
      if (!give(int64_t{1} << bit, 2, valueAt(terms_, uint64_t{1} << bit),
                made))
        return Found::Unknown;
    for (size_t i = 0; i < cuts.size(); ++i) {
      const bool isLast = i + 1 == cuts.size();
      const auto size =
          isLast ? 0 : static_cast<int64_t>(cuts[i + 1].first / cuts[i].first);
      if (!give(static_cast<int64_t>(cuts[i].first) << lowest, size,
                cuts[i].second, made))
        return Found::Unknown;
    }
    return Found::Yes;
  }

  /// Writes digits as the linear map of bits that has their values. Digits of
  /// such a map that are first cut at q * 2^a, q odd, are cut at 3 * 2^a: with
  /// 2^j < q and the weight w, no w * 2^i, 0 < i < j, has a bit of w, and w *
  /// 2^j has one, as there is a cut. So q is 2^j + 1; and the value at q + 1 is
  /// that of the digits for j = 1 alone, where there is no such value.
  Found asBits(Sum &made) const {
    Wide cut = Wide{1} << bits_;
    for (const Digit &digit : terms_.digits)
      for (const Wide end :
           {Wide{digit.step}, static_cast<Wide>(digit.step) * digit.size})
        if ((end & (end - 1)) != 0) cut = std::min(cut, end);
    int lowest = 0;
    while ((cut >> lowest & 1) == 0) ++lowest;
    if (cut >> lowest != 3) return Found::No;
    std::vector<Wide> bases;
    Wide below = 0;
    for (int bit = 0; bit < bits_; ++bit) {
      const Wide basis = valueAt(terms_, uint64_t{1} << bit);
      if (basis < 0 || !fits(basis) || (basis & below) != 0) return Found::No;
      if (bit < lowest) below |= basis;
      bases.push_back(basis);
    }
    for (uint64_t y = 1; y >> (bits_ - lowest) == 0; ++y) {
      if (y > kMostSteps) return Found::Unknown;
      Wide expected = 0;
      for (int bit = lowest; bit < bits_; ++bit)
        if (y >> (bit - lowest) & 1) expected ^= bases[bit];
      if (at(y, lowest) != expected) return Found::No;
    }
    for (int weight = 0; weight < 63; ++weight) {
      Parity parity{int64_t{1} << weight, {}};
      for (int bit = 0; bit < bits_; ++bit)
        if (bases[bit] >> weight & 1) parity.bits.push_back({input_, bit});
      if (!parity.bits.empty()) made.parities.push_back(std::move(parity));
    }
    return Found::Yes;
  }

 private:
  Wide at(uint64_t y, int lowest) const { return valueAt(terms_, y << lowest); }
  bool give(int64_t step, int64_t size, Wide weight, Sum &to) const {
    to.digits.push_back({input_, step, size, static_cast<int64_t>(weight)});
    return fits(weight);
  }

  int input_, bits_;
  Sum terms_;
};

}  // namespace

bool isLinear(const Sum &sum) {
  uint64_t seen = 0;
  const auto take = [&](int64_t weight) {
    if (weight <= 0 || (seen & static_cast<uint64_t>(weight)) != 0)
      return false;
    seen |= static_cast<uint64_t>(weight);
    return true;
  };
  for (const Digit &digit : sum.digits) {
    if (!llvm::isPowerOf2_64(digit.step) || !llvm::isPowerOf2_64(digit.size))
      return false;
    for (int64_t j = 1, weight = digit.weight; j < digit.size; j *= 2) {
      if (!take(weight)) return false;
      if (llvm::MulOverflow(weight, int64_t{2}, weight) && 2 * j < digit.size)
        return false;
    }
  }
  return llvm::all_of(sum.parities,
                      [&](const Parity &p) { return take(p.weight); });
}

bool chooseTerms(int input, Box box, Sum &sum) {
  const int64_t size = box[input];
  if (size < 4 || !llvm::isPowerOf2_64(size)) return true;
  const auto isOwn = [&](const Digit &digit) { return digit.input == input; };
  Sum own;
  for (const Digit &digit : sum.digits)
    if (isOwn(digit)) own.digits.push_back(digit);
  const bool hasOddCuts = llvm::any_of(own.digits, [&](const Digit &digit) {
    return !llvm::isPowerOf2_64(digit.step) || !llvm::isPowerOf2_64(digit.size);
  });
  for (const Parity &parity : sum.parities) {
    const auto isInside = [&](const Bit &bit) { return bit.first == input; };
    if (llvm::all_of(parity.bits, isInside))
      own.parities.push_back(parity);
    else if (llvm::any_of(parity.bits, isInside))
      return true;  // the input is cut into its bits
  }
  if (own.parities.empty() ? !hasOddCuts : isLinear(own)) return true;
  const bool hasBits = !own.parities.empty();
  const OneInput terms(input, static_cast<int>(llvm::Log2_64(size)),
                       std::move(own));
  Sum made;
  const Found found = hasBits ? terms.asDigits(made) : terms.asBits(made);
  if (found != Found::Yes) return found == Found::No;
  llvm::erase_if(sum.digits, isOwn);
  llvm::erase_if(sum.parities, [&](const Parity &parity) {
    return parity.bits.front().first == input &&
           parity.bits.back().first == input;
  });
  return add(made, sum);
}

}  // namespace indexical::layouts

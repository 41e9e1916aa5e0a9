#include "indexical/layout/form.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/layout/one_input.h"

namespace indexical::layouts {

namespace {

using Wide = __int128;

/// Returns how many values the digit has in its input, of that size; 0: open.
int64_t valuesOf(const Digit &digit, int64_t inputSize) {
  if (inputSize == 0) return digit.size;
  const int64_t most = llvm::divideCeil(inputSize, digit.step);
  return digit.size == 0 ? most : std::min(digit.size, most);
}

/// The values of a sum, in more than 64 bits: no sum of weights of 64 bits
/// times digits below 2^63 leaves it, as there are fewer than 2^20 terms.
struct WideBounds {
  Wide low = 0, high = 0;
  bool isOpen = false;

  void add(int64_t weight, int64_t values) {
    if (weight == 0) return;
    if (values == 0) isOpen = true;
    (weight < 0 ? low : high) += static_cast<Wide>(weight) * (values - 1);
  }
};

WideBounds wideBounds(const Sum &sum, Box box) {
  WideBounds found;
  found.low = found.high = sum.constant;
  for (const Digit &digit : sum.digits)
    found.add(digit.weight, valuesOf(digit, box[digit.input]));
  for (const Parity &parity : sum.parities) found.add(parity.weight, 2);
  return found;
}

bool fits(Wide value) { return value == static_cast<int64_t>(value); }

/// Whether the bit is one of equal halves of its input's size.
bool isWhole(int bit, int64_t inputSize) {
  if (inputSize == 0) return bit < 62;
  return bit < 62 && inputSize % (int64_t{2} << bit) == 0;
}

/// The digits of one input, as they are made normal.
class InputDigits {
 public:
  InputDigits(int input, int64_t size) : input_(input), size_(size) {}

  void add(const Digit &digit) {
    if (digit.weight == 0 || (size_ != 0 && digit.step >= size_)) return;
    digits_.push_back(digit);
    cut(digit.step);
    if (digit.size == 0) return;
    int64_t end;
    if (!llvm::MulOverflow(digit.step, digit.size, end)) cut(end);
  }
  /// Cuts the input into the bits that parities have, and what is above.
  void cutIntoBits() {
    for (int bit = 0; isWhole(bit, size_); ++bit) cut(int64_t{2} << bit);
  }

  /// Returns false if the cuts are no chain of divisors, or if a weight leaves
  /// 64 bits.
  bool into(std::vector<Digit> &all) {
    cuts_.push_back(1);
    llvm::sort(cuts_);
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
    for (size_t i = 1; i < cuts_.size(); ++i)
      if (cuts_[i] % cuts_[i - 1] != 0) return false;
    std::optional<Digit> last;
    for (size_t i = 0; i < cuts_.size(); ++i) {
      Digit piece{input_, cuts_[i], 0, 0};
      if (i + 1 < cuts_.size())
        piece.size = cuts_[i + 1] / cuts_[i];
      else if (size_ != 0)
        piece.size = static_cast<int64_t>(llvm::divideCeil(size_, cuts_[i]));
      if (!weigh(piece)) return false;
      if (last && last->size != 0 && continues(*last, piece)) {
        const bool isTop = i + 1 == cuts_.size();
        last->size = isTop ? valuesOf({0, last->step, 0, 0}, size_)
                           : last->size * piece.size;
      } else {
        if (last && last->weight != 0) all.push_back(*last);
        last = piece;
      }
    }
    if (last && last->weight != 0) {
      // The last digit has no more values than its input lets it have.
      last->size = valuesOf(*last, size_);
      if (last->size != 1) all.push_back(*last);
    }
    return true;
  }

 private:
  void cut(int64_t at) {
    if (size_ == 0 || at < size_) cuts_.push_back(at);
  }
  static bool continues(const Digit &low, const Digit &high) {
    int64_t next;
    return !llvm::MulOverflow(low.weight, low.size, next) &&
           next == high.weight;
  }
  /// Gives the piece the weight that all digits together have there.
  bool weigh(Digit &piece) const {
    Wide weight = 0;
    for (const Digit &digit : digits_) {
      if (digit.step > piece.step) continue;
      int64_t end;
      const bool ends =
          digit.size != 0 && !llvm::MulOverflow(digit.step, digit.size, end);
      if (ends && piece.step >= end) continue;
      weight += static_cast<Wide>(digit.weight) * (piece.step / digit.step);
    }
    piece.weight = static_cast<int64_t>(weight);
    return fits(weight);
  }

  int input_;
  int64_t size_;
  std::vector<Digit> digits_;
  std::vector<int64_t> cuts_;
};

}  // namespace

std::optional<int64_t> pointsOf(Box box) {
  int64_t points = 1;
  for (int64_t size : box)
    if (size <= 0 || llvm::MulOverflow(points, size, points))
      return std::nullopt;
  return points;
}

int64_t valueOf(const Sum &sum, llvm::ArrayRef<int64_t> point) {
  // A sum that fits may have parts that do not: they wrap and wrap back.
  auto value = static_cast<uint64_t>(sum.constant);
  for (const Digit &digit : sum.digits) {
    int64_t d = point[digit.input] / digit.step;
    if (digit.size != 0) d %= digit.size;
    value += static_cast<uint64_t>(digit.weight) * static_cast<uint64_t>(d);
  }
  for (const Parity &parity : sum.parities) {
    int64_t odd = 0;
    for (const auto &[input, bit] : parity.bits) odd ^= point[input] >> bit;
    if (odd & 1) value += static_cast<uint64_t>(parity.weight);
  }
  return static_cast<int64_t>(value);
}

Interval bounds(const Sum &sum, Box box) {
  const WideBounds found = wideBounds(sum, box);
  if (found.isOpen || !fits(found.low) || !fits(found.high))
    return Interval::all();
  const Interval interval{static_cast<int64_t>(found.low),
                          static_cast<int64_t>(found.high)};
  return interval.isFinite() ? interval : Interval::all();
}

namespace {

/// Returns the sum with digits that do not overlap, without weights of 0, each
/// set of bits once.
std::optional<Sum> merged(const Sum &sum, Box box) {
  std::vector<InputDigits> inputs;
  for (size_t k = 0; k < box.size(); ++k)
    inputs.emplace_back(static_cast<int>(k), box[k]);
  for (const Digit &digit : sum.digits) inputs[digit.input].add(digit);
  std::map<llvm::SmallVector<Bit, 4>, Wide> sets;
  for (const Parity &parity : sum.parities) sets[parity.bits] += parity.weight;
  Sum made;
  made.constant = sum.constant;
  for (auto &[bits, weight] : sets) {
    if (weight == 0 || bits.empty()) continue;
    if (!fits(weight)) return std::nullopt;
    const auto w = static_cast<int64_t>(weight);
    if (bits.size() == 1) {
      inputs[bits[0].first].add(
          {bits[0].first, int64_t{1} << bits[0].second, 2, w});
      continue;
    }
    for (const auto &[input, bit] : bits) {
      if (!isWhole(bit, box[input])) return std::nullopt;
      inputs[input].cutIntoBits();
    }
    made.parities.push_back({w, bits});
  }
  for (InputDigits &input : inputs)
    if (!input.into(made.digits)) return std::nullopt;
  llvm::stable_sort(made.parities, [](const Parity &a, const Parity &b) {
    return a.weight < b.weight;
  });
  return made;
}

}  // namespace

std::optional<Sum> normalised(const Sum &sum, Box box) {
  auto made = merged(sum, box);
  if (!made) return std::nullopt;
  Sum chosen = *made;
  for (size_t k = 0; k < box.size(); ++k)
    if (!chooseTerms(static_cast<int>(k), box, chosen)) return std::nullopt;
  if (chosen == *made) return made;
  return merged(chosen, box);
}

std::optional<Sum> scaled(const Sum &sum, int64_t factor) {
  Sum made = sum;
  if (llvm::MulOverflow(sum.constant, factor, made.constant))
    return std::nullopt;
  for (Digit &digit : made.digits)
    if (llvm::MulOverflow(digit.weight, factor, digit.weight))
      return std::nullopt;
  for (Parity &parity : made.parities)
    if (llvm::MulOverflow(parity.weight, factor, parity.weight))
      return std::nullopt;
  return made;
}

bool add(const Sum &more, Sum &to) {
  to.digits.insert(to.digits.end(), more.digits.begin(), more.digits.end());
  to.parities.insert(to.parities.end(), more.parities.begin(),
                     more.parities.end());
  return !llvm::AddOverflow(to.constant, more.constant, to.constant);
}

std::optional<Parts> split(const Sum &sum, int64_t by, Box box) {
  Parts parts;
  // A weight below the divisor stays in the remainder with its sign.
  const auto share = [&](int64_t weight) -> std::pair<int64_t, int64_t> {
    if (weight > -by && weight < by) return {0, weight};
    return {floorDiv(weight, by), floorMod(weight, by)};
  };
  const auto give = [&](Digit digit, int64_t weight, Sum &to) {
    digit.weight = weight;
    if (weight != 0) to.digits.push_back(digit);
  };
  for (const Digit &digit : sum.digits) {
    const auto [high, low] = share(digit.weight);
    give(digit, high, parts.high);
    if (low == 0) continue;
    const int64_t values = valuesOf(digit, box[digit.input]);
    const int64_t cut = by / std::abs(low);
    const bool isCut =
        by % low == 0 && values > cut &&
        (values % cut == 0 || values < digit.size || digit.size == 0 ||
         static_cast<Wide>(digit.step) * digit.size >= box[digit.input]);
    if (!isCut) {
      give(digit, low, parts.low);
      continue;
    }
    if (cut > 1) give({digit.input, digit.step, cut, 0}, low, parts.low);
    // The upper part counts whole divisors.
    const Digit upper{digit.input, digit.step * cut,
                      static_cast<int64_t>(llvm::divideCeil(values, cut)), 0};
    give(upper, low < 0 ? -1 : 1, parts.high);
  }
  for (const Parity &parity : sum.parities) {
    const auto [high, low] = share(parity.weight);
    if (high != 0) parts.high.parities.push_back({high, parity.bits});
    if (low != 0) parts.low.parities.push_back({low, parity.bits});
  }
  parts.low.constant = floorMod(sum.constant, by);
  parts.high.constant = floorDiv(sum.constant, by);
  const WideBounds low = wideBounds(parts.low, box);
  if (low.isOpen) return std::nullopt;
  const auto whole = [&](Wide value) {
    return value >= 0 ? value / by : -((-value + by - 1) / by);
  };
  const Wide carry = whole(low.low);
  if (carry != whole(low.high)) return std::nullopt;
  const Wide constant = parts.low.constant - carry * by;
  const Wide quotient = parts.high.constant + carry;
  if (!fits(constant) || !fits(quotient)) return std::nullopt;
  parts.low.constant = static_cast<int64_t>(constant);
  parts.high.constant = static_cast<int64_t>(quotient);
  return parts;
}

std::optional<Sum> digitOf(const Sum &sum, int64_t step, int64_t size,
                           Box box) {
  auto quotient = split(sum, step, box);
  if (!quotient) return std::nullopt;
  if (size == 0) return std::move(quotient->high);
  if (size == 2) {
    // A remainder by two is a xor, whatever carries.
    if (auto bit = bitOf(quotient->high, 0, box)) return bit;
  }
  auto remainder = split(quotient->high, size, box);
  if (!remainder) return std::nullopt;
  return std::move(remainder->low);
}

std::optional<Sum> exclusiveOr(const Sum &a, const Sum &b) {
  // Each is 0 or 1, or one parity, or 1 less a parity.
  Sum made;
  llvm::SmallVector<Bit, 4> bits;
  int64_t flipped = 0;
  for (const Sum *sum : {&a, &b}) {
    if (!sum->digits.empty() || sum->parities.size() > 1) return std::nullopt;
    flipped ^= sum->constant & 1;
    if (sum->parities.empty()) continue;
    llvm::SmallVector<Bit, 4> both;
    const auto &more = sum->parities.front().bits;
    std::set_symmetric_difference(bits.begin(), bits.end(), more.begin(),
                                  more.end(), std::back_inserter(both));
    bits = std::move(both);
  }
  made.constant = flipped;
  if (!bits.empty()) made.parities.push_back({flipped ? -1 : 1, bits});
  return made;
}

std::optional<Sum> bitOf(const Sum &sum, int bit, Box box) {
  if (bit > 62) return std::nullopt;
  auto quotient = split(sum, int64_t{1} << bit, box);
  if (!quotient) return std::nullopt;
  const Sum &high = quotient->high;
  // What is left of the sum modulo 2 is the xor of its odd terms' lowest bits.
  Sum odd;
  odd.constant = high.constant & 1;
  for (const Digit &digit : high.digits) {
    if (digit.weight % 2 == 0) continue;
    const int64_t size = box[digit.input];
    const int64_t values = valuesOf(digit, size);
    if (values == 1) continue;
    if (!llvm::isPowerOf2_64(digit.step)) return std::nullopt;
    const int number = static_cast<int>(llvm::Log2_64(digit.step));
    const bool isTop = digit.size == 0 || values < digit.size ||
                       static_cast<Wide>(digit.step) * digit.size >= size;
    if (!isTop && digit.size % 2 != 0) return std::nullopt;
    Sum lowest;
    lowest.parities.push_back({1, {{digit.input, number}}});
    const auto both = exclusiveOr(odd, lowest);
    if (!both) return std::nullopt;
    odd = *both;
  }
  for (const Parity &parity : high.parities) {
    if (parity.weight % 2 == 0) continue;
    Sum one;
    one.parities.push_back({1, parity.bits});
    const auto both = exclusiveOr(odd, one);
    if (!both) return std::nullopt;
    odd = *both;
  }
  return odd;
}

std::optional<Sum> composed(const Sum &outer, Box outerBox,
                            llvm::ArrayRef<Sum> inner, Box box) {
  Sum made;
  made.constant = outer.constant;
  const auto give = [&](const std::optional<Sum> &part, int64_t weight) {
    if (!part) return false;
    const auto times = scaled(*part, weight);
    return times && add(*times, made);
  };
  for (const Digit &digit : outer.digits) {
    const int64_t size = outerBox[digit.input];
    const Interval reach = bounds(inner[digit.input], box);
    if (!reach.isFinite() || reach.lower < 0) return std::nullopt;
    // A mod that changes nothing is no reason to fail.
    const bool isTop =
        digit.size == 0 ||
        static_cast<Wide>(digit.step) * digit.size > reach.upper ||
        (size != 0 && static_cast<Wide>(digit.step) * digit.size >= size &&
         reach.upper < size);
    if (!give(digitOf(inner[digit.input], digit.step, isTop ? 0 : digit.size,
                      box),
              digit.weight))
      return std::nullopt;
  }
  for (const Parity &parity : outer.parities) {
    std::optional<Sum> odd = Sum();
    for (const auto &[input, number] : parity.bits) {
      const auto bit = bitOf(inner[input], number, box);
      if (!bit) return std::nullopt;
      odd = exclusiveOr(*odd, *bit);
      if (!odd) return std::nullopt;
    }
    if (!give(odd, parity.weight)) return std::nullopt;
  }
  return normalised(made, box);
}

}  // namespace indexical::layouts

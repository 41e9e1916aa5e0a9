// Forms from values.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/layout/form.h"

namespace indexical::layouts {

namespace {

/// Returns the digits of a function of one input, which is 0 at 0: each as long
/// as the function is a multiple. Returns false if it is no sum of digits.
bool digitsOf(llvm::ArrayRef<int64_t> values, int input, int64_t unit,
              std::vector<Digit> &digits) {
  const auto size = static_cast<int64_t>(values.size());
  std::vector<Digit> found;
  for (int64_t step = 1; step < size;) {
    const int64_t weight = values[step];
    int64_t count = 2;
    int64_t next;
    while (count * step < size && !llvm::MulOverflow(weight, count, next) &&
           values[count * step] == next)
      ++count;
    found.push_back({input, step, count, weight});
    step *= count;
  }
  for (int64_t x = 0; x < size; ++x) {
    __int128 sum = 0;
    for (const Digit &d : found)
      sum += static_cast<__int128>(x / d.step % d.size) * d.weight;
    if (sum != values[x]) return false;
  }
  for (Digit &digit : found) {
    digit.step *= unit;
    digits.push_back(digit);
  }
  return true;
}

/// Makes the sums over all sets of bits of what the values are at the points.
/// Returns false if a number leaves 64 bits.
bool transform(std::vector<int64_t> &values) {
  for (size_t half = 1; half < values.size(); half *= 2)
    for (size_t i = 0; i < values.size(); ++i) {
      if (i & half) continue;
      int64_t &a = values[i], &b = values[i + half], sum, difference;
      if (llvm::AddOverflow(a, b, sum) || llvm::SubOverflow(a, b, difference))
        return false;
      a = sum;
      b = difference;
    }
  return true;
}

class Table {
 public:
  Table(llvm::ArrayRef<int64_t> values, Box box) : values_(values), box_(box) {
    int64_t stride = 1;
    for (int64_t size : box) {
      strides_.push_back(stride);
      stride *= size;
    }
  }

  /// Returns the sum of digits of single inputs that has the values.
  std::optional<Sum> asDigits() const {
    Sum made;
    made.constant = values_[0];
    for (size_t k = 0; k < box_.size(); ++k)
      if (!take(k, 1, box_[k], made)) return std::nullopt;
    return checked(made);
  }

  /// Returns the sum of parities of bits that has the values, and of digits of
  /// what is above the bits.
  std::optional<Sum> asBits() const {
    Sum made;
    made.constant = values_[0];
    std::vector<Bit> bits;
    for (size_t k = 0; k < box_.size(); ++k) {
      const int64_t unit = box_[k] & -box_[k];
      for (int bit = 0; int64_t{1} << bit < unit; ++bit)
        bits.push_back({static_cast<int>(k), bit});
      if (!take(k, unit, box_[k] / unit, made)) return std::nullopt;
    }
    std::vector<int64_t> sums(size_t{1} << bits.size());
    for (size_t word = 0; word < sums.size(); ++word) {
      int64_t at = 0;
      for (auto [i, bit] : llvm::enumerate(bits))
        if (word >> i & 1) at += strides_[bit.first] << bit.second;
      if (llvm::SubOverflow(values_[at], values_[0], sums[word]))
        return std::nullopt;
    }
    if (!transform(sums)) return std::nullopt;
    const auto all = static_cast<int64_t>(sums.size());
    for (size_t set = 1; set < sums.size(); ++set) {
      int64_t twice;
      if (sums[set] == 0) continue;
      if (llvm::MulOverflow(sums[set], int64_t{-2}, twice) || twice % all != 0)
        return std::nullopt;
      Parity parity{twice / all, {}};
      for (auto [i, bit] : llvm::enumerate(bits))
        if (set >> i & 1) parity.bits.push_back(bit);
      made.parities.push_back(std::move(parity));
      if (made.parities.size() > kMostParities) return std::nullopt;
    }
    return checked(made);
  }

 private:
  static constexpr size_t kMostParities = 64;

  /// Adds the digits of input k, of which `count` values are looked at, from 0
  /// in steps of `unit`.
  bool take(size_t k, int64_t unit, int64_t count, Sum &to) const {
    std::vector<int64_t> alone(count);
    for (int64_t x = 0; x < count; ++x)
      if (llvm::SubOverflow(values_[x * unit * strides_[k]], values_[0],
                            alone[x]))
        return false;
    return digitsOf(alone, static_cast<int>(k), unit, to.digits);
  }
  std::optional<Sum> checked(const Sum &sum) const {
    const auto normal = normalised(sum, box_);
    if (!normal || !bounds(*normal, box_).isFinite()) return std::nullopt;
    llvm::SmallVector<int64_t, 8> point(box_.size(), 0);
    for (int64_t value : values_) {
      if (valueOf(*normal, point) != value) return std::nullopt;
      for (size_t k = 0; k < point.size(); ++k) {
        if (++point[k] < box_[k]) break;
        point[k] = 0;
      }
    }
    return normal;
  }

  llvm::ArrayRef<int64_t> values_;
  Box box_;
  llvm::SmallVector<int64_t, 8> strides_;
};

}  // namespace

std::optional<Sum> tabulated(llvm::ArrayRef<int64_t> values, Box box) {
  if (values.empty() || static_cast<int64_t>(values.size()) > kMostTabulated)
    return std::nullopt;
  const Table table(values, box);
  if (auto sum = table.asDigits()) return sum;
  return table.asBits();
}

}  // namespace indexical::layouts

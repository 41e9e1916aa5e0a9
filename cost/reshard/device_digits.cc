#include "indexical/cost/reshard/device_digits.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace indexical {
namespace {

constexpr size_t kMostTensorDigits = 40;
/// The most orders of primes that are tried.
constexpr size_t kMostOrders = 64;

using Factors = llvm::SmallVector<int64_t, 8>;

Factors primesOf(int64_t n) {
  Factors primes;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) primes.push_back(p);
  if (n > 1) primes.push_back(n);
  return primes;
}

/// Returns all orders of the primes of n, at most kMostOrders.
std::vector<Factors> ordersOf(int64_t n) {
  std::vector<Factors> orders;
  Factors primes = primesOf(n);
  do {
    orders.push_back(primes);
  } while (orders.size() < kMostOrders &&
           std::next_permutation(primes.begin(), primes.end()));
  return orders;
}

/// The factors of a dimension's tiles: first those that both sides cut.
struct DimensionFactors {
  std::vector<Factors> orders;
  int64_t padded = 0;
};

/// Returns nothing if the tiles of one side are not cut into those of the
/// other.
std::optional<DimensionFactors> factorsOf(int64_t size, int64_t from,
                                          int64_t to, int64_t localFrom,
                                          int64_t localTo) {
  DimensionFactors factors;
  const int64_t least = std::min(from, to), most = std::max(from, to);
  if (most % least != 0) return std::nullopt;
  if (from == 1)
    factors.padded = to * localTo;
  else if (to == 1 || from * localFrom == to * localTo)
    factors.padded = from * localFrom;
  else
    return std::nullopt;
  if (size == 0) return std::nullopt;
  for (const Factors &first : ordersOf(least))
    for (const Factors &second : ordersOf(most / least)) {
      Factors all = first;
      all.append(second.begin(), second.end());
      factors.orders.push_back(all);
      if (factors.orders.size() >= kMostOrders) return factors;
    }
  return factors;
}

}  // namespace

/// Makes a space with one order of primes for each dimension.
struct DigitSpaceMaker {
  const ShardedRelation &from, &to;
  const int64_t devices;
  const llvm::ArrayRef<DimensionFactors> factors;

  DigitSpace withOrders(llvm::ArrayRef<size_t> order, bool spares) const {
    DigitSpace space;
    space.devices_ = devices;
    space.elements_ = 1;
    for (const DimensionFactors &dimension : factors) {
      space.sizes_.push_back(dimension.padded);
      space.elements_ *= dimension.padded;
    }
    for (size_t k = 0; k < factors.size(); ++k) {
      const Factors &primes = factors[k].orders[order[k]];
      add(space, k, primes);
      if (spares) addSpares(space, k, primes);
    }
    addParts(space);
    return space;
  }

 private:
  static int64_t tileOf(const Sharding &sharding, int64_t device, size_t k) {
    const auto holding = sharding.holding(device);
    return holding ? holding->tile[k] : 0;
  }

  /// Adds the digits of dimension k.
  void add(DigitSpace &space, size_t k, const Factors &primes) const {
    int64_t before = 1;
    for (int64_t prime : primes) {
      space.tensor_.push_back({k, prime});
      before *= prime;
      for (auto [relation, state] : {std::pair{&from, &space.source_},
                                     std::pair{&to, &space.target_}}) {
        const int64_t tiles = relation->sharding().tiles()[k];
        if (before > tiles) {
          state->push_back(-1);
          continue;
        }
        DeviceDigit digit = {prime, {}};
        for (int64_t device = 0; device < devices; ++device)
          digit.of.push_back(tileOf(relation->sharding(), device, k) /
                             (tiles / before) % prime);
        state->push_back(space.numberOf(std::move(digit)));
      }
    }
  }

  /// Adds digits of what no side cuts, of the sizes of devices' digits.
  void addSpares(DigitSpace &space, size_t k, const Factors &primes) const {
    int64_t rest = space.sizes_[k];
    for (int64_t prime : primes) rest /= prime;
    for (int64_t prime : primesOf(devices)) {
      if (rest % prime != 0) continue;
      rest /= prime;
      space.tensor_.push_back({k, prime});
      space.source_.push_back(-1);
      space.target_.push_back(-1);
    }
  }

  /// Adds the digits of the source's parts, behind those of the tensor.
  void addParts(DigitSpace &space) const {
    const int64_t parts = from.sharding().parts();
    int64_t before = 1;
    for (int64_t prime : primesOf(parts)) {
      before *= prime;
      DeviceDigit digit = {prime, {}};
      for (int64_t device = 0; device < devices; ++device) {
        const auto holding = from.sharding().holding(device);
        digit.of.push_back((holding ? holding->part : 0) / (parts / before) %
                           prime);
      }
      space.parts_.push_back(space.numberOf(std::move(digit)));
      space.source_.push_back(1);
      space.target_.push_back(0);
    }
  }
};

int16_t DigitSpace::numberOf(DeviceDigit digit) {
  const auto found = llvm::find(digits_, digit);
  if (found != digits_.end())
    return static_cast<int16_t>(found - digits_.begin());
  digits_.push_back(std::move(digit));
  return static_cast<int16_t>(digits_.size() - 1);
}

std::optional<DigitSpace> DigitSpace::make(const ShardedRelation &from,
                                           const ShardedRelation &to,
                                           int64_t devices, bool spares) {
  std::vector<DimensionFactors> factors;
  llvm::SmallVector<int64_t, 4> counts;
  for (size_t k = 0; k < from.global().size(); ++k) {
    auto found =
        factorsOf(from.global()[k], from.sharding().tiles()[k],
                  to.sharding().tiles()[k], from.local()[k], to.local()[k]);
    if (!found) return std::nullopt;
    counts.push_back(found->orders.size());
    factors.push_back(*std::move(found));
  }
  for (const ShardedRelation *side : {&from, &to})
    for (int64_t device = 0; device < devices; ++device)
      if (!side->sharding().holding(device)) return std::nullopt;
  const DigitSpaceMaker maker = {from, to, devices, factors};
  std::optional<DigitSpace> best;
  llvm::SmallVector<size_t, 4> order(factors.size(), 0);
  for (size_t tried = 0; tried < kMostOrders; ++tried) {
    DigitSpace space = maker.withOrders(order, spares);
    if (!best || space.digits_.size() < best->digits_.size())
      best = std::move(space);
    size_t k = 0;
    for (; k < order.size(); ++k) {
      if (++order[k] < static_cast<size_t>(counts[k])) break;
      order[k] = 0;
    }
    if (k == order.size()) break;
  }
  if (best) best->joinNeighbours();
  if (!best || best->tensor_.size() > kMostTensorDigits ||
      !best->isUniform(best->source_) || !best->isUniform(best->target_))
    return std::nullopt;
  return best;
}

/// Adds to `pairs` the digits of devices that would be joined with these two,
/// and to `places` where they stand. Returns false if one of them stands
/// without the other.
bool DigitSpace::joinsWith(int16_t major, int16_t minor,
                           std::vector<std::pair<int16_t, int16_t>> &pairs,
                           std::vector<size_t> &places) const {
  if (llvm::is_contained(pairs, std::pair(major, minor))) return true;
  // A part has a digit of its own, and a digit is in one pair.
  for (int16_t digit : {major, minor}) {
    if (llvm::is_contained(parts_, digit)) return false;
    for (auto [first, second] : pairs)
      if (digit == first || digit == second) return false;
  }
  if (major == minor) return false;
  pairs.emplace_back(major, minor);
  const size_t count = tensor_.size();
  for (const DigitState *state : {&source_, &target_})
    for (size_t i = 0; i < count; ++i) {
      const bool isMajor = (*state)[i] == major, isMinor = (*state)[i] == minor;
      if (!isMajor && !isMinor) continue;
      const size_t first = isMajor ? i : i - 1;
      if ((isMinor && i == 0) || first + 1 >= count ||
          tensor_[first].dimension != tensor_[first + 1].dimension ||
          (*state)[first] != major || (*state)[first + 1] != minor)
        return false;
      if (llvm::is_contained(places, first)) continue;
      // A digit of the tensor is joined with one neighbour.
      if (llvm::is_contained(places, first + 1) ||
          (first > 0 && llvm::is_contained(places, first - 1)))
        return false;
      places.push_back(first);
      const DigitState &other = state == &source_ ? target_ : source_;
      const int16_t a = other[first], b = other[first + 1];
      if ((a < 0) != (b < 0)) return false;
      if (a >= 0 && !joinsWith(a, b, pairs, places)) return false;
    }
  return true;
}

void DigitSpace::joinNeighbours() {
  for (size_t i = 0; i + 1 < tensor_.size();) {
    bool isJoined = false;
    for (const DigitState *state : {&source_, &target_}) {
      std::vector<std::pair<int16_t, int16_t>> pairs;
      std::vector<size_t> places;
      if ((*state)[i] < 0 || (*state)[i + 1] < 0 ||
          tensor_[i].dimension != tensor_[i + 1].dimension ||
          !joinsWith((*state)[i], (*state)[i + 1], pairs, places))
        continue;
      for (auto [major, minor] : pairs) {
        DeviceDigit &digit = digits_[major];
        const DeviceDigit &other = digits_[minor];
        for (int64_t device = 0; device < devices_; ++device)
          digit.of[device] =
              digit.of[device] * other.size + other.of[device];
        digit.size *= other.size;
      }
      llvm::sort(places);
      for (size_t place : llvm::reverse(places)) {
        tensor_[place].size *= tensor_[place + 1].size;
        tensor_.erase(tensor_.begin() + place + 1);
        source_.erase(source_.begin() + place + 1);
        target_.erase(target_.begin() + place + 1);
      }
      isJoined = true;
      break;
    }
    if (!isJoined) ++i;
    else if (i > 0) --i;
  }
  dropUnused();
}

/// Leaves out the digits of devices that neither state has.
void DigitSpace::dropUnused() {
  std::vector<int16_t> renumbered(digits_.size(), -1);
  std::vector<DeviceDigit> kept;
  const auto renumber = [&](int16_t &digit) {
    if (digit < 0) return;
    if (renumbered[digit] < 0) {
      renumbered[digit] = kept.size();
      kept.push_back(digits_[digit]);
    }
    digit = renumbered[digit];
  };
  for (DigitState *state : {&source_, &target_})
    for (size_t i = 0; i < tensor_.size(); ++i) renumber((*state)[i]);
  for (int16_t &digit : parts_) renumber(digit);
  digits_ = std::move(kept);
}

int64_t DigitSpace::partsOf(const DigitState &state) const {
  int64_t parts = 1;
  for (size_t p = 0; p < parts_.size(); ++p)
    if (state[tensor_.size() + p]) parts *= digits_[parts_[p]].size;
  return parts;
}

int64_t DigitSpace::localElements(const DigitState &state) const {
  int64_t cut = 1;
  for (size_t i = 0; i < tensor_.size(); ++i)
    if (state[i] >= 0) cut *= tensor_[i].size;
  return elements_ / cut;
}

llvm::SmallVector<int64_t, 4> DigitSpace::localSizes(
    const DigitState &state) const {
  llvm::SmallVector<int64_t, 4> sizes = sizes_;
  for (size_t i = 0; i < tensor_.size(); ++i)
    if (state[i] >= 0) sizes[tensor_[i].dimension] /= tensor_[i].size;
  return sizes;
}

llvm::SmallVector<int16_t, 16> DigitSpace::used(const DigitState &state) const {
  llvm::SmallVector<int16_t, 16> used;
  for (size_t i = 0; i < tensor_.size(); ++i)
    if (state[i] >= 0) used.push_back(state[i]);
  for (size_t p = 0; p < parts_.size(); ++p)
    if (state[tensor_.size() + p]) used.push_back(parts_[p]);
  return used;
}

int64_t DigitSpace::valueOf(llvm::ArrayRef<int16_t> digits,
                            int64_t device) const {
  int64_t value = 0;
  for (int16_t digit : digits)
    value = value * digits_[digit].size + digits_[digit].of[device];
  return value;
}

bool DigitSpace::isUniform(const DigitState &state) {
  const auto digits = used(state);
  std::vector<int16_t> key(digits.begin(), digits.end());
  llvm::sort(key);
  const auto [known, isNew] = uniform_.try_emplace(key, false);
  if (!isNew) return known->second;
  if (std::adjacent_find(key.begin(), key.end()) != key.end()) return false;
  int64_t cells = 1;
  for (int16_t digit : key) {
    cells *= digits_[digit].size;
    if (cells > devices_) return false;
  }
  if (devices_ % cells != 0) return false;
  std::vector<int64_t> counts(cells, 0);
  for (int64_t device = 0; device < devices_; ++device)
    ++counts[valueOf(key, device)];
  return known->second = llvm::all_of(
             counts, [&](int64_t n) { return n == devices_ / cells; });
}

const std::vector<uint64_t> &DigitSpace::equality(int16_t a, int16_t b) {
  auto &bits = equalities_[{std::min(a, b), std::max(a, b)}];
  if (bits.empty()) {
    bits.assign((devices_ + 63) / 64, 0);
    for (int64_t device = 0; device < devices_; ++device)
      if (digits_[a].of[device] == digits_[b].of[device])
        bits[device / 64] |= uint64_t{1} << (device % 64);
  }
  return bits;
}

int64_t DigitSpace::agreeing(const DigitState &from, const DigitState &to) {
  llvm::SmallVector<const std::vector<uint64_t> *, 8> all;
  for (size_t i = 0; i < tensor_.size(); ++i)
    if (from[i] >= 0 && to[i] >= 0 && from[i] != to[i])
      all.push_back(&equality(from[i], to[i]));
  if (all.empty()) return devices_;
  int64_t count = 0;
  for (size_t word = 0; word < all[0]->size(); ++word) {
    uint64_t bits = ~uint64_t{0};
    for (const auto *each : all) bits &= (*each)[word];
    count += llvm::popcount(bits);
  }
  return count;
}

int64_t DigitSpace::needed(const DigitState &from, const DigitState &to) {
  int64_t cut = 1;
  for (size_t i = 0; i < tensor_.size(); ++i)
    if (from[i] >= 0 || to[i] >= 0) cut *= tensor_[i].size;
  return devices_ * localElements(to) - agreeing(from, to) * (elements_ / cut);
}

}  // namespace indexical

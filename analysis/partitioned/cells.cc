#include "indexical/analysis/partitioned/cells.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/Hashing.h"

namespace indexical {

DeviceCell integerCell(int64_t value) {
  DeviceCell cell;
  cell.isKnown = true;
  cell.value = value;
  cell.number = field::of(value);
  return cell;
}

int64_t cellCountOf(const ArrayShape &shape) {
  int64_t count = 1;
  for (int64_t size : shape.dimensions) {
    if (size < 0 || size > (int64_t(1) << 31)) return -1;
    count *= size;
    if (count > (int64_t(1) << 31)) return -1;
  }
  return count;
}

bool nextIndex(llvm::MutableArrayRef<int64_t> at,
               llvm::ArrayRef<int64_t> sizes) {
  for (size_t k = sizes.size(); k-- > 0; at[k] = 0)
    if (++at[k] < sizes[k]) return true;
  return false;
}

ElementSets::ElementSets() { intern({}); }

SetId ElementSets::intern(std::vector<ElementId> elements) {
  uint64_t hash = elements.size();
  for (ElementId each : elements) hash = field::random(hash, each);
  auto [first, last] = byHash_.equal_range(hash);
  for (; first != last; ++first)
    if (sets_[first->second] == elements) return first->second;
  const SetId id = sets_.size();
  sets_.push_back(std::move(elements));
  byHash_.emplace(hash, id);
  return id;
}

SetId ElementSets::single(ElementId element) { return intern({element}); }

SetId ElementSets::unite(llvm::ArrayRef<SetId> sets) {
  scratch_.assign(sets.begin(), sets.end());
  std::sort(scratch_.begin(), scratch_.end());
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  if (!scratch_.empty() && scratch_.front() == 0)
    scratch_.erase(scratch_.begin());
  if (scratch_.empty()) return 0;
  if (scratch_.size() == 1) return scratch_.front();
  const bool isPair = scratch_.size() == 2;
  const uint64_t key = uint64_t(scratch_[0]) << 32 | scratch_[1];
  if (isPair)
    if (auto known = pairs_.find(key); known != pairs_.end())
      return known->second;
  // An element is new if its mark is of an earlier union.
  ++epoch_;
  std::vector<ElementId> all;
  for (SetId set : scratch_) {
    work_ += sets_[set].size() + 1;
    const ElementId last = sets_[set].back();
    if (last >= marks_.size()) marks_.resize(size_t(last) + 1, 0);
    for (ElementId each : sets_[set]) {
      if (marks_[each] == epoch_) continue;
      marks_[each] = epoch_;
      all.push_back(each);
    }
  }
  std::sort(all.begin(), all.end());
  const SetId united = intern(std::move(all));
  if (isPair) pairs_.emplace(key, united);
  return united;
}

namespace field {

namespace {
uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = multiply(base, base))
    if (exponent & 1) result = multiply(result, base);
  return result;
}
}  // namespace

uint64_t inverse(uint64_t a) { return power(a, kPrime - 2); }

uint64_t of(int64_t value) {
  const int64_t rest = value % static_cast<int64_t>(kPrime);
  return rest < 0 ? rest + kPrime : rest;
}

uint64_t random(uint64_t a, uint64_t b) {
  // The finaliser of SplitMix64, twice.
  auto mix = [](uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  const uint64_t value = mix(mix(a) ^ (b * 0xd6e8feb86659fd93 + 1)) & kPrime;
  return value == kPrime ? 0 : value;
}

uint64_t scaled(int64_t mantissa, int64_t exponent) {
  const uint64_t two = power(2, exponent < 0 ? -exponent : exponent);
  return multiply(of(mantissa), exponent < 0 ? inverse(two) : two);
}

}  // namespace field

int64_t wrapped(int64_t value, ElementType type) {
  if (type == ElementType::Pred) return value != 0;
  const int64_t bits = bitsOf(type);
  if (bits >= 64 || bits <= 0) return value;
  const uint64_t low =
      static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
  const bool isSigned = elementTypeName(type).starts_with("s");
  if (isSigned && (low >> (bits - 1)))
    return static_cast<int64_t>(low | ~((uint64_t(1) << bits) - 1));
  return static_cast<int64_t>(low);
}

std::optional<LiteralNumber> literalNumber(ElementType type,
                                           llvm::ArrayRef<uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > 8) return std::nullopt;
  uint64_t bits = 0;
  for (size_t k = bytes.size(); k-- > 0;) bits = bits << 8 | bytes[k];
  if (isInteger(type)) {
    const int64_t value = wrapped(static_cast<int64_t>(bits), type);
    return LiteralNumber{field::of(value), value};
  }
  int exponentBits, mantissaBits;
  switch (type) {
    case ElementType::F16:
      exponentBits = 5, mantissaBits = 10;
      break;
    case ElementType::BF16:
      exponentBits = 8, mantissaBits = 7;
      break;
    case ElementType::F32:
      exponentBits = 8, mantissaBits = 23;
      break;
    case ElementType::F64:
      exponentBits = 11, mantissaBits = 52;
      break;
    default:
      return std::nullopt;
  }
  if (static_cast<int>(bytes.size()) * 8 != exponentBits + mantissaBits + 1)
    return std::nullopt;
  int64_t mantissa = bits & ((uint64_t(1) << mantissaBits) - 1);
  const int64_t most = (int64_t(1) << exponentBits) - 1;
  int64_t exponent = (bits >> mantissaBits) & most;
  if (exponent == most) return std::nullopt;
  if (exponent == 0)
    exponent = 1;
  else
    mantissa |= int64_t(1) << mantissaBits;
  if (bits >> (exponentBits + mantissaBits) & 1) mantissa = -mantissa;
  return LiteralNumber{
      field::scaled(mantissa, exponent - most / 2 - mantissaBits),
      std::nullopt};
}

}  // namespace indexical

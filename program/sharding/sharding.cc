#include "indexical/program/sharding/sharding.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/mesh.h"

namespace indexical {
namespace {

using Kind = ShardingText::Kind;

absl::Status wrong(const llvm::Twine &message) {
  return absl::InvalidArgumentError(message.str());
}

}  // namespace

llvm::StringRef reasonOf(NoElements none) {
  switch (none) {
    case NoElements::None:
      return "";
    case NoElements::Manual:
      return "manual";
    case NoElements::Unknown:
      return "unknown";
  }
  return "";
}

Sharding Sharding::replicated(size_t rank, int64_t devices) {
  Sharding sharding;
  sharding.tiles_.assign(rank, 1);
  sharding.devices_ = devices;
  return sharding;
}

absl::StatusOr<Sharding> Sharding::of(const ShardingText &text, size_t rank,
                                      int64_t devices) {
  if (devices > kMostDevices)
    return wrong("there are " + llvm::Twine(devices) +
                 " devices, and a sharding has at most " +
                 llvm::Twine(kMostDevices));
  Sharding result = replicated(rank, devices);
  switch (text.kind) {
    case Kind::Replicated:
      return result;
    case Kind::Manual:
      result.none_ = NoElements::Manual;
      return result;
    case Kind::Unknown:
      result.none_ = NoElements::Unknown;
      return result;
    case Kind::Unreduced:
      if (devices < 0)
        return wrong(
            "`unreduced` needs the number of devices, for each has a "
            "part");
      result.parts_ = devices;
      result.reduction_ = text.reduction;
      result.positions_.resize(devices);
      std::iota(result.positions_.begin(), result.positions_.end(), 0);
      return result;
    case Kind::Maximal: {
      const int64_t most = devices < 0 ? kMostDevices : devices;
      if (text.device >= most)
        return wrong("there is no device " + llvm::Twine(text.device) + " of " +
                     llvm::Twine(most));
      const int64_t count = devices < 0 ? text.device + 1 : devices;
      result.devices_ = count;
      result.positions_.assign(count, -1);
      result.positions_[text.device] = 0;
      return result;
    }
    case Kind::Tiled:
      break;
  }
  if (text.dataRank() != rank)
    return wrong(llvm::Twine(text.dataRank()) +
                 " tiled dimensions for a tensor of rank " + llvm::Twine(rank));
  int64_t count = 1;
  for (int64_t size : text.grid) count *= size;
  if (devices >= 0 && count != devices)
    return wrong("the sharding is over " + llvm::Twine(count) +
                 " devices, and there are " + llvm::Twine(devices));
  result.devices_ = count;
  result.reduction_ = text.reduction;
  result.tiles_.assign(text.grid.begin(), text.grid.begin() + rank);
  for (auto [k, last] : llvm::enumerate(text.last)) {
    if (last == SubgroupType::Unreduced) result.parts_ *= text.grid[rank + k];
    if (last == SubgroupType::Manual) result.groups_ *= text.grid[rank + k];
  }
  const bool listed = text.iotaSizes.empty();
  const std::vector<int64_t> list =
      listed ? text.devices : iotaOf(text.iotaSizes, text.iotaOrder);
  result.positions_.assign(count, -1);
  llvm::SmallVector<int64_t, 6> at(text.grid.size(), 0);
  for (int64_t device : list) {
    int64_t data = 0, part = 0, group = 0;
    for (size_t k = 0; k < at.size(); ++k) {
      const SubgroupType *last = k < rank ? nullptr : &text.last[k - rank];
      int64_t *into = !last                              ? &data
                      : *last == SubgroupType::Unreduced ? &part
                      : *last == SubgroupType::Manual    ? &group
                                                         : nullptr;
      if (into) *into = *into * text.grid[k] + at[k];
    }
    result.positions_[device] =
        (data * result.parts_ + part) * result.groups_ + group;
    advance(at, text.grid);
  }
  bool inOrder = true;
  for (auto [i, device] : llvm::enumerate(list))
    inOrder &= device == static_cast<int64_t>(i);
  if (inOrder)
    result.iota_ = Iota{{count}, {0}, text.grid};
  else if (!listed)
    result.iota_ = Iota{text.iotaSizes, text.iotaOrder, text.grid};
  return result;
}

bool Sharding::isReplicated() const {
  return none_ == NoElements::None && parts_ == 1 && groups_ == 1 &&
         llvm::all_of(positions_, [](int64_t p) { return p == 0; });
}

std::optional<Sharding::Holding> Sharding::holding(int64_t device) const {
  if (none_ != NoElements::None || device < 0 ||
      (devices_ >= 0 && device >= devices_))
    return std::nullopt;
  Holding holding;
  holding.tile.assign(tiles_.size(), 0);
  if (positions_.empty()) return holding;
  int64_t rest = positions_[device];
  if (rest < 0) return std::nullopt;
  holding.group = rest % groups_;
  rest /= groups_;
  holding.part = rest % parts_;
  rest /= parts_;
  for (size_t k = tiles_.size(); k-- > 0; rest /= tiles_[k])
    holding.tile[k] = rest % tiles_[k];
  return holding;
}

bool Sharding::operator==(const Sharding &other) const {
  if (none_ != other.none_ || rank() != other.rank()) return false;
  if (none_ != NoElements::None) return true;
  if (isReplicated() || other.isReplicated())
    return isReplicated() && other.isReplicated() &&
           (devices_ < 0 || other.devices_ < 0 || devices_ == other.devices_);
  return devices_ == other.devices_ && tiles_ == other.tiles_ &&
         parts_ == other.parts_ && groups_ == other.groups_ &&
         (parts_ == 1 || reduction_ == other.reduction_) &&
         positions_ == other.positions_;
}

namespace {

/// Appends the leaves of a shape, depth first: arrays, tokens, opaque values.
void appendLeaves(const Shape &shape, std::vector<const Shape *> &leaves) {
  if (!shape.isTuple()) leaves.push_back(&shape);
  for (const Shape &element : shape.elements) appendLeaves(element, leaves);
}

std::string counted(size_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

}  // namespace

absl::StatusOr<std::vector<Sharding>> shardingsOf(
    llvm::StringRef text, const Shape &value, const ShardingContext &context,
    int64_t devices) {
  INDEXICAL_ASSIGN_OR_RETURN(auto texts, parseShardingText(text, context));
  std::vector<const Shape *> leaves;
  appendLeaves(value, leaves);
  if (texts.size() != 1 && texts.size() != leaves.size()) {
    const size_t arrays = llvm::count_if(
        leaves, [](const Shape *leaf) { return leaf->isArray(); });
    // Opaque values are rare: the message calls them tokens.
    const size_t tokens = leaves.size() - arrays;
    return errorAt({1, 1},
                   "there are " + std::to_string(texts.size()) +
                       " shardings for " + counted(arrays, "array") +
                       (tokens == 0 ? "" : " and " + counted(tokens, "token")));
  }
  std::vector<Sharding> shardings;
  for (auto [k, each] : llvm::enumerate(leaves)) {
    // No device holds an element of a token.
    if (!each->isArray()) continue;
    const ShardingText &leaf = texts[texts.size() == 1 ? 0 : k];
    const bool isTiled = leaf.kind == ShardingText::Kind::Tiled;
    auto sharding = Sharding::of(leaf, each->array.dimensions.size(),
                                 isTiled ? context.devices : devices);
    if (!sharding.ok())
      return errorAt(
          placeOfOffset(text, std::min(leaf.offset, text.size())),
          "in a sharding: " + std::string(sharding.status().message()));
    shardings.push_back(*std::move(sharding));
  }
  return shardings;
}

absl::StatusOr<std::vector<Sharding>> shardingsOf(
    llvm::StringRef text, llvm::ArrayRef<ArrayShape> leaves,
    const ShardingContext &context) {
  std::vector<Shape> elements;
  for (const ArrayShape &leaf : leaves)
    elements.push_back(Shape::ofArray(leaf));
  return shardingsOf(text, Shape::ofTuple(std::move(elements)), context,
                     context.devices);
}

}  // namespace indexical

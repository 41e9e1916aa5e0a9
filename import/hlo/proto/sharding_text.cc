#include "indexical/import/hlo/proto/sharding_text.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/proto/collectives_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Numbers of the fields of OpSharding.
struct ShardingField {
  enum : uint32_t {
    kType = 1,
    kTiles = 3,
    kDevices = 4,
    kElements = 5,
    kReplicatesLast = 6,
    kLastTypes = 8,
    kIotaSizes = 9,
    kIotaOrder = 10,
    kIsGroup = 11,
    kGroup = 12,
    kGroupType = 13,
  };
};

// By OpSharding.Type.
struct ShardingType {
  enum : int64_t { kReplicated, kMaximal, kTuple, kOther };
};
constexpr StringRef kTypes[] = {"replicated", "maximal", "",         "other",
                                "manual",     "unknown", "unreduced"};

StringRef nameOf(int64_t type) {
  return type >= 0 && type < static_cast<int64_t>(std::size(kTypes))
             ? kTypes[type]
             : StringRef("unknown");
}

void writeNumbers(const std::vector<int64_t> &values, llvm::raw_ostream &os) {
  llvm::ListSeparator comma(",");
  for (int64_t each : values) os << comma << each;
}

void writeTiles(const WireMessage &sharding, llvm::raw_ostream &os) {
  os << "devices=[";
  writeNumbers(sharding.integers(ShardingField::kTiles), os);
  os << ']';
  if (const auto sizes = sharding.integers(ShardingField::kIotaSizes);
      !sizes.empty()) {
    os << "<=[";
    writeNumbers(sizes, os);
    os << ']';
    writePermutation(sharding.integers(ShardingField::kIotaOrder), os);
  } else {
    writeNumbers(sharding.integers(ShardingField::kDevices), os);
  }
  if (sharding.flag(ShardingField::kReplicatesLast))
    os << " last_tile_dim_replicate";
  if (const auto last = sharding.integers(ShardingField::kLastTypes);
      !last.empty()) {
    os << " last_tile_dims={";
    llvm::ListSeparator comma;
    for (int64_t type : last) os << comma << nameOf(type);
    os << '}';
  }
}

absl::Status writeSharding(const WireMessage &sharding, llvm::raw_ostream &os,
                           unsigned depth) {
  if (depth > kDeepestMessage)
    return absl::InvalidArgumentError("a sharding is nested too deep");
  const int64_t type = sharding.integer(ShardingField::kType);
  absl::Status status = absl::OkStatus();
  os << '{';
  if (type == ShardingType::kTuple) {
    llvm::ListSeparator comma;
    sharding.each(ShardingField::kElements, [&](StringRef element) {
      if (!status.ok()) return;
      os << comma;
      status = writeSharding(WireMessage(element), os, depth + 1);
    });
  } else if (type == ShardingType::kOther) {
    writeTiles(sharding, os);
  } else {
    os << nameOf(type);
    const auto devices = sharding.integers(ShardingField::kDevices);
    if (type == ShardingType::kMaximal && !devices.empty())
      os << " device=" << devices[0];
  }
  if (sharding.flag(ShardingField::kIsGroup))
    os << (sharding.integer(ShardingField::kGroupType) ? " shard_like "
                                                       : " shard_as ")
       << sharding.integer(ShardingField::kGroup);
  os << '}';
  return status;
}

}  // namespace

absl::Status writeSharding(const WireMessage &sharding, llvm::raw_ostream &os) {
  return writeSharding(sharding, os, 0);
}

}  // namespace indexical

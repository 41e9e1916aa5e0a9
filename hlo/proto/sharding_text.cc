#include "indexical/hlo/proto/sharding_text.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/hlo/proto/collectives_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Numbers of the fields of OpSharding.
enum Field : uint32_t {
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

// By OpSharding.Type.
enum Type : int64_t { kReplicated, kMaximal, kTuple, kOther };
constexpr StringRef kTypes[] = {"replicated", "maximal", "",         "other",
                                "manual",     "unknown", "unreduced"};

constexpr unsigned kDeepest = 100;

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
  writeNumbers(sharding.integers(kTiles), os);
  os << ']';
  if (const auto sizes = sharding.integers(kIotaSizes); !sizes.empty()) {
    os << "<=[";
    writeNumbers(sizes, os);
    os << ']';
    writePermutation(sharding.integers(kIotaOrder), os);
  } else {
    writeNumbers(sharding.integers(kDevices), os);
  }
  if (sharding.flag(kReplicatesLast)) os << " last_tile_dim_replicate";
  if (const auto last = sharding.integers(kLastTypes); !last.empty()) {
    os << " last_tile_dims={";
    llvm::ListSeparator comma;
    for (int64_t type : last) os << comma << nameOf(type);
    os << '}';
  }
}

absl::Status writeSharding(const WireMessage &sharding, llvm::raw_ostream &os,
                           unsigned depth) {
  if (depth > kDeepest)
    return absl::InvalidArgumentError("a sharding is nested too deep");
  const int64_t type = sharding.integer(kType);
  absl::Status status = absl::OkStatus();
  os << '{';
  if (type == kTuple) {
    llvm::ListSeparator comma;
    sharding.each(kElements, [&](StringRef element) {
      if (!status.ok()) return;
      os << comma;
      status = writeSharding(WireMessage(element), os, depth + 1);
    });
  } else if (type == kOther) {
    writeTiles(sharding, os);
  } else {
    os << nameOf(type);
    const auto devices = sharding.integers(kDevices);
    if (type == kMaximal && !devices.empty()) os << " device=" << devices[0];
  }
  if (sharding.flag(kIsGroup))
    os << (sharding.integer(kGroupType) ? " shard_like " : " shard_as ")
       << sharding.integer(kGroup);
  os << '}';
  return status;
}

}  // namespace

absl::Status writeSharding(const WireMessage &sharding, llvm::raw_ostream &os) {
  return writeSharding(sharding, os, 0);
}

}  // namespace indexical

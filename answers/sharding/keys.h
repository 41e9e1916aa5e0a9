// The keys of shardings (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_SHARDING_KEYS_H
#define INDEXICAL_ANSWERS_SHARDING_KEYS_H

#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/sharding/sharding.h"

namespace indexical {

struct ShardingEntry {
  const ShardingAnswer &in;
  const ValueSharding &of;
};
struct DeviceBoxEntry {
  const ValueSharding &of;
  int64_t device;
};
struct ElementCopyEntry {
  const ValueSharding &of;
  const ShardedRelation::Copy &copy;
};

template <>
KeyList<ShardingAnswer> keysOf<ShardingAnswer>();
template <>
KeyList<ShardingEntry> keysOf<ShardingEntry>();
template <>
KeyList<DeviceBoxEntry> keysOf<DeviceBoxEntry>();
template <>
KeyList<ElementCopyEntry> keysOf<ElementCopyEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> shardingTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SHARDING_KEYS_H

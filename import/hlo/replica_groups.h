// The groups of a collective's devices, from its text.
//
//   replica_groups={{0,1},{2,3}}              groups of 2
//   replica_groups=[4,2]<=[2,4]T(1,0)         4 groups of 2
//   replica_groups=mesh['x'=2,'y'=4] {'y'}    groups of 4
//   replica_groups={}                         one group of all
//
// The devices of a mesh are 0, 1, … in its order, or as `device_ids` says. An
// axis, or a part of it (`'x':(1)2`, 2 of its members with 1 before them), that
// the braces name is one along which the members of a group lie, in that order:
//
//   mesh['x'=2,'y'=2] {'x'}                                {{0,2},{1,3}}
//   mesh['x'=2,'y'=2], device_ids=(0,2,1,3) {'y'}          {{0,2},{1,3}}
//   mesh['x'=4], device_ids=([2,2]T(1,0)) {'x':(2)2}       {{0,2},{1,3}}
//
// Maps need the size of a group alone: members are positions in it. Which
// numbers the groups hold depends on `channel_id` and `use_global_device_ids`:
// replicas, partitions, both (a group of replicas, on all partitions), or
// devices.
#ifndef INDEXICAL_IMPORT_HLO_REPLICA_GROUPS_H
#define INDEXICAL_IMPORT_HLO_REPLICA_GROUPS_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/op_builder.h"
#include "indexical/indexing/interval.h"
#include "indexical/program/module/device_groups.h"

namespace indexical {

/// Finds the least and the most members of a group. Notes an error and returns
/// false if the text has another form, names a device twice, or does not fit
/// together.
bool parseGroupSize(const ResolvedInstruction &in, ChannelGroups groups,
                    Interval &size);

/// Returns the groups as lists, in the order of their first members, whatever
/// form the text has them in: `[2,2]<=[4]` is `{{0,1},{2,3}}`. Returns the text
/// itself if there are too many groups, or if the text is wrong.
std::string listedGroups(llvm::StringRef text);

/// Returns the number of partitions if the collective has a channel, else that
/// of replicas: each device has one of these numbers. Returns -1 if it is not
/// known.
int64_t deviceCount(const ResolvedInstruction &in);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_REPLICA_GROUPS_H

// The arrays of the entries of a global and a partitioned module, and how each
// is cut.
//
//   GLOBAL  x = f32[5] parameter(0), sharding={devices=[2]<=[2]}
//   LOCAL   x = f32[3] parameter(0)
//
//   parameter array 0: f32[5], its elements are 0 … 4 of all elements
//   device 0 has [0:3], device 1 has [3:5]; local f32[3]
#ifndef INDEXICAL_SAME_PARTITIONED_ENTRY_ARRAYS_H
#define INDEXICAL_SAME_PARTITIONED_ENTRY_ARRAYS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

/// An array of the entry, and how it is cut.
struct ShardedArray {
  ArrayShape shape;  ///< of the whole array
  std::optional<ShardedRelation> relation;
  int64_t firstElement = 0;  ///< for a parameter: its number among all elements
};

/// The arrays of both entries.
struct EntryArrays {
  DeviceCounts devices;
  std::vector<ShardedArray> parameters, results;
  /// For each parameter of GLOBAL, the numbers of its arrays.
  std::vector<std::vector<size_t>> arraysOf;
  std::vector<UsedSharding> shardings;
  /// Why the modules cannot be compared, such as a sharding that is not stated;
  /// empty if they can.
  std::string missing;
  int64_t elements = 0;  ///< of all parameters of GLOBAL
};

/// Returns the arrays of the entries, with their shardings. Returns an error,
/// with its place, if the number of devices is unknown, if the entries do not
/// have the same arrays, or if shardings and local shapes contradict one
/// another.
absl::StatusOr<EntryArrays> entryArraysOf(const Program &global,
                                          const Program &local,
                                          const PartitionedOptions &options);

/// Returns the entry of the program's only module.
const Computation &entryOf(const Program &program);
/// Returns the number of LOCAL's parameter that belongs to GLOBAL's
/// `parameter`: entry `parameter` of `options.parameters`, or the same number
/// if that list is empty.
int32_t localParameter(const PartitionedOptions &options, int32_t parameter);

/// Returns the number of elements of an array of these sizes.
int64_t elementCountOf(llvm::ArrayRef<int64_t> sizes);
/// Returns the index of an element by its place in row-major order.
Int64s indexAtPlace(int64_t place, llvm::ArrayRef<int64_t> sizes);
/// Returns the place of an element in row-major order.
int64_t placeOfIndex(llvm::ArrayRef<int64_t> index,
                     llvm::ArrayRef<int64_t> sizes);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_ENTRY_ARRAYS_H

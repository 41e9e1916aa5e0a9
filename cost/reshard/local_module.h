// The program of each device in a plan, before it has a text; private to
// cost/reshard/.
//
//   %0 parameter [16,64]       %1 reshape [16,4,16]      %2 transpose [4,16,16]
//   %3 all-to-all along 0      %4 reshape [64,16]
//
// Values are numbered. An operation that would change nothing is left out.
// Offsets that devices do not share are lists with a number for each device.
#ifndef INDEXICAL_COST_RESHARD_LOCAL_MODULE_H
#define INDEXICAL_COST_RESHARD_LOCAL_MODULE_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/shape.h"
#include "indexical/program/sharding/groups.h"

namespace indexical {

using LocalSizes = llvm::SmallVector<int64_t, 6>;
using DevicePairs = std::vector<std::pair<int64_t, int64_t>>;

struct LocalOp {
  enum class Kind : uint8_t {
    Parameter,
    Zeros,
    Reshape,
    Transpose,
    Pad,            ///< at the end of each dimension
    Crop,           ///< the first elements of each dimension
    DynamicSlice,   ///< from `offsets`
    DynamicUpdate,  ///< of the first operand by the second, at `offsets`
    Select,     ///< the first operand where `offsets[0]` is 1, else the other
    AllGather,  ///< along `dimension`, like the next two
    AllToAll,
    ReduceScatter,
    AllReduce,
    Permute,
  };
  Kind kind = Kind::Parameter;
  llvm::SmallVector<size_t, 2> operands;
  LocalSizes sizes;
  LocalSizes order;  ///< of a transpose
  /// For each dimension the offset on each device.
  std::vector<std::vector<int64_t>> offsets;
  int64_t dimension = 0;
  DeviceLists groups;
  DevicePairs pairs;
};

struct LocalModule {
  int64_t devices = 0;
  ElementType type = ElementType::F32;
  std::string reduction;  ///< of parts; empty: their sum
  std::vector<LocalOp> ops;

  size_t add(LocalOp op) {
    ops.push_back(std::move(op));
    return ops.size() - 1;
  }
  const LocalSizes &sizesOf(size_t value) const { return ops[value].sizes; }

  size_t parameter(llvm::ArrayRef<int64_t> sizes);
  size_t zeros(llvm::ArrayRef<int64_t> sizes);
  size_t reshape(size_t value, llvm::ArrayRef<int64_t> sizes);
  size_t transpose(size_t value, llvm::ArrayRef<int64_t> order);
  /// Pads or crops each dimension at its end.
  size_t resize(size_t value, llvm::ArrayRef<int64_t> sizes);
  size_t dynamicSlice(size_t value, std::vector<std::vector<int64_t>> offsets,
                      llvm::ArrayRef<int64_t> sizes);
  size_t dynamicUpdate(size_t value, size_t update,
                       std::vector<std::vector<int64_t>> offsets);
  /// Returns `yes` on the devices whose flag is 1, and `no` on the others.
  size_t select(std::vector<int64_t> flags, size_t yes, size_t no);

  /// Returns the most bytes of arrays that live at once. A reshape shares its
  /// operand's memory.
  int64_t peakBytes() const;
};

/// Returns the module as text. Its entry has one parameter.
std::string hloTextOf(const LocalModule &module);
std::string stablehloTextOf(const LocalModule &module);
/// Returns `tensor<64x64xf32>`.
std::string mlirTensorText(llvm::ArrayRef<int64_t> sizes, ElementType type);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_LOCAL_MODULE_H

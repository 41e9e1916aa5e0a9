// The positions of a value's elements in arrays to which they are moved.
//
//   v = f32[2,3] on each of 2 devices
//   g = f32[4,3] all-gather(v), dimensions={0}
//   t = f32[3,4] transpose(g)
//
//   t on both devices   [0:3, 0:2] is v of device 0: number 3 d1 + d0
//                       [0:3, 2:4] is v of device 1: number 3 d1 + d0 - 6
//
// A *piece* is a box of a moved array. For each index in the box it has the
// value's element there: its row-major number, a linear form of the index, and
// the devices that hold the element. A sum has several devices. An index
// outside of all pieces has no known element: it is padding, a constant, or
// zero. A FlowPiece is not a layouts::Piece, which is a part of an input.
#ifndef INDEXICAL_SAME_PARTITIONED_FLOW_H
#define INDEXICAL_SAME_PARTITIONED_FLOW_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/relation.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// The number of an interned list of parts.
using PartsId = uint32_t;
/// The holder of a part of a sum, and the difference between the number of its
/// element and that of the first part's.
using Part = std::pair<int64_t, int64_t>;

/// A table of lists of parts, each of which it stores once. A list of one part
/// is the element itself.
class PartsTable {
 public:
  PartsId intern(std::vector<Part> parts);
  llvm::ArrayRef<Part> of(PartsId id) const { return lists_[id]; }

 private:
  std::vector<std::vector<Part>> lists_;
  std::map<std::vector<Part>, PartsId> known_;
};

struct FlowPiece {
  ElementBox box;
  PartsId parts = 0;
  int64_t base = 0;                       ///< the number at index 0
  llvm::SmallVector<int64_t, 4> strides;  ///< by dimension
};
using FlowPieces = std::vector<FlowPiece>;
using FlowPtr = std::shared_ptr<const FlowPieces>;
/// The pieces on each device. Devices with equal pieces share one list.
using Flow = std::vector<FlowPtr>;

/// The largest number of pieces of one array on one device that are followed.
constexpr size_t kMostPiecesOfFlow = 1 << 16;

/// Returns the pieces of an array whose elements are those of the value.
FlowPieces wholeValue(llvm::ArrayRef<int64_t> sizes, PartsId parts);

/// The known value of runtime variable `i` of a map.
using RuntimeAt = llvm::function_ref<std::optional<int64_t>(
    const IndexingMap &map, size_t i)>;
/// Adds the pieces of a result, which reads an operand with these pieces by
/// this relation, to `into`. Returns false, with `into` in any state, if the
/// relation is not exact, if a map is not linear, if a value is unknown, or if
/// there would be too many pieces.
bool addMoved(const IndexingRelation &reads, const FlowPieces &from,
              RuntimeAt value, FlowPieces &into);
/// Adds the pieces of a reshape of `fromSizes` to `toSizes`, with these pieces
/// of its operand, to `into`. Returns false, with `into` in any state, if one
/// of them is not a box with a linear number, or if there would be too many
/// pieces.
bool addReshaped(llvm::ArrayRef<int64_t> fromSizes,
                 llvm::ArrayRef<int64_t> toSizes, const FlowPieces &from,
                 FlowPieces &into);

/// Returns the part of a piece that is in the box, or std::nullopt if they are
/// disjoint.
std::optional<FlowPiece> cutTo(const FlowPiece &piece, const ElementBox &box);
/// Adds the parts of the pieces that are in [begin, begin + size) of a
/// dimension to `into`, moved so that these indices begin at `at`.
void addSlice(const FlowPieces &from, size_t dimension, int64_t begin,
              int64_t size, int64_t at, FlowPieces &into);
/// Returns the pieces of the sum of `members`, which are arrays of one shape,
/// element by element. Adds the lists of its parts to `table`. Returns
/// std::nullopt if overlapping pieces have different strides there, or if there
/// would be too many pieces.
std::optional<FlowPieces> sumOf(llvm::ArrayRef<FlowPtr> members,
                                PartsTable &table);

/// A set of element numbers: base + all sums of one multiple of each stride.
struct StridedNumbers {
  int64_t base = 0;
  struct Loop {
    int64_t stride, count;
    bool operator==(const Loop &o) const {
      return stride == o.stride && count == o.count;
    }
  };
  llvm::SmallVector<Loop, 4> loops;  ///< the largest stride first
  bool operator==(const StridedNumbers &o) const {
    return base == o.base && loops == o.loops;
  }
  int64_t count() const;
};
StridedNumbers numbersOf(const FlowPiece &piece);
/// Returns the number of different numbers in all of the sets. If they have too
/// many runs of numbers, it is an upper bound, and `isExact` becomes false.
int64_t countUnion(std::vector<StridedNumbers> sets, bool &isExact);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_FLOW_H

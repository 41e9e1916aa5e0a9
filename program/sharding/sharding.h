// A sharding says which device holds which elements of a tensor.
//
//   f32[5] over {devices=[2]<=[2]}
//
//   device 0 holds 0 1 2            local f32[3]
//   device 1 holds 3 4 _            its last element is padding
//
//   (device, d0) -> (device * 3 + d0),
//   domain: device in [0, 1], d0 in [0, 2], device * 3 + d0 in [0, 4]
//
// Every text has one normal form. A dimension of D elements is cut into n tiles
// of T = ceil(D / n). Each device has a tile of every dimension, i_k, and so
// local element l is the global one i_k * T_k + l_k if that is below D_k; else
// it is padding, which holds nothing. The last tiles may be short or
// empty: 5 over 4 is 2, 2, 1, 0. The local shape is T on every device.
//
// Beside its tile a device has a *part* if an element is a sum (or a max…) of
// parts that different devices hold, and a *group* if some axes of the mesh are
// manual. Devices that agree in all of that are copies.
//
// Laws (tests/program/sharding/sharded_relation_test.cc, by enumeration):
//   - boxes of devices that are no copies are disjoint, and their union is the
//     tensor (within one part and group);
//   - elements + padding of a device are its local elements;
//   - global(device, local(device, g)) = g for every element g that it holds,
//     and the maps of both directions are each other's inverse;
//   - one assignment has one normal form, whichever text it is written in.
#ifndef INDEXICAL_PROGRAM_SHARDING_SHARDING_H
#define INDEXICAL_PROGRAM_SHARDING_SHARDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/descriptor.h"
#include "indexical/ops/shape.h"
#include "indexical/program/sharding/sharding_text.h"

namespace indexical {

/// The reason why a value with a sharding has no global elements.
enum class NoElements : uint8_t {
  None,     ///< it has some
  Manual,   ///< the program says itself what each device computes
  Unknown,  ///< the compiler did not say
};
/// Returns why a value has no global elements, in a word: `manual` or
/// `unknown`, or an empty text for NoElements::None.
llvm::StringRef reasonOf(NoElements none);

/// The normal form of a sharding, for a tensor of some rank.
class Sharding {
 public:
  /// The tile, the part and the group that a device holds.
  struct Holding {
    llvm::SmallVector<int64_t, 4> tile;  ///< its number in each dimension
    int64_t part = 0, group = 0;
    bool operator==(const Holding &o) const {
      return tile == o.tile && part == o.part && group == o.group;
    }
  };

  /// Returns the sharding by which every device holds the whole tensor.
  static Sharding replicated(size_t rank, int64_t devices);
  /// Returns the normal form of a leaf for a tensor of that rank. Returns an
  /// error, without a line and column, if it has another number of tiled
  /// dimensions, or another number of devices than `devices` (-1: not known).
  static absl::StatusOr<Sharding> of(const ShardingText &text, size_t rank,
                                     int64_t devices);

  NoElements none() const { return none_; }
  size_t rank() const { return tiles_.size(); }
  /// Returns the number of devices. It is -1 if the value is replicated, and
  /// nothing says over how many.
  int64_t devices() const { return devices_; }
  /// Returns the number of tiles of each dimension.
  llvm::ArrayRef<int64_t> tiles() const { return tiles_; }
  int64_t parts() const { return parts_; }
  int64_t groups() const { return groups_; }
  /// Returns how parts are combined: empty for a sum, else `max`, `min`…
  llvm::StringRef reduction() const { return reduction_; }
  bool isReplicated() const;

  /// Returns which tile, part and group the device holds. Returns nothing if
  /// the device is out of range, or if it holds no element whatever the sizes
  /// are.
  std::optional<Holding> holding(int64_t device) const;
  /// Returns whether every device holds the same by both shardings. A
  /// replicated sharding of an unknown number of devices equals one of any
  /// number.
  bool operator==(const Sharding &other) const;
  bool operator!=(const Sharding &other) const { return !(*this == other); }

  /// The grid of devices that are 0, 1, …, reshaped and transposed. Tiles are
  /// digits of a device's number then.
  struct Iota {
    llvm::SmallVector<int64_t, 4> sizes, order;
    llvm::SmallVector<int64_t, 6> grid;  ///< dimensions of the data first
  };
  /// Returns nothing if the devices are listed in another order, or if no grid
  /// says which they are.
  const std::optional<Iota> &iota() const { return iota_; }

 private:
  NoElements none_ = NoElements::None;
  int64_t devices_ = -1, parts_ = 1, groups_ = 1;
  llvm::SmallVector<int64_t, 4> tiles_;
  std::string reduction_;
  /// The position of each device in the grid [tiles…, parts, groups]. It is -1
  /// if the device holds nothing. The list is empty if every device has all.
  std::vector<int64_t> positions_;
  std::optional<Iota> iota_;
};

/// A box of elements: a range [begin, end) for each dimension.
using ElementBox = llvm::SmallVector<std::pair<int64_t, int64_t>, 4>;
/// Returns the number of elements of a box.
int64_t elementsOf(const ElementBox &box);

/// A tensor of static sizes and its sharding.
class ShardedRelation {
 public:
  /// Returns the relation. Requires sharding.rank() sizes. Returns an error if
  /// a size is not known.
  static absl::StatusOr<ShardedRelation> make(llvm::ArrayRef<int64_t> global,
                                              Sharding sharding);

  const Sharding &sharding() const { return sharding_; }
  llvm::ArrayRef<int64_t> global() const { return global_; }
  /// Returns the sizes of the array on each device. If there are no global
  /// elements, the sizes that make() was given are local already.
  llvm::ArrayRef<int64_t> local() const { return local_; }

  /// Returns the elements that the device holds. Returns nothing if it holds
  /// none whatever the sizes are. The box is empty if the device's tile is.
  std::optional<ElementBox> box(int64_t device) const;
  /// Returns the global index of a device's local one. Returns nothing for
  /// padding, or if the index is out of range.
  std::optional<Int64s> globalOf(int64_t device,
                                 llvm::ArrayRef<int64_t> local) const;
  /// Returns the local index of a global element on that device. Returns
  /// nothing if the device does not hold it.
  std::optional<Int64s> localOf(int64_t device,
                                llvm::ArrayRef<int64_t> global) const;
  /// A device that holds an element, with its part and its local index.
  struct Copy {
    int64_t device, part;
    Int64s local;
  };
  /// Returns the devices that hold the element, in order. Requires a known
  /// number of devices.
  std::vector<Copy> copiesOf(llvm::ArrayRef<int64_t> element) const;

  /// Returns (device, local) -> global, or its inverse (global) -> (device,
  /// local). The dimensions are the local index alone if the value is
  /// replicated over an unknown number of devices. The relation has no pieces
  /// if there are no global elements. Returns an error if it would have more
  /// than `kMostPieces` pieces.
  absl::StatusOr<IndexingRelation> map(Direction direction) const;
  static constexpr int64_t kMostPieces = 4096;

 private:
  ShardedRelation(llvm::ArrayRef<int64_t> global, Sharding sharding);

  llvm::SmallVector<int64_t, 4> global_, local_;
  Sharding sharding_;
};

/// Returns the shardings of the array leaves of `value` that a text states. The
/// text has one sharding for all leaves, or one for each. Tokens and opaque
/// values are leaves, too: each takes its sharding, and the answer leaves it
/// out. `devices` is the number of devices of a sharding that names none (-1:
/// not known). An error has the place in the text.
///
/// Source: `HloSharding::RequiredLeaves` of XLA counts the leaves of a shape.
absl::StatusOr<std::vector<Sharding>> shardingsOf(
    llvm::StringRef text, const Shape &value, const ShardingContext &context,
    int64_t devices);
/// Returns the shardings that a text states for a value whose leaves are these
/// arrays: it has one sharding for all of them, or one for each. A sharding
/// that names no devices has the context's number of them. An error has the
/// line and column in the text.
absl::StatusOr<std::vector<Sharding>> shardingsOf(
    llvm::StringRef text, llvm::ArrayRef<ArrayShape> leaves,
    const ShardingContext &context);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_SHARDING_H

// The texts of shardings, read into one form.
//
//   devices=[2,2]<=[4]                            tiles 2 x 2, devices 0 1 2 3
//   devices=[2,1,2]0,2,1,3 last_tile_dim_replicate
//                                                 tiles 2 x 1, each held twice
//   mesh['a'=2,'b'=2], [{'b'}, {'a'}]             tiles 2 x 2, devices 0 2 1 3
//   <@m, [{"x":(2)2}]>, @m = <["x"=4]>            tiles 2, each held twice
//   {replicated}, {maximal device=1}              a tuple: a text for each leaf
//
// Outer braces may stand or be left out, `#sdy.sharding` likewise. A mesh is
// one of `ShardingContext::meshes`, or stands in the text: `mesh<["x"=2]>`.
// Quotes may be escaped, as in frontend attributes. Comments (`/*index=5*/`),
// `metadata={…}`, open dimensions (`?`), priorities, `shard_as` and
// `replicated={…}` are read and say nothing of who holds what.
//
// Source: /docs of XLA (sharding.md, HloSharding::ToString) and Shardy's
// sharding_representation.md.
#ifndef INDEXICAL_SHARDING_SHARDING_TEXT_H
#define INDEXICAL_SHARDING_SHARDING_TEXT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// What a text of a sharding is read by.
struct ShardingContext {
  int64_t devices = -1;  ///< partitions of the program; -1: not known
  /// The text of each mesh, by its name without `@`: `<["x"=2, "y"=4]>`.
  std::map<std::string, std::string> meshes;
};

/// What the tile dimensions behind those of the data are.
enum class TileDimension : uint8_t { Replicated, Manual, Unreduced };

/// One leaf of a sharding, as its text has it.
struct ShardingText {
  enum class Kind : uint8_t {
    Replicated,
    Maximal,
    Manual,
    Unknown,
    Unreduced,
    Tiled,
  };
  Kind kind = Kind::Unknown;
  int64_t device = -1;  ///< of Maximal
  /// Of Tiled: the sizes of the grid of tiles, those of the data first.
  llvm::SmallVector<int64_t, 6> grid;
  llvm::SmallVector<TileDimension, 2> last;  ///< of the last sizes of `grid`
  /// The devices in row-major order of the grid are 0, 1, …, reshaped to these
  /// sizes and transposed; or, without sizes, they are listed.
  llvm::SmallVector<int64_t, 4> iotaSizes, iotaOrder;
  std::vector<int64_t> devices;
  std::string reduction;  ///< how parts are combined, where the text says it
  size_t offset = 0;      ///< of the leaf in the text

  size_t dataRank() const { return grid.size() - last.size(); }
};

/// Devices beyond these are refused: each has its place in a list.
constexpr int64_t kMostDevices = 1 << 20;

/// The leaves of a text, one for a sharding that is no tuple. An error has the
/// place in `text`, counted from line 1, column 1.
absl::StatusOr<std::vector<ShardingText>> parseShardingText(
    llvm::StringRef text, const ShardingContext &context);

/// The groups of devices that differ along these axes of a mesh alone, in the
/// order of the axes: `<["x"=2, "y"=4]>` and `{"y"}` are {0,1,2,3}, {4,5,6,7}.
absl::StatusOr<std::vector<std::vector<int64_t>>> meshGroups(
    llvm::StringRef mesh, llvm::StringRef axes);

}  // namespace indexical

#endif  // INDEXICAL_SHARDING_SHARDING_TEXT_H

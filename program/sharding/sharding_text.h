// A reader of the texts of shardings. All of them have one form.
//
//   devices=[2,2]<=[4]                            tiles 2 x 2, devices 0 1 2 3
//   devices=[2,1,2]0,2,1,3 last_tile_dim_replicate
//                                                 tiles 2 x 1, each held twice
//   mesh['a'=2,'b'=2], [{'b'}, {'a'}]             tiles 2 x 2, devices 0 2 1 3
//   <@m, [{"x":(2)2}]>, @m = <["x"=4]>            tiles 2, each held twice
//   {replicated}, {maximal device=1}              a tuple: a text for each leaf
//
// A text may leave out its outer braces and `#sdy.sharding`. A mesh is one of
// `ShardingContext::meshes`, or stands in the text: `mesh<["x"=2]>`. Quotes may
// be escaped, as in frontend attributes. The reader passes over comments
// (`/*index=5*/`), `metadata={…}`, open dimensions (`?`), priorities,
// `shard_as` and `replicated={…}`, which do not say which device holds what.
//
// Source: /docs of XLA (sharding.md, HloSharding::ToString) and Shardy's
// sharding_representation.md.
#ifndef INDEXICAL_PROGRAM_SHARDING_SHARDING_TEXT_H
#define INDEXICAL_PROGRAM_SHARDING_SHARDING_TEXT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// The context of a text: the number of devices, and the meshes that it names.
struct ShardingContext {
  int64_t devices = -1;  ///< partitions of the program; -1: not known
  /// The text of each mesh, by its name without `@`: `<["x"=2, "y"=4]>`.
  std::map<std::string, std::string> meshes;
};

/// The meaning of a tile dimension behind those of the data.
enum class SubgroupType : uint8_t { Replicated, Manual, Unreduced };

/// One leaf of a sharding, in the form of its text.
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
  /// The sizes of the grid of tiles, those of the data first, if the kind is
  /// Tiled.
  llvm::SmallVector<int64_t, 6> grid;
  llvm::SmallVector<SubgroupType, 2> last;  ///< of the last sizes of `grid`
  /// The devices in row-major order of the grid are 0, 1, …, reshaped to
  /// `iotaSizes` and transposed by `iotaOrder`. If there are no sizes,
  /// `devices` lists them.
  llvm::SmallVector<int64_t, 4> iotaSizes, iotaOrder;
  std::vector<int64_t> devices;
  std::string reduction;  ///< how parts are combined, if the text says it
  size_t offset = 0;      ///< of the leaf in the text

  size_t dataRank() const { return grid.size() - last.size(); }
};

/// The most devices of a sharding: each of them has its place in a list.
constexpr int64_t kMostDevices = 1 << 20;

/// Returns the leaves of a text. A sharding that is not a tuple has one. An
/// error has the place in `text`, counted from line 1, column 1.
absl::StatusOr<std::vector<ShardingText>> parseShardingText(
    llvm::StringRef text, const ShardingContext &context);

/// Returns the groups of devices that differ along these axes of a mesh alone,
/// in the order of the axes. `<["x"=2, "y"=4]>` and `{"y"}` are {0,1,2,3} and
/// {4,5,6,7}.
absl::StatusOr<std::vector<std::vector<int64_t>>> meshGroups(
    llvm::StringRef mesh, llvm::StringRef axes);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_SHARDING_TEXT_H

// Utilization: which part of an operand a result reads, and how often.
//
//   f { p = f32[64,64] parameter(0)
//       ROOT s = f32[32,64] slice(p), slice={[0:64:2], [0:64]} }
//
//   of all of s       distinct 2048 elements (8192 bytes) of 4096, within
//                     [0, 62] x [0, 63]: density 2048 / (63 * 64) = 0.508,
//                     2048 reads, each element once; the odd rows never
//   of a window of 3  each element up to three times; a tile of 8 shares 2 with
//                     the next one (halo)
//
// A *share* is the part of the result that a question is about: the whole
// result, a tile of it, or the part of its index space that a map reaches, as a
// thread map restricted to one block does. All figures are exact, or missing
// (exact/): a relation that is a cover has none.
//
// A runtime variable whose element is the same for the whole share may be given
// a value. Without one, only figures that are equal for every value are known:
// if the variable moves all elements by one distance (a dynamic-slice's start),
// their number is, and their indices are not. If a variable has another element
// for each index (a gather), the elements are not known; the number of reads
// may be. A constant's elements are known.
//
// Laws (tests/cost/use/utilization_test.cc, by running the program): the
// figures are those of the sets of elements that the share's elements depend
// on.
#ifndef INDEXICAL_COST_USE_UTILIZATION_H
#define INDEXICAL_COST_USE_UTILIZATION_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/use/share.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

struct UtilizationOptions {
  ExactOptions exact;
  /// The largest number of points of a share that are visited if exact/ has no
  /// answer.
  int64_t mostPoints = 1 << 18;
  /// Returns the value of the element that runtime variable `i` of a map has,
  /// if it does not depend on the index; nothing if it is not known. Called by
  /// one thread at a time.
  std::function<std::optional<int64_t>(const IndexingMap &map, size_t i)>
      runtimeValue;
  /// The number of threads. The answer is the same for every number.
  size_t jobs = 1;
  /// Whether the elements that are never read are found, as maps.
  bool unread = false;
  /// Whether only `reads` is needed, so that the other figures may be left out.
  bool readsOnly = false;
};

/// Why a figure was not found.
enum class Unfound : uint8_t {
  Nothing,      ///< all figures were found
  Cover,        ///< the reads are an unknown part of the map
  Varies,       ///< a runtime variable has another value for each index
  NotGiven,     ///< the value of a runtime variable is not known
  UnknownSize,  ///< a size of a tensor
  NoBox,        ///< there is no least box that is known
  Undecided,    ///< exact/ has no answer, and the points are too many
};

/// The elements that a share reads of one tensor. A figure that is missing was
/// not found.
struct Footprint {
  std::optional<int64_t> size;      ///< elements of the tensor
  std::optional<int64_t> distinct;  ///< elements that are read
  std::optional<int64_t> bytes;     ///< of these
  /// The least box around them; empty if none is read.
  llvm::SmallVector<Interval, 4> box;
  bool hasBox = false;
  std::optional<double> density;  ///< distinct elements / those of the box
  /// (element of the share, element of the tensor) pairs.
  std::optional<int64_t> reads;
  std::optional<double> reuse;  ///< reads / distinct
  /// Elements that the next tile along each dimension reads too.
  llvm::SmallVector<std::optional<int64_t>, 4> overlap;
  /// The elements that are not read, as maps from their index to no results;
  /// set if they are asked for.
  std::optional<IndexingRelation> unread;
  Unfound why = Unfound::Nothing;  ///< of the first missing figure
  std::string decision;            ///< Undecided: what exact/ says, if it does
  /// Tensors whose elements decide the figures that were not found, as sources
  /// of runtime variables name them; each once.
  llvm::SmallVector<int64_t, 2> dependsOn;
};

/// Returns the footprint of relations, one for each leaf of the result, in a
/// tensor of that shape. If there is a share, all have the same index space.
absl::StatusOr<Footprint> footprintOf(
    llvm::ArrayRef<IndexingRelation> relations, const ArrayShape &shape,
    const Share &share, const UtilizationOptions &options = {});
/// Overload for results that read identically, as those of a sort do: each
/// relation counts for `times` leaves. Requires times >= 1.
absl::StatusOr<Footprint> footprintOf(
    llvm::ArrayRef<IndexingRelation> relations, const ArrayShape &shape,
    const Share &share, const UtilizationOptions &options, int64_t times);

/// The footprint in an operand leaf of an instruction, or in a leaf of an
/// instruction of the computation that it calls.
struct Use {
  int64_t operand = -1;       ///< the operand leaf's number, or
  ComputationId computation;  ///< the called computation, and
  InstructionId instruction;  ///< its instruction; else the operand's producer
  LeafId leaf;
  ArrayShape shape;
  Footprint footprint;
};

struct Utilization {
  std::vector<Use> operands;
  /// Inside of a fusion or call: every instruction but parameters, users
  /// before producers.
  std::vector<Use> inside;
};

/// Returns what an instruction uses of its operands, through everything that it
/// calls. A share is taken of every result that has the first one's shape. With
/// `inside`, also returns what is used of the instructions that a fusion or
/// call runs.
absl::StatusOr<Utilization> utilizationOf(
    ProgramIndexing &maps, ComputationId computation, InstructionId instruction,
    const Share &share, bool inside = false,
    const UtilizationOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_USE_UTILIZATION_H

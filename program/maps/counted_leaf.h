// The reads of one leaf of a counted loop's state (counted_loops.h): in a
// trip, as maps of the counter, and in all trips.
//
//   in a trip     (d0){rt0} -> (rt0), rt0 the counter, d0 - rt0 in [0, 0]
//   of all trips  (d0) -> (d0), d0 in [0, 7]
#ifndef INDEXICAL_PROGRAM_MAPS_COUNTED_LEAF_H
#define INDEXICAL_PROGRAM_MAPS_COUNTED_LEAF_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/counted_loops.h"

namespace indexical {

/// Returns the number that the value has in every run, as `numbers` say.
std::optional<int64_t> numberIn(const std::map<Value, int64_t> &numbers,
                                const Value &value);

/// A value as slope * counter + offset.
struct Line {
  int64_t slope = 0, offset = 0;
  Interval over(Interval counter) const {
    return counter * slope + Interval::point(offset);
  }
};

/// Returns the value in a trip as a line, or nothing if it is not a line on
/// these values of the counter.
std::optional<Line> lineOf(const Module &module, const Value &value,
                           const CountedLoop &loop, Interval values);

/// One dimension of the slice that a trip updates.
struct Written {
  Line start;
  int64_t size = 0;
};
using WrittenSlice = llvm::SmallVector<Written, 4>;

/// Finds the reads of one leaf of a loop's state. `values` may grow. `loop`,
/// `module` and `values` must outlive the object.
class CountedLeaf {
 public:
  CountedLeaf(const Module &module, const CountedLoop &loop,
              const std::vector<Value> &values, int64_t counterNumber)
      : module_(module), loop_(loop), values_(values), number_(counterNumber) {}

  /// Returns the relation in terms of one variable, the counter's, or nothing
  /// if there are others or the relation is not exact.
  std::optional<IndexingRelation> ofCounter(const IndexingRelation &relation);
  /// Returns the relation of any trip, without the counter's variable.
  std::optional<IndexingRelation> ofTrips(const IndexingRelation &relation);
  /// Returns the slice that the leaf's update writes in a trip. Returns nothing
  /// if the leaf is not an update of its earlier value, or if the slices of two
  /// trips have a common element.
  std::optional<WrittenSlice> writtenBy(const Value &root, const Value &before);
  /// Returns whether all points of the relation begin within the slice of their
  /// trip, or all begin outside of it.
  bool isWithin(const IndexingRelation &relation, const WrittenSlice &slice);
  bool isOutside(const IndexingRelation &relation, const WrittenSlice &slice);
  /// Returns the elements that no trip writes, each read by itself.
  std::optional<IndexingRelation> kept(const ArrayShape &shape,
                                       const WrittenSlice &slice,
                                       Direction direction);

 private:
  using Restrict = llvm::function_ref<void(IndexingMapBuilder &, Expr)>;
  Expr counterIn(IndexingMapBuilder &b) const {
    return b.runtimeElement(loop_.values(), /*clamped=*/false, number_, {});
  }
  bool isCounter(const RuntimeVariable &rt) const {
    return rt.source.kind == RuntimeSource::Kind::Element &&
           rt.source.tensor == number_ && rt.index.empty() &&
           rt.collectives.empty();
  }
  std::optional<IndexingMap> inAnyTrip(IndexingMap map, Restrict restrict);

  const Module &module_;
  const CountedLoop &loop_;
  const std::vector<Value> &values_;
  const int64_t number_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_COUNTED_LEAF_H

// Marks that only simplifier/ sets on a map: that it is canonical, and the
// index whose digits its results are. SimplifierMarks(builder) sets both on the
// map that the builder makes. SimplifierMarks::marked(map) marks a map that is
// seen to be canonical as it is, and unmarked(map) removes the marks.
//
// The header is private to the library, so that users cannot mark a map.
#ifndef INDEXICAL_SIMPLIFIER_MARKS_H
#define INDEXICAL_SIMPLIFIER_MARKS_H

#include <memory>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

class SimplifierMarks {
 public:
  explicit SimplifierMarks(IndexingMapBuilder &builder) : builder_(builder) {}

  /// Says whether all expressions are canonical on the domain
  /// (docs/normal_form.md).
  void setCanonical(bool canonical) { builder_.canonical_ = canonical; }
  /// Sets the index whose digits the results are, in the builder's variables.
  void setDelinearization(Delinearization delinearization) {
    builder_.delinearization_ =
        std::make_unique<const Delinearization>(std::move(delinearization));
  }
  /// Sets the intervals of the results, one each, wherever the map holds.
  void setResultBounds(llvm::ArrayRef<Interval> bounds) {
    builder_.resultBounds_.assign(bounds.begin(), bounds.end());
  }

  /// Returns the map, marked as canonical. Requires a map of variables and
  /// results and nothing else.
  static IndexingMap marked(const IndexingMap &map) {
    auto data = std::make_shared<IndexingMap::Data>();
    data->table = map.data_->table;
    data->dimensions = map.data_->dimensions;
    data->ranges = map.data_->ranges;
    data->runtime = map.data_->runtime;
    data->results = map.data_->results;
    data->canonical = true;
    return IndexingMap(std::move(data));
  }

  /// Returns the map with no marks but the bounds of its results.
  static IndexingMap unmarked(const IndexingMap &map) {
    auto data = std::make_shared<IndexingMap::Data>();
    const IndexingMap::Data &from = *map.data_;
    data->table = from.table;
    data->dimensions = from.dimensions;
    data->ranges = from.ranges;
    data->runtime = from.runtime;
    data->results = from.results;
    data->collectives = from.collectives;
    data->constraints = from.constraints;
    data->hiddenRuntime = from.hiddenRuntime;
    data->empty = from.empty;
    data->resultBounds = from.resultBounds;
    return IndexingMap(std::move(data));
  }

 private:
  IndexingMapBuilder &builder_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MARKS_H

// What simplifier/ alone says of the map that a builder makes: that it is
// canonical, and what its results are the digits of. SimplifierMarks(builder)
// takes both. A map that is seen to be canonical as it is takes its mark by
// itself, from SimplifierMarks::marked(map), and loses it by unmarked(map).
//
// The library keeps this header to itself, so nobody else can mark a map.
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

  /// All expressions are canonical on the domain (docs/normal_form.md).
  void setCanonical(bool canonical) { builder_.canonical_ = canonical; }
  /// What the results are the digits of, in the builder's variables.
  void setDelinearization(Delinearization delinearization) {
    builder_.delinearization_ =
        std::make_unique<const Delinearization>(std::move(delinearization));
  }
  /// What the results are in wherever the map holds, one interval each.
  void setResultBounds(llvm::ArrayRef<Interval> bounds) {
    builder_.resultBounds_.assign(bounds.begin(), bounds.end());
  }

  /// The map, which has variables, results and nothing else, as it is.
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

  /// The map, of which only the bounds of its results are known.
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

// Marks that only simplifier/ sets on a map: that it is canonical, and the
// index whose digits its results are. SimplifierMarks(builder) sets both on the
// map that the builder makes. SimplifierMarks::marked(map) and mark(map) mark a
// map that is seen to be canonical as it is, and unmarked(map) removes the
// marks.
//
// The header is private to the library, so that users cannot mark a map.
#ifndef INDEXICAL_SIMPLIFIER_MARKS_H
#define INDEXICAL_SIMPLIFIER_MARKS_H

#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

class SimplifierMarks {
 public:
  /// Returns what isSimplified() does (simplified.h).
  static bool isCanonical(const IndexingMap &map) {
    return map.data_->canonical;
  }
  /// Returns what delinearizationOf() does (simplified.h).
  static const Delinearization *delinearization(const IndexingMap &map) {
    return map.data_->delinearization.get();
  }

  explicit SimplifierMarks(IndexingMapBuilder &builder) : builder_(builder) {}

  /// Says whether all expressions are canonical on the domain
  /// (docs/internals/normal_form.md).
  void setCanonical(bool canonical) { builder_.canonical_ = canonical; }
  /// Sets the index whose digits the results are, in the builder's variables.
  void setDelinearization(Delinearization delinearization) {
    builder_.delinearization_ =
        std::make_shared<const Delinearization>(std::move(delinearization));
  }
  /// Sets the intervals of the results, one each, wherever the map holds.
  void setResultBounds(llvm::ArrayRef<Interval> bounds) {
    builder_.resultBounds_.assign(bounds.begin(), bounds.end());
  }

  /// Returns the map, marked as canonical. Requires a map of variables and
  /// results and nothing else.
  static IndexingMap marked(const IndexingMap &map) {
    IndexingMap::Contents contents = *map.data_;
    contents.canonical = true;
    return IndexingMap(contents);
  }
  /// Marks the map itself, unless it is shared. Requires the same.
  static void mark(const IndexingMap &map) {
    if (map.data_->UseCount() > 1) return;
    const_cast<IndexingMap::Data &>(*map.data_).canonical = true;
  }
  /// Sets both marks of the map itself. Requires that it is not shared.
  static void setMarks(const IndexingMap &map, bool canonical,
                       std::optional<Delinearization> delinearization) {
    assert(map.data_->UseCount() == 1);
    auto &data = const_cast<IndexingMap::Data &>(*map.data_);
    data.canonical = canonical;
    data.delinearization = nullptr;
    if (delinearization)
      data.delinearization =
          std::make_shared<const Delinearization>(*std::move(delinearization));
  }
  /// Returns the map on other bounds of its dimensions, marked as canonical,
  /// with the bounds of its results.
  static IndexingMap marked(const IndexingMap &map,
                            llvm::ArrayRef<Variable> dimensions,
                            llvm::ArrayRef<Interval> resultBounds) {
    IndexingMap::Contents contents = *map.data_;
    contents.canonical = true;
    contents.dimensions = dimensions;
    contents.resultBounds = resultBounds;
    return IndexingMap(contents);
  }

  /// Returns the map with no marks but the bounds of its results.
  static IndexingMap unmarked(const IndexingMap &map) {
    IndexingMap::Contents contents = *map.data_;
    contents.canonical = false;
    contents.delinearization = nullptr;
    return IndexingMap(contents);
  }

 private:
  IndexingMapBuilder &builder_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MARKS_H

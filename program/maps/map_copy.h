// A map copied into a builder, with other dimensions and ranges in place of its
// own.
//
//   (d0, d1)[s0] -> (d0 * 8 + d1 + s0), where d0, d1, s0 become d0, s0, s1
//     (d0)[s0, s1] -> (d0 * 8 + s0 + s1)
//
// Runtime variables are copied at once, with their indices. Results and
// constraints are copied when they are asked for, so that the caller may add
// its own between them.
#ifndef INDEXICAL_PROGRAM_MAPS_MAP_COPY_H
#define INDEXICAL_PROGRAM_MAPS_MAP_COPY_H

#include <cstddef>
#include <functional>
#include <vector>

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

class MapCopy {
 public:
  /// Copies expressions of the map into the builder. `dimensions` and `ranges`
  /// are forms of the builder, one for each variable of the map. The map and
  /// the builder have to outlive the copy.
  MapCopy(const IndexingMap &map, IndexingMapBuilder &builder,
          std::vector<FormId> dimensions, std::vector<FormId> ranges);
  MapCopy(const MapCopy &) = delete;
  MapCopy &operator=(const MapCopy &) = delete;

  /// Returns a form of the map as an expression of the builder.
  Expr of(FormId form);
  /// Returns result `k` of the map as an expression of the builder.
  Expr result(size_t k) { return of(map_.results()[k]); }
  /// Adds the map's constraints to the builder.
  void addConstraints();

 private:
  const IndexingMap &map_;
  IndexingMapBuilder &builder_;
  std::vector<FormId> dimensions_, ranges_, runtime_;
  std::function<FormId(VariableId)> replace_;  ///< for import_
  ExpressionImport import_;
};

/// Returns the map whose dimensions behind the first `kept` are ranges, in
/// front of its own ranges.
IndexingMap withRanges(const IndexingMap &map, size_t kept);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_MAP_COPY_H

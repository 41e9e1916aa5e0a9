// The steps of a layout without form: a map, or one layout after another.
#ifndef INDEXICAL_LAYOUT_STEPS_H
#define INDEXICAL_LAYOUT_STEPS_H

#include <memory>
#include <optional>
#include <vector>

#include "indexical/indexing/indexing_map.h"
#include "indexical/layout/layout.h"

namespace indexical::layouts {

/// Either `map`; or `inner`, and then `outer`, or sums of what `inner` gives.
struct Layout::Steps {
  std::optional<IndexingMap> map;
  std::shared_ptr<const Layout> inner, outer;
  std::vector<Sum> sums;
  /// The inputs of `sums`, as far as `inner` reaches.
  std::vector<Space> reached;

  void at(llvm::ArrayRef<int64_t> point, Coordinates &values) const;
};

/// Returns the map with these results.
absl::StatusOr<IndexingMap> mapOf(llvm::ArrayRef<Space> inputs,
                                  llvm::ArrayRef<Sum> sums);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_STEPS_H

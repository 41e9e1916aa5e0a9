#include "indexical/answers/inputs/thread_map.h"

#include <string>

#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/listing.h"

namespace indexical {

absl::StatusOr<IndexingMap> threadMapOf(llvm::StringRef text) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto maps, layouts::mapsOrLayouts(text));
  if (maps.size() != 1)
    return errorAt({1, 1}, "a thread map is one map, and there are " +
                               std::to_string(maps.size()));
  if (auto checked = checkThreadMap(maps.front()); !checked.ok())
    return errorAt({1, 1}, std::string(checked.message()));
  return maps.front();
}

}  // namespace indexical

// Symbolic sizes of tensors that expressions name.
//
//   where rt0 = size of x, dimension 0
//   "open_sizes": [{"name": "rt0", "size_of": {"computation": "main", …}}]
#ifndef INDEXICAL_ANSWERS_MAPS_OPEN_SIZES_H
#define INDEXICAL_ANSWERS_MAPS_OPEN_SIZES_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

struct NamedSize {
  std::string name;  ///< as expressions have it
  Value tensor;
  int64_t dimension;
};

/// Returns the sizes that expressions of the map's results and constraints
/// name, and those among the runtime variables `also`, in the order of the
/// variables. `program` knows the sources of the map.
std::vector<NamedSize> openSizesOf(const IndexingMap &map,
                                   const ProgramIndexing &program,
                                   llvm::ArrayRef<uint32_t> also = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_MAPS_OPEN_SIZES_H

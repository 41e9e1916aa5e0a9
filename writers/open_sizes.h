// Unknown sizes that a result names.
//
//   where rt0 = size of x, dimension 0
//   "open_sizes": [{"name": "rt0", "size_of": {"computation": "main", …}}]
#ifndef INDEXICAL_WRITERS_OPEN_SIZES_H
#define INDEXICAL_WRITERS_OPEN_SIZES_H

#include <cstdint>
#include <map>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

/// Writes the sizes that expressions of the map's results and constraints name,
/// and those among the runtime variables `also`, as lines or as a list, or
/// nothing if there are none. `sources` are the values that the map's sources
/// are numbers of.
void writeOpenSizes(llvm::raw_ostream &os, const Module &module,
                    const IndexingMap &map,
                    const std::map<int64_t, Value> &sources,
                    llvm::ArrayRef<uint32_t> also = {});
void writeOpenSizes(llvm::json::OStream &json, const Module &module,
                    const IndexingMap &map,
                    const std::map<int64_t, Value> &sources,
                    llvm::ArrayRef<uint32_t> also = {});

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_OPEN_SIZES_H

// The file of `--thread-map`, for every command that has the option.
#ifndef INDEXICAL_TOOLS_THREAD_MAP_FILE_H
#define INDEXICAL_TOOLS_THREAD_MAP_FILE_H

#include <optional>
#include <string>

#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Reads the thread map of a file into `threads`; no path is no map. Returns
/// kDone, or the status to end with after a message where the file holds none.
int readThreadMap(const std::string &path, std::optional<IndexingMap> &threads,
                  llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_THREAD_MAP_FILE_H

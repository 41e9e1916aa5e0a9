// The file of `--thread-map`, for every command that has the option.
#ifndef INDEXICAL_COMMAND_THREAD_MAP_FILE_H
#define INDEXICAL_COMMAND_THREAD_MAP_FILE_H

#include <optional>
#include <string>

#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Reads the thread map of a file into `threads`; an empty path gives none.
/// Returns kDone, or kWrongInput after a message if the file has no such map.
int readThreadMap(const std::string &path, std::optional<IndexingMap> &threads,
                  llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_THREAD_MAP_FILE_H

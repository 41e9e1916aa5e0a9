// The map of `--thread-map`, for every command that has the option.
#ifndef INDEXICAL_COMMAND_THREAD_MAP_FILE_H
#define INDEXICAL_COMMAND_THREAD_MAP_FILE_H

#include <optional>
#include <string>

#include "indexical/command/reporter.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Reads a thread map into `threads`: `said` is the map, with its arrow, or the
/// path of a file with one; empty: there is none. Returns kDone, or kWrongInput
/// after a message if there is no such map.
int readThreadMap(const std::string &said, std::optional<IndexingMap> &threads,
                  MessageStream &err);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_THREAD_MAP_FILE_H

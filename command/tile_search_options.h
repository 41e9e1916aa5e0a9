// `tile --search` and the options of the search.
#ifndef INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H
#define INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H

#include <vector>

#include "indexical/command/option.h"
#include "indexical/writers/tile_search.h"

namespace indexical {

/// Returns `--search` and its options, which write into `asked`.
std::vector<Option> tileSearchOptions(TileSearchAsk &asked);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H

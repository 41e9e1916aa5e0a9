// The options of `tile`: of the tile, and of `--search`.
#ifndef INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H
#define INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H

#include <cstddef>
#include <optional>
#include <vector>

#include "indexical/answers/tiles/tiles.h"
#include "indexical/command/option.h"

namespace indexical {

struct TileSearchAsk : TileSearchQuestion {
  bool search = false;
  std::optional<size_t> top;

  /// Returns whether an option that controls the search is given.
  bool isAsked() const {
    return choice.kind != SizeChoice::Kind::Powers || shared || top;
  }
};

/// Returns `--tile`, `--strides`, `--steps` and `--forward`, which write into
/// `asked`.
std::vector<Option> tileOptions(TileQuestion &asked);

/// Returns `--steps`.
Option stepsOption(std::vector<StepQuestion> &steps);

/// Returns `--search` and its options, which write into `asked`.
std::vector<Option> tileSearchOptions(TileSearchAsk &asked);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_TILE_SEARCH_OPTIONS_H

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/tiles/keys.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/tile_search_options.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/tile_search.h"
#include "indexical/writers/tiles.h"

namespace indexical {
namespace {

struct TileOptions : TileQuestion {
  TileSearchAsk search;
  ReadOptions readAs;
};

absl::StatusOr<int> tile(const TileOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  if (options.search.search) {
    INDEXICAL_ASSIGN_OR_RETURN(
        const auto sizes,
        tileSizesOf(program, options, options.search, call.ask()));
    TileSearchResult result(sizes, options.search.top);
    INDEXICAL_RETURN_IF_ERROR(call.write(result));
    return kDone;
  }
  INDEXICAL_ASSIGN_OR_RETURN(const auto tiles,
                             tilesOf(program, options, call.ask()));
  TilesResult result(tiles, call.jobs());
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeTile() {
  auto asked = std::make_shared<TileOptions>();
  Command tile;
  tile.name = "tile";
  tile.words = {"exact"};
  tile.sentence =
      "a tile of a computation's root, propagated to every producer, and "
      "the sizes for which the propagated tiles are exact";
  tile.example =
      "echo 'f { p = f32[12,4] parameter(0)\n"
      "          ROOT r = f32[4,12] reshape(p) }' |\n"
      "  indexical tile --tile=2,b --try=4 --try=6 --try=12";
  tile.offers = {Offer::Text, Offer::Structure, Offer::Table};
  tile.columns = tileSearchColumns();
  tile.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "The instruction whose tile it is (default: the root)"),
  };
  for (Option &option : tileOptions(*asked))
    tile.options.push_back(std::move(option));
  tile.options.push_back(
      numberListsOption("try", "VALUES", 1, asked->candidates,
                        "Values of the names, in order: tell whether all tiles "
                        "are exact for them"));
  for (Option &option : tileSearchOptions(asked->search))
    tile.options.push_back(std::move(option));
  addReadOptions(tile, asked->readAs);
  tile.check = [asked,
                settings = tile.settings]() -> std::optional<std::string> {
    if (asked->oneOperand && asked->candidates.empty())
      return "--one-operand belongs to --try";
    if (asked->search.search) {
      if (asked->forward) return "--search is of what a tile reads";
      if (!asked->candidates.empty())
        return "--search tries sizes of its own, without --try";
      int64_t value = 0;
      for (const std::string &stride : asked->strides)
        if (!llvm::to_integer(stride, value, 10))
          return "--search takes --strides that are numbers";
      return std::nullopt;
    }
    if (asked->search.isAsked())
      return "--sizes, --shared and --top belong to --search";
    if (settings->format->needs == Offer::Table)
      return "`tile` has a table with --search alone; use --format=json";
    return std::nullopt;
  };
  tile.run = [asked](Call &call) { return indexical::tile(*asked, call); };
  return tile;
}

}  // namespace indexical

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/uses/uses.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/thread_map_file.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/uses.h"

namespace indexical {
namespace {

struct UseOptions : UseQuestion {
  std::string threadMap;  ///< a file; empty: not given
  ReadOptions readAs;
};

absl::StatusOr<int> utilization(const UseOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  UseQuestion question = options;
  question.unread = call.isForPeople();
  INDEXICAL_ASSIGN_OR_RETURN(const auto found,
                             usesOf(program, question, call.ask()));
  UsesResult result(question, found, call.jobs());
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

std::vector<Option> optionsOf(UseOptions &asked) {
  return {
      nameOption("computation", Names::Computations, asked.computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked.instruction,
                 "The instruction that reads (default: the root)"),
      numbersOption("tile", "SIZES", 1, asked.tile,
                    "A tile of the result: its sizes, one a dimension"),
      numbersOption("at", "INDEX", 0, asked.at,
                    "Where the tile begins, in elements (default: 0,0,…)"),
      fileOption("thread-map", asked.threadMap,
                 "A map, or a file with one: (th_x, th_y, th_z, bl_x, bl_y, "
                 "bl_z)[loops] to the result, of which one block is asked "
                 "about"),
      formerly("block",
               numbersOption("at-block", "INDEX", 0, asked.block,
                             "The block, with --thread-map (default: 0,0,0)")),
      runtimeOption(asked.runtime,
                    "The value of the element of that instruction which a "
                    "runtime variable has"),
      flagOption("inside", asked.inside,
                 "Also the elements of every instruction in a fusion or "
                 "call that are read"),
  };
}

std::optional<std::string> wrongTogether(const UseOptions &asked) {
  if (!asked.at.empty() && asked.tile.empty()) return "--at goes with --tile";
  if (!asked.block.empty() && asked.threadMap.empty())
    return "--at-block goes with --thread-map";
  if (!asked.tile.empty() && !asked.threadMap.empty())
    return "either --tile or --thread-map says which share";
  if (asked.block.size() > 3) return "--at-block has the block's three indices";
  return std::nullopt;
}

}  // namespace

Command makeUtilization() {
  auto asked = std::make_shared<UseOptions>();
  Command utilization;
  utilization.name = "utilization";
  utilization.words = {"exact", "cover"};
  utilization.sentence =
      "which part of its operands an instruction reads, and how often: the "
      "whole of it, a tile, or a block of a thread map";
  utilization.example =
      "echo 'f { p = f32[64,64] parameter(0)\n"
      "          ROOT s = f32[32,64] slice(p), slice={[0:64:2], [0:64]} }' |\n"
      "  indexical utilization --tile=8,16";
  utilization.offers = {Offer::Text, Offer::Structure, Offer::Table};
  utilization.columns = UsesResult::columns();
  utilization.options = optionsOf(*asked);
  utilization.check = [asked] { return wrongTogether(*asked); };
  utilization.prepare = [asked](MessageStream &err) {
    return readThreadMap(asked->threadMap, asked->threads, err);
  };
  addReadOptions(utilization, asked->readAs);
  utilization.run = [asked](Call &call) {
    return indexical::utilization(*asked, call);
  };
  return utilization;
}

}  // namespace indexical

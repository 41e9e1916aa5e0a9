#include "indexical/writers/sharding.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/sharding/keys.h"
#include "indexical/answers/sharding/sharding.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

struct ShardingOptions : ShardingQuestion {
  std::optional<size_t> replicas;
  ReadOptions readAs;
};

absl::StatusOr<int> write(const ShardingAnswer &found, Call &call) {
  ShardingResult result(found);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

absl::StatusOr<int> ofWords(const ShardingOptions &asked, Call &call) {
  const auto found = shardingsGiven(asked);
  if (found.ok()) return write(*found, call);
  Reporter(call.err(), "indexical", "").error(found.status());
  return kWrongInput;
}

absl::StatusOr<int> ofProgram(const ShardingOptions &asked, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, asked.readAs));
  ShardingQuestion question = asked;
  question.isMlir =
      formatOf(call.input(), asked.readAs.format) == InputFormat::StableHlo;
  const auto found = shardingsIn(program, question);
  if (!found.ok()) return withPlace(found.status(), {1, 1});
  return write(*found, call);
}

}  // namespace

Command makeSharding() {
  auto asked = std::make_shared<ShardingOptions>();
  Command sharding;
  sharding.name = "sharding";
  sharding.sentence =
      "which device holds which elements: the map from a device and a local "
      "index to the global one, of every value with a sharding (HLO's, "
      "mhlo.sharding, Shardy's), or of one that is given";
  sharding.example =
      "indexical sharding --sharding='{devices=[4,1]<=[4]}' "
      "--global-shape='f32[8,3]'";
  sharding.offers = {Offer::Text, Offer::Structure, Offer::Table};
  sharding.columns = inOrder(columnsOf<ShardingEntry>());
  sharding.options = shardingOptions(
      *asked, "This sharding, of the value that --global-shape gives");
  llvm::append_range(
      sharding.options,
      std::vector<Option>{
          devicesOption("replicas", asked->replicas,
                        "The number of replicas, each of which has a copy of "
                        "everything; numbers in shardings are partitions"),
          formerly("device", countOption("of-device", asked->device,
                                         "the number of a device",
                                         "Only this device's box")),
          indexOption("element", asked->element,
                      "Also the devices that hold this global element"),
          nameOption("instruction", Names::Instructions, asked->instruction,
                     "Only this instruction"),
      });
  sharding.check = [asked]() -> std::optional<std::string> {
    if (asked->sharding.empty() != asked->shape.empty())
      return "--sharding and --global-shape go together";
    if (asked->partitions == size_t{0})
      return "--partitions is a number of partitions, from 1";
    return std::nullopt;
  };
  sharding.needsNoInput = [asked] { return !asked->sharding.empty(); };
  sharding.runOnWords = [asked](llvm::ArrayRef<std::string>, Call &call) {
    return ofWords(*asked, call);
  };
  addReadOptions(sharding, asked->readAs);
  sharding.run = [asked](Call &call) { return ofProgram(*asked, call); };
  return sharding;
}

}  // namespace indexical

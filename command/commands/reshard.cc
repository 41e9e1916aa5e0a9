#include "indexical/writers/reshard.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/reshard/keys.h"
#include "indexical/answers/reshard/reshard.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/command/sharding_words.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

struct ReshardWords : ReshardQuestion {
  std::optional<int64_t> latencyBytes;
  std::optional<PlanForm> emit;
  std::optional<size_t> operations;
};

absl::StatusOr<int> answer(const ReshardWords &asked, Call &call) {
  ReshardQuestion question = asked;
  question.latency = asked.latencyBytes.value_or(0);
  Ask ask;
  if (asked.operations) ask.budget.operations = *asked.operations;
  const auto found = reshardPlans(question, ask);
  if (!found.ok()) {
    call.err() << "indexical: error: " << std::string(found.status().message())
               << "\n";
    return kWrongInput;
  }
  ReshardResult result(*found, asked.emit.value_or(PlanForm::Hlo),
                       /*showsText=*/asked.emit.has_value());
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return found->plans.front().isProved() ? kDone : kUndecided;
}

}  // namespace

Command makeReshard() {
  auto asked = std::make_shared<ReshardWords>();
  Command reshard;
  reshard.name = "reshard";
  reshard.sentence =
      "the collectives that bring an array from one sharding to another: plans "
      "that no other one beats in bytes, collectives and memory, each proved, "
      "as HLO, StableHLO or Shardy";
  reshard.example =
      "indexical reshard --from='{devices=[4,1]<=[4]}' \\\n"
      "  --to='{devices=[1,4]<=[4]}' --global-shape='f32[64,64]'";
  reshard.reads = Reads::Words;
  reshard.arguments = "";
  reshard.statuses = {{kUndecided, "no plan is proved"}};
  reshard.offers = {Offer::Text, Offer::Structure, Offer::Table};
  reshard.columns = inOrder(columnsOf<PlanEntry>());
  reshard.options = {
      textOption("from", "TEXT", "The sharding that the array has",
                 [asked](llvm::StringRef word) { asked->from = word.str(); }),
      textOption("to", "TEXT", "The sharding that it is to have",
                 [asked](llvm::StringRef word) { asked->to = word.str(); }),
      formerly("shape", textOption("global-shape", "SHAPE",
                                   "The shape of the whole array: f32[64,64]",
                                   [asked](llvm::StringRef word) {
                                     asked->shape = word.str();
                                   })),
      meshOption("mesh",
                 "A mesh that both shardings name: m=<[\"x\"=2, \"y\"=4]>",
                 asked->meshes),
      meshOption("from-mesh",
                 "The mesh of that name in the first sharding, where it is "
                 "another one",
                 asked->fromMeshes),
      devicesOption("partitions", asked->partitions,
                    "The number of devices (default: what the shardings say)"),
      bytesOption("memory", asked->memory,
                  "Leave out plans that need more bytes on a device"),
      bytesOption("latency", asked->latencyBytes,
                  "The bytes that one collective costs: the first plan has the "
                  "fewest bytes + latency x collectives"),
      choiceOption<std::optional<PlanForm>>(
          "emit", "FORM", asked->emit,
          {{"hlo", PlanForm::Hlo},
           {"stablehlo", PlanForm::StableHlo},
           {"sdy", PlanForm::Shardy}},
          "Also write the first plan in this form; in other formats, the form "
          "of all texts (default: hlo)"),
      countOption("budget", asked->operations, "a number of operations",
                  "Operations for the proof of each plan"),
  };
  reshard.check = [asked]() -> std::optional<std::string> {
    if (asked->from.empty() || asked->to.empty() || asked->shape.empty())
      return "--from, --to and --global-shape are needed";
    if (asked->partitions == size_t{0})
      return "--partitions is a number of devices, from 1";
    return std::nullopt;
  };
  reshard.runOnWords = [asked](llvm::ArrayRef<std::string>, Call &call) {
    return answer(*asked, call);
  };
  return reshard;
}

}  // namespace indexical

#include "indexical/writers/sharding.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/program_indexing.h"
#include "indexical/sharding/program_shardings.h"

namespace indexical {
namespace {

struct ShardingOptions : ShardingWords {
  std::string instruction;
  std::optional<size_t> replicas, device;
  std::optional<std::vector<int64_t>> element;
  ReadOptions readAs;
};

absl::Status fill(const ShardingOptions &asked, bool isLocal,
                  ShownSharding &shown) {
  shown.reason = reasonOf(shown.sharding.none()).str();
  if (isLocal) {
    shown.reason = "the module is partitioned, and its shapes are local";
    return absl::OkStatus();
  }
  auto relation = ShardedRelation::make(shown.shape.dimensions, shown.sharding);
  if (!relation.ok()) {
    shown.reason = std::string(relation.status().message());
    return absl::OkStatus();
  }
  shown.relation = *std::move(relation);
  if (!shown.reason.empty()) return absl::OkStatus();
  if (asked.device && shown.sharding.devices() >= 0 &&
      static_cast<int64_t>(*asked.device) >= shown.sharding.devices())
    return absl::InvalidArgumentError("there is no device " +
                                      std::to_string(*asked.device) + " of " +
                                      std::to_string(shown.sharding.devices()));
  if (asked.element && asked.element->size() != shown.shape.dimensions.size())
    return absl::InvalidArgumentError(
        "--element has " + std::to_string(asked.element->size()) +
        " numbers, and the value has rank " +
        std::to_string(shown.shape.dimensions.size()));
  auto map = shown.relation->map(Direction::OutputToInput);
  if (map.ok())
    shown.map = *std::move(map);
  else if (absl::IsResourceExhausted(map.status()))
    shown.reason = std::string(map.status().message());
  else
    return map.status();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ShownSharding>> ofOption(
    const ShardingOptions &asked) {
  INDEXICAL_ASSIGN_OR_RETURN(auto given, givenShardings(asked));
  std::vector<ShownSharding> values;
  for (auto [k, each] : llvm::enumerate(given)) {
    ShownSharding shown;
    shown.result = LeafId(k);
    shown.text = asked.sharding;
    shown.source = "option";
    shown.shape = each.shape;
    shown.sharding = each.sharding;
    INDEXICAL_RETURN_IF_ERROR(fill(asked, false, shown));
    values.push_back(std::move(shown));
  }
  return values;
}

absl::StatusOr<std::vector<ShownSharding>> ofProgram(
    const ShardingOptions &asked, const Program &program, bool isMlir) {
  std::vector<ShownSharding> values;
  bool found = asked.instruction.empty();
  llvm::SmallVector<llvm::StringRef, 16> known;
  for (const Module &module : program.modules) {
    ShardingContext context = shardingContextOf(program, module);
    if (asked.partitions) context.devices = *asked.partitions;
    INDEXICAL_RETURN_IF_ERROR(addMeshes(asked, context));
    const int64_t devices = devicesOf(module, context);
    const bool isLocal = isPartitioned(module);
    ProgramIndexing maps(module);
    ShardedOperands sharded(program, maps, context, devices);
    for (auto [c, computation] : llvm::enumerate(module.computations))
      for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
        known.push_back(instruction.name);
        if (!asked.instruction.empty() && instruction.name != asked.instruction)
          continue;
        found = true;
        INDEXICAL_ASSIGN_OR_RETURN(
            auto shardings,
            shardingsOf(program, module, instruction, context, devices));
        const ShapeList leaves = instruction.shape.leaves();
        for (auto [k, sharding] : llvm::enumerate(shardings)) {
          ShownSharding shown;
          shown.instruction = instruction.name.str();
          shown.result = LeafId(k);
          const bool shardy =
              llvm::StringRef(instruction.sharding).starts_with("#sdy");
          shown.text = shardy || instruction.sharding.starts_with("{")
                           ? instruction.sharding.str()
                           : ("{" + instruction.sharding + "}").str();
          shown.source = sourceOf(instruction.sharding, isMlir).str();
          shown.shape = leaves[k];
          shown.sharding = sharding;
          if (auto status = fill(asked, isLocal, shown); !status.ok())
            return withPlace(status, instruction.place);
          const Leaf leaf = {ComputationId(c), InstructionId(i), LeafId(k)};
          if (shown.relation && shown.reason.empty() &&
              !instruction.op.is<ForwardOp>()) {
            INDEXICAL_ASSIGN_OR_RETURN(shown.operands,
                                       sharded.of(leaf, *shown.relation));
          }
          values.push_back(std::move(shown));
        }
      }
  }
  if (!found)
    return withPlace(unknownName("instruction", asked.instruction, known),
                     {1, 1});
  return values;
}

absl::StatusOr<int> shardingOf(const ShardingOptions &asked, Call &call) {
  absl::StatusOr<std::vector<ShownSharding>> values;
  if (!asked.sharding.empty()) {
    values = ofOption(asked);
    if (!values.ok()) {
      call.err() << "indexical: error: "
                 << std::string(values.status().message()) << "\n";
      return kWrongInput;
    }
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, asked.readAs));
    values = ofProgram(
        asked, program,
        formatOf(call.input(), asked.readAs.format) == InputFormat::StableHlo);
    if (!values.ok()) return withPlace(values.status(), {1, 1});
  }
  ShardingView view;
  if (asked.device) view.device = *asked.device;
  view.element = asked.element;
  ShardingResult result(*std::move(values), view);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
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
  sharding.offers = {Offer::Text, Offer::Structure};
  sharding.options = shardingOptions(
      *asked, "This sharding, of the value that --global-shape gives");
  llvm::append_range(
      sharding.options,
      std::vector<Option>{
          countOption("replicas", asked->replicas, "a number of replicas",
                      "The number of replicas, each of which has a copy of "
                      "everything; numbers in shardings are partitions"),
          formerly("device", countOption("of-device", asked->device,
                                         "the number of a device",
                                         "Only this device's box")),
          indexOption("element", asked->element,
                      "Also the copies of this global element"),
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
    return shardingOf(*asked, call);
  };
  addReadOptions(sharding, asked->readAs);
  sharding.run = [asked](Call &call) { return shardingOf(*asked, call); };
  return sharding;
}

}  // namespace indexical

#include "indexical/writers/hazards.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "indexical/answers/hazards/hazards.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

struct HazardsOptions {
  HazardsQuestion question;
  ReadOptions readAs;
};

Option shareOption(HazardsOptions &asked) {
  Option option;
  option.name = "share";
  option.value = "PAIR";
  option.sentence =
      "Only this pair: `f{0}=1{}`, array 0 of the result of `f` in the "
      "memory of its operand 1, which is taken as donated";
  option.repeatable = true;
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    auto share = parseShare(word);
    if (!share)
      return "an instruction, the array of its result, an operand and the "
             "array of it: `f{0}=1{}`";
    asked.question.shares.push_back(std::move(*share));
    return std::nullopt;
  };
  return option;
}

absl::StatusOr<int> hazards(const HazardsOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  HazardsQuestion question = options.question;
  question.device =
      deviceFor(question.device, call.input(), call.ask().messages);
  INDEXICAL_ASSIGN_OR_RETURN(const auto found,
                             hazardsIn(program, question, call.ask()));
  const bool isMlir =
      formatOf(call.input(), options.readAs.format) == InputFormat::StableHlo;
  HazardsResult result(found, call.input().path, isMlir ? "stablehlo" : "hlo");
  const int status = found.countOf(HazardAnswer::Hazard)      ? kDifferent
                     : found.countOf(HazardAnswer::Undecided) ? kUndecided
                                                              : kDone;
  return call.writeAndEnd(result, status);
}

}  // namespace

Command makeHazards() {
  auto asked = std::make_shared<HazardsOptions>();
  Command hazards;
  hazards.name = "hazards";
  hazards.words = {"undecided", "witness"};
  hazards.sentence =
      "which results may share the memory of an operand, and which copies "
      "are needless: no element may be overwritten while it is still read";
  hazards.example =
      "echo 'f { a = s32[4] parameter(0)\n"
      "          s = s32[3] slice(a), slice={[0:3]}, one = s32[] constant(1)\n"
      "          ROOT u = s32[4] dynamic-update-slice(a, s, one) }\n"
      "ENTRY e { p = s32[4] parameter(0)\n"
      "          ROOT r = s32[4] fusion(p), kind=kLoop, calls=f }' |\n"
      "  indexical hazards --share='r{}=0{}'";
  hazards.statuses = {{kDifferent, "a hazard"},
                      {kUndecided, "a place is undecided, and there is no "
                                   "hazard"}};
  hazards.offers = {Offer::Text, Offer::Structure};
  hazards.options = {
      shareOption(*asked),
      deviceOption(asked->question.device,
                   "The GPU whose time a copy takes (default: the one that the "
                   "dump was compiled for, else h100)")};
  addReadOptions(hazards, asked->readAs);
  hazards.run = [asked](Call &call) {
    return indexical::hazards(*asked, call);
  };
  return hazards;
}

}  // namespace indexical

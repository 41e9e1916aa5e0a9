#include "indexical/answers/dump/dump.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/conditions/conditions.h"
#include "indexical/answers/dump/selection.h"
#include "indexical/answers/element/element.h"
#include "indexical/command/command.h"
#include "indexical/command/dump_options.h"
#include "indexical/command/progress.h"
#include "indexical/command/read_options.h"
#include "indexical/command/reporter.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/conditions.h"
#include "indexical/writers/dump.h"
#include "indexical/writers/element.h"

namespace indexical {
namespace {

void reportWays(const Program &program, const Selection &selection,
                Messages &messages) {
  for (auto [module, plans] : llvm::zip_equal(program.modules, selection))
    for (const ComputationPlan &plan : plans)
      if (std::optional<Note> note = noteOnWay(module, plan))
        report(*note, messages);
}

size_t countInstructions(const Selection &selection) {
  size_t count = 0;
  for (const auto &plans : selection)
    for (const ComputationPlan &plan : plans) count += plan.instructions.size();
  return count;
}

class DumpResult : public Result {
 public:
  DumpResult(const Program &program, const Selection &selection,
             const DumpOptions &options, Call &call)
      : program_(program),
        selection_(selection),
        options_(options),
        call_(call) {}

  void text(llvm::raw_ostream &os, TextStyle style) override {
    walk(*makeTextSink(os, options_, style));
  }
  void structure(Structure &to) override {
    walk(*makeStructureSink(to, call_.input().path, formatName()));
  }
  void page(Structure &to, PageData &data) override {
    if (!options_.way) options_.way = DumpOptions::Way::Both;
    walk(*makePageSink(to, call_.input().path, formatName(), data));
  }

 private:
  llvm::StringRef formatName() {
    const bool isMlir = formatOf(call_.input(), options_.readAs.format) ==
                        InputFormat::StableHlo;
    return isMlir ? "stablehlo" : "hlo";
  }

  void walk(DumpSink &sink) {
    Progress progress(call_.err(), call_.showsProgress(),
                      countInstructions(selection_), call_.progressPrefix(),
                      " instructions");
    call_.reporter().beforeMessage([&] { progress.clear(); });
    Ask ask{call_.budget(), call_.jobs(), call_.reporter(),
            [&] { progress.step(); }};
    dumpOf(program_, selection_, options_, ask, sink);
    call_.reporter().beforeMessage(nullptr);
  }

  const Program &program_;
  const Selection &selection_;
  DumpOptions options_;
  Call &call_;
};

absl::StatusOr<int> answerConditions(const Program &program, Call &call) {
  const auto found = conditionsOf(program);
  ConditionsResult result(found);
  return call.writeAndEnd(result, kDone);
}

absl::StatusOr<int> answerElement(const Program &program,
                                  const DumpOptions &options, Call &call) {
  ElementQuestion question;
  static_cast<DumpQuestion &>(question) = options;
  question.element = *options.element;
  question.result = static_cast<int64_t>(
      std::min<size_t>(options.result.value_or(0), INT64_MAX));
  question.runtime = options.runtime;
  INDEXICAL_ASSIGN_OR_RETURN(const auto found,
                             elementOf(program, question, call.ask()));
  ElementResult result(found);
  return call.writeAndEnd(result, kDone);
}

absl::StatusOr<int> dump(const DumpOptions &options, Call &call) {
  auto program =
      readProgram(call, options.readAs, /*input=*/0,
                  options.strict ? LetPass::Error : LetPass::Warning);
  if (!program.ok()) return program.status();
  if (options.element) return answerElement(*program, options, call);
  if (options.constraints) return answerConditions(*program, call);
  absl::StatusOr<Selection> selection = select(*program, options);
  if (!selection.ok()) return selection.status();
  reportWays(*program, *selection, call.reporter());
  DumpResult result(*program, *selection, options, call);
  return call.writeAndEnd(result, kDone);
}

Option directionOption(DumpOptions &asked) {
  using Way = DumpOptions::Way;
  Option option = choiceOption<std::optional<Way>>(
      "direction", "DIRECTION", asked.way,
      {{"output-to-input", Way::OutputToInput},
       {"input-to-output", Way::InputToOutput},
       {"both", Way::Both}},
      "The direction of maps; in a page both, unless it is given");
  option.byDefault = "output-to-input";
  return option;
}

std::vector<Option> optionsOf(DumpOptions &asked) {
  return {
      namesOption("computation", Names::Computations, asked.computations,
                  "Only this computation"),
      namesOption("instruction", Names::Instructions, asked.instructions,
                  "Only this instruction"),
      nameOption("from", Names::Instructions, asked.from,
                 "Composed maps from this instruction, on the result's side "
                 "(default, with --to: the root)"),
      nameOption("to", Names::Instructions, asked.to,
                 "Composed maps to this instruction, on the operand's side "
                 "(default, with --from: every parameter)"),
      directionOption(asked),
      choiceOption<bool>("precision", "PRECISION", asked.cover,
                         {{"exact", false}, {"cover", true}},
                         "All pieces, or one map per operand that covers "
                         "them"),
      formerly("layout", choiceOption<bool>(
                             "index-order", "ORDER", asked.physical,
                             {{"logical", false}, {"physical", true}},
                             "The order of indices and sizes; physical is that "
                             "of minor_to_major, the slowest first; tiles are "
                             "not applied")),
      indexOption("element", asked.element,
                  "The elements that this element of an instruction, or of "
                  "a computation's result, needs, instead of maps; with "
                  "--direction=input-to-output who needs this element of an "
                  "operand"),
      countOption("result", asked.result, "the number of an array",
                  "With --element: which array of a result that has several "
                  "(default: 0)"),
      runtimeOption(asked.runtime,
                    "With --element: the value of the element of that "
                    "instruction which a runtime variable has"),
      flagOption("each-way", asked.eachWay,
                 "Also the map of each path from a result to an operand, "
                 "and how often it reads each element; the maps are their "
                 "union"),
      flagOption("devices", asked.devices,
                 "Name the devices of each collective: the members of its "
                 "groups, in order, or the pairs of a permute"),
      flagOption("constraints", asked.constraints,
                 "The conditions on sizes and values when the module runs, "
                 "instead of maps"),
      flagOption("strict", asked.strict,
                 "An answer about an unknown op is an error, and so is a "
                 "violation of StableHLO's specification that its own "
                 "verifier accepts"),
  };
}

}  // namespace

Command makeDump() {
  auto asked = std::make_shared<DumpOptions>();
  Command dump;
  dump.name = "dump";
  dump.words = {"exact", "cover", "opaque"};
  dump.sentence =
      "maps of every instruction and computation of HLO or StableHLO text";
  dump.example =
      "echo 'f { p = f32[4,8] parameter(0)\n"
      "          ROOT s = f32[2,3] slice(p), slice={[1:3], [0:6:2]} }' |\n"
      "  indexical dump --direction=both --format=json -";
  dump.offers = {Offer::Text, Offer::Maps, Offer::Structure, Offer::Page};
  dump.page = PageKind::Instructions;
  dump.options = optionsOf(*asked);
  addReadOptions(dump, asked->readAs);
  dump.check = [asked,
                settings = dump.settings]() -> std::optional<std::string> {
    if (asked->between() && !asked->instructions.empty())
      return "--instruction does not go with --from and --to, which show one "
             "pair and no instructions";
    if (asked->constraints) {
      if (asked->element || asked->between() || asked->physical ||
          asked->cover || asked->devices || asked->way ||
          !asked->instructions.empty() || !asked->computations.empty())
        return "--constraints is about the whole module: it goes with no "
               "option that chooses maps or elements";
      if (settings->format->needs == Offer::Page ||
          settings->format->needs == Offer::Maps)
        return "--constraints shows no maps";
    }
    if (asked->eachWay) {
      if (asked->element || asked->constraints || asked->cover ||
          asked->way == DumpOptions::Way::InputToOutput)
        return "--each-way lists maps from results to operands: it does not go "
               "with --element, --constraints, --precision=cover or "
               "--direction=input-to-output";
      if (settings->format->needs == Offer::Maps)
        return "--each-way is for text, JSON and pages, which say whose map it "
               "is";
    }
    if (!asked->element) {
      if (asked->result || !asked->runtime.empty())
        return "--result and --runtime go with --element";
      return std::nullopt;
    }
    if (settings->format->needs == Offer::Page)
      return "a page answers for every element, without --element";
    if (asked->instructions.size() > 1 || asked->computations.size() > 1)
      return "--element asks about one instruction";
    if (asked->way == DumpOptions::Way::Both)
      return "--element goes one way: --direction=output-to-input or "
             "input-to-output";
    if (asked->physical) return "--element is a logical index";
    return std::nullopt;
  };
  dump.run = [asked](Call &call) { return indexical::dump(*asked, call); };
  return dump;
}

}  // namespace indexical

#include "indexical/tools/dump.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/tools/answers.h"
#include "indexical/tools/command.h"
#include "indexical/tools/element_report.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/progress.h"
#include "indexical/tools/report.h"
#include "indexical/tools/selection.h"

namespace indexical {
namespace {

void reportWays(const Program &program, const Selection &selection,
                Reporter &reporter) {
  for (auto [module, plans] : llvm::zip_equal(program.modules, selection))
    for (const ComputationPlan &plan : plans)
      if (std::optional<Note> note = noteOnWay(module, plan))
        report(*note, reporter);
}

size_t countInstructions(const Selection &selection) {
  size_t count = 0;
  for (const auto &plans : selection)
    for (const ComputationPlan &plan : plans) count += plan.instructions.size();
  return count;
}

absl::Status opaqueError(Place place, llvm::StringRef name) {
  return errorAt(place, "what `" + name.str() +
                            "` reads is not known: its answer is opaque");
}

/// One computation. With --strict an instruction that is opaque is an error,
/// and so is the computation where none of those that are shown is the reason.
void walkComputation(const Computation &computation,
                     const ComputationPlan &plan, const DumpOptions &options,
                     ItemMaker &items, Reporter &reporter, Progress &progress,
                     const Budget &budget, DumpSink &sink) {
  std::optional<Item> own;
  if (plan.ownMaps) own = items.ofComputation(plan);
  if (!budget.check().ok()) return;
  sink.beginComputation(computation, own ? &*own : nullptr);
  bool explained = false;
  for (int32_t i : plan.instructions) {
    const Instruction &instruction = computation.instructions[i];
    Item item = items.ofInstruction(plan.computation, i);
    if (!budget.check().ok()) break;
    sink.instruction(instruction, item);
    progress.step();
    if (options.strict && item.isOpaque()) {
      reporter.error(opaqueError(instruction.place, instruction.name));
      explained = true;
    }
  }
  if (options.strict && own && own->isOpaque() && !explained)
    reporter.error(opaqueError(computation.place, computation.name));
  sink.endComputation();
}

void walk(const Program &program, const Selection &selection,
          const DumpOptions &options, Reporter &reporter, Progress &progress,
          const Budget &budget, DumpSink &sink) {
  sink.begin();
  ExactProver prover(ExactProver::ofProofs(budget));
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    ProgramIndexing maps(module, &prover, budget);
    ItemMaker items(maps, options, reporter);
    sink.beginModule(maps, number);
    for (const ComputationPlan &plan : selection[number])
      walkComputation(module.computations[plan.computation], plan, options,
                      items, reporter, progress, budget, sink);
    sink.endModule();
  }
  sink.end();
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
    const Input &input = call_.input();
    const bool isMlir =
        formatOf(input, options_.inputFormat) == InputFormat::StableHlo;
    walk(*makeStructureSink(to, input.path, isMlir ? "stablehlo" : "hlo"));
  }

 private:
  void walk(DumpSink &sink) {
    Reporter &reporter = call_.reporter();
    Progress progress(call_.err(), call_.showsProgress(),
                      countInstructions(selection_), call_.progressPrefix(),
                      " instructions");
    reporter.beforeMessage([&] { progress.clear(); });
    indexical::walk(program_, selection_, options_, reporter, progress,
                    call_.budget(), sink);
    reporter.beforeMessage(nullptr);
  }

  const Program &program_;
  const Selection &selection_;
  const DumpOptions &options_;
  Call &call_;
};

absl::StatusOr<int> dump(const DumpOptions &options, Call &call) {
  auto program =
      readProgram(call.input(), options.inputFormat, call.reporter());
  if (!program.ok()) return program.status();
  if (options.element) return answerElement(options, *program, call);
  absl::StatusOr<Selection> selection = select(*program, options);
  if (!selection.ok()) return selection.status();
  reportWays(*program, *selection, call.reporter());
  DumpResult result(*program, *selection, options, call);
  return call.writeAndEnd(result, kDone);
}

std::vector<Option> optionsOf(DumpOptions &asked) {
  using Way = DumpOptions::Way;
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
      choiceOption<Way>("direction", "DIRECTION", asked.way,
                        {{"output-to-input", Way::OutputToInput},
                         {"input-to-output", Way::InputToOutput},
                         {"both", Way::Both}},
                        "Which way maps go"),
      choiceOption<bool>("precision", "PRECISION", asked.cover,
                         {{"exact", false}, {"cover", true}},
                         "All pieces, or one map an operand, a superset of "
                         "what is read"),
      choiceOption<bool>("layout", "LAYOUT", asked.physical,
                         {{"logical", false}, {"physical", true}},
                         "The order of indices and sizes; physical is that of "
                         "minor_to_major, the slowest first; tiles are not "
                         "applied"),
      indexOption("element", asked.element,
                  "What this element of an instruction, or of a computation's "
                  "result, needs, instead of maps; with "
                  "--direction=input-to-output who needs this element of an "
                  "operand"),
      countOption("result", asked.result, "the number of an array",
                  "With --element: which array of a result that has several "
                  "(default: 0)"),
      runtimeOption(asked.runtime,
                    "With --element: the value of the element of that "
                    "instruction which a runtime variable has"),
      inputFormatOption(asked.inputFormat),
      flagOption("strict", asked.strict,
                 "An answer about an op whose meaning is not known is an "
                 "error"),
  };
}

}  // namespace

bool Item::isOpaque() const {
  for (const auto &answers : {&outputToInput, &inputToOutput})
    if (*answers && llvm::any_of(**answers, [](const LeafAnswer &answer) {
          return answer.relation.precision() == Precision::Opaque;
        }))
      return true;
  return false;
}

Command makeDump() {
  auto asked = std::make_shared<DumpOptions>();
  Command dump;
  dump.name = "dump";
  dump.sentence =
      "maps of every instruction and computation of HLO or StableHLO text";
  dump.example =
      "echo 'f { p = f32[4,8] parameter(0)\n"
      "          ROOT s = f32[2,3] slice(p), slice={[1:3], [0:6:2]} }' |\n"
      "  indexical dump --direction=both --format=json -";
  dump.offers = {Offer::Text, Offer::Maps, Offer::Structure};
  dump.options = optionsOf(*asked);
  dump.check = [asked]() -> std::optional<std::string> {
    if (asked->between() && !asked->instructions.empty())
      return "--instruction does not go with --from and --to, which show one "
             "pair and no instructions";
    if (!asked->element) {
      if (asked->result || !asked->runtime.empty())
        return "--result and --runtime go with --element";
      return std::nullopt;
    }
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

#include "indexical/tools/dump.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/tools/answers.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/output.h"
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
                     DumpSink &sink) {
  std::optional<Item> own;
  if (plan.ownMaps) own = items.ofComputation(plan);
  sink.beginComputation(computation, own ? &*own : nullptr);
  bool explained = false;
  for (int32_t i : plan.instructions) {
    const Instruction &instruction = computation.instructions[i];
    Item item = items.ofInstruction(plan.computation, i);
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
          DumpSink &sink) {
  sink.begin();
  ExactProver prover;
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    ProgramIndexing maps(module, &prover);
    ItemMaker items(maps, options, reporter);
    sink.beginModule(maps, number);
    for (const ComputationPlan &plan : selection[number])
      walkComputation(module.computations[plan.computation], plan, options,
                      items, reporter, progress, sink);
    sink.endModule();
  }
  sink.end();
}

std::unique_ptr<DumpSink> makeSink(const DumpOptions &options,
                                   InputFormat format, llvm::raw_ostream &os) {
  switch (options.format) {
    case OutputFormat::Json:
      return makeJsonSink(
          os, options.input,
          format == InputFormat::StableHlo ? "stablehlo" : "hlo");
    case OutputFormat::JsonLines:
      return makeJsonLinesSink(os);
    case OutputFormat::Text:
    case OutputFormat::Attribute:
      break;
  }
  return makeTextSink(os, options);
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

int dump(const DumpOptions &options, const Input &input, llvm::raw_ostream &out,
         llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  const InputFormat format = formatOf(input, options.inputFormat);
  const auto program = readOrReport(input, format, reporter);
  if (!program) return kWrongInput;
  absl::StatusOr<Selection> selection = select(*program, options);
  if (!selection.ok()) {
    reporter.error(selection.status());
    return kWrongInput;
  }
  reportWays(*program, *selection, reporter);
  Output output(options.output, out);
  if (absl::Status status = output.open(); !status.ok()) {
    reporter.error(status);
    return kWrongInput;
  }
  {
    bool visible = err.is_displayed() && !output.isDisplayed();
    Progress progress(err, visible, countInstructions(*selection));
    reporter.beforeMessage([&] { progress.clear(); });
    std::unique_ptr<DumpSink> sink = makeSink(options, format, output.stream());
    walk(*program, *selection, options, reporter, progress, *sink);
    reporter.beforeMessage(nullptr);
  }
  if (absl::Status status = output.close(); !status.ok())
    reporter.error(status);
  return reporter.errorCount() > 0 ? kWrongInput : kDone;
}

}  // namespace indexical

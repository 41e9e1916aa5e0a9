#include "tools/dump.h"

#include <utility>

#include "hlo/hlo_parser.h"
#include "llvm/ADT/STLExtras.h"
#include "tools/answers.h"
#include "tools/output.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/selection.h"

namespace indexical {
namespace {

/// The program of the input, its front end chosen. The text stays where it is:
/// messages about it come later too.
absl::StatusOr<Program> parse(const DumpOptions &options, const Input &input) {
  if (absl::Status status = checkIsText(input); !status.ok())
    return status;
  bool isMlir = options.inputFormat == InputFormat::StableHlo ||
                (options.inputFormat == InputFormat::Auto &&
                 looksLikeMlir(input.text));
  if (isMlir)
    return errorAt({1, 1},
                   "StableHLO and other MLIR is not read yet; HLO text is "
                   "(--input-format=hlo where this is HLO)");
  return parseHlo(input.text, input.displayName());
}

void reportNotes(const Program &program, Reporter &reporter) {
  for (const Note &note : program.notes) {
    if (note.kind == Note::Kind::Warning)
      reporter.warning(note.place, note.text);
    else
      reporter.note(note.place, note.text);
  }
}

size_t countInstructions(const Selection &selection) {
  size_t count = 0;
  for (const auto &plans : selection)
    for (const ComputationPlan &plan : plans)
      count += plan.instructions.size();
  return count;
}

void walk(const Program &program, const Selection &selection,
          const DumpOptions &options, Reporter &reporter, Progress &progress,
          DumpSink &sink) {
  sink.begin();
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    ProgramIndexing maps(module);
    ItemMaker items(maps, options, reporter);
    sink.beginModule(maps, number);
    for (const ComputationPlan &plan : selection[number]) {
      const Computation &computation = module.computations[plan.computation];
      std::optional<Item> own;
      if (plan.ownMaps)
        own = items.ofComputation(plan);
      sink.beginComputation(computation, own ? &*own : nullptr);
      for (int32_t i : plan.instructions) {
        sink.instruction(computation.instructions[i],
                         items.ofInstruction(plan.computation, i));
        progress.step();
      }
      sink.endComputation();
    }
    sink.endModule();
  }
  sink.end();
}

std::unique_ptr<DumpSink> makeSink(const DumpOptions &options,
                                   llvm::raw_ostream &os) {
  switch (options.format) {
    case OutputFormat::Json: return makeJsonSink(os, options.input);
    case OutputFormat::JsonLines: return makeJsonLinesSink(os);
    case OutputFormat::Text:
    case OutputFormat::Attribute: break;
  }
  return makeTextSink(os, options);
}

}  // namespace

int dump(const DumpOptions &options, const Input &input, llvm::raw_ostream &out,
         llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  absl::StatusOr<Program> program = parse(options, input);
  if (!program.ok()) {
    reporter.error(program.status());
    return kWrongInput;
  }
  reportNotes(*program, reporter);
  absl::StatusOr<Selection> selection = select(*program, options);
  if (!selection.ok()) {
    reporter.error(selection.status());
    return kWrongInput;
  }
  Output output(options.output, out);
  if (absl::Status status = output.open(); !status.ok()) {
    reporter.error(status);
    return kWrongInput;
  }
  {
    bool visible = err.is_displayed() && !output.isDisplayed();
    Progress progress(err, visible, countInstructions(*selection));
    reporter.beforeMessage([&] { progress.clear(); });
    std::unique_ptr<DumpSink> sink = makeSink(options, output.stream());
    walk(*program, *selection, options, reporter, progress, *sink);
    reporter.beforeMessage(nullptr);
  }
  if (absl::Status status = output.close(); !status.ok())
    reporter.error(status);
  return reporter.errorCount() > 0 ? kWrongInput : kDone;
}

}  // namespace indexical

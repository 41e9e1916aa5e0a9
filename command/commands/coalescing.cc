#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/report/input_report.h"
#include "indexical/command/command.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/report.h"

namespace indexical {
namespace {

struct KernelTrafficOptions : TrafficOptions {
  OneKernelQuestion question;
};

absl::StatusOr<int> coalescingOf(const KernelTrafficOptions &options,
                                 Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, options.readAs));
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto report,
      reportOfKernel(std::make_shared<const Program>(std::move(program)),
                     call.input(), options.question, call.ask()));
  ReportView view{report, options.question.threads.has_value(), options.stacks};
  view.asText = ReportView::Text::Kernel;
  ReportResult result(view);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeCoalescing() {
  auto asked = std::make_shared<KernelTrafficOptions>();
  Command coalescing;
  coalescing.name = "coalescing";
  coalescing.words = {"moved",    "wasted",       "coalesced", "sector",
                      "distinct", "fewest",       "(memory)",  "(cache)",
                      "(cores)",  "(operations)", "(blocks)",  "(waits)"};
  coalescing.sentence =
      "the memory traffic of one instruction or fusion on a GPU: accesses, "
      "sectors, lines, bytes used and wasted, summed over the launch";
  coalescing.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical coalescing --instruction=t";
  coalescing.options = {
      nameOption("computation", Names::Computations,
                 asked->question.computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions,
                 asked->question.instruction, "The kernel (default: the root)"),
      nameOption("space", Names::Instructions, asked->question.space,
                 "The instruction of the fusion to whose index space the "
                 "thread map goes (default: its root)"),
      runtimeOption(asked->question.runtime,
                    "The value of a runtime variable, an expression in the "
                    "read's dimensions (default: least and most over all "
                    "values)"),
  };
  addTraffic(coalescing, asked->question, *asked);
  coalescing.run = [asked](Call &call) { return coalescingOf(*asked, call); };
  return coalescing;
}

}  // namespace indexical

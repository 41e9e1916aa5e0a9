#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/report/input_report.h"
#include "indexical/command/command.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/report.h"

namespace indexical {
namespace {

absl::StatusOr<int> coalescingOf(const TrafficOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  OneKernelQuestion question;
  static_cast<LaunchQuestion &>(question) = options;
  question.computation = options.computation;
  question.instruction = options.instruction;
  question.space = options.space;
  question.runtime = options.runtime;
  const std::string why =
      setDevice(options.deviceIsNamed, call.input(), question.device);
  INDEXICAL_ASSIGN_OR_RETURN(auto report,
                             reportOfKernel(program, question, call.ask()));
  report.whyDevice = why;
  ReportView view{report, options.threads.has_value(), options.stacks};
  view.asText = ReportView::Text::Kernel;
  ReportResult result(view);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeCoalescing() {
  auto asked = std::make_shared<TrafficOptions>();
  Command coalescing;
  coalescing.name = "coalescing";
  coalescing.words = {"moved",    "wasted",       "coalesced", "sector",
                      "distinct", "fewest",       "(memory)",  "(cache)",
                      "(cores)",  "(operations)", "(blocks)",  "(waits)"};
  coalescing.sentence =
      "what the reads and writes of one instruction or fusion move on a GPU: "
      "accesses, sectors, lines, bytes used and wasted, summed over the launch";
  coalescing.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical coalescing --instruction=t";
  coalescing.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "The kernel (default: the root)"),
      nameOption("space", Names::Instructions, asked->space,
                 "The instruction of the fusion to whose index space the "
                 "thread map goes (default: its root)"),
      runtimeOption(asked->runtime,
                    "The value of a runtime variable, an expression in the "
                    "read's dimensions (default: least and most over all "
                    "values)"),
  };
  addTraffic(coalescing, asked);
  coalescing.run = [asked](Call &call) { return coalescingOf(*asked, call); };
  return coalescing;
}

}  // namespace indexical

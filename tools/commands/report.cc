#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/tools/command.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/traffic_report.h"

namespace indexical {
namespace {

// A report asks of many reads; one that is hard has bounds.
constexpr int64_t kReportOperations = 2'000'000;

absl::StatusOr<int> reportOn(const TrafficOptions &options, Call &call) {
  const auto program =
      readProgram(call.input(), options.inputFormat, call.reporter());
  if (!program.ok()) return program.status();
  const Budget budget = call.budget();
  CoalescingOptions asked(budget);
  asked.operations = budget.operationsOr(kReportOperations);
  TrafficMeter meter(*options.device, asked);
  std::vector<MeasuredKernel> kernels;
  for (auto [m, module] : llvm::enumerate(program->modules)) {
    ProgramIndexing maps(module, /*prover=*/nullptr, budget);
    for (const KernelSite &site : kernelSites(module)) {
      if (!budget.check().ok()) break;
      auto kernel = kernelAt(maps, site);
      if (!budget.check().ok()) break;
      if (kernel.ok()) {
        if (options.threads) kernel->launchBy(*options.threads);
        kernels.push_back({m, *kernel, meter.measure(*kernel)});
        continue;
      }
      // The others stand.
      call.reporter().warning(module.computations[site.computation]
                                  .instructions[site.instruction]
                                  .place,
                              std::string(kernel.status().message()));
    }
  }
  llvm::stable_sort(kernels, [&](const MeasuredKernel &a,
                                 const MeasuredKernel &b) {
    const int64_t x = a.traffic.wasted(), y = b.traffic.wasted();
    if (x != y) return x > y;
    return a.traffic.moved(*options.device) > b.traffic.moved(*options.device);
  });
  std::optional<size_t> top = options.top;
  if (!top && call.isForPeople()) top = 10;
  TrafficResult result({*program, *options.device, options.threads.has_value(),
                        top, TrafficView::Text::Ranking},
                       kernels);
  return call.writeAndEnd(result, kDone);
}

}  // namespace

Command makeReport() {
  auto asked = std::make_shared<TrafficOptions>();
  Command report;
  report.name = "report";
  report.sentence =
      "every kernel of a module, ranked by the bytes that its reads waste";
  report.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical report --device=a100";
  report.options = {
      countOption("top", asked->top, "a number of kernels",
                  "The most kernels to show (default: 10 in text, else all)"),
  };
  addTraffic(report, asked);
  report.run = [asked](Call &call) { return reportOn(*asked, call); };
  return report;
}

}  // namespace indexical

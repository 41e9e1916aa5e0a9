#include "indexical/tools/traffic_commands.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/memory/thread_map.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/named.h"
#include "indexical/tools/report.h"
#include "indexical/tools/traffic_report.h"

namespace indexical {
namespace {

// A report asks of many reads; one that is hard has bounds.
constexpr int64_t kReportOperations = 2'000'000;

/// Everything that both commands begin with.
struct Question {
  Program program;
  const Device *device = nullptr;
  std::optional<IndexingMap> threads;
};

/// The thread map of `--thread-map`; nothing, and a message, where it is none.
bool readThreads(const std::string &path, std::optional<IndexingMap> &threads,
                 llvm::raw_ostream &err) {
  if (path.empty()) return true;
  absl::StatusOr<Input> input = readInput(path);
  if (!input.ok()) {
    Reporter(err, path, "").error(input.status());
    return false;
  }
  Reporter reporter(err, path, input->text);
  auto maps = parseMaps(input->text);
  absl::Status status = maps.status();
  if (status.ok() && maps->size() != 1)
    status = errorAt({1, 1}, "a thread map is one map, and there are " +
                                 std::to_string(maps->size()));
  if (status.ok())
    if (auto checked = checkThreadMap(maps->front()); !checked.ok())
      status = errorAt({1, 1}, std::string(checked.message()));
  if (!status.ok()) {
    reporter.error(status);
    return false;
  }
  threads = maps->front();
  return true;
}

/// kDone, or the status to end with.
int ask(const TrafficOptions &options, const Input &input, Question &question,
        Reporter &reporter, llvm::raw_ostream &err) {
  question.device = findDevice(options.device);
  if (!question.device) {
    std::vector<llvm::StringRef> names;
    for (const Device &device : devices()) names.push_back(device.name);
    err << "indexical: --device does not take `" << options.device
        << "`, but one of " << llvm::join(names, ", ") << '\n';
    return kWrongWords;
  }
  if (!readThreads(options.threadMap, question.threads, err))
    return kWrongInput;
  auto program = readOrReport(input, options.inputFormat, reporter);
  if (!program) return kWrongInput;
  question.program = *std::move(program);
  return kDone;
}

bool isJson(const TrafficOptions &options) {
  return options.format == OutputFormat::Json ||
         options.format == OutputFormat::JsonLines;
}

}  // namespace

int coalescingOfInstruction(const TrafficOptions &options, const Input &input,
                            llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  Question question;
  if (int status = ask(options, input, question, reporter, err)) return status;
  auto found = findInstruction(question.program, options.computation,
                               options.instruction);
  if (!found.ok()) {
    reporter.error(found.status());
    return kWrongInput;
  }
  const Module &module = question.program.modules[found->module];
  const Instruction &instruction =
      module.computations[found->computation].instructions[found->instruction];
  ProgramIndexing maps(module);
  auto kernel = kernelAt(maps, {found->computation, found->instruction},
                         {question.threads, options.space});
  if (!kernel.ok()) {
    reporter.error(kernel.status());
    return kWrongInput;
  }
  CoalescingOptions asked;
  asked.runtime = options.runtime;
  TrafficMeter meter(*question.device, asked);
  std::vector<MeasuredKernel> kernels(1);
  kernels[0] = {found->module, *kernel, meter.measure(*kernel)};
  if (auto name = meter.unusedRuntime()) {
    reporter.error(errorAt(instruction.place,
                           "no read has a runtime variable `" + *name + "`"));
    return kWrongInput;
  }
  TrafficView view{question.program, *question.device,
                   question.threads.has_value(), std::nullopt};
  return writeResult(options, reporter, out, [&](llvm::raw_ostream &os) {
    if (isJson(options))
      writeTrafficJson(view, kernels, os);
    else
      writeKernelText(view, kernels.front(), os);
  });
}

int reportKernels(const TrafficOptions &options, const Input &input,
                  llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Reporter reporter(err, input.displayName(), input.text);
  Question question;
  if (int status = ask(options, input, question, reporter, err)) return status;
  CoalescingOptions asked;
  asked.operations = kReportOperations;
  TrafficMeter meter(*question.device, asked);
  std::vector<MeasuredKernel> kernels;
  for (auto [m, module] : llvm::enumerate(question.program.modules)) {
    ProgramIndexing maps(module);
    for (const KernelSite &site : kernelSites(module)) {
      auto kernel = kernelAt(maps, site);
      if (kernel.ok()) {
        if (question.threads) kernel->launchBy(*question.threads);
        kernels.push_back({m, *kernel, meter.measure(*kernel)});
        continue;
      }
      // The others stand.
      reporter.warning(module.computations[site.computation]
                           .instructions[site.instruction]
                           .place,
                       std::string(kernel.status().message()));
    }
  }
  llvm::stable_sort(
      kernels, [&](const MeasuredKernel &a, const MeasuredKernel &b) {
        const int64_t x = a.traffic.wasted(), y = b.traffic.wasted();
        if (x != y) return x > y;
        return a.traffic.moved(*question.device) >
               b.traffic.moved(*question.device);
      });
  TrafficView view{question.program, *question.device,
                   question.threads.has_value(), std::nullopt};
  if (options.top)
    view.top = options.top;
  else if (!isJson(options))
    view.top = 10;
  return writeResult(options, reporter, out, [&](llvm::raw_ostream &os) {
    if (isJson(options))
      writeTrafficJson(view, kernels, os);
    else
      writeRankingText(view, kernels, os);
  });
}

}  // namespace indexical

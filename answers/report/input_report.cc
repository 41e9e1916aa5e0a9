#include "indexical/answers/report/input_report.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/profile_input.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The number of kernels, or groups, for people.
constexpr size_t kTopForPeople = 10;

/// What every report of a call needs.
struct Request {
  const InputReportQuestion &question;
  InputMessages &messages;
  const Budget &budget;
  size_t jobs;

  Ask ask() const { return {budget, jobs, messages.of(0)}; }
};

/// Returns the requested order, or else the one that people look for.
const SortKey *sortOf(const InputReportQuestion &question, bool areKernels) {
  if (question.sort) return question.sort;
  const bool isOfArrays = question.group && question.group->name == kArrayKey;
  if (!question.forPeople || !areKernels || (question.group && !isOfArrays))
    return findSortKey("wasted");
  return findSortKey(isOfArrays ? "moved" : "avoidable");
}

/// Returns the question about a program. `areKernels` is that of the report.
ReportQuestion ofProgram(const InputReportQuestion &from, bool areKernels) {
  ReportQuestion question;
  static_cast<LaunchQuestion &>(question) = from;
  question.join = from.join;
  question.cancels = from.cancels;
  question.live = from.live;
  RowChoice &rows = question.rows;
  rows.sort = sortOf(from, areKernels);
  rows.group = from.group;
  rows.filters = from.filters;
  rows.leastWasted = from.leastWasted;
  rows.top = from.top;
  if (!rows.top && from.forPeople) rows.top = kTopForPeople;
  rows.alikeTogether = from.forPeople && !from.each && !from.baseline;
  CommunicationChoice &between = question.communication;
  if (from.partitions) between.partitions = *from.partitions;
  if (from.replicas) between.replicas = *from.replicas;
  between.topology = from.links;
  between.top = from.top;
  between.byReceived = from.sort == findSortKey("received");
  if (from.group)
    for (const char *key : {"op_name", "source", "opcode"})
      if (from.group->name == key) between.group = from.group->name;
  return question;
}

/// Compares the report with `made.then`, if there is a baseline.
void compare(const InputReportQuestion &question, InputReport &made) {
  if (!question.baseline) return;
  compareWith(
      made.then,
      question.sort ? ComparedOrder::AsBefore : ComparedOrder::ChangedFirst,
      made.report);
}

/// Sets what the baseline says about the file.
void setThen(const InputReportQuestion &question, StringRef file,
             InputReport &made) {
  if (!question.baseline) return;
  if (const OldReport *about = reportAbout(question.baseline->reports, file))
    made.then = *about;
}

/// Sets the devices that the modules say, if the question names none.
void setDevices(const InputReportQuestion &asked,
                llvm::ArrayRef<ModuleText> modules, ReportQuestion &question) {
  if (asked.deviceIsNamed) return;
  ModuleDevices devices = moduleDevicesOf(modules);
  if (!devices.first.device) return;
  question.device = devices.first.device;
  question.whyDevice = std::move(devices.first.why);
  for (TargetDevice &own : devices.each) {
    question.devices.push_back(own.device);
    question.whyDevices.push_back(std::move(own.why));
  }
}

//===-- A profile ---------------------------------------------------------===//

absl::Status makeOfProfile(const Input &input, const Request &request,
                           InputReport &made) {
  const InputReportQuestion &asked = request.question;
  INDEXICAL_ASSIGN_OR_RETURN(made.profile,
                             readProfiled(input, asked.hlo, asked.readAs));
  ReportQuestion question = ofProgram(asked, /*areKernels=*/true);
  if (!asked.deviceIsNamed) {
    INDEXICAL_ASSIGN_OR_RETURN(question.device,
                               deviceOf(made.profile.profile, asked.join));
  }
  if (!asked.threads) {
    made.calls.emplace(made.profile.program, question, request.ask());
    question.known = &*made.calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(made.report,
                             reportOf(made.profile, question, request.ask()));
  return absl::OkStatus();
}

absl::Status reportOnProfile(const Input &input, const Request &request,
                             InputReport &made) {
  INDEXICAL_RETURN_IF_ERROR(makeOfProfile(input, request, made));
  const auto &baseline = request.question.baseline;
  if (baseline && baseline->profile) {
    InputReport earlier;
    const absl::Status status =
        makeOfProfile(*baseline->profile, request, earlier);
    if (!status.ok())
      return absl::InvalidArgumentError("the baseline `" + baseline->name +
                                        "`: " + std::string(status.message()));
    made.then = oldReportOf(earlier.report);
  } else {
    setThen(request.question, input.path, made);
  }
  compare(request.question, made);
  const absl::Status &damage = made.profile.profile.damage;
  if (!damage.ok()) request.messages.of(0).error(damage);
  made.isWhole = damage.ok();
  return absl::OkStatus();
}

//===-- A module ----------------------------------------------------------===//

absl::Status reportOnModule(const Input &input, const Request &request,
                            InputReport &made) {
  const InputReportQuestion &asked = request.question;
  INDEXICAL_ASSIGN_OR_RETURN(made.program,
                             readProgram(input, asked.readAs, request.ask()));
  ReportQuestion question =
      ofProgram(asked, areKernels(made.program, asked.launch));
  std::vector<ModuleText> modules;
  for (const Module &module : made.program.modules)
    modules.push_back({input.path, module.text});
  setDevices(asked, modules, question);
  if (!asked.threads) {
    made.calls.emplace(made.program, question, request.ask());
    question.known = &*made.calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(made.report,
                             reportOf(made.program, question, request.ask()));
  setThen(asked, input.path, made);
  compare(asked, made);
  return absl::OkStatus();
}

/// Reports on a text that holds kernels of Triton.
absl::Status reportOnKernels(const Input &input, const Request &request,
                             InputReport &made) {
  const InputReportQuestion &asked = request.question;
  KernelQuestion triton = asked.triton;
  triton.device = asked.device;
  const std::string why = setDevice(asked.deviceIsNamed, input, triton.device);
  INDEXICAL_ASSIGN_OR_RETURN(auto read,
                             readTritonProgram(input, triton, request.ask()));
  made.program = std::move(read.program);
  ReportQuestion question =
      ofProgram(asked, areKernels(made.program, asked.launch));
  question.device = triton.device;
  question.whyDevice = why;
  made.report =
      reportOf(made.program, std::move(read.kernels), question, request.ask());
  setThen(asked, input.path, made);
  compare(asked, made);
  made.isWhole = read.failed == 0;
  return absl::OkStatus();
}

//===-- Several modules ---------------------------------------------------===//

/// Messages about one of several texts, whose lines are not shown.
class PlainMessages : public Messages {
 public:
  explicit PlainMessages(Messages &to) : to_(to) {}
  void error(const absl::Status &status) override {
    to_.error(absl::Status(status.code(), status.message()));
  }
  void warning(Place, StringRef text) override { to_.warning({}, text); }
  void note(Place, StringRef text) override { to_.note({}, text); }

 private:
  Messages &to_;
};

absl::Status reportOnModules(llvm::ArrayRef<Input> inputs,
                             const Request &request, InputReport &made) {
  const InputReportQuestion &asked = request.question;
  std::vector<Program> programs;
  std::vector<std::string> files;
  for (auto [k, input] : llvm::enumerate(inputs)) {
    Messages &messages = request.messages.of(k);
    auto program = readProgram(input, asked.readAs,
                               Ask{request.budget, request.jobs, messages});
    if (!program.ok()) {
      messages.error(program.status());
      continue;
    }
    programs.push_back(*std::move(program));
    files.push_back(input.path);
  }
  JoinedModules &joined = made.joined;
  joined = joinModules(std::move(programs), files, asked.launch.has_value());
  if (joined.program.modules.empty())
    return absl::InvalidArgumentError("there is no module to report on");
  Messages &ofAll = request.messages.ofAll();
  if (joined.unscheduled > 0)
    ofAll.note({}, "passed over, as they are not scheduled: " +
                       std::to_string(joined.unscheduled) + " of " +
                       std::to_string(joined.unscheduled +
                                      joined.program.modules.size()) +
                       " modules");
  PlainMessages plain(ofAll);
  const Ask ask{request.budget, request.jobs, plain};
  ReportQuestion question =
      ofProgram(asked, areKernels(joined.program, asked.launch));
  question.files = joined.files;
  std::vector<ModuleText> modules;
  for (auto [m, module] : llvm::enumerate(joined.program.modules))
    modules.push_back({joined.files[m], module.text});
  setDevices(asked, modules, question);
  if (!asked.threads) {
    made.calls.emplace(joined.program, question, ask);
    question.known = &*made.calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(made.report,
                             reportOf(joined.program, question, ask));
  made.isWhole = files.size() == inputs.size();
  return absl::OkStatus();
}

//===-- One kernel --------------------------------------------------------===//

/// Returns the root, or the kernel whose result it only passes on: the root is
/// then a function's return, a bitcast, or a tuple of one.
InstructionId kernelBehind(const Computation &computation, InstructionId root) {
  InstructionId at = root;
  while (!isKernel(computation.instructions[at])) {
    const auto &operands = computation.instructions[at].operands;
    if (operands.size() != 1) return root;
    at = operands.front();
  }
  return at;
}

}  // namespace

absl::StatusOr<EarlierReport> earlierReportOf(Input input) {
  EarlierReport earlier;
  earlier.name = input.path;
  if (isProfile(input)) {
    earlier.profile = std::move(input);
    return earlier;
  }
  INDEXICAL_ASSIGN_OR_RETURN(earlier.reports, readBaseline(input.text));
  return earlier;
}

absl::StatusOr<std::unique_ptr<InputReport>> reportOfInputs(
    llvm::ArrayRef<Input> inputs, const InputReportQuestion &question,
    InputMessages &messages, const Budget &budget, size_t jobs) {
  auto made = std::make_unique<InputReport>();
  const Request request{question, messages, budget, jobs};
  if (inputs.empty())
    return absl::InvalidArgumentError("there is no module to report on");
  if (inputs.size() > 1) {
    INDEXICAL_RETURN_IF_ERROR(reportOnModules(inputs, request, *made));
    return made;
  }
  const Input &input = inputs.front();
  if (isProfile(input)) {
    INDEXICAL_RETURN_IF_ERROR(reportOnProfile(input, request, *made));
    return made;
  }
  if (question.asksOfProfile())
    return absl::InvalidArgumentError(
        "this is no profile, and --gpu, --program-id, --hlo, --first, "
        "--fail-slower and a profile as the --baseline go with one");
  INDEXICAL_RETURN_IF_ERROR(holdsKernels(input)
                                ? reportOnKernels(input, request, *made)
                                : reportOnModule(input, request, *made));
  return made;
}

absl::StatusOr<Report> reportOfKernel(const Program &program,
                                      const OneKernelQuestion &asked,
                                      const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto found,
      findInstruction(program, asked.computation, asked.instruction));
  const Module &module = program.modules[found.module];
  if (asked.instruction.empty())
    found.instruction =
        kernelBehind(module.computations[found.computation], found.instruction);
  KernelCostQuestion question;
  question.device = asked.device;
  question.launch = asked.choice(module, found.module);
  question.launch.threads = asked.threads;
  question.launch.space = asked.space;
  question.runtime = asked.runtime;
  return costOf(program, found.module, {found.computation, found.instruction},
                question, ask);
}

}  // namespace indexical

#include "indexical/answers/report/input_report.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/profile_input.h"
#include "indexical/answers/inputs/target_device.h"
#include "indexical/answers/report/compiled_kernels.h"
#include "indexical/answers/report/inductor_kernels.h"
#include "indexical/answers/report/joined_modules.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/cost/live/live_arrays.h"
#include "indexical/import/python/output_code.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Inputs with their costs, and what of them could not be read.
struct ReadInputs {
  MeasuredProgram program;
  bool isWhole = true;
  absl::Status damage = {};  ///< of a profile
  /// Kernels of Triton: nothing calls them, or their memory is shared in ways
  /// that the module does not have.
  bool isOfTriton = false;
  /// Of files of Inductor, by module.
  std::vector<std::optional<LivePeak>> peaks = {};
  std::vector<FailedFile> failed = {};
};

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

/// Measures the kernels of Triton that the program calls, unless the question
/// has threads in their place.
std::shared_ptr<const KnownCosts> tritonCallsOf(Program &program,
                                                const ModuleDevices &devices,
                                                const LaunchQuestion &question,
                                                const Ask &ask) {
  if (question.threads) return nullptr;
  return std::make_shared<const TritonCalls>(program, devices, ask);
}

//===-- Inputs, read ------------------------------------------------------===//

absl::StatusOr<ReadInputs> readAsProfile(const Input &input,
                                         const InputReportQuestion &question,
                                         const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto profiled, readProfiled(input, question.hlo, question.readAs));
  auto read = std::make_shared<ProfiledProgram>(std::move(profiled));
  DeviceProgram of(std::shared_ptr<const Program>(read, &read->program));
  of.devices.first.device = question.device;
  if (!question.device) {
    INDEXICAL_ASSIGN_OR_RETURN(of.devices.first.device,
                               deviceOf(read->profile, question.join));
  }
  of.known = tritonCallsOf(read->program, of.devices, question, ask);
  absl::Status damage = read->profile.damage;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto measured, measureProfile(std::move(of), std::move(read), question,
                                    question.join, ask));
  const bool isWhole = damage.ok();
  return ReadInputs{std::move(measured), isWhole, std::move(damage)};
}

/// Reads a text that holds kernels of Triton.
absl::StatusOr<ReadInputs> readAsKernels(const Input &input,
                                         const InputReportQuestion &question,
                                         const Ask &ask) {
  TargetDevice target = targetDeviceOf(question.device, input);
  KernelQuestion triton = question.triton;
  triton.device = target.device;
  INDEXICAL_ASSIGN_OR_RETURN(auto read, readTritonProgram(input, triton, ask));
  DeviceProgram of(std::move(read.program));
  of.devices.first = std::move(target);
  ReadInputs made{withCosts(std::move(of), std::move(read.kernels), question)};
  made.isWhole = read.failed == 0;
  made.isOfTriton = true;
  return made;
}

/// An error if the call says something that no file has a place for.
absl::Status checkNames(const KernelQuestion &asked,
                        const std::set<std::string> &names) {
  // Blocks that Inductor chooses; not every file has each of them.
  static constexpr StringRef kBlocks[] = {"XBLOCK",   "YBLOCK",   "ZBLOCK",
                                          "RBLOCK",   "R0_BLOCK", "R1_BLOCK",
                                          "RSPLIT",   "RSPLIT_SIZE"};
  const std::vector<StringRef> known(names.begin(), names.end());
  auto check = [&](const char *option, StringRef name) -> absl::Status {
    if (names.count(name.str())) return absl::OkStatus();
    return errorAt({},
                   std::string(option) + ": no file has a name `" + name.str() +
                       "` of a kernel's parameter or of a size",
                   nearest(name, known));
  };
  for (const auto &pair : asked.arguments)
    INDEXICAL_RETURN_IF_ERROR(check("--arg", pair.first));
  for (const auto &pair : asked.constants)
    if (!llvm::is_contained(kBlocks, StringRef(pair.first)))
      INDEXICAL_RETURN_IF_ERROR(check("--const", pair.first));
  for (const auto &pair : asked.types)
    INDEXICAL_RETURN_IF_ERROR(check("--type", pair.first));
  return absl::OkStatus();
}

/// Reads texts that Inductor wrote.
absl::StatusOr<ReadInputs> readAsInductor(llvm::ArrayRef<Input> inputs,
                                          const InputReportQuestion &question,
                                          InputMessages &messages,
                                          const Ask &ask) {
  std::vector<Program> programs;
  std::vector<std::string> files;
  std::vector<ModuleText> texts;
  std::vector<FailedFile> failed;
  auto costs = std::make_shared<InductorCosts>();
  bool isWhole = true;
  std::vector<std::optional<LivePeak>> peaks;
  std::set<std::string> names;
  std::vector<ModuleText> ofInputs;
  for (const Input &input : inputs)
    ofInputs.push_back({input.path, input.text});
  const ModuleDevices devices = moduleDevicesOf(ofInputs);
  for (auto [k, input] : llvm::enumerate(inputs)) {
    KernelQuestion own = question.triton;
    own.device = question.device;
    if (!own.device && devices.first.device) own.device = &devices.of(k);
    Messages &to = messages.of(k);
    auto read = readInductorProgram(input, own, Ask{ask.budget, ask.jobs, to});
    if (!read.ok()) {
      if (inputs.size() == 1) return read.status();
      to.error(read.status());
      failed.push_back({input.path, read.status()});
      isWhole = false;
      continue;
    }
    isWhole &= read->failed == 0;
    names.merge(read->names);
    for (auto &peak : read->peaks) peaks.push_back(std::move(peak));
    costs->add(programs.size(), read->costs);
    for (Program &program : read->programs) {
      programs.push_back(std::move(program));
      files.push_back(input.path);
      texts.push_back({input.path, input.text});
    }
  }
  if (programs.empty())
    return absl::InvalidArgumentError("there is no kernel to report on");
  INDEXICAL_RETURN_IF_ERROR(checkNames(question.triton, names));
  const bool areSeveral = programs.size() > 1;
  const auto joined = std::make_shared<JoinedModules>(
      joinModules(std::move(programs), files, /*takesAll=*/true));
  joined->program.path = inputs.front().path;
  DeviceProgram of(std::shared_ptr<const Program>(joined, &joined->program));
  if (areSeveral) of.files = joined->files;
  of.devices.first.device = question.device;
  if (!question.device) of.devices = moduleDevicesOf(texts);
  of.known = std::move(costs);
  INDEXICAL_ASSIGN_OR_RETURN(auto measured,
                             measure(std::move(of), question, ask));
  ReadInputs made{std::move(measured), isWhole};
  made.isOfTriton = true;
  made.failed = std::move(failed);
  made.peaks = std::move(peaks);
  return made;
}

/// Measures the modules of one program; files[m] is the path of modules[m].
/// `of` views the program.
absl::StatusOr<MeasuredProgram> measureModules(
    Program &program, DeviceProgram of, llvm::ArrayRef<std::string> files,
    const LaunchQuestion &question, const Ask &ask) {
  std::vector<ModuleText> texts;
  for (auto [module, file] : llvm::zip_equal(program.modules, files))
    texts.push_back({file, module.text});
  of.devices.first.device = question.device;
  if (!question.device) of.devices = moduleDevicesOf(texts);
  of.known = tritonCallsOf(program, of.devices, question, ask);
  // The call may ask for a model in place of what was compiled.
  if (!question.threads && !question.launch)
    of.known = std::make_shared<const CompiledKernels>(
        program, files, of.devices, std::move(of.known), ask);
  return measure(std::move(of), question, ask);
}

absl::StatusOr<ReadInputs> readAsModule(const Input &input,
                                        const InputReportQuestion &question,
                                        const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(auto read,
                             readProgram(input, question.readAs, ask));
  const auto program = std::make_shared<Program>(std::move(read));
  const std::vector<std::string> files(program->modules.size(), input.path);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto measured,
      measureModules(*program, DeviceProgram(program), files, question, ask));
  return ReadInputs{std::move(measured)};
}

absl::StatusOr<ReadInputs> readAsModules(llvm::ArrayRef<Input> inputs,
                                         const InputReportQuestion &question,
                                         InputMessages &messages,
                                         const Ask &ask) {
  std::vector<Program> programs;
  std::vector<std::string> files;
  std::vector<FailedFile> failed;
  for (auto [k, input] : llvm::enumerate(inputs)) {
    Messages &own = messages.of(k);
    auto program =
        readProgram(input, question.readAs, Ask{ask.budget, ask.jobs, own});
    if (!program.ok()) {
      own.error(program.status());
      failed.push_back({input.path, program.status()});
      continue;
    }
    programs.push_back(*std::move(program));
    files.push_back(input.path);
  }
  const bool isWhole = files.size() == inputs.size();
  const auto joined = std::make_shared<JoinedModules>(
      joinModules(std::move(programs), files, question.launch.has_value()));
  const size_t modules = joined->program.modules.size();
  if (modules == 0)
    return absl::InvalidArgumentError("there is no module to report on");
  if (joined->unscheduled > 0)
    messages.ofAll().note(
        {}, "passed over, as they are not scheduled: " +
                std::to_string(joined->unscheduled) + " of " +
                std::to_string(joined->unscheduled + modules) + " modules");
  DeviceProgram of(std::shared_ptr<const Program>(joined, &joined->program));
  of.files = joined->files;
  INDEXICAL_ASSIGN_OR_RETURN(auto measured,
                             measureModules(joined->program, std::move(of),
                                            joined->files, question, ask));
  ReadInputs made{std::move(measured), isWhole};
  made.failed = std::move(failed);
  return made;
}

/// Returns what the earlier report says about the file: that of a profile is
/// made with the same question.
absl::StatusOr<OldReport> earlierOf(const InputReportQuestion &question,
                                    StringRef file, const Ask &ask) {
  const EarlierReport &earlier = *question.earlier;
  if (!earlier.profile) {
    const OldReport *about = reportAbout(earlier.reports, file);
    return about ? *about : OldReport();
  }
  auto made = [&]() -> absl::StatusOr<OldReport> {
    INDEXICAL_ASSIGN_OR_RETURN(auto read,
                               readAsProfile(*earlier.profile, question, ask));
    INDEXICAL_ASSIGN_OR_RETURN(
        auto report, reportOf(std::move(read.program), question, ask));
    return oldReportOf(report);
  }();
  if (made.ok()) return made;
  return absl::InvalidArgumentError("the baseline `" + earlier.name + "`: " +
                                    std::string(made.status().message()));
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

absl::StatusOr<InputReport> reportOfInputs(llvm::ArrayRef<Input> inputs,
                                           const InputReportQuestion &question,
                                           InputMessages &messages,
                                           const Budget &budget, size_t jobs) {
  if (inputs.empty())
    return absl::InvalidArgumentError("there is no module to report on");
  const bool areSeveral = inputs.size() > 1;
  const Input &input = inputs.front();
  const bool isOfProfile = !areSeveral && isProfile(input);
  const bool isOfInductor =
      !isOfProfile && llvm::all_of(inputs, [](const Input &each) {
        return python::looksLikeOutputCode(each.text);
      });
  if (!areSeveral && !isOfProfile && question.asksOfProfile())
    return absl::InvalidArgumentError(
        "this is not a profile, and --gpu, --program-id, --hlo, --first, "
        "--fail-slower and a profile as the --baseline go with one");
  if (const bool areKernels = !areSeveral && !isOfProfile && !isOfInductor &&
                              holdsKernels(input);
      areKernels && (question.live || question.cancels))
    return absl::InvalidArgumentError(
        "--live and --cancels follow modules, and no arrays pass between "
        "kernels of Triton");
  if (isOfInductor &&
      (!question.triton.shapes.empty() || !question.triton.assumed.empty()))
    return absl::InvalidArgumentError(
        "--shape and --assume say nothing here: a file of Inductor says the "
        "sizes of its launches");
  if (isOfInductor && question.cancels)
    return absl::InvalidArgumentError(
        "--cancels follows ops of HLO, and files of Inductor have kernels");
  PlainMessages plain(messages.ofAll());
  const Ask ask{budget, jobs, areSeveral ? plain : messages.of(0)};
  INDEXICAL_ASSIGN_OR_RETURN(
      auto read, isOfInductor  ? readAsInductor(inputs, question, messages, ask)
                 : areSeveral  ? readAsModules(inputs, question, messages, ask)
                 : isOfProfile ? readAsProfile(input, question, ask)
                 : holdsKernels(input) ? readAsKernels(input, question, ask)
                                       : readAsModule(input, question, ask));
  ReportQuestion own = question;
  if (question.earlier && !areSeveral) {
    INDEXICAL_ASSIGN_OR_RETURN(auto then, earlierOf(question, input.path, ask));
    own.baseline = std::make_shared<const OldReport>(std::move(then));
  }
  // What is live in these is not what the module says.
  if (read.isOfTriton) own.live = false;
  INDEXICAL_ASSIGN_OR_RETURN(auto report,
                             reportOf(std::move(read.program), own, ask));
  if (question.live && isOfInductor) {
    report.peaks.emplace();
    for (auto [module, peak] : llvm::enumerate(read.peaks))
      if (peak)
        report.peaks->push_back({report.program.get(), module, *peak});
  }
  if (!read.damage.ok()) messages.of(0).error(read.damage);
  report.failed = std::move(read.failed);
  report.isWhole = read.isWhole;
  return InputReport{std::move(report), read.isWhole};
}

absl::StatusOr<Report> reportOfKernel(std::shared_ptr<const Program> program,
                                      const Input &input,
                                      const OneKernelQuestion &question,
                                      const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto found,
      findInstruction(*program, question.computation, question.instruction));
  const Module &module = program->modules[found.module];
  if (question.instruction.empty())
    found.instruction =
        kernelBehind(module.computations[found.computation], found.instruction);
  DeviceProgram of(program);
  of.devices.first = targetDeviceOf(question.device, input);
  if (!of.devices.first.device) of.devices.first.device = &defaultDevice();
  OneKernel kernel{found.module,
                   {found.computation, found.instruction},
                   question.choice(module, *of.devices.first.device),
                   question.runtime};
  kernel.launch.threads = question.threads;
  kernel.launch.space = question.space;
  INDEXICAL_ASSIGN_OR_RETURN(auto measured,
                             measureOne(std::move(of), kernel, ask));
  return reportOf(std::move(measured));
}

}  // namespace indexical

#include "indexical/answers/report/compiled_kernels.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/confined.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/fusion_grids.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/answers/ordered.h"
#include "indexical/answers/report/kernel_call.h"
#include "indexical/answers/report/modelled.h"
#include "indexical/cost/launch/kernel_classes.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/module/operand_arrays.h"
#include "indexical/same/kernel/call_arguments.h"

namespace indexical {
namespace {

using kernels::KernelSource;
using llvm::StringRef;

constexpr StringRef kCompiled = ".ir-with-opt.ll";

/// Returns the call of the kernel, or nothing if it is no kernel of that
/// instruction.
std::optional<KernelCall> callOf(const Module &module, const KernelSite &site,
                                 const kernels::TritonKernel &kernel) {
  const auto found = kernels::argumentsOfCall(module, site.computation,
                                              site.instruction, kernel);
  if (!found) return std::nullopt;
  KernelCall call;
  call.model = LaunchModel::Compiled;
  call.computation = site.computation;
  call.instruction = site.instruction;
  const OpShapes &shapes = shapesOf(
      module.computations[site.computation].instructions[site.instruction].op);
  call.operands.assign(shapes.operands.begin(), shapes.operands.end());
  call.results.assign(shapes.results.begin(), shapes.results.end());
  call.operandOf.resize(found->count);
  call.resultOf.resize(found->count);
  for (auto [leaf, argument] : llvm::enumerate(found->ofOperand))
    if (!call.operandOf[argument]) call.operandOf[argument] = leaf;
  for (auto [leaf, argument] : llvm::enumerate(found->ofResult))
    call.resultOf[argument] = leaf;
  return call;
}

/// Returns the array of each argument, if no result is in the memory of an
/// operand.
std::vector<std::pair<int64_t, ArrayShape>> arraysOfArguments(
    const Module &module, const KernelSite &site) {
  std::vector<std::pair<int64_t, ArrayShape>> all;
  auto add = [&](const ArrayShape &array) {
    all.push_back({static_cast<int64_t>(all.size()), array});
  };
  const OpShapes &shapes = shapesOf(
      module.computations[site.computation].instructions[site.instruction].op);
  for (auto [leaf, first] : llvm::enumerate(
           arraysOfOperands(module, site.computation, site.instruction)))
    if (first == leaf) add(shapes.operands[leaf]);
  for (const ArrayShape &result : shapes.results) add(result);
  return all;
}

/// Returns the file beside the module's whose name is the beginning of that
/// one's and `end`, or "". The names of dumps have dots in them: the longest
/// that has a file counts.
std::string fileBeside(StringRef path, StringRef end) {
  const StringRef folder = llvm::sys::path::parent_path(path);
  StringRef stem = llvm::sys::path::filename(path);
  while (stem.contains('.')) {
    stem = stem.rsplit('.').first;
    llvm::SmallString<256> file(folder);
    llvm::sys::path::append(file, (stem + end).str());
    if (llvm::sys::fs::is_regular_file(file)) return file.str().str();
  }
  return "";
}

}  // namespace

std::string compiledFileOf(const std::string &path) {
  return fileBeside(path, kCompiled);
}

namespace {

/// Whether the arrays that a kernel names where it stores have the sizes of the
/// call's results. Triton's IR says no sizes of arguments.
bool storesResults(const kernels::TritonKernel &kernel,
                   const KernelCall &call) {
  for (const kernels::KernelAccess &access : kernel.accesses) {
    const int64_t argument = access.argument();
    if (access.kind != kernels::AccessKind::Store || access.view.empty() ||
        argument < 0 || argument >= static_cast<int64_t>(call.resultOf.size()))
      continue;
    const auto result = call.resultOf[argument];
    std::optional<int64_t> elements = 1;
    for (const kernels::ViewSide &side : access.view)
      if (elements) elements = checkedMul(*elements, side.size);
    if (!result || elements != call.results[*result].elementCount())
      return false;
  }
  return true;
}

/// The kernels of one module, read from the file beside it.
class ModuleKernels {
 public:
  struct Matched {
    KernelSite site;
    KernelFindings found;
    KernelCall call;
  };

  ModuleKernels(const Module &module, StringRef path, StringRef text,
                std::vector<std::string> names, const KernelQuestion &question,
                const Ask &ask)
      : module_(module),
        path_(path),
        text_(text),
        names_(std::move(names)),
        question_(question),
        budget_(ask.budget),
        jobs_(std::max<size_t>(ask.jobs, 1)) {}

  /// Finds the kernels of all instructions. The module must not change
  /// meanwhile.
  void find() {
    std::vector<Reading> readings;
    std::vector<KernelSite> without;
    for (const KernelSite &site : kernelSites(module_)) {
      if (auto reading = readingOf(site))
        readings.push_back(*std::move(reading));
      else
        without.push_back(site);
    }
    KernelClasses classes;
    // The numbers of the kernels of each class.
    std::map<size_t, std::vector<size_t>> ofClass;
    auto classOf = [&](const KernelSite &site) {
      return classes.classOf(module_, site.computation, site.instruction);
    };
    std::vector<uint32_t> owners;
    for (size_t number = 0; number < readings.size(); ++number)
      owners.push_back(static_cast<uint32_t>(number % jobs_));
    inOrder<absl::StatusOr<KernelFindings>>(
        owners,
        [&](size_t, size_t number) {
          const Reading &of = readings[number];
          return measureKernel(of.source, of.question, budget_);
        },
        [&](size_t number, absl::StatusOr<KernelFindings> found) {
          const Reading &of = readings[number];
          auto call = found.ok() ? callOf(module_, of.site, found->kernel)
                                 : std::nullopt;
          if (call && storesResults(found->kernel, *call)) {
            call->model = of.model;
            ofClass[classOf(of.site)].push_back(kernels_.size());
            kernels_.push_back({of.site, *std::move(found), *std::move(call)});
          } else {
            ++leftOut_;
          }
          return budget_.check().ok();
        });
    // A fusion that does the same as another one runs its kernel.
    if (ofClass.empty()) return;
    for (const KernelSite &site : without) {
      const auto alike = ofClass.find(classOf(site));
      if (alike == ofClass.end()) continue;
      if (auto shared = sharedBy(site, alike->second))
        shared_.push_back(*std::move(shared));
    }
  }

  std::vector<Matched> &kernels() { return kernels_; }
  /// Returns the calls of a kernel of another instruction, with its number.
  std::vector<std::pair<size_t, KernelCall>> &shared() { return shared_; }
  size_t leftOut() const { return leftOut_; }

 private:
  const Instruction &instructionAt(const KernelSite &site) const {
    return module_.computations[site.computation]
        .instructions[site.instruction];
  }

  /// Returns the kernel among these, which are of one class, that the
  /// instruction runs, and its call. Returns nothing if it may be one of
  /// several with other arguments: some write results in operands' memory.
  std::optional<std::pair<size_t, KernelCall>> sharedBy(
      const KernelSite &site, llvm::ArrayRef<size_t> numbers) const {
    std::optional<std::pair<size_t, KernelCall>> shared;
    for (const size_t number : numbers) {
      const auto &kernel = kernels_[number].found.kernel;
      // One array for two operands is one argument less.
      auto call = callOf(module_, site, kernel);
      if (!call) continue;
      call->model = kernels_[number].call.model;
      if (!shared)
        shared.emplace(number, *std::move(call));
      else if (kernel.arguments.size() !=
               kernels_[shared->first].found.kernel.arguments.size())
        return std::nullopt;
    }
    return shared;
  }

  /// How the kernel of an instruction is read.
  struct Reading {
    KernelSite site;
    KernelSource source;
    KernelQuestion question;
    LaunchModel model = LaunchModel::Compiled;
  };

  /// Returns the kernel of the instruction's name, or nothing if its code is
  /// not there.
  std::optional<Reading> readingOf(const KernelSite &site) const {
    Reading reading{site, {}, question_};
    const Instruction &instruction = instructionAt(site);
    const std::string name = kernelName(instruction.name);
    if (!llvm::is_contained(names_, name)) return tritonReadingOf(site);
    reading.source.read.function = name;
    reading.source.text = kernels::llvmTextOf(text_, name, names_);
    // The fusion's tiles are the blocks of a kernel that names none.
    reading.question.grid = gridOfFusion(module_, instruction);
    return reading;
  }

  /// Returns the Triton IR of a product of matrices, whose grid and warps are
  /// those of its configuration. The model knows other fusions that Triton
  /// compiles.
  std::optional<Reading> tritonReadingOf(const KernelSite &site) const {
    Reading reading{site, {}, question_, LaunchModel::Own};
    const Instruction &instruction = instructionAt(site);
    reading.question.grid = gridOfProduct(module_, instruction);
    if (reading.question.grid.empty()) return std::nullopt;
    const std::string file =
        fileBeside(path_, "." + instruction.name.str() + ".ttir");
    if (file.empty() || !checkConfined(file).ok()) return std::nullopt;
    auto text = llvm::MemoryBuffer::getFile(file);
    if (!text) return std::nullopt;
    reading.source.text = (*text)->getBuffer().str();
    reading.source.shapes = arraysOfArguments(module_, site);
    Fusion fusion;
    fusion.module = &module_;
    fusion.caller = &instruction;
    if (const auto warps = launchOf(fusion).warps; warps && *warps > 0)
      reading.question.warps = static_cast<size_t>(*warps);
    return reading;
  }

  const Module &module_;
  const StringRef path_;  ///< of the module's file
  const StringRef text_;  ///< of its kernels; empty: there is none
  const std::vector<std::string> names_;
  const KernelQuestion &question_;
  const Budget &budget_;
  const size_t jobs_;
  std::vector<Matched> kernels_;
  std::vector<std::pair<size_t, KernelCall>> shared_;
  size_t leftOut_ = 0;
};

}  // namespace

CompiledKernels::CompiledKernels(Program &program,
                                 llvm::ArrayRef<std::string> files,
                                 const ModuleDevices &devices,
                                 std::shared_ptr<const KnownCosts> rest,
                                 const Ask &ask)
    : rest_(std::move(rest)) {
  std::vector<std::string> ptx;  // of modules that have nothing better
  for (size_t m = 0; m < files.size(); ++m) {
    const std::string &path = files[m];
    const std::string file = compiledFileOf(path);
    std::unique_ptr<llvm::MemoryBuffer> read;
    if (!file.empty() && checkConfined(file).ok())
      if (auto opened = llvm::MemoryBuffer::getFile(file))
        read = std::move(*opened);
    const StringRef text = read ? read->getBuffer() : StringRef();
    if (const std::string beside = fileBeside(path, ".ptx");
        file.empty() && !beside.empty())
      ptx.push_back(llvm::sys::path::filename(beside).str());
    std::vector<std::string> names;
    if (read) {
      auto found = kernels::llvmKernelsIn(text);
      if (found.ok())
        names = *std::move(found);
      else
        ask.messages.warning(
            {}, absl::StrCat(file, " is left out: ",
                             std::string(found.status().message())));
    }
    Module &module = program.modules[m];
    KernelQuestion question;
    if (devices.first.device) question.device = &devices.of(m);
    ModuleKernels kernels(module, path, text, std::move(names), question, ask);
    kernels.find();
    auto take = [&](const KernelFindings &found, KernelCall &call) {
      found_[{m, call.computation, call.instruction}] =
          std::make_shared<const Measurement>(measurementOf(found, call));
    };
    for (ModuleKernels::Matched &each : kernels.kernels()) {
      const Metadata metadata = module.computations[each.site.computation]
                                    .instructions[each.site.instruction]
                                    .metadata;
      each.call.origins =
          addOrigins(each.found.kernel, metadata, program, module);
      take(each.found, each.call);
    }
    for (auto &[number, call] : kernels.shared()) {
      call.origins = kernels.kernels()[number].call.origins;
      take(kernels.kernels()[number].found, call);
    }
    if (const size_t count = kernels.leftOut())
      ask.messages.note(
          {}, absl::StrCat(
                  count, count == 1 ? " kernel of " : " kernels of ",
                  llvm::sys::path::filename(read ? file : path).str(),
                  count == 1 ? " is" : " are",
                  " predicted by the model in place of its code: arguments or "
                  "grid are not those of the instruction"));
  }
  if (ptx.empty()) return;
  const size_t others = ptx.size() - 1;
  ask.messages.note(
      {}, absl::StrCat(
              ptx.front(),
              others > 0 ? absl::StrCat(" and ", others, " more are") : " is",
              " not read: PTX does not say which array an address is "
              "of; `*",
              kCompiled.str(), "`, which XLA writes beside it, does"));
}

std::shared_ptr<const Measurement> CompiledKernels::at(
    size_t module, const KernelSite &site) const {
  const auto known = found_.find({module, site.computation, site.instruction});
  if (known == found_.end()) return rest_ ? rest_->at(module, site) : nullptr;
  auto made = std::make_shared<Measurement>(*known->second);
  made->kernel.trips = made->traffic.trips = site.trips;
  made->kernel.tripsKnown = site.tripsKnown;
  return made;
}

}  // namespace indexical

#include "indexical/answers/report/compiled_kernels.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/answers/report/alike_kernels.h"
#include "indexical/answers/report/kernel_call.h"
#include "indexical/import/llvm/read.h"
#include "indexical/same/kernel/call_arguments.h"

namespace indexical {
namespace {

using kernels::KernelSource;
using llvm::StringRef;

constexpr StringRef kCompiled = ".ir-with-opt.ll";

/// Returns the call of the kernel, or nothing if it is no
/// call of that instruction.
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

}  // namespace

std::string compiledFileOf(const std::string &path) {
  const StringRef folder = llvm::sys::path::parent_path(path);
  StringRef stem = llvm::sys::path::filename(path);
  // The names of dumps have dots in them: the longest that has a file counts.
  while (stem.contains('.')) {
    stem = stem.rsplit('.').first;
    llvm::SmallString<256> file(folder);
    llvm::sys::path::append(file, (stem + kCompiled).str());
    if (llvm::sys::fs::is_regular_file(file)) return file.str().str();
  }
  return "";
}

namespace {

/// The kernels of one module, read from the file beside it.
class ModuleKernels {
 public:
  struct Matched {
    KernelSite site;
    KernelFindings found;
    KernelCall call;
  };

  ModuleKernels(const Module &module, StringRef text,
                std::vector<std::string> names, const KernelQuestion &question,
                const Ask &ask)
      : module_(module),
        text_(text),
        names_(std::move(names)),
        question_(question),
        budget_(ask.budget) {}

  /// Finds the kernels of all instructions. The module must not change
  /// meanwhile.
  void find() {
    ProgramIndexing maps(module_, /*prover=*/nullptr, budget_);
    AlikeKernels alike;
    std::map<const Measurement *, size_t> numbers;
    std::vector<KernelSite> without;
    auto placeOf = [&](const KernelSite &site) {
      return alike.placeOf(instructionAt(site), site, LaunchModel::Compiled,
                           maps);
    };
    for (const KernelSite &site : kernelSites(module_)) {
      if (!budget_.check().ok()) return;
      if (!llvm::is_contained(names_, kernelName(instructionAt(site).name))) {
        without.push_back(site);
        continue;
      }
      auto matched = match(site);
      if (!matched) {
        ++leftOut_;
        continue;
      }
      if (auto *place = placeOf(site); place && !*place) {
        *place = std::make_shared<const Measurement>();
        numbers[place->get()] = kernels_.size();
      }
      kernels_.push_back(*std::move(matched));
    }
    // A fusion that does the same as another one runs its kernel.
    for (const KernelSite &site : without) {
      const auto *place = placeOf(site);
      if (!place || !*place) continue;
      const size_t number = numbers.at(place->get());
      // One array for two operands is one argument less.
      if (auto call = callOf(module_, site, kernels_[number].found.kernel))
        shared_.push_back({number, *std::move(call)});
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

  std::optional<Matched> match(const KernelSite &site) const {
    KernelSource source;
    source.read.function = kernelName(instructionAt(site).name);
    source.text = kernels::llvmTextOf(text_, source.read.function, names_);
    auto found = measureKernel(source, question_, budget_);
    if (!found.ok()) {
      // The fusion's tiles are the blocks of a kernel that names none.
      Fusion fusion;
      fusion.module = &module_;
      fusion.caller = &instructionAt(site);
      const auto blocks = blocksOf(fusion);
      if (!blocks) return std::nullopt;
      KernelQuestion own = question_;
      own.grid = {*blocks};
      found = measureKernel(source, own, budget_);
    }
    if (!found.ok()) return std::nullopt;
    auto call = callOf(module_, site, found->kernel);
    if (!call) return std::nullopt;
    return Matched{site, *std::move(found), *std::move(call)};
  }

  const Module &module_;
  const StringRef text_;
  const std::vector<std::string> names_;
  const KernelQuestion &question_;
  const Budget &budget_;
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
  for (auto [m, path] : llvm::enumerate(files)) {
    const std::string file = compiledFileOf(path);
    if (file.empty()) continue;
    auto read = llvm::MemoryBuffer::getFile(file);
    if (!read) continue;
    const StringRef text = (*read)->getBuffer();
    auto names = kernels::llvmKernelsIn(text);
    if (!names.ok()) {
      ask.messages.warning({},
                           absl::StrCat(file, " is left out: ",
                                        std::string(names.status().message())));
      continue;
    }
    Module &module = program.modules[m];
    KernelQuestion question;
    if (devices.first.device) question.device = &devices.of(m);
    ModuleKernels kernels(module, text, *std::move(names), question, ask);
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
                  llvm::sys::path::filename(file).str(),
                  count == 1 ? " is" : " are",
                  " predicted by the model in place of its code: arguments or "
                  "grid are not those of the instruction"));
  }
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

#include "indexical/answers/report/compiled_kernels.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/answers/report/alike_kernels.h"
#include "indexical/answers/report/kernel_call.h"
#include "indexical/import/llvm/read.h"
#include "indexical/import/triton/sources/configuration_text.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/program/module/value.h"
#include "indexical/same/kernel/fusion_grid.h"

namespace indexical {
namespace {

using kernels::KernelSource;
using llvm::StringRef;

constexpr StringRef kCompiled = ".ir-with-opt.ll";

std::string kernelName(StringRef instruction) {
  std::string name = instruction.str();
  for (char &letter : name)
    if (letter == '.' || letter == '-') letter = '_';
  return name;
}

/// The arrays of an instruction and the arguments of its kernel.
class Arguments {
 public:
  Arguments(const Module &module, const KernelSite &site)
      : module_(module),
        site_(site),
        instruction_(module.computations[site.computation]
                         .instructions[site.instruction]) {}

  /// Returns the call of a kernel with arguments of these sizes in bytes, or
  /// nothing if it is no call of that instruction.
  std::optional<KernelCall> match(
      llvm::ArrayRef<kernels::KernelArgument> arguments) const {
    KernelCall call;
    call.model = LaunchModel::Compiled;
    call.computation = site_.computation;
    call.instruction = site_.instruction;
    const OpShapes &shapes = shapesOf(instruction_.op);
    call.operands.assign(shapes.operands.begin(), shapes.operands.end());
    call.results.assign(shapes.results.begin(), shapes.results.end());
    // The argument of each operand: equal values are one array.
    std::map<Value, size_t> known;
    std::vector<size_t> ofOperand;
    for (size_t leaf = 0; leaf < call.operands.size(); ++leaf) {
      const Value value = originOf(
          module_,
          operandOf(module_,
                    Value{site_.computation, site_.instruction, LeafId(0), {}},
                    LeafId(leaf)));
      const auto [at, isNew] = known.try_emplace(value, call.operandOf.size());
      if (isNew) add(call, leaf, std::nullopt);
      ofOperand.push_back(at->second);
    }
    const size_t operands = call.operandOf.size();
    for (const bool takesUpdated : {false, true}) {
      call.operandOf.resize(operands);
      call.resultOf.assign(operands, std::nullopt);
      for (size_t result = 0; result < call.results.size(); ++result) {
        const int64_t updated =
            takesUpdated ? updatedOperand(module_, instruction_, LeafId(result))
                         : -1;
        if (updated >= 0 && updated < static_cast<int64_t>(ofOperand.size()))
          call.resultOf[ofOperand[updated]] = result;
        else
          add(call, std::nullopt, result);
      }
      if (fits(call, arguments)) return call;
    }
    return std::nullopt;
  }

 private:
  static void add(KernelCall &call, std::optional<size_t> operand,
                  std::optional<size_t> result) {
    call.operandOf.push_back(operand);
    call.resultOf.push_back(result);
  }

  static bool fits(const KernelCall &call,
                   llvm::ArrayRef<kernels::KernelArgument> arguments) {
    if (arguments.size() != call.operandOf.size()) return false;
    for (auto [number, argument] : llvm::enumerate(arguments)) {
      if (!argument.isPointer) return false;
      const ArrayShape &array = call.operandOf[number]
                                    ? call.operands[*call.operandOf[number]]
                                    : call.results[*call.resultOf[number]];
      if (argument.bytes && *argument.bytes != bytesOf(array)) return false;
    }
    return true;
  }

  const Module &module_;
  const KernelSite site_;
  const Instruction &instruction_;
};

/// Returns the number that a configuration of a product has, as a number or as
/// a text.
std::optional<int64_t> numberIn(const llvm::json::Object &config,
                                StringRef key) {
  if (const auto number = config.getInteger(key)) return *number;
  int64_t number = 0;
  const auto text = config.getString(key);
  if (!text || text->getAsInteger(10, number)) return std::nullopt;
  return number;
}

/// Returns the blocks of a product of matrices: one a tile of its result.
std::optional<int64_t> blocksOfProduct(const Instruction &instruction) {
  auto parsed = llvm::json::parse(configurationText(instruction.backendConfig));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *at = parsed->getAsObject();
  for (StringRef key : {"fusion_backend_config", "triton_gemm_config"})
    if (at) at = at->getObject(key);
  const auto &results = shapesOf(instruction.op).results;
  if (!at || results.size() != 1 || results[0].dimensions.size() != 2)
    return std::nullopt;
  const auto rows = numberIn(*at, "block_m"),
             columns = numberIn(*at, "block_n");
  const auto split = numberIn(*at, "split_k");
  if (!rows || !columns || *rows < 1 || *columns < 1 || split.value_or(1) != 1)
    return std::nullopt;
  return checkedMul(ceilDiv(results[0].dimensions[0], *rows),
                    ceilDiv(results[0].dimensions[1], *columns));
}

/// Returns the blocks that the configuration of a fusion says, where the kernel
/// says none.
std::optional<int64_t> blocksOf(const Module &module,
                                const Instruction &instruction) {
  if (const auto blocks = blocksOfProduct(instruction)) return blocks;
  Fusion fusion;
  fusion.module = &module;
  fusion.caller = &instruction;
  const FusionLaunch launch = launchOf(fusion);
  const auto &results = shapesOf(instruction.op).results;
  if (launch.tiles.empty() || launch.tiles.size() > results.size())
    return std::nullopt;
  std::optional<int64_t> blocks;
  for (auto [result, tile] : llvm::zip(results, launch.tiles)) {
    if (tile.size() != result.dimensions.size()) return std::nullopt;
    const int64_t own = kernels::programsOf(result, tile);
    if (blocks && own != *blocks) return std::nullopt;
    blocks = own;
  }
  return ceilDiv(*blocks, launch.tilesOfProgram);
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
      if (auto call = Arguments(module_, site)
                          .match(kernels_[number].found.kernel.arguments))
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
      const auto blocks = blocksOf(module_, instructionAt(site));
      if (!blocks) return std::nullopt;
      KernelQuestion own = question_;
      own.grid = {*blocks};
      found = measureKernel(source, own, budget_);
    }
    if (!found.ok()) return std::nullopt;
    auto call = Arguments(module_, site).match(found->kernel.arguments);
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
  for (size_t m = 0; m < files.size(); ++m) {
    const std::string file = compiledFileOf(files[m]);
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

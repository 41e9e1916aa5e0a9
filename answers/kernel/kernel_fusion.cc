#include "indexical/answers/kernel/kernel_fusion.h"

#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/kernel/fusion_grids.h"
#include "indexical/cost/launch/triton_config.h"
#include "indexical/import/triton/sources/configuration_text.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/same/kernel/fusion_grid.h"

namespace indexical {
namespace {

using llvm::StringRef;
namespace fs = llvm::sys::fs;

absl::Status wrong(std::string text) {
  return absl::InvalidArgumentError("--of: " + std::move(text));
}

absl::StatusOr<Program> readModules(const std::string &path,
                                    absl::StatusOr<Input> input) {
  if (!input.ok())
    return wrong(
        absl::StrCat(path, " ", std::string(input.status().message())));
  auto program = readProgram(*input, ReadAs());
  if (!program.ok())
    return wrong(
        absl::StrCat(path, ": ", std::string(program.status().message())));
  return program;
}

/// The computation that an instruction calls.
std::optional<ComputationId> calledBy(const Computation &computation,
                                      InstructionId at) {
  for (const CalledComputation &called : computation.instructions[at].called)
    return called.computation;
  return std::nullopt;
}

/// The instruction that calls the computation; null if there is none.
const Instruction *callerOf(const Module &module, ComputationId called) {
  for (const Computation &computation : module.computations)
    for (auto [at, instruction] : llvm::enumerate(computation.instructions))
      if (calledBy(computation, InstructionId(at)) == called)
        return &instruction;
  return nullptr;
}

absl::StatusOr<Fusion> named(const Program &program, StringRef name) {
  if (!name.consume_front("%")) name.consume_front("@");
  for (const Module &module : program.modules) {
    for (const Computation &computation : module.computations)
      if (const InstructionId at = computation.find(name); at >= 0)
        if (const auto called = calledBy(computation, at))
          return Fusion{&module, *called, &computation.instructions[at]};
    if (const ComputationId at = module.find(name); at >= 0)
      return Fusion{&module, at, callerOf(module, at)};
  }
  return wrong(absl::StrCat(program.path,
                            " has no fusion and no computation of the name `",
                            name.str(), "`"));
}

/// Whether `name` ends the stem as a word of its own.
bool endsIn(StringRef stem, StringRef name) {
  return stem == name ||
         (stem.ends_with(name) && stem[stem.size() - name.size() - 1] == '.');
}

/// Whether the instruction is a fusion, or calls what is compiled as one.
bool isFusion(const Instruction &instruction) {
  return instruction.opcode == "fusion";
}

/// The entry of a file that is a specification: of one module, without fusions,
/// whose entry is the only function that no other calls, or has the name
/// `main`.
std::optional<ComputationId> specified(const Program &program) {
  if (program.modules.size() != 1 || program.modules[0].entry < 0)
    return std::nullopt;
  const Module &module = program.modules[0];
  std::set<ComputationId> called;
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions) {
      if (isFusion(instruction)) return std::nullopt;
      for (const CalledComputation &each : instruction.called)
        called.insert(each.computation);
    }
  const Computation &entry = module.computations[module.entry];
  const bool isOnly = called.size() + 1 == module.computations.size() &&
                      !called.count(module.entry);
  if (!isOnly && entry.name.str() != "main") return std::nullopt;
  return module.entry;
}

/// The fusion with the longest name that ends the stem, else the function of
/// the stem's name, else the entry of a specification.
absl::StatusOr<Fusion> namedByStem(const Program &program, StringRef stem) {
  Fusion best;
  size_t length = 0;
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      for (auto [at, instruction] : llvm::enumerate(computation.instructions))
        if (instruction.name.size() > length && endsIn(stem, instruction.name))
          if (const auto called = calledBy(computation, InstructionId(at))) {
            best = {&module, *called, &instruction};
            length = instruction.name.size();
          }
  if (best.module) {
    best.chosenAs = absl::StrCat(
        "the instruction `", best.caller->name.str(), "` of ", program.path,
        ", for the kernel's file name, `", stem.str(), "`, ends in its name");
    return best;
  }
  for (const Module &module : program.modules)
    if (const ComputationId at = module.find(stem); at >= 0)
      return Fusion{
          &module, at, callerOf(module, at),
          absl::StrCat("the computation `", stem.str(), "` of ", program.path,
                       ", for the kernel's file has its name")};
  if (const auto entry = specified(program)) {
    const Module &module = program.modules[0];
    return Fusion{
        &module, *entry, nullptr,
        absl::StrCat("the entry `", module.computations[*entry].name.str(),
                     "` of ", program.path,
                     ", for nothing there has a name that the "
                     "kernel's file name, `",
                     stem.str(), "`, ends in")};
  }
  return wrong(absl::StrCat(program.path, " has no fusion with a name that `",
                            stem.str(), "` ends in; FILE#NAME names one"));
}

/// The endings of files that a kernel's specification may have.
constexpr StringRef kEndings[] = {".mlir",   ".mlirbc", ".hlo",
                                  ".hlotxt", ".txt",    ".pb"};

/// Returns the file's name without its ending and what compressed it; "" of a
/// file that holds no module.
StringRef stemOfModule(StringRef name) {
  if (!name.consume_back(".gz")) name.consume_back(".zst");
  for (StringRef ending : kEndings)
    if (name.consume_back(ending)) return name;
  return "";
}

/// Returns the names of the files of modules in the folder, in order.
std::vector<std::string> modulesIn(StringRef folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (!stemOfModule(llvm::sys::path::filename(at->path())).empty())
      found.push_back(at->path());
  llvm::sort(found);
  return found;
}

/// The last dump of the module in the folder: the one after optimizations if
/// there is one, else the last by name.
absl::StatusOr<std::string> dumpIn(StringRef folder, StringRef stem) {
  const std::string module = (stem.split('.').first + ".").str();
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    const StringRef name = llvm::sys::path::filename(at->path());
    if (name.starts_with(module) &&
        (name.ends_with(".txt") || name.ends_with(".hlo")))
      found.push_back(at->path());
  }
  // Beside the dump are its buffers and the like.
  std::vector<std::string> last = found;
  llvm::erase_if(last, [](StringRef path) {
    return !path.ends_with("after_optimizations.txt");
  });
  if (!last.empty()) found = std::move(last);
  if (found.empty())
    return wrong(absl::StrCat("`", folder.str(), "` has no dump of `",
                              module.substr(0, module.size() - 1), "`"));
  return *llvm::max_element(found);
}

/// Returns the name of a kernel's file without its ending and what compressed
/// it.
StringRef stemOfKernel(StringRef path) {
  StringRef stem = llvm::sys::path::filename(path);
  if (!stem.consume_back(".gz")) stem.consume_back(".zst");
  return stem.substr(0, stem.rfind('.'));
}

/// Returns the file of the folder that has the kernel's name, and true; else
/// the last dump of its module, and false.
absl::StatusOr<std::pair<std::string, bool>> fileIn(StringRef folder,
                                                    StringRef stem) {
  for (const std::string &file : modulesIn(folder))
    if (stemOfModule(llvm::sys::path::filename(file)) == stem)
      return std::pair(file, true);
  INDEXICAL_ASSIGN_OR_RETURN(std::string dump, dumpIn(folder, stem));
  return std::pair(std::move(dump), false);
}

/// Returns the fusion whose kernel XLA gives that name.
absl::StatusOr<Fusion> namedByKernel(const Program &program,
                                     StringRef function) {
  Fusion found;
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      for (auto [at, instruction] : llvm::enumerate(computation.instructions)) {
        if (kernelName(instruction.name) != function) continue;
        const auto called = calledBy(computation, InstructionId(at));
        if (!called) continue;
        if (found.module)
          return wrong(absl::StrCat(program.path,
                                    " has two instructions whose kernel is `",
                                    function.str(), "`; FILE#NAME names one"));
        found = {&module, *called, &instruction,
                 absl::StrCat("the instruction `", instruction.name.str(),
                              "` of ", program.path, ", whose kernel is `",
                              function.str(), "`")};
      }
  if (found.module) return found;
  return wrong(absl::StrCat(program.path, " has no fusion whose kernel is `",
                            function.str(), "`; FILE#NAME names one"));
}

}  // namespace

std::string kernelName(StringRef instruction) {
  std::string name = instruction.str();
  for (char &letter : name)
    if (letter == '.' || letter == '-') letter = '_';
  return name;
}

std::string aboutFusion(StringRef message, const Fusion &fusion) {
  if (fusion.chosenAs.empty()) return message.str();
  return absl::StrCat(message.str(), "; it is compared with ", fusion.chosenAs,
                      " (--of=FILE#NAME names another)");
}

FusionLaunch launchOf(const Fusion &fusion) {
  FusionLaunch launch;
  if (!fusion.caller) return launch;
  const std::string text = configurationText(fusion.caller->backendConfig);
  const FusionConfig config = readFusionConfig(text);
  if (config.hasTiles) {
    launch.warps = config.triton.warps;
    launch.tiles = config.triton.tiles;
    launch.tilesOfProgram = config.triton.tilesOfProgram;
  } else {
    launch.warps = warpsOfProduct(*fusion.caller);
  }
  return launch;
}

absl::StatusOr<const Program *> FusionSource::programOf(
    const std::string &path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = programs_.find(path);
  if (found == programs_.end())
    found =
        programs_
            .emplace(path, readModules(path, text_ ? *text_ : readInput(path)))
            .first;
  INDEXICAL_RETURN_IF_ERROR(found->second.status());
  return &*found->second;
}

absl::StatusOr<Fusion> FusionSource::entryOfText() {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, programOf(text_->path));
  if (program->modules.size() != 1)
    return wrong(absl::StrCat("the text holds ", program->modules.size(),
                              " modules, and no one of them is named"));
  const Module &module = program->modules[0];
  if (module.entry < 0) return wrong("the module of the text has no entry");
  return Fusion{&module, module.entry, callerOf(module, module.entry)};
}

std::pair<std::string, StringRef> FusionSource::pathAndName() const {
  const StringRef of(of_);
  if (!of.contains('#') || fs::exists(of)) return {of.str(), ""};
  return {of.rsplit('#').first.str(), of.rsplit('#').second};
}

std::optional<FusionSource::OfKernels> FusionSource::kernels() const {
  if (text_) {
    if (!holdsKernels(*text_)) return std::nullopt;
    return OfKernels{*text_, ""};
  }
  const auto [path, name] = pathAndName();
  if (path.empty() || fs::is_directory(path)) return std::nullopt;
  auto input = readInput(path);
  if (!input.ok() || !holdsKernels(*input)) return std::nullopt;
  return OfKernels{*std::move(input), name.str()};
}

std::string FusionSource::fileFor(StringRef kernelPath) const {
  const std::string path = pathAndName().first;
  if (!fs::is_directory(path)) return of_;
  const auto file = fileIn(path, stemOfKernel(kernelPath));
  return file.ok() ? file->first : of_;
}

absl::StatusOr<Fusion> FusionSource::fusionOf(StringRef kernelPath,
                                              StringRef function) {
  if (text_) return entryOfText();
  auto [path, name] = pathAndName();
  const StringRef stem = stemOfKernel(kernelPath);
  if (fs::is_directory(path)) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto file, fileIn(path, stem));
    path = file.first;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (file.second) pairedFiles_.insert(path);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto program, programOf(path));
  if (!name.empty()) return named(*program, name);
  auto byName = function.empty() ? namedByStem(*program, stem)
                                 : namedByKernel(*program, function);
  // A kernel of one's own has the name of its file, or is alone.
  if (!function.empty() && !byName.ok())
    if (auto byStem = namedByStem(*program, stem); byStem.ok())
      byName = std::move(byStem);
  INDEXICAL_ASSIGN_OR_RETURN(auto found, std::move(byName));
  const std::lock_guard<std::mutex> lock(mutex_);
  pairedNames_.insert(
      {path, found.module->computations[found.computation].name.str()});
  return found;
}

std::vector<std::string> FusionSource::unpaired() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  if (fs::is_directory(of_) && !pairedFiles_.empty())
    for (const std::string &file : modulesIn(of_))
      if (!pairedFiles_.count(file))
        names.push_back(llvm::sys::path::filename(file).str());
  for (const auto &each : programs_) {
    const auto &path = each.first;
    const auto &program = each.second;
    if (!program.ok() || pairedFiles_.count(path)) continue;
    const bool isUsed = llvm::any_of(
        pairedNames_, [&](const auto &pair) { return pair.first == path; });
    if (!isUsed) continue;
    const bool isMlir = looksLikeMlir(StringRef(*program->text));
    for (const Module &module : program->modules)
      for (const Computation &computation : module.computations) {
        auto isPaired = [&](ComputationId id) {
          return pairedNames_.count({path, module.computations[id].name.str()});
        };
        if (isMlir && !isPaired(module.find(computation.name)) &&
            callerOf(module, module.find(computation.name)) == nullptr)
          names.push_back(computation.name.str());
        for (auto [at, instruction] : llvm::enumerate(computation.instructions))
          if (const auto called = calledBy(computation, InstructionId(at));
              called && isFusion(instruction) && !isPaired(*called) &&
              configurationText(instruction.backendConfig).find("__triton") !=
                  std::string::npos)
            names.push_back(instruction.name.str());
      }
  }
  return names;
}

}  // namespace indexical

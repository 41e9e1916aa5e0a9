#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/kernel/triton/read.h"
#include "indexical/ops/address.h"
#include "indexical/tools/command.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/input.h"
#include "indexical/tools/kernel_report.h"
#include "indexical/tools/traffic_call.h"

namespace indexical {
namespace {

using kernels::BufferSizes;

struct KernelOptions {
  std::string function;
  std::vector<int64_t> grid, tiles;
  std::optional<size_t> warps;
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, std::string>> shapes;
  std::string of;  ///< FILE#NAME
  const Device *device = &defaultDevice();
  /// The module that `of` names, read before the first input.
  std::optional<Program> fusions;
};

/// The shape of that text, as HLO writes it.
absl::StatusOr<ArrayShape> shapeOf(llvm::StringRef text) {
  const auto program = parseHlo(
      absl::StrCat("shape { ROOT p = ", text.str(), " parameter(0) }"));
  if (program.ok() && !program->modules.empty()) {
    const Computation &only = program->modules[0].computations[0];
    const auto &results = shapesOf(only.instructions[only.root].op).results;
    if (results.size() == 1) return results[0];
  }
  return errorAt({}, absl::StrCat("`", text.str(),
                                  "` is no shape such as f32[16,1024]{1,0}"));
}

/// The fusion to compare with: its module and its computation.
struct Fusion {
  const Module *module = nullptr;
  int32_t computation = 0;
};

absl::StatusOr<Fusion> findFusion(const Program &program,
                                  llvm::StringRef name) {
  name.consume_front("%");
  for (const Module &module : program.modules) {
    for (const Computation &computation : module.computations) {
      const int32_t at = computation.find(name);
      if (at < 0) continue;
      for (const CalledComputation &called :
           computation.instructions[at].called)
        return Fusion{&module, called.computation};
    }
    if (const int32_t at = module.find(name); at >= 0)
      return Fusion{&module, at};
  }
  return errorAt({}, absl::StrCat("--of: there is no fusion or computation `",
                                  name.str(), "`"));
}

/// Sizes and texts of the arguments' shapes.
absl::Status setShapes(const KernelOptions &options,
                       const std::optional<Fusion> &fusion,
                       KernelFindings &found, BufferSizes &sizes) {
  const auto &arguments = found.kernel.arguments;
  sizes.assign(arguments.size(), std::nullopt);
  found.shapes.assign(arguments.size(), "");
  auto set = [&](size_t number, const ArrayShape &shape) {
    sizes[number] = storedElements(shape);
    found.shapes[number] = shape.str(/*withLayout=*/true);
  };
  if (fusion) {
    const auto shapes = kernels::argumentShapes(
        fusion->module->computations[fusion->computation]);
    for (size_t k = 0; k < std::min(shapes.size(), arguments.size()); ++k)
      set(k, shapes[k]);
  }
  for (const auto &[name, text] : options.shapes) {
    auto shape = shapeOf(text);
    if (!shape.ok()) return shape.status();
    size_t number = 0;
    for (; number < arguments.size(); ++number)
      if (arguments[number].name == name ||
          absl::StrCat("arg", number) == name || absl::StrCat(number) == name)
        break;
    if (number == arguments.size() || !arguments[number].isPointer)
      return errorAt({}, absl::StrCat("--shape: there is no pointer `", name,
                                      "` among the arguments"));
    set(number, *shape);
  }
  return absl::OkStatus();
}

/// The programs that the tiles of the first root ask for; those that the kernel
/// stores, if the call names none.
std::optional<std::array<int64_t, 3>> gridOf(const KernelOptions &options,
                                             const Fusion &fusion,
                                             llvm::StringRef text,
                                             kernels::ReadOptions read) {
  const Computation &computation =
      fusion.module->computations[fusion.computation];
  const auto &roots =
      shapesOf(computation.instructions[computation.root].op).results;
  if (roots.size() == 0) return std::nullopt;
  const ArrayShape &root = roots[0];
  std::vector<int64_t> tile = options.tiles;
  if (tile.empty()) {
    read.grid = std::array<int64_t, 3>{1, 1, 1};
    const auto kernel = kernels::parseKernel(text, read);
    if (!kernel.ok()) return std::nullopt;
    for (const kernels::KernelAccess &access : kernel->accesses)
      if (access.kind == kernels::AccessKind::Store)
        tile.assign(access.tile.begin(), access.tile.end());
  }
  if (tile.size() != root.dimensions.size()) return std::nullopt;
  return std::array<int64_t, 3>{kernels::programsOf(root, tile), 1, 1};
}

absl::StatusOr<int> kernelOf(const KernelOptions &options, Call &call) {
  const llvm::StringRef text = call.input().text;
  if (!kernels::looksLikeTriton(text))
    return errorAt({},
                   "the file holds no kernel of Triton: it has no "
                   "`tt.func`");
  kernels::ReadOptions read;
  read.path = call.input().path;
  read.function = options.function;
  read.arguments = options.arguments;
  read.vectorBytes = options.device->vectorBytes;
  if (options.warps) read.warps = static_cast<int64_t>(*options.warps);
  std::optional<Fusion> fusion;
  if (options.fusions) {
    auto found = findFusion(*options.fusions,
                            llvm::StringRef(options.of).rsplit('#').second);
    if (!found.ok()) return found.status();
    fusion = *found;
  }
  if (!options.grid.empty()) {
    std::array<int64_t, 3> grid = {1, 1, 1};
    std::copy(options.grid.begin(), options.grid.end(), grid.begin());
    read.grid = grid;
  } else if (fusion) {
    if (auto grid = gridOf(options, *fusion, text, read)) read.grid = grid;
  }
  auto kernel = kernels::parseKernel(text, read);
  if (!kernel.ok()) return kernel.status();
  if (!kernel->warps && !fusion)
    return errorAt({},
                   "the number of warps of a program is not known; "
                   "--num-warps=N gives it");
  KernelFindings found;
  found.kernel = *std::move(kernel);
  BufferSizes sizes;
  if (auto status = setShapes(options, fusion, found, sizes); !status.ok())
    return status;
  const ExactOptions exact(call.budget());
  const CoalescingOptions coalescing(call.budget());
  TrafficMeter meter(*options.device, coalescing);
  found.traffic = kernels::measure(found.kernel, sizes, meter);
  for (const kernels::KernelAccess &access : found.kernel.accesses)
    found.bounds.push_back(kernels::inBounds(access, sizes, exact));
  found.once = kernels::writtenOnce(found.kernel, exact);
  for (const kernels::MeasuredAccess &access : found.traffic.accesses)
    if (access.traffic && access.traffic->figures)
      found.sums.add(sumsOf(*access.traffic, *options.device));
  const bool isMeasured =
      llvm::all_of(found.traffic.accesses, [](const auto &access) {
        return access.traffic && access.traffic->figures;
      });
  if (isMeasured && !found.traffic.accesses.empty()) {
    ReuseMeter reuse(*options.device, coalescing);
    found.time = predictedTime(
        demandOf(found.traffic.measured, found.traffic.traffic, reuse),
        *options.device);
  }
  if (fusion) {
    auto compared = kernels::compareWithFusion(found.kernel, *fusion->module,
                                               fusion->computation, exact);
    if (!compared.ok())
      return errorAt({}, std::string(compared.status().message()));
    found.comparison = *std::move(compared);
  }
  KernelResult result(found, *options.device);
  if (auto status = call.write(result); !status.ok()) return status;
  return found.status();
}

/// Reads the file of `--of`; a message and a status where that fails.
int readFusions(KernelOptions &options, llvm::raw_ostream &err) {
  if (options.of.empty()) return kDone;
  const auto [path, name] = llvm::StringRef(options.of).rsplit('#');
  if (name.empty()) {
    err << "indexical: --of is FILE#NAME, a file and a fusion of it\n";
    return kWrongWords;
  }
  auto input = readInput(path);
  if (!input.ok()) {
    err << "indexical: " << std::string(input.status().message()) << '\n';
    return kWrongInput;
  }
  auto program =
      parseHlo(std::string(llvm::StringRef(input->text)), path.str());
  if (!program.ok()) {
    err << path << ": " << std::string(program.status().message()) << '\n';
    return kWrongInput;
  }
  options.fusions = *std::move(program);
  return kDone;
}

Option pairOption(llvm::StringRef name, llvm::StringRef value,
                  llvm::StringRef sentence,
                  std::function<std::optional<std::string>(
                      llvm::StringRef name, llvm::StringRef value)>
                      take) {
  Option option;
  option.name = name;
  option.value = value;
  option.sentence = sentence.str();
  option.repeatable = true;
  option.take = [take = std::move(take)](llvm::StringRef word) {
    const auto [key, text] = word.split('=');
    return take(key.ltrim('%'), text);
  };
  return option;
}

void addKernelOptions(Command &kernel, KernelOptions &asked) {
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
  kernel.options = {
      nameOption("function", Names::None, asked.function,
                 "The kernel (default: the only one that no other calls)"),
      numbersOption("grid", "X[,Y[,Z]]", 1, asked.grid,
                    "How many programs run (default: of --of, or of the "
                    "kernel's first indexing map)"),
      countOption("num-warps", asked.warps, "a number of warps",
                  "Warps of a program, where the module does not say"),
      pairOption("arg", "NAME=VALUE",
                 "The value of an integer argument, by its name or number",
                 [&asked](llvm::StringRef name,
                          llvm::StringRef text) -> std::optional<std::string> {
                   int64_t value = 0;
                   if (name.empty() || text.getAsInteger(10, value))
                     return "a name and a number, as `arg3=98432`";
                   asked.arguments.push_back({name.str(), value});
                   return std::nullopt;
                 }),
      pairOption("shape", "NAME=SHAPE",
                 "The shape of a pointer argument, as f32[16,1024]{1,0}",
                 [&asked](llvm::StringRef name,
                          llvm::StringRef text) -> std::optional<std::string> {
                   if (name.empty() || text.empty())
                     return "a name and a shape, as `arg0=f32[16,1024]`";
                   asked.shapes.push_back({name.str(), text.str()});
                   return std::nullopt;
                 }),
      pairOption("of", "FILE#NAME",
                 "The fusion, or the computation, of an HLO file that the "
                 "kernel is compared with",
                 [&asked](llvm::StringRef name,
                          llvm::StringRef) -> std::optional<std::string> {
                   asked.of = name.str();
                   return std::nullopt;
                 }),
      numbersOption("tiles", "SIZES", 1, asked.tiles,
                    "The sizes of the result's tile of a program, for the grid "
                    "of --of (default: those that the kernel stores)"),
      choiceOption<const Device *>("device", "NAME", asked.device,
                                   std::move(known), "The GPU"),
  };
  kernel.options[5].repeatable = false;
}

}  // namespace

Command makeKernel() {
  auto asked = std::make_shared<KernelOptions>();
  Command kernel;
  kernel.name = "kernel";
  kernel.sentence =
      "what a Triton kernel reads and writes: the element of each access, what "
      "it moves on a GPU, whether it stays in bounds, and whether it is the "
      "kernel of a fusion";
  kernel.example =
      "echo 'tt.func @k(%p: !tt.ptr<f32>) {\n"
      "        %i = tt.get_program_id x : i32\n"
      "        %a = tt.addptr %p, %i : !tt.ptr<f32>, i32\n"
      "        %v = tt.load %a : !tt.ptr<f32>\n"
      "        tt.return }' |\n"
      "  indexical kernel --grid=4 --num-warps=1 --shape=p=f32[4]";
  kernel.statuses = {
      {kDifferent,
       "an access is outside, an element is written twice, or the kernel "
       "differs from its fusion"},
      {kUndecided, "one of these is not decided"}};
  kernel.offers = {Offer::Text, Offer::Structure, Offer::Table};
  kernel.columns = kernelColumns();
  addKernelOptions(kernel, *asked);
  kernel.check = [asked]() -> std::optional<std::string> {
    if (asked->grid.size() > 3) return "--grid has up to three numbers";
    if (asked->warps && (*asked->warps < 1 || *asked->warps > 64 ||
                         (*asked->warps & (*asked->warps - 1)) != 0))
      return "--num-warps is a power of two, from 1 to 64";
    return std::nullopt;
  };
  kernel.prepare = [asked](llvm::raw_ostream &err) {
    return readFusions(*asked, err);
  };
  kernel.run = [asked](Call &call) { return kernelOf(*asked, call); };
  return kernel;
}

}  // namespace indexical

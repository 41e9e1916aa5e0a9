#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/tools/command.h"
#include "indexical/tools/kernel_fusion.h"
#include "indexical/tools/kernel_input.h"
#include "indexical/tools/kernel_report.h"
#include "indexical/tools/kernel_run.h"
#include "indexical/tools/ordered.h"

namespace indexical {
namespace {

struct KernelOptions : KernelQuestion {
  std::string of;                         ///< FILE#NAME, FILE or FOLDER
  std::unique_ptr<FusionSource> fusions;  ///< of `of`; made before any input
};

/// An error about a kernel that stands inside of another text: its place there,
/// and where in the kernel.
absl::Status placedIn(const kernels::KernelSource &source,
                      const absl::Status &status) {
  if (!source.place.known()) return status;
  std::string where;
  if (const auto inner = placeOf(status); inner && inner->known())
    where = absl::StrCat("line ", inner->line, " of ");
  return errorAt(
      source.place,
      absl::StrCat(where, "its kernel: ", std::string(status.message())));
}

/// One kernel: what was found, or why nothing was.
absl::StatusOr<KernelFindings> answer(const kernels::KernelSource &source,
                                      const KernelOptions &options,
                                      const Call &call) {
  std::optional<Fusion> fusion;
  if (options.fusions->isGiven()) {
    auto found = options.fusions->fusionOf(call.input().path);
    if (!found.ok()) return errorAt({}, std::string(found.status().message()));
    fusion = *found;
  }
  return findKernel(source, options, fusion, call.budget());
}

/// All kernels of the input, on several threads. The status is the worst one.
absl::StatusOr<int> kernelsOf(const KernelOptions &options, Call &call) {
  auto sources = kernelsIn(call.input(), call.reporter());
  if (!sources.ok()) return sources.status();
  std::vector<uint32_t> owners(sources->size());
  const size_t jobs = std::min(call.jobs(), owners.size());
  for (auto [step, owner] : llvm::enumerate(owners)) owner = step % jobs;
  int worst = kDone;
  absl::Status ended;
  inOrder<absl::StatusOr<KernelFindings>>(
      owners,
      [&](size_t, size_t step) {
        return answer((*sources)[step], options, call);
      },
      [&](size_t step, absl::StatusOr<KernelFindings> found) {
        if (!found.ok()) {
          const absl::Status placed =
              placedIn((*sources)[step], found.status());
          // An input that is one kernel ends with its error.
          if (sources->size() == 1 || !call.budget().check().ok()) {
            ended = placed;
            return false;
          }
          call.reporter().error(placed);
          worst = worseOf(worst, kWrongInput);
          return true;
        }
        KernelResult result(*found, *options.device);
        ended = call.write(result);
        worst = worseOf(worst, found->status());
        return ended.ok();
      });
  if (!ended.ok()) return ended;
  return worst;
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

Option fusionOption(KernelOptions &asked) {
  Option option;
  option.name = "of";
  option.value = "FILE[#NAME]";
  option.sentence =
      "The fusion, or the computation, of an HLO file that the kernel is "
      "compared with; without #NAME, or with a folder of dumps, it is found by "
      "the name of the kernel's file";
  option.names = Names::Files;
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    if (word.empty() || word.starts_with("#"))
      return "a file, and behind `#` the name of a fusion";
    asked.of = word.str();
    return std::nullopt;
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
      fusionOption(asked),
      numbersOption("tiles", "SIZES", 1, asked.tiles,
                    "The sizes of the result's tile of a program, for the grid "
                    "of --of (default: those that the kernel stores)"),
      choiceOption<const Device *>("device", "NAME", asked.device,
                                   std::move(known), "The GPU"),
  };
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
  kernel.endings = {".ttir", ".ttgir", ".ndjson"};
  kernel.offers = {Offer::Text, Offer::Structure, Offer::Table, Offer::Page};
  kernel.page = PageKind::Passes;  // one without a script
  kernel.columns = kernelColumns();
  addKernelOptions(kernel, *asked);
  kernel.check = [asked]() -> std::optional<std::string> {
    if (asked->grid.size() > 3) return "--grid has up to three numbers";
    if (asked->warps && (*asked->warps < 1 || *asked->warps > 64 ||
                         (*asked->warps & (*asked->warps - 1)) != 0))
      return "--num-warps is a power of two, from 1 to 64";
    return std::nullopt;
  };
  kernel.prepare = [asked](llvm::raw_ostream &) {
    asked->fusions = std::make_unique<FusionSource>(asked->of);
    return kDone;
  };
  kernel.run = [asked](Call &call) { return kernelsOf(*asked, call); };
  return kernel;
}

}  // namespace indexical

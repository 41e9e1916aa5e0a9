#include "indexical/writers/kernel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/given_values.h"
#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/answers/kernel/keys.h"
#include "indexical/command/command.h"
#include "indexical/command/kernel_options.h"
#include "indexical/command/kernel_requests.h"
#include "indexical/command/traffic_call.h"
#include "indexical/command/values_options.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// Verdicts in the order in which they are counted.
constexpr std::array<std::pair<Level, Verdict::Answer>, 5> kVerdicts = {
    {{Level::Values, Verdict::Same},
     {Level::Reads, Verdict::Same},
     {Level::Tiles, Verdict::Same},
     {Level::Values, Verdict::Undecided},
     {Level::Values, Verdict::Different}}};

llvm::StringRef wordOfCounted(size_t number) {
  return sharedWord({kVerdicts[number].first, kVerdicts[number].second});
}

struct KernelOptions : KernelQuestion {
  std::string of;                         ///< FILE#NAME, FILE or FOLDER
  std::unique_ptr<FusionSource> fusions;  ///< of `of`; made before any input
  std::string requests;                   ///< a file of these, or ""
  /// How many kernels have each of kVerdicts. Inputs are answered on several
  /// threads.
  std::array<std::atomic<size_t>, kVerdicts.size()> verdicts = {};
};

/// Returns 3 if an access is outside, an element is written twice or loaded
/// after it was overwritten, a judged kernel loads an output before it is
/// written or stores a masked lane, or the verdict is `different`; 4 if
/// something is undecided, or the verdict is below the level that is asked for;
/// else 0. That `overwritten` is undecided counts if it `isAsked`.
int statusOf(const KernelFindings &found, bool isAsked) {
  if (!found.ttir.empty()) return kDone;
  const Check::Answer inside = found.worstBounds().answer;
  const auto &comparison = found.comparison;
  const bool differs =
      comparison && comparison->verdict.answer == Verdict::Different;
  const Check::Answer overwritten =
      found.overwritten ? found.overwritten->answer : Check::Proved;
  const bool isRaced = found.sharedOverwritten &&
                       found.sharedOverwritten->answer == Check::Violated;
  if (inside == Check::Violated || found.once.answer == Check::Violated ||
      overwritten == Check::Violated || isRaced || differs)
    return kDifferent;
  if (found.judge) {
    // What is not known of the kernel alone is no part of the verdict.
    const Verdict &verdict = found.judge->compared.verdict;
    if (verdict.answer == Verdict::Different ||
        found.judge->readBeforeWritten.answer == Check::Violated ||
        found.judge->compared.defined.answer == Check::Violated)
      return kDifferent;
    return verdict.isSame() ? kDone : kUndecided;
  }
  const bool isOpen = comparison && !comparison->verdict.isSameAt(found.level);
  if (inside == Check::Undecided || found.once.answer == Check::Undecided ||
      (isAsked && overwritten == Check::Undecided) || isOpen)
    return kUndecided;
  return kDone;
}

/// Microseconds with three places.
double roundedTime(double us) { return std::round(us * 1000) / 1000; }

/// The verdict, and the condition under which it would be `same`.
std::string verdictOf(const JudgeFindings &judge) {
  std::string text = judgedWord(judge).str();
  if (!judge.where.empty())
    absl::StrAppend(
        &text, judge.compared.verdict.isDecided() ? ", the same where " : " ",
        judge.where);
  return text;
}

/// A configuration of a kernel, and what it costs.
struct ConfigCost {
  std::string function, words;
  std::optional<double> time;
  std::optional<int64_t> moved;
  std::string verdict;  ///< if another kernel specifies it, or ""
};

/// Says what each configuration costs, kernel by kernel, the fastest first.
void compareConfigs(std::vector<ConfigCost> costs, Messages &messages) {
  while (!costs.empty()) {
    const std::string function = costs.front().function;
    std::vector<ConfigCost> own;
    llvm::erase_if(costs, [&](const ConfigCost &cost) {
      if (cost.function != function) return false;
      own.push_back(cost);
      return true;
    });
    if (own.size() < 2) continue;
    std::stable_sort(own.begin(), own.end(),
                     [](const ConfigCost &a, const ConfigCost &b) {
                       const double none = 1e300;
                       return a.time.value_or(none) < b.time.value_or(none);
                     });
    std::vector<std::string> lines;
    for (const ConfigCost &cost : own)
      lines.push_back(absl::StrCat(
          cost.words, ": ",
          cost.time ? absl::StrCat(*cost.time, " us") : "no time",
          cost.moved ? absl::StrCat(", moves ", *cost.moved, " bytes") : "",
          cost.verdict.empty() ? "" : ", " + cost.verdict));
    messages.note(
        {}, absl::StrCat(own.size(), " configurations of ", function,
                         ", the fastest first: ", absl::StrJoin(lines, "; ")));
  }
}

/// Answers about all kernels of the input, on several threads. Returns the
/// worst status.
absl::StatusOr<int> kernelsOf(KernelOptions &options, Call &call) {
  int worst = kDone;
  std::vector<ConfigCost> costs;
  INDEXICAL_ASSIGN_OR_RETURN(
      const size_t failed,
      findKernels(
          call.input(), options, *options.fusions, call.ask(),
          [&](const Device &device, const KernelFindings &found) {
            KernelResult result(found, device);
            if (found.configNumber >= 0 && found.ttir.empty()) {
              ConfigCost cost{found.kernel.function, wordsOfConfig(found),
                              std::nullopt, found.moved(), ""};
              if (found.time) cost.time = roundedTime(found.time->total());
              if (found.judge) cost.verdict = verdictOf(*found.judge);
              costs.push_back(std::move(cost));
            }
            worst = worseOf(worst, statusOf(found, !options.aliases.empty()));
            for (size_t k = 0; found.comparison && k < kVerdicts.size(); ++k)
              options.verdicts[k] +=
                  sharedWord(found.comparison->verdict) == wordOfCounted(k);
            return call.write(result);
          }));
  compareConfigs(std::move(costs), call.ask().messages);
  return failed > 0 ? worseOf(worst, kWrongInput) : worst;
}

/// Says how many kernels have which verdict, and what none was compared with.
void sumUp(KernelOptions &options, Messages &messages) {
  std::vector<std::string> counts;
  size_t all = 0;
  for (auto [verdict, count] : llvm::enumerate(options.verdicts)) {
    all += count;
    if (count > 0)
      counts.push_back(
          absl::StrCat(count.load(), " ", wordOfCounted(verdict).str()));
  }
  if (all == 0) return;
  messages.note({}, absl::StrCat(all, all == 1 ? " kernel: " : " kernels: ",
                                 absl::StrJoin(counts, ", ")));
  const std::vector<std::string> rest = options.fusions->unpaired();
  if (!rest.empty())
    messages.note({}, absl::StrCat("no kernel was compared with ",
                                   absl::StrJoin(rest, ", ")));
}

Option fusionOption(std::string &of) {
  Option option;
  option.name = "of";
  option.value = "FILE[#NAME]";
  option.sentence =
      "The fusion, computation or function of a file of HLO or StableHLO "
      "that the kernel is compared with: the elements that each program "
      "loads and stores, and the values that it computes; without #NAME, or "
      "with a folder, it is found by the name of the kernel's file. Or "
      "another kernel, in Python or as IR: whether both leave the same "
      "values in memory";
  option.names = Names::Files;
  option.take = [&of](llvm::StringRef word) -> std::optional<std::string> {
    if (word.empty() || word.starts_with("#"))
      return "a file, and behind `#` the name of a fusion";
    of = word.str();
    return std::nullopt;
  };
  return option;
}

Option aliasOption(KernelQuestion &asked) {
  Option option;
  option.name = "alias";
  option.value = "NAME,NAME[,NAME]...";
  option.sentence =
      "Pointer arguments to one array, as in a kernel that works in place: "
      "whether a load may read what a store has overwritten";
  option.repeatable = true;
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    llvm::SmallVector<llvm::StringRef, 4> names;
    word.split(names, ',');
    std::vector<std::string> &list = asked.aliases.emplace_back();
    for (llvm::StringRef name : names) {
      name = name.trim();
      name.consume_front("%");
      if (!name.empty()) list.push_back(name.str());
    }
    if (list.size() < 2 || list.size() < names.size())
      return "names of two pointers or more, as `x,y`";
    return std::nullopt;
  };
  return option;
}

Option tilesOption(KernelQuestion &asked) {
  Option option;
  option.name = "tiles";
  option.value = "SIZES[;SIZES]...";
  option.sentence =
      "The sizes of a program's tile of each result, for the grid of --of "
      "(default: those of the fusion's backend_config, else of the kernel's "
      "stores)";
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    llvm::SmallVector<llvm::StringRef, 2> tuples, sizes;
    word.split(tuples, ';');
    for (llvm::StringRef tuple : tuples) {
      sizes.clear();
      asked.tiles.emplace_back();
      if (!tuple.empty()) tuple.split(sizes, ',');
      for (llvm::StringRef text : sizes) {
        int64_t size = 0;
        if (text.trim().getAsInteger(10, size) || size < 1)
          return "sizes from 1, as `1,256`, and `;` between results";
        asked.tiles.back().push_back(size);
      }
    }
    return std::nullopt;
  };
  return option;
}

Option atOption(KernelQuestion &asked) {
  Option option;
  option.name = "at";
  option.value = "BX[,BY[,BZ]]:TX[,TY[,TZ]]";
  option.sentence =
      "A block and a thread of it: the accesses of that thread, in order";
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    asked.at = threadPlaceOf(word);
    if (!asked.at)
      return "numbers of a block and of a thread, as `3,0,0:17,0,0`";
    return std::nullopt;
  };
  return option;
}

/// For tests: what arrays hold, so that loaded integers are known.
Option loadsOption(KernelQuestion &asked) {
  Option option;
  option.name = "loads";
  option.value = "hash8";
  option.sentence = "What arrays hold, for --at: a hash of each byte's address";
  option.isListed = false;
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    if (word != "hash8") return "`hash8`";
    asked.loadsHashes = true;
    return std::nullopt;
  };
  return option;
}

Option printOption(KernelQuestion &asked) {
  Option option;
  option.name = "print";
  option.value = "ttir";
  option.sentence =
      "Print the TTIR in place of the answer: for a kernel in Python, the "
      "TTIR of its text";
  option.take = [&asked](llvm::StringRef word) -> std::optional<std::string> {
    if (word != "ttir") return "`ttir`";
    asked.printsText = true;
    return std::nullopt;
  };
  return option;
}

std::vector<Option> kernelOptions(KernelQuestion &asked, std::string &of) {
  std::vector<Option> options = {
      nameOption("function", Names::None, asked.function,
                 "The kernel (default: the only one that no other calls)"),
      fusionOption(of),
      tilesOption(asked),
      numbersOption("program", "X[,Y[,Z]]", 0, asked.program,
                    "Only the accesses of this program"),
      runtimeOption(asked.runtime,
                    "The value of a runtime variable, an expression in the "
                    "dimensions of the map, or `LOW..HIGH`, between which any "
                    "value may occur (default: least and most over all "
                    "values)"),
      deviceOption(asked.device,
                   "The GPU (default: the one that the kernel, or the dump of "
                   "--of, was compiled for, else h100)"),
  };
  options.push_back(choiceOption<Level>(
      "level", "LEVEL", asked.level,
      {{"tiles", Level::Tiles},
       {"elements", Level::Reads},
       {"values", Level::Values}},
      "The level at which the kernel must equal the fusion of --of for "
      "status 0"));
  options.push_back(floatLawsOption(asked.floats, "With --of"));
  addLaunchOptions(options, asked);
  addPythonOptions(options, asked);
  options.push_back(printOption(asked));
  addShapeOption(options, asked);
  options.push_back(aliasOption(asked));
  addPairOptions(options, asked);
  options.push_back(atOption(asked));
  options.push_back(loadsOption(asked));
  return options;
}

}  // namespace

Command makeKernel() {
  auto asked = std::make_shared<KernelOptions>();
  Command kernel;
  kernel.name = "kernel";
  kernel.words = {"moved",  "wasted",    "coalesced",
                  "sector", "undecided", "witness"};
  kernel.sentence =
      "the reads and writes of a kernel of Triton, in Python or as IR, or "
      "in LLVM's IR: the element of each access, its traffic on a GPU, "
      "whether it stays in bounds, and whether it loads and stores the "
      "elements of a fusion";
  kernel.example =
      "echo 'tt.func @k(%p: !tt.ptr<f32>) {\n"
      "        %i = tt.get_program_id x : i32\n"
      "        %a = tt.addptr %p, %i : !tt.ptr<f32>, i32\n"
      "        %v = tt.load %a : !tt.ptr<f32>\n"
      "        tt.return }' |\n"
      "  indexical kernel --grid=4 --num-warps=1 --shape=p=f32[4]";
  kernel.statuses = {
      {kDifferent,
       "an access is out of bounds, an element is written twice, or loaded "
       "after another program, thread or iteration may have overwritten it, "
       "or the stored elements or values are not those of the fusion"},
      {kUndecided,
       "one of these is undecided, or the kernel equals its fusion at a "
       "lower level than --level"}};
  kernel.endings = {".ttir", ".ttgir", ".ndjson", ".py", ".ll", ".llir", ".bc"};
  kernel.offers = {Offer::Text, Offer::Structure, Offer::Table, Offer::Page};
  kernel.page = PageKind::Sections;
  kernel.columns = kernelColumns();
  kernel.options = kernelOptions(*asked, asked->of);
  kernel.options.push_back(fileOption(
      "requests", asked->requests,
      "A file of JSON lines, `-` for standard input: a kernel each, `new`, the "
      "kernel of `old`, if it is judged, and options of this command by their "
      "names"));
  kernel.check = [asked]() -> std::optional<std::string> {
    if (asked->program.size() > 3) return "--program has up to three numbers";
    if (!asked->program.empty() && !asked->of.empty())
      return "--of compares all programs, and --program shows one";
    if (asked->level != Level::Values && asked->of.empty())
      return "--level says what the kernel has to share with the fusion of "
             "--of";
    if (asked->floats != FloatLaws::None && asked->of.empty())
      return "--float-laws says by which laws values are those of the fusion "
             "of --of";
    if (!asked->tiles.empty() && asked->of.empty())
      return "--tiles says the tiles of the fusion of --of";
    if (!asked->requests.empty() && !asked->of.empty())
      return "--requests has the kernel of --of in each line, as `old`";
    return mistakeOfLaunch(*asked);
  };
  kernel.needsNoInput = [asked] { return !asked->requests.empty(); };
  kernel.runOnWords = [asked, settings = kernel.settings](
                          llvm::ArrayRef<std::string> words,
                          Call &call) -> absl::StatusOr<int> {
    if (!words.empty())
      return errorAt({}, "--requests names the kernels in its lines");
    const auto status = [](const KernelFindings &found, bool isAsked) {
      return statusOf(found, isAsked);
    };
    return answerRequests(asked->requests, *asked, kernelOptions, status,
                          settings->jobsOrAll(), call);
  };
  kernel.prepare = [asked](MessageStream &) {
    asked->fusions = std::make_unique<FusionSource>(asked->of);
    return kDone;
  };
  kernel.run = [asked](Call &call) { return kernelsOf(*asked, call); };
  kernel.finish = [asked](Messages &messages) {
    if (asked->fusions->isGiven()) sumUp(*asked, messages);
  };
  return kernel;
}

}  // namespace indexical

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/tools/alike_kernels.h"
#include "indexical/tools/baseline.h"
#include "indexical/tools/command.h"
#include "indexical/tools/ordered.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/traffic_report.h"

namespace indexical {
namespace {

using llvm::StringRef;

// A report asks of many reads; one that is hard has bounds.
constexpr int64_t kReportOperations = 2'000'000;
/// Kernels, or groups, in a text.
constexpr size_t kTopInText = 10;

struct ReportOptions : TrafficOptions {
  const SortKey *sort = nullptr;  ///< null: what wastes most, or changed most
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  std::optional<size_t> top;
  std::optional<int64_t> min, failAbove;
  std::string baseline;  ///< a file, or empty
  std::vector<OldReport> then;
};

Option sortOption(ReportOptions &asked) {
  std::vector<Choice<const SortKey *>> keys;
  for (const SortKey &key : sortKeys()) keys.push_back({key.name.str(), &key});
  Option option = choiceOption<const SortKey *>(
      "sort", "KEY", asked.sort, std::move(keys),
      "What comes first (default: wasted; with --baseline, what changed most)");
  return option;
}

Option groupOption(ReportOptions &asked) {
  std::vector<Choice<const RowKey *>> keys;
  for (const RowKey &key : rowKeys())
    if (key.groups) keys.push_back({key.name.str(), &key});
  return choiceOption<const RowKey *>(
      "group", "KEY", asked.group, std::move(keys),
      "Sums of the reads and writes that are alike in this, instead of "
      "kernels");
}

Option filterOption(ReportOptions &asked) {
  Option option;
  option.name = "filter";
  option.value = "KEY=GLOB";
  std::vector<StringRef> names;
  for (const RowKey &key : rowKeys()) names.push_back(key.name);
  const std::string known = llvm::join(names, ", ");
  option.sentence =
      "Only reads and writes of which this is true, as `op_name=*dot*`; the "
      "keys are " +
      known;
  option.repeatable = true;
  option.take = [&asked, known](StringRef word) -> std::optional<std::string> {
    auto [name, text] = word.split('=');
    const RowKey *key = findRowKey(name);
    if (!key || !word.contains('='))
      return "KEY=GLOB, where the key is one of " + known;
    auto kept = std::make_shared<const std::string>(text.str());
    auto glob = llvm::GlobPattern::create(*kept, /*MaxSubPatterns=*/64);
    if (!glob)
      return "a glob; in this one: " + llvm::toString(glob.takeError());
    asked.filters.push_back({key, std::move(kept), *std::move(glob)});
    return std::nullopt;
  };
  return option;
}

/// A kernel of the program, on its way.
struct Site {
  size_t module;
  KernelSite at;
};
struct Found {
  absl::StatusOr<MeasuredKernel> kernel = absl::UnknownError("");
  bool isWhole = true;  ///< false: the call has ended
};

/// Measures kernels on one thread.
class KernelWorker {
 public:
  KernelWorker(const Program &program, const ReportOptions &options,
               const Budget &budget, const CoalescingOptions &asked)
      : program_(program),
        options_(options),
        budget_(budget),
        meter_(*options.device, asked),
        reuse_(*options.device, asked) {}

  Found measure(const Site &site) {
    const Module &module = program_.modules[site.module];
    if (!maps_ || &maps_->module() != &module)
      maps_.emplace(module, /*prover=*/nullptr, budget_);
    const LaunchChoice choice = options_.choice(
        module.isScheduled ? LaunchModel::Xla : LaunchModel::Linear);
    auto *place = choice.xla
                      ? nullptr
                      : alike_.placeOf(module.computations[site.at.computation]
                                           .instructions[site.at.instruction],
                                       site.at);
    Found found;
    if (place && *place) {
      found.kernel = MeasuredKernel{site.module, site.at.computation,
                                    site.at.instruction, *place};
      found.isWhole = budget_.check().ok();
      return found;
    }
    found.kernel = measureAt(module, site, choice);
    found.isWhole = budget_.check().ok();
    if (place && found.isWhole && found.kernel.ok())
      *place = found.kernel->measurement;
    return found;
  }

 private:
  absl::StatusOr<MeasuredKernel> measureAt(const Module &module,
                                           const Site &site,
                                           const LaunchChoice &choice) {
    auto kernel = kernelAt(*maps_, site.at, choice);
    if (!kernel.ok()) return kernel.status();
    if (options_.threads) kernel->launchByOwn(*options_.threads);
    return measured(module, site.module, *std::move(kernel), meter_, reuse_);
  }

  const Program &program_;
  const ReportOptions &options_;
  const Budget budget_;
  TrafficMeter meter_;
  ReuseMeter reuse_;
  AlikeKernels alike_;
  std::optional<ProgramIndexing> maps_;
};

absl::StatusOr<std::vector<Site>> sitesOf(const Program &program) {
  std::vector<Site> sites;
  for (auto [m, module] : llvm::enumerate(program.modules)) {
    absl::Status end;
    for (const KernelSite &site : kernelSites(module, &end))
      sites.push_back({m, site});
    if (!end.ok()) return end;
  }
  return sites;
}

absl::StatusOr<std::vector<MeasuredKernel>> measureAll(
    const Program &program, const ReportOptions &options, Call &call) {
  const Budget budget = call.budget();
  CoalescingOptions asked(budget);
  asked.operations = budget.operationsOr(kReportOperations);
  auto sites = sitesOf(program);
  if (!sites.ok()) return sites.status();
  auto instructionOf = [&](const Site &site) -> const Instruction & {
    return program.modules[site.module]
        .computations[site.at.computation]
        .instructions[site.at.instruction];
  };
  std::vector<MeasuredKernel> kernels;
  kernels.reserve(sites->size());
  auto take = [&](size_t number, Found found) {
    if (!found.isWhole) return false;
    if (found.kernel.ok())
      kernels.push_back(*std::move(found.kernel));
    else  // the others stand
      call.reporter().warning(instructionOf((*sites)[number]).place,
                              std::string(found.kernel.status().message()));
    return true;
  };
  // Fewer are done before a thread has begun.
  constexpr size_t kFewSites = 200;
  const size_t jobs = sites->size() < kFewSites ? 1 : call.jobs();
  std::vector<std::unique_ptr<KernelWorker>> workers;
  for (size_t i = 0; i < jobs; ++i)
    workers.push_back(
        std::make_unique<KernelWorker>(program, options, budget, asked));
  if (jobs == 1) {
    for (auto [number, site] : llvm::enumerate(*sites))
      if (!take(number, workers.front()->measure(site))) break;
    shareTime(kernels);
    return kernels;
  }
  // Those that run one computation are of one worker, who finds it once.
  const size_t together = runLength(sites->size(), jobs);
  std::vector<uint32_t> owners;
  for (auto [number, site] : llvm::enumerate(*sites)) {
    const Instruction &instruction = instructionOf(site);
    owners.push_back((instruction.called.empty()
                          ? number / together
                          : instruction.called.front().computation + 1) %
                     jobs);
  }
  inOrder<Found>(
      owners,
      [&](size_t worker, size_t number) {
        return workers[worker]->measure((*sites)[number]);
      },
      take);
  shareTime(kernels);
  return kernels;
}

/// Those whose waste changed most come first.
void sortByChange(const Comparison &comparison, std::vector<KernelRow> &rows) {
  auto changeOf = [&](const KernelRow &row) {
    const OldKernel *old = comparison.was.lookup(row.kernel);
    return old ? std::abs(row.sums.wasted - old->sums.wasted) : 0;
  };
  llvm::stable_sort(rows, [&](const KernelRow &a, const KernelRow &b) {
    return changeOf(a) > changeOf(b);
  });
}

/// What --fail-above says of the rows: their sum, or, where nothing is summed,
/// the one that wastes most. Empty: it allows that.
std::string wasteAbove(const ReportOptions &options, const KernelNames &names,
                       const SelectedRows &rows, bool areKernels) {
  if (!options.failAbove) return "";
  const std::string allowed =
      ", and --fail-above allows " + std::to_string(*options.failAbove);
  if (areKernels)
    return rows.sums.wasted <= *options.failAbove
               ? ""
               : std::to_string(rows.sums.wasted) + " bytes are wasted" +
                     allowed;
  const KernelRow *worst = nullptr;
  for (const KernelRow &row : rows.kernels)
    if (!worst || row.sums.wasted > worst->sums.wasted) worst = &row;
  if (!worst || worst->sums.wasted <= *options.failAbove) return "";
  return "`" + names.instructionOf(*worst->kernel).name.str() + "` wastes " +
         std::to_string(worst->sums.wasted) + " bytes" + allowed;
}

absl::StatusOr<int> reportOn(const ReportOptions &options, Call &call) {
  const auto program =
      readProgram(call.input(), options.readAs, call.reporter());
  if (!program.ok()) return program.status();
  const bool scheduled = llvm::all_of(
      program->modules, [](const Module &m) { return m.isScheduled; });
  const bool areKernels = scheduled || options.launch == LaunchModel::Xla;
  auto measured = measureAll(*program, options, call);
  if (!measured.ok()) return measured.status();
  const std::vector<MeasuredKernel> &kernels = *measured;
  const KernelNames names{*program};
  RowChoice choice;
  if (options.sort) choice.sort = options.sort;
  choice.group = options.group;
  choice.filters = options.filters;
  choice.leastWasted = options.min.value_or(0);
  choice.top = options.top;
  if (!choice.top && call.isForPeople()) choice.top = kTopInText;
  SelectedRows rows = select(names, kernels, *options.device, choice);
  TrafficView view{names, *options.device, options.threads.has_value(),
                   options.stacks};
  view.scheduled = scheduled;
  view.areKernels = areKernels;
  view.jobs = call.jobs();
  if (options.group) view.groupedBy = options.group->name;
  Comparison comparison;
  if (!options.baseline.empty()) {
    const OldReport *then = reportAbout(options.then, call.input().path);
    static const OldReport kNothing;
    comparison =
        compare(names, kernels, *options.device, then ? *then : kNothing);
    if (!options.sort) sortByChange(comparison, rows.kernels);
    view.comparison = &comparison;
    view.baseline = options.baseline;
  }
  TrafficResult result(view, rows);
  const std::string tooMuch = wasteAbove(options, names, rows, areKernels);
  if (tooMuch.empty()) return call.writeAndEnd(result, kDone);
  auto status = call.writeAndEnd(result, kAbove);
  if (!status.ok()) return status;
  call.err() << call.input().displayName() << ": " << tooMuch << '\n';
  return status;
}

/// What --baseline names, read once.
int readThen(ReportOptions &options, llvm::raw_ostream &err) {
  if (options.baseline.empty()) return kDone;
  absl::StatusOr<Input> input = readInput(options.baseline);
  if (!input.ok()) {
    Reporter(err, options.baseline, "").error(input.status());
    return kWrongInput;
  }
  auto then = readBaseline(input->text);
  if (!then.ok()) {
    Reporter(err, options.baseline, input->text).error(then.status());
    return kWrongInput;
  }
  options.then = *std::move(then);
  return kDone;
}

}  // namespace

Command makeReport() {
  auto asked = std::make_shared<ReportOptions>();
  Command report;
  report.name = "report";
  report.sentence =
      "every kernel of a module, ranked by the bytes that it wastes";
  report.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical report --device=a100";
  report.statuses = {{kAbove, "more is wasted than --fail-above allows"}};
  report.options = {
      countOption("top", asked->top, "a number of kernels",
                  "The most kernels, or groups, to show (default: 10 in text, "
                  "else all)"),
      sortOption(*asked),
      groupOption(*asked),
      filterOption(*asked),
      bytesOption("min", asked->min,
                  "Only kernels, or groups, that waste so much: 4096, 10MB"),
      bytesOption("fail-above", asked->failAbove,
                  "End with status 3 where more than this is wasted: by all "
                  "kernels, or by an instruction that is none yet"),
      fileOption("baseline", asked->baseline,
                 "An earlier report, of --format=json or jsonl: what became "
                 "better or worse"),
  };
  addTraffic(report, asked);
  report.offers.push_back(Offer::Page);
  report.prepare = [asked, before = report.prepare](llvm::raw_ostream &err) {
    const int status = before(err);
    return status == kDone ? readThen(*asked, err) : status;
  };
  report.check = [asked,
                  settings = report.settings]() -> std::optional<std::string> {
    if (asked->group && settings->format->needs == Offer::Table)
      return "--group has no table of reads and writes; use --format=json";
    if (asked->group && settings->format->needs == Offer::Page)
      return "a page groups by itself, without --group";
    if (asked->failAbove && settings->resume)
      return "--fail-above looks at every file, and --resume passes over those "
             "that are done";
    if (asked->baseline.empty()) return std::nullopt;
    if (asked->group || !asked->filters.empty())
      return "--baseline compares whole kernels, without --group and --filter";
    return std::nullopt;
  };
  report.run = [asked](Call &call) { return reportOn(*asked, call); };
  return report;
}

}  // namespace indexical

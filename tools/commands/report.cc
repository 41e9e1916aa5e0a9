#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/tools/baseline.h"
#include "indexical/tools/command.h"
#include "indexical/tools/kernel_input.h"
#include "indexical/tools/kernel_options.h"
#include "indexical/tools/measure_kernels.h"
#include "indexical/tools/profile_input.h"
#include "indexical/tools/profile_report.h"
#include "indexical/tools/profile_run.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/traffic_report.h"
#include "indexical/tools/triton_kernels.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The number of kernels, or groups, in a text.
constexpr size_t kTopInText = 10;

struct ReportOptions : TrafficOptions {
  const SortKey *sort = nullptr;  ///< null: what wastes most, or changed most
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  bool each = false;  ///< kernels that are alike are not one row
  std::optional<size_t> top;
  std::optional<int64_t> min, failAbove;
  std::string baseline;  ///< a file, or empty
  std::vector<OldReport> then;
  ProfileOptions profile;
  std::optional<size_t> program, first;  ///< of the profile's
  std::optional<double> failSlower;      ///< per cent
  std::optional<Input> thenProfile;      ///< the baseline, if it is one
  std::optional<size_t> partitions, replicas;
  std::string topology;  ///< its text, or a file; empty: none
  std::optional<Topology> links;
  KernelQuestion triton;  ///< how kernels of Triton are launched
};

/// Adds `--gpu`, `--program`, `--hlo`, `--first`, `--fail-slower`.
void addProfileOptions(ReportOptions &asked, std::vector<Option> &options) {
  options.push_back(numbersOption("gpu", "N,...", /*least=*/0,
                                  asked.profile.join.gpus,
                                  "Of a profile, only these GPUs"));
  options.push_back(countOption("program", asked.program, "a program's number",
                                "Of a profile, only kernels of the module with "
                                "this program_id"));
  Option hlo;
  hlo.name = "hlo";
  hlo.value = "FILE";
  hlo.sentence =
      "A dump with modules that the profile does not hold; they are found by "
      "their names";
  hlo.names = Names::Files;
  hlo.repeatable = true;
  hlo.take = [&asked](StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "the path of a file";
    asked.profile.hlo.push_back(word.str());
    return std::nullopt;
  };
  options.push_back(std::move(hlo));
  options.push_back(countOption("first", asked.first, "a number of launches",
                                "Of a profile, leave out so many first "
                                "launches of each op on each GPU"));
  Option slower;
  slower.name = "fail-slower";
  slower.value = "P%";
  slower.sentence =
      "End with status 3 where a kernel of a profile is slower than in the "
      "--baseline by more than this";
  slower.take = [&asked](StringRef word) -> std::optional<std::string> {
    double percent = 0;
    word.consume_back("%");
    if (word.getAsDouble(percent) || !(percent >= 0) || percent > 1e9)
      return "per cent, as `5%`";
    asked.failSlower = percent;
    return std::nullopt;
  };
  options.push_back(std::move(slower));
}

/// Adds `--partitions`, `--replicas`, `--topology`.
void addDeviceOptions(ReportOptions &asked, std::vector<Option> &options) {
  options.push_back(countOption(
      "partitions", asked.partitions, "a number of partitions",
      "The number of partitions (default: what the module says, or its "
      "shardings or groups)"));
  options.push_back(countOption("replicas", asked.replicas,
                                "a number of replicas",
                                "The number of replicas (default: likewise)"));
  Option topology;
  topology.name = "topology";
  topology.value = "FILE|LINES";
  topology.sentence =
      "The bandwidths of links, for times: lines `within 8: 450 GB/s` (8 "
      "devices are a host) and `between: 50 GB/s`";
  topology.names = Names::Files;
  topology.take = [&asked](StringRef word) -> std::optional<std::string> {
    if (word.empty()) return "a file, or lines with `;` between them";
    asked.topology = word.str();
    return std::nullopt;
  };
  options.push_back(std::move(topology));
}

Option sortOption(ReportOptions &asked) {
  std::vector<Choice<const SortKey *>> keys;
  for (const SortKey &key : sortKeys()) keys.push_back({key.name.str(), &key});
  Option option = choiceOption<const SortKey *>(
      "sort", "KEY", asked.sort, std::move(keys),
      "What comes first (default: in text lost, in other formats wasted; with "
      "--baseline, what changed most)");
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

/// Sorts kernels whose waste changed most to the front.
void sortByChange(const Comparison &comparison, std::vector<KernelRow> &rows) {
  auto changeOf = [&](const KernelRow &row) {
    const OldKernel *old = comparison.was.lookup(row.kernel);
    return old ? std::abs(row.sums.wasted - old->sums.wasted) : 0;
  };
  llvm::stable_sort(rows, [&](const KernelRow &a, const KernelRow &b) {
    return changeOf(a) > changeOf(b);
  });
}

/// Returns a message if the rows certainly waste more than --fail-above allows:
/// their sum or, if they have no sum, the row that wastes most. Returns ""
/// otherwise.
std::string wasteAbove(const ReportOptions &options, const KernelNames &names,
                       const SelectedRows &rows, bool areKernels) {
  if (!options.failAbove) return "";
  const std::string allowed =
      ", and --fail-above allows " + std::to_string(*options.failAbove);
  if (areKernels)
    return rows.sums.wastedSure <= *options.failAbove
               ? ""
               : std::to_string(rows.sums.wastedSure) + " bytes are wasted" +
                     allowed;
  const KernelRow *worst = nullptr;
  for (const KernelRow &row : rows.kernels)
    if (!worst || row.sums.wastedSure > worst->sums.wastedSure) worst = &row;
  if (!worst || worst->sums.wastedSure <= *options.failAbove) return "";
  return "`" + names.instructionOf(*worst->kernel).name.str() + "` wastes " +
         std::to_string(worst->sums.wastedSure) + " bytes" + allowed;
}

//===-- A profile ---------------------------------------------------------===//

/// Sorts kernels by the change of a launch's time, the largest first.
void sortByTimeChange(const ProfileView &view, const Comparison &comparison,
                      std::vector<KernelRow> &rows) {
  auto changeOf = [&](const KernelRow &row) {
    const OldKernel *old = comparison.was.lookup(row.kernel);
    const MeasuredRow *now = view.rowOf(*row.kernel);
    if (!old || !now || !now->median() || !old->measured) return 0.0;
    return std::abs(*now->median() - *old->measured);
  };
  llvm::stable_sort(rows, [&](const KernelRow &a, const KernelRow &b) {
    return changeOf(a) > changeOf(b);
  });
}

/// Whether kernels that are alike are one row.
bool isJoined(const ReportOptions &options, const Call &call) {
  return call.isForPeople() && !options.each && options.baseline.empty();
}

/// Returns the requested order, or else the one that people look for.
const SortKey *sortOf(const ReportOptions &options, const Call &call,
                      bool areKernels) {
  if (options.sort) return options.sort;
  const bool isOfArrays = options.group && options.group->name == kArrayKey;
  if (!call.isForPeople() || !areKernels || (options.group && !isOfArrays))
    return findSortKey("wasted");
  return findSortKey(isOfArrays ? "moved" : "lost");
}

absl::StatusOr<int> reportOnProfile(const ReportOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto made, profileRunOf(call.input(), options.profile, options, call));
  const ProfileRun &run = *made;
  const KernelNames names{run.read.program};
  RowChoice choice;
  const bool asText = call.isForPeople();
  choice.sort = sortOf(options, call, /*areKernels=*/true);
  choice.group = options.group;
  choice.filters = options.filters;
  choice.leastWasted = options.min.value_or(0);
  choice.top = options.top;
  if (!choice.top && asText) choice.top = kTopInText;
  choice.addTimes = [&](const MeasuredKernel &kernel, TrafficSums &sums) {
    run.view->addTimes(kernel, sums);
  };
  choice.alikeTogether = isJoined(options, call);
  SelectedRows rows = select(names, run.kernels, *run.device, choice);
  TrafficView view{names, *run.device, options.threads.has_value(),
                   options.stacks};
  view.scheduled = llvm::all_of(run.read.program.modules,
                                [](const Module &m) { return m.isScheduled; });
  view.jobs = call.jobs();
  view.profile = &*run.view;
  view.clockStep = clockStepOf(*run.device);
  if (options.group) view.groupedBy = options.group->name;
  Comparison comparison;
  OldReport thenReport;
  std::string tooSlow;
  if (!options.baseline.empty()) {
    const OldReport *then = &thenReport;
    if (options.thenProfile) {
      auto earlier =
          profileRunOf(*options.thenProfile, options.profile, options, call);
      if (!earlier.ok())
        return absl::InvalidArgumentError(
            "the baseline `" + options.baseline +
            "`: " + std::string(earlier.status().message()));
      thenReport = oldReportOf(**earlier);
    } else if (const OldReport *about =
                   reportAbout(options.then, call.input().path)) {
      then = about;
    }
    comparison = compare(names, run.kernels, *run.device, *then);
    // `gone` refers to kernels of the report.
    tooSlow = compareTimes(run, options.failSlower, comparison);
    if (!options.sort) sortByTimeChange(*run.view, comparison, rows.kernels);
    view.comparison = &comparison;
    view.baseline = options.baseline;
  }
  TrafficResult result(view, rows);
  const std::string tooMuch =
      wasteAbove(options, names, rows, /*areKernels=*/true);
  const absl::Status &damage = run.read.profile.damage;
  const int end = !damage.ok()                           ? kWrongInput
                  : !tooMuch.empty() || !tooSlow.empty() ? kAbove
                                                         : kDone;
  if (!damage.ok()) call.reporter().error(damage);
  auto status = call.writeAndEnd(result, end);
  if (!status.ok()) return status;
  for (const std::string &text : {tooMuch, tooSlow})
    if (!text.empty())
      call.err() << call.input().displayName() << ": " << text << '\n';
  return status;
}

/// Returns the traffic between the program's devices, with the options of the
/// call. The rows' filters are applied later (shownBy).
Communication communicationOf(const ReportOptions &options,
                              const Program &program,
                              Communication::Choice choice, Call &call) {
  if (options.partitions) choice.partitions = *options.partitions;
  if (options.replicas) choice.replicas = *options.replicas;
  choice.topology = options.links;
  choice.top = options.top;
  choice.byReceived = options.sort == findSortKey("received");
  if (options.group)
    for (const char *key : {"op_name", "source", "opcode"})
      if (options.group->name == key) choice.group = options.group->name;
  return Communication::of(program, std::move(choice), call.reporter());
}

/// Returns whether a read or write of a collective is among the rows.
std::function<bool(size_t, const Collective &)> shownBy(
    const SelectedRows &rows) {
  std::set<std::tuple<size_t, ComputationId, InstructionId>> shown;
  for (const KernelRow &row : rows.kernels)
    shown.insert(
        {row.kernel->module, row.kernel->computation, row.kernel->instruction});
  return [shown = std::move(shown)](size_t module, const Collective &of) {
    return shown.count({module, of.computation, of.instruction}) > 0;
  };
}

/// Returns the kernels of a module, or of a text that holds kernels of Triton.
absl::StatusOr<TritonProgram> readReported(const ReportOptions &options,
                                           Call &call) {
  if (holdsKernels(call.input())) {
    KernelQuestion question = options.triton;
    question.device = options.device;
    return readTritonProgram(question, call);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, options.readAs));
  TritonProgram read;
  read.program = std::move(program);
  INDEXICAL_ASSIGN_OR_RETURN(read.kernels,
                             measureAll(read.program, options, call));
  return read;
}

absl::StatusOr<int> reportOn(const ReportOptions &options, Call &call) {
  if (isProfile(call.input())) return reportOnProfile(options, call);
  if (options.profile.isAsked() || options.failSlower || options.thenProfile)
    return absl::InvalidArgumentError(
        "this is no profile, and --gpu, --program, --hlo, --first, "
        "--fail-slower and a profile as the --baseline go with one");
  INDEXICAL_ASSIGN_OR_RETURN(auto read, readReported(options, call));
  const Program *program = &read.program;
  auto *measured = &read.kernels;
  const bool scheduled = llvm::all_of(
      program->modules, [](const Module &m) { return m.isScheduled; });
  const bool areKernels = scheduled || options.launch == LaunchModel::Xla;
  std::vector<StringRef> texts;
  if (program->text) texts.push_back(*program->text);
  addFacts(*program, *options.device, texts, *measured);
  const std::vector<MeasuredKernel> &kernels = *measured;
  const KernelNames names{*program};
  RowChoice choice;
  choice.sort = sortOf(options, call, areKernels);
  choice.alikeTogether = areKernels && isJoined(options, call);
  choice.group = options.group;
  choice.filters = options.filters;
  choice.leastWasted = options.min.value_or(0);
  choice.top = options.top;
  if (!choice.top && call.isForPeople()) choice.top = kTopInText;
  Communication communication = communicationOf(options, *program, {}, call);
  choice.addTimes = [&](const MeasuredKernel &kernel, TrafficSums &sums) {
    sums.received = communication.received(kernel.module, kernel.computation,
                                           kernel.instruction);
  };
  if (options.sort != findSortKey("received")) choice.addTimes = nullptr;
  SelectedRows rows = select(names, kernels, *options.device, choice);
  if (!options.filters.empty()) communication.show(shownBy(rows));
  TrafficView view{names, *options.device, options.threads.has_value(),
                   options.stacks};
  view.scheduled = scheduled;
  view.areKernels = areKernels;
  view.communication = &communication;
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
  if (tooMuch.empty()) return call.writeAndEnd(result, read.status);
  auto status = call.writeAndEnd(result, worseOf(kAbove, read.status));
  if (!status.ok()) return status;
  call.err() << call.input().displayName() << ": " << tooMuch << '\n';
  return status;
}

/// Reads --topology: a text with its lines, or a file.
int readTopology(ReportOptions &options, llvm::raw_ostream &err) {
  if (options.topology.empty()) return kDone;
  const StringRef said = options.topology;
  std::string path = "--topology", text = options.topology;
  if (!said.contains(':') || !said.contains("within")) {
    absl::StatusOr<Input> input = readInput(said);
    if (!input.ok()) {
      Reporter(err, options.topology, "").error(input.status());
      return kWrongInput;
    }
    path = options.topology;
    text = StringRef(input->text).str();
  }
  auto links = parseTopology(text);
  if (!links.ok()) {
    Reporter(err, path, text).error(links.status());
    return kWrongInput;
  }
  options.links = *links;
  return kDone;
}

/// Reads the file of --baseline, once. Returns the exit status.
int readThen(ReportOptions &options, llvm::raw_ostream &err) {
  if (options.baseline.empty()) return kDone;
  absl::StatusOr<Input> input = readInput(options.baseline);
  if (!input.ok()) {
    Reporter(err, options.baseline, "").error(input.status());
    return kWrongInput;
  }
  if (isProfile(*input)) {
    options.thenProfile = *std::move(input);
    return kDone;
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
      "every kernel of a module, ranked by the bytes that it wastes; or of a "
      "profile, by the time that it loses";
  report.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical report --device=a100";
  report.statuses = {{kAbove,
                      "more is wasted than --fail-above allows, or a kernel "
                      "is slower than --fail-slower allows"}};
  report.options = {
      countOption("top", asked->top, "a number of kernels",
                  "The most kernels, or groups, to show (default: 10 in text, "
                  "else all)"),
      sortOption(*asked),
      groupOption(*asked),
      filterOption(*asked),
      flagOption("each", asked->each,
                 "In text, a row for each kernel, where kernels that are "
                 "alike are else one"),
      bytesOption("min", asked->min,
                  "Only kernels, or groups, that waste so much: 4096, 10MB"),
      bytesOption("fail-above", asked->failAbove,
                  "End with status 3 where more than this is wasted: by all "
                  "kernels, or by an instruction that is none yet"),
      fileOption("baseline", asked->baseline,
                 "An earlier report, of --format=json or jsonl: what became "
                 "better or worse"),
  };
  addDeviceOptions(*asked, report.options);
  addProfileOptions(*asked, report.options);
  addLaunchOptions(report.options, asked->triton);
  addShapeOption(report.options, asked->triton);
  addTraffic(report, asked);
  report.offers.push_back(Offer::Page);
  report.prepare = [asked, before = report.prepare](llvm::raw_ostream &err) {
    if (asked->program)
      asked->profile.join.program = static_cast<int64_t>(*asked->program);
    asked->profile.join.first =
        std::min<size_t>(asked->first.value_or(0), INT64_MAX);
    int status = before(err);
    if (status == kDone) status = readTopology(*asked, err);
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
    if (asked->partitions == size_t{0} || asked->replicas == size_t{0})
      return "--partitions and --replicas are numbers from 1";
    if (auto wrong = wrongLaunch(asked->triton)) return wrong;
    if (asked->failSlower && asked->baseline.empty())
      return "--fail-slower compares with a --baseline";
    if (asked->baseline.empty()) return std::nullopt;
    if (asked->group || !asked->filters.empty())
      return "--baseline compares whole kernels, without --group and --filter";
    return std::nullopt;
  };
  report.run = [asked](Call &call) { return reportOn(*asked, call); };
  return report;
}

}  // namespace indexical

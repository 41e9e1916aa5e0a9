#include "indexical/answers/report/report.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/inputs/profile_input.h"
#include "indexical/answers/report/joined_modules.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/command/command.h"
#include "indexical/command/kernel_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/report.h"

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
  bool cancels = false, live = false;
  std::optional<size_t> top;
  std::optional<int64_t> min, failAbove;
  std::string baseline;  ///< a file, or empty
  std::vector<OldReport> then;
  std::vector<std::string> hlo;  ///< files of modules of a profile
  JoinChoice join;
  std::optional<size_t> program, first;  ///< of the profile's
  std::optional<double> failSlower;      ///< per cent
  std::optional<Input> thenProfile;      ///< the baseline, if it is one
  std::optional<size_t> partitions, replicas;
  std::string topology;  ///< its text, or a file; empty: none
  std::optional<Topology> links;
  KernelQuestion triton;  ///< how kernels of Triton are launched

  /// Whether an option is given that only a profile has.
  bool areOfProfile() const {
    return !hlo.empty() || !join.gpus.empty() || join.program ||
           join.first > 0 || failSlower || thenProfile;
  }
};

/// Adds `--gpu`, `--program-id`, `--hlo`, `--first`, `--fail-slower`.
void addProfileOptions(ReportOptions &asked, std::vector<Option> &options) {
  options.push_back(numbersOption("gpu", "N,...", /*least=*/0, asked.join.gpus,
                                  "Of a profile, only these GPUs"));
  options.push_back(formerly(
      "program", countOption("program-id", asked.program, "a program's number",
                             "Of a profile, only kernels of the module with "
                             "this program_id")));
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
    asked.hlo.push_back(word.str());
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
  options.push_back(devicesOption(
      "partitions", asked.partitions,
      "The number of partitions (default: what the module says, or its "
      "shardings or groups)"));
  options.push_back(
      devicesOption("replicas", asked.replicas,
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
      "What comes first (default: in text avoidable, in other formats wasted; "
      "with --baseline, what changed most)");
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

/// Returns a message if the rows certainly waste more than --fail-above allows:
/// their sum or, if they have no sum, the row that wastes most. Returns ""
/// otherwise.
std::string wasteAbove(const ReportOptions &options, const Report &report) {
  if (!options.failAbove) return "";
  const SelectedRows &rows = report.rows;
  const std::string allowed =
      ", and --fail-above allows " + std::to_string(*options.failAbove);
  if (report.areKernels)
    return rows.sums.wastedSure <= *options.failAbove
               ? ""
               : std::to_string(rows.sums.wastedSure) + " bytes are wasted" +
                     allowed;
  const KernelRow *worst = nullptr;
  for (const KernelRow &row : rows.kernels)
    if (!worst || row.sums.wastedSure > worst->sums.wastedSure) worst = &row;
  if (!worst || worst->sums.wastedSure <= *options.failAbove) return "";
  return "`" + report.names().instructionOf(*worst->kernel).name.str() +
         "` wastes " + std::to_string(worst->sums.wastedSure) + " bytes" +
         allowed;
}

/// Returns a message if a kernel became slower than --fail-slower allows, else
/// "".
std::string slowerThan(const ReportOptions &options, const Report &report) {
  if (!options.failSlower || !report.comparison) return "";
  const auto &slowest = report.comparison->slowest;
  if (!slowest || slowest->percent <= *options.failSlower) return "";
  return "`" + report.names().instructionOf(*slowest->kernel).name.str() +
         "` takes " + decimal(slowest->now, 2) + " us a launch and took " +
         decimal(slowest->was, 2) + ": that is " +
         decimal(slowest->percent, 1) + "% more, and --fail-slower allows " +
         decimal(*options.failSlower, 2) + "%";
}

/// Returns the requested order, or else the one that people look for.
const SortKey *sortOf(const ReportOptions &options, const Call &call,
                      bool areKernels) {
  if (options.sort) return options.sort;
  const bool isOfArrays = options.group && options.group->name == kArrayKey;
  if (!call.isForPeople() || !areKernels || (options.group && !isOfArrays))
    return findSortKey("wasted");
  return findSortKey(isOfArrays ? "moved" : "avoidable");
}

/// Returns the question of the call's options. `areKernels` is that of the
/// report.
ReportQuestion questionOf(const ReportOptions &options, const Call &call,
                          bool areKernels) {
  ReportQuestion question;
  static_cast<LaunchQuestion &>(question) = options;
  question.join = options.join;
  question.cancels = options.cancels;
  question.live = options.live;
  RowChoice &rows = question.rows;
  rows.sort = sortOf(options, call, areKernels);
  rows.group = options.group;
  rows.filters = options.filters;
  rows.leastWasted = options.min.value_or(0);
  rows.top = options.top;
  if (!rows.top && call.isForPeople()) rows.top = kTopInText;
  rows.alikeTogether =
      call.isForPeople() && !options.each && options.baseline.empty();
  CommunicationChoice &between = question.communication;
  if (options.partitions) between.partitions = *options.partitions;
  if (options.replicas) between.replicas = *options.replicas;
  between.topology = options.links;
  between.top = options.top;
  between.byReceived = options.sort == findSortKey("received");
  if (options.group)
    for (const char *key : {"op_name", "source", "opcode"})
      if (options.group->name == key) between.group = options.group->name;
  return question;
}

/// Compares the report with that of the --baseline, if there is one.
void compare(const OldReport *then, const ReportOptions &options,
             Report &report) {
  static const OldReport kNothing;
  if (options.baseline.empty()) return;
  compareWith(
      then ? *then : kNothing,
      options.sort ? ComparedOrder::AsBefore : ComparedOrder::ChangedFirst,
      report);
}

/// Writes the report. Returns the exit status: `status`, or that of limits
/// which are exceeded.
absl::StatusOr<int> writeReport(const ReportOptions &options,
                                const Report &report, int status, Call &call) {
  ReportView view{report, options.threads.has_value(), options.stacks};
  if (options.group) view.groupedBy = options.group->name;
  if (report.comparison) view.baseline = options.baseline;
  view.jobs = call.jobs();
  ReportResult result(view);
  const std::string exceeded[] = {wasteAbove(options, report),
                                  slowerThan(options, report)};
  for (const std::string &text : exceeded)
    if (!text.empty()) status = worseOf(kAbove, status);
  // A check of nothing is no check.
  const bool isNothing = !options.filters.empty() &&
                         report.rows.kernels.empty() &&
                         report.rows.groups.empty();
  if (isNothing && (options.failAbove || options.failSlower))
    status = worseOf(kWrongInput, status);
  auto end = call.writeAndEnd(result, status);
  if (!end.ok()) return end;
  if (isNothing && !call.isQuiet())
    call.err() << call.input().displayName()
               << ": warning: --filter leaves no kernel and no access\n";
  for (const std::string &text : exceeded)
    if (!text.empty())
      call.err() << call.input().displayName() << ": " << text << '\n';
  return end;
}

//===-- A profile ---------------------------------------------------------===//

/// A profile that was read, and its report.
struct ProfileReport {
  ProfiledProgram read;
  std::optional<TritonCalls> calls;
  Report report;
};

absl::StatusOr<std::unique_ptr<ProfileReport>> reportOfProfile(
    const Input &input, const ReportOptions &options, Call &call) {
  auto made = std::make_unique<ProfileReport>();
  INDEXICAL_ASSIGN_OR_RETURN(made->read,
                             readProfiled(input, options.hlo, options.readAs));
  ReportQuestion question = questionOf(options, call, /*areKernels=*/true);
  if (!options.deviceIsNamed) {
    INDEXICAL_ASSIGN_OR_RETURN(question.device,
                               deviceOf(made->read.profile, options.join));
  }
  if (!options.threads) {
    made->calls.emplace(made->read.program, *question.device, call.ask());
    question.known = &*made->calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(made->report,
                             reportOf(made->read, question, call.ask()));
  return made;
}

absl::StatusOr<int> reportOnProfile(const ReportOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto made,
                             reportOfProfile(call.input(), options, call));
  OldReport then;  // the comparison refers to it
  if (options.thenProfile) {
    auto earlier = reportOfProfile(*options.thenProfile, options, call);
    if (!earlier.ok())
      return absl::InvalidArgumentError(
          "the baseline `" + options.baseline +
          "`: " + std::string(earlier.status().message()));
    then = oldReportOf((*earlier)->report);
  } else if (const OldReport *about =
                 reportAbout(options.then, call.input().path)) {
    then = *about;
  }
  compare(&then, options, made->report);
  const absl::Status &damage = made->read.profile.damage;
  if (!damage.ok()) call.reporter().error(damage);
  return writeReport(options, made->report, damage.ok() ? kDone : kWrongInput,
                     call);
}

//===-- A module ----------------------------------------------------------===//

absl::StatusOr<int> reportOnModule(const ReportOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(call, options.readAs));
  ReportQuestion question =
      questionOf(options, call, areKernels(program, options.launch));
  question.whyDevice = setDevice(options, call.input(), question.device);
  std::optional<TritonCalls> calls;
  if (!options.threads) {
    calls.emplace(program, *question.device, call.ask());
    question.known = &*calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto report,
                             reportOf(program, question, call.ask()));
  compare(reportAbout(options.then, call.input().path), options, report);
  return writeReport(options, report, kDone, call);
}

/// Reports on a text that holds kernels of Triton.
absl::StatusOr<int> reportOnKernels(const ReportOptions &options, Call &call) {
  KernelQuestion triton = options.triton;
  triton.device = options.device;
  const std::string why = setDevice(options, call.input(), triton.device);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto read, readTritonProgram(call.input(), triton, call.ask()));
  ReportQuestion question =
      questionOf(options, call, areKernels(read.program, options.launch));
  question.device = triton.device;
  question.whyDevice = why;
  Report report =
      reportOf(read.program, std::move(read.kernels), question, call.ask());
  compare(reportAbout(options.then, call.input().path), options, report);
  return writeReport(options, report, read.failed > 0 ? kWrongInput : kDone,
                     call);
}

//===-- Several modules ---------------------------------------------------===//

/// Messages about one of several texts, whose lines are not shown.
class PlainMessages : public Messages {
 public:
  explicit PlainMessages(Reporter &to) : to_(to) {}
  void error(const absl::Status &status) override {
    to_.error(absl::Status(status.code(), status.message()));
  }
  void warning(Place, StringRef text) override { to_.warning({}, text); }
  void note(Place, StringRef text) override { to_.note({}, text); }

 private:
  Reporter &to_;
};

absl::StatusOr<int> reportOnModules(const ReportOptions &options, Call &call) {
  std::vector<Program> programs;
  std::vector<std::string> files;
  std::vector<size_t> read;  // the numbers of these inputs
  for (size_t k = 0; k < call.inputCount(); ++k) {
    auto program = readProgram(call, options.readAs, k);
    if (!program.ok()) {
      call.reporter(k).error(program.status());
      continue;
    }
    programs.push_back(*std::move(program));
    files.push_back(call.input(k).path);
    read.push_back(k);
  }
  JoinedModules joined =
      joinModules(std::move(programs), files, options.launch.has_value());
  if (joined.program.modules.empty())
    return absl::InvalidArgumentError("there is no module to report on");
  Reporter reporter(call.err(), "indexical", "", call.isQuiet());
  if (joined.unscheduled > 0)
    reporter.note({}, "passed over, as they are not scheduled: " +
                          std::to_string(joined.unscheduled) + " of " +
                          std::to_string(joined.unscheduled +
                                         joined.program.modules.size()) +
                          " modules");
  PlainMessages messages(reporter);
  Ask ask{call.budget(), call.jobs(), messages};
  ReportQuestion question =
      questionOf(options, call, areKernels(joined.program, options.launch));
  question.texts = joined.texts;
  question.files = joined.files;
  // One device for all: that of the first file which says one.
  for (size_t k : read) {
    const Device *own = question.device;
    const std::string why = setDevice(options, call.input(k), own);
    if (why.empty()) continue;
    if (question.whyDevice.empty()) {
      question.whyDevice = why;
      question.device = own;
    } else if (own != question.device) {
      call.reporter(k).warning({}, "it was compiled for another device (" +
                                       why + "), and is timed as all are, on " +
                                       question.device->name.str() +
                                       "; --device=NAME names one");
    }
  }
  std::optional<TritonCalls> calls;
  if (!options.threads) {
    calls.emplace(joined.program, *question.device, ask);
    question.known = &*calls;
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto report,
                             reportOf(joined.program, question, ask));
  const bool areAllRead = read.size() == call.inputCount();
  return writeReport(options, report, areAllRead ? kDone : kWrongInput, call);
}

/// Whether the files are modules, by their names: profiles and kernels of
/// Triton have a report each.
bool areModules(llvm::ArrayRef<std::string> paths) {
  return llvm::none_of(paths, [](StringRef path) {
    if (!path.consume_back(".gz")) path.consume_back(".zst");
    return path.ends_with(".xplane.pb") || path.ends_with(".ttir") ||
           path.ends_with(".ttgir") || path.ends_with(".ndjson");
  });
}

absl::StatusOr<int> reportOn(const ReportOptions &options, Call &call) {
  if (call.inputCount() > 1) return reportOnModules(options, call);
  if (isProfile(call.input())) return reportOnProfile(options, call);
  if (options.areOfProfile())
    return absl::InvalidArgumentError(
        "this is no profile, and --gpu, --program-id, --hlo, --first, "
        "--fail-slower and a profile as the --baseline go with one");
  return holdsKernels(call.input()) ? reportOnKernels(options, call)
                                    : reportOnModule(options, call);
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

/// Reads --baseline, once: a file, or a report of JSON. Returns the exit
/// status.
int readThen(ReportOptions &options, llvm::raw_ostream &err) {
  if (options.baseline.empty()) return kDone;
  absl::StatusOr<Input> input = Input{"--baseline", options.baseline};
  if (StringRef(options.baseline).starts_with("{"))
    options.baseline = "--baseline";
  else
    input = readInput(options.baseline);
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
  report.words = {"moved",    "wasted",  "coalesced", "sector",
                  "ideal",    "lost",    "avoidable", "would mend it",
                  "(memory)", "(cache)", "(cores)",   "(operations)",
                  "(blocks)", "(waits)", "measured",  "ratio",
                  "trips",    "emitter"};
  report.sentence =
      "every kernel of a module, a folder of them or a profile, ranked by the "
      "time that a change could win, with the change";
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
      flagOption("cancels", asked->cancels,
                 "Also values that are an earlier one again, or a permutation "
                 "of it, behind ops that only moved it"),
      flagOption("live", asked->live,
                 "Also the arrays that are live where a scheduled module needs "
                 "most memory"),
      bytesOption("min", asked->min,
                  "Only kernels, or groups, that waste so much: 4096, 10MB"),
      bytesOption(
          "fail-above", asked->failAbove,
          "End with status 3 where all kernels together waste more than "
          "this; before there are kernels, where one instruction "
          "does"),
      fileOption("baseline", asked->baseline,
                 "An earlier report, of --format=json or jsonl (its file, or "
                 "the report itself): what became better or worse"),
  };
  addDeviceOptions(*asked, report.options);
  addProfileOptions(*asked, report.options);
  addLaunchOptions(report.options, asked->triton);
  addShapeOption(report.options, asked->triton);
  addTraffic(report, asked);
  report.offers.push_back(Offer::Page);
  report.dumps = TakenDumps::Scheduled;
  report.joinsInputs =
      [asked, settings = report.settings](llvm::ArrayRef<std::string> paths) {
        const Offer needs = settings->format->needs;
        return (needs == Offer::Text || needs == Offer::Page) &&
               asked->baseline.empty() && !asked->areOfProfile() &&
               areModules(paths);
      };
  report.prepare = [asked, before = report.prepare](llvm::raw_ostream &err) {
    if (asked->program)
      asked->join.program = static_cast<int64_t>(*asked->program);
    asked->join.first = std::min<size_t>(asked->first.value_or(0), INT64_MAX);
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

#include "indexical/answers/report/report.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/report/input_report.h"
#include "indexical/answers/report/keys.h"
#include "indexical/command/command.h"
#include "indexical/command/kernel_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/report.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The rows of a document for programs, as many as a text for people has.
constexpr size_t kTopOfDocument = 10;

struct ReportOptions : TrafficOptions {
  InputReportQuestion question;
  bool showsMaps = false;
  std::optional<size_t> program, first;  ///< of a profile
  std::optional<int64_t> min, failAbove;
  std::optional<double> failSlower;  ///< per cent
  std::string baseline;              ///< a file, or empty
  std::string topology;              ///< its text, or a file; empty: none
  bool isJoined = false;             ///< several files are one report
  std::function<std::string()> call;  ///< returns the words of the call
};

/// Adds `--gpu`, `--program-id`, `--hlo`, `--first`, `--fail-slower`.
void addProfileOptions(ReportOptions &asked, std::vector<Option> &options) {
  options.push_back(numbersOption("gpu", "N,...", /*least=*/0,
                                  asked.question.join.gpus,
                                  "In a profile, only these GPUs"));
  options.push_back(formerly(
      "program", countOption("program-id", asked.program, "a program's number",
                             "In a profile, only kernels of the module with "
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
    asked.question.hlo.push_back(word.str());
    return std::nullopt;
  };
  options.push_back(std::move(hlo));
  options.push_back(countOption("first", asked.first, "a number of launches",
                                "In a profile, leave out the first N "
                                "launches of each op on each GPU"));
  Option slower;
  slower.name = "fail-slower";
  slower.value = "P%";
  slower.sentence =
      "Exit with status 3 if a kernel of a profile is slower than in the "
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
      "partitions", asked.question.communication.partitions,
      "The number of partitions (default: what the module says, or its "
      "shardings or groups)"));
  options.push_back(
      devicesOption("replicas", asked.question.communication.replicas,
                    "The number of replicas (default: what the module "
                    "says, or its shardings or groups)"));
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
      "sort", "KEY", asked.question.rows.sort, std::move(keys),
      "The order, largest first (default: avoidable; for groups, and before "
      "there is a time, wasted; with --baseline, what changed most)");
  return option;
}

Option topOption(ReportOptions &asked) {
  Option option;
  option.name = "top";
  option.value = "N|all";
  option.sentence =
      "The largest number of kernels, or groups, to show (default: 10 in "
      "text and json, else all)";
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    int64_t number = 0;
    if (word.equals_insensitive("all"))
      asked.question.rows.top = SIZE_MAX;
    else if (word.getAsInteger(10, number) || number < 0)
      return "a number of kernels, or `all`";
    else
      asked.question.rows.top = static_cast<size_t>(number);
    return std::nullopt;
  };
  return option;
}

Option groupOption(ReportOptions &asked) {
  std::vector<Choice<const RowKey *>> keys;
  for (const RowKey &key : rowKeys())
    if (key.groups) keys.push_back({key.name.str(), &key});
  return choiceOption<const RowKey *>(
      "group", "KEY", asked.question.rows.group, std::move(keys),
      "Sums of the reads and writes with one value of this key, instead of "
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
      "Only reads and writes that match, as `op_name=*dot*`; the keys are " +
      known;
  option.repeatable = true;
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    auto filter = rowFilterOf(word);
    if (!filter.ok()) return std::string(filter.status().message());
    asked.question.rows.filters.push_back(*std::move(filter));
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

/// Writes the report. Returns the exit status: `status`, or that of limits
/// which are exceeded.
absl::StatusOr<int> writeReport(const ReportOptions &options,
                                const Report &report, int status, Call &call) {
  const InputReportQuestion &question = options.question;
  const RowChoice &asked = question.rows;
  ReportView view{report, question.threads.has_value(), options.stacks};
  if (asked.group) view.groupedBy = asked.group->name;
  if (report.comparison) view.baseline = question.earlier->name;
  view.jobs = call.jobs();
  view.showsMaps = options.showsMaps;
  const std::string words = options.call ? options.call() : "";
  view.call = words;
  ReportResult result(view);
  const std::string exceeded[] = {wasteAbove(options, report),
                                  slowerThan(options, report)};
  for (const std::string &text : exceeded)
    if (!text.empty()) status = worseOf(kAbove, status);
  // A check of nothing is no check.
  const bool isNothing = !asked.filters.empty() &&
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

/// Whether the files are modules, by their names: profiles and kernels of
/// Triton have a report each.
bool areModules(llvm::ArrayRef<std::string> paths) {
  return llvm::none_of(paths, [](StringRef path) {
    if (!path.consume_back(".gz")) path.consume_back(".zst");
    return path.ends_with(".xplane.pb") || path.ends_with(".ttir") ||
           path.ends_with(".ttgir") || path.ends_with(".ndjson");
  });
}

/// Messages about the inputs of a call, and about the call.
class CallMessages : public InputMessages {
 public:
  explicit CallMessages(Call &call)
      : call_(call), ofAll_(call.err(), "indexical", "", call.isQuiet()) {}
  Messages &of(size_t input) override { return call_.reporter(input); }
  Messages &ofAll() override { return ofAll_; }

 private:
  Call &call_;
  Reporter ofAll_;
};

absl::StatusOr<int> reportOn(const ReportOptions &options, Call &call) {
  std::vector<Input> inputs;
  for (size_t k = 0; k < call.inputCount(); ++k)
    inputs.push_back(call.input(k));
  CallMessages messages(call);
  INDEXICAL_ASSIGN_OR_RETURN(auto made,
                             reportOfInputs(inputs, options.question, messages,
                                            call.budget(), call.jobs()));
  for (const auto &[path, status] : call.unread())
    made.report.failed.push_back({path, status});
  return writeReport(options, made.report, made.isWhole ? kDone : kWrongInput,
                     call);
}

/// Reads --topology: a text with its lines, or a file.
int readTopology(ReportOptions &options, MessageStream &err) {
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
  options.question.communication.topology = *links;
  return kDone;
}

/// Reads --baseline, once: a file, or a report of JSON. Returns the exit
/// status.
int readBaseline(ReportOptions &options, MessageStream &err) {
  if (options.baseline.empty()) return kDone;
  absl::StatusOr<Input> input = Input{"--baseline", options.baseline};
  if (!StringRef(options.baseline).starts_with("{"))
    input = readInput(options.baseline);
  if (!input.ok()) {
    Reporter(err, options.baseline, "").error(input.status());
    return kWrongInput;
  }
  auto earlier = earlierReportOf(*input);
  if (!earlier.ok()) {
    Reporter(err, input->path, input->text).error(earlier.status());
    return kWrongInput;
  }
  options.question.earlier = *std::move(earlier);
  return kDone;
}

}  // namespace

Command makeReport() {
  auto asked = std::make_shared<ReportOptions>();
  Command report;
  report.name = "report";
  report.words = {"moved",    "wasted",  "coalesced", "sector",
                  "ideal",    "lost",    "avoidable", "recommendation",
                  "(memory)", "(cache)", "(cores)",   "(operations)",
                  "(blocks)", "(waits)", "measured",  "ratio",
                  "trips",    "emitter"};
  report.sentence =
      "every kernel of a module, a folder of them or a profile, ranked by "
      "the time that a change can save, with the change";
  report.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical report --device=a100";
  report.statuses = {{kAbove,
                      "more is wasted than --fail-above allows, or a kernel "
                      "is slower than --fail-slower allows"}};
  report.options = {
      topOption(*asked),
      sortOption(*asked),
      groupOption(*asked),
      filterOption(*asked),
      flagOption("each", asked->question.each,
                  "A row for each kernel in text and in the ranking, also "
                  "if one change would fix several"),
      flagOption("maps", asked->showsMaps,
                 "In json and jsonl, also the maps of each read and write"),
      flagOption("cancels", asked->question.cancels,
                 "Also values that equal an earlier one, or a permutation "
                 "of it, after ops that only moved it"),
      flagOption("live", asked->question.live,
                 "Also the arrays that are live at the memory peak of a "
                 "scheduled module"),
      bytesOption("min", asked->min,
                  "Only kernels, or groups, that waste at least this: 4096, "
                  "10MB"),
      bytesOption(
          "fail-above", asked->failAbove,
          "Exit with status 3 if all kernels together waste more than this; "
          "before there are kernels, if one instruction does"),
      fileOption("baseline", asked->baseline,
                 "An earlier report, of --format=json or jsonl (its file, "
                 "or the report itself), to compare with"),
  };
  addDeviceOptions(*asked, report.options);
  addProfileOptions(*asked, report.options);
  addLaunchOptions(report.options, asked->question.triton);
  addShapeOption(report.options, asked->question.triton);
  addPythonOptions(report.options, asked->question.triton);
  addTraffic(report, asked->question, *asked);
  report.offers.push_back(Offer::Page);
  report.dumps = TakenDumps::Scheduled;
  report.joinsInputs =
      [asked, settings = report.settings](llvm::ArrayRef<std::string> paths) {
        // Lines come file by file, as each is done.
        asked->isJoined = settings->format->name != "jsonl" &&
                          !asked->question.earlier &&
                          !asked->question.asksOfProfile() && areModules(paths);
        return asked->isJoined;
      };
  asked->call = [settings = report.settings.get()] { return settings->call; };
  report.prepare = [asked, settings = report.settings,
                    before = report.prepare](MessageStream &err) {
    InputReportQuestion &question = asked->question;
    if (asked->program)
      question.join.program = static_cast<int64_t>(*asked->program);
    question.join.first = std::min<size_t>(asked->first.value_or(0), INT64_MAX);
    question.rows.leastWasted = asked->min.value_or(0);
    question.isOfProfile = asked->failSlower.has_value();
    question.forPeople = settings->format->isForPeople;
    const Offer needs = settings->format->needs;
    asked->showsMaps |= needs == Offer::Page || needs == Offer::Table;
    if (settings->format->name == "json" && !question.rows.top) {
      question.rows.top = kTopOfDocument;
      question.rows.isUsualTop = true;
    }
    int status = before(err);
    question.readAs = asked->readAs;
    if (status == kDone) status = readTopology(*asked, err);
    return status == kDone ? readBaseline(*asked, err) : status;
  };
  report.columnsOfCall = [asked] {
    std::vector<StringRef> columns =
        asked->question.rows.group ? groupColumns() : accessColumns();
    if (asked->isJoined && !asked->question.rows.group)
      columns.insert(columns.begin(), "file");
    return columns;
  };
  report.check = [asked,
                  settings = report.settings]() -> std::optional<std::string> {
    if (asked->question.rows.group && settings->format->needs == Offer::Page)
      return "a page groups by itself, without --group";
    if (asked->failAbove && settings->resume)
      return "--fail-above looks at every file, and --resume passes over those "
             "that are done";
    if (asked->question.communication.partitions == size_t{0} ||
        asked->question.communication.replicas == size_t{0})
      return "--partitions and --replicas are numbers from 1";
    if (auto wrong = mistakeOfLaunch(asked->question.triton)) return wrong;
    if (asked->failSlower && asked->baseline.empty())
      return "--fail-slower compares with a --baseline";
    if (asked->baseline.empty()) return std::nullopt;
    if (asked->question.rows.group || !asked->question.rows.filters.empty())
      return "--baseline compares whole kernels, without --group and --filter";
    return std::nullopt;
  };
  report.run = [asked](Call &call) { return reportOn(*asked, call); };
  return report;
}

}  // namespace indexical

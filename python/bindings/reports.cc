// Reports as objects of Python: of programs, texts, files, folders and
// profiles, and of single kernels.
//
//   document, text, page = report({"device": "h100"}, program)
//   document, text = coalescing(program, {"instruction": "t"})
//   documents = kernels(b"tt.func …", {"grid": [97], "num_warps": 4})

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/given_values.h"
#include "indexical/answers/report/input_report.h"
#include "indexical/program/sharding/sharding_text.h"
#include "indexical/writers/format.h"
#include "indexical/writers/kernel.h"
#include "indexical/writers/report.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/asking.h"
#include "python/bindings/bindings.h"
#include "python/bindings/inputs.h"
#include "python/bindings/launches.h"
#include "python/bindings/program.h"
#include "python/bindings/python_sink.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using llvm::StringRef;

//===-- The question ------------------------------------------------------===//

template <typename Keys>
std::string namesOf(const Keys &keys) {
  std::vector<std::string> names;
  for (const auto &key : keys) names.push_back(key.name.str());
  return llvm::join(names, ", ");
}

/// Sets the device, the launch and the threads.
void setLaunch(const Keywords &asked, LaunchQuestion &question) {
  question.device = deviceIn(asked);
  question.launch = launchIn(asked);
  question.threads = threadsIn(asked);
}

std::optional<Topology> topologyIn(const Keywords &asked) {
  const auto said = asked.get<std::string>("topology");
  if (!said) return std::nullopt;
  const StringRef text = *said;
  if (text.contains(':') && text.contains("within"))
    return unwrap(parseTopology(text), "topology");
  const Input input = unwrap(readInput(text), *said);
  return unwrap(parseTopology(input.text), *said);
}

/// Returns the value as one of JSON, without a text in between.
llvm::json::Value valueOf(const py::handle &of) {
  if (of.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(of)) return of.cast<bool>();
  if (py::isinstance<py::int_>(of)) return integerOf(of);
  if (py::isinstance<py::float_>(of)) return of.cast<double>();
  if (py::isinstance<py::dict>(of)) {
    llvm::json::Object made;
    for (const auto &[key, value] : of.cast<py::dict>())
      made[key.cast<std::string>()] = valueOf(value);
    return made;
  }
  if (py::isinstance<py::str>(of)) return of.cast<std::string>();
  llvm::json::Array made;
  for (const py::handle &each : of) made.push_back(valueOf(each));
  return made;
}

/// Returns the report of `baseline`, a dictionary or a path.
std::optional<EarlierReport> baselineIn(const Keywords &asked) {
  const auto said = asked.get<py::object>("baseline");
  if (!said) return std::nullopt;
  if (py::isinstance<py::str>(*said)) {
    const auto path = said->cast<std::string>();
    Input input = unwrap(readInput(path), path);
    return unwrap(
        withoutLock([&] { return earlierReportOf(std::move(input)); }), path);
  }
  EarlierReport earlier;
  earlier.name = "the baseline";
  const llvm::json::Value document = valueOf(*said);
  if (const llvm::json::Object *object = document.getAsObject())
    earlier.reports = unwrap(baselineOf(*object), "baseline");
  else
    wrong("`baseline` is a report, or the path of one");
  return earlier;
}

InputReportQuestion reportQuestion(const Keywords &asked) {
  InputReportQuestion question;
  setLaunch(asked, question);
  question.readAs.sizes = sizesIn(asked);
  setLaunch(asked, question.triton);
  if (const auto sort = asked.get<std::string>("sort")) {
    question.rows.sort = findSortKey(*sort);
    if (!question.rows.sort)
      wrong("`sort` is one of " + namesOf(sortKeys()) + ", and not `" + *sort +
            "`");
  }
  if (const auto group = asked.get<std::string>("group")) {
    question.rows.group = findRowKey(*group);
    if (!question.rows.group || !question.rows.group->groups)
      wrong("`group` is one of " +
            namesOf(llvm::make_filter_range(
                rowKeys(), [](const RowKey &key) { return key.groups; })) +
            ", and not `" + *group + "`");
  }
  for (const std::string &text :
       asked.get<std::vector<std::string>>("filter").value_or(
           std::vector<std::string>())) {
    auto filter = rowFilterOf(text);
    if (!filter.ok())
      wrong("`filter` has " + std::string(filter.status().message()));
    question.rows.filters.push_back(*std::move(filter));
  }
  question.rows.top = asked.count("top");
  question.rows.leastWasted = asked.bytes("min").value_or(0);
  question.cancels = asked.isTrue("cancels");
  question.live = asked.isTrue("live");
  CommunicationChoice &between = question.communication;
  between.partitions = asked.count("partitions");
  between.replicas = asked.count("replicas");
  for (const auto &count : {between.partitions, between.replicas})
    if (count && (*count < 1 || *count > static_cast<size_t>(kMostDevices)))
      wrong("`partitions` and `replicas` are numbers from 1 to " +
            std::to_string(kMostDevices));
  between.topology = topologyIn(asked);
  question.hlo = asked.get<std::vector<std::string>>("hlo").value_or(
      std::vector<std::string>());
  question.join.gpus = asked.numbers("gpu", 0);
  if (const auto program = asked.count("program_id"))
    question.join.program = static_cast<int64_t>(*program);
  question.join.first = static_cast<int64_t>(asked.count("first").value_or(0));
  question.earlier = baselineIn(asked);
  if (question.earlier &&
      (question.rows.group || !question.rows.filters.empty()))
    wrong("`baseline` compares whole kernels, without `group` and `filter`");
  return question;
}

//===-- Reports -----------------------------------------------------------===//

/// Keeps the messages about each input, and about all.
class InputMessageLists : public InputMessages {
 public:
  explicit InputMessageLists(size_t inputs) : lists_(inputs) {}
  Messages &of(size_t input) override { return lists_[input]; }
  Messages &ofAll() override { return all_; }

  void warn(llvm::ArrayRef<Input> inputs) const {
    for (auto [list, input] : llvm::zip_equal(lists_, inputs))
      warnOf(list, input.path);
    warnOf(all_, "indexical");
  }

 private:
  std::vector<MessageList> lists_;
  MessageList all_;
};

/// A report that is asked for anew, for people, when its text is.
struct AskedReport {
  std::vector<Input> inputs;
  InputReportQuestion question;
  py::dict given;  ///< the keywords

  InputReport find(bool warns) const {
    Limits limits{Keywords(given)};
    InputMessageLists messages(inputs.size());
    const std::string path = inputs.empty() ? "" : inputs.back().path;
    auto made = withoutLock([&] {
      return reportOfInputs(inputs, question, messages, limits.budget(),
                            limits.jobs());
    });
    limits.end(path);
    if (warns) messages.warn(inputs);
    if (!made.ok()) throw StatusError(inKeywords(made.status()), path);
    return *std::move(made);
  }

  /// Returns the report as it is shown. `of` must outlive it.
  ReportView view(const InputReport &of) const {
    ReportView view{of.report, question.threads.has_value()};
    if (question.rows.group) view.groupedBy = question.rows.group->name;
    if (of.report.comparison) view.baseline = question.earlier->name;
    return view;
  }
};

py::tuple reportDocument(const py::dict &given, const py::args &sources) {
  const Keywords asked(given);
  auto kept = std::make_shared<AskedReport>();
  kept->question = reportQuestion(asked);
  kept->inputs = inputsOf(sources);
  kept->given = given;
  if (sources.size() == 1 && py::isinstance<HeldProgram>(sources[0]))
    kept->question.readAs.format = sources[0].cast<Held>()->format;
  const auto found =
      std::make_shared<const InputReport>(kept->find(/*warns=*/true));
  if (!kept->question.rows.filters.empty() &&
      found->report.rows.kernels.empty() && found->report.rows.groups.empty())
    warn("`filter` leaves no kernel and no access");
  ReportResult result(kept->view(*found));
  const py::cpp_function text([kept] {
    AskedReport people = *kept;
    people.question.forPeople = true;
    const InputReport found = people.find(/*warns=*/false);
    ReportResult result(people.view(found));
    return textOf(result);
  });
  py::object page = py::none();
  // A page groups by itself.
  if (!kept->question.rows.group)
    page = writerOf([kept, found](llvm::raw_ostream &os) {
      ReportResult result(kept->view(*found));
      makeHtmlWriter({os, {}, PageKind::Kernels})->write(result, std::nullopt);
    });
  return py::make_tuple(documentOf(result), text, page);
}

/// A report of one kernel.
struct KeptKernel {
  Report report;
  bool ownThreads = false;

  ReportView view() const {
    ReportView view{report, ownThreads};
    view.asText = ReportView::Text::Kernel;
    return view;
  }
};

py::tuple kernelReportDocument(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  OneKernelQuestion question;
  setLaunch(asked, question);
  question.computation = asked.name("computation");
  question.instruction = asked.name("instruction");
  question.space = asked.name("space");
  for (const auto &[name, value] : asked.byName<py::object>("runtime"))
    question.runtime.emplace_back(name, py::str(value).cast<std::string>());
  const auto program = programOf(held, asked);
  Limits limits(asked);
  const auto kept = std::make_shared<const KeptKernel>(
      KeptKernel{limits.finish(withoutLock([&] {
                                 return reportOfKernel(program, held->input,
                                                       question, limits.ask());
                               }),
                               held->input.path),
                 question.threads.has_value()});
  ReportResult result(kept->view());
  return py::make_tuple(documentOf(result),
                        writerOf([kept](llvm::raw_ostream &os) {
                          ReportResult(kept->view()).text(os, TextStyle::Plain);
                        }));
}

//===-- Kernels -----------------------------------------------------------===//

/// Sets what is said of the kernel that specifies another one.
void setPair(const Keywords &asked, KernelQuestion &question) {
  using Names = std::vector<std::string>;
  question.pairing.pairs = asked.byName<std::string>("pairs");
  question.pairing.outputs = asked.get<Names>("outputs").value_or(Names());
  question.pairing.zeros = asked.get<Names>("zeros").value_or(Names());
  KernelQuestion::OldLaunch &old = question.old;
  old.grid = asked.numbers("of_grid", 1);
  old.gridSizes = asked.get<std::string>("of_grid_sizes").value_or("");
  for (const auto &[name, value] : asked.byName<py::object>("of_constants"))
    old.constants.emplace_back(name, py::str(value).cast<std::string>());
  for (const auto &[name, value] : asked.byName<py::object>("of_arg"))
    if (py::isinstance<py::float_>(value))
      old.numbers.emplace_back(name, value.cast<double>());
    else
      old.arguments.emplace_back(name, integerOf(value));
}

/// Returns the answer about each kernel of the text. `of` is the path of what
/// they are compared with, or its bytes.
py::list kernelDocuments(const py::bytes &data, const py::dict &given) {
  const Keywords asked(given);
  KernelQuestion question;
  setLaunch(asked, question);
  question.device = deviceIn(asked);
  question.tiles = asked.numberLists("tiles", 1);
  question.floats = floatLawsIn(asked);
  if (const auto aliases =
          asked.get<std::vector<std::vector<std::string>>>("aliases"))
    question.aliases = *aliases;
  if (const auto at = asked.get<std::string>("at")) {
    question.at = threadPlaceOf(*at);
    if (!question.at)
      wrong(
          "`at` has the numbers of a block and of a thread, as "
          "((3, 0, 0), (17, 0, 0))");
  }
  for (const auto &[name, value] : asked.byName<py::object>("runtime"))
    question.runtime.emplace_back(name, py::str(value).cast<std::string>());
  for (const std::vector<std::string> &each : question.aliases)
    if (each.size() < 2)
      wrong("`aliases` are lists of two pointers or more of one array");
  setPair(asked, question);
  const Input input =
      unwrap(inputOfBytes(data.cast<std::string>(), "<file>"), "<file>");
  std::optional<FusionSource> fusions;
  const auto of = asked.get<py::object>("of");
  if (of && py::isinstance<py::bytes>(*of))
    fusions.emplace(
        unwrap(inputOfBytes(of->cast<std::string>(), "the text"), "of"));
  else
    fusions.emplace(of ? of->cast<std::string>() : std::string());
  if (!fusions->isGiven() && question.floats != FloatLaws::None)
    wrong("`float_laws` say by which laws values are those of the fusion `of`");
  if (!fusions->isGiven() && !question.tiles.empty())
    wrong("`tiles` are the tiles of the fusion `of`");
  struct Found {
    const Device *device;
    KernelFindings findings;
  };
  std::vector<Found> all;
  MessageList messages;
  Limits limits(asked);
  const auto failed = withoutLock([&] {
    return findKernels(input, question, *fusions,
                       Ask{limits.budget(), limits.jobs(), messages},
                       [&](const Device &device, KernelFindings found) {
                         all.push_back({&device, std::move(found)});
                         return absl::OkStatus();
                       });
  });
  limits.end(input.path);
  if (!failed.ok()) throw StatusError(inKeywords(failed.status()), input.path);
  if (all.empty())
    for (const MessageList::Message &each : messages.messages)
      if (each.kind == MessageList::Kind::Error)
        throw StatusError(inKeywords(errorAt(each.place, each.text)),
                          input.path);
  warnOf(messages, input.path);
  py::list documents;
  for (const Found &each : all) {
    KernelResult result(each.findings, *each.device);
    documents.append(documentOf(result));
  }
  return documents;
}

}  // namespace

void bindReports(py::module_ &module) {
  module.def("report", &reportDocument, py::arg("options"));
  module.def("coalescing", &kernelReportDocument, py::arg("program"),
             py::arg("options"));
  module.def("kernels", &kernelDocuments, py::arg("text"), py::arg("options"));
}

}  // namespace indexical

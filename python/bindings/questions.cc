// Questions about programs (answers/), whose answers become objects of Python:
// no words of a command, no files, no text in between.
//
//   document, text = equality(first, second, {"values": True})
//
// Each function returns the document of the answer, and a function that writes
// its text, which keeps what the answer refers to.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/equality/keys.h"
#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/passes/keys.h"
#include "indexical/answers/sparsity/keys.h"
#include "indexical/writers/equality.h"
#include "indexical/writers/partitioned.h"
#include "indexical/writers/passes.h"
#include "indexical/writers/sparsity.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/bindings.h"
#include "python/bindings/program.h"
#include "python/bindings/python_sink.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using llvm::StringRef;

//===-- What a question needs ---------------------------------------------===//

/// The keywords of a call. One that is None is not given.
class Keywords {
 public:
  explicit Keywords(const py::dict &given) : given_(given) {}

  template <typename T>
  std::optional<T> get(const char *name) const {
    if (!given_.contains(name)) return std::nullopt;
    const py::object value = given_[name];
    if (value.is_none()) return std::nullopt;
    return value.cast<T>();
  }
  bool isTrue(const char *name) const {
    return get<bool>(name).value_or(false);
  }
  /// Takes one text, or a list of them, as texts between commas.
  std::vector<std::string> texts(const char *name) const {
    std::vector<std::string> all;
    const auto value = get<py::object>(name);
    if (!value) return all;
    if (!py::isinstance<py::str>(*value))
      return value->cast<std::vector<std::string>>();
    for (StringRef each : llvm::split(value->cast<std::string>(), ','))
      all.push_back(each.trim().str());
    return all;
  }

 private:
  const py::dict given_;
};

[[noreturn]] void wrong(const std::string &message) {
  throw StatusError(absl::InvalidArgumentError(message));
}

/// Gives a text to Python's `warnings`.
void warn(const std::string &text) {
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 3) < 0)
    throw py::error_already_set();
}

/// The limits and the messages of one call.
class Limits {
 public:
  explicit Limits(const Keywords &asked) {
    if (auto seconds = asked.get<int64_t>("deadline"))
      stop_.endAfter(std::chrono::seconds(
          std::clamp<int64_t>(*seconds, 0, 1'000'000'000)));
    if (auto megabytes = asked.get<int64_t>("memory"))
      stop_.limitMemory(std::clamp<int64_t>(*megabytes, 0, 1 << 30) *
                        1'000'000);
    budget_.operations = asked.get<int64_t>("budget");
    budget_.stop = &stop_;
    jobs_ = llvm::hardware_concurrency().compute_thread_count();
    if (auto jobs = asked.get<int64_t>("jobs"))
      jobs_ = std::max<int64_t>(*jobs, 1);
  }
  Limits(const Limits &) = delete;
  Limits &operator=(const Limits &) = delete;

  const Budget &budget() const { return budget_; }
  Ask ask() { return {budget_, jobs_, messages_}; }

  /// Returns the answer. Throws if there is none, or if the call had to end,
  /// and warns of what was said beside it about the file.
  template <typename T>
  T finish(absl::StatusOr<T> answer, const std::string &path) {
    if (const absl::Status end = budget_.check(); !end.ok())
      throw StatusError(end, path);
    for (const MessageList::Message &each : messages_.messages)
      if (each.kind != MessageList::Kind::Note)
        warn(path +
             (each.place.known() ? ":" + std::to_string(each.place.line) + ":" +
                                       std::to_string(each.place.column)
                                 : "") +
             (each.kind == MessageList::Kind::Error ? ": error: "
                                                    : ": warning: ") +
             each.text);
    return unwrap(std::move(answer), path);
  }

 private:
  Stop stop_;
  Budget budget_;
  size_t jobs_ = 1;
  MessageList messages_;
};

GivenSizes sizesOf(const Keywords &asked) {
  GivenSizes given;
  if (const auto sizes = asked.get<py::dict>("size"))
    for (const auto &[place, value] : *sizes) {
      const std::string text = py::str(place);
      const auto [name, dimension] = StringRef(text).rsplit(':');
      GivenSize size;
      size.parameter = name.trim().ltrim("%").str();
      size.value = value.cast<int64_t>();
      if (size.parameter.empty() ||
          dimension.trim().getAsInteger(10, size.dimension) ||
          size.dimension < 0 || size.value < 0)
        wrong(
            "`size` has a parameter and one of its dimensions, with its "
            "size, as {\"x:0\": 8}");
      given.sizes.push_back(std::move(size));
    }
  if (const auto types = asked.get<std::string>("arguments")) {
    auto shapes = shapesOfArguments(*types);
    if (!shapes.ok())
      wrong("`arguments` are types of MLIR or shapes of HLO (" +
            std::string(shapes.status().message()) + ")");
    given.arguments = *std::move(shapes);
  }
  return given;
}

/// Returns the program, with the sizes that are given.
std::shared_ptr<const Program> programOf(const Held &held,
                                         const Keywords &asked) {
  ReadAs readAs{held->format};
  readAs.sizes = sizesOf(asked);
  if (readAs.sizes.empty())
    return std::shared_ptr<const Program>(held, &held->program);
  return std::make_shared<const Program>(
      unwrap(withoutLock([&] { return readProgram(held->input, readAs); }),
             held->input.path));
}

std::optional<ValueOptions> valuesOf(const Keywords &asked) {
  FloatLaws floats = FloatLaws::None;
  for (const std::string &each : asked.texts("float_laws")) {
    const auto *found = llvm::find_if(
        floatLawNames(),
        [&](const FloatLawName &row) { return row.name == each; });
    if (found == floatLawNames().end())
      wrong(
          "`float_laws` are none, or some of reassociate, no-nan, "
          "zero-sign, excess-precision, real");
    floats = floats | found->laws;
  }
  if (asked.isTrue("values")) return ValueOptions(floats);
  if (floats != FloatLaws::None) wrong("`float_laws` go with `values`");
  return std::nullopt;
}

/// Returns the document, and a function that writes the text of its answer. The
/// function keeps the answer, and what that refers to.
template <typename ResultType, typename Answer>
py::tuple answered(py::dict document, Answer found,
                   std::shared_ptr<const void> refersTo = nullptr) {
  auto kept = std::make_shared<const Answer>(std::move(found));
  return py::make_tuple(std::move(document),
                        py::cpp_function([kept, refersTo]() -> py::str {
                          std::string text;
                          llvm::raw_string_ostream os(text);
                          ResultType(*kept).text(os, TextStyle::Plain);
                          return pythonText(text);
                        }));
}

//===-- The questions -----------------------------------------------------===//

std::vector<int32_t> parametersOf(const Keywords &asked) {
  return asked.get<std::vector<int32_t>>("map_parameters")
      .value_or(std::vector<int32_t>());
}

py::tuple equality(const Held &first, const Held &second,
                   const py::dict &given) {
  const Keywords asked(given);
  EqualityQuestion question;
  question.parameters = parametersOf(asked);
  question.values = valuesOf(asked);
  const auto before = programOf(first, asked), after = programOf(second, asked);
  if (auto only = onlyModule(*before); !only.ok())
    throw StatusError(only.status(), first->input.path);
  Limits limits(asked);
  EqualityAnswer found = limits.finish(
      withoutLock(
          [&] { return equalityOf(*before, *after, question, limits.ask()); }),
      second->input.path);
  const py::dict document = documentOf(found);
  return answered<EqualityResult>(document, std::move(found));
}

py::tuple partitionedEquality(const Held &whole, const Held &local,
                              const py::dict &given) {
  const Keywords asked(given);
  using Shardings = std::vector<std::pair<int64_t, std::string>>;
  PartitionedOptions options;
  options.parameters = parametersOf(asked);
  options.partitions = asked.get<int64_t>("partitions");
  options.replicas = asked.get<int64_t>("replicas");
  for (const auto &count : {options.partitions, options.replicas})
    if (count && *count < 1)
      wrong("`partitions` and `replicas` are numbers from 1");
  options.parameterShardings =
      asked.get<Shardings>("parameter_shardings").value_or(Shardings());
  options.resultShardings =
      asked.get<Shardings>("result_shardings").value_or(Shardings());
  Limits limits(asked);
  options.operations = limits.budget().operations;
  for (const Held &each : {whole, local})
    if (auto only = onlyModule(each->program); !only.ok())
      throw StatusError(only.status(), each->input.path);
  PartitionedEquality found = limits.finish(
      withoutLock([&] {
        return comparePartitioned(whole->program, local->program, options);
      }),
      local->input.path);
  const py::dict document = documentOf(found);
  return answered<PartitionedReport>(document, std::move(found));
}

/// Returns the answer about each chain among the files and folders.
py::list passes(const std::vector<std::string> &paths, const py::dict &given) {
  const Keywords asked(given);
  PassesQuestion question;
  question.values = valuesOf(asked);
  for (const std::string &word : asked.texts("only")) {
    const std::optional<Verdict> verdict = verdictNamed(word);
    if (!verdict)
      wrong(
          "`only` has some of different, undecided, fewer-reads, "
          "other-reads, equal");
    question.only.insert(*verdict);
  }
  std::vector<std::string> said;
  question.mistake = [&](const Dump &dump, const DumpText *,
                         const absl::Status &status) {
    const Place place = placeOf(status).value_or(Place());
    said.push_back(dump.file +
                   (place.known() ? ":" + std::to_string(place.line) + ":" +
                                        std::to_string(place.column)
                                  : "") +
                   ": error: " + std::string(status.message()));
  };
  ReadAs readAs;
  readAs.sizes = sizesOf(asked);
  Limits limits(asked);
  const auto chains = std::make_shared<const DumpChains>(
      unwrap(withoutLock([&] { return chainsOf(paths); })));
  py::list all;
  for (const DumpChain &chain : chains->chains) {
    PassesAnswer found = withoutLock([&] {
      return passesOf(chain, dumpReader(readAs), question, limits.ask());
    });
    for (const std::string &each : std::exchange(said, {})) warn(each);
    found = limits.finish(absl::StatusOr<PassesAnswer>(std::move(found)),
                          chain.name);
    py::dict document = documentHead();
    document["chain"] = pythonText(chain.name);
    const auto numbers = llvm::make_filter_range(
        llvm::seq<size_t>(0, found.compared.size()),
        [&](size_t number) { return found.isChosen(found.compared[number]); });
    addList(document, "passes", numbers,
            [&](size_t number) { return PassEntry(found, number); });
    PythonSink sink(document);
    writeKeys(found, sink);
    KeyValue(sink, "totals").object(found.figures);
    all.append(answered<PassesResult>(document, std::move(found), chains));
  }
  return all;
}

/// A sparsity as its text has it: without the lists of seeds and of entries.
class SparsityText : public SparsityResult {
 public:
  explicit SparsityText(const Sparsity &found) : SparsityResult({found}) {}
};

py::tuple sparsity(const Held &held, const py::dict &given) {
  const Keywords asked(given);
  SparsityQuestion question;
  question.computation = asked.get<std::string>("computation").value_or("");
  question.result = asked.get<int64_t>("result");
  question.parameter = asked.get<int64_t>("parameter");
  const auto program = programOf(held, asked);
  Limits limits(asked);
  Sparsity found = limits.finish(
      withoutLock([&] { return sparsityOf(*program, question, limits.ask()); }),
      held->input.path);
  const py::dict document =
      documentOf(SparsityEntry{found, /*seeds=*/true, /*places=*/true});
  return answered<SparsityText>(document, std::move(found), program);
}

}  // namespace

void bindQuestions(py::module_ &module) {
  module.def("equality", &equality, py::arg("first"), py::arg("second"),
             py::arg("options"));
  module.def("partitioned_equality", &partitionedEquality, py::arg("whole"),
             py::arg("local"), py::arg("options"));
  module.def("passes", &passes, py::arg("paths"), py::arg("options"));
  module.def("sparsity", &sparsity, py::arg("program"), py::arg("options"));
}

}  // namespace indexical

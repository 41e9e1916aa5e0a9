#include "python/bindings/asking.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Threading.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/thread_map.h"
#include "indexical/answers/quantities.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/writers/document_structure.h"
#include "python/bindings/answers.h"
#include "python/bindings/python_sink.h"

namespace indexical {

namespace py = pybind11;
using llvm::StringRef;

//===-- Keywords ----------------------------------------------------------===//

namespace {

std::string quoted(const char *name) { return "`" + std::string(name) + "`"; }

bool isText(const py::handle &value) { return py::isinstance<py::str>(value); }

/// Returns the parts of a text, or the items of a list, or the only value.
std::vector<py::object> partsOf(const py::object &value, char separator) {
  std::vector<py::object> parts;
  if (isText(value)) {
    const auto text = value.cast<std::string>();
    for (StringRef part : llvm::split(text, separator))
      parts.push_back(py::str(part.trim().str()));
  } else if (py::isinstance<py::iterable>(value)) {
    for (const py::handle &each : value)
      parts.push_back(py::reinterpret_borrow<py::object>(each));
  } else {
    parts.push_back(value);
  }
  return parts;
}

/// Returns whether the value is a list of lists, or a text of several.
bool isOfSeveral(const py::object &value) {
  if (isText(value)) return StringRef(value.cast<std::string>()).contains(';');
  if (!py::isinstance<py::iterable>(value) || py::len_hint(value) == 0)
    return false;
  return llvm::all_of(partsOf(value, ';'), [](const py::object &each) {
    return !isText(each) && py::isinstance<py::iterable>(each);
  });
}

std::vector<int64_t> numbersOf(const py::object &value, const char *name,
                               int64_t least) {
  std::vector<int64_t> numbers;
  for (const py::object &part : partsOf(value, ',')) {
    int64_t number = least - 1;
    if (!isText(part))
      number = integerOf(part);
    else if (StringRef(part.cast<std::string>()).getAsInteger(10, number))
      number = least - 1;
    if (number < least)
      wrong(quoted(name) + " has numbers of at least " + std::to_string(least));
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::string Keywords::name(const char *name) const {
  const auto given = get<std::string>(name);
  if (!given) return "";
  const std::string found = StringRef(*given).ltrim('%').str();
  if (found.empty()) wrong(quoted(name) + " is a name");
  return found;
}

std::optional<size_t> Keywords::count(const char *name) const {
  const auto given = get<py::object>(name);
  if (!given) return std::nullopt;
  const int64_t number = integerOf(*given);
  if (number < 0) wrong(quoted(name) + " is a number from 0");
  return static_cast<size_t>(number);
}

std::optional<int64_t> Keywords::bytes(const char *name) const {
  const auto given = get<py::object>(name);
  if (!given) return std::nullopt;
  const auto found = parseBytes(py::str(*given).cast<std::string>());
  if (!found)
    wrong(quoted(name) +
          " is a number of bytes, as 4096, \"10MB\" or \"1.5GiB\"");
  return found;
}

std::vector<std::string> Keywords::texts(const char *name) const {
  std::vector<std::string> all;
  if (const auto given = get<py::object>(name))
    for (const py::object &part : partsOf(*given, ','))
      all.push_back(part.cast<std::string>());
  return all;
}

std::vector<int64_t> Keywords::numbers(const char *name, int64_t least) const {
  const auto given = get<py::object>(name);
  return given ? numbersOf(*given, name, least) : std::vector<int64_t>();
}

std::vector<std::vector<int64_t>> Keywords::numberLists(const char *name,
                                                        int64_t least) const {
  std::vector<std::vector<int64_t>> all;
  if (const auto given = get<py::object>(name))
    for (const py::object &part : partsOf(*given, ';'))
      all.push_back(numbersOf(part, name, least));
  return all;
}

void Keywords::tileSizes(const char *name, std::vector<std::string> &first,
                         std::vector<std::vector<std::string>> &others) const {
  const auto given = get<py::object>(name);
  if (!given) return;
  std::vector<py::object> tiles = {*given};
  if (isOfSeveral(*given)) tiles = partsOf(*given, ';');
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    auto &sizes = number == 0 ? first : others.emplace_back();
    // A scalar among the results has no sizes.
    if (isText(tile) && tile.cast<std::string>().empty()) continue;
    for (const py::object &part : partsOf(tile, ',')) {
      sizes.push_back(py::str(part).cast<std::string>());
      if (!isTileSize(sizes.back()))
        wrong(quoted(name) +
              " has numbers of at least 1 and names, as [\"a\", 128]");
    }
  }
}

std::string Keywords::keyText(py::handle key) {
  return StringRef(py::str(key).cast<std::string>()).trim().ltrim('%').str();
}

//===-- Errors and limits -------------------------------------------------===//

void wrong(const std::string &message) {
  throw StatusError(absl::InvalidArgumentError(message));
}

void warn(const std::string &text) {
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 3) < 0)
    throw py::error_already_set();
}

namespace {

/// Returns the keyword of Python that an option of the command is, or "".
std::string keywordOf(StringRef option) {
  const py::dict meanings =
      py::module_::import("indexical._keywords").attr("_MEANINGS");
  std::string name = option.str();
  std::replace(name.begin(), name.end(), '-', '_');
  // These two are of Kernel() alone.
  if (name == "of" || name == "tiles") return name;
  for (const char *ending : {"", "s", "es", "ants"})
    if (meanings.contains(name + ending)) return name + ending;
  return "";
}

/// Returns the text with `num_warps` for --num-warps, and with options of other
/// programs as they are.
std::string keywordsOf(StringRef text) {
  std::string made;
  while (!text.empty()) {
    const size_t at = text.find("--");
    made += text.take_front(at).str();
    if (at == StringRef::npos) break;
    text = text.drop_front(at + 2);
    const StringRef name =
        text.take_while([](char c) { return llvm::isLower(c) || c == '-'; });
    text = text.drop_front(name.size());
    // `--xla_dump_to` is not `xla`.
    const bool isWhole =
        text.empty() || !(llvm::isAlnum(text[0]) || text[0] == '_');
    const std::string keyword = isWhole ? keywordOf(name) : "";
    made += keyword.empty() ? "--" + name.str() : "`" + keyword + "`";
  }
  return made;
}

}  // namespace

absl::Status inKeywords(const absl::Status &status) {
  absl::Status made(status.code(), keywordsOf(std::string(status.message())));
  status.ForEachPayload([&](absl::string_view type, const absl::Cord &payload) {
    made.SetPayload(type, payload);
  });
  return made;
}

void warnOf(const MessageList &messages, const std::string &path) {
  for (const MessageList::Message &each : messages.messages)
    if (each.kind != MessageList::Kind::Note)
      warn(path +
           (each.place.known() ? ":" + std::to_string(each.place.line) + ":" +
                                     std::to_string(each.place.column)
                               : "") +
           (each.kind == MessageList::Kind::Error ? ": error: "
                                                  : ": warning: ") +
           keywordsOf(each.text));
}

Limits::Limits(const Keywords &asked) {
  if (auto seconds = asked.get<int64_t>("deadline"))
    stop_.endAfter(
        std::chrono::seconds(std::clamp<int64_t>(*seconds, 0, 1'000'000'000)));
  if (auto megabytes = asked.get<int64_t>("memory"))
    stop_.limitMemory(std::clamp<int64_t>(*megabytes, 0, 1 << 30) * 1'000'000);
  budget_.operations = asked.get<int64_t>("budget");
  budget_.stop = &stop_;
  jobs_ = llvm::hardware_concurrency().compute_thread_count();
  if (auto jobs = asked.get<int64_t>("jobs"))
    jobs_ = std::max<int64_t>(*jobs, 1);
}

void Limits::end(const std::string &path) const {
  if (const absl::Status end = budget_.check(); !end.ok())
    throw StatusError(end, path);
}

//===-- What several questions take ---------------------------------------===//

GivenSizes sizesIn(const Keywords &asked) {
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

std::shared_ptr<const Program> programOf(const Held &held,
                                         const Keywords &asked) {
  ReadAs readAs{held->format};
  readAs.sizes = sizesIn(asked);
  if (readAs.sizes.empty())
    return std::shared_ptr<const Program>(held, &held->program);
  return std::make_shared<const Program>(
      unwrap(withoutLock([&] { return readProgram(held->input, readAs); }),
             held->input.path));
}

const Device *deviceIn(const Keywords &asked) {
  const auto name = asked.get<std::string>("device");
  if (!name) return nullptr;
  if (const Device *device = findDevice(*name)) return device;
  std::vector<std::string> known;
  for (const Device &each : devices()) known.push_back(each.name.str());
  wrong("`device` is one of " + llvm::join(known, ", ") + ", and not `" +
        *name + "`");
}

std::optional<IndexingMap> threadsIn(const Keywords &asked) {
  const auto said = asked.get<std::string>("thread_map");
  if (!said) return std::nullopt;
  if (StringRef(*said).contains("->"))
    return unwrap(withoutLock([&] { return threadMapOf(*said); }),
                  "thread_map");
  const Input input = unwrap(readInput(*said), *said);
  return unwrap(withoutLock([&] { return threadMapOf(input.text); }), *said);
}

std::vector<std::string> meshesIn(const Keywords &asked, const char *name) {
  std::vector<std::string> meshes;
  const auto given = asked.get<py::object>(name);
  if (!given) return meshes;
  if (py::isinstance<py::str>(*given)) {
    meshes.push_back(given->cast<std::string>());
  } else if (py::isinstance<py::dict>(*given)) {
    for (const auto &[key, mesh] : asked.byName<std::string>(name))
      meshes.push_back(key + "=" + mesh);
  } else {
    for (const py::handle &each : *given)
      meshes.push_back(each.cast<std::string>());
  }
  return meshes;
}

FloatLaws floatLawsIn(const Keywords &asked) {
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
  return floats;
}

std::optional<ValueOptions> valuesIn(const Keywords &asked) {
  const FloatLaws floats = floatLawsIn(asked);
  if (asked.isTrue("values")) return ValueOptions(floats);
  if (floats != FloatLaws::None) wrong("`float_laws` go with `values`");
  return std::nullopt;
}

//===-- Answers -----------------------------------------------------------===//

py::dict documentOf(Result &result, FirstKeys first) {
  py::dict document = documentHead();
  for (const auto &[key, text] : first)
    document[pythonText(key)] = pythonText(text);
  std::exception_ptr thrown;
  {
    // Values are written on a deep stack, as everything is.
    py::gil_scoped_release release;
    withDeepStack([&] {
      py::gil_scoped_acquire lock;
      try {
        PythonSink sink(document);
        DocumentStructure structure(sink, /*takesTexts=*/false);
        result.structure(structure);
      } catch (...) {
        thrown = std::current_exception();
      }
    });
  }
  if (thrown) std::rethrow_exception(thrown);
  return document;
}

namespace {

std::string written(const std::function<void(llvm::raw_ostream &os)> &write) {
  return withoutLock([&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    write(os);
    return text;
  });
}

}  // namespace

py::str textOf(Result &result) {
  return pythonText(written(
      [&](llvm::raw_ostream &os) { result.text(os, TextStyle::Plain); }));
}

py::cpp_function writerOf(std::function<void(llvm::raw_ostream &os)> write) {
  return py::cpp_function(
      [write = std::move(write)] { return pythonText(written(write)); });
}

}  // namespace indexical

#include "indexical/import/triton/sources/tritonparse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical::kernels {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// A kernel that was compiled, and the names of its function's parameters, one
/// for each argument of the kernel.
struct Compilation {
  KernelSource source;
  std::vector<std::string> parameters;
  bool isLaunched = false;
};

/// Returns the names of the parameters in `def NAME(a, b: int, c=3, *d)`.
std::vector<std::string> parametersOf(StringRef code, StringRef function) {
  std::vector<std::string> names;
  const std::string head = absl::StrCat("def ", function.str(), "(");
  size_t at = code.find(head);
  if (at == StringRef::npos) return names;
  at += head.size();
  int depth = 0;
  std::string word;
  bool isName = true, isComment = false;
  auto finish = [&] {
    if (const StringRef name = StringRef(word).trim(); !name.empty())
      names.push_back(name.ltrim('*').str());
    word.clear();
    isName = true;
  };
  for (; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '#') isComment = true;
    if (c == '\n') isComment = false;
    if (isComment) continue;
    if (depth == 0 && (c == ',' || c == ')')) {
      finish();
      if (c == ')') break;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    // A type or a default follows.
    if (c == ':' || c == '=') isName = false;
    if (isName) word += c;
  }
  return names;
}

/// Returns the numbers of the parameters that are constants, as
/// `"(4,)": 1024` names them.
std::set<size_t> constantsOf(const json::Object &metadata) {
  std::set<size_t> numbers;
  const json::Object *constants = metadata.getObject("src_constants");
  if (!constants) return numbers;
  for (const auto &entry : *constants) {
    StringRef key(entry.first);
    size_t number = 0;
    if (key.consume_front("(") && key.consume_back(",)") &&
        !key.getAsInteger(10, number))
      numbers.insert(number);
  }
  return numbers;
}

/// Returns the content of the file whose name ends so.
std::optional<std::string> fileOf(const json::Object &payload, StringRef end) {
  const json::Object *files = payload.getObject("file_content");
  if (!files) return std::nullopt;
  for (const auto &entry : *files)
    if (StringRef(entry.first).ends_with(end))
      if (const auto text = entry.second.getAsString()) return text->str();
  return std::nullopt;
}

std::optional<Compilation> compilationOf(const json::Object &payload) {
  const json::Object *metadata = payload.getObject("metadata");
  auto text = fileOf(payload, ".ttgir");
  if (!text) text = fileOf(payload, ".ttir");
  if (!metadata || !text) return std::nullopt;
  Compilation made;
  made.source.text = *std::move(text);
  if (const auto name = metadata->getString("name"))
    made.source.read.function = name->str();
  if (const auto warps = metadata->getInteger("num_warps"))
    made.source.read.warps = *warps;
  const json::Object *python = payload.getObject("python_source");
  const auto code = python ? python->getString("code") : std::nullopt;
  if (!code) return made;
  const std::set<size_t> constants = constantsOf(*metadata);
  for (auto [number, name] :
       llvm::enumerate(parametersOf(*code, made.source.read.function)))
    if (!constants.count(number)) made.parameters.push_back(name);
  return made;
}

ElementType typeOf(StringRef torch) {
  static const llvm::StringMap<ElementType> kTypes = {
      {"torch.float32", ElementType::F32},
      {"torch.float64", ElementType::F64},
      {"torch.float16", ElementType::F16},
      {"torch.bfloat16", ElementType::BF16},
      {"torch.float8_e4m3fn", ElementType::F8E4M3FN},
      {"torch.float8_e5m2", ElementType::F8E5M2},
      {"torch.int64", ElementType::S64},
      {"torch.int32", ElementType::S32},
      {"torch.int16", ElementType::S16},
      {"torch.int8", ElementType::S8},
      {"torch.uint8", ElementType::U8},
      {"torch.uint16", ElementType::U16},
      {"torch.uint32", ElementType::U32},
      {"torch.uint64", ElementType::U64},
      {"torch.bool", ElementType::Pred},
  };
  const auto found = kTypes.find(torch);
  return found == kTypes.end() ? ElementType::Unknown : found->second;
}

std::optional<std::vector<int64_t>> numbersOf(const json::Array *list) {
  if (!list) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const json::Value &each : *list) {
    const auto number = each.getAsInteger();
    if (!number || *number < 0) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Returns the array that a tensor's pointer points to: its shape if it lies in
/// one piece, else as many elements as there are up to its last one.
std::optional<ArrayShape> arrayOf(const json::Object &tensor) {
  auto sizes = numbersOf(tensor.getArray("shape"));
  const auto strides = numbersOf(tensor.getArray("stride"));
  if (!sizes) return std::nullopt;
  const auto dtype = tensor.getString("dtype");
  const ElementType type = typeOf(dtype.value_or(""));
  if (!strides) return ArrayShape(type, *sizes);
  if (strides->size() != sizes->size()) return std::nullopt;
  int64_t inOrder = 1, last = 0;
  bool isWhole = true;
  for (size_t k = sizes->size(); k-- > 0;) {
    const int64_t size = (*sizes)[k];
    if (size == 0) return ArrayShape(type, *sizes);
    isWhole &= size == 1 || (*strides)[k] == inOrder;
    const auto reach = checkedMul(size - 1, (*strides)[k]);
    const auto sum = reach ? checkedAdd(last, *reach) : std::nullopt;
    const auto next = checkedMul(inOrder, size);
    if (!sum || !next) return std::nullopt;
    last = *sum;
    inOrder = *next;
  }
  if (isWhole) return ArrayShape(type, *sizes);
  const auto count = checkedAdd(last, int64_t{1});
  if (!count) return std::nullopt;
  return ArrayShape(type, {*count});
}

void setLaunch(const json::Object &event, const Compilation &compiled,
               KernelSource &source) {
  if (const auto grid = numbersOf(event.getArray("grid"));
      grid && !grid->empty() && grid->size() <= 3) {
    source.read.grid = {1, 1, 1};
    std::copy(grid->begin(), grid->end(), source.read.grid->begin());
  }
  const json::Object *arguments = event.getObject("extracted_args");
  if (!arguments) return;
  for (auto [number, name] : llvm::enumerate(compiled.parameters)) {
    const json::Object *argument = arguments->getObject(name);
    if (!argument) continue;
    if (argument->getString("type") == StringRef("tensor")) {
      if (auto shape = arrayOf(*argument))
        source.shapes.push_back(
            {static_cast<int64_t>(number), *std::move(shape)});
    } else if (argument->getString("type") == StringRef("int")) {
      if (const auto value = argument->getInteger("value"))
        source.read.arguments.push_back({std::to_string(number), *value});
    }
  }
}

StringRef hashOf(const json::Object *metadata) {
  const auto hash = metadata ? metadata->getString("hash") : std::nullopt;
  return hash.value_or("");
}

}  // namespace

bool looksLikeTritonparse(StringRef text) {
  return text.ltrim().starts_with("{") &&
         text.take_until([](char c) { return c == '\n'; })
             .contains("\"event_type\"");
}

absl::StatusOr<TritonRecord> readTritonparse(StringRef text) {
  TritonRecord record;
  std::vector<KernelSource> &sources = record.kernels;
  // Each compilation stands in front of that number of launches.
  std::map<std::string, Compilation> compilations;
  std::vector<std::pair<size_t, std::string>> places;
  uint32_t line = 0;
  int64_t launches = 0;
  while (!text.empty()) {
    StringRef one;
    std::tie(one, text) = text.split('\n');
    ++line;
    if (one.trim().empty()) continue;
    const Place place{line, 1};
    auto parsed = json::parse(one);
    if (!parsed)
      return errorAt(place, absl::StrCat("this line is not JSON: ",
                                         llvm::toString(parsed.takeError())));
    const json::Object *event = parsed->getAsObject();
    const auto type = event ? event->getString("event_type") : std::nullopt;
    if (!type)
      return errorAt(place, "an event of tritonparse has an \"event_type\"");
    if (*type == "compilation") {
      const json::Object *payload = event->getObject("payload");
      auto made = payload ? compilationOf(*payload) : std::nullopt;
      if (!made) continue;
      made->source.place = place;
      const std::string hash = hashOf(payload->getObject("metadata")).str();
      places.push_back({sources.size(), hash});
      compilations[hash] = *std::move(made);
    } else if (*type == "launch") {
      const std::string hash =
          hashOf(event->getObject("compilation_metadata")).str();
      const auto found = compilations.find(hash);
      if (found == compilations.end()) {
        record.launchesOfUnknown.push_back(place);
        continue;
      }
      found->second.isLaunched = true;
      KernelSource source = found->second.source;
      source.place = place;
      source.launch = launches++;
      setLaunch(*event, found->second, source);
      sources.push_back(std::move(source));
    }
  }
  std::set<std::string> added;
  for (const auto &[at, hash] : llvm::reverse(places)) {
    const Compilation &compiled = compilations[hash];
    if (!compiled.isLaunched && added.insert(hash).second)
      sources.insert(sources.begin() + static_cast<std::ptrdiff_t>(at),
                     compiled.source);
  }
  return record;
}

}  // namespace indexical::kernels

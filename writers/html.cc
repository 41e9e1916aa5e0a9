// A page with all that it shows inside, opened from disk: page/ has its parts.
//
//   {"documents": [[0, …, [-1, [1, …, 0, …, 1, …]]]],
//    "shapes": [[…, "kernels"], […, "instruction", …, "map", …]],
//    "keys": ["instruction", "map", …], "strings": ["fusion.3", "(d0) -> …"],
//    "list_keys": ["stack", …], "lists": [[3, 4]],
//    "totals": {"moved_bytes": 4096, "time_us": 3.4, …},
//    "maps": {"(d0) -> …": {"dims": [[0, 7]], …, "results": [[0, 1, …]]}},
//    "arrays": {"f32[4,8]{0,1}": {"bits": 32, "address": …}}}
//
// The data is the document of `--format=json` without what is repeated: an
// object has the number of its keys, and the strings under some keys are
// numbers of a table. Maps stand there as trees too, and of shapes where each
// element lies, so that the page computes with them and parses nothing. All of
// it is compressed (zlib's format, in base64), and unpacked by the browser. A
// policy in the page forbids every request, and every script but the one whose
// hash it names.

#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

#include "indexical/indexing/fold.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/address.h"
#include "indexical/writers/document_structure.h"
#include "indexical/writers/format.h"
#include "indexical/writers/page_text.h"
#include <zlib.h>

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// Keys whose strings stand in the table.
constexpr StringRef kTableKeys[] = {
    "advice",     "avoid_by",    "avoid_with", "computation", "emitter",
    "expression", "file",        "instruction", "launch",     "limited_by",
    "map",        "name",        "op_name",    "opcode",      "pattern",
    "phase",      "reason",      "read_map",   "remedy",      "shape",
    "source",     "text",        "thread_map", "time_use",    "why",
    "work",       "write_map",
};
/// Keys of lists of strings, which stand in a table of their own.
constexpr StringRef kListKeys[] = {"shapes", "stack"};

//===-- Maps as trees -----------------------------------------------------===//

json::Value boundOf(int64_t bound, bool has) {
  return has ? json::Value(bound) : json::Value(nullptr);
}

json::Array boundsOf(const Interval &bounds) {
  return json::Array{boundOf(bounds.lower, bounds.hasLower()),
                     boundOf(bounds.upper, bounds.hasUpper())};
}

class Trees {
 public:
  explicit Trees(const IndexingMap &map)
      : map_(map), table_(map.expressions()) {}

  json::Value tree() const {
    json::Array dims, ranges, runtime, constraints, results;
    for (const Variable &each : map_.dimensions())
      dims.push_back(boundsOf(each.bounds));
    for (const Variable &each : map_.ranges())
      ranges.push_back(boundsOf(each.bounds));
    for (uint32_t i = 0; i < map_.visibleRuntimeCount(); ++i) {
      runtime.push_back(boundsOf(map_.runtime()[i].bounds));
      // The name is kept: a json::Value of a StringRef would only point to it.
      runtime.back().getAsArray()->push_back(
          json::fixUTF8(map_.nameOf({VariableKind::Runtime, i})));
    }
    for (const Constraint &each : map_.constraints())
      constraints.push_back(json::Array{
          form(each.form), boundOf(each.bounds.lower, each.bounds.hasLower()),
          boundOf(each.bounds.upper, each.bounds.hasUpper())});
    for (FormId each : map_.results()) results.push_back(form(each));
    return json::Object{{"dims", std::move(dims)},
                        {"ranges", std::move(ranges)},
                        {"runtime", std::move(runtime)},
                        {"constraints", std::move(constraints)},
                        {"results", std::move(results)}};
  }

 private:
  /// Returns the constant, then each coefficient with its atom.
  json::Array form(FormId id) const {
    json::Array parts{table_.constant(id)};
    for (const Term &term : table_.terms(id)) {
      parts.push_back(term.coefficient);
      parts.push_back(atom(table_.atom(term.atom)));
    }
    return parts;
  }

  /// JSON of atoms: a domain (indexing/fold.h).
  struct AtomJson {
    json::Array variable(VariableId id) const {
      return json::Array{"v", static_cast<int64_t>(id.kind), id.index};
    }
    json::Array digit(json::Array &parent, int64_t stride,
                      int64_t modulus) const {
      return json::Array{"d", std::move(parent), stride, modulus};
    }
    json::Array product(json::Array &a, json::Array &b) const {
      return json::Array{"*", std::move(a), std::move(b)};
    }
    json::Array quotient(json::Array &a, json::Array &b) const {
      return json::Array{"/", std::move(a), std::move(b)};
    }
    json::Array remainder(json::Array &a, json::Array &b) const {
      return json::Array{"%", std::move(a), std::move(b)};
    }
    json::Array positivePart(json::Array &a) const {
      return json::Array{"+", std::move(a)};
    }
  };

  json::Array atom(const Atom &atom) const {
    return valueOfAtom(atom, AtomJson(),
                       [this](FormId operand) { return form(operand); });
  }

  const IndexingMap &map_;
  const ExpressionTable &table_;
};

/// A tree repeats what the map's table shares: one that is too large is left
/// out, and the page shows the map's text alone.
constexpr int64_t kMostTerms = 2'000;

bool isSmall(const IndexingMap &map) {
  int64_t terms = 0;
  for (FormId form : map.results())
    terms += map.expressions().writtenSize(form);
  for (const Constraint &constraint : map.constraints())
    terms += map.expressions().writtenSize(constraint.form);
  return terms <= kMostTerms;
}

//===-- The page ----------------------------------------------------------===//

/// Makes a document of what it is given.
class DocumentTree : public ValueSink {
 public:
  json::Value take() { return std::move(done_); }

  void key(StringRef name) override { key_ = name.str(); }
  void integer(int64_t number) override { put(number); }
  void number(StringRef digits) override { written(digits); }
  void boolean(bool value) override { put(value); }
  void text(StringRef text) override {
    put(json::isUTF8(text) ? text.str() : json::fixUTF8(text));
  }
  void null() override { put(nullptr); }
  /// Only of a dump, whose items several threads write.
  void written(StringRef text) override {
    auto value = json::parse(text);
    if (!value) return llvm::consumeError(value.takeError());
    put(*std::move(value));
  }
  void beginList() override { open(json::Array()); }
  void endList() override { close(); }
  void beginObject() override { open(json::Object()); }
  void endObject() override { close(); }

 private:
  struct Open {
    std::string key;  ///< that it will have
    json::Value value;
  };

  void put(json::Value value) {
    if (open_.empty())
      done_ = std::move(value);
    else if (json::Array *list = open_.back().value.getAsArray())
      list->push_back(std::move(value));
    else
      (*open_.back().value.getAsObject())[std::move(key_)] = std::move(value);
  }
  void open(json::Value value) {
    open_.push_back({std::move(key_), std::move(value)});
  }
  void close() {
    Open last = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(last.key);
    put(std::move(last.value));
  }

  std::vector<Open> open_;
  std::string key_;
  json::Value done_ = nullptr;
};

class HtmlWriter : public Writer, private PageData {
 public:
  explicit HtmlWriter(const WriterOptions &options)
      : os_(options.os), page_(options.page), inputKey_(options.inputKey) {}

  void write(Result &result, std::optional<StringRef> file) override {
    DocumentTree document;
    DocumentStructure structure(document, /*takesTexts=*/false);
    document.beginObject();
    writeSchema(document, file, inputKey_);
    result.page(structure, *this);
    document.endObject();
    documents_.push_back(packedValue(document.take()));
    // Several inputs make one page.
    if (!file) writePage();
  }

  void finish(size_t, size_t) override { writePage(); }
  void endEarly() override { writePage(); }

 private:
  void map(const IndexingMap &map) override {
    if (map.isKnownEmpty() || !isSmall(map)) return;
    auto [known, isNew] = maps_.try_emplace(map.strOneLine(), nullptr);
    if (isNew) known->second = Trees(map).tree();
  }

  void array(const ArrayShape &shape) override {
    auto [known, isNew] =
        arrays_.try_emplace(shape.str(/*withLayout=*/true), nullptr);
    if (!isNew) return;
    const auto address = addressMap(shape);
    known->second = json::Object{
        {"bits", storedBits(shape)},
        {"address", address.ok() ? Trees(*address).tree() : nullptr}};
  }

  void addTotal(StringRef key, double value) override {
    totals_[key.str()] += value;
  }

  int64_t numberOf(StringRef text) {
    auto [known, isNew] = numbers_.try_emplace(text, strings_.size());
    if (isNew) strings_.push_back(text.str());
    return known->second;
  }

  /// A list begins with -1, an object with the number of its keys' list.
  json::Value packedValue(const json::Value &value) {
    if (const json::Array *list = value.getAsArray()) {
      json::Array packed{-1};
      for (const json::Value &each : *list) packed.push_back(packedValue(each));
      return packed;
    }
    const json::Object *object = value.getAsObject();
    if (!object) return value;
    // The order of an object's members is that of hashes.
    std::map<std::string, const json::Value *> members;
    for (const auto &[key, member] : *object)
      members[StringRef(key).str()] = &member;
    std::vector<std::string> keys;
    json::Array packed{0};
    for (const auto &[key, member] : members) {
      keys.push_back(key);
      const auto text = member->getAsString();
      const json::Array *list = member->getAsArray();
      if (text && llvm::is_contained(kTableKeys, StringRef(key)))
        packed.push_back(numberOf(*text));
      else if (list && llvm::is_contained(kListKeys, StringRef(key)))
        packed.push_back(numberOf(*list));
      else
        packed.push_back(packedValue(*member));
    }
    auto [known, isNew] = shapes_.try_emplace(keys, shapes_.size());
    if (isNew) packedShapes_.push_back(json::Array(keys));
    packed[0] = known->second;
    return packed;
  }

  int64_t numberOf(const json::Array &list) {
    json::Array numbers;
    std::vector<int64_t> key;
    for (const json::Value &each : list) {
      key.push_back(numberOf(each.getAsString().value_or("")));
      numbers.push_back(key.back());
    }
    auto [known, isNew] = lists_.try_emplace(std::move(key), lists_.size());
    if (isNew) packedLists_.push_back(std::move(numbers));
    return known->second;
  }

  std::string data() {
    json::Array keys, strings;
    for (StringRef key : kTableKeys) keys.push_back(key);
    for (const std::string &text : strings_) strings.push_back(text);
    json::Array listKeys;
    for (StringRef key : kListKeys) listKeys.push_back(key);
    json::Object maps, arrays, totals;
    for (const auto &[key, sum] : totals_) totals[key] = sum;
    for (auto &[text, tree] : maps_) maps[text] = std::move(tree);
    for (auto &[text, tree] : arrays_) arrays[text] = std::move(tree);
    std::string text;
    llvm::raw_string_ostream(text)
        << json::Value(json::Object{{"documents", std::move(documents_)},
                                    {"totals", std::move(totals)},
                                    {"keys", std::move(keys)},
                                    {"strings", std::move(strings)},
                                    {"list_keys", std::move(listKeys)},
                                    {"lists", std::move(packedLists_)},
                                    {"shapes", std::move(packedShapes_)},
                                    {"maps", std::move(maps)},
                                    {"arrays", std::move(arrays)}});
    return text;
  }

  /// Compressed, in base64.
  static std::string packed(const std::string &text) {
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    if (compress2(reinterpret_cast<Bytef *>(bytes.data()), &size,
                  reinterpret_cast<const Bytef *>(text.data()), text.size(),
                  Z_BEST_COMPRESSION) != Z_OK)
      return "";
    bytes.resize(size);
    return llvm::encodeBase64(bytes);
  }

  void writePage() {
    const auto [html, script] =
        page_ == PageKind::Kernels
            ? std::pair<StringRef, StringRef>(kKernelsHtml, kKernelsScript)
            : std::pair<StringRef, StringRef>(kInstructionsHtml,
                                              kInstructionsScript);
    const auto hash =
        llvm::SHA256::hash(llvm::ArrayRef(script.bytes_begin(), script.size()));
    const std::pair<StringRef, std::string> parts[] = {
        {"@HASH@", "sha256-" + llvm::encodeBase64(hash)},
        {"@STYLE@", kPageStyle},
        {"@DATA@", packed(data())},
        {"@SCRIPT@", script.str()},
    };
    StringRef rest = html;
    for (const auto &[mark, text] : parts) {
      auto [before, after] = rest.split(mark);
      os_ << before << text;
      rest = after;
    }
    os_ << rest;
  }

  llvm::raw_ostream &os_;
  const PageKind page_;
  const StringRef inputKey_;
  json::Array documents_;
  std::vector<std::string> strings_;
  llvm::StringMap<int64_t> numbers_;
  std::map<std::vector<int64_t>, int64_t> lists_;
  json::Array packedLists_;
  std::map<std::vector<std::string>, int64_t> shapes_;
  json::Array packedShapes_;
  std::map<std::string, json::Value> maps_, arrays_;
  std::map<std::string, double> totals_;
};

}  // namespace

std::unique_ptr<Writer> makeHtmlWriter(const WriterOptions &options) {
  if (options.page == PageKind::Sections)
    return makeSectionsPageWriter(options);
  return std::make_unique<HtmlWriter>(options);
}

}  // namespace indexical

#include "indexical/writers/format.h"

#include "llvm/Support/ErrorHandling.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/version.h"

namespace indexical {

namespace json = llvm::json;
using llvm::StringRef;

llvm::ArrayRef<Format> formats() {
  static constexpr Format kFormats[] = {
      {"text", Offer::Text, true, makeTextWriter},
      {"json", Offer::Structure, false, makeJsonWriter},
      {"jsonl", Offer::Structure, false, makeJsonLinesWriter},
      {"csv", Offer::Table, false, makeCsvWriter},
      {"svg", Offer::Picture, false, makeSvgWriter},
      {"mtx", Offer::Matrix, false, makeMatrixWriter},
      {"html", Offer::Page, false, makeHtmlWriter},
      {"attribute", Offer::Maps, true, makeAttributeWriter},
      {"xla", Offer::XlaMaps, true, makeXlaWriter},
      {"man", Offer::Manual, true, makeManualWriter},
  };
  return kFormats;
}

void Writer::failed(StringRef, const absl::Status &) {}
void Writer::finish(size_t, size_t) {}
void Writer::add(const Writer &, StringRef) {
  llvm_unreachable("what is one page of all files does them in turn");
}

void writeNumbers(json::OStream &json, StringRef name,
                  llvm::ArrayRef<int64_t> numbers) {
  json.attributeArray(name, [&] {
    for (int64_t number : numbers) json.value(number);
  });
}

json::Value jsonString(StringRef text) {
  return json::isUTF8(text) ? json::Value(text)
                            : json::Value(json::fixUTF8(text));
}

void writeSchema(json::OStream &json, std::optional<StringRef> file,
                 StringRef inputKey) {
  json.attribute("schema", kSchema);
  json.attribute("version", kVersion);
  if (file) json.attribute(inputKey, jsonString(*file));
}

void writeErrorDocument(llvm::raw_ostream &os, StringRef file,
                        const absl::Status &status, StringRef inputKey) {
  {
    json::OStream json(os);
    json.object([&] {
      writeSchema(json, file, inputKey);
      json.attributeObject("error", [&] {
        if (auto place = placeOf(status); place && place->known()) {
          json.attribute("line", place->line);
          json.attribute("column", place->column);
        }
        json.attribute("message", jsonString(std::string(status.message())));
      });
    });
  }
  os << '\n';
}

}  // namespace indexical

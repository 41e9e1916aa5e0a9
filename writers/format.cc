#include "indexical/writers/format.h"

#include "llvm/Support/ErrorHandling.h"

#include "indexical/version.h"
#include "indexical/writers/json_sink.h"

namespace indexical {

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

void writeSchema(ValueSink &to, std::optional<StringRef> file,
                 StringRef inputKey) {
  KeyValue(to, "schema").text(kSchema);
  KeyValue(to, "version").text(kVersion);
  if (file) KeyValue(to, inputKey).text(*file);
}

}  // namespace indexical

// One object for each input, ended by a line break. A list may begin each of
// its items on a line of its own, so that line tools can cut a large document.

#include "indexical/writers/document_structure.h"
#include "indexical/writers/error_document.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"

namespace indexical {
namespace {

using llvm::StringRef;

class JsonWriter : public Writer {
 public:
  explicit JsonWriter(const WriterOptions &options)
      : os_(options.os), inputKey_(options.inputKey) {}

  void write(Result &result, std::optional<StringRef> file) override {
    {
      JsonTextSink json(os_);
      DocumentStructure structure(json);
      json.beginObject();
      writeSchema(json, file, inputKey_);
      result.structure(structure);
      json.endObject();
    }
    os_ << '\n';
  }

  void failed(StringRef file, const absl::Status &status) override {
    writeErrorDocument(os_, file, errorOf(status), inputKey_);
  }

  void add(const Writer &, StringRef text) override { os_ << text; }

 private:
  llvm::raw_ostream &os_;
  const llvm::StringRef inputKey_;
};

}  // namespace

std::unique_ptr<Writer> makeJsonWriter(const WriterOptions &options) {
  return std::make_unique<JsonWriter>(options);
}

}  // namespace indexical

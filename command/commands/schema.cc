#include "indexical/command/schema.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/command/command.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/schema_text.h"

namespace indexical {
namespace {

class SchemaResult : public Result {
 public:
  explicit SchemaResult(std::string text) : text_(std::move(text)) {}
  void text(llvm::raw_ostream &os, TextStyle) override { os << text_; }

 private:
  const std::string text_;
};

absl::StatusOr<int> schema(llvm::ArrayRef<std::string> words, bool ofLines,
                           Call &call) {
  std::string text = formatsSchema().str();
  if (words.empty() && ofLines) {
    call.err().wrongWords("--lines goes with a command");
    return kWrongWords;
  }
  if (!words.empty()) {
    text =
        schemaOf(words.front(), ofLines ? SchemaOf::Lines : SchemaOf::Document);
    if (text.empty()) {
      const auto names = commandsWithSchema();
      const llvm::SmallVector<llvm::StringRef, 32> known(names.begin(),
                                                         names.end());
      call.err().wrongWords(
          "no command `" + words.front() +
              "` prints JSON; these do: " + llvm::join(names, ", "),
          nearest(words.front(), known));
      return kWrongWords;
    }
  }
  SchemaResult result(std::move(text));
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeSchema() {
  auto ofLines = std::make_shared<bool>(false);
  Command schema;
  schema.name = "schema";
  schema.sentence =
      "the JSON Schema of what a command prints with --format=json, or of all "
      "documents and lines: keys, types, meanings, units";
  schema.example = "indexical schema count";
  schema.reads = Reads::Words;
  schema.arguments = "[COMMAND]";
  schema.knownWords = commandsWithSchema;
  schema.mostWords = 1;
  schema.options = {flagOption(
      "lines", *ofLines,
      "The schema of a line of --format=jsonl, in place of the document's")};
  schema.runOnWords = [ofLines](llvm::ArrayRef<std::string> words, Call &call) {
    return indexical::schema(words, *ofLines, call);
  };
  return schema;
}

}  // namespace indexical

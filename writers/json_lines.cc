// A line for each item, as it comes:
//
//   {"schema": "indexical/1", "version": …, "kind": "kernel", …}
//   {"schema": "indexical/1", "version": …, "kind": "summary", …}
//
// The summary holds the head of the document and the sums over its items, where
// the result has sums. A result without lists is one line. With several inputs
// each line says its `file`, and the last one has the sums of all.

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/saturated.h"
#include "indexical/writers/error_document.h"
#include "indexical/writers/document_structure.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The structure of one result.
class LineStructure : public Structure {
 public:
  struct Total {
    std::vector<FileSum> sums;
    bool isWanted = false;  ///< some result has a summary
  };

  LineStructure(const WriterOptions &options, std::optional<StringRef> file,
                Total &total)
      : os_(options.os),
        inputKey_(options.inputKey),
        file_(file),
        total_(total) {}

  void head(Members members) override {
    heads_.push_back(jsonOfMembers(members));
  }

  void beginList(StringRef, ItemLayout) override { hasLists_ = true; }
  void endList() override {}
  void endItem() override {}
  void beginItem(const ListItem &item) override {
    if (item.kind.empty()) return;
    if (!item.written.empty()) {
      os_ << '{' << beginningOf(item);
      // The text without its opening brace.
      os_ << ',' << item.written.drop_front() << '\n';
      return;
    }
    rest_.clear();
    JsonTextSink json(rest_);
    if (item.name) KeyValue(json, "name").text(*item.name);
    item.members(json);
    os_ << '{' << beginningOf(item) << (rest_.empty() ? "" : ",") << rest_
        << "}\n";
  }

  void summary(Sums sums) override {
    sums_ = sums.vec();
    hasSummary_ = total_.isWanted = true;
    for (const ItemSum &sum : sums) addSum(sum, total_.sums);
  }

  void end() {
    if (hasLists_ && !hasSummary_) return;
    heads_.insert(
        heads_.begin(), jsonOfMembers([&](ValueSink &to) {
          writeSchema(to, file_, inputKey_);
          if (hasLists_)
            KeyValue(to, "kind")
                .text(inputKey_ == "file" ? StringRef("summary") : inputKey_);
        }));
    heads_.push_back(jsonOfMembers([&](ValueSink &to) {
      for (const ItemSum &sum : sums_) writeSum(sum, to);
    }));
    llvm::erase_if(heads_, [](StringRef text) { return text.empty(); });
    os_ << '{' << llvm::join(heads_, ",") << "}\n";
  }

 private:
  /// Returns the beginning of a line, before the item's own members. It is
  /// kept, since thousands of instructions have the same place.
  StringRef beginningOf(const ListItem &item) {
    if (item.place && item.place == place_ && item.kind == kind_)
      return beginning_;
    place_ = item.place;
    kind_ = item.kind.str();
    beginning_ = jsonOfMembers([&](ValueSink &to) {
      writeSchema(to, file_, inputKey_);
      KeyValue(to, "kind").text(item.kind);
      item.context(to);
    });
    return beginning_;
  }

  llvm::raw_ostream &os_;
  const StringRef inputKey_;
  const std::optional<StringRef> file_;
  Total &total_;
  std::vector<std::string> heads_;
  std::vector<ItemSum> sums_;
  bool hasLists_ = false, hasSummary_ = false;
  /// The place and kind of the last item, and the beginning of its line.
  const void *place_ = nullptr;
  std::string kind_, beginning_;
  std::string rest_;  // of a line
};

class JsonLinesWriter : public Writer {
 public:
  explicit JsonLinesWriter(const WriterOptions &options)
      : os_(options.os), inputKey_(options.inputKey) {}

  void write(Result &result, std::optional<StringRef> file) override {
    LineStructure structure({os_, {}, {}, inputKey_}, file, total_);
    result.structure(structure);
    structure.end();
  }

  void failed(StringRef file, const absl::Status &status) override {
    writeErrorDocument(os_, file, errorOf(status), inputKey_);
  }

  void add(const Writer &part, StringRef text) override {
    os_ << text;
    const auto &of = static_cast<const JsonLinesWriter &>(part).total_;
    total_.isWanted |= of.isWanted;
    for (const FileSum &sum : of.sums)
      addSum({sum.name, sum.integer, sum.number}, total_.sums);
  }

  void resume(const Resumed &earlier) override {
    total_ = {earlier.sums, earlier.hasSummary};
  }

  void finish(size_t files, size_t failed) override {
    if (!total_.isWanted) return;
    {
      JsonTextSink json(os_);
      json.beginObject();
      writeSchema(json, std::nullopt);
      KeyValue(json, "kind").text("total");
      KeyValue(json, (inputKey_ + "s").str()).integer(files);
      KeyValue(json, "failed").integer(failed);
      for (const FileSum &sum : total_.sums)
        writeSum({sum.name, sum.integer, sum.number}, json);
      json.endObject();
    }
    os_ << '\n';
  }

 private:
  llvm::raw_ostream &os_;
  const StringRef inputKey_;
  LineStructure::Total total_;
};

}  // namespace

std::unique_ptr<Writer> makeJsonLinesWriter(const WriterOptions &options) {
  return std::make_unique<JsonLinesWriter>(options);
}

}  // namespace indexical

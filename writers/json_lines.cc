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
#include "indexical/writers/format.h"
#include "indexical/writers/string_stream.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// The structure of one result.
class LineStructure : public Structure {
 public:
  struct Total {
    std::vector<std::pair<std::string, int64_t>> sums;
    bool isWanted = false;  ///< some result has a summary
  };

  static void addTo(Total &total, StringRef name, int64_t value) {
    auto known =
        llvm::find_if(total.sums, [&](auto &sum) { return sum.first == name; });
    if (known == total.sums.end())
      total.sums.push_back({name.str(), value});
    else
      known->second = sumOf(known->second, value);
  }

  LineStructure(const WriterOptions &options, std::optional<StringRef> file,
                Total &total)
      : os_(options.os),
        inputKey_(options.inputKey),
        file_(file),
        total_(total) {}

  void head(Members members) override { heads_.push_back(membersOf(members)); }

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
    {
      StringStream os(rest_);
      json::OStream json(os);
      json.object([&] {
        if (item.name) json.attribute("name", jsonString(*item.name));
        item.members(json);
      });
    }
    const StringRef rest = StringRef(rest_).drop_front();
    os_ << '{' << beginningOf(item) << (rest == "}" ? "" : ",") << rest << '\n';
  }

  void summary(Sums sums) override {
    sums_ = sums.vec();
    hasSummary_ = total_.isWanted = true;
    for (const auto &[name, value] : sums) addTo(total_, name, value);
  }

  void end() {
    if (hasLists_ && !hasSummary_) return;
    heads_.insert(heads_.begin(), membersOf([&](json::OStream &json) {
                    writeSchema(json, file_, inputKey_);
                    if (hasLists_)
                      json.attribute("kind", inputKey_ == "file"
                                                 ? StringRef("summary")
                                                 : inputKey_);
                  }));
    heads_.push_back(membersOf([&](json::OStream &json) {
      for (const auto &[name, value] : sums_) json.attribute(name, value);
    }));
    llvm::erase_if(heads_, [](StringRef text) { return text.empty(); });
    os_ << '{' << llvm::join(heads_, ",") << "}\n";
  }

 private:
  /// Returns the members as text, for an object that is written in parts.
  static std::string membersOf(Members members) {
    std::string text;
    {
      StringStream os(text);
      json::OStream json(os);
      json.object([&] { members(json); });
    }
    return text.substr(1, text.size() - 2);
  }

  /// Returns the beginning of a line, before the item's own members. It is
  /// kept, since thousands of instructions have the same place.
  StringRef beginningOf(const ListItem &item) {
    if (item.place && item.place == place_ && item.kind == kind_)
      return beginning_;
    place_ = item.place;
    kind_ = item.kind.str();
    beginning_ = membersOf([&](json::OStream &json) {
      writeSchema(json, file_, inputKey_);
      json.attribute("kind", item.kind);
      item.context(json);
    });
    return beginning_;
  }

  llvm::raw_ostream &os_;
  const StringRef inputKey_;
  const std::optional<StringRef> file_;
  Total &total_;
  std::vector<std::string> heads_;
  std::vector<std::pair<StringRef, int64_t>> sums_;
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
    writeErrorDocument(os_, file, status, inputKey_);
  }

  void add(const Writer &part, StringRef text) override {
    os_ << text;
    const auto &of = static_cast<const JsonLinesWriter &>(part).total_;
    total_.isWanted |= of.isWanted;
    for (const auto &[name, value] : of.sums)
      LineStructure::addTo(total_, name, value);
  }

  void resume(const Resumed &earlier) override {
    total_ = {earlier.sums, earlier.hasSummary};
  }

  void finish(size_t files, size_t failed) override {
    if (!total_.isWanted) return;
    {
      json::OStream json(os_);
      json.object([&] {
        writeSchema(json, std::nullopt);
        json.attribute("kind", "total");
        json.attribute((inputKey_ + "s").str(), files);
        json.attribute("failed", failed);
        for (const auto &[name, value] : total_.sums)
          json.attribute(name, value);
      });
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

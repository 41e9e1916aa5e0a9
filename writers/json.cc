// One object for each input, ended by a line break. A list may begin each of
// its items on a line of its own, so that line tools can cut a large document.

#include <deque>
#include <utility>

#include "llvm/ADT/SmallVector.h"

#include "indexical/writers/format.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

class JsonStructure : public Structure {
 public:
  explicit JsonStructure(json::OStream &json) : root_(json) {}

  void head(Members members) override { members(top()); }
  void summary(Sums sums) override {
    if (sums.empty()) return;
    top().attributeObject("totals", [&] {
      for (const auto &[name, value] : sums) top().attribute(name, value);
    });
  }

  void beginList(StringRef key, ItemLayout layout) override {
    top().attributeBegin(key);
    top().arrayBegin();
    layouts_.push_back(layout);
  }
  void endList() override {
    top().arrayEnd();
    top().attributeEnd();
    layouts_.pop_back();
  }

  void beginItem(const ListItem &item) override {
    isWritten_ = !item.written.empty();
    if (isWritten_) {
      if (layouts_.back() == ItemLayout::OneALine)
        top().rawValueBegin() << '\n' << item.written;
      else
        top().rawValueBegin() << item.written;
      top().rawValueEnd();
      return;
    }
    if (layouts_.back() == ItemLayout::OneALine) {
      // A stream of its own: only so a line break can stand after the comma.
      llvm::raw_ostream &os = top().rawValueBegin();
      os << '\n';
      lines_.emplace_back(os);
    }
    json::OStream &json = top();
    json.objectBegin();
    if (item.name) json.attribute("name", jsonString(*item.name));
    item.implied(json);
    item.members(json);
  }
  void endItem() override {
    if (std::exchange(isWritten_, false)) return;
    top().objectEnd();
    if (layouts_.back() != ItemLayout::OneALine) return;
    lines_.pop_back();
    top().rawValueEnd();
  }

 private:
  json::OStream &top() { return lines_.empty() ? root_ : lines_.back(); }

  json::OStream &root_;
  std::deque<json::OStream> lines_;
  llvm::SmallVector<ItemLayout, 4> layouts_;
  bool isWritten_ = false;  ///< the item that is open has no lists
};

class JsonWriter : public Writer {
 public:
  explicit JsonWriter(const WriterOptions &options)
      : os_(options.os), inputKey_(options.inputKey) {}

  void write(Result &result, std::optional<StringRef> file) override {
    {
      json::OStream json(os_);
      JsonStructure structure(json);
      json.object([&] {
        writeSchema(json, file, inputKey_);
        result.structure(structure);
      });
    }
    os_ << '\n';
  }

  void failed(StringRef file, const absl::Status &status) override {
    writeErrorDocument(os_, file, status, inputKey_);
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

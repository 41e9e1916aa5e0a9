// A result as one document, whose lists and items are inside of it. The sink
// has the parts of the document:
//
//   JsonTextSink   {"root": "add.5", "tiles": [{"instruction": "p0", …}]}
//   PythonSink     the dictionary that Python reads of this JSON
//                  (python/bindings/python_sink.h)
#ifndef INDEXICAL_WRITERS_DOCUMENT_STRUCTURE_H
#define INDEXICAL_WRITERS_DOCUMENT_STRUCTURE_H

#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Gives the key and the value of a sum.
inline void writeSum(const ItemSum &sum, ValueSink &to) {
  if (sum.number)
    KeyValue(to, sum.name).number(*sum.number, kSumDecimals);
  else
    KeyValue(to, sum.name).integer(sum.integer);
}

class DocumentStructure : public Structure {
 public:
  /// The sink stands in the object that the document is.
  explicit DocumentStructure(ValueSink &to, bool takesTexts = true)
      : to_(to), takesTexts_(takesTexts) {}

  void head(Members members) override { members(to_); }
  void summary(Sums sums) override {
    if (sums.empty()) return;
    to_.key("totals");
    to_.beginObject();
    for (const ItemSum &sum : sums) writeSum(sum, to_);
    to_.endObject();
  }

  void beginList(llvm::StringRef key, ItemLayout layout) override {
    to_.key(key);
    to_.beginList();
    layouts_.push_back(layout);
  }
  void endList() override {
    to_.endList();
    layouts_.pop_back();
  }

  void beginItem(const ListItem &item) override {
    if (layouts_.back() == ItemLayout::OneALine) to_.beginLine();
    isWritten_ = !item.written.empty();
    if (isWritten_) return to_.written(item.written);
    to_.beginObject();
    if (item.name) KeyValue(to_, "name").text(*item.name);
    item.implied(to_);
    item.members(to_);
  }
  void endItem() override {
    if (!std::exchange(isWritten_, false)) to_.endObject();
  }
  bool takesTexts() const override { return takesTexts_; }

 private:
  ValueSink &to_;
  const bool takesTexts_;
  llvm::SmallVector<ItemLayout, 4> layouts_;
  bool isWritten_ = false;  ///< the item that is open has no lists
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_DOCUMENT_STRUCTURE_H

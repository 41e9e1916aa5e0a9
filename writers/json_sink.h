// The keys and values of an answer as JSON (answers/fields.h).
#ifndef INDEXICAL_WRITERS_JSON_SINK_H
#define INDEXICAL_WRITERS_JSON_SINK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/fields.h"
#include "indexical/writers/format.h"

namespace indexical {

class JsonSink : public ValueSink {
 public:
  explicit JsonSink(llvm::json::OStream &json) : json_(json) {}

  void key(llvm::StringRef name) override {
    json_.attributeBegin(name);
    isOfKey_ = true;
  }
  void integer(int64_t number) override {
    json_.value(number);
    end();
  }
  void number(llvm::StringRef digits) override {
    json_.rawValue(digits);
    end();
  }
  void boolean(bool value) override {
    json_.value(value);
    end();
  }
  void text(llvm::StringRef text) override {
    json_.value(jsonString(text));
    end();
  }
  void null() override {
    json_.value(nullptr);
    end();
  }
  void written(llvm::StringRef text) override {
    json_.rawValue(text);
    end();
  }
  void beginList() override {
    open();
    json_.arrayBegin();
  }
  void endList() override {
    json_.arrayEnd();
    close();
  }
  void beginObject() override {
    open();
    json_.objectBegin();
  }
  void endObject() override {
    json_.objectEnd();
    close();
  }

 private:
  /// Ends the key, if the value was that of one.
  void end() {
    if (!isOfKey_) return;
    json_.attributeEnd();
    isOfKey_ = false;
  }
  void open() {
    open_.push_back(isOfKey_);
    isOfKey_ = false;
  }
  void close() {
    isOfKey_ = open_.pop_back_val();
    end();
  }

  llvm::json::OStream &json_;
  bool isOfKey_ = false;             ///< the next value is that of a key
  llvm::SmallVector<bool, 8> open_;  ///< likewise, of what is open
};

/// Writes the keys of an entry into the object that is open.
template <typename T>
void writeJson(const T &of, llvm::json::OStream &json) {
  JsonSink sink(json);
  writeKeys(of, sink);
}

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_JSON_SINK_H

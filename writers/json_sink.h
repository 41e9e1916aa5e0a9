// The keys and values of an answer as JSON (answers/fields.h).
#ifndef INDEXICAL_WRITERS_JSON_SINK_H
#define INDEXICAL_WRITERS_JSON_SINK_H

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/fields.h"
#include "indexical/writers/format.h"

namespace indexical {

/// Returns whether JSON has the text as it stands: ASCII without escapes.
inline bool isPlainJson(llvm::StringRef text) {
  // Eight characters at a time: a byte of `marks` is at least 0x80 if its
  // character is no ASCII, below a space, a quote or a backslash.
  constexpr uint64_t kEach = 0x0101010101010101, kTop = kEach * 0x80;
  uint64_t marks = 0;
  const auto look = [&](uint64_t eight) {
    const uint64_t quote = eight ^ kEach * '"', slash = eight ^ kEach * '\\';
    marks |= eight | ((eight - kEach * ' ') & ~eight) |
             ((quote - kEach) & ~quote) | ((slash - kEach) & ~slash);
  };
  size_t at = 0;
  uint64_t eight = 0;
  for (; at + sizeof(eight) <= text.size(); at += sizeof(eight)) {
    std::memcpy(&eight, text.data() + at, sizeof(eight));
    look(eight);
  }
  if (at < text.size()) {
    eight = kEach * ' ';
    std::memcpy(&eight, text.data() + at, text.size() - at);
    look(eight);
  }
  return (marks & kTop) == 0;
}

/// Writes values where a stream of JSON stands.
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
    if (isPlainJson(text)) {
      // Most texts are, and go to the stream as one piece.
      json_.rawValueBegin() << '"' << text << '"';
      json_.rawValueEnd();
    } else {
      json_.value(jsonString(text));
    }
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

/// Adds values to a text: half the time of a stream, which asks before each
/// character whether its buffer is full.
class JsonTextSink : public ValueSink {
 public:
  explicit JsonTextSink(std::string &text) : text_(text) {}

  void key(llvm::StringRef name) override {
    begin();
    (((text_ += '"').append(name.data(), name.size()) += '"') += ':');
    isFirst_ = true;
  }
  void integer(int64_t number) override {
    char digits[24];
    const auto end = std::to_chars(digits, std::end(digits), number).ptr;
    add({digits, static_cast<size_t>(end - digits)});
  }
  void number(llvm::StringRef digits) override { add(digits); }
  void boolean(bool value) override { add(value ? "true" : "false"); }
  void text(llvm::StringRef text) override;
  void null() override { add("null"); }
  void written(llvm::StringRef text) override { add(text); }
  void beginList() override { open('['); }
  void endList() override { close(']'); }
  void beginObject() override { open('{'); }
  void endObject() override { close('}'); }

 private:
  void begin() {
    if (!isFirst_) text_ += ',';
    isFirst_ = false;
  }
  void add(llvm::StringRef value) {
    begin();
    text_.append(value.data(), value.size());
  }
  void open(char bracket) {
    begin();
    text_ += bracket;
    isFirst_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    isFirst_ = false;
  }

  std::string &text_;
  bool isFirst_ = true;  ///< no comma stands before what follows
};

/// Adds an object with the keys of an entry to the text.
template <typename T>
void addJson(const T &of, std::string &text) {
  JsonTextSink sink(text);
  sink.beginObject();
  writeKeys(of, sink);
  sink.endObject();
}

/// Writes the keys of an entry into the object that is open.
template <typename T>
void writeJson(const T &of, llvm::json::OStream &json) {
  JsonSink sink(json);
  writeKeys(of, sink);
}

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_JSON_SINK_H

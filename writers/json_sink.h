// The keys and values of an answer as JSON (answers/fields.h).
#ifndef INDEXICAL_WRITERS_JSON_SINK_H
#define INDEXICAL_WRITERS_JSON_SINK_H

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/fields.h"

namespace indexical {

/// Returns whether JSON has the text as it stands: ASCII without escapes.
inline bool isPlainJson(llvm::StringRef text) {
  // Eight characters at a time: a byte of `marks` is at least 0x80 if its
  // character is not ASCII, below a space, a quote or a backslash.
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

/// Adds values to a text, or writes them to a stream. Half the time of
/// llvm::json::OStream, which asks before each character whether its buffer is
/// full.
class JsonTextSink : public ValueSink {
 public:
  explicit JsonTextSink(std::string &text) : text_(text) {}
  /// The rest is written at the end of the sink's life.
  explicit JsonTextSink(llvm::raw_ostream &os)
      : text_(own_), os_(&os), most_(kMost) {}
  JsonTextSink(const JsonTextSink &) = delete;
  JsonTextSink &operator=(const JsonTextSink &) = delete;
  ~JsonTextSink() override {
    if (os_) flush();
  }

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
  void beginLine() override {
    begin();
    text_ += '\n';
    isFirst_ = true;
  }

 private:
  /// The bytes after which a stream gets them.
  static constexpr size_t kMost = 1 << 14;

  void begin() {
    if (!isFirst_) text_ += ',';
    isFirst_ = false;
  }
  void add(llvm::StringRef value) {
    begin();
    text_.append(value.data(), value.size());
    if (text_.size() >= most_) flush();
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
  void flush() {
    *os_ << text_;
    text_.clear();
  }

  std::string own_;
  std::string &text_;
  llvm::raw_ostream *os_ = nullptr;
  size_t most_ = SIZE_MAX;
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

/// Returns the members as JSON, without the braces of an object.
template <typename Members>
std::string jsonOfMembers(const Members &members) {
  std::string text;
  JsonTextSink sink(text);
  members(sink);
  return text;
}

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_JSON_SINK_H

// A text that a JsonTextSink makes is what a stream of JSON writes, and what it
// says is what was given.

#include "indexical/writers/json_sink.h"

#include <cstdint>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/writers/document_structure.h"

namespace indexical {
namespace {

namespace json = llvm::json;

/// Writes values by the writer of LLVM.
class StreamedJson : public ValueSink {
 public:
  explicit StreamedJson(json::OStream &json) : json_(json) {}

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
    json_.value(json::isUTF8(text) ? json::Value(text)
                                   : json::Value(json::fixUTF8(text)));
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

  json::OStream &json_;
  bool isOfKey_ = false;             ///< the next value is that of a key
  llvm::SmallVector<bool, 8> open_;  ///< likewise, of what is open
};

/// Gives one random value, which depends on the seed alone.
class RandomValue {
 public:
  explicit RandomValue(uint64_t seed) : random_(seed) {}

  void give(ValueSink &to, int depth = 0) {
    switch (below(depth < 4 ? 8 : 6)) {
      case 0:
        return to.integer(static_cast<int64_t>(random_()) >> below(64));
      case 1:
        return to.number("94.8");
      case 2:
        return to.boolean(below(2) == 0);
      case 3:
        return to.null();
      case 4:
        return to.written("{\"a\":[]}");
      case 5:
        return to.text(text());
      case 6:
        to.beginList();
        for (uint64_t left = below(4); left > 0; --left) give(to, depth + 1);
        return to.endList();
      default:
        to.beginObject();
        for (uint64_t left = below(4); left > 0; --left) {
          to.key("key" + std::to_string(left));
          give(to, depth + 1);
        }
        return to.endObject();
    }
  }

  /// Mostly letters; now and then a character that JSON escapes, one beside
  /// those, or any byte.
  std::string text() {
    std::string made;
    for (uint64_t left = below(30); left > 0; --left) {
      const uint64_t kind = below(40);
      made += kind == 0   ? "\"\\\x1f\x20\x7f\x80\n"[below(7)]
              : kind == 1 ? static_cast<char>(below(256))
                          : static_cast<char>('!' + below(94));
    }
    return made;
  }

 private:
  uint64_t below(uint64_t end) { return random_() % end; }

  std::mt19937_64 random_;
};

TEST(JsonSink, TextIsWhatAStreamWrites) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    std::string text, streamed;
    {
      JsonTextSink sink(text);
      RandomValue(seed).give(sink);
    }
    {
      llvm::raw_string_ostream os(streamed);
      json::OStream stream(os);
      StreamedJson sink(stream);
      RandomValue(seed).give(sink);
    }
    ASSERT_EQ(text, streamed) << "seed " << seed;
    std::string written;
    {
      llvm::raw_string_ostream os(written);
      JsonTextSink sink(os);
      RandomValue(seed).give(sink);
    }
    ASSERT_EQ(text, written) << "seed " << seed;
  }
}

TEST(JsonSink, TextsAreReadAsTheyWereGiven) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    const std::string given = RandomValue(seed).text();
    std::string text;
    JsonTextSink(text).text(given);
    auto read = json::parse(text);
    ASSERT_TRUE(static_cast<bool>(read)) << "seed " << seed << ": " << text;
    EXPECT_EQ(read->getAsString()->str(),
              json::isUTF8(given) ? given : json::fixUTF8(given))
        << "seed " << seed;
    // LLVM's writer asks each character.
    std::string expected;
    llvm::raw_string_ostream(expected)
        << json::Value(json::isUTF8(given) ? given : json::fixUTF8(given));
    EXPECT_EQ(text, expected) << "seed " << seed;
  }
}

// A document of many items reaches a stream in pieces, with each item of a list
// on a line of its own.
TEST(JsonSink, ManyItemsAreWrittenInLines) {
  std::string written;
  {
    llvm::raw_string_ostream os(written);
    JsonTextSink sink(os);
    DocumentStructure to(sink);
    sink.beginObject();
    to.head([](ValueSink &of) { KeyValue(of, "name").text("all"); });
    to.beginList("items", ItemLayout::OneALine);
    for (int64_t k = 0; k < 20000; ++k) {
      auto members = [&](ValueSink &of) { KeyValue(of, "number").integer(k); };
      ListItem item{"item", members};
      const std::string text = "{\"number\":" + std::to_string(k) + "}";
      if (k % 2 == 1) item.written = text;
      to.item(item);
    }
    to.endList();
    to.summary({{"count", 20000}});
    sink.endObject();
  }
  std::string expected = "{\"name\":\"all\",\"items\":[";
  for (int64_t k = 0; k < 20000; ++k)
    expected +=
        (k == 0 ? "" : ",") + ("\n{\"number\":" + std::to_string(k)) + "}";
  expected += "],\"totals\":{\"count\":20000}}";
  EXPECT_EQ(written, expected);
}

}  // namespace
}  // namespace indexical

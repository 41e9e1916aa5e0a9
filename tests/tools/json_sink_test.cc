// A text that a JsonTextSink makes is what a stream of JSON writes, and what it
// says is what was given.

#include "indexical/writers/json_sink.h"

#include <cstdint>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {
namespace {

namespace json = llvm::json;

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
      JsonSink sink(stream);
      RandomValue(seed).give(sink);
    }
    ASSERT_EQ(text, streamed) << "seed " << seed;
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
    llvm::raw_string_ostream(expected) << jsonString(given);
    EXPECT_EQ(text, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace indexical

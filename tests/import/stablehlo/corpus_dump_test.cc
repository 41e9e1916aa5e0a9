// Real modules of StableHLO, dumped: every part of a file that is valid gives
// status 0, as text and as JSON, and every map's text in the document is read
// back as the map that it shows.
#include <iostream>
#include <string>
#include <unordered_set>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/command/run.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/indexing/map_text.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

/// An error that is right for some of the files, and the reason.
struct Exception {
  const char *error;  ///< a part of the message
  const char *reason;
};
const Exception kExceptions[] = {
    {"times the number of members of a group",
     "an all_gather that is not as large as its groups make it"},
    {"dimension 1 of operand 2, s32[?,2], is 2, but these sizes must be equal",
     "a select by 2x3 of 2x2"},
};

bool isException(const std::string &message) {
  for (const Exception &exception : kExceptions)
    if (message.find(exception.error) != std::string::npos) return true;
  return false;
}

class Dumper {
 public:
  size_t parts = 0, unread = 0, excepted = 0;
  size_t maps() const { return seen_.size(); }

  void dump(const std::string &path, const MlirChunk &chunk) {
    if (chunk.text.trim().empty()) return;
    if (!isSampled(parts++)) return;
    // parse_corpus_test says which files cannot be read, and why.
    auto context = makeMlirContext();
    if (!parseMlirModule(*context, chunk, path).ok()) {
      ++unread;
      return;
    }
    std::string out, message;
    if (run(path, chunk, "--format=json", out, message) != kDone) {
      // Some errors are those of a pass.
      if (isException(message) || chunk.text.contains("expected-error"))
        ++excepted;
      else
        ADD_FAILURE() << path << " from line " << chunk.line << ":\n"
                      << message;
      return;
    }
    auto document = llvm::json::parse(out);
    ASSERT_TRUE(static_cast<bool>(document)) << path << "\n" << out;
    check(*document, path);
    std::string text;
    EXPECT_EQ(run(path, chunk, "--format=text", text, message), kDone)
        << path << "\n"
        << message;
  }

 private:
  static int run(const std::string &path, const MlirChunk &chunk,
                 llvm::StringRef format, std::string &out,
                 std::string &message) {
    llvm::raw_string_ostream outStream(out), errStream(message);
    return runOnInput(
        {"dump", format, "--input-format=stablehlo", "--direction=both"},
        {path, chunk.text.str()}, outStream, errStream);
  }

  void check(const llvm::json::Value &value, const std::string &path) {
    if (auto *object = value.getAsObject()) {
      if (auto text = object->getString("text")) checkMap(text->str(), path);
      for (const auto &[key, member] : *object) check(member, path);
    } else if (auto *array = value.getAsArray()) {
      for (const llvm::json::Value &element : *array) check(element, path);
    }
  }

  void checkMap(const std::string &text, const std::string &path) {
    if (!seen_.insert(std::hash<std::string>()(text)).second) return;
    auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << path << ": " << text << "\n" << map.status();
    EXPECT_EQ(map->strOneLine(), text) << path;
  }

  std::unordered_set<size_t> seen_;
};

TEST(CorpusDumpTest, EveryPartThatIsValid) {
  const auto files = stablehloFiles();
  Dumper dumper;
  for (const CorpusFile &file : files) {
    const std::string text = textOf(file);
    for (const MlirChunk &chunk : splitMlir(text))
      dumper.dump(file.path, chunk);
  }
  std::cout << files.size() << " files, " << dumper.parts << " parts, "
            << dumper.unread << " not read, " << dumper.excepted << " refused, "
            << dumper.maps() << " different maps\n";
  EXPECT_GT(files.size(), ofCorpus(900u, 1u));
}

}  // namespace
}  // namespace indexical::testing

// The version that the header says is what the command, its documents and its
// pages say; and the umbrella header has what its essay promises.
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "indexical/indexical.h"

namespace indexical {
namespace {

std::string outputOf(std::vector<const char *> words, std::string text = "") {
  std::string output, errors;
  llvm::raw_string_ostream out(output), err(errors);
  if (text.empty()) {
    words.insert(words.begin(), "indexical");
    EXPECT_EQ(runIndexical(words.size(), words.data(), out, err), kDone);
  } else {
    Input input;
    input.text = std::move(text);
    const std::vector<llvm::StringRef> all(words.begin(), words.end());
    EXPECT_EQ(runOnInput(all, input, out, err), kDone);
  }
  EXPECT_EQ(errors, "");
  return output;
}

TEST(Version, IsThatOfTheHeader) {
  const std::string version = kVersion;
  EXPECT_EQ(version, std::to_string(INDEXICAL_VERSION_MAJOR) + "." +
                         std::to_string(INDEXICAL_VERSION_MINOR) + "." +
                         std::to_string(INDEXICAL_VERSION_PATCH));
  EXPECT_EQ(outputOf({"--version"}), "indexical " + version + "\n");
  const std::string map = "(d0) -> (d0 * 2), domain: d0 in [0, 3]";
  EXPECT_NE(outputOf({"count", "--format=json"}, map)
                .find("\"version\":\"" + version + "\""),
            std::string::npos);
  EXPECT_NE(outputOf({"help", "--format=man", "count"}).find(version),
            std::string::npos);
}

TEST(Version, IsThatOfTheModule) {
  auto text = llvm::MemoryBuffer::getFile("MODULE.bazel");
  ASSERT_TRUE(bool(text));
  EXPECT_NE((*text)->getBuffer().find("version = \"" + std::string(kVersion) +
                                      "\",\n"),
            llvm::StringRef::npos);
}

TEST(Version, UmbrellaHasTheCommonCase) {
  auto program = parseHlo(
      "f { p = f32[4,8] parameter(0)\n"
      "    ROOT t = f32[8,4] transpose(p), dimensions={1,0} }");
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(program->modules[0]);
  auto read = maps.computation(ComputationId(0), LeafId(0), ParameterLeaf{0},
                               Direction::OutputToInput);
  ASSERT_TRUE(read.ok());
  auto map = simplify(read->pieces()[0]);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->strOneLine(),
            "(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]");
}

}  // namespace
}  // namespace indexical

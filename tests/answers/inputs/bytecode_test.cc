// Bytecode from several threads, trusted or not, and reader programs that
// crash, stop half-way, or are not there.
#include "indexical/answers/inputs/bytecode.h"

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/import/stablehlo/bytecode.h"

namespace indexical::testing {
namespace {

// A module of some thousand ops: more than a pipe holds.
std::string large() {
  std::string text =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.negate %x : tensor<4xf32>\n";
  for (int i = 1; i < 8000; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "  %" + n + " = stablehlo.reverse %" + before +
            ", dims = [0] : tensor<4xf32> loc(\"line " + n + "\")\n";
  }
  return text + "  return %7999 : tensor<4xf32>\n}\n";
}

const std::string &bytes() {
  static const std::string made = [] {
    absl::StatusOr<MlirFile> file = parseMlir(large());
    EXPECT_TRUE(file.ok()) << file.status();
    return bytecodeOf(*file->modules[0].module);
  }();
  return made;
}

void onThreads(llvm::function_ref<void()> work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread &each : threads) each.join();
}

// Returns the program's text or message for a byte string that is no module.
std::string saidBy(ReaderProgram program) {
  setReaderProgram(std::move(program));
  absl::StatusOr<std::string> text = textOfBytecode(bytes());
  setReaderProgram({"tools/read-bytecode", {}});
  return text.ok() ? "text: " + *text : std::string(text.status().message());
}

std::string saidByShell(const std::string &script) {
  return saidBy({"/bin/sh", {"-c", script}});
}

std::string readsOf(const Program &program) {
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  auto read = maps.computation(module.entry, LeafId(0), ParameterLeaf{0},
                               Direction::OutputToInput);
  if (!read.ok()) return std::string(read.status().message());
  std::string text;
  for (const IndexingMap &map : read->pieces()) text += map.strOneLine() + "\n";
  return text;
}

TEST(Bytecode, IsReadInTheProcessWhereItIsTrusted) {
  EXPECT_FALSE(importMlir(bytes()).ok());
  MlirOptions options;
  options.trustBytecode = true;
  auto alone = importMlir(bytes(), "m.bc", options);
  ASSERT_TRUE(alone.ok()) << alone.status();
  const std::string expected = readsOf(*alone);
  EXPECT_NE(expected.find("(d0) -> (-d0 + 3)"), std::string::npos) << expected;
  // No program is asked.
  setReaderProgram({});
  onThreads([&] {
    auto program = importMlir(bytes(), "m.bc", options);
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_EQ(readsOf(*program), expected);
  });
  setReaderProgram({"tools/read-bytecode", {}});
}

TEST(Bytecode, IsReadByAProgramFromSeveralThreads) {
  const absl::StatusOr<std::string> alone = textOfBytecode(bytes());
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_NE(alone->find("loc(\"line 7999\")"), std::string::npos);
  onThreads([&] {
    const absl::StatusOr<std::string> text = textOfBytecode(bytes());
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_TRUE(*text == *alone);
    auto context = makeMlirContext();
    auto module = readBytecode(*context, bytes(), "m.bc");
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_EQ(module->state, nullptr);
    auto trusted = parseMlirModule(*context, {bytes(), 1}, "m.bc", kTrusted);
    ASSERT_TRUE(trusted.ok()) << trusted.status();
    EXPECT_TRUE(bytecodeOf(*module->module) == bytecodeOf(*trusted->module));
  });
}

TEST(Bytecode, AProgramThatCrashesIsAnError) {
  const std::string damaged = "this bytecode is damaged";
  for (const char *script :
       {"kill -SEGV $$", "cat > /dev/null; kill -ABRT $$", "exit 3", "exit 0",
        // Not to the end.
        "cat > /dev/null; printf Mmodule", "printf 'Mmodule\\0'; exit 1",
        "cat > /dev/null; printf 'Mmodule {}\\0'; kill -SEGV $$"})
    EXPECT_EQ(saidByShell(script), damaged) << script;
  EXPECT_EQ(saidByShell("cat > /dev/null; printf 'Emine\\0'"), "mine");
  EXPECT_EQ(saidByShell("cat > /dev/null; printf 'Mmine\\0'"), "text: mine");
  // Nor does it matter what the host does of signals.
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(saidByShell("kill -SEGV $$"), damaged);
  EXPECT_TRUE(textOfBytecode(bytes()).ok());
  std::signal(SIGCHLD, before);
}

TEST(Bytecode, AProgramThatIsNotThereIsAnError) {
  EXPECT_EQ(saidBy({"no/such/program", {}}),
            "this is MLIR bytecode, and the program that reads it, "
            "`no/such/program`, cannot be started: No such file or directory");
  EXPECT_EQ(saidBy({}),
            "this is MLIR bytecode, and no program is known that reads it");
}

TEST(Bytecode, ModuleTextThatIsNoModuleIsAnError) {
  setReaderProgram(
      {"/bin/sh", {"-c", "cat > /dev/null; printf 'Mmodul {\\0'"}});
  auto context = makeMlirContext();
  auto module = readBytecode(*context, bytes(), "m.bc");
  setReaderProgram({"tools/read-bytecode", {}});
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.status().message().rfind("this bytecode is damaged: ", 0),
            0u);
}

TEST(Bytecode, CutBytesAreRefusedWithoutACrash) {
  for (size_t size : {4u, 5u, 20u, 200u, 2000u}) {
    const auto text = textOfBytecode(llvm::StringRef(bytes()).take_front(size));
    EXPECT_FALSE(text.ok()) << size;
    EXPECT_FALSE(text.status().message().empty());
  }
  EXPECT_EQ(textOfBytecode("module {}").status().message(),
            "this bytecode is damaged");
}

}  // namespace
}  // namespace indexical::testing

// Stack frames of HLO: the tables at a module's head, `source_file`, and what
// is wrong in them.
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/messages.h"

namespace indexical {
namespace {

using testing::messageOf;

constexpr char kTables[] = R"(HloModule m, is_scheduled=true

FileNames
1 "model.py"
2 "/usr/lib/python3/dist-packages/flax/linear.py"
3 "<embedded module \'_launcher\'>"

FunctionNames
1 "step"
2 "Dense.__call__"
3 "main"

FileLocations
1 {file_name_id=1 function_name_id=1 line=12 end_line=12 column=4 end_column=9}
2 {file_name_id=2 function_name_id=2 line=80}
3 {file_name_id=3 function_name_id=3 line=7}

StackFrames
1 {file_location_id=3 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}
3 {file_location_id=2 parent_frame_id=3}
4 {file_location_id=1 parent_frame_id=4}

)";

/// A module with one instruction, which has that metadata.
std::string module(const std::string &tables, const std::string &metadata) {
  return tables + "ENTRY e { ROOT x = f32[4] parameter(0), metadata={" +
         metadata + "} }";
}

/// The stack of the only instruction, its frames with `; ` between them, then
/// each warning on a line of its own.
std::string stackIn(const std::string &text) {
  absl::StatusOr<Program> program = parseHlo(text);
  if (!program.ok()) return "error: " + messageOf(program.status());
  const Module &module = program->modules.back();
  std::string out;
  for (const StackFrame &frame : module.frames.stackFrom(
           module.computations[0].instructions[0].metadata.frame))
    out += (out.empty() ? "" : "; ") + frame.str();
  for (const Note &note : program->notes)
    out += "\n" + std::to_string(note.place.line) + ":" +
           std::to_string(note.place.column) + ": " + note.text;
  return out;
}

/// The tables with one text in place of another.
std::string with(const std::string &from, const std::string &to) {
  std::string tables = kTables;
  const size_t at = tables.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return tables.replace(at, from.size(), to);
}

TEST(StackTablesTest, AStackIsItsFramesFromTheInnermost) {
  EXPECT_EQ(stackIn(module(kTables, "op_name=\"a\" stack_frame_id=3")),
            "/usr/lib/python3/dist-packages/flax/linear.py:80 in "
            "Dense.__call__; model.py:12 in step; "
            "<embedded module '_launcher'>:7 in main");
  EXPECT_EQ(stackIn(module(kTables, "stack_frame_id=1")),
            "<embedded module '_launcher'>:7 in main");
}

TEST(StackTablesTest, TheTableWinsOverTheSourceFile) {
  EXPECT_EQ(stackIn(module(kTables,
                           "stack_frame_id=2, source_file=\"x.py\", "
                           "source_line=3")),
            "model.py:12 in step; <embedded module '_launcher'>:7 in main");
}

TEST(StackTablesTest, NoFrameIsTheSourceFile) {
  for (const char *none : {"", "stack_frame_id=0 "})
    EXPECT_EQ(
        stackIn(module(
            kTables, std::string(none) + "source_file=\"x.py\" source_line=3")),
        "x.py:3");
  EXPECT_EQ(stackIn(module(kTables, "source_file=\"x.py\"")), "x.py");
  EXPECT_EQ(stackIn(module(kTables, "stack_frame_id=0")), "");
}

// Modules that were cut out have the numbers and not the tables.
TEST(StackTablesTest, AModuleWithoutTablesIsNotWarnedOf) {
  EXPECT_EQ(stackIn(module("", "stack_frame_id=3")), "");
  EXPECT_EQ(stackIn(module("HloModule m\nFileNames\n\nStackFrames\n\n",
                           "stack_frame_id=3 source_file=\"x.py\"")),
            "x.py");
}

TEST(StackTablesTest, EachModuleHasTablesOfItsOwn) {
  const std::string two =
      with("\"model.py\"", "\"other.py\"") +
      "ENTRY e { ROOT x = f32[] parameter(0) }\n// -----\n" +
      module(kTables, "stack_frame_id=2");
  EXPECT_EQ(stackIn(two),
            "model.py:12 in step; <embedded module '_launcher'>:7 in main");
}

TEST(StackTablesTest, WhatIsWrongIsAWarningAtItsPlace) {
  struct Row {
    const char *what, *from, *to, *metadata, *expected;
  };
  constexpr char kRest[] = "; <embedded module '_launcher'>:7 in main";
  const std::string step = std::string("model.py:12 in step") + kRest;
  const Row rows[] = {
      {"a frame that is not there", "", "", "stack_frame_id=9",
       "\n24:51: StackFrames has no row 9"},
      {"a huge number", "", "", "stack_frame_id=99999999999999999999",
       "\n24:51: StackFrames has no row 99999999999999999999"},
      {"no number", "", "", "stack_frame_id=x source_file=\"x.py\"",
       "x.py\n24:51: StackFrames has no row x"},
      {"a place that is not there", "2 {file_location_id=1 ",
       "2 {file_location_id=9 ", "stack_frame_id=2",
       "<embedded module '_launcher'>:7 in main\n20:1: FileLocations has no "
       "row 9; the frame is left out of all stacks"},
      {"a file that is not there", "1 {file_name_id=1 ",
       "1 {file_name_id=4294967297 ", "stack_frame_id=2",
       "<embedded module '_launcher'>:7 in main\n14:1: `4294967297` is not a "
       "number for `file_name_id`"},
      {"a function that is not there", "function_name_id=1 line=12",
       "function_name_id=8 line=12", "stack_frame_id=2",
       "model.py:12; <embedded module '_launcher'>:7 in main\n14:1: "
       "FunctionNames has no row 8"},
      {"a caller that is not there", "3 {file_location_id=2 parent_frame_id=3}",
       "3 {file_location_id=2 parent_frame_id=77}", "stack_frame_id=3",
       "/usr/lib/python3/dist-packages/flax/linear.py:80 in Dense.__call__"
       "\n21:1: StackFrames has no row 76 for the caller of this frame; the "
       "stack ends here"},
      {"a frame that calls itself", "1 {file_location_id=3 parent_frame_id=1}",
       "1 {file_location_id=3 parent_frame_id=2}", "stack_frame_id=1",
       "<embedded module '_launcher'>:7 in main\n19:1: frame 1 calls itself by "
       "way of this one; the stack ends here"},
      {"a number twice", "2 \"/usr", "1 \"/usr", "stack_frame_id=1",
       "<embedded module '_launcher'>:7 in main\n5:1: FileNames has two rows "
       "1; the first one counts\n15:1: FileNames has no row 2; frames at this "
       "place are left out of all stacks"},
      {"row 0", "3 \"<embedded", "0 \"<embedded", "stack_frame_id=3",
       "/usr/lib/python3/dist-packages/flax/linear.py:80 in Dense.__call__; "
       "model.py:12 in step\n6:1: `0` is not a number of a row; the row of "
       "FileNames is not read\n16:1: FileNames has no row 3; frames at this "
       "place are left out of all stacks"},
      {"a line that is none", "line=7}", "line=99999999999}",
       "stack_frame_id=1",
       "<embedded module '_launcher'> in main\n16:1: `99999999999` is not a "
       "number for `line`"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(stackIn(module(with(row.from, row.to), row.metadata)),
              row.expected)
        << row.what;
}

// 1 is called by 4, which calls 3, which calls 2, which calls 1.
TEST(StackTablesTest, ACycleOfCallersIsCutOnce) {
  const std::string text =
      module(with("1 {file_location_id=3 parent_frame_id=1}",
                  "1 {file_location_id=3 parent_frame_id=5}"),
             "stack_frame_id=4");
  const std::string stack = stackIn(text);
  EXPECT_TRUE(llvm::StringRef(stack).starts_with("model.py:12 in step"))
      << stack;
  EXPECT_EQ(llvm::StringRef(stack).count("calls itself"), 1u) << stack;
}

TEST(StackTablesTest, AStackThatIsEndlesslyDeepIsCut) {
  std::string tables = "HloModule m\nFileNames\n1 \"a.py\"\nFileLocations\n";
  constexpr int kFrames = 200'000;
  for (int i = 1; i <= kFrames; ++i)
    tables += std::to_string(i) + " {file_name_id=1 line=" + std::to_string(i) +
              "}\n";
  tables += "StackFrames\n";
  // The innermost first, so that all of it is followed at once.
  for (int i = 1; i <= kFrames; ++i)
    tables += std::to_string(i) + " {file_location_id=" + std::to_string(i) +
              " parent_frame_id=" + std::to_string(i == kFrames ? 1 : i + 2) +
              "}\n";
  const std::string stack = stackIn(module(tables, "stack_frame_id=1"));
  EXPECT_TRUE(llvm::StringRef(stack).starts_with("a.py:1; a.py:2; "));
  EXPECT_EQ(llvm::StringRef(stack).count(';') + 1, StackFrames::kMostShown);
}

TEST(StackFramesTest, InstalledFiles) {
  struct Row {
    const char *file;
    bool installed;
  };
  for (const Row &row : {
           Row{"/src/a/model.py", false},
           {"model.py", false},
           {"", false},
           {"/venv/lib/python3.11/site-packages/flax/linen/linear.py", true},
           {"site-packages/x.py", true},
           {"/usr/lib/python3/dist-packages/x.py", true},
           {"/usr/lib/python3.11/contextlib.py", true},
           {"/usr/lib64/python3.9/runpy.py", true},
           {"C:\\Python\\Lib\\site-packages\\jax\\x.py", true},
           {"/src/my-site-packages/x.py", false},
           {"/src/python3/x.py", false},
           {"/src/lib/pythonic/x.py", false},
           {"/src/lib/x/python3/x.py", false},
       })
    EXPECT_EQ(isInstalled(row.file), row.installed) << row.file;
}

TEST(StackFramesTest, TheOwnFrameIsTheInnermostThatIsNotInstalled) {
  const StackFrame library{"/lib/python3/a.py", "f"}, own{"a.py", "f"},
      outer{"b.py", "f"};
  EXPECT_EQ(ownFrame({library, own, outer}).file, "a.py");
  EXPECT_EQ(ownFrame({library}).file, "/lib/python3/a.py");
}

}  // namespace
}  // namespace indexical

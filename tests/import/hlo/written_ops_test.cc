// An op that a text writes again is the op that it would be alone.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

Op opOf(const Program &program, llvm::StringRef name) {
  const Computation &entry =
      program.modules[0].computations[program.modules[0].entry];
  return entry.instructions[entry.find(name)].op;
}

TEST(WrittenOpsTest, WhatAnOpDependsOnDistinguishesIt) {
  auto program = parseHlo(R"(HloModule m
ENTRY e {
  p = f32[4,4]{1,0} parameter(0)
  q = f32[4,4]{0,1} parameter(1)
  a = f32[4,4]{1,0} reverse(p), dimensions={1}, metadata={op_name="a"}
  same = f32[4,4]{1,0} reverse(a), dimensions={1}, sharding={replicated}
  attribute = f32[4,4]{1,0} reverse(a), dimensions={0}
  layout = f32[4,4]{0,1} reverse(a), dimensions={1}
  operand = f32[4,4]{1,0} reverse(q), dimensions={1}
  less = pred[4,4]{1,0} compare(a, p), direction=LT
  greater = pred[4,4]{1,0} compare(a, p), direction=GT
  add = f32[4,4]{1,0} add(a, p)
  ROOT multiply = f32[4,4]{1,0} multiply(a, p)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const Op a = opOf(*program, "a");
  EXPECT_EQ(a, opOf(*program, "same"));
  for (const char *other : {"attribute", "layout", "operand"})
    EXPECT_NE(a, opOf(*program, other)) << other;
  EXPECT_NE(opOf(*program, "less"), opOf(*program, "greater"));
  EXPECT_NE(opOf(*program, "add"), opOf(*program, "multiply"));
}

/// The text with an attribute behind each instruction that changes no op, but
/// is written nowhere else: each op is then met for the first time.
std::string withoutRepetition(llvm::StringRef text) {
  std::string changed;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    changed += line;
    const llvm::StringRef end = line.rtrim();
    if (line.starts_with(" ") && line.contains(" = ") &&
        (end.ends_with(")") || end.ends_with("}")) && !line.contains("/*"))
      changed += ", statistics={line=" + std::to_string(number) + "}";
    changed += '\n';
  }
  return changed;
}

TEST(WrittenOpsTest, ACustomCallDependsOnItsConfiguration) {
  auto program = parseHlo(R"(HloModule m
ENTRY e {
  p = f32[4,4] parameter(0)
  a = f32[4,4] custom-call(p), custom_call_target="t", backend_config={"n":"1"}
  b = f32[4,4] custom-call(p), custom_call_target="t", backend_config={"n":"2"}
  c = ((f32[4,4]),f32[4,4],u32[]) custom-call-start(p), custom_call_target="t", backend_config={"n":"1"}
  d = ((f32[4,4]),f32[4,4],u32[]) custom-call-start(p), custom_call_target="t", backend_config={"n":"2"}
  ROOT r = f32[4,4] add(a, b)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_NE(opOf(*program, "a"), opOf(*program, "b"));
  EXPECT_NE(opOf(*program, "c"), opOf(*program, "d"));
}

TEST(WrittenOpsTest, OpsOfTheCorpusAreWhatTheyAreAlone) {
  int files = 0;
  int64_t instructions = 0, shared = 0;
  for (const CorpusFile &file : hloFiles()) {
    const std::string &path = file.name;
    const std::string text = textOf(file);
    if (text.size() > 3'000'000) continue;
    auto first = parseHlo(text), second = parseHlo(withoutRepetition(text));
    if (!first.ok() || !second.ok()) continue;  // no HLO, or no such lines
    ++files;
    ASSERT_EQ(first->modules.size(), second->modules.size()) << path;
    for (size_t m = 0; m < first->modules.size(); ++m) {
      const auto &computations = first->modules[m].computations;
      for (size_t c = 0; c < computations.size(); ++c) {
        const auto &others = second->modules[m].computations[c].instructions;
        ASSERT_EQ(computations[c].instructions.size(), others.size()) << path;
        std::set<size_t> hashes;
        for (size_t i = 0; i < others.size(); ++i) {
          const Instruction &instruction = computations[c].instructions[i];
          // One of several parts has maps of its own, which equal no others.
          if (instruction.opcode == "custom-call") continue;
          ASSERT_EQ(instruction.op, others[i].op)
              << path << ": " << instruction.name.str();
          shared += !hashes.insert(instruction.op.hash()).second;
          ++instructions;
        }
      }
    }
  }
  EXPECT_GT(files, ofCorpus(450, 90));
  EXPECT_GT(shared, instructions / ofCorpus(4, 20));
}

}  // namespace
}  // namespace indexical::testing

// The table of opcodes says what is true: of the opcodes that it names, of the
// precision of their maps, and in docs/internals/ops.md.
#include "indexical/import/hlo/opcodes.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

#include "docs/ops_page.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {
namespace {

std::string contentOf(const std::string &path) {
  std::ifstream file(path);
  std::stringstream buffer;
  buffer << file.rdbuf();
  return buffer.str();
}

TEST(OpcodesTest, ThePageIsTheTable) {
  EXPECT_EQ(contentOf("docs/internals/ops.md"), opsPage())
      << "bazel run //docs:write_ops_page > docs/internals/ops.md";
}

TEST(OpcodesTest, RowsAreInTheOrderOfNames) {
  const auto table = opcodeTable();
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end(),
                             [](const OpcodeInfo &a, const OpcodeInfo &b) {
                               return a.name < b.name;
                             }));
  for (const OpcodeInfo &info : table) {
    EXPECT_EQ(findOpcode(info.name), &info) << info.name.str();
    const Traits &traits = info.kind->traits;
    EXPECT_TRUE(traits.precision == Precision::Exact || !traits.note.empty())
        << info.name.str() << " does not say why it is not exact";
  }
}

// The 133 opcodes of August 2026, and three newer ones.
TEST(OpcodesTest, NothingInHloIsUnknown) {
  const char kOpcodes[] =
      "abs acos acosh add add-dependency after-all all-gather all-gather-start "
      "all-gather-done all-reduce all-reduce-start all-reduce-done all-to-all "
      "and asin asinh async-start async-update async-done atan2 atanh "
      "batch-norm-grad batch-norm-inference batch-norm-training bitcast "
      "bitcast-convert broadcast call cbrt ceil cholesky clamp "
      "collective-broadcast collective-permute collective-permute-start "
      "collective-permute-done compare complex concatenate conditional "
      "constant convert convolution copy copy-start copy-done cosine cosh "
      "count-leading-zeros custom-call divide domain dot dynamic-reshape "
      "dynamic-slice dynamic-update-slice erf exponential "
      "exponential-minus-one fft floor fusion gather get-dimension-size "
      "get-tuple-element imag infeed iota is-finite log log-plus-one logistic "
      "map maximum minimum mulhi multiply negate not opt-barrier or outfeed "
      "pad parameter partition-id popcnt power ragged-all-to-all ragged-dot "
      "real recv recv-done reduce reduce-precision reduce-scatter "
      "reduce-window remainder replica-id reshape reverse rng "
      "rng-bit-generator rng-get-and-update-state round-nearest-afz "
      "round-nearest-even rsqrt scaled-dot scan scatter select "
      "select-and-scatter send send-done set-dimension-size shift-left "
      "shift-right-arithmetic shift-right-logical sign sine sinh slice sort "
      "sqrt stochastic-convert subtract tan tanh topk transpose "
      "triangular-solve tuple while xor "
      "atan collective-reduce shuffle";
  std::istringstream words(kOpcodes);
  std::string word;
  size_t count = 0;
  for (; words >> word; ++count) {
    const OpcodeInfo *info = findOpcode(word);
    EXPECT_TRUE(info && info->name == word) << word;
  }
  EXPECT_EQ(count, opcodeTable().size());
}

/// The weakest answer of each opcode in examples/every_opcode.hlo.
std::map<std::string, Precision> weakestAnswers() {
  std::map<std::string, Precision> weakest;
  auto program = parseHlo(contentOf("examples/every_opcode.hlo"));
  if (!program.ok()) {
    ADD_FAILURE() << program.status();
    return weakest;
  }
  EXPECT_TRUE(program->notes.empty());
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  const Computation &entry = module.computations[module.entry];
  for (size_t i = 0; i < entry.instructions.size(); ++i) {
    const Instruction &instruction = entry.instructions[i];
    Precision &precision =
        weakest.try_emplace(instruction.opcode.str(), Precision::Exact)
            .first->second;
    const OpShapes &shapes = shapesOf(instruction.op);
    for (size_t r = 0; r < shapes.results.size(); ++r)
      for (size_t k = 0; k < shapes.operands.size(); ++k) {
        auto reads =
            maps.instruction({module.entry, InstructionId(i), LeafId(r)},
                             LeafId(k), Direction::OutputToInput);
        auto users =
            maps.instruction({module.entry, InstructionId(i), LeafId(r)},
                             LeafId(k), Direction::InputToOutput);
        if (!reads.ok() || !users.ok()) {
          ADD_FAILURE() << instruction.name.str() << reads.status()
                        << users.status();
          continue;
        }
        EXPECT_EQ(reads->precision(), users->precision())
            << instruction.name.str();
        EXPECT_EQ(reads->isEmpty(), users->isEmpty()) << instruction.name.str();
        precision = std::min(precision, reads->precision());
      }
  }
  return weakest;
}

TEST(OpcodesTest, AnswersAreAsPreciseAsTheTableSays) {
  const auto weakest = weakestAnswers();
  for (const OpcodeInfo &info : opcodeTable()) {
    auto found = weakest.find(info.name.str());
    if (found == weakest.end())
      ADD_FAILURE() << "no example of " << info.name.str();
    else
      EXPECT_EQ(found->second, info.kind->traits.precision) << info.name.str();
  }
}

}  // namespace
}  // namespace indexical

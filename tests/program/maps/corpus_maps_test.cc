// Real modules, all of their maps: every question about every instruction and
// every computation of at most 500 instructions has an answer, in both
// directions with the same precision, and every map's text is read back as the
// map that it shows.
#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/corpus.h"

namespace indexical {
namespace {

using testing::corpusPath;
using testing::forEachHloFile;
using testing::forEachHloSnippet;

constexpr size_t kLargestComputation = 500;

/// Asks everything about a program; counts, and fails on the first wrong thing.
class Questions {
 public:
  struct Counts {
    size_t exact = 0, cover = 0, opaque = 0;
    size_t relations() const { return exact + cover + opaque; }
    void add(Precision precision) {
      ++(precision == Precision::Exact   ? exact
         : precision == Precision::Cover ? cover
                                         : opaque);
    }
  };
  Counts all;
  std::map<std::string, Counts> ofOpcodes;
  size_t texts() const { return seen_.size(); }

  void ask(const Program &program, const std::string &name) {
    name_ = name;
    for (const Module &module : program.modules) {
      ProgramIndexing maps(module);
      for (size_t c = 0; c < module.computations.size(); ++c) {
        askInstructions(maps, c);
        if (module.computations[c].instructions.size() <= kLargestComputation)
          askComputation(maps, c);
      }
    }
  }

 private:
  void askInstructions(ProgramIndexing &maps, int32_t c) {
    const Computation &computation = maps.module().computations[c];
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const Instruction &instruction = computation.instructions[i];
      int64_t results = instruction.shape.leafCount();
      int64_t operands = computation.operandLeaves(InstructionId(i)).size();
      for (int64_t r = 0; r < results; ++r)
        for (int64_t k = 0; k < operands; ++k)
          if (auto precision = both(instruction.name, [&](Direction direction) {
                return maps.instruction(
                    {ComputationId(c), InstructionId(i), LeafId(r)}, LeafId(k),
                    direction);
              }))
            ofOpcodes[instruction.opcode.str()].add(*precision);
    }
  }

  void askComputation(ProgramIndexing &maps, int32_t c) {
    const Computation &computation = maps.module().computations[c];
    int64_t roots =
        computation.instructions[computation.root].shape.leafCount();
    for (int64_t r = 0; r < roots; ++r)
      for (size_t p = 0; p < computation.parameters.size(); ++p) {
        int32_t parameter = computation.parameters[p];
        int64_t leaves = computation.instructions[parameter].shape.leafCount();
        for (int64_t l = 0; l < leaves; ++l)
          both(computation.name, [&](Direction direction) {
            return maps.computation(ComputationId(c), LeafId(r),
                                    ParameterLeaf{p, LeafId(l)}, direction);
          });
      }
  }

  /// Returns the precision if both directions have an answer.
  template <typename Ask>
  std::optional<Precision> both(llvm::StringRef where, Ask ask) {
    auto output = ask(Direction::OutputToInput);
    auto input = ask(Direction::InputToOutput);
    if (!output.ok() || !input.ok()) {
      ADD_FAILURE() << name_ << ": " << where.str() << ": " << output.status()
                    << input.status();
      return std::nullopt;
    }
    EXPECT_EQ(output->isEmpty(), input->isEmpty())
        << name_ << ": " << where.str();
    EXPECT_EQ(output->precision(), input->precision())
        << name_ << ": " << where.str();
    all.add(output->precision());
    check(*output);
    check(*input);
    return output->precision();
  }

  void check(const IndexingRelation &relation) {
    for (const IndexingMap &map : relation.pieces()) {
      std::string text = map.str();
      if (!seen_.insert(std::hash<std::string>()(text)).second) continue;
      auto read = parseMap(text);
      ASSERT_TRUE(read.ok()) << name_ << ": " << text << "\n" << read.status();
      EXPECT_EQ(read->str(), text) << name_;
    }
  }

  std::string name_;
  std::unordered_set<size_t> seen_;
};

void report(const Questions &questions) {
  const Questions::Counts &all = questions.all;
  std::cout << all.relations() << " relations: " << all.exact << " exact, "
            << all.cover << " cover, " << all.opaque << " opaque; "
            << questions.texts() << " different maps\n";
  for (const auto &[opcode, counts] : questions.ofOpcodes)
    if (counts.exact < counts.relations())
      std::cout << "  " << opcode << ": " << counts.exact << " exact, "
                << counts.cover << " cover, " << counts.opaque << " opaque\n";
}

TEST(CorpusMapsTest, Files) {
  Questions questions;
  size_t files =
      forEachHloFile([&](const Program &program, const std::string &name) {
        questions.ask(program, name);
      });
  report(questions);
  EXPECT_GT(files, testing::ofCorpus(450u, 90u));
}

TEST(CorpusMapsTest, Snippets) {
  if (corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  Questions questions;
  size_t snippets =
      forEachHloSnippet([&](const Program &program, const std::string &name) {
        questions.ask(program, name);
      });
  report(questions);
  EXPECT_GT(snippets, 3000u);
}

}  // namespace
}  // namespace indexical

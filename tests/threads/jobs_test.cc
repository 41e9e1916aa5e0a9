// One text read by several threads: the same program, the same notes, the same
// error with the same place, for any number of threads and any length of what
// each of them reads.
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/module/program.h"
#include "tests/support/corpus_files.h"

namespace indexical {
namespace {

using testing::textOfFile;

std::string textOf(Place place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string textOf(const CalledComputation &called) {
  std::string text = " calls " + called.name.str() + " " +
                     std::to_string(called.computation) + " as " +
                     std::to_string(static_cast<int>(called.role));
  for (int32_t argument : called.arguments)
    text += " " + std::to_string(argument);
  return text;
}

std::string textOf(const Instruction &i) {
  std::string text = "    " + textOf(i.place) + " " + i.name.str() + " = " +
                     i.shape->str(/*withLayout=*/true) + " " + i.opcode.str();
  for (int32_t operand : i.operands) text += " " + std::to_string(operand);
  text += " p" + std::to_string(i.parameterNumber) + " f" +
          std::to_string(i.metadata.frame) + " " + i.metadata.opName.str() +
          " " + i.fusionKind.str() + " " + i.sharding.str() + " " +
          i.backendConfig.str() + " " + i.customCallTarget.str() + " t" +
          std::to_string(i.tripCount.value_or(-1)) +
          (i.indicesAreSorted ? " sorted" : "") +
          (i.uniqueIndices ? " unique" : "");
  for (const CalledComputation &called : i.called) text += textOf(called);
  return text + "\n";
}

std::string textOf(const Module &module) {
  std::string text = "module " + module.name.str() + " " +
                     std::to_string(module.entry) + " " +
                     std::to_string(module.replicaCount) + " " +
                     std::to_string(module.partitionCount) + "\n";
  for (const Computation &c : module.computations) {
    text += "  " + textOf(c.place) + " " + c.name.str() + " root " +
            std::to_string(c.root) + (c.entry ? " entry" : "") + "\n";
    for (int32_t parameter : c.parameters)
      text += " " + std::to_string(parameter);
    for (const Instruction &i : c.instructions) text += textOf(i);
  }
  text += module.text.str() + "\n";
  for (size_t n = 0; n < module.frames.size(); ++n)
    text += module.frames[n].str() + " of " +
            std::to_string(module.frames[n].caller) + "\n";
  return text;
}

/// All that is found of a text; an error with its place.
std::string textOf(const absl::StatusOr<Program> &program) {
  if (!program.ok()) {
    const auto place = placeOf(program.status());
    return (place ? textOf(*place) : "") +
           std::string(program.status().message());
  }
  std::string text;
  for (const Module &module : program->modules) text += textOf(module);
  for (const Note &note : program->notes)
    text += textOf(note.place) + " " + note.text + "\n";
  return text;
}

/// The first instruction whose op is not the same in both, or "": equal ops are
/// one object, but for custom calls, whose meaning no two share.
std::string firstOtherOp(const Program &a, const Program &b) {
  for (size_t m = 0; m < a.modules.size(); ++m)
    for (size_t c = 0; c < a.modules[m].computations.size(); ++c) {
      const auto &ours = a.modules[m].computations[c].instructions;
      const auto &others = b.modules[m].computations[c].instructions;
      for (size_t i = 0; i < ours.size(); ++i)
        if (!ours[i].opcode.starts_with("custom-call") &&
            ours[i].op != others[i].op)
          return textOf(ours[i]);
    }
  return "";
}

absl::StatusOr<Program> parsed(const std::string &text, size_t jobs,
                               size_t leastPiece) {
  HloOptions options;
  options.jobs = jobs;
  options.leastPiece = leastPiece;
  return parseHlo(text, "", options);
}

void expectSame(const std::string &text, const std::string &name,
                llvm::ArrayRef<size_t> lengths) {
  const auto one = parsed(text, 1, 1);
  const std::string found = textOf(one);
  for (size_t jobs : {2, 8})
    for (size_t length : lengths) {
      const auto some = parsed(text, jobs, length);
      ASSERT_EQ(textOf(some), found) << name << ", " << jobs << ", " << length;
      if (!one.ok()) continue;
      ASSERT_EQ(firstOtherOp(*one, *some), "") << name << ", " << jobs;
    }
}

TEST(JobsTest, EveryLengthOfPieces) {
  const std::string text = textOfFile("examples/every_opcode.hlo");
  for (size_t length = 1; length < 2000; length += 61)
    expectSame(text, "every_opcode.hlo", length);
}

TEST(JobsTest, CutsThatAreNone) {
  const std::string before =
      "HloModule m\n\nadd {\n  a = f32[] parameter(0)\n"
      "  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n\n";
  const std::string entry =
      "ENTRY e {\n  p = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[] reduce(p, z), dimensions={0}, to_apply=add\n}\n";
  const std::vector<std::string> texts = {
      // Text that looks like instructions and computations stands in a comment.
      before +
          "/*\n  x = f32[] add(a, b)\n}\n\nf {\n  y = f32[] add(a, b)\n*/\n" +
          entry,
      before + "/*\n}\n\nf {\n" + entry,
      // In a string, in a literal.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0), metadata={op_name=\"\n  x = "
          "f32[] add(a, b)\n}\n\nf {\n\"}\n  ROOT r = f32[4] negate(p)\n}\n",
      before +
          "ENTRY e {\n  p = f32[3] constant({1,\n  inf,\n  nan})\n"
          "  ROOT r = f32[3] negate(p)\n}\n",
      // An instruction on several lines.
      before +
          "ENTRY e {\n  p = f32[4]\n  parameter(0)\n  ROOT r = f32[4]\n  "
          "negate(\n  p)\n}\n",
      // A computation with attributes behind it, on the next line.
      before + "f {\n  ROOT p = f32[4] parameter(0)\n}\n\n, x=1\n" + entry,
      // Computations in the place of their names, within a body.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
          "  r = f32[] reduce(p, z), dimensions={0}, to_apply={\n"
          "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
          "  ROOT c = f32[] add(a, b)\n}\n  s = f32[] reduce(p, z), "
          "dimensions={0}, to_apply={\n  a = f32[] parameter(0)\n  b = f32[] "
          "parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
          "  ROOT t = f32[] add(r, s)\n}\n",
      // Nested operands.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] negate(p)\n"
          "  r = f32[4] add(f32[4] negate(q), f32[4] negate(f32[4] abs(p)))\n"
          "  s = f32[4] add(r, f32[4] negate(r))\n  t = f32[4] add(f32[4] "
          "abs(s), q)\n  ROOT u = f32[4] add(t, f32[4] negate(t))\n}\n",
      // And elements of tuples, which have no shape in the text.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] negate(p)\n"
          "  r = f32[4] add(f32[4] negate(q), f32[4] negate(f32[4] abs(p)))\n"
          "  t = (f32[4], f32[4]) tuple(r, q)\n"
          "  u = f32[4] add(f32[4] t#0, t#1)\n"
          "  ROOT v = f32[4] add(u, f32[4] negate(u))\n}\n",
      // An instruction before its operand, a callee behind its caller.
      "HloModule m\n\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = f32[4] "
      "negate(q)\n  q = f32[4] call(p), to_apply=f\n}\n\nf {\n  p = f32[4] "
      "parameter(0)\n  ROOT r = f32[4] abs(p)\n}\n",
      // Shapes that are left out, instructions without a computation.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = negate(p)\n}\n",
      "p = f32[4] parameter(0)\nq = f32[4] negate(p)\nr = f32[4] negate(q)\n",
      "  p = f32[4] parameter(0)\n  q = f32[4] negate(p)\n  r = f32[4] "
      "negate(q)\n",
      // Several modules.
      before + entry + "// -----\n" + before + entry + "  // ----- x\n\n" +
          "HloModule n\n\n" + before.substr(13) + entry + "HloModule o\n\n" +
          before.substr(13) + entry,
      "// -----\n" + before + "// -----\n// -----\n" + entry,
      before + entry + "HloModule p\n\nHloModule q\n\n" + entry,
      // Warnings, notes and numbers of frames.
      before +
          "ENTRY e {\n  p = f99x7[4] parameter(0), metadata={op_name=\"p\" "
          "source_file=\"a.py\" source_line=3}\n  q = f99x7[4] gibberish(p), "
          "dimension={0}, metadata={source_file=\"b.py\" source_line=1}\n  r = "
          "f98x7[4] other(q), metadata={source_file=\"a.py\" source_line=3}\n  "
          "ROOT s = f98x7[4] gibberish(r), dimension={0}\n}\n",
      // Mistakes: the first one counts.
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  q = f32[4] negate(x)\n  q = "
          "f32[5] negate(p)\n  ROOT r = f32[4] negate(q\n}\n",
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  p = f32[4] parameter(2)\n  "
          "ROOT q = f32[5] negate(p)\n}\n",
      before +
          "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT q = f32[4] "
          "call(p), to_apply=nobody\n}\n",
      before + before.substr(13) + entry,
      before + entry + "f {\n  p = f32[4] parameter(0)\n",
      "",
      "\n\n  \n\n\n",
  };
  for (const std::string &text : texts)
    for (size_t length = 1; length < 200; length += 3)
      expectSame(text, text, length);
}

TEST(JobsTest, DamagedTexts) {
  const std::string text = textOfFile("examples/every_opcode.hlo");
  std::mt19937 random(7);
  auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  constexpr llvm::StringLiteral characters = "{}()[]\"/*,=%# \n0aE";
  for (int n = 0; n < 150; ++n) {
    std::string damaged = text;
    if (n % 3 == 0) damaged.resize(below(text.size()));
    if (n % 3 == 1) damaged.erase(below(text.size()), 1 + below(40));
    for (size_t k = 0; n % 3 == 2 && k < 1 + below(3); ++k)
      damaged[below(damaged.size())] = characters[below(characters.size())];
    expectSame(damaged, "damaged " + std::to_string(n), 1 + below(1500));
  }
}

// Of a text this long, pieces are as long as by default.
TEST(JobsTest, LongTexts) {
  std::string chain = "HloModule m\n\nENTRY e {\n  x0 = f32[7] parameter(0)\n";
  for (int n = 1; n < 9000; ++n)
    chain += "  x" + std::to_string(n) + " = f32[7] negate(x" +
             std::to_string(n - 1) + "), metadata={op_name=\"" +
             std::to_string(n % 90) +
             "\" source_file=\"m.py\" source_line=" + std::to_string(n % 900) +
             "}\n";
  chain += "  ROOT r = f32[7] abs(x8999)\n}\n";
  expectSame(chain, "chain", HloOptions().leastPiece);
  chain.replace(chain.find("x7000 ="), 5, "x6999");
  expectSame(chain, "chain with a mistake", HloOptions().leastPiece);
}

class CorpusJobsTest : public ::testing::TestWithParam<int> {};

// Every file, whole, cut off and damaged.
TEST_P(CorpusJobsTest, TheSame) {
  const auto files = testing::hloFiles();
  ASSERT_FALSE(files.empty());
  std::mt19937 random(GetParam());
  for (size_t i = GetParam(); i < files.size(); i += 8) {
    const std::string text = testing::textOf(files[i]);
    const size_t length = 1 + random() % (text.size() / 3 + 1);
    expectSame(text, files[i].name, length);
    if (text.size() > 100000 || text.empty()) continue;
    expectSame(text, files[i].name, 300);
    expectSame(text.substr(0, random() % text.size()), files[i].name, 300);
    std::string damaged = text;
    damaged.erase(random() % text.size(), 1 + random() % 60);
    expectSame(damaged, files[i].name, 300);
  }
}
INSTANTIATE_TEST_SUITE_P(Corpus, CorpusJobsTest, ::testing::Range(0, 8));

}  // namespace
}  // namespace indexical

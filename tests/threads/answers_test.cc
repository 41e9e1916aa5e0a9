// Answers about one text that several threads find and write
// (promises.md): the bytes are the same for every number of threads, and
// so is the error where there is none.

#include <functional>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/tiles/tiles.h"
#include "indexical/answers/uses/uses.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/writers/format.h"
#include "indexical/writers/result.h"
#include "indexical/writers/tiles.h"
#include "indexical/writers/uses.h"

namespace indexical {
namespace {

Program parsed(const std::string &text) {
  auto program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *std::move(program) : Program();
}

/// Returns the result as a document and as lines.
std::string written(Result &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const WriterOptions options{os, /*columns=*/{}};
  makeJsonWriter(options)->write(result, std::nullopt);
  makeJsonLinesWriter(options)->write(result, std::nullopt);
  return text;
}

/// Expects the same answer of every number of threads.
void expectSame(const std::function<std::string(size_t jobs)> &answer) {
  const std::string one = answer(1);
  EXPECT_NE(one, "");
  for (const size_t jobs : {2, 3, 8, 100}) EXPECT_EQ(answer(jobs), one) << jobs;
}

void expectSameTiles(const Program &program, const TileQuestion &question,
                     size_t least) {
  expectSame([&](size_t jobs) {
    Ask ask;
    ask.jobs = jobs;
    const auto tiles = tilesOf(program, question, ask);
    if (!tiles.ok()) return tiles.status().ToString();
    EXPECT_GE(tiles->tiles.size(), least);
    TilesResult result(*tiles, jobs);
    return written(result);
  });
}

/// Returns reshapes whose cuts do not align, which have tiles that are exact,
/// tiles for some sizes, and boxes.
std::string reshapes(int count) {
  const char *const kShapes[] = {"f32[30,40,252]", "f32[300,1008]",
                                 "f32[36,35,240]", "f32[2100,144]"};
  std::string text = "ENTRY e {\n x0 = f32[30,40,252] parameter(0)\n";
  for (int k = 1; k <= count; ++k)
    text += std::string(k == count ? " ROOT" : "") + " x" + std::to_string(k) +
            " = " + kShapes[k % 4] + " reshape(x" + std::to_string(k - 1) +
            ")\n";
  return "HloModule m\n" + text + "}\n";
}

TEST(AnswersOfThreads, TilesOfReshapes) {
  TileQuestion question;
  expectSameTiles(parsed(reshapes(250)), question, 250);
  question.candidates.assign(1, std::vector<int64_t>(2, 6));
  expectSameTiles(parsed(reshapes(30)), question, 30);
}

TEST(AnswersOfThreads, TilesOfSums) {
  std::string text =
      "HloModule m\nENTRY e {\n x0 = f32[64,64] parameter(0)\n"
      " z = f32[] constant(0)\n";
  for (int k = 0; k < 30; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    text += " s" + n + " = f32[63,60] slice(x" + n +
            "), slice={[1:64], [2:62]}\n q" + n + " = f32[64,64] pad(s" + n +
            ", z), padding=0_1x3_1\n t" + n + " = f32[64,64] transpose(q" + n +
            "), dimensions={1,0}\n x" + next + " = f32[64,64] add(x" + n +
            ", t" + n + ")\n";
  }
  const Program program =
      parsed(text + " ROOT r = f32[64,64] negate(x30)\n}\n");
  TileQuestion question;
  expectSameTiles(program, question, 100);
  question.sizes = {"8", "16"};
  expectSameTiles(program, question, 100);
  question.instruction = "x20";
  question.forward = true;
  expectSameTiles(program, question, 30);
}

TEST(AnswersOfThreads, TilesOfManyResults) {
  std::string text = "HloModule m\nENTRY e {\n p = f32[48,64] parameter(0)\n";
  std::string names, shapes;
  for (int k = 0; k < 40; ++k) {
    const std::string n = std::to_string(k);
    text += " a" + n + " = f32[96,32] reshape(p)\n b" + n +
            " = f32[96,32] reverse(a" + n + "), dimensions={" +
            std::to_string(k % 2) + "}\n";
    names += (k ? ", b" : "b") + n;
    shapes += k ? ", f32[96,32]" : "f32[96,32]";
  }
  expectSameTiles(
      parsed(text + " ROOT t = (" + shapes + ") tuple(" + names + ")\n}\n"),
      TileQuestion(), 81);
}

TEST(AnswersOfThreads, WhatIsUsed) {
  std::string text, names, shapes, branches;
  for (int k = 0; k < 250; ++k) {
    const std::string n = std::to_string(k);
    text += "b" + n +
            " {\n p = f32[64,64] parameter(0)\n ROOT r = f32[32,16] "
            "slice(p), slice={[" +
            std::to_string(k % 7) + ":" + std::to_string(k % 7 + 32) + "], [" +
            std::to_string(k % 5) + ":" + std::to_string(k % 5 + 16) +
            "]}\n}\n";
    names += ", x";
    branches += (k ? ", b" : "b") + n;
  }
  const Program program = parsed(
      "HloModule m\n" + text +
      "ENTRY e {\n k = s32[] parameter(0)\n x = f32[64,64] parameter(1)\n"
      " ROOT r = f32[32,16] conditional(k" +
      names + "), branch_computations={" + branches + "}\n}\n");
  for (const bool unread : {false, true}) {
    UseQuestion question;
    question.unread = unread;
    expectSame([&](size_t jobs) {
      Ask ask;
      ask.jobs = jobs;
      const auto found = usesOf(program, question, ask);
      if (!found.ok()) return found.status().ToString();
      EXPECT_EQ(found->operands.size(), 251u);
      UsesResult result(question, *found, jobs);
      return written(result);
    });
  }
}

}  // namespace
}  // namespace indexical

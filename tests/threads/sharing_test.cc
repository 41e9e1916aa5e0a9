// Values that threads may share (promises.md): all threads work on the
// same values, and each gets the results that one thread alone gets.

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/run.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

constexpr int kThreads = 4;

/// Calls the work on several threads at once, and on this one alone; all have
/// to say the same.
void expectSame(const std::function<std::string()> &work) {
  const std::string alone = work();
  EXPECT_NE(alone, "");
  std::vector<std::string> said(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int times = 0; times < 3; ++times) said[i] = work();
    });
  for (std::thread &thread : threads) thread.join();
  for (const std::string &text : said) EXPECT_EQ(text, alone);
}

std::string read(const char *path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(static_cast<bool>(file)) << path;
  return file ? (*file)->getBuffer().str() : "";
}

std::vector<IndexingMap> sharedMaps() {
  auto maps = parseMaps(
      "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]\n"
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 31]\n"
      "(d0, d1) -> (d1, d0 * 3), domain: d0 in [0, 7], d1 in [0, 3],"
      " (d0 * 5 + d1) mod 7 in [1, 3]");
  EXPECT_TRUE(maps.ok()) << maps.status().message();
  return maps.ok() ? *std::move(maps) : std::vector<IndexingMap>();
}

TEST(Sharing, Maps) {
  const std::vector<IndexingMap> maps = sharedMaps();
  ASSERT_EQ(maps.size(), 3u);
  expectSame([&] {
    std::string said;
    llvm::raw_string_ostream os(said);
    auto product = compose(maps[0], maps[1]);
    EXPECT_TRUE(product.ok());
    product = compose(*product, maps[2]);
    EXPECT_TRUE(product.ok());
    os << printMap(*product) << printMap(*simplify(maps[2]));
    // The hash of a map is found when first asked for.
    EXPECT_EQ(hash_value(maps[1]), hash_value(IndexingMap(maps[1])));
    const IndexingRelation a(maps[2]), b(*product);
    os << static_cast<int>(areEqual(a, a)->answer)
       << static_cast<int>(isInjective(a)->answer)
       << static_cast<int>(isEmpty(b)->answer);
    auto count = countImage(maps[2]);
    EXPECT_TRUE(count.ok() && count->value);
    os << *count->value;
    return said;
  });
}

/// All own maps of the program, by a ProgramIndexing of the thread's own.
std::string mapsOf(const Program &program) {
  std::string said;
  for (const Module &module : program.modules) {
    ExactProver prover;
    ProgramIndexing maps(module, &prover);
    for (size_t c = 0; c < module.computations.size(); ++c) {
      auto pairs = maps.computationPairs(ComputationId(c));
      if (!pairs.ok()) continue;
      for (const LeafPair &pair : *pairs)
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput}) {
          auto relation = maps.computation(
              ComputationId(c), pair.result,
              ParameterLeaf{pair.parameter, pair.leaf}, direction);
          EXPECT_TRUE(relation.ok());
          for (const IndexingMap &piece : relation->pieces())
            said += printMap(piece) + '\n';
        }
    }
  }
  return said;
}

TEST(Sharing, Programs) {
  auto hlo = parseHlo(read("examples/softmax.hlo"));
  ASSERT_TRUE(hlo.ok()) << hlo.status().message();
  expectSame([&] { return mapsOf(*hlo); });
  auto mlir = importMlir(read("examples/attention.mlir"));
  ASSERT_TRUE(mlir.ok()) << mlir.status().message();
  expectSame([&] { return mapsOf(*mlir); });
}

// Readers at once; ops are interned, and the last copy of one goes on any
// thread.
TEST(Sharing, Readers) {
  const std::string hlo = read("examples/softmax.hlo");
  expectSame([&] {
    auto program = parseHlo(hlo);
    EXPECT_TRUE(program.ok());
    return mapsOf(*program);
  });
  const std::string mlir = read("examples/attention.mlir");
  expectSame([&] {
    auto program = importMlir(mlir);
    EXPECT_TRUE(program.ok());
    return mapsOf(*program);
  });
}

TEST(Sharing, Devices) {
  const ArrayShape shape(ElementType::F32, {64, 128});
  const Device &device = *findDevice("a100");
  auto threads = linearThreads(shape, LinearThreads{128, 1, 1});
  ASSERT_TRUE(threads.ok()) << threads.status().message();
  const IndexingRelation read(
      *parseMap("(d0, d1) -> (d1, d0), domain: d0 in [0, 63], d1 in [0, 127]"));
  expectSame([&] {
    auto figures = coalescing(read, ArrayShape(ElementType::F32, {128, 64}),
                              *threads, device);
    EXPECT_TRUE(figures.ok());
    return std::to_string(figures->sectors.most) + " " +
           std::to_string(figures->accesses.most);
  });
}

/// Results that are equal by terms, equal by maps, different, and undecided.
Program rewritten(bool after) {
  std::string text =
      "HloModule m\nENTRY e {\n p = f32[4,6] parameter(0)\n"
      " q = f32[24] parameter(1)\n i = s32[] parameter(2)\n";
  std::string names, shapes;
  for (int k = 0; k < 24; ++k) {
    const std::string n = std::to_string(k);
    switch (k % 4) {
      case 0:
        text += " r" + n + " = f32[6,4] transpose(p), dimensions={1,0}\n";
        break;
      case 1:
        text += after ? " r" + n + " = f32[6,4] reshape(q)\n"
                      : " a" + n + " = f32[2,12] reshape(q)\n r" + n +
                            " = f32[6,4] reshape(a" + n + ")\n";
        break;
      case 2:
        text += " r" + n + " = f32[6,4] " +
                (after ? "reshape(p)\n" : "transpose(p), dimensions={1,0}\n");
        break;
      default:
        text += " c" + n + " = s32[] custom-call(i), custom_call_target=\"f" +
                (after ? "a" : "b") + "\"\n s" + n +
                " = f32[4] dynamic-slice(q, c" + n +
                "), dynamic_slice_sizes={4}\n r" + n +
                " = f32[6,4] broadcast(s" + n + "), dimensions={1}\n";
    }
    names += (k ? ", r" : "r") + n;
    shapes += k ? ", f32[6,4]" : "f32[6,4]";
  }
  auto program =
      parseHlo(text + " ROOT t = (" + shapes + ") tuple(" + names + ")\n}\n");
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *std::move(program) : Program();
}

TEST(Sharing, ResultsThatAreCompared) {
  const Program before = rewritten(false), after = rewritten(true);
  ASSERT_EQ(before.modules.size(), 1u);
  ASSERT_EQ(after.modules.size(), 1u);
  std::string first;
  for (size_t jobs : {1, 2, 3, 8, 100}) {
    EqualityOptions options;
    options.jobs = jobs;
    size_t seen = 0;
    options.progress = [&](int64_t done, int64_t) { seen += done > 0; };
    auto equality = compareReads(before.modules[0], after.modules[0], options);
    ASSERT_TRUE(equality.ok()) << equality.status().message();
    EXPECT_EQ(seen, 24u);
    std::string said = answerName(equality->answer).str();
    int64_t of[3] = {};
    for (const LeafEquality &leaf : equality->leaves) {
      ++of[static_cast<int>(leaf.decision.answer)];
      said += "\n" + std::to_string(leaf.result) + " " +
              std::to_string(leaf.parameter) + " " +
              answerName(leaf.decision.answer).str() + leaf.decision.reason;
      if (leaf.because) said += leaf.because->instruction;
      if (leaf.decision.witness)
        for (int64_t at : leaf.decision.witness->index)
          said += " " + std::to_string(at);
      for (const auto &path : leaf.paths)
        for (const std::string &name : path) said += " " + name;
    }
    for (Answer answer : {Answer::Yes, Answer::No, Answer::Undecided})
      EXPECT_GE(of[static_cast<int>(answer)], 6) << answerName(answer).str();
    if (first.empty()) first = said;
    EXPECT_EQ(said, first) << jobs;
  }
}

TEST(Sharing, WhatIsUsedInside) {
  std::string text =
      "HloModule m\nf {\n p = f32[64,64] parameter(0)\n"
      " i = s32[] parameter(1)\n z = s32[] constant(0)\n"
      " x0 = f32[32,64] dynamic-slice(p, i, z),"
      " dynamic_slice_sizes={32,64}\n";
  for (int k = 0; k < 20; ++k)
    text += " x" + std::to_string(k + 1) + " = f32[32,64] reverse(x" +
            std::to_string(k) + "), dimensions={" + std::to_string(k % 2) +
            "}\n";
  auto program = parseHlo(
      text +
      " ROOT r = f32[16,64] slice(x20), slice={[0:32:2], [0:64]} }\n"
      "ENTRY e { p = f32[64,64] parameter(0)\n i = s32[] parameter(1)\n"
      " ROOT r = f32[16,64] fusion(p, i), kind=kLoop, calls=f }\n");
  ASSERT_TRUE(program.ok()) << program.status().message();
  const Module &module = program->modules[0];
  std::string first;
  for (size_t jobs : {1, 2, 3, 8, 100}) {
    ProgramIndexing maps(module);
    UtilizationOptions options;
    options.jobs = jobs;
    size_t given = 0;
    options.runtimeValue = [&](const IndexingMap &map, size_t i) {
      const Value &value = maps.value(map.runtime()[i].source.tensor);
      EXPECT_EQ(value.result, 0);
      given += value.computation >= 0;
      return std::optional<int64_t>(7);
    };
    auto uses =
        utilizationOf(maps, module.entry, InstructionId(2), Share::whole(),
                      /*inside=*/true, options);
    ASSERT_TRUE(uses.ok()) << uses.status().message();
    EXPECT_GE(uses->inside.size(), 20u);
    std::string said;
    for (const Use &use : uses->inside) {
      said += std::to_string(use.instruction) + ":" +
              std::to_string(use.footprint.distinct.value_or(-1));
      for (const Interval &side : use.footprint.box) said += " " + side.str();
      said += ";";
    }
    EXPECT_GT(given, 0u);
    if (first.empty()) first = said;
    EXPECT_EQ(said, first) << jobs;
  }
}

// One ends what several do.
TEST(Sharing, Stops) {
  Stop stop;
  ExactOptions options;
  options.stop = &stop;
  const std::vector<IndexingMap> maps = sharedMaps();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      while (countImage(maps[2], {}, options).ok()) {
      }
    });
  stop.ask();
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(stop.status().code(), absl::StatusCode::kCancelled);
}

// The command's own threads.
TEST(Sharing, Jobs) {
  for (const char *jobs : {"--jobs=1", "--jobs=2", "--jobs=8"})
    for (const char *command : {"dump", "report"}) {
      std::vector<const char *> words = {"indexical", command, "--format=jsonl",
                                         jobs};
      for (int i = 0; i < 8; ++i) {
        words.push_back("examples/softmax.hlo");
        words.push_back("examples/attention.mlir");
      }
      std::string result, messages;
      llvm::raw_string_ostream out(result), err(messages);
      EXPECT_EQ(runIndexical(words.size(), words.data(), out, err), 0);
      static std::string first[2];
      std::string &expected = first[command == std::string("report")];
      if (expected.empty()) expected = result;
      EXPECT_NE(result, "");
      EXPECT_EQ(result, expected) << command << ' ' << jobs;
    }
}

}  // namespace
}  // namespace indexical

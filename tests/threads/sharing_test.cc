// What threads may share (docs/promises.md): each works on the same values, and
// all have what one alone has.

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/memory/coalescing.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/thread_map.h"
#include "indexical/exact/exact.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/hlo/hlo_parser.h"
#include "indexical/indexing/map_text.h"
#include "indexical/program/program_indexing.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/stablehlo/import/import.h"
#include "indexical/tools/run.h"

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
      auto pairs = maps.computationPairs(c);
      if (!pairs.ok()) continue;
      for (const LeafPair &pair : *pairs)
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput}) {
          auto relation = maps.computation(c, direction, pair.result,
                                           pair.parameter, pair.leaf);
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

// The accesses that a report gives Triton's kernels, from their fusions alone,
// against those of their compiled PTX: triton/xla_ptx.jsonl has what one block
// of each of 89 kernels of an LLM server accesses. Their blocks are alike.
//
// Some tests need no corpus: the rules of loads and stores, and a block that
// goes through several tiles.

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

struct BlockFigures {
  int64_t accesses = 0, lanes = 0, bytes = 0, sectors = 0, lines = 0;
  bool operator==(const BlockFigures &o) const {
    return accesses == o.accesses && lanes == o.lanes && bytes == o.bytes &&
           sectors == o.sectors && lines == o.lines;
  }
};
std::ostream &operator<<(std::ostream &os, const BlockFigures &of) {
  return os << of.accesses << " accesses, " << of.lanes << " lanes, "
            << of.bytes << " bytes, " << of.sectors << " sectors, " << of.lines
            << " lines";
}
/// By the number of the buffer: those of operands, then those of results.
using ByBuffer = std::map<int64_t, BlockFigures>;

ByBuffer figuresOf(const Kernel &kernel, const Device &device) {
  ByBuffer all;
  TrafficMeter meter(device);
  const KernelTraffic traffic = meter.measure(kernel);
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      EXPECT_TRUE(of.figures.has_value());
      if (!of.figures) continue;
      BlockFigures &sum = all[of.access.buffer];
      sum.accesses += of.figures->accesses.most;
      sum.lanes += of.figures->activeLanes.most;
      sum.bytes += of.figures->bytesUsed.most;
      sum.sectors += of.figures->sectors.most;
      sum.lines += of.figures->lines.most;
    }
  return all;
}

std::optional<Kernel> kernelNamed(const Module &module, llvm::StringRef name,
                                  const Device &device) {
  for (const KernelSite &site : kernelSites(module)) {
    const Computation &own = module.computations[site.computation];
    if (own.instructions[site.instruction].name != name) continue;
    ProgramIndexing maps(module);
    LaunchChoice choice;
    choice.xla = &device;
    auto kernel = kernelAt(maps, site, choice);
    EXPECT_TRUE(kernel.ok()) << kernel.status().message();
    if (kernel.ok()) return *std::move(kernel);
  }
  return std::nullopt;
}

std::string moduleText(const std::string &name) {
  const std::string shared = corpusPath() + "/../triton/xla/" + name;
  if (std::string text = textOfFile(shared); !text.empty()) return text;
  for (const CorpusFile &file : corpusFiles("hlo", ".txt"))
    if (llvm::StringRef(file.name).ends_with(name)) return textOf(file);
  return "";
}

void check(const llvm::json::Object &of, const Kernel &kernel,
           const Device &device) {
  ASSERT_TRUE(kernel.grid.has_value()) << kernel.reason;
  const auto numbers = [&](const char *key) {
    return *(*of.getArray(key))[0].getAsInteger();
  };
  EXPECT_EQ(kernel.grid->blocks[0], numbers("grid"));
  EXPECT_EQ(kernel.grid->threads[0], numbers("block"));
  const int64_t blocks = kernel.grid->blocks[0];
  ByBuffer found = figuresOf(kernel, device);
  for (const llvm::json::Value &value : *of.getArray("accesses")) {
    const llvm::json::Object &access = *value.getAsObject();
    auto times = [&](const char *key) {
      return *access.getInteger(key) * blocks;
    };
    const BlockFigures want = {times("accesses"), times("lanes"),
                               times("bytes"), times("sectors"),
                               times("lines")};
    const int64_t argument = *access.getInteger("argument");
    EXPECT_EQ(found[argument], want) << "argument " << argument;
    found.erase(argument);
  }
  EXPECT_TRUE(found.empty()) << "an argument that PTX does not access";
}

TEST(TritonPtxTest, FiguresAreThoseOfThePtx) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  std::istringstream rows(
      textOfFile(corpusPath() + "/../triton/xla_ptx.jsonl"));
  const Device &device = *findDevice("a100");
  std::map<std::string, Program> programs;
  int kernels = 0;
  for (std::string row; std::getline(rows, row);) {
    auto parsed = llvm::json::parse(row);
    ASSERT_TRUE(static_cast<bool>(parsed));
    const llvm::json::Object &of = *parsed->getAsObject();
    const std::string name = of.getString("module")->str();
    const std::string instruction = of.getString("instruction")->str();
    SCOPED_TRACE(name + " " + instruction);
    if (!programs.count(name)) {
      auto program = parseHlo(moduleText(name), name);
      ASSERT_TRUE(program.ok()) << program.status().message();
      programs.emplace(name, *std::move(program));
    }
    const auto kernel =
        kernelNamed(programs.at(name).modules[0], instruction, device);
    ASSERT_TRUE(kernel.has_value());
    check(of, *kernel, device);
    ++kernels;
  }
  if (kernels == 0) GTEST_SKIP() << "triton/xla_ptx.jsonl is not there";
  EXPECT_EQ(kernels, 89);
}

/// A kernel of Triton with so many warps and tiles of a program; `b` is
/// narrower than `a`, and `s` a scalar.
std::string fusionText(int64_t warps, int64_t tilesOfProgram) {
  return R"(HloModule m, is_scheduled=true
body {
  a = f32[48,1024]{1,0} parameter(0)
  b = bf16[48,1024]{1,0} parameter(1)
  s = f32[] parameter(2)
  w = f32[48,1024]{1,0} convert(b)
  t = f32[48,1024]{1,0} broadcast(s), dimensions={}
  m = f32[48,1024]{1,0} multiply(a, w)
  ROOT r = f32[48,1024]{1,0} add(m, t)
}
ENTRY e {
  a = f32[48,1024]{1,0} parameter(0)
  b = bf16[48,1024]{1,0} parameter(1)
  s = f32[] parameter(2)
  ROOT k = f32[48,1024]{1,0} fusion(a, b, s), kind=kCustom, calls=body, backend_config={"fusion_backend_config":{"kind":"__triton","block_level_fusion_config":{"output_tiles":[{"sizes":["1","1024"]}],"num_warps":")" +
         std::to_string(warps) + R"(","num_tiles_per_pid":")" +
         std::to_string(tilesOfProgram) + R"("}}}
})";
}

ByBuffer ofFusion(const std::string &text, int64_t blocks) {
  const auto program = parseHlo(text, "m.hlo");
  EXPECT_TRUE(program.ok()) << program.status().message();
  const Device &device = *findDevice("a100");
  const auto kernel = kernelNamed(program->modules[0], "k", device);
  EXPECT_TRUE(kernel && kernel->grid);
  if (!kernel || !kernel->grid) return {};
  EXPECT_EQ(kernel->grid->blocks[0], blocks);
  return figuresOf(*kernel, device);
}

TEST(TritonPtxTest, LoadsOfOneTileHaveTheWidestVectors) {
  // 64 threads: of `b` a thread has 8 elements in one access of 16 bytes, so it
  // has 8 of `a`, in two accesses that each take every other 16 bytes: each of
  // the 16 warps' accesses touches 32 sectors for its 512 bytes.
  ByBuffer of = ofFusion(fusionText(2, 1), 48);
  EXPECT_EQ(of[0],
            (BlockFigures{48 * 8, 48 * 256, 48 * 4096, 48 * 256, 48 * 64}));
  EXPECT_EQ(of[1],
            (BlockFigures{48 * 4, 48 * 128, 48 * 2048, 48 * 64, 48 * 16}));
  // All lanes of both warps load the scalar.
  EXPECT_EQ(of[2], (BlockFigures{48 * 2, 48 * 64, 48 * 8, 48 * 2, 48 * 2}));
  // The store has its own width.
  EXPECT_EQ(of[3],
            (BlockFigures{48 * 8, 48 * 256, 48 * 4096, 48 * 128, 48 * 32}));
}

TEST(TritonPtxTest, ThreadsHaveNoMoreElementsThanThereAre) {
  // 512 threads: 2 elements each.
  ByBuffer of = ofFusion(fusionText(16, 1), 48);
  EXPECT_EQ(of[0].sectors, 48 * 128);
  EXPECT_EQ(of[0].accesses, 48 * 16);
  EXPECT_EQ(of[1].accesses, 48 * 16);
  EXPECT_EQ(of[2].accesses, 48 * 16);
}

TEST(TritonPtxTest, ProgramsGoThroughTheirTiles) {
  // 10 programs of 5 tiles; the last one has 3.
  ByBuffer one = ofFusion(fusionText(2, 1), 48);
  ByBuffer five = ofFusion(fusionText(2, 5), 10);
  for (const int64_t buffer : {0, 1, 3})
    EXPECT_EQ(one[buffer], five[buffer]) << buffer;
}

}  // namespace
}  // namespace indexical::testing

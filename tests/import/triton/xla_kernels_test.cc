// The kernels that XLA emitted for an LLM server, against the fusions that it
// emitted them for (corpus/ORACLE_TTIR.tsv has the pairs), and against the
// accesses of their compiled PTX (triton/xla_ptx.jsonl).

#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/device.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/triton/read.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/kernel/fusion_values.h"
#include "tests/import/triton/xla_pairs.h"
#include "tests/support/corpus_files.h"

namespace indexical::kernels {
namespace {

TEST(XlaKernelsTest, EqualTheirFusions) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::vector<XlaPair> pairs = xlaPairs();
  for (const XlaPair &pair : pairs) {
    auto both = readPair(pair, testing::textOfFile(pair.kernel), 4);
    ASSERT_TRUE(both.ok()) << pair.name << ": " << both.status();
    EXPECT_FALSE(both->kernel.incomplete) << pair.name;
    auto compared = compareWithFusion(both->kernel, both->program.modules[0],
                                      both->computation);
    ASSERT_TRUE(compared.ok()) << compared.status();
    EXPECT_EQ(compared->tiles.answer, Verdict::Same) << pair.name;
    EXPECT_EQ(sharedWord(compared->verdict), "same tiles")
        << pair.name << ": " << compared->verdict.reason;
    EXPECT_EQ(writtenOnce(both->kernel).answer, Check::Proved) << pair.name;
    for (const KernelAccess &access : both->kernel.accesses)
      EXPECT_EQ(inBounds(access, both->sizes).answer, Check::Proved)
          << pair.name << ':' << access.place.line;
  }
  EXPECT_EQ(pairs.size(), 73u);
}

/// Returns the kernel with `from` replaced by `to`, or nothing if it has no
/// `from`.
std::optional<std::string> changed(std::string text, const std::string &from,
                                   const std::string &to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) return std::nullopt;
  return text.replace(at, from.size(), to);
}

/// Returns the pair with the reducers that its file does not have, which are
/// all sums.
ReadPair withReducers(const XlaPair &pair, const std::string &kernel) {
  std::string text = testing::textOfFile(pair.fusion);
  std::set<std::string> named;
  const std::string key = "to_apply=%";
  for (size_t at = text.find(key); at != std::string::npos;
       at = text.find(key, at + 1)) {
    const size_t from = at + key.size();
    named.insert(text.substr(from, text.find_first_of(", \n", from) - from));
  }
  for (const std::string &name : named)
    text += "\n%" + name +
            " (x: f32[], y: f32[]) -> f32[] {\n"
            "  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
            "  ROOT %sum = f32[] add(f32[] %x, f32[] %y)\n}\n";
  auto both = readPair(pair, kernel, 4);
  EXPECT_TRUE(both.ok()) << both.status();
  auto program = parseHlo(text, pair.fusion);
  EXPECT_TRUE(program.ok()) << program.status();
  both->program = *std::move(program);
  both->computation = both->program.modules[0].find(pair.computation);
  return *std::move(both);
}

FusionComparison valuesOf(const ReadPair &both) {
  auto compared =
      compareWithFusion(both.kernel, both.program.modules[0], both.computation);
  EXPECT_TRUE(compared.ok()) << compared.status();
  const ExactOptions exact;
  EXPECT_TRUE(compareStoredValues(both.kernel, both.program.modules[0],
                                  both.computation, {}, exact, *compared)
                  .ok());
  return *std::move(compared);
}

TEST(XlaKernelsTest, ComputeWhatTheirFusionsSay) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  size_t same = 0;
  for (const XlaPair &pair : xlaPairs()) {
    const std::string text = testing::textOfFile(pair.kernel);
    const FusionComparison compared = valuesOf(withReducers(pair, text));
    EXPECT_TRUE(compared.verdict.isSameAt(Level::Values)) << pair.name;
    for (const ValueDifference &value : compared.values)
      ADD_FAILURE() << value.line << ": " << value.kernel << ", fusion "
                    << value.fusion << ", " << value.reason;
    same += compared.verdict.isSameAt(Level::Values);
  }
  EXPECT_EQ(same, 73u);
}

/// One op or number changed.
TEST(XlaKernelsTest, ComputeSomethingElseIfChanged) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::pair<const char *, const char *> changes[] = {
      {"arith.addf", "arith.subf"},
      {"arith.mulf", "arith.addf"},
      {"dense<9.765625E-4>", "dense<8.765625E-4>"},
      {"__nv_rsqrtf", "__nv_sqrtf"}};
  int seen = 0;
  for (const XlaPair &pair : xlaPairs())
    for (const auto &[from, to] : changes) {
      const auto mutant = changed(testing::textOfFile(pair.kernel), from, to);
      if (!mutant) continue;
      const FusionComparison compared = valuesOf(withReducers(pair, *mutant));
      EXPECT_FALSE(compared.verdict.isSameAt(Level::Values))
          << pair.name << ", " << to;
      ++seen;
    }
  EXPECT_GT(seen, 150);
}

/// An array that is read twice is one array: its bytes come from memory once.
TEST(XlaKernelsTest, HaveOneBufferAnArgument) {
  const char *const text = R"(
tt.func @twice(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %c = arith.constant dense<64> : tensor<64xi32>
  %s = arith.addi %r, %c : tensor<64xi32>
  %a = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %b = tt.addptr %a, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %d = tt.addptr %a, %s : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %b : tensor<64x!tt.ptr<f32>>
  %y = tt.load %d : tensor<64x!tt.ptr<f32>>
  %z = arith.addf %x, %y : tensor<64xf32>
  %e = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %f = tt.addptr %e, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %f, %z : tensor<64x!tt.ptr<f32>>
  tt.return
})";
  ReadOptions options;
  options.warps = 2;
  options.grid = std::array<int64_t, 3>{1, 1, 1};
  const auto kernel = parseKernel(text, options);
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  TrafficMeter meter(*findDevice("a100"));
  for (const bool isKnown : {false, true}) {
    const BufferSizes sizes =
        isKnown ? BufferSizes{128, 64} : BufferSizes(2, std::nullopt);
    const KernelAccesses all = measure(*kernel, sizes, meter).measured;
    ASSERT_EQ(all.reads.size(), 2u);
    ASSERT_EQ(all.writes.size(), 1u);
    ASSERT_EQ(all.buffers.size(), 2u);
    EXPECT_EQ(all.reads[0].buffer, all.reads[1].buffer);
    EXPECT_NE(all.reads[0].buffer, all.writes[0].buffer);
    EXPECT_EQ(all.buffers[all.reads[0].buffer].dimensions[0], 128);
    EXPECT_EQ(all.buffers[all.writes[0].buffer].dimensions[0], 64);
  }
}

struct BlockFigures {
  int64_t accesses = 0, lanes = 0, bytes = 0, sectors = 0, lines = 0;
  bool operator==(const BlockFigures &o) const {
    return accesses == o.accesses && lanes == o.lanes && bytes == o.bytes &&
           sectors == o.sectors && lines == o.lines;
  }
};
using ByArgument = std::map<std::pair<std::string, int64_t>, BlockFigures>;

/// Returns the figures of all blocks together, by op and argument.
ByArgument figuresOf(const ReadPair &both) {
  TrafficMeter meter(*findDevice("a100"));
  const MeasuredTraffic measured = measure(both.kernel, both.sizes, meter);
  ByArgument all;
  for (size_t i = 0; i < measured.accesses.size(); ++i) {
    const KernelAccess &access = both.kernel.accesses[i];
    const auto &traffic = measured.accesses[i].traffic;
    EXPECT_TRUE(traffic && traffic->figures) << measured.accesses[i].reason;
    if (!traffic || !traffic->figures) continue;
    const bool isLoad = access.kind == AccessKind::Load;
    BlockFigures &sum = all[{isLoad ? "load" : "store", access.argument()}];
    sum.accesses += traffic->figures->accesses.most;
    sum.lanes += traffic->figures->activeLanes.most;
    sum.bytes += traffic->figures->bytesUsed.most;
    sum.sectors += traffic->figures->sectors.most;
    sum.lines += traffic->figures->lines.most;
  }
  return all;
}

/// triton/xla_ptx.jsonl has what one block of a compiled kernel accesses by its
/// PTX; blocks of these kernels are alike.
TEST(XlaKernelsTest, HaveTheFiguresOfTheirPtx) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  std::istringstream rows(
      testing::textOfFile(testing::corpusPath() + "/../triton/xla_ptx.jsonl"));
  const std::vector<XlaPair> pairs = xlaPairs();
  int kernels = 0;
  for (std::string row; std::getline(rows, row);) {
    auto parsed = llvm::json::parse(row);
    ASSERT_TRUE(static_cast<bool>(parsed));
    const llvm::json::Object &of = *parsed->getAsObject();
    const llvm::StringRef module = *of.getString("module");
    const std::string name = module.split(".sm_").first.str() + "." +
                             of.getString("instruction")->str() + ".ttir";
    for (const XlaPair &pair : pairs) {
      if (!llvm::StringRef(pair.name).ends_with("/" + name)) continue;
      const int64_t warps = *(*of.getArray("block"))[0].getAsInteger() / 32;
      auto both = readPair(pair, testing::textOfFile(pair.kernel), warps);
      ASSERT_TRUE(both.ok()) << both.status();
      ByArgument found = figuresOf(*both);
      for (const llvm::json::Value &value : *of.getArray("accesses")) {
        const llvm::json::Object &access = *value.getAsObject();
        auto times = [&](const char *key) {
          return *access.getInteger(key) * both->kernel.grid[0];
        };
        const BlockFigures want = {times("accesses"), times("lanes"),
                                   times("bytes"), times("sectors"),
                                   times("lines")};
        const BlockFigures got = found[{access.getString("op")->str(),
                                        *access.getInteger("argument")}];
        EXPECT_EQ(got.sectors, want.sectors) << name;
        EXPECT_TRUE(got == want)
            << name << ", argument " << *access.getInteger("argument");
      }
      ++kernels;
    }
  }
  if (kernels == 0) GTEST_SKIP() << "triton/xla_ptx.jsonl is not there";
  EXPECT_EQ(kernels, 15);
}

TEST(XlaKernelsTest, SeesWhatIsChanged) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::vector<XlaPair> pairs = xlaPairs();
  // A row's stride, its tile's place, the stride of a matrix: each moves what
  // is loaded or stored. (The stride of a tile of one row moves nothing.)
  const std::pair<const char *, const char *> changes[] = {
      {"(tid_0 * 1024)", "(tid_0 * 1025)"},
      {"(tid_0 * 1024)", "(tid_0 * 1024 + 1)"},
      {"arith.constant 11264 : i64", "arith.constant 11263 : i64"}};
  int seen = 0;
  for (const XlaPair &pair : pairs) {
    const std::string text = testing::textOfFile(pair.kernel);
    for (const auto &[from, to] : changes) {
      const bool isMatrix = pair.name.find("gemm") != std::string::npos;
      const bool isStride = from[0] == 'a';
      const auto mutant = changed(text, from, to);
      if (!mutant || isMatrix != isStride) continue;
      auto both = readPair(pair, *mutant, 4);
      ASSERT_TRUE(both.ok()) << both.status();
      auto compared = compareWithFusion(both->kernel, both->program.modules[0],
                                        both->computation);
      ASSERT_TRUE(compared.ok()) << compared.status();
      EXPECT_TRUE(compared->tiles.answer == Verdict::Less ||
                  compared->tiles.answer == Verdict::Different)
          << pair.name << ", " << to << ": "
          << wordOf(compared->tiles.answer).str();
      EXPECT_NE(sharedWord(compared->verdict), "same tiles")
          << pair.name << ", " << to;
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace indexical::kernels

// The kernels that XLA emitted for an LLM server, against the fusions that it
// emitted them for: corpus/ORACLE_TTIR.tsv has the pairs.

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/analysis/kernel/checks.h"
#include "indexical/analysis/kernel/comparison.h"
#include "indexical/analysis/kernel/thread_accesses.h"
#include "indexical/hlo/hlo_parser.h"
#include "indexical/kernel/triton/read.h"
#include "indexical/ops/address.h"
#include "tests/support/corpus_files.h"

namespace indexical::kernels {
namespace {

struct Pair {
  std::string name, kernel, fusion, computation;
  std::vector<int64_t> tile;
};

std::vector<Pair> pairsOf(const std::string &folder) {
  std::vector<Pair> pairs;
  std::istringstream lines(testing::textOfFile(folder + "/ORACLE_TTIR.tsv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> cells(1);
    for (char c : line)
      if (c == '\t')
        cells.emplace_back();
      else
        cells.back() += c;
    Pair pair{cells[1],
              folder + "/" + cells[1],
              folder + "/" + cells[0],
              cells[2],
              {}};
    std::istringstream sides(cells[4]);
    for (std::string side; std::getline(sides, side, ',');)
      pair.tile.push_back(std::stoll(side));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

struct Read {
  Program program;
  int32_t computation = 0;
  Kernel kernel;
  BufferSizes sizes;
};

/// The kernel with the fusion's grid; `warps` are those of the module.
absl::StatusOr<Read> readPair(const Pair &pair, const std::string &text,
                              int64_t warps) {
  Read both;
  auto program = parseHlo(testing::textOfFile(pair.fusion), pair.fusion);
  if (!program.ok()) return program.status();
  both.program = *std::move(program);
  const Module &module = both.program.modules[0];
  both.computation = module.find(pair.computation);
  const auto shapes = argumentShapes(module.computations[both.computation]);
  ReadOptions options;
  options.warps = warps;
  options.grid = std::array<int64_t, 3>{1, 1, 1};
  std::vector<int64_t> tile = pair.tile;
  if (tile.empty()) {
    auto one = parseKernel(text, options);
    if (!one.ok()) return one.status();
    for (const KernelAccess &access : one->accesses)
      if (access.kind == AccessKind::Store)
        tile.assign(access.tile.begin(), access.tile.end());
  }
  options.grid = std::array<int64_t, 3>{programsOf(shapes.back(), tile), 1, 1};
  auto kernel = parseKernel(text, options);
  if (!kernel.ok()) return kernel.status();
  both.kernel = *std::move(kernel);
  for (const ArrayShape &shape : shapes)
    both.sizes.push_back(storedElements(shape));
  return both;
}

TEST(XlaKernelsTest, EqualTheirFusions) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::vector<Pair> pairs = pairsOf(testing::corpusPath());
  for (const Pair &pair : pairs) {
    auto both = readPair(pair, testing::textOfFile(pair.kernel), 4);
    ASSERT_TRUE(both.ok()) << pair.name << ": " << both.status();
    EXPECT_FALSE(both->kernel.incomplete) << pair.name;
    auto compared = compareWithFusion(both->kernel, both->program.modules[0],
                                      both->computation);
    ASSERT_TRUE(compared.ok()) << compared.status();
    EXPECT_EQ(compared->answer, FusionAnswer::Equal) << pair.name;
    EXPECT_EQ(writtenOnce(both->kernel).answer, CheckAnswer::Proved)
        << pair.name;
    for (const KernelAccess &access : both->kernel.accesses)
      EXPECT_EQ(inBounds(access, both->sizes).answer, CheckAnswer::Proved)
          << pair.name << ':' << access.place.line;
  }
  EXPECT_EQ(pairs.size(), 73u);
}

/// The same kernel with one number changed; none where it is not there.
std::optional<std::string> changed(std::string text, const std::string &from,
                                   const std::string &to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) return std::nullopt;
  return text.replace(at, from.size(), to);
}

TEST(XlaKernelsTest, SeesWhatIsChanged) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::vector<Pair> pairs = pairsOf(testing::corpusPath());
  // A row's stride, its tile's place, the stride of a matrix: each moves what
  // is loaded or stored. (The stride of a tile of one row moves nothing.)
  const std::pair<const char *, const char *> changes[] = {
      {"(tid_0 * 1024)", "(tid_0 * 1025)"},
      {"(tid_0 * 1024)", "(tid_0 * 1024 + 1)"},
      {"arith.constant 11264 : i64", "arith.constant 11263 : i64"}};
  int seen = 0;
  for (const Pair &pair : pairs) {
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
      EXPECT_TRUE(compared->answer == FusionAnswer::Less ||
                  compared->answer == FusionAnswer::Different)
          << pair.name << ", " << to << ": " << nameOf(compared->answer).str();
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace indexical::kernels

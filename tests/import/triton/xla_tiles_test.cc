// The loads and stores of XLA's kernels, against what a report says of the
// fusions that they were emitted for: each load has the elements of a tile that
// the report's programs read, and each such tile has a load. A load has the
// report's figures, too.
//
//   fusion  f32[16,1024] multiply(p0, broadcast(p1)), tiles of 1 x 256
//   report  of p0 (bl_x)[t0, t1] -> …, of p1 …, of the result …
//   kernel  tt.load %arg0, tt.load %arg1, tt.store %arg2
//
// A report shows of a gemm only its bytes.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"
#include "tests/import/triton/xla_pairs.h"
#include "tests/support/corpus_files.h"

namespace indexical::kernels {
namespace {

/// The elements of an argument that each of some programs takes.
struct TileElements {
  int64_t argument = 0;
  std::vector<std::vector<int64_t>> ofPrograms;  ///< sorted, each once

  bool operator<(const TileElements &o) const {
    return std::tie(argument, ofPrograms) < std::tie(o.argument, o.ofPrograms);
  }
};

/// Accesses, lanes, bytes, sectors, fewest sectors, lines.
using FigureRow = std::array<int64_t, 6>;
using FiguresOfTiles = std::map<TileElements, std::set<FigureRow>>;

FigureRow rowOf(const Traffic &traffic) {
  EXPECT_TRUE(traffic.figures.has_value());
  if (!traffic.figures) return {};
  const AccessFigures &of = *traffic.figures;
  return {of.accesses.most, of.activeLanes.most,   of.bytesUsed.most,
          of.sectors.most,  of.sectorsFewest.most, of.lines.most};
}

/// Adds the results of the map at `program`, its first dimension; its other
/// dimensions and its ranges take all their values.
void addElements(const IndexingMap &map, int64_t program,
                 std::vector<int64_t> &elements) {
  if (map.isKnownEmpty()) return;
  std::vector<Interval> sides;
  for (const Variable &variable : map.dimensions())
    sides.push_back(variable.bounds);
  if (!sides[0].contains(program)) return;
  sides[0] = {program, program};
  for (const Variable &variable : map.ranges())
    sides.push_back(variable.bounds);
  IndexingMap::Point point;
  point.dimensions.resize(map.dimensions().size());
  point.ranges.resize(map.ranges().size());
  std::vector<int64_t> at;
  for (const Interval &side : sides) at.push_back(side.lower);
  while (true) {
    std::copy_n(at.begin(), point.dimensions.size(), point.dimensions.begin());
    std::copy(at.begin() + point.dimensions.size(), at.end(),
              point.ranges.begin());
    if (map.contains(point)) elements.push_back((*map.evaluate(point))[0]);
    size_t k = at.size();
    for (; k > 0 && at[k - 1] == sides[k - 1].upper; --k)
      at[k - 1] = sides[k - 1].lower;
    if (k == 0) return;
    ++at[k - 1];
  }
}

TileElements elementsOf(int64_t argument, llvm::ArrayRef<IndexingMap> maps,
                        const std::set<int64_t> &programs) {
  TileElements tile{argument, {}};
  for (int64_t program : programs) {
    std::vector<int64_t> elements;
    for (const IndexingMap &map : maps) addElements(map, program, elements);
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()),
                   elements.end());
    tile.ofPrograms.push_back(std::move(elements));
  }
  return tile;
}

/// The accesses of the kernel, loads or stores.
FiguresOfTiles ofKernel(const ReadPair &both, AccessKind kind,
                        const std::set<int64_t> &programs) {
  TrafficMeter meter(*findDevice("a100"));
  const MeasuredTraffic measured = measure(both.kernel, both.sizes, meter);
  FiguresOfTiles all;
  for (size_t i = 0; i < both.kernel.accesses.size(); ++i) {
    const KernelAccess &access = both.kernel.accesses[i];
    if (access.kind != kind) continue;
    EXPECT_TRUE(measured.accesses[i].traffic) << measured.accesses[i].reason;
    if (!measured.accesses[i].traffic) continue;
    std::vector<IndexingMap> maps;
    for (const PointerMap &map : access.maps) maps.push_back(map.map);
    all[elementsOf(access.argument(), maps, programs)].insert(
        rowOf(*measured.accesses[i].traffic));
  }
  return all;
}

/// The sums that a text calls and does not hold.
std::string sumsOf(llvm::StringRef text) {
  std::set<llvm::StringRef> names;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "to_apply=");
  for (llvm::StringRef part : llvm::drop_begin(parts))
    names.insert(part.take_until([](char c) { return c == ',' || c == '\n'; }));
  std::string sums;
  for (llvm::StringRef name : names)
    absl::StrAppend(&sums, name.str(),
                    " {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                    "  ROOT c = f32[] add(a, b)\n}\n\n");
  return sums;
}

/// A module that calls the pair's computation as XLA calls a kernel of Triton.
std::string moduleOf(const XlaPair &pair, const ReadPair &both, int64_t warps) {
  const Computation &body = both.program.modules[0].computations[0];
  std::string parameters, operands;
  for (int32_t at : body.parameters) {
    const Instruction &parameter = body.instructions[at];
    absl::StrAppend(&parameters, "  p", parameter.parameterNumber, " = ",
                    parameter.shape.leaves()[0].str(/*withLayout=*/true),
                    " parameter(", parameter.parameterNumber, ")\n");
    absl::StrAppend(&operands, operands.empty() ? "p" : ", p",
                    parameter.parameterNumber);
  }
  const std::string fusion = testing::textOfFile(pair.fusion);
  return absl::StrCat(
      "HloModule m, is_scheduled=true\n\n", sumsOf(fusion), fusion,
      "\n\nENTRY e {\n", parameters, "  ROOT k = ",
      body.instructions[body.root].shape.leaves()[0].str(/*withLayout=*/true),
      " fusion(", operands, "), kind=kCustom, calls=", pair.computation,
      R"(, backend_config={"fusion_backend_config":{"kind":"__triton",)",
      R"("block_level_fusion_config":{"output_tiles":[{"sizes":[")",
      absl::StrJoin(pair.tile, R"(",")"), R"("]}],"num_warps":")", warps,
      "\"}}}\n}\n");
}

/// Returns the figures that the report shows for the reads or the writes.
FiguresOfTiles ofReport(const Kernel &kernel, llvm::ArrayRef<Traffic> accesses,
                        const std::set<int64_t> &programs) {
  FiguresOfTiles all;
  for (const Traffic &traffic : accesses) {
    const auto &tile = kernel.userOf(traffic.access).tile;
    EXPECT_TRUE(tile.has_value());
    if (!tile) continue;
    const auto address = addressMap(kernel.buffers[traffic.access.buffer]);
    EXPECT_TRUE(address.ok()) << address.status();
    if (!address.ok()) continue;
    const auto map = compose(*tile, *address);
    EXPECT_TRUE(map.ok()) << map.status();
    if (!map.ok()) continue;
    // The buffers are the operands, then the results: the arguments.
    all[elementsOf(static_cast<int64_t>(traffic.access.buffer), {*map},
                   programs)]
        .insert(rowOf(traffic));
  }
  return all;
}

void expectSame(const FiguresOfTiles &kernel, const FiguresOfTiles &report) {
  EXPECT_EQ(kernel.size(), report.size());
  for (const auto &[tile, figures] : kernel) {
    const auto found = report.find(tile);
    if (found == report.end()) {
      ADD_FAILURE() << "no tile has the elements of an access of argument "
                    << tile.argument;
      continue;
    }
    EXPECT_EQ(figures, found->second) << "argument " << tile.argument;
  }
}

TEST(XlaTilesTest, AreThoseOfTheReport) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  const Device &device = *findDevice("a100");
  int fusions = 0, accesses = 0;
  for (const XlaPair &pair : xlaPairs()) {
    if (pair.isGemm()) continue;
    SCOPED_TRACE(pair.name);
    const int64_t warps = int64_t{1} << (fusions % 4);
    const auto both = readPair(pair, testing::textOfFile(pair.kernel), warps);
    ASSERT_TRUE(both.ok()) << both.status();
    const auto program = parseHlo(moduleOf(pair, *both, warps), pair.fusion);
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    LaunchChoice choice;
    choice.xla = &device;
    const auto sites = kernelSites(module);
    ASSERT_EQ(sites.size(), 1u);
    const auto kernel = kernelAt(maps, sites[0], choice);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    ASSERT_TRUE(kernel->grid) << kernel->reason;
    const int64_t grid = both->kernel.grid[0];
    EXPECT_EQ(kernel->grid->blocks[0], grid);
    EXPECT_EQ(kernel->grid->threads[0], 32 * warps);
    const std::set<int64_t> programs = {0, grid / 2, grid - 1};
    const KernelTraffic traffic = TrafficMeter(device).measure(*kernel);
    const FiguresOfTiles reads = ofReport(*kernel, traffic.reads, programs);
    expectSame(ofKernel(*both, AccessKind::Load, programs), reads);
    expectSame(ofKernel(*both, AccessKind::Store, programs),
               ofReport(*kernel, traffic.writes, programs));
    accesses += static_cast<int>(reads.size());
    ++fusions;
  }
  if (fusions == 0) GTEST_SKIP() << "the corpus has no ORACLE_TTIR.tsv";
  EXPECT_EQ(fusions, 63);
  EXPECT_GT(accesses, 3 * fusions);
}

}  // namespace
}  // namespace indexical::kernels

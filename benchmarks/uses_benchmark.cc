// Times tiles and footprints.
//
//   bazel run --config=release //benchmarks:uses_benchmark
//
// tile/CASE: the tile of one map; tiles/CASE: those of all instructions of a
// fusion, its maps composed anew each time. `exact` is the share of tiles that
// are. Sizes are numbers, or, in …/symbols, names. footprint/CASE: of the whole
// result in one operand, …/tile: of a tile and its neighbours; `found` is 0 if
// a figure is not found.
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

struct MapCase {
  const char *name, *map;
  std::vector<int64_t> shape, sizes;
};

std::vector<MapCase> mapCases() {
  const std::vector<int64_t> ten(10, 16), four(10, 4);
  return {
      {"identity10",
       "(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9) -> (d0, d1, d2, d3, d4, d5, "
       "d6, d7, d8, d9), domain: d0 in [0, 15], d1 in [0, 15], d2 in [0, 15], "
       "d3 in [0, 15], d4 in [0, 15], d5 in [0, 15], d6 in [0, 15], d7 in [0, "
       "15], d8 in [0, 15], d9 in [0, 15]",
       ten, four},
      {"split10",
       "(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9) -> (d0 * 4 + d1 floordiv 4, "
       "d1 mod 4, d2 * 4 + d3 floordiv 4, d3 mod 4, d4 * 4 + d5 floordiv 4, d5 "
       "mod 4, d6 * 4 + d7 floordiv 4, d7 mod 4, d8 * 4 + d9 floordiv 4, d9 "
       "mod 4), domain: d0 in [0, 15], d1 in [0, 15], d2 in [0, 15], d3 in [0, "
       "15], d4 in [0, 15], d5 in [0, 15], d6 in [0, 15], d7 in [0, 15], d8 in "
       "[0, 15], d9 in [0, 15]",
       ten, four},
      {"reshape",
       "(d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), domain: d0 in [0, 3], "
       "d1 in [0, 11]",
       {4, 12},
       {2, 4}},
      {"window",
       "(d0, d1)[s0, s1] -> (d0 * 2 + s0 - 1, d1 + s1 - 1), domain: d0 in [0, "
       "31], d1 in [0, 63], s0 in [0, 2], s1 in [0, 2], d0 * 2 + s0 in [1, "
       "64], d1 + s1 in [1, 64]",
       {32, 64},
       {8, 8}},
      {"cover",
       "(d0) -> ((d0 * 5) floordiv 7, (d0 * 5) mod 7), domain: d0 in [0, 69]",
       {70},
       {6}},
  };
}

RootTile rootOf(const std::vector<int64_t> &shape,
                const std::vector<int64_t> &sizes, bool symbols) {
  RootTile root;
  root.shape.assign(shape.begin(), shape.end());
  for (size_t k = 0; k < sizes.size(); ++k)
    root.sizes.push_back(symbols ? TileExtent::symbol("t" + std::to_string(k))
                                 : TileExtent::of(sizes[k]));
  return root;
}

/// Fifty instructions: a softmax's kind, with reshapes, transposes, broadcasts
/// and elementwise chains between them.
std::string fusionOfFifty() {
  std::string text =
      "HloModule m\n\nENTRY f {\n"
      "  p0 = f32[64,128,32] parameter(0)\n"
      "  p1 = f32[8192,32] parameter(1)\n"
      "  p2 = f32[128] parameter(2)\n"
      "  p3 = f32[32,8192] parameter(3)\n"
      "  r1 = f32[64,128,32] reshape(p1)\n"
      "  t3 = f32[8192,32] transpose(p3), dimensions={1,0}\n"
      "  r3 = f32[64,128,32] reshape(t3)\n"
      "  b2 = f32[64,128,32] broadcast(p2), dimensions={1}\n"
      "  a0 = f32[64,128,32] add(p0, r1)\n"
      "  a1 = f32[64,128,32] multiply(a0, b2)\n"
      "  a2 = f32[64,128,32] subtract(a1, r3)\n";
  std::string last = "a2";
  for (int i = 0; i < 30; ++i) {
    const std::string name = "e" + std::to_string(i);
    text +=
        "  " + name + " = f32[64,128,32] " +
        (i % 3 == 2 ? "add(" + last + ", a1)" : "exponential(" + last + ")") +
        "\n";
    last = name;
  }
  text += "  v0 = f32[64,128,32] reverse(" + last +
          "), dimensions={1}\n"
          "  v1 = f32[8192,32] reshape(v0)\n"
          "  v2 = f32[32,8192] transpose(v1), dimensions={1,0}\n"
          "  v3 = f32[32,8192] reverse(v2), dimensions={0}\n"
          "  v4 = f32[32,8192] negate(v3)\n"
          "  v5 = f32[32,64,128] reshape(v4)\n"
          "  v6 = f32[32,64,128] tanh(v5)\n"
          "  v7 = f32[64,32,128] transpose(v6), dimensions={1,0,2}\n"
          "  ROOT v8 = f32[64,32,128] negate(v7)\n}\n";
  return text;
}

void registerMaps(bool symbols) {
  for (const MapCase &each : mapCases()) {
    const IndexingMap map = *parseMap(each.map);
    const RootTile root = rootOf(each.shape, each.sizes, symbols);
    std::vector<int64_t> shape;
    for (size_t j = 0; j < map.results().size(); ++j) shape.push_back(64);
    if (std::string(each.name) == "identity10") shape = each.shape;
    if (std::string(each.name) == "reshape") shape = {12, 4};
    benchmark::RegisterBenchmark(
        ("tile/" + std::string(each.name) + (symbols ? "/symbols" : ""))
            .c_str(),
        [=](benchmark::State &state) {
          bool exact = false;
          for (auto _ : state) {
            auto tile = tileThrough(map, root, shape);
            exact = tile.ok() && tile->isExact();
            benchmark::DoNotOptimize(tile);
          }
          state.counters["exact"] = exact;
        });
  }
}

void registerFusion(bool symbols) {
  const RootTile root = rootOf({64, 32, 128}, {4, 32, 64}, symbols);
  benchmark::RegisterBenchmark(
      symbols ? "tiles/fusion50/symbols" : "tiles/fusion50",
      [=](benchmark::State &state) {
        const Program program = *parseHlo(fusionOfFifty());
        const Module &module = program.modules[0];
        const Computation &computation = module.computations[0];
        double exact = 0;
        size_t count = 1;
        for (auto _ : state) {
          ProgramIndexing maps(module);
          auto tiles =
              tilesOf(maps, {ComputationId(0), computation.root}, root);
          if (!tiles.ok()) return state.SkipWithError("no tiles");
          exact = 0;
          count = tiles->size();
          for (const InstructionTile &tile : *tiles)
            exact += tile.tile.isExact();
          benchmark::DoNotOptimize(tiles);
        }
        state.counters["exact"] = exact / count;
        state.counters["tiles"] = count;
        state.counters["instructions"] = computation.instructions.size();
      });
}

struct UseCase {
  const char *name, *map;
  std::vector<int64_t> operand, result, tile;
};

std::vector<UseCase> useCases() {
  return {
      {"slice",
       "(d0, d1) -> (d0 * 2 + 1, d1 + 3), domain: d0 in [0, 1023], d1 in [0, "
       "4095]",
       {4096, 8192},
       {1024, 4096},
       {8, 128}},
      {"window",
       "(d0, d1)[s0, s1] -> (d0 + s0 - 1, d1 + s1 - 1), domain: d0 in [0, "
       "1023], d1 in [0, 1023], s0 in [0, 2], s1 in [0, 2], d0 + s0 in [1, "
       "1024], d1 + s1 in [1, 1024]",
       {1024, 1024},
       {1024, 1024},
       {8, 128}},
      {"reshape",
       "(d0, d1) -> (d0 * 3 + d1 floordiv 64, d1 mod 64), domain: d0 in [0, "
       "1023], d1 in [0, 191]",
       {3072, 64},
       {1024, 192},
       {8, 48}},
      {"reduce",
       "(d0)[s0] -> (s0, d0), domain: d0 in [0, 4095], s0 in [0, 1023]",
       {1024, 4096},
       {4096},
       {128}},
  };
}

void registerFootprints() {
  for (const UseCase &each : useCases())
    for (bool tiled : {false, true})
      benchmark::RegisterBenchmark(
          ("footprint/" + std::string(each.name) + (tiled ? "/tile" : ""))
              .c_str(),
          [=](benchmark::State &state) {
            const IndexingRelation relation(*parseMap(each.map));
            const ArrayShape shape(ElementType::F32, each.operand);
            const Share share =
                tiled ? *Share::tile(each.result, each.tile,
                                     std::vector<int64_t>(each.tile.size(), 0))
                      : Share::whole();
            bool found = true;
            for (auto _ : state) {
              auto footprint = footprintOf(relation, shape, share);
              found &= footprint.ok() && footprint->why == Unfound::Nothing;
              benchmark::DoNotOptimize(footprint);
            }
            state.counters["found"] = found;
          });
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  for (bool symbols : {false, true}) {
    indexical::registerMaps(symbols);
    indexical::registerFusion(symbols);
  }
  indexical::registerFootprints();
  benchmark::RunSpecifiedBenchmarks();
}

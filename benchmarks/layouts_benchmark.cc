// Times questions about layouts: a query has up to 16 digits and 24 bits.
//
//   bazel run --config=release //benchmarks:layouts_benchmark
//
//   parse/N      the text of a layout
//   describe/N   its form in the notation of CuTe, its image and its bounds
//   equal/N      against itself in another notation
//   holders/N    who holds one element
//   compose/N, inverse/N
//   conversion   between registers of a tile of 64 x 64: every register counts
//   figures      of loading that tile from shared memory
#include <string>

#include <benchmark/benchmark.h>

#include "indexical/layout/access.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"

namespace indexical::layouts {
namespace {

constexpr char kMma[] =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, "
    "1], instrShape = [16, 8]}>";

std::string textOf(int64_t number) {
  switch (number) {
    case 0:
      return "(4,(2,2)):(1,(4,8))";
    case 1:
      return std::string("tensor<128x128xf32, ") + kMma + ">";
    case 2:
      // 16 digits of two values each, in a random order of strides.
      return "((2,2,2,2),(2,2,2,2),(2,2,2,2),(2,2,2,2)):((32,1,512,8),(64,2048,"
             "2,16384),(4,1024,128,32768),(16,8192,256,4096))";
    default:
      // 24 bits: a swizzle of 4,096 rows of 4,096 places.
      return "Sw<5,4,8> o 0 o (4096,4096):(4096,1)";
  }
}

Layout made(int64_t number) { return *parseLayout(textOf(number)); }

void parse(benchmark::State &state) {
  const std::string text = textOf(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(parseLayout(text));
}

void describe(benchmark::State &state) {
  const Layout layout = made(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(print(layout, Notation::Cute));
    benchmark::DoNotOptimize(layout.form());
  }
}

void equalTo(benchmark::State &state) {
  const Layout a = made(state.range(0));
  const Layout b = *parseLayout(*print(a, Notation::Map));
  for (auto _ : state) benchmark::DoNotOptimize(equal(a, b));
}

void holders(benchmark::State &state) {
  const Layout layout = made(state.range(0));
  const Coordinates element = layout.at(Coordinates(layout.box().size(), 0));
  for (auto _ : state) benchmark::DoNotOptimize(layout.holders(element));
}

void composed(benchmark::State &state) {
  const Layout inner = made(state.range(0));
  const Layout outer = *parseLayout(inner.outputs().size() == 1
                                        ? "Sw<3,3,3> o 0 o 16777216:1"
                                        : "Sw<3,3,3> o 0 o (128,128):(128,1)");
  for (auto _ : state) benchmark::DoNotOptimize(compose(outer, inner));
}

void inverseOf(benchmark::State &state) {
  const Layout layout = made(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(inverted(layout));
}

void conversionOf(benchmark::State &state) {
  const Layout from =
      *parseLayout(std::string("tensor<64x64xf16, ") + kMma + ">");
  const Layout to = *parseLayout(
      "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp "
      "= [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>");
  for (auto _ : state) benchmark::DoNotOptimize(conversion(from, to));
}

void figures(benchmark::State &state) {
  const Layout tile = *parseLayout(
      std::string("tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = ") +
      kMma + ", kWidth = 2}>>");
  const Layout memory = *parseLayout(
      "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
      "maxPhase = 8, order = [1, 0]}>, #smem>");
  for (auto _ : state)
    benchmark::DoNotOptimize(
        accessOf(*placesOf(tile, memory), 16, Memory::Shared));
}

BENCHMARK(parse)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(describe)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(equalTo)->Name("equal")->DenseRange(0, 3)->Unit(
    benchmark::kMicrosecond);
BENCHMARK(holders)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(composed)->Name("compose")->DenseRange(0, 3)->Unit(
    benchmark::kMicrosecond);
BENCHMARK(inverseOf)->Name("inverse")->DenseRange(0, 3)->Unit(
    benchmark::kMicrosecond);
BENCHMARK(conversionOf)->Name("conversion")->Unit(benchmark::kMicrosecond);
BENCHMARK(figures)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace indexical::layouts

BENCHMARK_MAIN();

// Times HLO modules: parse, and the analysis that `indexical dump` makes.
//
//   bazel run --config=release //benchmarks:hlo_benchmark --
//       FILE… [--benchmark_…]
//
// parse/FILE reports bytes a second. analysis/FILE asks, both ways, for the
// maps of every instruction and of every computation of at most 500
// instructions; `maps` counts the relations. `peak_MiB` is the largest resident
// size of the process so far: run one file at a time for a figure of its own.
#include <string>

#include <benchmark/benchmark.h>

#include "benchmarks/files.h"
#include "indexical/hlo/hlo_parser.h"
#include "indexical/program/program_indexing.h"
#include <sys/resource.h>

namespace indexical {
namespace {

constexpr size_t kLargestComputation = 500;

double peakMiB() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void parse(benchmark::State &state, const std::string &text) {
  for (auto _ : state) benchmark::DoNotOptimize(parseHlo(text));
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(text.size()));
  state.counters["peak_MiB"] = peakMiB();
}

int64_t askInstructions(ProgramIndexing &maps, int32_t c, Direction direction) {
  const Computation &computation = maps.module().computations[c];
  int64_t asked = 0;
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    int64_t results = computation.instructions[i].shape.leafCount();
    int64_t operands = computation.operandLeaves(i).size();
    for (int64_t r = 0; r < results; ++r)
      for (int64_t k = 0; k < operands; ++k, ++asked)
        benchmark::DoNotOptimize(maps.instruction(c, i, direction, r, k));
  }
  return asked;
}

int64_t askComputation(ProgramIndexing &maps, int32_t c, Direction direction) {
  const Computation &computation = maps.module().computations[c];
  if (computation.instructions.size() > kLargestComputation) return 0;
  int64_t asked = 0;
  int64_t roots = computation.instructions[computation.root].shape.leafCount();
  for (int64_t r = 0; r < roots; ++r)
    for (size_t p = 0; p < computation.parameters.size(); ++p) {
      int32_t parameter = computation.parameters[p];
      int64_t leaves = computation.instructions[parameter].shape.leafCount();
      for (int64_t l = 0; l < leaves; ++l, ++asked)
        benchmark::DoNotOptimize(maps.computation(c, direction, r, p, l));
    }
  return asked;
}

void analysis(benchmark::State &state, const std::string &text) {
  auto program = parseHlo(text);
  if (!program.ok()) return state.SkipWithError("not valid");
  int64_t asked = 0;
  for (auto _ : state) {
    asked = 0;
    for (const Module &module : program->modules) {
      ProgramIndexing maps(module);
      for (size_t c = 0; c < module.computations.size(); ++c)
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput})
          asked += askInstructions(maps, c, direction) +
                   askComputation(maps, c, direction);
    }
  }
  state.counters["maps"] = static_cast<double>(asked);
  state.counters["peak_MiB"] = peakMiB();
}

bool addFile(const std::string &name, const std::string &text) {
  benchmark::RegisterBenchmark(("parse/" + name).c_str(), parse, text)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("analysis/" + name).c_str(), analysis, text)
      ->Unit(benchmark::kMillisecond);
  return true;
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  return indexical::runOverFiles(argc, argv, indexical::addFile);
}

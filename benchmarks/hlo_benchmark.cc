// Times HLO modules: parse, and the analysis that `indexical dump` makes.
//
//   bazel run --config=release //benchmarks:hlo_benchmark --
//       FILE… [--benchmark_…]
//
// parse/FILE reports bytes a second. instructions/FILE asks, both ways, for the
// maps of every instruction, of those pairs of a result and an operand that can
// have any; alone/FILE leaves out calls, loops and branches, whose bodies have
// to be composed first, and which other analyses know nothing of; analysis/FILE
// asks for the maps of every computation of at most 500 instructions, too.
// `maps` counts the relations. `peak_MiB` is the largest resident size of the
// process so far: run one file at a time for a figure of its own.
#include <memory>
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
  const auto shared = std::make_shared<const std::string>(text);
  for (auto _ : state) benchmark::DoNotOptimize(parseHlo(shared));
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(text.size()));
  state.counters["peak_MiB"] = peakMiB();
}

enum class Ask { Alone, Instructions, All };

/// Whether it is a fusion, or calls nothing but what reduces or compares.
bool isAlone(llvm::StringRef opcode) {
  return opcode != "call" && opcode != "while" && opcode != "conditional" &&
         !opcode.starts_with("async-");
}

int64_t askInstructions(ProgramIndexing &maps, int32_t c, Ask ask) {
  int64_t asked = 0;
  const auto &instructions = maps.module().computations[c].instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (ask == Ask::Alone && !isAlone(instructions[i].opcode)) continue;
    for (const LeafPair &pair : maps.instructionPairs(c, i))
      for (Direction direction :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        benchmark::DoNotOptimize(
            maps.instruction(c, i, direction, pair.result, pair.leaf));
        ++asked;
      }
  }
  return asked;
}

int64_t askComputation(ProgramIndexing &maps, int32_t c) {
  if (maps.module().computations[c].instructions.size() > kLargestComputation)
    return 0;
  auto pairs = maps.computationPairs(c);
  if (!pairs.ok()) return 0;
  for (const LeafPair &pair : *pairs)
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput})
      benchmark::DoNotOptimize(maps.computation(c, direction, pair.result,
                                                pair.parameter, pair.leaf));
  return 2 * static_cast<int64_t>(pairs->size());
}

void analysis(benchmark::State &state, const std::string &text, Ask ask) {
  auto program = parseHlo(text);
  if (!program.ok()) return state.SkipWithError("not valid");
  int64_t asked = 0;
  for (auto _ : state) {
    asked = 0;
    for (const Module &module : program->modules) {
      ProgramIndexing maps(module);
      for (size_t c = 0; c < module.computations.size(); ++c) {
        asked += askInstructions(maps, c, ask);
        if (ask == Ask::All) asked += askComputation(maps, c);
      }
    }
  }
  state.counters["maps"] = static_cast<double>(asked);
  state.counters["peak_MiB"] = peakMiB();
}

bool addFile(const std::string &name, const std::string &text) {
  benchmark::RegisterBenchmark(("parse/" + name).c_str(), parse, text)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("instructions/" + name).c_str(), analysis, text,
                               Ask::Instructions)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("alone/" + name).c_str(), analysis, text,
                               Ask::Alone)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("analysis/" + name).c_str(), analysis, text,
                               Ask::All)
      ->Unit(benchmark::kMillisecond);
  return true;
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  return indexical::runOverFiles(argc, argv, indexical::addFile);
}

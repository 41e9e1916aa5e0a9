// Times HLO modules: reading, and the maps of instructions.
//
//   bazel run --config=release //benchmarks:hlo_benchmark --
//       FILE… [--benchmark_…]
//
//   cold/made/FILE              the maps of the instructions, both ways, each
//                               of an op that no other is like
//   cold/simplified/FILE        the same, and each simplified
//   cold/with_AffineMap/FILE    the same, and each as mlir::AffineMap, in a new
//                               context
//   cold/kept/FILE              the simplified maps are kept
//   shared/made/FILE …          the same of the instructions as they are in the
//                               file, many of which are alike
//   parse/cold/FILE             bytes a second, of wall time, of a module whose
//                               shapes all differ
//   parse/FILE                  the same of the file
//   parse/two_threads/FILE      the same, where two threads read it
//   instructions/FILE           the maps of every instruction of the file, both
//                               ways, of those pairs of a result and an operand
//                               that can have any
//   alone/FILE                  leaves out calls, loops and branches, whose
//                               bodies have to be composed first
//   analysis/FILE               asks for the maps of every computation of at
//                               most 500 instructions, too
//
// Rows `cold/` and `shared/` are of computations with one instruction each
// (all_different.h), and have the same instructions. Quote `cold/` first:
// inside a compiler an instruction is asked about once. A file whose first line
// says `all different` is its own cold module.
//
// `maps` counts the relations, `per_map` is the time of one. `instructions`
// counts those of cold and shared, `left_out` those that have no size of their
// own. `kept_bytes` is what is allocated for each instruction when all answers
// are kept, beside the module. `peak_MiB` is the largest resident size of the
// process so far: run one file at a time for a figure of its own.
#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"
#include <benchmark/benchmark.h>

#include "benchmarks/all_different.h"
#include "benchmarks/files.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"
#include <malloc.h>
#include <sys/resource.h>

namespace indexical {
namespace {

constexpr size_t kLargestComputation = 500;

double peakMiB() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void parse(benchmark::State &state, const std::string &text, size_t jobs) {
  const auto shared = std::make_shared<const std::string>(text);
  HloOptions options;
  options.jobs = jobs;
  for (auto _ : state) benchmark::DoNotOptimize(parseHlo(shared, "", options));
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
    for (const LeafPair &pair :
         maps.pairsOf(ComputationId(c), InstructionId(i)))
      for (Direction direction :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        benchmark::DoNotOptimize(
            maps.instruction({ComputationId(c), InstructionId(i), pair.result},
                             pair.leaf, direction));
        ++asked;
      }
  }
  return asked;
}

int64_t askComputation(ProgramIndexing &maps, int32_t c) {
  if (maps.module().computations[c].instructions.size() > kLargestComputation)
    return 0;
  auto pairs = maps.computationPairs(ComputationId(c));
  if (!pairs.ok()) return 0;
  for (const LeafPair &pair : *pairs)
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput})
      benchmark::DoNotOptimize(maps.computation(
          ComputationId(c), pair.result,
          ParameterLeaf{pair.parameter, pair.leaf}, direction));
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

//===-- Cold and shared ---------------------------------------------------===//

/// The form in which each map of an instruction is timed.
enum class Form { Made, Simplified, WithAffineMap, Kept };

int64_t allocatedBytes() {
  const auto use = mallinfo2();
  return static_cast<int64_t>(use.uordblks + use.hblkhd);
}

/// Calls `take` with the maps of all instructions that are asked about alone.
int64_t forMaps(ProgramIndexing &maps,
                llvm::function_ref<void(IndexingRelation)> take) {
  int64_t asked = 0;
  for (size_t c = 0; c < maps.module().computations.size(); ++c) {
    const auto &instructions = maps.module().computations[c].instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      if (!isAlone(instructions[i].opcode)) continue;
      const ComputationId computation(c);
      const InstructionId instruction(i);
      for (const LeafPair &pair : maps.pairsOf(computation, instruction))
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput}) {
          auto relation = maps.instruction(
              {computation, instruction, pair.result}, pair.leaf, direction);
          ++asked;
          if (relation.ok()) take(*std::move(relation));
        }
    }
  }
  return asked;
}

IndexingRelation simplified(const IndexingRelation &relation) {
  IndexingRelation result;
  for (const IndexingMap &piece : relation.pieces())
    if (auto map = simplify(piece); map.ok()) result.add(*std::move(map));
  result.weaken(relation.precision());
  return result;
}

/// Takes a map in that form; with AffineMaps in `context`.
void use(IndexingRelation relation, Form form, mlir::MLIRContext *context,
         std::vector<IndexingRelation> &kept) {
  if (form == Form::Made) return benchmark::DoNotOptimize(relation);
  IndexingRelation result = simplified(relation);
  if (form == Form::WithAffineMap)
    for (const IndexingMap &piece : result.pieces())
      benchmark::DoNotOptimize(piece.affineMap(context));
  if (form == Form::Kept) kept.push_back(std::move(result));
}

void maps(benchmark::State &state, const std::string &text, size_t instructions,
          size_t leftOut, Form form) {
  auto program = parseHlo(text);
  if (!program.ok()) return state.SkipWithError("not valid");
  int64_t asked = 0, bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    std::vector<IndexingRelation> kept;
    std::vector<std::unique_ptr<ProgramIndexing>> owners;
    asked = 0;
    const int64_t before = allocatedBytes();
    state.ResumeTiming();
    for (const Module &module : program->modules) {
      owners.push_back(std::make_unique<ProgramIndexing>(module));
      asked += forMaps(*owners.back(), [&](IndexingRelation relation) {
        use(std::move(relation), form, context.get(), kept);
      });
    }
    state.PauseTiming();
    bytes = allocatedBytes() - before;
    owners.clear();
    kept.clear();
    context.reset();
    state.ResumeTiming();
  }
  state.counters["maps"] = static_cast<double>(asked);
  state.counters["per_map"] =
      benchmark::Counter(static_cast<double>(asked),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
  state.counters["instructions"] = static_cast<double>(instructions);
  state.counters["left_out"] = static_cast<double>(leftOut);
  if (form == Form::Kept)
    state.counters["kept_bytes"] =
        static_cast<double>(bytes) / static_cast<double>(instructions);
}

void addForms(const std::string &kind, const std::string &name,
              const std::string &text, size_t instructions, size_t leftOut) {
  constexpr std::pair<const char *, Form> forms[] = {
      {"made", Form::Made},
      {"simplified", Form::Simplified},
      {"with_AffineMap", Form::WithAffineMap},
      {"kept", Form::Kept}};
  for (const auto &[word, form] : forms)
    benchmark::RegisterBenchmark((kind + "/" + word + "/" + name).c_str(), maps,
                                 text, instructions, leftOut, form)
        ->Unit(benchmark::kMillisecond);
}

size_t countInstructions(const Program &program) {
  size_t count = 0;
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      count += computation.instructions.size();
  return count;
}

/// A file that says so is its own cold module.
bool addColdAndShared(const std::string &name, const std::string &text) {
  if (llvm::StringRef(text).split('\n').first.contains("all different")) {
    const auto program = parseHlo(text);
    if (!program.ok()) return false;
    addForms("cold", name, text, countInstructions(*program), 0);
    return true;
  }
  const auto units = unitsOf(text);
  if (!units.ok()) return false;
  addForms("cold", name, units->allDifferent, units->instructions,
           units->leftOut);
  addForms("shared", name, units->asTheyAre, units->instructions,
           units->leftOut);
  benchmark::RegisterBenchmark(("parse/cold/" + name).c_str(), parse,
                               units->allDifferent, size_t{1})
      ->Unit(benchmark::kMillisecond);
  return true;
}

bool addFile(const std::string &name, const std::string &text) {
  if (!addColdAndShared(name, text)) {
    std::cerr << name << ": cannot be read as HLO\n";
    return false;
  }
  for (size_t jobs : {1, 2})
    benchmark::RegisterBenchmark(
        ((jobs == 1 ? "parse/" : "parse/two_threads/") + name).c_str(), parse,
        text, jobs)
        ->UseRealTime()
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

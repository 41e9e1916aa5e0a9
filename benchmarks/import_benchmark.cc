// Times StableHLO modules: MLIR's part, and the import.
//
//   bazel run --config=release //benchmarks:import_benchmark --
//       FILE… [--benchmark_…]
//
// mlir/FILE parses and verifies with MLIR alone, parse/FILE as we do: places in
// the text are kept, and input that would crash MLIR is detected. import/FILE
// makes a program, with all of that.
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include <benchmark/benchmark.h>

#include "benchmarks/files.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/import.h"

namespace indexical {
namespace {

void count(benchmark::State &state, const std::string &text) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<int64_t>(text.size()));
}

void mlirAlone(benchmark::State &state, const std::string &text) {
  for (auto _ : state) {
    const auto context = makeMlirContext();
    const mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/true);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    if (!module) return state.SkipWithError("not valid");
    benchmark::DoNotOptimize(module);
  }
  count(state, text);
}

void parse(benchmark::State &state, const std::string &text) {
  for (auto _ : state) benchmark::DoNotOptimize(parseMlir(text));
  count(state, text);
}

void import(benchmark::State &state, const std::string &text) {
  for (auto _ : state) benchmark::DoNotOptimize(importMlir(text));
  count(state, text);
}

bool addFile(const std::string &name, const std::string &text) {
  benchmark::RegisterBenchmark(("mlir/" + name).c_str(), mlirAlone, text)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("parse/" + name).c_str(), parse, text)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("import/" + name).c_str(), import, text)
      ->Unit(benchmark::kMillisecond);
  return true;
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  return indexical::runOverFiles(argc, argv, indexical::addFile);
}

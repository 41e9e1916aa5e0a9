// Times parse, print, simplify and compose on maps files (docs/formats.md).
//
//   bazel run --config=release //benchmarks:maps_benchmark --
//       FILE… [--benchmark_…]
//
//   parse, print, simplify  all maps of a file
//   affine_map_cold         all maps as mlir::AffineMap, in a new context
//   affine_map_warm         the same, in one that has all their nodes
//   compose                 the first two maps of a chain, from form to form
//   chain/FILE/N            N steps; `per_step` is their time divided by N
//   memory/FILE             a chain, dropped: `kept_bytes` are still allocated
//                           after all iterations
//   nested/N                e = (e floordiv k) * c + e mod k, N deep
//
// A file whose first line says `kind: chain` is composed in file order,
// simplified after each step; other files are single maps. `allocations` counts
// calls of operator new for one iteration.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "mlir/IR/MLIRContext.h"
#include <benchmark/benchmark.h>

#include "benchmarks/files.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include <malloc.h>

namespace {
std::atomic<int64_t> allocations{0}, allocatedBytes{0};

/// Not inlined: a compiler that sees malloc's partner here takes it for a
/// mistake.
[[gnu::noinline]] void release(void *memory) {
  allocatedBytes.fetch_sub(malloc_usable_size(memory),
                           std::memory_order_relaxed);
  std::free(memory);
}
}  // namespace

void *operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void *memory = std::malloc(size);
  if (!memory) throw std::bad_alloc();
  allocatedBytes.fetch_add(malloc_usable_size(memory),
                           std::memory_order_relaxed);
  return memory;
}
void operator delete(void *memory) noexcept { release(memory); }
void operator delete(void *memory, size_t) noexcept { release(memory); }

namespace indexical {
namespace {

/// Counts the allocations of the iterations timed in its life.
class CountAllocations {
 public:
  explicit CountAllocations(benchmark::State &state)
      : state_(state), before_(allocations.load()) {}
  ~CountAllocations() {
    state_.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocations.load() - before_),
                           benchmark::Counter::kAvgIterations);
  }

 private:
  benchmark::State &state_;
  int64_t before_;
};

void parse(benchmark::State &state, const std::string &text) {
  CountAllocations count(state);
  for (auto _ : state) benchmark::DoNotOptimize(parseMaps(text));
}

void print(benchmark::State &state, const std::vector<IndexingMap> &maps) {
  CountAllocations count(state);
  for (auto _ : state)
    for (const IndexingMap &map : maps) benchmark::DoNotOptimize(map.str());
}

void simplifyAll(benchmark::State &state,
                 const std::vector<IndexingMap> &maps) {
  CountAllocations count(state);
  for (auto _ : state)
    for (const IndexingMap &map : maps) benchmark::DoNotOptimize(simplify(map));
  state.counters["per_map"] =
      benchmark::Counter(static_cast<double>(maps.size()),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

absl::StatusOr<IndexingMap> composed(const std::vector<IndexingMap> &maps,
                                     size_t steps) {
  auto product = simplify(maps[0]);
  for (size_t i = 1; i < steps && product.ok(); ++i)
    product = compose(*product, maps[i]);
  return product;
}

void chain(benchmark::State &state, const std::vector<IndexingMap> &maps,
           size_t steps) {
  CountAllocations count(state);
  for (auto _ : state) {
    auto product = composed(maps, steps);
    if (!product.ok()) state.SkipWithError("a step failed");
    benchmark::DoNotOptimize(product);
  }
  state.counters["per_step"] =
      benchmark::Counter(static_cast<double>(steps),
                         benchmark::Counter::kIsIterationInvariantRate |
                             benchmark::Counter::kInvert);
}

/// One step of a chain from our form to our form: its first two maps.
void composeOnce(benchmark::State &state,
                 const std::vector<IndexingMap> &maps) {
  auto first = simplify(maps[0]), second = simplify(maps[1]);
  if (!first.ok() || !second.ok()) return state.SkipWithError("not valid");
  CountAllocations count(state);
  for (auto _ : state) benchmark::DoNotOptimize(compose(*first, *second));
}

/// The thread's own memory is made before the first iteration.
void memory(benchmark::State &state, const std::vector<IndexingMap> &maps) {
  benchmark::DoNotOptimize(composed(maps, maps.size()));
  const int64_t before = allocatedBytes.load();
  for (auto _ : state) benchmark::DoNotOptimize(composed(maps, maps.size()));
  state.counters["kept_bytes"] =
      static_cast<double>(allocatedBytes.load() - before);
}

void affineMapCold(benchmark::State &state,
                   const std::vector<IndexingMap> &maps) {
  for (auto _ : state) {
    state.PauseTiming();
    auto context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    state.ResumeTiming();
    for (const IndexingMap &map : maps)
      benchmark::DoNotOptimize(map.affineMap(context.get()));
    state.PauseTiming();
    context.reset();
    state.ResumeTiming();
  }
}

void affineMapWarm(benchmark::State &state,
                   const std::vector<IndexingMap> &maps) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const IndexingMap &map : maps) map.affineMap(&context);
  for (auto _ : state)
    for (const IndexingMap &map : maps)
      benchmark::DoNotOptimize(map.affineMap(&context));
}

void nested(benchmark::State &state) {
  IndexingMapBuilder b;
  Expr e = b.dimension({0, 100000});
  for (int64_t i = 0; i < state.range(0); ++i) {
    const int64_t k = 2 + i % 5;
    e = floorDiv(e, k) * (k + 1) + mod(e, k);
  }
  b.result(e);
  auto map = b.build();
  if (!map.ok()) return state.SkipWithError("not valid");
  CountAllocations count(state);
  for (auto _ : state) benchmark::DoNotOptimize(simplify(*map));
}

bool addFile(const std::string &name, const std::string &text) {
  auto maps = parseMaps(text);
  if (!maps.ok() || maps->empty()) {
    std::cerr << name << ": " << maps.status() << "\n";
    return false;
  }
  bool isChain =
      text.substr(0, text.find('\n')).find("kind: chain") != std::string::npos;
  auto add = [&](const std::string &kind, auto function, auto... arguments) {
    benchmark::RegisterBenchmark((kind + "/" + name).c_str(), function,
                                 arguments...)
        ->Unit(benchmark::kMicrosecond);
  };
  add("parse", parse, text);
  add("print", print, *maps);
  add("simplify", simplifyAll, *maps);
  add("affine_map_cold", affineMapCold, *maps);
  add("affine_map_warm", affineMapWarm, *maps);
  if (!isChain || maps->size() < 2) return true;
  add("compose", composeOnce, *maps);
  add("memory", memory, *maps);
  for (size_t steps : {2, 4, 8, 12})
    if (steps <= maps->size())
      benchmark::RegisterBenchmark(
          ("chain/" + name + "/" + std::to_string(steps)).c_str(), chain, *maps,
          steps)
          ->Unit(benchmark::kMicrosecond);
  return true;
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  benchmark::RegisterBenchmark("nested", indexical::nested)
      ->Unit(benchmark::kMicrosecond)
      ->DenseRange(4, 24, 4);
  return indexical::runOverFiles(argc, argv, indexical::addFile);
}

// Times parse, print, simplify and compose on maps files (docs/formats.md).
//
//   bazel run --config=release //benchmarks:maps_benchmark -- FILE…
//   [--benchmark_…]
//
// A file whose first line says `kind: chain` is composed in file order,
// simplified after each step: chain/FILE/N is N steps, and `per_step` is its
// time divided by N. Other files are single maps. `allocations` counts calls of
// operator new for one iteration.
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "benchmarks/files.h"
#include "indexing/map_text.h"
#include "simplifier/simplify.h"

namespace {
std::atomic<int64_t> allocations{0};
}  // namespace

void *operator new(size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

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

void chain(benchmark::State &state, const std::vector<IndexingMap> &maps,
           size_t steps) {
  CountAllocations count(state);
  for (auto _ : state) {
    auto composed = simplify(maps[0]);
    for (size_t i = 1; i < steps && composed.ok(); ++i)
      composed = compose(*composed, maps[i]);
    if (!composed.ok()) state.SkipWithError("a step failed");
    benchmark::DoNotOptimize(composed);
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
  if (!isChain || maps->size() < 2) return true;
  add("compose", composeOnce, *maps);
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
  return indexical::runOverFiles(argc, argv, indexical::addFile);
}

// Times the questions of analysis/.
//
//   bazel run --config=release //benchmarks:analysis_benchmark
//
// coalescing/INPUT: the launch is known, the read is new; coalescing_again: the
// read was answered before. `exact` is 0 if the budget ended; `accesses` is how
// many warps read.
#include <string>

#include <benchmark/benchmark.h>

#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

struct Input {
  const char *name, *read;
  ArrayShape result, operand;
  LinearThreads threads;
};

ArrayShape f32(llvm::ArrayRef<int64_t> dimensions) {
  return ArrayShape(ElementType::F32, dimensions);
}

const Input kInputs[] = {
    {"copy",
     "(d0, d1) -> (d0, d1), domain: d0 in [0, 4095], d1 in [0, 4095]",
     f32({4096, 4096}),
     f32({4096, 4096}),
     {128, 1, 1}},
    {"copy_vector",
     "(d0, d1) -> (d0, d1), domain: d0 in [0, 4095], d1 in [0, 4095]",
     f32({4096, 4096}),
     f32({4096, 4096}),
     {128, 1, 4}},
    {"broadcast",
     "(d0, d1) -> (d1), domain: d0 in [0, 4095], d1 in [0, 4095]",
     f32({4096, 4096}),
     f32({4096}),
     {128, 1, 1}},
    {"slice",
     "(d0, d1) -> (d0 * 2, d1 + 3), domain: d0 in [0, 2047], d1 in [0, 4000]",
     f32({2048, 4001}),
     f32({4096, 4096}),
     {128, 1, 1}},
    {"transpose",
     "(d0, d1) -> (d1, d0), domain: d0 in [0, 4095], d1 in [0, 4095]",
     f32({4096, 4096}),
     f32({4096, 4096}),
     {128, 1, 1}},
    {"column_sum",
     "(d0)[s0] -> (s0, d0), domain: d0 in [0, 4095], s0 in [0, 4095]",
     f32({4096}),
     f32({4096, 4096}),
     {128, 1, 1}},
    {"transpose_2e31",
     "(d0, d1, d2) -> (d2, d1, d0), domain: d0 in [0, 1023], d1 in [0, 2047], "
     "d2 in [0, 1023]",
     f32({1024, 2048, 1024}),
     f32({1024, 2048, 1024}),
     {128, 1, 1}},
    {"transpose_rows_of_1000",
     "(d0, d1, d2) -> (d2, d1, d0), domain: d0 in [0, 1023], d1 in [0, 1999], "
     "d2 in [0, 999]",
     f32({1024, 2000, 1000}),
     f32({1000, 2000, 1024}),
     {128, 1, 1}},
    {"pad_2e31",
     "(d0, d1) -> (d0, d1 - 3), domain: d0 in [0, 32767], d1 in [3, 65000]",
     f32({32768, 65536}),
     f32({32768, 64998}),
     {128, 1, 1}},
    {"transpose_rows_of_1021",
     "(d0, d1, d2) -> (d2, d1, d0), domain: d0 in [0, 1018], d1 in [0, 2010], "
     "d2 in [0, 1020]",
     f32({1019, 2011, 1021}),
     f32({1021, 2011, 1019}),
     {128, 1, 1}},
    {"gather",
     "(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 2047], d1 in [0, 767], rt0 "
     "in [0, 50000]",
     f32({2048, 768}),
     f32({50001, 768}),
     {128, 1, 1}},
};

void registerAll() {
  for (const Input &input : kInputs) {
    const IndexingRelation read(*parseMap(input.read));
    const IndexingMap threads = *linearThreads(input.result, input.threads);
    for (const bool again : {false, true})
      benchmark::RegisterBenchmark(
          (std::string(again ? "coalescing_again/" : "coalescing/") +
           input.name)
              .c_str(),
          [=, &input](benchmark::State &state) {
            auto launch = Coalescing::of(threads, defaultDevice());
            CoalescingOptions options;
            options.keep = again;
            auto figures = launch->figures(read, input.operand, options);
            for (auto _ : state)
              figures = launch->figures(read, input.operand, options);
            if (!figures.ok()) return;
            state.counters["exact"] = figures->exact;
            state.counters["accesses"] = figures->accesses.most;
          });
  }
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  indexical::registerAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

// Textbook cases: kernels of a line each, to be predicted and to be timed.
//
//   name     stride 2
//   threads  linear over [1024]: (th_x, …, bl_x, …) -> (bl_x * 128 + th_x)
//   reads    (d0) -> (d0 * 2) of f32[2048]
//
// A kernel goes through the index space of its thread map and adds up what it
// reads there. It may write: an element of the result for each index. A read
// through indices (a gather) has one runtime variable, the value of the read
// before it, which every thread reads. Loops and ranges count from 0. With a
// stage, what is read is put into shared memory, and written from there in the
// order of another thread map:
//
//   transpose, tiled
//     read   (d0, d1) -> (d1, d0), threads: th_x along d0
//     stage  (d0, d1) -> (d0 mod 32, d1 mod 32) of f32[32,33]
//     write  (d0, d1) -> (d0, d1), threads: th_x along d1
#ifndef INDEXICAL_BENCHMARKS_GPU_TEXTBOOK_CASES_H
#define INDEXICAL_BENCHMARKS_GPU_TEXTBOOK_CASES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/coalescing.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace gpu {

struct CaseAccess {
  IndexingMap map;  ///< from the index space of the thread map
  ArrayShape shape;
};

struct TextbookCase {
  std::string name;
  IndexingMap threads;
  std::vector<CaseAccess> reads;
  /// The value of the first read of a gather, in its dimensions: `d0 * 7 mod
  /// 64`.
  std::string indices;
  std::optional<CaseAccess> write;
  /// Elements of the threads' last loop that are one access.
  int64_t vector = 1;

  struct Stage {
    CaseAccess slot;      ///< in shared memory
    IndexingMap threads;  ///< in whose order it is written
  };
  std::optional<Stage> stage;

  const IndexingMap &threadsOfWrite() const {
    return stage ? stage->threads : threads;
  }
};

/// All cases, each over about `elements`, a power of four that is at least
/// 4096.
std::vector<TextbookCase> textbookCases(int64_t elements);

/// The figures that are predicted for a kernel: its reads and its write
/// together.
struct Prediction {
  int64_t accesses = 0, sectors = 0, distinctSectors = 0, bytesUsed = 0;
  double milliseconds = 0;  ///< by predicted_time.h
  double sectorsPerAccess() const {
    return accesses == 0 ? 0.0 : static_cast<double>(sectors) / accesses;
  }
};
/// Returns an error if a figure is not one number, or if an access has another
/// vector than the case.
absl::StatusOr<Prediction> predict(const TextbookCase &kernel,
                                   const Device &device);

/// The value of the gather's first read at each of its elements.
absl::StatusOr<std::vector<int32_t>> indexValues(const TextbookCase &kernel);

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_TEXTBOOK_CASES_H

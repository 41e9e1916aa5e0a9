// Textbook cases on a GPU.
#ifndef INDEXICAL_BENCHMARKS_GPU_MEASURE_H
#define INDEXICAL_BENCHMARKS_GPU_MEASURE_H

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "benchmarks/gpu/cuda_driver.h"
#include "benchmarks/gpu/textbook_cases.h"

namespace indexical {
namespace gpu {

/// Returns the bytes of an operand whose element i is i, or as many bits of i
/// as it has.
std::vector<uint8_t> numbered(const ArrayShape &shape);

/// The sums that the threads of a case should have in `out` for numbered
/// operands, and the elements that `write` should hold, 0 if they are not
/// written. expected() evaluates the maps of the case at every index.
struct Expected {
  std::vector<int64_t> sums, written;
};
absl::StatusOr<Expected> expected(const TextbookCase &kernel);

/// Runs a small case, every sum kept, and compares. An error says which thread
/// has which sum.
absl::Status verify(CudaDriver &gpu, const TextbookCase &kernel);

/// The median of so many launches, in milliseconds, memory last touched by
/// something else; nothing is kept.
absl::StatusOr<double> measure(CudaDriver &gpu, const TextbookCase &kernel,
                               int repetitions);

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_MEASURE_H

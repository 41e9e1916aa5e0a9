// The part of CUDA's driver API that is needed to time a kernel, loaded when
// the program runs. A program without the driver is built all the same, and
// says what is missing.
//
//   auto gpu = CudaDriver::open();          // "no GPU: libcuda.so.1 …"
//   auto kernel = gpu->load(ptx, "kernel");
//   auto in = gpu->allocate(4096);
//   auto ms = gpu->launch(*kernel, grid, block, {in->address()});
#ifndef INDEXICAL_BENCHMARKS_GPU_CUDA_DRIVER_H
#define INDEXICAL_BENCHMARKS_GPU_CUDA_DRIVER_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace indexical {
namespace gpu {

class CudaDriver {
 public:
  /// Opens the first device of the machine. Returns an error, in a sentence, if
  /// there is no driver or no device.
  static absl::StatusOr<CudaDriver> open(
      const std::string &library = "libcuda.so.1");
  CudaDriver(CudaDriver &&);
  ~CudaDriver();

  /// `NVIDIA H100 80GB HBM3, compute capability 9.0`
  const std::string &name() const;

  /// Memory of the device, given back with its last copy. An address that is a
  /// multiple of 256.
  class Buffer {
   public:
    uint64_t address() const { return *address_; }

   private:
    friend class CudaDriver;
    std::shared_ptr<uint64_t> address_;
  };
  absl::StatusOr<Buffer> allocate(int64_t bytes);
  absl::Status fill(const Buffer &buffer, uint8_t value, int64_t bytes);
  absl::Status write(const Buffer &to, const void *from, int64_t bytes);
  absl::Status read(void *to, const Buffer &from, int64_t bytes);

  /// A function of a PTX module; both last as long as the driver. An error has
  /// the message of the driver's compiler.
  using Function = void *;
  absl::StatusOr<Function> load(const std::string &ptx,
                                const std::string &function);

  /// Runs a kernel once, waits for it, and returns its milliseconds, by events
  /// before and after it. Arguments are 64-bit values.
  absl::StatusOr<double> launch(Function function,
                                const std::array<int64_t, 3> &grid,
                                const std::array<int64_t, 3> &block,
                                std::vector<uint64_t> arguments);

 private:
  struct State;
  explicit CudaDriver(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_CUDA_DRIVER_H

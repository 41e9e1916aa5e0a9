#include "benchmarks/gpu/measure.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "benchmarks/gpu/kernel_ir.h"
#include "benchmarks/gpu/kernel_ptx.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace gpu {
namespace {

// More than the caches of any device hold.
constexpr int64_t kScratchBytes = int64_t{512} << 20;

int64_t bytesOf(const ArrayShape &shape) {
  return ceilDiv(*storedElements(shape) * storedBits(shape), 8);
}

/// The buffers of one case, in the order of the kernel's parameters.
class Operands {
 public:
  static absl::StatusOr<Operands> of(CudaDriver &gpu,
                                     const TextbookCase &kernel,
                                     bool isNumbered) {
    Operands all;
    auto add = [&](const ArrayShape &shape) -> absl::Status {
      auto buffer = gpu.allocate(bytesOf(shape));
      if (!buffer.ok()) return buffer.status();
      all.buffers_.push_back(*buffer);
      return gpu.fill(*buffer, 0, bytesOf(shape));
    };
    for (const CaseAccess &read : kernel.reads) {
      if (auto status = add(read.shape); !status.ok()) return status;
      absl::Status status;
      if (&read == &kernel.reads.front() && !kernel.indices.empty()) {
        auto values = indexValues(kernel);
        if (!values.ok()) return values.status();
        status =
            gpu.write(all.buffers_.back(), values->data(), bytesOf(read.shape));
      } else if (isNumbered) {
        status = gpu.write(all.buffers_.back(), numbered(read.shape).data(),
                           bytesOf(read.shape));
      }
      if (!status.ok()) return status;
    }
    if (kernel.write)
      if (auto status = add(kernel.write->shape); !status.ok()) return status;
    auto out = gpu.allocate(launchSize(kernel.threads).threads() * 8);
    if (!out.ok()) return out.status();
    all.buffers_.push_back(*out);
    return all;
  }

  std::vector<uint64_t> arguments(int64_t kept) const {
    std::vector<uint64_t> all;
    for (const CudaDriver::Buffer &buffer : buffers_)
      all.push_back(buffer.address());
    all.push_back(kept);
    all.push_back(UINT64_MAX);  // no sum of what is read
    return all;
  }
  const CudaDriver::Buffer &out() const { return buffers_.back(); }
  const CudaDriver::Buffer &written() const {
    return buffers_[buffers_.size() - 2];
  }

 private:
  std::vector<CudaDriver::Buffer> buffers_;
};

absl::StatusOr<CudaDriver::Function> load(CudaDriver &gpu,
                                          const TextbookCase &kernel) {
  auto ptx = kernelPtx(kernel);
  if (!ptx.ok()) return ptx.status();
  return gpu.load(*ptx, "kernel");
}

using Values = llvm::SmallVector<int64_t, 6>;

/// Calls `visit` with every value of variables with these bounds.
template <typename Visit>
void forEachPoint(llvm::ArrayRef<Variable> variables, const Visit &visit) {
  Values point;
  for (const Variable &v : variables) point.push_back(v.bounds.lower);
  for (;;) {
    visit(point);
    size_t k = 0;
    for (; k < point.size(); ++k) {
      if (++point[k] <= variables[k].bounds.upper) break;
      point[k] = variables[k].bounds.lower;
    }
    if (k == point.size()) return;
  }
}

/// The number, in memory, of the element that the map has for the point.
int64_t placeOf(const IndexingMap &map, const IndexingMap::Point &point,
                const IndexingMap &layout) {
  return layout.evaluate({*map.evaluate(point), {}, {}})->front();
}

}  // namespace

std::vector<uint8_t> numbered(const ArrayShape &shape) {
  const int64_t bits = storedBits(shape);
  std::vector<uint8_t> bytes(bytesOf(shape));
  for (int64_t i = 0; i < *storedElements(shape); ++i) {
    if (bits >= 8)
      std::memcpy(&bytes[i * bits / 8], &i, bits / 8);
    else
      bytes[i * bits / 8] |= (i & ((1 << bits) - 1)) << (i * bits % 8);
  }
  return bytes;
}

absl::StatusOr<Expected> expected(const TextbookCase &kernel) {
  Expected result;
  const LaunchSize size = launchSize(kernel.threads);
  result.sums.assign(size.threads(), 0);
  std::vector<int32_t> indices;
  if (!kernel.indices.empty()) {
    auto values = indexValues(kernel);
    if (!values.ok()) return values.status();
    indices = *std::move(values);
  }
  const CaseAccess &read = kernel.reads.back();
  auto layout = addressMap(read.shape);
  if (!layout.ok()) return layout.status();
  absl::StatusOr<IndexingMap> layoutOfWrite = IndexingMap();
  if (kernel.write) {
    layoutOfWrite = addressMap(kernel.write->shape);
    if (!layoutOfWrite.ok()) return layoutOfWrite.status();
    result.written.assign(*storedElements(kernel.write->shape), 0);
  }
  const int64_t bits = storedBits(read.shape);
  const int64_t mask = bits >= 63 ? -1 : (int64_t{1} << bits) - 1;

  auto handleIndex = [&](const Values &index, int64_t thread) {
    forEachPoint(read.map.ranges(), [&](const Values &ranges) {
      IndexingMap::Point point{index, ranges, {}};
      if (!indices.empty()) point.runtime = {indices[index.front()]};
      if (!read.map.contains(point)) return;
      const int64_t value = placeOf(read.map, point, *layout) & mask;
      result.sums[thread] += value;
      if (kernel.write)
        result.written[placeOf(kernel.write->map, point, *layoutOfWrite)] =
            value;
    });
  };
  forEachPoint(kernel.threads.dimensions(), [&](const Values &at) {
    int64_t thread = 0;
    for (size_t k = kThreadDimensions; k-- > 0;)
      thread = thread * (k < 3 ? size.block[k] : size.grid[k - 3]) + at[k];
    forEachPoint(kernel.threads.ranges(), [&](const Values &loops) {
      const IndexingMap::Point point{at, loops, {}};
      if (kernel.threads.contains(point))
        handleIndex(*kernel.threads.evaluate(point), thread);
    });
  });
  return result;
}

absl::Status verify(CudaDriver &gpu, const TextbookCase &kernel) {
  auto function = load(gpu, kernel);
  if (!function.ok()) return function.status();
  auto operands = Operands::of(gpu, kernel, /*isNumbered=*/true);
  if (!operands.ok()) return operands.status();
  auto wanted = expected(kernel);
  if (!wanted.ok()) return wanted.status();
  const LaunchSize size = launchSize(kernel.threads);
  auto run = gpu.launch(*function, size.grid, size.block,
                        operands->arguments(size.threads()));
  if (!run.ok()) return run.status();
  std::vector<int64_t> sums(wanted->sums.size());
  auto status = gpu.read(sums.data(), operands->out(), sums.size() * 8);
  auto compare = [&](const char *what, auto &got, const auto &want) {
    for (size_t i = 0; i < got.size() && status.ok(); ++i)
      if (got[i] != want[i])
        status = absl::InternalError(
            "`" + kernel.name + "`: " + what + " " + std::to_string(i) +
            " is " + std::to_string(got[i]) + ", and should be " +
            std::to_string(want[i]));
  };
  if (status.ok()) compare("the sum of thread", sums, wanted->sums);
  if (status.ok() && kernel.write) {
    std::vector<int32_t> written(wanted->written.size());
    status = gpu.read(written.data(), operands->written(), written.size() * 4);
    if (status.ok()) compare("written element", written, wanted->written);
  }
  return status;
}

absl::StatusOr<double> measure(CudaDriver &gpu, const TextbookCase &kernel,
                               int repetitions) {
  auto function = load(gpu, kernel);
  if (!function.ok()) return function.status();
  auto operands = Operands::of(gpu, kernel, /*isNumbered=*/false);
  if (!operands.ok()) return operands.status();
  auto scratch = gpu.allocate(kScratchBytes);
  if (!scratch.ok()) return scratch.status();
  const LaunchSize size = launchSize(kernel.threads);
  std::vector<double> times;
  for (int i = 0; i <= repetitions; ++i) {
    if (auto status = gpu.fill(*scratch, 0, kScratchBytes); !status.ok())
      return status;
    auto ms = gpu.launch(*function, size.grid, size.block,
                         operands->arguments(/*kept=*/0));
    if (!ms.ok()) return ms.status();
    if (i > 0) times.push_back(*ms);  // the first one loads the kernel
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  return times[times.size() / 2];
}

}  // namespace gpu
}  // namespace indexical

#include "indexical/cost/launch/ideal_time.h"

#include <algorithm>
#include <map>
#include <vector>

#include "indexical/indexing/arithmetic.h"

namespace indexical {

namespace {

int64_t sum(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

}  // namespace

int64_t neededBytes(const KernelAccesses &kernel, const KernelTraffic &traffic,
                    const Device &device, llvm::ArrayRef<size_t> firstBuffers) {
  std::vector<int64_t> ofBuffer(kernel.buffers.size());
  std::vector<int64_t> wholeOf(kernel.buffers.size());
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      const size_t own = of.access.buffer;
      const size_t buffer = own < firstBuffers.size() ? firstBuffers[own] : own;
      wholeOf[buffer] = of.bytes;
      const int64_t touched =
          of.figures ? checkedMul(std::min(of.figures->distinctSectors.most,
                                           of.figures->least().sectors),
                                  device.sector)
                           .value_or(INT64_MAX)
                     : of.bytes;
      ofBuffer[buffer] = sum(ofBuffer[buffer], touched);
    }
  int64_t needed = 0;
  for (size_t b = 0; b < ofBuffer.size(); ++b)
    needed = sum(needed, std::min(ofBuffer[b], wholeOf[b]));
  return needed;
}

std::vector<size_t> firstOperandLeaves(const Computation &computation,
                                       const Instruction &instruction) {
  std::map<InstructionId, size_t> begins;
  std::vector<size_t> first;
  for (InstructionId operand : instruction.operands) {
    const size_t begin =
        begins.try_emplace(operand, first.size()).first->second;
    const int64_t leaves = computation.instructions[operand].shape.leafCount();
    for (LeafId leaf; leaf < leaves; ++leaf)
      first.push_back(begin + static_cast<size_t>(leaf));
  }
  return first;
}

double peakOperations(const Device &device, int64_t bits) {
  const ProductRates &rates = device.products;
  const int64_t giga = bits > 32   ? rates.bits64
                       : bits > 16 ? rates.bits32
                       : bits > 8  ? rates.bits16
                                   : rates.bits8;
  return static_cast<double>(giga) * 1e9;
}

double idealTime(int64_t neededBytes, const Operations &operations,
                 const Device &device) {
  double microseconds = 0;
  if (device.gigabytes > 0)
    microseconds = static_cast<double>(neededBytes) /
                   static_cast<double>(device.gigabytes) * 1e-3;
  const double rate = peakOperations(device, operations.bits);
  if (operations.count > 0 && rate > 0)
    microseconds = std::max(microseconds, operations.count / rate * 1e6);
  return microseconds;
}

}  // namespace indexical

#include "indexical/analysis/memory/device.h"

namespace indexical {
namespace {

// Sectors and lines of NVIDIA's devices are those of every one since Pascal.
constexpr char kNvidia[] =
    "NVIDIA, CUDA C++ Best Practices Guide, \"Coalesced Access to Global "
    "Memory\" (32-byte transactions); Nsight Compute, Kernel Profiling Guide, "
    "\"Memory Tables\" (a cache line is four sectors of 32 bytes)";
constexpr char kCdna2[] =
    "AMD, CDNA 2 white paper, \"Memory hierarchy\" (64-byte lines of the "
    "vector L1 cache, 128-byte lines of the L2 cache); MI200 ISA guide "
    "(wavefronts of 64)";
constexpr char kCdna3[] =
    "AMD, CDNA 3 white paper (128-byte lines of the vector L1 and L2 caches, "
    "64-byte lines of the Infinity Cache); MI300 ISA guide (wavefronts of 64)";

constexpr Device kDevices[] = {
    {"a100", 32, 32, 128, 16, kNvidia},    {"b200", 32, 32, 128, 16, kNvidia},
    {"h100", 32, 32, 128, 16, kNvidia},    {"h200", 32, 32, 128, 16, kNvidia},
    {"l4", 32, 32, 128, 16, kNvidia},      {"mi250x", 64, 64, 128, 16, kCdna2},
    {"mi300x", 64, 64, 128, 16, kCdna3},   {"p100", 32, 32, 128, 16, kNvidia},
    {"rtx4090", 32, 32, 128, 16, kNvidia}, {"t4", 32, 32, 128, 16, kNvidia},
    {"v100", 32, 32, 128, 16, kNvidia},
};

}  // namespace

llvm::ArrayRef<Device> devices() { return kDevices; }

const Device *findDevice(llvm::StringRef name) {
  for (const Device &device : kDevices)
    if (name.equals_insensitive(device.name)) return &device;
  return nullptr;
}

const Device &defaultDevice() { return *findDevice("h100"); }

}  // namespace indexical

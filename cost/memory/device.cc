#include "indexical/cost/memory/device.h"

namespace indexical {
namespace {

// Sectors and lines of NVIDIA's devices are those of every one since Pascal.
constexpr char kNvidia[] =
    "NVIDIA, CUDA C++ Best Practices Guide, \"Coalesced Access to Global "
    "Memory\" (32-byte transactions); Nsight Compute, Kernel Profiling Guide, "
    "\"Memory Tables\" (a cache line is four sectors of 32 bytes)";
constexpr char kBlackwell[] =
    "NVIDIA, CUDA C++ Best Practices Guide (as before); PTX ISA 8.8, `ld` "
    "(256-bit vectors of global memory on sm_100)";
constexpr char kCdna2[] =
    "AMD, CDNA 2 white paper, \"Memory hierarchy\" (64-byte lines of the "
    "vector L1 cache, 128-byte lines of the L2 cache); MI200 ISA guide "
    "(wavefronts of 64)";
constexpr char kCdna3[] =
    "AMD, CDNA 3 white paper (128-byte lines of the vector L1 and L2 caches, "
    "64-byte lines of the Infinity Cache); MI300 ISA guide (wavefronts of 64)";
constexpr char kCdna4[] =
    "AMD, CDNA 4 white paper (128-byte lines of the vector L1 and L2 caches, "
    "64-byte lines of the Infinity Cache); CDNA 4 ISA guide (wavefronts of 64)";

// Cores, their threads, shared memory.
constexpr char kXla[] =
    "XLA, xla/backends/gpu/target_config/specs (August 2026)";
constexpr char kCuda[] =
    "vendor's figures: NVIDIA's data sheet (multiprocessors); CUDA C++ "
    "Programming Guide, \"Compute Capabilities\" (threads of a multiprocessor, "
    "48 KB a block)";
constexpr char kAmd[] =
    "vendor's figures: AMD's data sheet (compute units); HIP, \"Hardware "
    "features\" (2048 threads of a compute unit, 64 KB of LDS)";

// Limits of what blocks may ask for, and registers.
constexpr char kBlocksCuda[] =
    "vendor's figures: NVIDIA, CUDA C++ Programming Guide, \"Compute "
    "Capabilities\" (maximum amount of shared memory per thread block and per "
    "multiprocessor; 64 K registers of a multiprocessor)";
constexpr char kBlocksAmd[] =
    "vendor's figures: HIP, \"Hardware features\" (LDS and vector registers of "
    "a compute unit)";

// Bandwidth, boosted clock, the last shared cache (L2, or AMD's Infinity
// Cache), dense matrix products: no compiler's table is needed for them. mi250x
// is one of the two dies, as a program sees it.
constexpr char kSheet[] =
    "vendor's figures: the device's data sheet and white paper";

// The measured rates. A device that was not measured has the rates of its
// vendor's nearest one.
constexpr Rates kH100Rates = {
    1.0,
    0.91,
    0.91,
    0.82,
    0.6,
    16,
    0,
    "NVIDIA H100 SXM, driver 580: 25 textbook kernels "
    "(benchmarks/gpu:gpu_benchmark)"};
constexpr Rates kAsH100 = {1.0, 0.91, 0.91, 0.82,
                           0.6, 16,   0,    "taken from an NVIDIA H100"};
constexpr Rates kMi300xRates = {
    3.0,
    0.89,
    0.56,
    0.54,
    0.6,
    3,
    1.15,
    "AMD MI300X: profiles of XLA's kernels, sums of rows (reads), sums of "
    "arrays (writes), sines; products reach 35 to 73%. Reads at once are those "
    "of an MI355X"};
constexpr Rates kMi355xRates = {
    3.0,
    0.92,
    0.70,
    0.35,
    0.6,
    3,
    1.15,
    "AMD MI355X: a profile of attention, sums and conversions (reads, writes), "
    "a column reduction of 64 blocks (reads at once), its projections "
    "(products reach 27 to 43%); sines are those of an MI300X"};
constexpr Rates kAsMi300x = {3.0, 0.89, 0.56, 0.54,
                             0.6, 3,    1.15, "taken from an AMD MI300X"};
constexpr Rates kAsMi355x = {3.0, 0.92, 0.70, 0.35,
                             0.6, 3,    1.15, "taken from an AMD MI355X"};

constexpr Vendor kGreen = Vendor::Nvidia, kRed = Vendor::Amd;

// clang-format off
constexpr Device kDevices[] = {
    {"a100", 32, 32, 128, 16, kNvidia, kGreen, 108, 2048, 48 << 10, 1555, true, kXla, kSheet, 1410, 40 << 20, {19500, 156000, 312000, 624000}, 192 << 10, kAsH100, {163 << 10, 164 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"a6000", 32, 32, 128, 16, kNvidia, kGreen, 84, 1536, 48 << 10, 768, true, kXla, kSheet, 1800, 6 << 20, {605, 77400, 154800, 309700}, 128 << 10, kAsH100, {99 << 10, 100 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"b200", 32, 32, 128, 32, kBlackwell, kGreen, 148, 2048, 48 << 10, 8000, true, kXla, kSheet, 1965, 126 << 20, {40000, 1125000, 2250000, 4500000}, 256 << 10, kAsH100, {227 << 10, 228 << 10, 1 << 16, 64, 0.63, kBlocksCuda}},
    {"h100", 32, 32, 128, 16, kNvidia, kGreen, 132, 2048, 48 << 10, 3350, true, kXla, kSheet, 1830, 50 << 20, {67000, 494700, 989400, 1978900}, 256 << 10, kH100Rates, {227 << 10, 228 << 10, 1 << 16, 64, 0.63, kBlocksCuda}},
    {"h100pcie", 32, 32, 128, 16, kNvidia, kGreen, 114, 2048, 48 << 10, 2000, true, kXla, kSheet, 1755, 50 << 20, {51000, 378000, 756000, 1513000}, 256 << 10, kAsH100, {227 << 10, 228 << 10, 1 << 16, 64, 0.63, kBlocksCuda}},
    {"h200", 32, 32, 128, 16, kNvidia, kGreen, 132, 2048, 48 << 10, 4800, true, kXla, kSheet, 1830, 50 << 20, {67000, 494700, 989400, 1978900}, 256 << 10, kAsH100, {227 << 10, 228 << 10, 1 << 16, 64, 0.63, kBlocksCuda}},
    {"l4", 32, 32, 128, 16, kNvidia, kGreen, 58, 1536, 48 << 10, 300, false, kCuda, kSheet, 2040, 48 << 20, {490, 60000, 121000, 242000}, 128 << 10, kAsH100, {99 << 10, 100 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"mi210", 64, 64, 128, 16, kCdna2, kRed, 104, 2048, 64 << 10, 1638, true, kXla, kSheet, 1700, 8 << 20, {45300, 45300, 181000, 181000}, 16 << 10, kAsMi300x, {64 << 10, 64 << 10, 1 << 17, 32, 0.5, kBlocksAmd}},
    {"mi250x", 64, 64, 128, 16, kCdna2, kRed, 110, 2048, 64 << 10, 1638, true, kXla, kSheet, 1700, 8 << 20, {47850, 47850, 191500, 191500}, 16 << 10, kAsMi300x, {64 << 10, 64 << 10, 1 << 17, 32, 0.5, kBlocksAmd}},
    {"mi300x", 64, 64, 128, 16, kCdna3, kRed, 304, 2048, 64 << 10, 5300, false, kAmd, kSheet, 2100, 256 << 20, {163400, 163400, 1307400, 2614900}, 32 << 10, kMi300xRates, {64 << 10, 64 << 10, 1 << 17, 32, 0.5, kBlocksAmd}},
    {"mi350", 64, 64, 128, 16, kCdna4, kRed, 256, 2048, 160 << 10, 8000, true, kXla, kSheet, 2200, 256 << 20, {72100, 144200, 2306900, 4613700}, 32 << 10, kAsMi355x, {160 << 10, 160 << 10, 1 << 17, 32, 0.5, kBlocksAmd}},
    {"mi355x", 64, 64, 128, 16, kCdna4, kRed, 256, 2048, 160 << 10, 8000, false, kAmd, kSheet, 2400, 256 << 20, {78600, 157300, 2516600, 5033200}, 32 << 10, kMi355xRates, {160 << 10, 160 << 10, 1 << 17, 32, 0.5, kBlocksAmd}},
    {"p100", 32, 32, 128, 16, kNvidia, kGreen, 56, 2048, 48 << 10, 732, false, kCuda, kSheet, 1480, 4 << 20, {5300, 10600, 21200, 21200}, 24 << 10, kAsH100, {48 << 10, 64 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"rtx4090", 32, 32, 128, 16, kNvidia, kGreen, 128, 1536, 48 << 10, 1008, false, kCuda, kSheet, 2520, 72 << 20, {1290, 82600, 165200, 330300}, 128 << 10, kAsH100, {99 << 10, 100 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"t4", 32, 32, 128, 16, kNvidia, kGreen, 40, 1024, 48 << 10, 320, false, kCuda, kSheet, 1590, 4 << 20, {254, 8100, 65000, 130000}, 96 << 10, kAsH100, {64 << 10, 64 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
    {"v100", 32, 32, 128, 16, kNvidia, kGreen, 80, 2048, 48 << 10, 900, true, kXla, kSheet, 1530, 6 << 20, {7800, 15700, 125000, 125000}, 128 << 10, kAsH100, {96 << 10, 96 << 10, 1 << 16, 32, 0.5, kBlocksCuda}},
};
// clang-format on

}  // namespace

llvm::ArrayRef<Device> devices() { return kDevices; }

const Device *findDevice(llvm::StringRef name) {
  for (const Device &device : kDevices)
    if (name.equals_insensitive(device.name)) return &device;
  return nullptr;
}

const Device &defaultDevice() { return *findDevice("h100"); }

}  // namespace indexical

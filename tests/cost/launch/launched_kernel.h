// A kernel of a module, launched as XLA's emitters do, to be run thread by
// thread.
//
//   ENTRY e { p = f32[8] parameter(0) ROOT r = f32[8] negate(p) }
//     a block of 8 threads, each of which reads p[th_x] and writes r[th_x]
//
// Maps are evaluated at points. No code is shared with the library's analysis.
#ifndef INDEXICAL_TESTS_COST_LAUNCH_LAUNCHED_KERNEL_H
#define INDEXICAL_TESTS_COST_LAUNCH_LAUNCHED_KERNEL_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/cost/memory/simulator.h"
#include "tests/support/random.h"

namespace indexical::testing {

using Numbers = std::vector<int64_t>;

/// Returns the map from the threads of an access to the index of its array. It
/// requires that the access's own map is the identity.
inline IndexingMap threadsOfAccess(const Kernel &kernel,
                                   const MemoryAccess &access) {
  auto threads = threadsOf(kernel.launches[access.launch], 1);
  EXPECT_TRUE(threads.ok());
  return *threads;
}

inline int64_t numberOf(const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> index) {
  int64_t number = 0;
  for (size_t k = 0; k < index.size(); ++k)
    number = number * shape.dimensions[k] + index[k];
  return number;
}

struct Launched {
  explicit Launched(const std::string &text, const Device &device)
      : device(device) {
    auto parsed = parseHlo(text, "test.hlo");
    EXPECT_TRUE(parsed.ok()) << parsed.status().message() << '\n' << text;
    if (!parsed.ok()) return;
    program = *std::move(parsed);
    const Module &module = program.modules[0];
    ProgramIndexing maps(module);
    LaunchChoice choice;
    choice.xla = &device;
    const auto sites = kernelSites(module);
    auto found = kernelAt(maps, sites.back(), choice);
    EXPECT_TRUE(found.ok()) << found.status().message();
    if (!found.ok()) return;
    kernel = *std::move(found);
    ok = !kernel.bytesOnly;
  }

  void visitBlocks(const std::function<void(const Numbers &)> &visit) const {
    const auto &blocks = kernel.grid->blocks;
    for (int64_t z = 0; z < blocks[2]; ++z)
      for (int64_t y = 0; y < blocks[1]; ++y)
        for (int64_t x = 0; x < blocks[0]; ++x) visit({x, y, z});
  }

  const ArrayShape &bufferOf(const MemoryAccess &access) const {
    return kernel.buffers[access.buffer];
  }

  void write(const MemoryAccess &access, llvm::ArrayRef<int64_t> index,
             int64_t value) {
    const int64_t number = numberOf(bufferOf(access), index);
    auto [entry, isNew] = written.insert({number, value});
    EXPECT_TRUE(isNew) << "written twice: " << number;
  }

  /// Figures and conflicts, as they are counted one by one.
  enum class Of { All, Reads };
  void checkFigures(Of which = Of::All) const {
    TrafficMeter meter(device);
    const KernelTraffic traffic = meter.measure(kernel);
    const Machine machine{device.warp, device.sector, device.line,
                          device.vectorBytes};
    for (const auto *accesses : {&traffic.reads, &traffic.writes})
      for (const Traffic &of : *accesses) {
        if (accesses == &traffic.writes && which == Of::Reads) continue;
        ASSERT_TRUE(of.figures.has_value());
        const Simulated all =
            simulate(of.access.map, bufferOf(of.access),
                     traffic.threads[of.access.launch], machine,
                     /*runtime=*/nullptr, /*vector=*/0,
                     accesses == &traffic.writes || of.access.byWarps
                         ? BlockReads::EachWarp
                         : BlockReads::Once);
        const AccessFigures &figures = *of.figures;
        EXPECT_EQ(figures.vector, all.vector);
        EXPECT_EQ(figures.accesses.most, all.accesses);
        EXPECT_EQ(figures.sectors.most, all.sectors);
        EXPECT_EQ(figures.distinctSectors.most, all.distinctSectors);
        EXPECT_EQ(figures.wastedBytes.most, all.wastedBytes);
        EXPECT_TRUE(figures.exact);
      }
    ASSERT_EQ(traffic.conflicts.size(), kernel.shared.size());
    for (size_t k = 0; k < kernel.shared.size(); ++k) {
      const SharedTile &tile = kernel.shared[k];
      const int64_t bits = elementBits(tile.shape);
      EXPECT_EQ(traffic.conflicts[k],
                std::max(simulateBanks(tile.written, bits),
                         simulateBanks(tile.read, bits)));
    }
  }

  const Device &device;
  Program program;
  Kernel kernel;
  bool ok = false;
  std::map<int64_t, int64_t> written;  ///< number of an element, its value
};

inline std::string listOf(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

inline uint64_t kernelsOfEach() {
  return fromEnvironment("INDEXICAL_KERNELS", 12);
}
inline uint64_t firstSeed() { return fromEnvironment("INDEXICAL_SEED", 1); }

constexpr const char *kDevices[] = {"a6000", "h100", "mi300x"};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_LAUNCH_LAUNCHED_KERNEL_H

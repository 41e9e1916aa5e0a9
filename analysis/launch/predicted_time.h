// Predicted time: how long one launch of a kernel takes, by a model.
//
//   copy of f32[16777216] on an h100: 67.1 MB are read, as much is written
//     memory    134.2 MB at 3350 GB a second                  40.1 us
//     cache     134.2 MB through the shared cache             17.4 us
//     waves     16 of 2112 blocks, 0.7 us each                11.2 us
//     time      what takes longest, and 2 us for the launch   42.1 us
//
// Kernels that move bytes are bound by one resource at a time, so the time is
// that of the one that takes longest:
//
//   memory      bytes between memory and the cache: each sector of a launch
//               once, and again where the cache is not expected to keep it
//   cache       bytes between the cache and all cores: every sector of every
//               access
//   cores       the same of the core that has most blocks: a grid that does
//               not fill the device, or its last wave, leaves some idle
//   waves       blocks that are on the device at once wait for memory once
//   operations  of matrix products (operations.h)
//
// A sector that is touched again stays in the cache where all sectors of the
// launch fit into it, or else those that are touched in between: they are
// counted in a window of the launch, the blocks of one wave and so many values
// of their outermost loop as fit. Accesses share the cache by what they touch.
//
// What a model like this leaves out stands in docs/time.md.
//
// Laws (tests/analysis/predicted_time_test.cc): more bytes, operations or
// blocks never take less time, a faster device never more; the time is no less
// than the launch, and distinct sectors at full bandwidth.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_PREDICTED_TIME_H
#define INDEXICAL_ANALYSIS_LAUNCH_PREDICTED_TIME_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/launch/kernels.h"
#include "indexical/analysis/launch/operations.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/traffic.h"

namespace indexical {

/// What one launch asks of a device.
struct Demand {
  int64_t blocks = 0;      ///< 0: not known, and as many as fill the device
  int64_t threads = 1;     ///< of a block
  double memoryBytes = 0;  ///< between memory and the cache
  double cacheBytes = 0;   ///< between the cache and the cores
  Operations operations = {};
};

/// What takes longest.
enum class TimeLimit : uint8_t { Memory, Cache, Cores, Waves, Operations };
/// `memory`, `cache`…
llvm::StringRef nameOf(TimeLimit limit);

/// Microseconds.
struct PredictedTime {
  double launch = 0, memory = 0, cache = 0, cores = 0, waves = 0,
         operations = 0;
  TimeLimit limit = TimeLimit::Memory;
  double total() const;
};

/// Blocks of so many threads that the device holds at once.
int64_t blocksAtOnce(int64_t threads, const Device &device);

PredictedTime predictedTime(const Demand &demand, const Device &device);

/// What accesses ask of the device that their traffic was measured on; where a
/// figure has bounds, the most. Those without figures move all bytes of their
/// arrays. The grid is that of the launch with most blocks.
Demand demandOf(const KernelAccesses &kernel, const KernelTraffic &traffic,
                const Device &device, const CoalescingOptions &options = {});

/// The same of a module's kernel, with its grid and its operations. Nothing
/// where what runs it is not known.
std::optional<Demand> demandOf(const Module &module, const Kernel &kernel,
                               const KernelTraffic &traffic,
                               const Device &device,
                               const CoalescingOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_PREDICTED_TIME_H

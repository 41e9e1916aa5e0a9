// Devices: the lanes of a warp, the units in which memory is moved, and the
// limits of a launch.
//
//   h100     warps of 32 lanes, sectors of 32 bytes, lines of 128 bytes,
//            132 cores of 2048 threads, 3350 GB a second, a cache of 50 MiB
//   mi300x   wavefronts of 64 lanes, requests of 64 bytes, lines of 128 bytes,
//            304 cores of 2048 threads, 5300 GB a second
//
// A *sector* is the smallest unit that an access to global memory moves, a
// *line* the unit for which the cache keeps one tag. If a vendor counts
// requests of several sizes, the sector is the smallest that a full wavefront
// uses.
//
// A *core* is a streaming multiprocessor, or a compute unit. The figures that a
// compiler assumes when it chooses a launch come from the compiler's own table
// (`compilerKnows`); figures that this table lacks are the vendor's.
#ifndef INDEXICAL_COST_MEMORY_DEVICE_H
#define INDEXICAL_COST_MEMORY_DEVICE_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

enum class Vendor : uint8_t { Nvidia, Amd };

/// Peak matrix throughput in Gop/s, by the bits of an element. The 32-bit entry
/// is the TF32 rate where the device has TF32.
struct ProductRates {
  int64_t bits64 = 0, bits32 = 0, bits16 = 0, bits8 = 0;
};

/// The shares of the data sheet's figures that launches reach, and further
/// costs of a launch.
struct Rates {
  double launchMicroseconds = 0;         ///< of a kernel that does nothing
  double readShare = 0, writeShare = 0;  ///< of the bandwidth
  double productShare = 0;               ///< of the rates of matrix products
  double waitMicroseconds = 0;           ///< for a read that goes to memory
  double readsAtOnce = 0;                ///< of one thread, under way together
  /// Sines and powers per clock, of a core; 0: not measured, and not counted.
  double hardAClock = 0;
  llvm::StringRef source = {};  ///< the measurement
};

/// The resources of a core for the blocks that it runs. They count if a kernel
/// asks for more than every block is guaranteed.
struct BlockMemory {
  int64_t blockShared = 0;  ///< bytes of shared memory that a block may ask for
  int64_t coreShared = 0;   ///< bytes of a core
  int64_t registers = 0;    ///< words of a core
  /// A matrix product whose M and N are both below this size reaches only
  /// fewRowsShare of the peak rate.
  int64_t fewRows = 0;
  double fewRowsShare = 1;
  llvm::StringRef source = {};  ///< that of shared memory and registers
};

struct Device {
  llvm::StringRef name;
  int64_t warp = 32;         ///< lanes
  int64_t sector = 32;       ///< bytes
  int64_t line = 128;        ///< bytes, a multiple of the sector
  int64_t vectorBytes = 16;  ///< the most that one lane moves at once
  llvm::StringRef source;    ///< the public document that says so
  Vendor vendor = Vendor::Nvidia;
  int64_t cores = 0;
  int64_t coreThreads = 0;  ///< that a core holds at once
  int64_t sharedBytes = 0;  ///< of shared memory that a block has for certain
  int64_t gigabytes = 0;    ///< a second, between memory and the chip
  /// Whether the cores, their threads and the shared memory are those of XLA's
  /// table of targets; else they are the vendor's figures.
  bool compilerKnows = false;
  llvm::StringRef launchSource = {};  ///< that of cores, threads, shared memory
  llvm::StringRef speedSource = {};  ///< that of bandwidth, clock, cache, rates
  int64_t megahertz = 0;             ///< boosted
  int64_t cacheBytes = 0;  ///< that all cores share, in front of memory
  ProductRates products = {};
  int64_t coreCacheBytes = 0;  ///< in each core, shared memory included
  Rates rates = {};            ///< internals/time.md says how they were found
  BlockMemory blocks = {};

  /// Banks of shared memory, each of 32 bits: lanes that ask for different
  /// words of one bank are serialized.
  static constexpr int64_t kBanks = 32;
};

/// The unit in which memory is transferred, in bytes (source:
/// docs/internals/time.md).
constexpr int64_t kMemoryPiece = 64;

/// Returns all devices that are known, by name.
llvm::ArrayRef<Device> devices();

/// Returns the device of that name (case does not count), or null if there is
/// none.
const Device *findDevice(llvm::StringRef name);

/// Returns the default device, for a command that does not name one.
const Device &defaultDevice();

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_DEVICE_H

// Devices: what a warp is, and in what pieces memory is moved.
//
//   h100     warps of 32 lanes, sectors of 32 bytes, lines of 128 bytes
//   mi300x   wavefronts of 64 lanes, requests of 64 bytes, lines of 128 bytes
//
// A *sector* is the least that an access to global memory moves, a *line* what
// the cache keeps one tag for. Where a vendor counts requests of several sizes
// the smallest that a full wavefront uses is taken for the sector.
#ifndef INDEXICAL_ANALYSIS_MEMORY_DEVICE_H
#define INDEXICAL_ANALYSIS_MEMORY_DEVICE_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct Device {
  llvm::StringRef name;
  int64_t warp = 32;         ///< lanes
  int64_t sector = 32;       ///< bytes
  int64_t line = 128;        ///< bytes, a multiple of the sector
  int64_t vectorBytes = 16;  ///< the most that one lane moves at once
  llvm::StringRef source;    ///< the public document that says so
};

/// All that are known, by name.
llvm::ArrayRef<Device> devices();

/// Null where there is none of that name (case does not count).
const Device *findDevice(llvm::StringRef name);

/// The device of a command that names none.
const Device &defaultDevice();

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_DEVICE_H

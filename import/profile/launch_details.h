// The text by which a profile describes a launch, read into numbers.
//
//   CUPTI          regs:12 static_shared:0 dynamic_shared:0 grid:3,1,1
//                  block:128,1,1 occ_pct:100
//   CUPTI, 2020    regs:38 shm:0 grid:160,1,1 block:1024,1,1
//   rocprofiler     grid:65536,1,1 block:256,1,1 private_mem:0 group_mem:0
//                  occ_pct:0
//
// Keys come in any order, with blanks or new lines between; one that is not
// known is passed over. An old tracer of AMD wrote the halves of a pointer as
// registers and shared memory. No GPU has more than 512 registers a thread, so
// both are left out if there are more: the shared memory may look possible.
// Grid and block were right even there.
#ifndef INDEXICAL_IMPORT_PROFILE_LAUNCH_DETAILS_H
#define INDEXICAL_IMPORT_PROFILE_LAUNCH_DETAILS_H

#include <array>
#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace indexical {

struct LaunchDetails {
  /// Blocks of the grid, and threads of a block, along x, y and z.
  std::optional<std::array<int64_t, 3>> grid, block;
  std::optional<int64_t> registers;    ///< of a thread; AMD gives none
  std::optional<int64_t> sharedBytes;  ///< of a block, static and dynamic
  /// Per cent of the threads that a core can hold. AMD writes 0 for unknown,
  /// which is left out.
  std::optional<int64_t> occupancy;
};

/// Returns the details in the text. A key whose value is not a number, or is
/// negative, is skipped.
LaunchDetails launchDetailsOf(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_PROFILE_LAUNCH_DETAILS_H

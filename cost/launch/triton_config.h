// The launch of a fusion as a dump's backend_config states it.
//
//   {"fusion_backend_config": {"kind": "__triton",
//     "block_level_fusion_config": {
//       "output_tiles": [{"sizes": ["1", "512"]}], "num_warps": "4",
//       "num_tiles_per_pid": "2"}}}
//
//   kind __triton, tiles {{1, 512}}, 4 warps, 2 tiles of a program
#ifndef INDEXICAL_COST_LAUNCH_TRITON_CONFIG_H
#define INDEXICAL_COST_LAUNCH_TRITON_CONFIG_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct TritonConfig {
  std::vector<llvm::SmallVector<int64_t, 4>> tiles;  ///< one a root
  int64_t warps = 4;
  int64_t tilesOfProgram = 1;  ///< `num_tiles_per_pid`
};

struct FusionConfig {
  std::string kind;  ///< `__triton`, or empty
  bool hasTiles = false;
  TritonConfig triton;
};

/// Returns the configuration in the text of a backend_config, as a dump or a
/// test writes it: JSON, a string of JSON, or names without quotation marks.
/// Fields that the text does not have keep their defaults.
FusionConfig readFusionConfig(llvm::StringRef backendConfig);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_TRITON_CONFIG_H

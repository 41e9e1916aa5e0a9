// Emitters: XLA:GPU's code generators, and which of them compiles a fusion.
//
//   transpose of f32[64,32] behind negate     Transpose
//   reduce of f32[8,2048] along rows          RowReduction
//   add, broadcast, slice…                    Loop
//
// The choice follows the body of the kernel and the device, and nothing else:
// not `kind=kLoop`. If a dump's `backend_config` names the emitter (Triton,
// cuDNN), it is that one.
//
// Law (tests/cost/launch/launch_cases_test.cc): the emitter and its thread maps
// are those that XLA's own tests expect.
#ifndef INDEXICAL_COST_LAUNCH_EMITTER_H
#define INDEXICAL_COST_LAUNCH_EMITTER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/cost/launch/fusion_body.h"
#include "indexical/cost/launch/heroes.h"
#include "indexical/cost/launch/triton_config.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

enum class Emitter : uint8_t {
  Loop,
  Concatenate,
  DynamicUpdateSlice,
  Transpose,
  PackedTranspose,
  RowReduction,
  MultiRowReduction,
  ColumnReduction,
  SmallColumnReduction,
  Scatter,
  ScatterByIndices,
  Sort,
  Memcpy,
  Triton,
  Library,
  Unknown,
};

/// Returns the emitter's word in keys.md: `row_reduction`.
llvm::StringRef nameOf(Emitter emitter);
/// Returns whether the emitter puts a tile through shared memory, or reduces in
/// it.
bool isTiling(Emitter emitter);

struct EmitterChoice {
  Emitter emitter = Emitter::Unknown;
  std::string reason;  ///< why nothing more is known
  /// For each root, the instruction that the emitter tiles for it. A root that
  /// is not tiled is computed as a side output, from the elements that the
  /// others read.
  struct Hero {
    InstructionId instruction;
    bool isTiled = false;
  };
  std::vector<Hero> heroes = {};
  std::vector<TiledTranspose> transposes = {};  ///< of the heroes, each once
  std::vector<TiledReduction> reductions = {};
  std::optional<TritonConfig> triton = {};
};

EmitterChoice chooseEmitter(const FusionBody &body, const Device &device);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_EMITTER_H

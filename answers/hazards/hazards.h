// Instructions whose result shares memory with an operand, and whether that is
// safe.
//
//   HloModule m, is_scheduled=true
//   ENTRY e { n = f32[4] negate(p), c = f32[4] copy(n)
//             ROOT d = f32[4] dynamic-update-slice(c, v, z) }
//
//   c    needless copy: the module without it is known to compute the same
//   d    safe in place: not read
//
// cost/hazards/hazards.h says what a place is, and what the words mean.
#ifndef INDEXICAL_ANSWERS_HAZARDS_HAZARDS_H
#define INDEXICAL_ANSWERS_HAZARDS_HAZARDS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/memory/device.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct HazardsQuestion {
  /// If not empty, only these pairs are checked. Each must be in one of the
  /// modules.
  std::vector<HazardShare> shares;
  const Device *device = nullptr;  ///< null: defaultDevice()
};

struct ModulePlace {
  const Module *module = nullptr;
  size_t number = 0;  ///< of the module
  HazardPlace place;
  const Device *device = nullptr;

  const Computation &computation() const {
    return module->computations[place.computation];
  }
  const Instruction &instruction() const {
    return computation().instructions[place.instruction];
  }
  /// Returns the time of the copy on the device; nothing if the place is
  /// not a copy.
  std::optional<double> predictedUs() const;
};

/// The places of a program, to which it refers.
struct ProgramHazards {
  std::vector<ModulePlace> places;  ///< in the order of the file
  bool isScheduled = false;         ///< whether all modules are
  /// The number of places, by HazardAnswer.
  std::array<int64_t, size_t(HazardAnswer::Hazard) + 1> counts = {};

  int64_t countOf(HazardAnswer answer) const { return counts[size_t(answer)]; }
};

/// Reads `f{0}=1{}`. Returns nothing for another text.
std::optional<HazardShare> parseShare(llvm::StringRef text);

/// Returns the places of all modules. Returns an error for a pair that no
/// module has.
absl::StatusOr<ProgramHazards> hazardsIn(const Program &program,
                                         const HazardsQuestion &question,
                                         const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_HAZARDS_HAZARDS_H

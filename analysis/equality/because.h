// The instruction that stands in the way of an answer about two modules.
//
//   because of `cc.3` (custom-call), line 17 of the first: it is not known
#ifndef INDEXICAL_ANALYSIS_EQUALITY_BECAUSE_H
#define INDEXICAL_ANALYSIS_EQUALITY_BECAUSE_H

#include <cstdint>
#include <string>
#include <utility>

#include "indexical/program/program.h"

namespace indexical {

/// The instruction that stands in the way of an answer.
struct Because {
  int32_t module = 0;  ///< 0: of the first
  std::string computation, instruction, opcode;
  int32_t line = 0;
  std::string reason;  ///< what is not known of it
};

/// Returns the answer's `because` at an instruction of `in`, which is the first
/// module (0) or the second one (1).
inline Because becauseAt(const Module &in, int32_t module, int32_t computation,
                         int32_t instruction, std::string reason) {
  const Computation &of = in.computations[computation];
  const Instruction &at = of.instructions[instruction];
  const auto line = static_cast<int32_t>(at.place.line);
  return {module,          of.name.str(), at.name.str(),
          at.opcode.str(), line,          std::move(reason)};
}

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_BECAUSE_H

// Reads that a simplification drops on purpose.
//
//   before   c = pred[] constant(true)
//            s = f32[4] select(c, p, q)          reads p and q
//            z = s32[4] multiply(x, zero)        reads x
//   dropped  s reads p alone, z reads nothing
//
// These laws are applied if the constant is the same at every index:
//
//   select on a constant            the operand that it chooses
//   an integer multiplied by zero   zero
//
// Both hold for all values. `multiply(x, 0)` of floats is no law: x may be
// infinite, or no number.
//
// Law (tests/analysis/fewer_reads_test.cc): in every execution the module has
// the same results as before.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_DROPPED_READS_H
#define INDEXICAL_ANALYSIS_EQUALITY_DROPPED_READS_H

#include <cstdint>
#include <string>
#include <vector>

#include "indexical/module/program.h"

namespace indexical {

/// An instruction to which a law applies.
struct DroppedRead {
  std::string computation, instruction;
  int32_t line = 0;
  std::string law;  ///< `select on a constant`
};

/// The module after all of the laws, and the instructions to which they
/// applied. Its names view the same text as those of `module`.
struct ModuleAfterLaws {
  Module module;
  std::vector<DroppedRead> applied;
};
ModuleAfterLaws dropReads(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_DROPPED_READS_H

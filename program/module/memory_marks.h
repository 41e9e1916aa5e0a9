// A module's statements about memory: which results share the memory of an
// operand.
//
//   HloModule step, input_output_alias={ {0}: (1, {}, must-alias) },
//                   buffer_donor={ (3, {}) }
//   c = f32[4] custom-call(n), output_to_operand_aliasing={{}: (0, {})}
//
//   results     {result 0, parameter 1, leaf 0, Must}
//   donors      (3, 0)
//   operands    {main, c, result 0, operand leaf 0}
//
// A program does not hold these marks, because no map depends on them. A front
// end reads them from the text on request (import/hlo/donated.h).
#ifndef INDEXICAL_PROGRAM_MODULE_MEMORY_MARKS_H
#define INDEXICAL_PROGRAM_MODULE_MEMORY_MARKS_H

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "indexical/program/module/ids.h"

namespace indexical {

struct MemoryMarks {
  enum class Strength : uint8_t { May, Must };

  /// A leaf of the module's result that takes the memory of a parameter's leaf.
  struct Result {
    LeafId result;
    int32_t parameter = 0;
    LeafId leaf;
    Strength strength = Strength::May;
  };
  /// A leaf of an instruction's result that takes the memory of a leaf of its
  /// operands, counted through all operands.
  struct Operand {
    ComputationId computation;
    InstructionId instruction;
    LeafId result, operandLeaf;
  };

  std::vector<Result> results;
  /// Leaves of parameters whose memory any result may take.
  std::set<std::pair<int64_t, int64_t>> donors;
  std::vector<Operand> operands;

  /// Returns whether the caller donates the memory of the parameter's leaf.
  bool isGiven(int64_t parameter, LeafId leaf) const {
    if (donors.count({parameter, leaf})) return true;
    for (const Result &each : results)
      if (each.parameter == parameter && each.leaf == leaf) return true;
    return false;
  }
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_MEMORY_MARKS_H

// One pair of leaves of an instruction, in a direction: private to program/.
#ifndef INDEXICAL_PROGRAM_MAPS_EDGE_H
#define INDEXICAL_PROGRAM_MAPS_EDGE_H

#include <cstdint>

#include "indexical/ops/op.h"
#include "indexical/program/module/ids.h"

namespace indexical {

/// The use of an instruction's maps.
enum class EdgeUse : uint8_t {
  OnAWay,  ///< sizes are as the computation knows them
  Listed,  ///< sources are among the instruction's operands
};

struct Edge {
  ComputationId computation;
  InstructionId instruction;
  Direction direction = Direction::OutputToInput;
  LeafId result = {};  ///< of the instruction's results
  LeafId leaf = {};    ///< of its operands
  EdgeUse use = EdgeUse::OnAWay;

  bool reads() const { return direction == Direction::OutputToInput; }
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_EDGE_H

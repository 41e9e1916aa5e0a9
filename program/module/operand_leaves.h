// The positions of an operand's leaves among those of its producer, and lists
// of them. Not part of the public surface.
#ifndef INDEXICAL_PROGRAM_MODULE_OPERAND_LEAVES_H
#define INDEXICAL_PROGRAM_MODULE_OPERAND_LEAVES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the number of the first leaf of its producer that the operand is,
/// and how many leaves it is.
std::pair<int32_t, int32_t> leavesOfOperand(const Computation &c,
                                            const Instruction &user,
                                            size_t operand);

/// The operand leaves of the instructions of one computation. Finding one among
/// a tuple's thousands takes as long as listing them: those of many operands
/// are listed once.
class OperandLeafLists {
 public:
  /// `computation` must outlive the object and stay as it is.
  explicit OperandLeafLists(const Computation &computation)
      : computation_(computation) {}

  /// Returns the array leaves of an instruction's operands, in order.
  llvm::ArrayRef<OperandLeaf> of(InstructionId i);
  /// Returns one of them; instruction -1 if there is none of that number.
  OperandLeaf leaf(InstructionId i, LeafId number);
  /// Returns their number.
  int64_t count(InstructionId i);
  /// Returns what the functions of these names in callees.h do.
  InstructionLeaf behindTuples(InstructionLeaf leaf);
  InstructionLeaf originOf(InstructionLeaf leaf);

 private:
  bool areFew(InstructionId i) const;

  const Computation &computation_;
  std::map<InstructionId, llvm::SmallVector<OperandLeaf, 4>> lists_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_OPERAND_LEAVES_H

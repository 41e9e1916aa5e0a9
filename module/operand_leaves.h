// The places of an operand's leaves among those of its producer: private to
// program/.
#ifndef INDEXICAL_MODULE_OPERAND_LEAVES_H
#define INDEXICAL_MODULE_OPERAND_LEAVES_H

#include <cstddef>
#include <cstdint>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/module/callees.h"
#include "indexical/module/program.h"

namespace indexical {

/// Returns the number of the first leaf of its producer that the operand is,
/// and how many leaves it is.
std::pair<int32_t, int32_t> leavesOfOperand(const Computation &c,
                                            const Instruction &user,
                                            size_t operand);

/// Returns the leaf whose elements these are, one by one, behind tuples,
/// elements of tuples, copies, and operands that an op is started with.
/// `operandLeaf` finds the operand leaf of an instruction by its number:
/// without it, finding one among thousands takes as long as listing them.
InstructionLeaf originOf(
    const Computation &computation, InstructionLeaf leaf,
    llvm::function_ref<OperandLeaf(InstructionId instruction, LeafId number)>
        operandLeaf);

}  // namespace indexical

#endif  // INDEXICAL_MODULE_OPERAND_LEAVES_H

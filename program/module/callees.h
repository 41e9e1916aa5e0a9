// The computations that an instruction's maps look into, and their arguments.
//
//   r = f32[4] conditional(choice, a, b), branch_computations={f, g}
//   calleesOf(r)      f, g
//   arguments of f    operand 1 of r;   of g   operand 2
//
//   t = (f32[4], s32[]) tuple(x, i)
//   j = s32[] get-tuple-element(t), index=1
//   originOf(j, 0)    i, leaf 0
//
// A computation that the module does not have (a snippet) is not a callee: the
// instruction's maps are then those of its op alone.
#ifndef INDEXICAL_PROGRAM_MODULE_CALLEES_H
#define INDEXICAL_PROGRAM_MODULE_CALLEES_H

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"

namespace indexical {

struct ScanOp;  // ops/control/scan.h

/// Returns the op itself, or the one that it starts.
const Op &innermost(const Op &op);

/// Returns the result of the innermost op that a result leaf of the instruction
/// is. Returns nothing for an operand that is passed on, and for a context of
/// an op that is started.
std::optional<int64_t> innermostResult(const Op &op, int64_t result);

/// A computation to which an instruction passes arguments.
struct Callee {
  ComputationId computation;
  int32_t called = 0;  ///< its number in `Instruction::called`
  /// For each parameter, the number of the operand that it is.
  llvm::ArrayRef<int32_t> arguments;

  /// Returns the parameter that the operand is, or -1.
  int32_t parameterOf(int32_t operand) const;
};

/// Returns the `n`-th computation that the instruction calls in this role, or
/// nothing if there is none or the module does not have it.
std::optional<Callee> calleeOf(const Instruction &instruction, CallRole role,
                               int32_t n = 0);

/// Returns the computation that a fusion or call runs, or nothing for other
/// instructions, and if the module does not have it.
std::optional<Callee> calleeOfCall(const Instruction &instruction);

/// Returns the computations to which operand `operand` is passed by an op whose
/// results are those of their roots: a fusion, a call, a conditional. A
/// computation that the module does not have has the number -1.
llvm::SmallVector<Callee, 2> calleesOfOperand(const Instruction &instruction,
                                              int32_t operand);

/// Returns the operand's leaf among the leaves of all operands (operandLeaves),
/// or -1.
int64_t operandLeafNumber(llvm::ArrayRef<OperandLeaf> leaves, int32_t operand,
                          LeafId leaf);

/// Returns, for each leaf of the computation's parameters, in order, the number
/// of the operand leaf that it is.
std::vector<int64_t> argumentLeaves(const Computation &computation,
                                    llvm::ArrayRef<int32_t> arguments,
                                    llvm::ArrayRef<OperandLeaf> leaves);

/// A leaf of an instruction of the computation that is looked at.
struct InstructionLeaf {
  InstructionId instruction;
  LeafId leaf = {};
  bool operator<(const InstructionLeaf &o) const {
    return std::tie(instruction, leaf) < std::tie(o.instruction, o.leaf);
  }
};

/// The bits of a leaf's number that name the leaf; the others name its
/// instruction.
inline constexpr int kLeafBits = 24;

/// Returns a number that no other leaf of the computation has.
inline int64_t leafNumber(InstructionLeaf leaf) {
  return (int64_t{leaf.instruction} << kLeafBits) + leaf.leaf;
}

/// Returns the leaf with that number. Its law: `numberedLeaf(leafNumber(l))` is
/// l.
inline InstructionLeaf numberedLeaf(int64_t number) {
  return {InstructionId(number >> kLeafBits),
          LeafId(number & ((int64_t{1} << kLeafBits) - 1))};
}

/// Returns the leaf that was put into a tuple or passed on unchanged
/// (ForwardOp). Looks through these ops, and no others.
InstructionLeaf behindTuples(const Computation &computation,
                             InstructionLeaf leaf);

/// Returns the leaf whose elements these are, one by one. Looks through tuples,
/// elements of tuples, copies, and operands that an op is started with.
InstructionLeaf originOf(const Computation &computation, InstructionLeaf leaf);

/// Returns the leaves of all parameters, in order.
std::vector<ParameterLeaf> parameterLeaves(const Computation &computation);

/// The leaves of the parameters of a callee's computation, with the numbers of
/// the operand leaves that they are (or -1).
using PassedLeaves = std::vector<std::pair<ParameterLeaf, int64_t>>;
PassedLeaves passedLeaves(const Computation &inside, const Callee &callee,
                          llvm::ArrayRef<OperandLeaf> leaves);

/// Returns the shape that the scan's body takes or gives for operand or result
/// `number` of `count`: a slice, without the scanned dimension, or the whole if
/// it is a carry.
ArrayShape sliceOf(const ScanOp &op, const ArrayShape &whole, size_t number,
                   size_t count);

/// Returns all computations that must be solved before the instruction's maps
/// are known.
llvm::SmallVector<ComputationId, 2> calleesOf(const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_CALLEES_H

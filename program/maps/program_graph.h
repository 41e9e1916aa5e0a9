// The users and producers of a module's instructions.
//
//   e { x = f32[8] parameter(0)
//       t = (f32[8], f32[8]) tuple(x, x)
//       ROOT y = f32[8] get-tuple-element(t), index=1 }
//
//   order(e)               x, t, y
//   operandLeaf(e, t, 1)   leaf 0 of x
//   forUses(e, x)          operand leaves 0 and 1 of t
//   below(e, t)            t, x
//   origin(e, y)           leaf 0 of x
//   passed(e)              leaf 0 of parameter 0
//
// All of this follows from the module alone, and no maps are needed. A table is
// made on first use, and kept: a query touches few of the thousands of leaves
// that a tuple may have. So two threads must not use one graph.
//
// Law (tests/program/maps/program_graph_test.cc): every answer is what a search
// through all instructions finds.
#ifndef INDEXICAL_PROGRAM_MAPS_PROGRAM_GRAPH_H
#define INDEXICAL_PROGRAM_MAPS_PROGRAM_GRAPH_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/callees.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct ForwardOp;  // ops/control/forward.h

class ProgramGraph {
 public:
  /// `module` must outlive the object and stay as it is.
  explicit ProgramGraph(const Module &module)
      : module_(module), tables_(module.computations.size()) {}

  const Module &module() const { return module_; }
  const Computation &computation(ComputationId c) const {
    return module_.computations[c];
  }
  const Instruction &instruction(ComputationId c, InstructionId i) const {
    return module_.computations[c].instructions[i];
  }
  /// Returns the shape of one leaf of an instruction's results.
  const ArrayShape &shape(ComputationId c, InstructionId i, LeafId leaf) const {
    return shapesOf(instruction(c, i).op).results[leaf];
  }

  /// Returns the instructions, every operand before its users.
  llvm::ArrayRef<InstructionId> order(ComputationId c) const;
  /// Returns the place of each instruction in order().
  llvm::ArrayRef<int32_t> positions(ComputationId c) const;

  /// Returns the array leaves of an instruction's operands, in order.
  llvm::ArrayRef<OperandLeaf> operandLeaves(ComputationId c,
                                            InstructionId i) const;
  /// Returns one of operandLeaves(); operandLeafCount() returns their number.
  /// Neither lists thousands of leaves for each of thousands of elements of a
  /// tuple.
  OperandLeaf operandLeaf(ComputationId c, InstructionId i,
                          LeafId number) const;
  int64_t operandLeafCount(ComputationId c, InstructionId i) const;

  /// Returns the results of an op that only passes its operands on, by the
  /// operand leaf that they are.
  using Forwarded = std::multimap<LeafId, LeafId>;
  const Forwarded &forwarded(ComputationId c, InstructionId i,
                             const ForwardOp &op) const;
  /// Calls `visit` with each operand leaf that a producer's leaf is. Leaves out
  /// those that a ForwardOp does not pass on.
  void forUses(
      ComputationId c, InstructionLeaf producer,
      llvm::function_ref<void(InstructionId user, LeafId leaf)> visit) const;

  /// Returns the instructions on a way down from `user`, itself included.
  std::vector<bool> below(ComputationId c, InstructionId user) const;
  /// Returns the instructions on a way from `user` down to `producer`, both
  /// included.
  std::vector<bool> between(ComputationId c, InstructionId user,
                            InstructionId producer) const;

  /// Returns calleesOfOperand (callees.h), found once for all operands.
  llvm::ArrayRef<Callee> calleesAt(ComputationId c, InstructionId i,
                                   int32_t operand) const;
  /// Returns for each leaf of the root the parameter's leaf that it is,
  /// unchanged; parameter -1 if it is new.
  llvm::ArrayRef<ParameterLeaf> passed(ComputationId c) const;
  /// Like originOf (callees.h), but also looks through calls and loops.
  InstructionLeaf origin(ComputationId c, InstructionLeaf leaf) const;
  /// Returns the caller's leaf that a leaf of the callee's parameters is.
  InstructionLeaf argumentLeaf(ComputationId c, InstructionId i,
                               const Callee &callee,
                               const ParameterLeaf &parameter) const;

 private:
  /// An operand of an instruction: leaves `from` to `from + count - 1` of its
  /// producer are its operand leaves `first` and so on.
  struct WholeUse {
    InstructionId user;
    LeafId first, from;
    int64_t count = 0;
  };
  struct Uses {
    bool areKnown = false;
    /// By producer: its users, except those that pass single leaves on.
    std::vector<llvm::SmallVector<WholeUse, 2>> wholes;
    /// By a producer's leaf: the users that pass single leaves on, and which of
    /// their operand leaves it is.
    std::map<InstructionLeaf,
             llvm::SmallVector<std::pair<InstructionId, LeafId>, 1>>
        leaves;
  };
  struct Passed {
    enum State : uint8_t { New, Open, Known };
    State state = New;
    std::vector<ParameterLeaf> leaves;
  };
  /// By operand. A conditional may have thousands of operands and of callees.
  using CalleesOfOperands = std::vector<llvm::SmallVector<Callee, 1>>;
  /// Holds the answers about one computation. Each table is filled by the first
  /// question that needs it.
  struct Tables {
    std::vector<InstructionId> order;
    std::vector<int32_t> positions;
    std::optional<OperandLeafLists> operandLeaves;
    std::map<InstructionId, Forwarded> forwarded;
    Uses uses;
    InstructionId belowWhom;
    std::vector<bool> below;  // on a way down from that one
    std::map<InstructionId, CalleesOfOperands> callees;
    Passed passed;
  };

  /// Returns the tables, in which order and positions are known.
  Tables &ordered(ComputationId c) const;
  OperandLeafLists &listsOf(ComputationId c) const;
  const Uses &usesOf(ComputationId c) const;
  void addUses(ComputationId c, InstructionId user, Uses &uses) const;
  const std::vector<bool> &keptBelow(ComputationId c, InstructionId user) const;
  ParameterLeaf passedBy(const Callee &callee, LeafId rootLeaf) const;
  std::vector<ParameterLeaf> findPassed(ComputationId c) const;

  const Module &module_;
  mutable std::vector<Tables> tables_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_PROGRAM_GRAPH_H

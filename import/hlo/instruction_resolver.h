// One instruction: its attributes, its shape and its op.
#ifndef INDEXICAL_IMPORT_HLO_INSTRUCTION_RESOLVER_H
#define INDEXICAL_IMPORT_HLO_INSTRUCTION_RESOLVER_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/import/hlo/resolver.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/stack_tables.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/import/hlo/written_ops.h"
#include "indexical/import/hlo/written_shapes.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The state shared by all instructions of a module, or by those that one
/// thread resolves.
struct ResolverState {
  struct UnknownOpcode {
    llvm::StringRef opcode;
    Place place;
  };

  int64_t unwrittenLeavesLeft = kUnwrittenLeafLimit;
  std::vector<UnknownOpcode> unknownOpcodes;  ///< each where it is met first
  llvm::DenseSet<llvm::StringRef> metOpcodes;
  const CustomCallRegistry *customCalls = nullptr;
  const FrameNumbers *frames = nullptr;  ///< of the module's tables
  /// Receives the frames that are in no table.
  StackFrames *added = nullptr;
  /// Whether the frames of the tables are elsewhere. Number n of `added` is
  /// then written as -2 - n.
  bool areApart = false;
  WrittenShapes shapes;  ///< those of operands that become parameters
  WrittenOps ops;
};

/// The facts about operands when an instruction is resolved.
enum class KnownOperands : uint8_t {
  Resolved,  ///< all of them: they come first
  Declared,  ///< and of the instruction itself: the shapes
};

class InstructionResolver {
 public:
  /// Requires that the operands of the computation's instructions are found.
  InstructionResolver(Source &source, const Module &module,
                      Computation &computation, const ComputationSyntax &syntax,
                      ResolverState &state, KnownOperands operands)
      : source_(source),
        module_(module),
        computation_(computation),
        syntax_(syntax),
        state_(state),
        areDeclared_(operands == KnownOperands::Declared) {}

  bool resolve(int32_t i) { return resolveTexts(i) && resolveOp(i); }
  /// Resolves the parts that need neither the operands' ops nor the callees.
  bool resolveTexts(int32_t i);
  /// Resolves the shape and the op.
  bool resolveOp(int32_t i);

 private:
  bool findShapeAndOp(Instruction &instruction, const InstructionSyntax &syntax,
                      llvm::ArrayRef<const Shape *> operands);
  bool checkOperandTypes(const Instruction &instruction,
                         llvm::ArrayRef<OperandSyntax> operands);
  const ShapeList &leavesOf(int32_t operand) const;
  bool takeOperandLeaves(const Instruction &instruction, ShapeList &leaves);
  bool spend(const Instruction &instruction, int64_t leaves);
  llvm::ArrayRef<int64_t> firstLeavesOf(int32_t tuple);
  void takeAttributes(Instruction &instruction,
                      llvm::ArrayRef<AttributeSyntax> attributes);
  int32_t frameOf(const MetadataSyntax &metadata);
  void warnOfUnreadFields(llvm::StringRef value);
  void noteUnknownOpcode(const Instruction &instruction);
  Place opcodePlace(const Instruction &instruction) const;
  /// Notes an error at the instruction's opcode.
  bool fail(const Instruction &instruction, const llvm::Twine &message) {
    return source_.fail(opcodePlace(instruction), message);
  }

  Source &source_;
  const Module &module_;
  Computation &computation_;
  const ComputationSyntax &syntax_;
  ResolverState &state_;
  const bool areDeclared_;
  /// The first leaf of each element of a tuple, for tuples that are taken apart
  /// (a large one is, element by element).
  llvm::DenseMap<int32_t, std::vector<int64_t>> firstLeaves_;
};

/// Adds the warnings about opcodes that are not known.
void addNotes(llvm::ArrayRef<ResolverState::UnknownOpcode> opcodes,
              Program &program);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_INSTRUCTION_RESOLVER_H

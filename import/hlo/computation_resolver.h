// One computation: its instructions' names, operands, shapes and ops.
#ifndef INDEXICAL_IMPORT_HLO_COMPUTATION_RESOLVER_H
#define INDEXICAL_IMPORT_HLO_COMPUTATION_RESOLVER_H

#include <cstdint>
#include <mutex>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/import/hlo/instruction_resolver.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/program/module/program.h"

namespace indexical {

class ComputationResolver {
 public:
  /// Requires that the computation's instructions exist, have their places and
  /// know what they call.
  ComputationResolver(Program &program, const Module &module,
                      Computation &computation, ComputationSyntax &syntax)
      : program_(program),
        module_(module),
        computation_(computation),
        syntax_(syntax) {}

  /// Fills in the computation. Requires that the called ones are filled in.
  bool resolve(Source &source, ResolverState &state);

  // The steps of resolve(), for several threads. They require a computation
  // with braces and with all shapes written.
  /// Finds the names that the text has. The instructions need not exist.
  bool findNames();
  /// Finds the other names, the parameters and the root. Requires instructions
  /// with names and opcodes as written. Locks `kept` while it makes names.
  bool declare(Source &source, std::mutex &kept);
  /// Finds the operands of some instructions. Returns false also if one of them
  /// comes before an operand of its own.
  bool findOperands(Source &source, int32_t begin, int32_t end);

 private:
  bool nameInstructions(Source &source);
  void nameNested();
  llvm::StringRef freshName(llvm::StringRef opcode, int32_t &number);
  bool findOperands(Source &source);
  bool findOperand(Source &source, const OperandSyntax &operand,
                   int32_t &found);
  bool addFreeParameters(Source &source, WrittenShapes &shapes);
  bool findOrder(Source &source, InstructionOrder &order);
  Place opcodePlace(Source &source, const Instruction &instruction) const;
  void findControls();
  bool findParameters(Source &source);
  bool findRoot(Source &source);

  Program &program_;
  const Module &module_;
  Computation &computation_;
  ComputationSyntax &syntax_;
  llvm::DenseMap<llvm::StringRef, int32_t> names_;
  int32_t writtenCount_ = 0;  // instructions that the text holds
  bool hasNested_ = false;
  bool forwardReference_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_COMPUTATION_RESOLVER_H

// One computation: its instructions' names, operands, shapes and ops.
#ifndef INDEXICAL_HLO_COMPUTATION_RESOLVER_H
#define INDEXICAL_HLO_COMPUTATION_RESOLVER_H

#include <cstdint>
#include <mutex>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/hlo/instruction_resolver.h"
#include "indexical/hlo/source.h"
#include "indexical/hlo/syntax.h"
#include "indexical/program/program.h"

namespace indexical {

class ComputationResolver {
 public:
  /// The computation's instructions exist, have their places and know what they
  /// call.
  ComputationResolver(Program &program, const Module &module,
                      Computation &computation, ComputationSyntax &syntax)
      : program_(program),
        module_(module),
        computation_(computation),
        syntax_(syntax) {}

  /// Fills in the computation. The called computations are filled in.
  bool resolve(Source &source, ResolverState &state);

  // What this consists of, for several threads. No computation that has to be
  // read in one go: one without braces, or with shapes left out.
  /// The names that the text has. The instructions need not exist.
  bool findNames();
  /// Other names, parameters and the root, of instructions with names and
  /// opcodes as they are written. `kept` is locked where names are made.
  bool declare(Source &source, std::mutex &kept);
  /// The operands of some instructions. False for one that comes before an
  /// operand of its own, too.
  bool findOperands(Source &source, int32_t begin, int32_t end);

 private:
  bool nameInstructions(Source &source);
  void nameNested();
  llvm::StringRef freshName(llvm::StringRef opcode, int32_t &number);
  bool findOperands(Source &source);
  bool findOperand(Source &source, const OperandSyntax &operand,
                   int32_t &found);
  bool addFreeParameters(Source &source, WrittenShapes &shapes);
  bool findOrder(Source &source, std::vector<int32_t> &order);
  Place opcodePlace(Source &source, const Instruction &instruction) const;
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

#endif  // INDEXICAL_HLO_COMPUTATION_RESOLVER_H

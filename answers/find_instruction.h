// Finds the one instruction of a program that a call names.
//
//   --instruction=fusion.3                   in any computation
//   --computation=body --instruction=add.1   in that one
//   --computation=body                       its root
//   none                                     the root of the entry
#ifndef INDEXICAL_ANSWERS_FIND_INSTRUCTION_H
#define INDEXICAL_ANSWERS_FIND_INSTRUCTION_H

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the error about a name that no computation or instruction (the
/// `kind`) of `known` has: with one that is nearly the same, or with all of
/// them if they are few. `where` is behind the name in the message.
absl::Status unknownName(llvm::StringRef kind, llvm::StringRef name,
                         llvm::ArrayRef<llvm::StringRef> known,
                         llvm::StringRef where = "");

struct NamedInstruction {
  size_t module = 0;
  ComputationId computation;
  InstructionId instruction;
  bool inOthers = false;  ///< later modules have such an instruction too
};

/// Finds an instruction by names without `%`; an empty name is not given. If
/// several modules have such instructions, the first module counts, and in it
/// the one of the entry computation. Returns an error with a suggestion if
/// there is none, or an error if a module has several and none is in its entry.
absl::StatusOr<NamedInstruction> findInstruction(
    const Program &program, const std::string &computation,
    const std::string &instruction);

/// Returns the name for people of the tensor of a runtime variable's source.
/// The variable is of a map of the computation, or of the instruction `reader`
/// in it. If the source is a parameter of a computation that `reader` calls,
/// the name is that of the operand.
llvm::StringRef sourceName(const Module &module, ComputationId computation,
                           const Instruction *reader, const Value &source);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_FIND_INSTRUCTION_H

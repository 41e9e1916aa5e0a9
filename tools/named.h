// The one instruction of a program that a call names.
//
//   --instruction=fusion.3                   in any computation
//   --computation=body --instruction=add.1   in that one
//   --computation=body                       its root
//   none                                     the root of the entry
#ifndef INDEXICAL_TOOLS_NAMED_H
#define INDEXICAL_TOOLS_NAMED_H

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/program.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

struct NamedInstruction {
  size_t module = 0;
  int32_t computation = 0, instruction = 0;
  bool inOthers = false;  ///< later modules have such an instruction too
};

/// Names without `%`; empty where not given. Of several instructions of a name
/// that of the first module is meant, and there the entry's. An error, with a
/// suggestion, where there is none, or where a module has several and none in
/// its entry.
absl::StatusOr<NamedInstruction> findInstruction(
    const Program &program, const std::string &computation,
    const std::string &instruction);

/// What people call the tensor of a runtime variable's source, of maps of the
/// computation, or of that instruction in it: of a parameter of what the
/// instruction calls, the operand.
llvm::StringRef sourceName(const Module &module, int32_t computation,
                           const Instruction *reader, const Value &source);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_NAMED_H

#include "indexical/answers/find_instruction.h"

#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

using llvm::StringRef;

absl::Status unknownName(StringRef kind, StringRef name,
                         llvm::ArrayRef<StringRef> known, StringRef where) {
  constexpr size_t kFew = 8;
  std::string message =
      ("there is no " + llvm::Twine(kind) + " `" + name + "`" + where).str();
  const StringRef near = nearest(name, known);
  if (near.empty() && !known.empty() && known.size() <= kFew)
    message += "; there " + std::string(known.size() == 1 ? "is " : "are ") +
               llvm::join(known, ", ");
  return errorAt({}, message, near);
}

absl::StatusOr<NamedInstruction> findInstruction(
    const Program &program, const std::string &computation,
    const std::string &instruction) {
  std::vector<NamedInstruction> found;
  llvm::SmallVector<StringRef, 16> computations, instructions;
  bool isKnown = computation.empty();
  for (size_t m = 0; m < program.modules.size(); ++m) {
    const Module &module = program.modules[m];
    for (size_t c = 0; c < module.computations.size(); ++c) {
      const Computation &own = module.computations[c];
      computations.push_back(own.name);
      if (!computation.empty() && own.name != StringRef(computation)) continue;
      isKnown = true;
      const ComputationId number(c);
      if (instruction.empty()) {
        if (own.root >= 0 && (!computation.empty() || module.entry == number))
          found.push_back({m, number, own.root});
        continue;
      }
      for (const Instruction &each : own.instructions)
        if (!each.terminator) instructions.push_back(each.name);
      if (const InstructionId i = own.find(instruction); i >= 0)
        found.push_back({m, number, i});
    }
  }
  if (!isKnown) return unknownName("computation", computation, computations);
  if (found.empty()) {
    if (!instruction.empty())
      return unknownName("instruction", instruction, instructions);
    return errorAt({}, "there is no computation with a root");
  }
  const size_t first = found[0].module;
  const bool inOthers = found.back().module != first;
  while (found.back().module != first) found.pop_back();
  const ComputationId entry = program.modules[first].entry;
  for (NamedInstruction &named : found) {
    named.inOthers = inOthers;
    if (found.size() == 1 || named.computation == entry) return named;
  }
  const Module &module = program.modules[first];
  const Computation &one = module.computations[found[0].computation];
  const Computation &second = module.computations[found[1].computation];
  return errorAt(second.place,
                 ("both `" + llvm::Twine(one.name) + "` and `" + second.name +
                  "` have an instruction `" + instruction +
                  "`; --computation says which is meant")
                     .str());
}

StringRef sourceName(const Module &module, ComputationId computation,
                     const Instruction *reader, const Value &source) {
  const Instruction &own =
      module.computations[source.computation].instructions[source.instruction];
  const int32_t number = own.parameterNumber;
  if (source.computation == computation || !reader || number < 0 ||
      number >= static_cast<int32_t>(reader->operands.size()))
    return own.name;
  return module.computations[computation]
      .instructions[reader->operands[number]]
      .name;
}

}  // namespace indexical

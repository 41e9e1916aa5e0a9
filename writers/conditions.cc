#include "indexical/writers/conditions.h"

#include <string>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/conditions/keys.h"

namespace indexical {
namespace {

using llvm::StringRef;

std::string bracketedIndex(llvm::ArrayRef<int64_t> index) {
  std::string text = "(";
  llvm::ListSeparator comma;
  for (int64_t value : index)
    text += (StringRef(comma) + llvm::Twine(value)).str();
  return text + ")";
}

const Computation &at(const Module &module, ComputationId id) {
  return module.computations[id];
}

void writeText(const ModuleConditions &of, const RuntimeConditions &own,
               llvm::raw_ostream &os) {
  const Module &module = *of.module;
  os << at(module, own.computation).name << '\n';
  if (own.neverHold) os << "  no sizes and values have all of these:\n";
  if (own.conditions.empty() && own.unknown.empty())
    os << "  no condition: it runs with all sizes\n";
  auto name = [&](ComputationId c, InstructionId i) {
    const Instruction &instruction = at(module, c).instructions[i];
    return (c == own.computation ? "" : at(module, c).name.str() + "/") +
           instruction.name.str() + " (" + instruction.opcode.str() + ")";
  };
  for (const RunCondition &condition : own.conditions)
    os << "  " << name(condition.computation, condition.instruction) << ": "
       << own.text(condition) << '\n';
  for (const auto &[c, i] : own.unknown)
    os << "  " << name(c, i) << ": not known\n";
  for (uint32_t i : own.named()) {
    const RunValue &value = own.values[i];
    const Computation &where = at(module, value.computation);
    os << "    where rt" << i << " = ";
    const std::string result =
        value.leaf.leaf > 0 ? "#" + std::to_string(value.leaf.leaf) : "";
    const StringRef of = where.instructions[value.leaf.instruction].name;
    if (value.isSize)
      os << "size of " << of << result << ", dimension " << value.dimension;
    else
      os << "element " << bracketedIndex(value.index) << " of " << of << result;
    os << '\n';
  }
}

}  // namespace

void ConditionsResult::text(llvm::raw_ostream &os, TextStyle) {
  for (const ModuleConditions &module : modules_)
    for (const RuntimeConditions &own : module.all) writeText(module, own, os);
}

void ConditionsResult::structure(Structure &to) {
  to.beginList("conditions");
  for (const ModuleConditions &module : modules_)
    for (const RuntimeConditions &own : module.all)
      to.item({"conditions", [&](ValueSink &sink) {
                 writeKeys(ConditionsEntry{*module.module, own}, sink);
               }});
  to.endList();
}

}  // namespace indexical

#include "indexical/writers/conditions.h"

#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/format.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::string text = "(";
  llvm::ListSeparator comma;
  for (int64_t value : index)
    text += (StringRef(comma) + llvm::Twine(value)).str();
  return text + ")";
}

class ConditionsResult : public Result {
 public:
  explicit ConditionsResult(std::vector<ModuleConditions> modules)
      : modules_(std::move(modules)) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    for (const ModuleConditions &module : modules_)
      for (const RuntimeConditions &own : module.all) text(os, module, own);
  }

  void structure(Structure &to) override {
    to.beginList("conditions");
    for (const ModuleConditions &module : modules_)
      for (const RuntimeConditions &own : module.all)
        to.item({"conditions", [&](json::OStream &json) {
                   write(json, *module.module, own);
                 }});
    to.endList();
  }

 private:
  static const Computation &at(const Module &module, ComputationId id) {
    return module.computations[id];
  }

  void text(llvm::raw_ostream &os, const ModuleConditions &of,
            const RuntimeConditions &own) const {
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
        os << "element " << indexText(value.index) << " of " << of << result;
      os << '\n';
    }
  }

  void write(json::OStream &json, const Module &module,
             const RuntimeConditions &own) const {
    json.attribute("computation", jsonString(at(module, own.computation).name));
    json.attributeArray("requires", [&] {
      for (const RunCondition &condition : own.conditions)
        json.object([&] {
          writePlace(json, module, condition.computation,
                     condition.instruction);
          json.attribute("condition", own.text(condition));
        });
    });
    json.attributeArray("names", [&] {
      for (uint32_t i : own.named())
        json.object([&] { write(json, module, own.values[i], i); });
    });
    if (!own.unknown.empty())
      json.attributeArray("unknown", [&] {
        for (const auto &[c, i] : own.unknown)
          json.object([&, c = c, i = i] { writePlace(json, module, c, i); });
      });
    if (own.neverHold) json.attribute("never", true);
  }

  static void writePlace(json::OStream &json, const Module &module,
                         ComputationId c, InstructionId i) {
    const Instruction &instruction = at(module, c).instructions[i];
    json.attribute("computation", jsonString(at(module, c).name));
    json.attribute("instruction", jsonString(instruction.name));
    json.attribute("opcode", jsonString(instruction.opcode));
  }

  static void write(json::OStream &json, const Module &module,
                    const RunValue &value, uint32_t number) {
    const Computation &where = at(module, value.computation);
    json.attribute("name", "rt" + std::to_string(number));
    json.attributeObject(value.isSize ? "size_of" : "element_of", [&] {
      json.attribute("computation", jsonString(where.name));
      json.attribute(
          "instruction",
          jsonString(where.instructions[value.leaf.instruction].name));
      json.attribute("result", int64_t{value.leaf.leaf});
      if (value.isSize)
        json.attribute("dimension", value.dimension);
      else
        json.attributeArray("index", [&] {
          for (int64_t k : value.index) json.value(k);
        });
    });
  }

  const std::vector<ModuleConditions> modules_;
};

}  // namespace

std::unique_ptr<Result> conditionsResult(
    std::vector<ModuleConditions> modules) {
  return std::make_unique<ConditionsResult>(std::move(modules));
}

}  // namespace indexical

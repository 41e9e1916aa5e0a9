#include "indexical/hlo/written_ops.h"

#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

/// More operands or longer attributes are seldom met again.
constexpr size_t kMostOperands = 8;
constexpr size_t kLongestAttribute = 128;

/// Then the table begins anew: a text whose ops all differ gains nothing by it.
constexpr size_t kMostKept = 1 << 14;

bool dependsOnMore(llvm::StringRef opcode) {
  return opcode == "parameter" || opcode == "constant" ||
         opcode.starts_with("custom-call");  // also custom-call-start
}

/// An op that is no custom call does not depend on it.
bool isBesideTheOp(llvm::StringRef key) {
  return key == "metadata" || key == "sharding" || key == "backend_config" ||
         key == "frontend_attributes";
}

}  // namespace

bool WrittenOps::Written::operator==(const Written &other) const {
  return result == other.result && opcode == other.opcode &&
         operands == other.operands && attributes == other.attributes;
}

size_t WrittenOps::Hash::operator()(const Written &written) const {
  return llvm::hash_combine(written.opcode, written.result,
                            llvm::hash_combine_range(written.operands.begin(),
                                                     written.operands.end()),
                            llvm::hash_combine_range(written.attributes.begin(),
                                                     written.attributes.end()));
}

Op *WrittenOps::find(const InstructionSyntax &instruction,
                     llvm::ArrayRef<AttributeSyntax> attributes,
                     llvm::ArrayRef<const Shape *> operands) {
  if (!instruction.shape || operands.size() > kMostOperands ||
      dependsOnMore(instruction.opcode) ||
      !llvm::all_of(operands,
                    [](const Shape *shape) { return shape->isArray(); }))
    return nullptr;
  Written written;
  written.opcode = instruction.opcode;
  written.result = &**instruction.shape;
  written.operands.append(operands.begin(), operands.end());
  for (const AttributeSyntax &attribute : attributes) {
    if (isBesideTheOp(attribute.key)) continue;
    if (attribute.value.size() > kLongestAttribute) return nullptr;
    written.attributes.append({attribute.key, attribute.value});
  }
  if (ops_.size() == kMostKept) ops_.clear();
  return &ops_.try_emplace(std::move(written), Op::none()).first->second;
}

}  // namespace indexical

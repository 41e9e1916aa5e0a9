#include "indexical/import/hlo/configuration.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/replica_groups.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

/// Returns the entries of `frontend_attributes` that count, in braces; "" if
/// there are none.
std::string entriesOf(llvm::StringRef value) {
  std::string text;
  size_t read = 0;
  forEachField(value, [&](llvm::StringRef key, llvm::StringRef entry) {
    read = entry.end() - value.begin();
    if (isLeftOutEntry(key)) return;
    text += text.empty() ? "{" : ",";
    text += key;
    text += '=';
    text += entry;
  });
  // A text of another form counts as it is.
  if (value.drop_front(read).trim(" \t\r\n\"") != "}") return value.str();
  return text.empty() ? text : text + "}";
}

/// Returns whether the attribute stands for what the op is without it.
bool isDefault(const AttributeSyntax &attribute) {
  llvm::StringRef value = attribute.value.trim();
  if (attribute.key == "result_accuracy") return value == "{mode=default}";
  if (attribute.key != "operand_precision") return false;
  llvm::SmallVector<llvm::StringRef, 2> each;
  value.trim("{}").split(each, ',');
  return llvm::all_of(
      each, [](llvm::StringRef one) { return one.trim() == "default"; });
}

/// Returns the element types in a shape's text that are not in the table of
/// types, in order.
std::string unknownTypesIn(llvm::StringRef shape) {
  std::string types;
  while (!shape.empty()) {
    shape = shape.drop_until([](char c) { return llvm::isAlpha(c); });
    const auto word = shape.take_while([](char c) { return llvm::isAlnum(c); });
    shape = shape.drop_front(word.size());
    if (!shape.starts_with("[") || parseElementType(word)) continue;
    if (!types.empty()) types += ',';
    types += word;
  }
  return types;
}

/// Whether a type of the results says less than the text.
bool hasUnknownType(OpView op) {
  return !typesFollow(op) &&
         llvm::any_of(op.descriptor().results, [](const ArrayShape &shape) {
           return shape.type == ElementType::Unknown;
         });
}

}  // namespace

std::string configurationOf(const ResolvedInstruction &instruction,
                            OpView described) {
  // The op that is started has the configuration.
  if (described.is<StartOp>()) return "";
  const DescribedOp op = {Language::Hlo, instruction.syntax.opcode, described,
                          described.kind()};
  llvm::SmallVector<const AttributeSyntax *, 4> counting;
  bool hasChannel = false;
  for (const AttributeSyntax &attribute : instruction.attributes.all()) {
    hasChannel |= attribute.key == "channel_id";
    if (isLeftOut(op, attribute.key) || isHeld(op, attribute.key) ||
        isDefault(attribute) ||
        (attribute.key == "device_ids" &&
         instruction.attributes.has("replica_groups")))
      continue;
    counting.push_back(&attribute);
  }
  llvm::sort(counting, [](const AttributeSyntax *a, const AttributeSyntax *b) {
    return a->key < b->key;
  });
  std::string text;
  // The number of a channel is a name.
  if (hasChannel) text = "channel";
  for (const AttributeSyntax *attribute : counting) {
    std::string value = attribute->value.trim().str();
    if (attribute->key == "replica_groups")
      value = listedGroups(instruction.attributes.replicaGroups());
    if (attribute->key == "frontend_attributes") value = entriesOf(value);
    if (value.empty()) continue;
    if (!text.empty()) text += ';';
    text += attribute->key;
    text += '=';
    text += value;
  }
  if (!hasUnknownType(described)) return text;
  const std::string types = unknownTypesIn(instruction.syntax.shapeText);
  if (types.empty()) return text;
  if (!text.empty()) text += ';';
  return text + kElementTypes.str() + types;
}

}  // namespace indexical

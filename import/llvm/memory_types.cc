#include "indexical/import/llvm/memory_types.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/import/llvm/value_ops.h"

namespace indexical::compiled {

using llvm::StringRef;

int64_t bitsInMemory(StringRef type) {
  return type == "pred" ? 8 : bitsOfName(type);
}

std::string nameInMemory(StringRef type) {
  if (type == "pred") return "i8";
  if (type.starts_with("s") || type.starts_with("u"))
    return "i" + type.drop_front().str();
  return type.str();
}

std::string elementTypeOf(const MemoryOp &op, int64_t width,
                          const std::optional<std::set<int64_t>> &arrays,
                          const std::map<int64_t, std::string> &types) {
  static constexpr std::pair<StringRef, StringRef> kFloats[] = {
      {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"bfloat", "bf16"}};
  const std::string plain =
      width == op.elementBytes ? op.type : absl::StrCat("i", width * 8);
  if (types.empty() || !arrays) return plain;
  for (const auto &[own, name] : kFloats)
    if (op.type == own) return name.str();
  std::string all;
  for (int64_t array : *arrays) {
    const auto type = types.find(array);
    if (type == types.end() || bitsInMemory(type->second) != width * 8)
      return plain;
    const std::string name = nameInMemory(type->second);
    if (!all.empty() && all != name) return plain;
    all = name;
  }
  return all.empty() ? plain : all;
}

}  // namespace indexical::compiled

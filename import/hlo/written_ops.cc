#include "indexical/import/hlo/written_ops.h"

#include <cstring>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {
namespace {

/// More operands or longer attributes are seldom met again.
constexpr size_t kMostOperands = 8;
constexpr size_t kLongestAttribute = 128;

/// Of the table; a short text needs few.
constexpr size_t kFewEntries = 32, kMostEntries = 8192;

bool dependsOnMore(llvm::StringRef opcode) {
  return opcode == "parameter" || opcode == "constant" ||
         opcode.starts_with("custom-call");  // also custom-call-start
}

/// An op that is no custom call does not depend on it.
bool isBesideTheOp(llvm::StringRef key) {
  return key == "metadata" || key == "sharding" || key == "backend_config" ||
         key == "frontend_attributes";
}

class Hash {
 public:
  void add(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9E3779B97F4A7C15;
    hash_ ^= hash_ >> 29;
  }
  void add(const void *pointer) { add(reinterpret_cast<uintptr_t>(pointer)); }
  void add(llvm::StringRef text) {
    add(text.size());
    for (; text.size() > sizeof(uint64_t); text = text.drop_front(8))
      add(wordOf(text.take_front(8)));
    add(wordOf(text));
  }
  uint64_t value() const { return hash_; }

 private:
  static uint64_t wordOf(llvm::StringRef text) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size());
    return word;
  }
  uint64_t hash_ = 0;
};

bool areEqual(const WrittenOps::Written &a, const WrittenOps::Written &b) {
  if (a.result != b.result || a.instruction->opcode != b.instruction->opcode)
    return false;
  auto shapeOf = [](const WrittenOps::Written &of, int32_t operand) {
    return &*of.computation->instructions[operand].shape;
  };
  if (!llvm::equal(a.instruction->operands, b.instruction->operands,
                   [&](int32_t ours, int32_t other) {
                     return shapeOf(a, ours) == shapeOf(b, other);
                   }))
    return false;
  auto next = [](const AttributeSyntax *at, const AttributeSyntax *end) {
    while (at != end && isBesideTheOp(at->key)) ++at;
    return at;
  };
  auto x = a.attributes.begin(), y = b.attributes.begin();
  while (true) {
    x = next(x, a.attributes.end());
    y = next(y, b.attributes.end());
    if (x == a.attributes.end() || y == b.attributes.end())
      return x == a.attributes.end() && y == b.attributes.end();
    if (x->key != y->key || x->value != y->value) return false;
    ++x;
    ++y;
  }
}

}  // namespace

const Op *WrittenOps::find(const Written &written,
                           llvm::ArrayRef<const Shape *> operands) {
  const llvm::StringRef opcode = written.instruction->opcode;
  if (operands.size() > kMostOperands || dependsOnMore(opcode) ||
      !llvm::all_of(operands,
                    [](const Shape *shape) { return shape->isArray(); }))
    return nullptr;
  Hash hash;
  hash.add(opcode);
  hash.add(written.result);
  for (const Shape *operand : operands) hash.add(operand);
  for (const AttributeSyntax &attribute : written.attributes) {
    if (isBesideTheOp(attribute.key)) continue;
    if (attribute.value.size() > kLongestAttribute) return nullptr;
    hash.add(attribute.key);
    hash.add(attribute.value);
  }
  if (met_ * 2 >= entries_.size()) grow();
  Entry &entry = entries_[hash.value() % entries_.size()];
  if (entry.hash == hash.value() && entry.written.instruction &&
      areEqual(entry.written, written))
    return &entry.written.instruction->op;
  entry = {hash.value(), written};
  ++met_;
  return nullptr;
}

void WrittenOps::grow() {
  const size_t size = entries_.empty() ? kFewEntries : entries_.size() * 4;
  if (size > kMostEntries) return;
  std::vector<Entry> larger(size);
  for (const Entry &entry : entries_)
    if (entry.written.instruction) larger[entry.hash % size] = entry;
  entries_ = std::move(larger);
}

}  // namespace indexical

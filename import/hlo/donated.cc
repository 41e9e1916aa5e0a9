#include "indexical/import/hlo/donated.h"

#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/import/hlo/function_marks.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Returns the text between the brace that it begins with and the one that
/// closes that.
StringRef bracedPart(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.slice(1, i);
  }
  return "";
}

/// Returns the text behind `key={`, up to the brace that closes it.
StringRef inBraces(StringRef header, StringRef key) {
  const size_t at = header.find((llvm::Twine(", ") + key + "={").str());
  if (at == StringRef::npos) return "";
  return bracedPart(header.drop_front(at + key.size() + 3));
}

/// An element of a parameter: `(1, {0,2}`.
struct Element {
  int64_t parameter = 0;
  llvm::SmallVector<int64_t, 4> path;
};

/// Takes a path, `{0,2}`.
bool takePath(StringRef &text, llvm::SmallVectorImpl<int64_t> &path) {
  text = text.ltrim();
  if (!text.consume_front("{")) return false;
  while (true) {
    text = text.ltrim(" ,");
    if (text.consume_front("}")) return true;
    int64_t number = 0;
    if (text.consumeInteger(10, number)) return false;
    path.push_back(number);
  }
}

std::optional<Element> takeElement(StringRef &text) {
  Element element;
  text = text.ltrim();
  if (text.consumeInteger(10, element.parameter)) return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front(",")) return std::nullopt;
  if (!takePath(text, element.path)) return std::nullopt;
  return element;
}

/// The leaves that a path of a shape leads to.
struct LeafRun {
  int64_t first = 0, count = 0;
};
std::optional<LeafRun> leavesAt(const Shape &whole,
                                llvm::ArrayRef<int64_t> path) {
  const Shape *shape = &whole;
  LeafRun run;
  for (const int64_t number : path) {
    if (number < 0 || number >= static_cast<int64_t>(shape->elements.size()))
      return std::nullopt;
    for (int64_t k = 0; k < number; ++k)
      run.first += shape->elements[k].leafCount();
    shape = &shape->elements[number];
  }
  run.count = shape->leafCount();
  return run;
}

/// Returns the shape of the entry's parameter, null if there is none.
const Shape *parameterShape(const Computation &entry, int64_t parameter) {
  if (parameter < 0 ||
      parameter >= static_cast<int64_t>(entry.parameters.size()))
    return nullptr;
  return &*entry.instructions[entry.parameters[parameter]].shape;
}

void addLeaves(const Computation &entry, const Element &element,
               DonatedLeaves &leaves) {
  const Shape *shape = parameterShape(entry, element.parameter);
  const auto run = shape ? leavesAt(*shape, element.path) : std::nullopt;
  for (int64_t k = 0; run && k < run->count; ++k)
    leaves.insert({element.parameter, run->first + k});
}

/// Returns the header of the module's text, behind the name; empty if the text
/// is no HLO with a header.
StringRef headerOf(const Module &module) {
  const StringRef text = module.text;
  // Another language's module has its name elsewhere.
  const std::less<const char *> isBefore;
  const bool isOfText = !module.name.empty() &&
                        !isBefore(module.name.begin(), text.begin()) &&
                        !isBefore(text.end(), module.name.end());
  if (!isOfText || !module.hasHeader || module.entry < 0) return "";
  return text.drop_front(module.name.end() - text.begin())
      .take_until([](char c) { return c == '\n'; });
}

/// A path of results, and the operand that it shares memory with: `{0}: (1,
/// {}`.
struct SharedPath {
  llvm::SmallVector<int64_t, 4> result;
  Element operand;
};

/// Takes the next pair of a list of them.
std::optional<SharedPath> takeShared(StringRef &text) {
  SharedPath shared;
  const size_t at = text.find('{');
  if (at == StringRef::npos) return std::nullopt;
  text = text.drop_front(at);
  if (!takePath(text, shared.result)) return std::nullopt;
  text = text.ltrim(" :");
  if (!text.consume_front("(")) return std::nullopt;
  auto element = takeElement(text);
  if (!element) return std::nullopt;
  shared.operand = std::move(*element);
  return shared;
}

void addResults(const Module &module, StringRef rest, MemoryMarks &marks) {
  const Computation &entry = module.computations[module.entry];
  const Shape &results = *entry.instructions[entry.root].shape;
  while (const auto shared = takeShared(rest)) {
    const bool isMust = rest.ltrim(" ,").starts_with("must");
    const size_t end = rest.find(')');
    rest = end == StringRef::npos ? "" : rest.drop_front(end + 1);
    const Shape *shape = parameterShape(entry, shared->operand.parameter);
    const auto to = leavesAt(results, shared->result);
    const auto from =
        shape ? leavesAt(*shape, shared->operand.path) : std::nullopt;
    if (!to || !from || to->count != from->count) continue;
    for (int64_t k = 0; k < to->count; ++k)
      marks.results.push_back(
          {LeafId(to->first + k),
           static_cast<int32_t>(shared->operand.parameter),
           LeafId(from->first + k),
           isMust ? MemoryMarks::Strength::Must : MemoryMarks::Strength::May});
  }
}

constexpr StringRef kOperandAliasing = "output_to_operand_aliasing={";

void addOperands(const Module &module, ComputationId c, InstructionId i,
                 StringRef rest, MemoryMarks &marks) {
  const Computation &computation = module.computations[c];
  const Instruction &instruction = computation.instructions[i];
  while (const auto shared = takeShared(rest)) {
    const size_t end = rest.find(')');
    rest = end == StringRef::npos ? "" : rest.drop_front(end + 1);
    const int64_t operand = shared->operand.parameter;
    if (operand < 0 ||
        operand >= static_cast<int64_t>(instruction.operands.size()))
      continue;
    int64_t first = 0;
    for (int64_t k = 0; k < operand; ++k)
      first +=
          computation.instructions[instruction.operands[k]].shape.leafCount();
    const auto to = leavesAt(*instruction.shape, shared->result);
    const auto from =
        leavesAt(*computation.instructions[instruction.operands[operand]].shape,
                 shared->operand.path);
    if (!to || !from || to->count != from->count) continue;
    for (int64_t k = 0; k < to->count; ++k)
      marks.operands.push_back(
          {c, i, LeafId(to->first + k), LeafId(first + from->first + k)});
  }
}

/// Calls `take` with each instruction that has the attribute, and the text
/// behind the attribute's brace.
void forEachAliasing(
    const Module &module,
    llvm::function_ref<void(ComputationId, InstructionId, StringRef)> take) {
  const StringRef text = module.text;
  size_t at = text.find(kOperandAliasing);
  if (at == StringRef::npos) return;
  std::map<const char *, std::pair<ComputationId, InstructionId>> places;
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const auto &instructions = module.computations[c].instructions;
    for (size_t i = 0; i < instructions.size(); ++i)
      places[instructions[i].name.begin()] = {ComputationId(c),
                                              InstructionId(i)};
  }
  for (; at != StringRef::npos; at = text.find(kOperandAliasing, at + 1)) {
    auto behind = places.upper_bound(text.begin() + at);
    if (behind == places.begin()) continue;
    const auto [c, i] = std::prev(behind)->second;
    take(c, i, text.drop_front(at + kOperandAliasing.size() - 1));
  }
}

/// Returns the marks of the entry of a module of StableHLO.
MemoryMarks functionMarksOf(const Module &module) {
  if (module.entry < 0) return {};
  const Computation &entry = module.entryComputation();
  MemoryMarks marks = functionMarks(entry);
  const int64_t results =
      entry.root < 0 ? 0 : entry.instructions[entry.root].shape.leafCount();
  llvm::erase_if(marks.results, [&](const MemoryMarks::Result &each) {
    return each.result >= results;
  });
  return marks;
}

}  // namespace

DonatedLeaves donatedLeaves(const Module &module) {
  DonatedLeaves leaves;
  const StringRef header = headerOf(module);
  if (header.empty()) return functionMarksOf(module).donors;
  const Computation &entry = module.computations[module.entry];
  for (const StringRef key : {"input_output_alias", "buffer_donor"}) {
    StringRef rest = inBraces(header, key);
    while (true) {
      const size_t at = rest.find('(');
      if (at == StringRef::npos) break;
      rest = rest.drop_front(at + 1);
      if (const auto element = takeElement(rest))
        addLeaves(entry, *element, leaves);
    }
  }
  return leaves;
}

MemoryMarks memoryMarks(const Module &module) {
  MemoryMarks marks;
  const StringRef header = headerOf(module);
  if (header.empty()) return functionMarksOf(module);
  addResults(module, inBraces(header, "input_output_alias"), marks);
  marks.donors = donatedLeaves(module);
  forEachAliasing(module, [&](ComputationId c, InstructionId i, StringRef of) {
    addOperands(module, c, i, bracedPart(of), marks);
  });
  return marks;
}

}  // namespace indexical

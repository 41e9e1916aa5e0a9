#include "benchmarks/all_different.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/module/program.h"

namespace indexical {
namespace {

/// Returns a new number for a number that stands at `place` of its list.
using Renumber = llvm::function_ref<int64_t(int64_t number, size_t place)>;

constexpr size_t kMostOperands = 64;

std::vector<llvm::StringRef> linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  return {lines.begin(), lines.end()};
}

/// Appends a list of numbers with every one of them renumbered.
void appendList(llvm::StringRef list, Renumber renumber, std::string &to) {
  size_t place = 0;
  for (llvm::StringRef rest = list; !rest.empty();) {
    int64_t number;
    llvm::StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty() || digits.getAsInteger(10, number)) {
      to += rest.front();
      rest = rest.drop_front();
      continue;
    }
    to += std::to_string(renumber(number, place++));
    rest = rest.drop_front(digits.size());
  }
}

/// The text with the sizes of its shapes renumbered, and those of its slices:
/// of `f32[2,3]`, `slice={[0:2]}`, `slice_sizes={1,3}`.
std::string renumbered(llvm::StringRef text, Renumber renumber) {
  constexpr llvm::StringLiteral sizes = "slice_sizes={";
  // A slice has its starts and strides as they are.
  auto limits = [&](int64_t number, size_t place) {
    return place == 1 ? renumber(number, 1) : number;
  };
  std::string result;
  while (!text.empty()) {
    const bool isSizes = text.starts_with(sizes);
    if (!isSizes && text.front() != '[') {
      result += text.front();
      text = text.drop_front();
      continue;
    }
    const size_t open = isSizes ? sizes.size() : 1;
    const size_t close =
        std::min(text.find(isSizes ? '}' : ']', open), text.size());
    const llvm::StringRef list = text.slice(open, close);
    const bool isShape = !result.empty() && llvm::isAlnum(result.back());
    result += text.take_front(open);
    if (list.find_first_not_of("0123456789,:") != llvm::StringRef::npos)
      result += list;
    else if (list.contains(':'))
      appendList(list, limits, result);
    else if (isSizes || isShape)
      appendList(list, renumber, result);
    else
      result += list;
    text = text.drop_front(close);
  }
  return result;
}

/// The sizes of its shapes, each once, as they come.
std::vector<int64_t> sizesOf(llvm::StringRef text) {
  std::vector<int64_t> sizes;
  std::set<int64_t> met;
  renumbered(text, [&](int64_t size, size_t) {
    if (size > 1 && met.insert(size).second) sizes.push_back(size);
    return size;
  });
  return sizes;
}

class UnitMaker {
 public:
  UnitMaker(const Program &program, const Module &module)
      : module_(module), lines_(linesOf(*program.text)) {}

  /// Computations whose names have that number; nothing for an instruction that
  /// is not asked about alone.
  std::optional<std::string> make(const Computation &computation,
                                  const Instruction &instruction,
                                  size_t number) const;

 private:
  llvm::StringRef attributesOf(const Instruction &instruction) const;
  std::string bodyOf(const Computation &computation) const;

  const Module &module_;
  const std::vector<llvm::StringRef> lines_;
};

/// Returns the text behind the operands in an instruction's line.
llvm::StringRef UnitMaker::attributesOf(const Instruction &instruction) const {
  const llvm::StringRef line = lines_[instruction.place.line - 1];
  size_t at = line.find((" " + instruction.opcode + "(").str());
  if (at == llvm::StringRef::npos) return "";
  at += instruction.opcode.size() + 2;
  for (int depth = 1; at < line.size() && depth > 0; ++at)
    depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
  return line.drop_front(at);
}

std::string UnitMaker::bodyOf(const Computation &computation) const {
  std::string body;
  for (size_t line = computation.place.line;
       line < lines_.size() && !lines_[line].starts_with("}"); ++line)
    body += (lines_[line] + "\n").str();
  return body;
}

std::optional<std::string> UnitMaker::make(const Computation &computation,
                                           const Instruction &instruction,
                                           size_t number) const {
  const llvm::StringRef opcode = instruction.opcode;
  const size_t count = instruction.operands.size();
  if (count == 0 || count > kMostOperands || opcode == "call" ||
      opcode == "while" || opcode == "conditional" ||
      opcode.starts_with("async-"))
    return std::nullopt;
  std::string attributes = attributesOf(instruction).str(), unit;
  if (opcode == "fusion" && !instruction.called.empty()) {
    const CalledComputation &called = instruction.called.front();
    if (called.computation < 0) return std::nullopt;
    const std::string name = ("calls=%" + called.name).str();
    const size_t at = attributes.find(name);
    if (at == std::string::npos) return std::nullopt;
    const std::string body = "f" + std::to_string(number);
    attributes.replace(at, name.size(), "calls=" + body);
    unit = body + " {\n" + bodyOf(module_.computations[called.computation]) +
           "}\n";
  }
  unit += "u" + std::to_string(number) + " {\n";
  std::string operands;
  for (size_t k = 0; k < count; ++k) {
    const std::string own = std::to_string(k);
    const Shape &shape =
        computation.instructions[instruction.operands[k]].shape;
    unit += "  p" + own + " = " + shape.str(/*withLayout=*/true) +
            " parameter(" + own + ")\n";
    operands += (k > 0 ? ", p" : "p") + own;
  }
  return unit + "  ROOT r = " + instruction.shape->str(/*withLayout=*/true) +
         " " + opcode.str() + "(" + operands + ")" + attributes + "\n}\n";
}

bool isValid(const std::string &unit) { return parseHlo(unit).ok(); }

/// The unit with a size that no other has: one of its sizes made larger by
/// `number`, or the first size of each shape so many times as large.
std::optional<std::string> withOwnSize(const std::string &unit,
                                       int64_t number) {
  for (int64_t size : sizesOf(unit)) {
    std::string changed = renumbered(unit, [&](int64_t other, size_t) {
      return other == size ? size + number : other;
    });
    if (isValid(changed)) return changed;
  }
  std::string changed = renumbered(unit, [&](int64_t size, size_t place) {
    return place == 0 ? size * (number + 1) : size;
  });
  if (changed != unit && isValid(changed)) return changed;
  return std::nullopt;
}

}  // namespace

absl::StatusOr<Units> unitsOf(const std::string &text) {
  auto program = parseHlo(text);
  if (!program.ok()) return program.status();
  Units units;
  for (const Module &module : program->modules) {
    const UnitMaker maker(*program, module);
    for (const Computation &computation : module.computations)
      for (const Instruction &instruction : computation.instructions) {
        const size_t number = units.instructions + 1;
        const auto unit = maker.make(computation, instruction, number);
        if (!unit) continue;
        const auto own = isValid(*unit)
                             ? withOwnSize(*unit, static_cast<int64_t>(number))
                             : std::nullopt;
        if (!own) {
          ++units.leftOut;
          continue;
        }
        ++units.instructions;
        units.asTheyAre += *unit;
        units.allDifferent += *own;
      }
  }
  return units;
}

}  // namespace indexical

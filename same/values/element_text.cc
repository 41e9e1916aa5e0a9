#include "indexical/same/values/element_text.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/same/values/float_semantics.h"
#include "indexical/same/values/scalar_functions.h"

namespace indexical {
namespace {

// Ops in ops that are written out, and operands of each.
constexpr int kMostTextDepth = 3;
constexpr size_t kMostTextOperands = 6;

// How kernels' configurations begin (kernel_terms.cc, kernel_picks.cc), what
// follows in that of an OrderPick, how a function of tuples is called here, and
// the numbers of loops of sizes.
constexpr llvm::StringLiteral kSeveralOfKernel = "kernel together";
constexpr llvm::StringLiteral kSeveral = "a function of several values";
constexpr llvm::StringLiteral kTextOfKernel = "kernel ";
constexpr llvm::StringLiteral kTextOfNan = ", NaN ";
constexpr int64_t kFirstLoopOfSizes = int64_t{1} << 40;

class Writer {
 public:
  Writer(const ElementTable &table, const Module &names)
      : table_(table), names_(names) {}

  std::string text(ElementId id, int deep = 0) const {
    const Element &element = table_[id];
    using Kind = Element::Kind;
    switch (element.kind) {
      case Kind::Nothing:
        return "nothing";
      case Kind::Unknown:
        return "unknown";
      case Kind::Parameter:
        return parameter(element);
      case Kind::Computed:
        return call(element.op.kind().name, element.operands, deep);
      case Kind::Known:
        return "what is computed";
      case Kind::List:
        return "a literal";
      case Kind::Read:
        return text(element.operands[0], deep + 1) + index(element.maps[0]);
      case Kind::Literal:
        return literal(id);
      case Kind::Index:
        return "iota" + index(element.maps[0]);
      case Kind::Apply:
        return call(name(element.op), element.operands, deep);
      case Kind::Sum:
        return sum(id, deep);
      case Kind::Reduced:
        return "reduce by " + call(name(element.op), element.operands, deep);
      case Kind::Along:
        return call(name(element.op), element.operands, deep) +
               (element.maps[0].results().empty() ? ""
                                                  : index(element.maps[0]));
      case Kind::Cases:
        return call("one of", element.operands, deep);
    }
    return "";
  }

 private:
  static std::string name(const Op &op) {
    std::string name = op.kind().name.str();
    const std::string &more = op.descriptor().configuration;
    return more.empty() ? name : configured(name, more);
  }

  /// The op in words. Its configuration tells apart what is not the same, also
  /// by numbers that say nothing to people.
  static std::string configured(const std::string &name,
                                llvm::StringRef configuration) {
    if (configuration.consume_front(kSeveralOfKernel)) return kSeveral.str();
    if (configuration.consume_front(kTextOfKernel)) return configuration.str();
    if (configuration.starts_with(kTogether) || configuration.starts_with(kSet))
      return kSeveral.str();
    if (configuration == kTuple) return "tuple";
    if (configuration.consume_front(kPart))
      return "result " + configuration.str();
    if (configuration.consume_front(kInOrder))
      return "result " + configuration.str() + " of a reduction in order";
    const llvm::StringRef pick = configuration.split(kTextOfNan).first;
    return pick.starts_with("pick ") ? pick.str() : name + " " + pick.str();
  }

  std::string parameter(const Element &element) const {
    const Computation &entry = names_.computations[names_.entry];
    const InstructionId i = entry.parameters[element.number];
    std::string name = entry.instructions[i].name.str();
    if (shapesOf(entry.instructions[i].op).results.size() > 1)
      name += "." + std::to_string(element.leaf);
    return name;
  }

  /// Writes `i0` for the loop along the first size without a value, whose
  /// number is of the kernel's own (open_sizes.h).
  static std::string withoutSizeLoops(llvm::StringRef text) {
    std::string made;
    for (;;) {
      const auto [before, rest] = text.split("loop");
      made += before;
      if (before.size() == text.size()) return made;
      text = rest;
      int64_t number = 0;
      llvm::StringRef behind = text;
      if (behind.consumeInteger(10, number) || number < kFirstLoopOfSizes) {
        made += "loop";
        continue;
      }
      made += "i" + std::to_string(number - kFirstLoopOfSizes);
      text = behind;
    }
  }

  static std::string index(const IndexingMap &map) {
    std::vector<std::string> parts;
    for (FormId form : map.results())
      parts.push_back(withoutSizeLoops(map.str(form)));
    return "[" + llvm::join(parts, ", ") + "]";
  }

  std::string literal(ElementId id) const {
    const Element &element = table_[id];
    if (const auto number = table_.integerOf(id))
      return std::to_string(*number);
    if (const auto number = numberOfFloat(element.type, element.text)) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << number->num;
      if (number->den != 1) os << '/' << number->den;
      return text;
    }
    // The most significant byte first, as people write numbers.
    const std::string bytes(element.text.rbegin(), element.text.rend());
    const std::string hex = "0x" + llvm::toHex(bytes);
    if (const auto *format = semanticsOf(element.type)) {
      const unsigned bits = llvm::APFloat::getSizeInBits(*format);
      const llvm::APFloat value(*format, llvm::APInt(bits, hex.substr(2), 16));
      if (value.isInfinity()) return value.isNegative() ? "-inf" : "inf";
      if (value.isNaN()) return "NaN " + hex;
      if (value.isZero()) return value.isNegative() ? "-0" : "0";
    }
    return elementTypeName(element.type).str() + " " + hex;
  }

  std::string call(llvm::StringRef op, llvm::ArrayRef<ElementId> operands,
                   int deep) const {
    if (deep >= kMostTextDepth) return op.str() + "(…)";
    std::vector<std::string> parts;
    for (ElementId operand : operands.take_front(kMostTextOperands))
      parts.push_back(text(operand, deep + 1));
    if (operands.size() > kMostTextOperands) parts.push_back("…");
    return op.str() + "(" + llvm::join(parts, ", ") + ")";
  }

  std::string sum(ElementId id, int deep) const {
    if (deep >= kMostTextDepth) return "a sum";
    std::vector<std::string> parts;
    for (const auto &[factors, by] : table_.polynomialOf(id)->terms()) {
      std::string part;
      llvm::raw_string_ostream os(part);
      if (by != Coefficient(1, 1) || factors.empty()) {
        os << by.num;
        if (by.den != 1) os << '/' << by.den;
      }
      for (ElementId factor : factors)
        os << (part.empty() ? "" : " * ") << text(factor, deep + 1);
      parts.push_back(part);
    }
    if (parts.empty()) return "0";
    if (parts.size() > kMostTextOperands) {
      parts.resize(kMostTextOperands);
      parts.push_back("…");
    }
    return llvm::join(parts, " + ");
  }

  const ElementTable &table_;
  const Module &names_;
};

}  // namespace

std::string textOf(const ElementTable &table, ElementId element,
                   const Module &names) {
  return Writer(table, names).text(element);
}

std::pair<ElementId, ElementId> firstDifference(const ElementTable &table,
                                                ElementId first,
                                                ElementId second) {
  while (true) {
    if (table[first].operands.empty()) return {first, second};
    const Element &a = table[first], &b = table[second];
    const bool isOp =
        a.kind == Element::Kind::Apply || a.kind == Element::Kind::Reduced ||
        a.kind == Element::Kind::Computed || a.kind == Element::Kind::Read;
    if (!isOp || a.kind != b.kind || a.op != b.op || a.maps != b.maps ||
        a.number != b.number || a.functions != b.functions ||
        a.text != b.text || a.operands.size() != b.operands.size() ||
        table[a.operands[0]].kind == Element::Kind::Parameter)
      return {first, second};
    // The operands of ops that commute are sorted by numbers, which may differ
    // in all places for one that differs.
    llvm::SmallVector<ElementId, 4> left(a.operands), right(b.operands);
    for (ElementId same : a.operands) {
      auto *other = llvm::find(right, same);
      if (other == right.end()) continue;
      right.erase(other);
      left.erase(llvm::find(left, same));
    }
    if (left.size() != 1 || right.size() != 1) return {first, second};
    first = left[0];
    second = right[0];
  }
}

namespace {

/// Returns the first attribute that two ops have otherwise, with both values:
/// `epilogue=DEFAULT and BIAS`.
std::string attributeThatDiffers(const Op &first, const Op &second) {
  constexpr size_t kMost = 60;
  auto shortened = [](llvm::StringRef text) {
    return text.size() > kMost ? (text.take_front(kMost) + "…").str()
                               : text.str();
  };
  llvm::SmallVector<llvm::StringRef, 8> items[2];
  const Op *ops[2] = {&first, &second};
  for (int side : {0, 1})
    llvm::StringRef(innermost(*ops[side]).descriptor().configuration)
        .split(items[side], ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef item : items[0]) {
    if (llvm::is_contained(items[1], item)) continue;
    const llvm::StringRef key = item.split('=').first;
    for (llvm::StringRef other : items[1])
      if (other.split('=').first == key)
        return shortened(item) + " and " + shortened(other.split('=').second);
    return shortened(item) + ", which the second does not have";
  }
  for (llvm::StringRef item : items[1])
    if (!llvm::is_contained(items[0], item))
      return shortened(item) + ", which the first does not have";
  return "types or attributes of the op";
}

}  // namespace

std::string whatDiffers(const ElementTable &table, ElementId first,
                        ElementId second) {
  const Element *a = &table[first], *b = &table[second];
  // An element of an array is what the array is.
  while (a->kind == Element::Kind::Read && b->kind == Element::Kind::Read) {
    if (a->maps != b->maps) return "the index";
    a = &table[a->operands[0]];
    b = &table[b->operands[0]];
  }
  if (a->type != b->type) return "the element type";
  if (a->op != b->op) return attributeThatDiffers(a->op, b->op);
  for (size_t k = 0; k < a->functions.size() && k < b->functions.size(); ++k) {
    if (a->functions[k] == b->functions[k]) continue;
    if (!a->op.is<WhileOp>()) return "what it calls";
    return "what a trip of the loop does, or when it ends";
  }
  if (a->functions != b->functions) return "what it calls";
  if (a->operands != b->operands) return "an operand, deeper than is written";
  return a->maps != b->maps ? "the index" : "which run of it";
}

}  // namespace indexical

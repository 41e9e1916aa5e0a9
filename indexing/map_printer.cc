// Text of maps (map_text.h).
#include <algorithm>

#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

using NameOf = llvm::function_ref<std::string(VariableId)>;

/// Text of expressions.
class ExpressionPrinter {
 public:
  ExpressionPrinter(const ExpressionTable &table, NameOf nameOf)
      : table_(table), nameOf_(nameOf) {}

  std::string form(FormId id) const {
    std::string text;
    for (const Term &term : table_.terms(id)) addTerm(text, term);
    int64_t constant = table_.constant(id);
    if (text.empty()) return std::to_string(constant);
    if (constant < 0) text += " - " + std::to_string(-constant);
    if (constant > 0) text += " + " + std::to_string(constant);
    return text;
  }

 private:
  void addTerm(std::string &text, const Term &term) const {
    int64_t k = term.coefficient;
    bool first = text.empty();
    if (!first) {
      text += k < 0 ? " - " : " + ";
      k = k < 0 ? -k : k;
    }
    bool alone = k == 1 || (k == -1 && isVariable(term.atom));
    std::string atom = alone ? atomText(term.atom) : operand(term.atom);
    if (k == -1) {
      text += "-" + atom;
    } else {
      text += atom;
      if (k != 1) text += " * " + std::to_string(k);
    }
  }

  bool isVariable(AtomId atom) const {
    return table_.atom(atom).kind == AtomKind::Variable;
  }

  std::string operand(AtomId atom) const {
    return isVariable(atom) ? atomText(atom) : "(" + atomText(atom) + ")";
  }

  /// A form as the operand of a product or division.
  std::string operandForm(FormId id) const {
    if (auto atom = table_.asAtom(id)) return operand(*atom);
    return "(" + form(id) + ")";
  }

  std::string atomText(AtomId id) const {
    const Atom &atom = table_.atom(id);
    switch (atom.kind) {
      case AtomKind::Variable:
        return nameOf_(atom.variable());
      case AtomKind::Product:
        return operandForm(atom.a) + " * " + operandForm(atom.b);
      case AtomKind::Quotient:
        return operandForm(atom.a) + " floordiv " + operandForm(atom.b);
      case AtomKind::Remainder:
        return operandForm(atom.a) + " mod " + operandForm(atom.b);
      case AtomKind::Digit:
        break;
    }
    std::string text = operandForm(atom.a);
    if (atom.stride != 1) {
      text += " floordiv " + std::to_string(atom.stride);
      if (atom.modulus) text = "(" + text + ")";
    }
    if (atom.modulus) text += " mod " + std::to_string(atom.modulus);
    return text;
  }

  const ExpressionTable &table_;
  NameOf nameOf_;
};

/// Text of a map's parts.
class MapPrinter {
 public:
  explicit MapPrinter(const IndexingMap &map) : map_(map) {}

  std::string form(FormId id) const {
    auto nameOf = [&](VariableId v) { return map_.nameOf(v); };
    return ExpressionPrinter(map_.expressions(), nameOf).form(id);
  }

  std::string names(VariableKind kind, size_t count) const {
    std::string text;
    for (uint32_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + map_.nameOf({kind, i});
    return text;
  }

  void addDomain(std::vector<std::string> &lines, VariableKind kind,
                 size_t count) const {
    for (uint32_t i = 0; i < count; ++i)
      lines.push_back(map_.nameOf({kind, i}) + " in " +
                      map_.variable({kind, i}).bounds.str());
  }

  std::vector<std::string> domain() const {
    std::vector<std::string> lines, constraints;
    addDomain(lines, VariableKind::Dimension, map_.dimensions().size());
    addDomain(lines, VariableKind::Range, map_.ranges().size());
    addDomain(lines, VariableKind::Runtime, map_.visibleRuntimeCount());
    for (const Constraint &c : map_.constraints())
      constraints.push_back(constraint(c.form) + " in " + c.bounds.str());
    std::sort(constraints.begin(), constraints.end());
    lines.insert(lines.end(), constraints.begin(), constraints.end());
    return lines;
  }

 private:
  /// In parentheses where it is a variable alone: what a clamped runtime
  /// variable is known to be beside its bounds, which have a line of their own.
  std::string constraint(FormId id) const {
    std::string text = form(id);
    return map_.expressions().asVariable(id) ? "(" + text + ")" : text;
  }

  const IndexingMap &map_;
};

}  // namespace

std::string printExpression(const IndexingMap &map, FormId form) {
  return MapPrinter(map).form(form);
}

std::string printExpression(
    const ExpressionTable &table, FormId form,
    llvm::function_ref<std::string(VariableId)> nameOf) {
  return ExpressionPrinter(table, nameOf).form(form);
}

std::string printMap(const IndexingMap &map, MapTextStyle style) {
  if (!hasStack(stackOfLevels(map.expressions().atomCount())))
    return onDeepStack([&] { return printMap(map, style); });
  if (style == MapTextStyle::Attribute)
    return "#xla.indexing_map<\"" + printMap(map, MapTextStyle::OneLine) +
           "\">";
  if (map.isKnownEmpty()) return "KNOWN EMPTY";
  MapPrinter printer(map);
  std::string text =
      "(" + printer.names(VariableKind::Dimension, map.dimensions().size()) +
      ")";
  if (!map.ranges().empty())
    text += "[" + printer.names(VariableKind::Range, map.ranges().size()) + "]";
  if (map.visibleRuntimeCount())
    text += "{" +
            printer.names(VariableKind::Runtime, map.visibleRuntimeCount()) +
            "}";
  text += " -> (";
  for (size_t i = 0; i < map.results().size(); ++i)
    text += (i ? ", " : "") + printer.form(map.results()[i]);
  text += ")";
  std::vector<std::string> domain = printer.domain();
  if (domain.empty()) return text;
  llvm::StringRef gap = style == MapTextStyle::Lines ? ",\n" : ", ";
  text += gap;
  text += style == MapTextStyle::Lines ? "domain:\n" : "domain: ";
  return text + llvm::join(domain, gap);
}

}  // namespace indexical

// Text of maps (map_text.h).
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

using NameOf = llvm::function_ref<std::string(VariableId)>;

/// Writes expressions from the root by a loop. The stack holds the parts that
/// are still to be written, the next one on top. (Texts of parts that are put
/// together would be copied at each level.)
class ExpressionPrinter {
 public:
  ExpressionPrinter(const ExpressionTable &table, NameOf nameOf)
      : table_(table), nameOf_(nameOf) {}

  std::string form(FormId root) {
    std::string text;
    stack_ = {Pending::form(root)};
    while (!stack_.empty()) {
      Pending piece = stack_.pop_back_val();
      if (piece.what == Pending::Text)
        text += piece.text;
      else
        push(piece.what == Pending::Form ? partsOf(piece.id)
                                         : atomParts(piece.id));
    }
    return text;
  }

 private:
  struct Pending {
    enum What : uint8_t { Text, Form, Atom } what = Text;
    uint32_t id = 0;
    std::string text = {};

    static Pending of(std::string text) { return {Text, 0, std::move(text)}; }
    static Pending form(FormId id) { return {Form, id}; }
    static Pending atom(AtomId id) { return {Atom, id}; }
  };
  using Pieces = llvm::SmallVector<Pending, 4>;

  void push(Pieces pieces) {
    for (Pending &piece : llvm::reverse(pieces))
      stack_.push_back(std::move(piece));
  }

  Pieces partsOf(FormId id) const {
    Pieces pieces;
    for (const Term &term : table_.terms(id)) addTerm(pieces, term);
    const int64_t constant = table_.constant(id);
    if (pieces.empty())
      pieces.push_back(Pending::of(std::to_string(constant)));
    else if (constant != 0)
      pieces.push_back(Pending::of((constant < 0 ? " - " : " + ") +
                                   std::to_string(std::abs(constant))));
    return pieces;
  }

  void addTerm(Pieces &pieces, const Term &term) const {
    int64_t k = term.coefficient;
    if (!pieces.empty()) {
      pieces.push_back(Pending::of(k < 0 ? " - " : " + "));
      k = k < 0 ? -k : k;
    }
    if (k == -1) pieces.push_back(Pending::of("-"));
    if (k == 1 || (k == -1 && isVariable(term.atom)))
      pieces.push_back(Pending::atom(term.atom));
    else
      addOperand(pieces, term.atom);
    if (k != 1 && k != -1)
      pieces.push_back(Pending::of(" * " + std::to_string(k)));
  }

  bool isVariable(AtomId atom) const {
    return table_.atom(atom).asVariable().has_value();
  }

  void addOperand(Pieces &pieces, AtomId atom) const {
    const bool isAlone = isVariable(atom);
    if (!isAlone) pieces.push_back(Pending::of("("));
    pieces.push_back(Pending::atom(atom));
    if (!isAlone) pieces.push_back(Pending::of(")"));
  }

  /// A form as the operand of a product or division.
  void addOperandForm(Pieces &pieces, FormId id) const {
    if (auto atom = table_.asAtom(id)) return addOperand(pieces, *atom);
    pieces.push_back(Pending::of("("));
    pieces.push_back(Pending::form(id));
    pieces.push_back(Pending::of(")"));
  }

  /// The parts of an atom's text: a domain (fold.h).
  struct AtomParts {
    const ExpressionPrinter &printer;

    Pieces variable(VariableId id) const {
      return {Pending::of(printer.nameOf_(id))};
    }
    Pieces digit(FormId parent, int64_t stride, int64_t modulus) const {
      Pieces pieces;
      const bool isBoth = stride != 1 && modulus != 0;
      if (isBoth) pieces.push_back(Pending::of("("));
      printer.addOperandForm(pieces, parent);
      if (stride != 1)
        pieces.push_back(Pending::of(" floordiv " + std::to_string(stride)));
      if (isBoth) pieces.push_back(Pending::of(")"));
      if (modulus)
        pieces.push_back(Pending::of(" mod " + std::to_string(modulus)));
      return pieces;
    }
    Pieces product(FormId a, FormId b) const { return binary(a, " * ", b); }
    Pieces quotient(FormId a, FormId b) const {
      return binary(a, " floordiv ", b);
    }
    Pieces remainder(FormId a, FormId b) const { return binary(a, " mod ", b); }
    Pieces binary(FormId a, const char *name, FormId b) const {
      Pieces pieces;
      printer.addOperandForm(pieces, a);
      pieces.push_back(Pending::of(name));
      printer.addOperandForm(pieces, b);
      return pieces;
    }
  };

  Pieces atomParts(AtomId id) const {
    return valueOfAtom(table_.atom(id), AtomParts{*this},
                       [](FormId form) { return form; });
  }

  const ExpressionTable &table_;
  NameOf nameOf_;
  llvm::SmallVector<Pending, 16> stack_;
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
  /// Returns the constraint's form, in parentheses if it is a variable alone:
  /// what a clamped runtime variable is known to be beside its bounds, which
  /// have a line of their own.
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

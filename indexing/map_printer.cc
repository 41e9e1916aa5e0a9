// Text of maps (map_text.h).
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/part_printer.h"

namespace indexical {
namespace {

/// A text that grows at its end. Texts of maps are made of short pieces: names,
/// numbers, ` + `. A buffer on the stack takes them without a call for each,
/// and str() makes one string of the right length.
class TextBuffer {
 public:
  TextBuffer() = default;
  TextBuffer(const TextBuffer &) = delete;
  TextBuffer &operator=(const TextBuffer &) = delete;

  size_t size() const { return end_ - begin_; }
  std::string str() const { return std::string(begin_, end_); }

  TextBuffer &operator+=(char character) {
    if (end_ == limit_) grow(1);
    *end_++ = character;
    return *this;
  }
  template <size_t N>
  TextBuffer &operator+=(const char (&literal)[N]) {
    return add(literal, N - 1);
  }
  TextBuffer &operator+=(llvm::StringRef text) {
    return add(text.data(), text.size());
  }
  TextBuffer &operator+=(const std::string &text) {
    return add(text.data(), text.size());
  }

  void addNumber(int64_t number) {
    constexpr size_t kMostDigits = 20;
    if (static_cast<size_t>(limit_ - end_) < kMostDigits) grow(kMostDigits);
    if (number >= 0 && number < 10)
      *end_++ = static_cast<char>('0' + number);
    else
      end_ = std::to_chars(end_, limit_, number).ptr;
  }

  /// Adds a copy of its own characters from `begin` to `end`.
  void addAgain(size_t begin, size_t end) {
    const size_t size = end - begin;
    if (static_cast<size_t>(limit_ - end_) < size) grow(size);
    std::memcpy(end_, begin_ + begin, size);
    end_ += size;
  }

  /// Cuts the text off behind its first `size` characters, and returns what was
  /// there. Requires a size that is not above size().
  std::string cutAt(size_t size) {
    std::string rest(begin_ + size, end_);
    end_ = begin_ + size;
    return rest;
  }

 private:
  TextBuffer &add(const char *text, size_t size) {
    if (static_cast<size_t>(limit_ - end_) < size) grow(size);
    if (size > 0) std::memcpy(end_, text, size);
    end_ += size;
    return *this;
  }

  /// Makes room for so many characters more.
  void grow(size_t more) {
    const size_t used = size(), room = 2 * (used + more);
    std::unique_ptr<char[]> heap(new char[room]);
    std::memcpy(heap.get(), begin_, used);
    heap_ = std::move(heap);
    begin_ = heap_.get();
    end_ = begin_ + used;
    limit_ = begin_ + room;
  }

  static constexpr size_t kOnStack = 500;
  char stack_[kOnStack];
  std::unique_ptr<char[]> heap_;
  char *begin_ = stack_, *end_ = stack_, *limit_ = stack_ + kOnStack;
};

/// XLA has no open sides: they are the least and the greatest number.
void addBounds(TextBuffer &text, const Interval &bounds, bool isForXla) {
  text += '[';
  bounds.hasLower() || isForXla ? text.addNumber(bounds.lower)
                                : void(text += "-inf");
  text += ", ";
  bounds.hasUpper() || isForXla ? text.addNumber(bounds.upper)
                                : void(text += "inf");
  text += ']';
}

/// Writes expressions from the root by a loop, behind the text that is there.
/// The stack holds what is still to be written, the next one on top. (Texts of
/// parts that are put together would be copied at each level.) A sum that
/// stands in parentheses several times, as in each result of a reshape, is
/// written once and then copied.
template <typename AddName>
class ExpressionPrinter {
 public:
  /// `addName` writes a variable's name behind the text. `isForXla` writes `/`,
  /// and functions of two arguments alone.
  ExpressionPrinter(const ExpressionTable &table, const AddName &addName,
                    TextBuffer &text, bool isForXla = false)
      : table_(table), addName_(addName), text_(text), isForXla_(isForXla) {}

  /// Forgets what was written behind the first `size` characters, which is no
  /// longer there.
  void forgetBehind(size_t size) {
    while (!written_.empty() && written_.back().end > size) written_.pop_back();
  }

  void write(FormId root) {
    writeSum(root);
    while (!stack_.empty()) {
      const Rest rest = stack_.pop_back_val();
      switch (rest.what) {
        case Rest::Terms:
          writeTerms(rest.id, rest.term);
          break;
        case Rest::Atom:
          writeAtom(rest.id);
          break;
        case Rest::End:
          visitAtom(rest.id, AtomEnd{*this});
          break;
        case Rest::Close:
          text_ += ')';
          if (written_.size() < kMostWritten)
            written_.push_back({rest.id, rest.term, text_.size()});
          break;
        case Rest::Factor:
          text_ += ')';
          writeFactor(factorOf(rest.id, rest.term));
          break;
      }
    }
  }

 private:
  struct Rest {
    enum What : uint8_t {
      Terms,   ///< of a form, from this one on
      Atom,    ///< all of it
      End,     ///< of an atom: what follows its first operand
      Close,   ///< a parenthesis, of the form that begins at `term`
      Factor,  ///< a parenthesis and the factor of this term
    } what;
    uint32_t id;
    size_t term;
  };
  /// A form in parentheses, and where it stands in the text.
  struct Written {
    FormId form;
    size_t begin, end;
  };
  static constexpr size_t kMostWritten = 16;

  /// A form whose minima and maxima have to be found first is written at once.
  void writeSum(FormId form) {
    if (hasPart(table_, table_.terms(form)))
      text_ += textOfParts(form);
    else
      later(Rest::Terms, form);
  }
  std::string textOfParts(FormId form) const {
    if (inside_) return (*inside_)(form);
    auto plain = [this](const ExpressionTable &table, FormId part,
                        TextOfParts inside) {
      TextBuffer text;
      ExpressionPrinter printer(table, addName_, text, isForXla_);
      printer.inside_ = &inside;
      printer.write(part);
      return text.str();
    };
    return indexical::textOfParts(table_, form, isForXla_ ? 2 : SIZE_MAX,
                                  plain);
  }

  void later(typename Rest::What what, uint32_t id = 0, size_t term = 0) {
    stack_.push_back({what, id, term});
  }

  /// The sign of a term behind another one stands between them.
  int64_t factorOf(FormId form, size_t term) const {
    const int64_t k = table_.terms(form)[term].coefficient;
    return term > 0 && k < 0 ? -k : k;
  }

  void writeFactor(int64_t factor) {
    if (factor == 1 || factor == -1) return;
    text_ += " * ";
    text_.addNumber(factor);
  }

  /// Writes the terms of a form from this one on, up to one that has a form of
  /// its own: what follows it comes later.
  void writeTerms(FormId form, size_t number) {
    const llvm::ArrayRef<Term> terms = table_.terms(form);
    const int64_t constant = table_.constant(form);
    for (; number < terms.size(); ++number) {
      const Term &term = terms[number];
      if (number > 0) text_ += term.coefficient < 0 ? " - " : " + ";
      const int64_t factor = factorOf(form, number);
      if (factor == -1) text_ += '-';
      if (const auto variable = table_.atom(term.atom).asVariable()) {
        addName_(text_, *variable);
        writeFactor(factor);
        continue;
      }
      if (number + 1 < terms.size() || constant != 0)
        later(Rest::Terms, form, number + 1);
      if (factor != 1) {
        text_ += '(';
        later(Rest::Factor, form, number);
      }
      return writeAtom(term.atom);
    }
    if (number == 0)
      text_.addNumber(constant);
    else if (constant != 0)
      addConstant(constant);
  }

  void addConstant(int64_t constant) {
    text_ += constant < 0 ? " - " : " + ";
    text_.addNumber(std::abs(constant));
  }

  void writeAtom(AtomId id) {
    if (table_.atom(id).kind != AtomKind::Variable) later(Rest::End, id);
    visitAtom(id, AtomBegin{*this});
  }

  /// A form as the operand of a product or division.
  void writeOperand(FormId form) {
    const auto atom = table_.asAtom(form);
    if (const auto variable =
            atom ? table_.atom(*atom).asVariable() : std::nullopt)
      return addName_(text_, *variable);
    if (hasPart(table_, table_.terms(form))) {
      const std::string sum = textOfParts(form);
      const bool isOne = isOneCall(sum);
      if (!isOne) text_ += '(';
      text_ += sum;
      if (!isOne) text_ += ')';
      return;
    }
    for (const Written &sum : written_)
      if (sum.form == form) return text_.addAgain(sum.begin, sum.end);
    later(Rest::Close, form, text_.size());
    text_ += '(';
    atom ? later(Rest::Atom, *atom) : later(Rest::Terms, form);
  }

  /// An atom up to its first operand: a domain (fold.h).
  struct AtomBegin {
    ExpressionPrinter &printer;

    void variable(VariableId id) const { printer.addName_(printer.text_, id); }
    void digit(FormId parent, int64_t stride, int64_t modulus) const {
      if (stride != 1 && modulus != 0) printer.text_ += '(';
      printer.writeOperand(parent);
    }
    void product(FormId a, FormId) const { printer.writeOperand(a); }
    void quotient(FormId a, FormId) const { printer.writeOperand(a); }
    void remainder(FormId a, FormId) const { printer.writeOperand(a); }
    // Sums with parts are written by part_printer.h.
    void positivePart(FormId) const {}
  };

  /// What follows: likewise.
  struct AtomEnd {
    ExpressionPrinter &printer;

    void variable(VariableId) const {}
    void digit(FormId, int64_t stride, int64_t modulus) const {
      TextBuffer &text = printer.text_;
      if (stride != 1) {
        text += printer.floorDiv();
        text.addNumber(stride);
      }
      if (stride != 1 && modulus != 0) text += ')';
      if (modulus == 0) return;
      text += " mod ";
      text.addNumber(modulus);
    }
    void product(FormId, FormId b) const { second(" * ", b); }
    void quotient(FormId, FormId b) const { second(printer.floorDiv(), b); }
    void remainder(FormId, FormId b) const { second(" mod ", b); }
    void positivePart(FormId) const {}
    void second(llvm::StringRef name, FormId b) const {
      printer.text_ += name;
      printer.writeOperand(b);
    }
  };

  template <typename Domain>
  void visitAtom(AtomId id, Domain domain) {
    valueOfAtom(table_.atom(id), domain, [](FormId form) { return form; });
  }

  llvm::StringRef floorDiv() const { return isForXla_ ? " / " : " floordiv "; }

  const ExpressionTable &table_;
  const AddName &addName_;
  TextBuffer &text_;
  const bool isForXla_;
  /// Sums with parts of the table, if something that is being written has them
  /// already: this table then grows while a text is made.
  const TextOfParts *inside_ = nullptr;
  llvm::SmallVector<Rest, 16> stack_;
  llvm::SmallVector<Written, kMostWritten> written_;
};

/// Writes the names of a map's variables.
struct AddNameOf {
  const IndexingMap &map;

  void operator()(TextBuffer &text, VariableId id) const {
    const std::string &name = map.variable(id).name;
    if (!name.empty()) {
      text += name;
      return;
    }
    if (id.kind == VariableKind::Runtime)
      text += "rt";
    else
      text += id.kind == VariableKind::Range ? 's' : 'd';
    text.addNumber(id.index);
  }
};

/// Writes a map's parts.
class MapPrinter {
 public:
  MapPrinter(const IndexingMap &map, TextBuffer &text, bool isForXla = false)
      : map_(map),
        addName_{map},
        text_(text),
        isForXla_(isForXla),
        forms_(map.expressions(), addName_, text, isForXla) {}

  void addForm(FormId id) { forms_.write(id); }

  void addNames(char open, VariableKind kind, size_t count, char close) {
    text_ += open;
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0) text_ += ", ";
      addName_(text_, {kind, i});
    }
    text_ += close;
  }

  /// Adds bounds and constraints, `begin` before them and `gap` between two.
  void addDomain(llvm::StringRef begin, llvm::StringRef gap) {
    gap_ = begin;
    next_ = gap;
    addBoxOf(VariableKind::Dimension, map_.dimensions().size());
    addBoxOf(VariableKind::Range, map_.ranges().size());
    addBoxOf(VariableKind::Runtime, map_.visibleRuntimeCount());
    addConstraints();
  }

 private:
  void addGap() {
    text_ += gap_;
    gap_ = next_;
  }

  void addBoxOf(VariableKind kind, size_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      addGap();
      addName_(text_, {kind, i});
      text_ += " in ";
      addBounds(text_, map_.variable({kind, i}).bounds, isForXla_);
    }
  }

  /// Constraints are in the order of their texts.
  void addConstraints() {
    std::vector<std::string> others;
    const bool areMany = map_.constraints().size() > 1;
    for (const Constraint &c : map_.constraints()) {
      if (!areMany) addGap();
      const size_t at = text_.size();
      addConstraint(c);
      if (!areMany) continue;
      others.push_back(text_.cutAt(at));
      forms_.forgetBehind(at);
    }
    std::sort(others.begin(), others.end());
    for (const std::string &each : others) {
      addGap();
      text_ += each;
    }
  }

  /// A form that is a variable alone is in parentheses: what a clamped runtime
  /// variable is known to be beside its bounds, which have a line of their own.
  void addConstraint(const Constraint &c) {
    const bool isAlone = map_.expressions().asVariable(c.form).has_value();
    if (isAlone) text_ += '(';
    addForm(c.form);
    if (isAlone) text_ += ')';
    text_ += " in ";
    addBounds(text_, c.bounds, isForXla_);
  }

  const IndexingMap &map_;
  const AddNameOf addName_;
  TextBuffer &text_;
  const bool isForXla_;
  ExpressionPrinter<AddNameOf> forms_;
  llvm::StringRef gap_, next_;
};

}  // namespace

std::string printExpression(const IndexingMap &map, FormId form) {
  TextBuffer text;
  MapPrinter(map, text).addForm(form);
  return text.str();
}

std::string printExpression(
    const ExpressionTable &table, FormId form,
    llvm::function_ref<std::string(VariableId)> nameOf) {
  TextBuffer text;
  auto addName = [&](TextBuffer &to, VariableId id) { to += nameOf(id); };
  ExpressionPrinter(table, addName, text).write(form);
  return text.str();
}

namespace {

/// Writes the parts of a map, with `begin` before the domain and `gap` between
/// two entries.
std::string printed(const IndexingMap &map, bool isForXla,
                    llvm::StringRef begin, llvm::StringRef gap) {
  if (map.isKnownEmpty()) return "KNOWN EMPTY";
  TextBuffer text;
  MapPrinter printer(map, text, isForXla);
  printer.addNames('(', VariableKind::Dimension, map.dimensions().size(), ')');
  if (!map.ranges().empty())
    printer.addNames('[', VariableKind::Range, map.ranges().size(), ']');
  if (const size_t count = map.visibleRuntimeCount())
    printer.addNames('{', VariableKind::Runtime, count, '}');
  text += " -> (";
  for (size_t i = 0; i < map.results().size(); ++i) {
    if (i > 0) text += ", ";
    printer.addForm(map.results()[i]);
  }
  text += ')';
  printer.addDomain(begin, gap);
  return text.str();
}

}  // namespace

std::string printMap(const IndexingMap &map, MapTextStyle style) {
  if (style == MapTextStyle::Attribute)
    return "#xla.indexing_map<\"" + printMap(map, MapTextStyle::OneLine) +
           "\">";
  if (style == MapTextStyle::Lines)
    return printed(map, /*isForXla=*/false, ",\ndomain:\n", ",\n");
  return printed(map, /*isForXla=*/false, ", domain: ", ", ");
}

std::string printMapForXla(const IndexingMap &map) {
  return printed(map, /*isForXla=*/true, ", domain: ", ", ");
}

}  // namespace indexical

// Maps from text (map_text.h): a scanner over the characters and a recursive
// descent over the grammar of formats.md, section 1.
#include <algorithm>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

constexpr int kDeepest = 500;  // levels of parentheses, and of divisions

class MapParser {
 public:
  explicit MapParser(llvm::StringRef text, size_t start = 0)
      : text_(text), start_(start), at_(start) {}

  absl::StatusOr<IndexingMap> map();
  /// Passes over white space and comment lines; whether text is left.
  bool more();
  size_t offset() const { return at_; }

 private:
  struct Divisor {
    FormId form;
    size_t offset;
    bool isMod;
  };

  // Scanning.
  bool skip();
  llvm::StringRef takeOperator();
  bool isAtArrow() const {
    return at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] == '>';
  }
  bool peek(llvm::StringRef token);
  bool take(llvm::StringRef token);
  bool want(llvm::StringRef token, llvm::StringRef where);
  llvm::StringRef word();
  llvm::StringRef peekWord();
  bool fail(size_t offset, const llvm::Twine &message,
            llvm::StringRef suggestion = "");

  // The grammar. A false says that `status_` is set.
  bool body(bool quoted);
  bool variablesAndResults();
  bool names(llvm::StringRef close, VariableKind kind);
  bool domain();
  bool entry();
  bool isAtSource();
  bool source();
  bool interval(Interval &bounds);
  bool bound(int64_t &value);
  bool number(bool negative, int64_t &value);
  bool sum(FormId &form);
  bool product(FormId &form);
  bool divide(llvm::StringRef op, size_t at, FormId divisor, FormId &form);
  bool unary(FormId &form);
  bool primary(FormId &form);
  bool variable(FormId &form);
  bool nextIsMap();
  size_t placeOf(VariableId id) const;
  void numberAgain();
  bool finish();
  bool checked(size_t offset);
  bool tooDeep(size_t offset);

  llvm::StringRef text_;
  const size_t start_;
  size_t at_;
  int depth_ = 0;
  absl::Status status_;

  ExpressionPool pool_;
  struct Name {
    VariableId id;
    llvm::StringRef text;
    size_t offset;
    Interval bounds;
    bool hasBounds = false;
    bool hasSource = false;
  };
  std::vector<Name> declared_;
  llvm::SmallDenseMap<llvm::StringRef, size_t, 16> byName_;
  std::optional<size_t> bounded_;  // whose bounds came last, in declared_
  uint32_t counts_[3] = {0, 0, 0};
  std::vector<int> heights_;  // of the pool's atoms
  std::vector<FormId> results_;
  std::vector<std::pair<FormId, Interval>> constraints_;
  std::vector<Divisor> divisors_;
  std::vector<std::pair<FormId, size_t>> places_;
  absl::StatusOr<IndexingMap> built_ = absl::InternalError("not built");
};

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

//===-- Scanning ----------------------------------------------------------===//

/// Whether no space and no comment begins with it.
bool isPlain(char c) { return c > ' ' && c != '/' && c != '#'; }

bool MapParser::more() {
  // The next word mostly begins here, or behind one space.
  if (at_ < text_.size() && isPlain(text_[at_])) return true;
  if (at_ + 1 < text_.size() && text_[at_] == ' ' && isPlain(text_[at_ + 1])) {
    ++at_;
    return true;
  }
  return skip();
}

/// Skips spaces, and comments at the beginning of a line. Returns false at the
/// end of the text.
bool MapParser::skip() {
  bool lineStart = at_ == start_ || text_[at_ - 1] == '\n';
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '\n') {
      lineStart = true;
    } else if (lineStart && (text_.substr(at_).starts_with("//") ||
                             text_.substr(at_).starts_with("# "))) {
      size_t end = text_.find('\n', at_);
      at_ = end == llvm::StringRef::npos ? text_.size() : end;
      continue;
    } else if (!llvm::isSpace(c)) {
      return true;
    }
    ++at_;
  }
  return false;
}

bool MapParser::peek(llvm::StringRef token) {
  if (!more() || text_[at_] != token.front()) return false;
  if (token.size() == 1) return true;  // no word is so short
  if (!text_.substr(at_).starts_with(token)) return false;
  // A word ends where its letters end.
  size_t end = at_ + token.size();
  return !isNamePart(token.back()) || end >= text_.size() ||
         !isNamePart(text_[end]);
}

bool MapParser::take(llvm::StringRef token) {
  if (!peek(token)) return false;
  at_ += token.size();
  return true;
}

bool MapParser::want(llvm::StringRef token, llvm::StringRef where) {
  if (take(token)) return true;
  return fail(at_, "expected `" + token + "` " + where);
}

llvm::StringRef MapParser::peekWord() {
  more();
  if (at_ >= text_.size() || !isNameStart(text_[at_])) return "";
  size_t end = at_ + 1;
  while (end < text_.size() && isNamePart(text_[end])) ++end;
  return text_.slice(at_, end);
}

llvm::StringRef MapParser::word() {
  llvm::StringRef w = peekWord();
  at_ += w.size();
  return w;
}

bool MapParser::fail(size_t offset, const llvm::Twine &message,
                     llvm::StringRef suggestion) {
  if (status_.ok()) {
    std::string text = message.str();
    if (offset >= text_.size()) {
      text += ", but the text ends";
      offset = text_.rtrim().size();  // a line that can be shown
    }
    status_ = errorAt(placeOfOffset(text_, offset), text, suggestion);
  }
  return false;
}

bool MapParser::checked(size_t offset) {
  if (pool_.overflowed())
    return fail(offset, "the constant leaves the range of 64-bit integers");
  // `d0 mod 5 mod 7 mod 5 …` is deep without a parenthesis.
  while (heights_.size() < pool_.atomCount()) {
    const Atom &atom = pool_.atom(heights_.size());
    int height = 0;
    auto add = [&](FormId part) {
      for (const Term &term : pool_.terms(part))
        height = std::max(height, heights_[term.atom] + 1);
    };
    if (atom.kind != AtomKind::Variable) add(atom.a);
    if (atom.kind > AtomKind::Digit) add(atom.b);
    heights_.push_back(height);
    if (height > kDeepest) return tooDeep(offset);
  }
  return true;
}

bool MapParser::tooDeep(size_t offset) {
  return fail(offset, "the expression is nested more than " +
                          llvm::Twine(kDeepest) + " levels deep");
}

//===-- A map -------------------------------------------------------------===//

absl::StatusOr<IndexingMap> MapParser::map() {
  more();
  bool done;
  if (at_ < text_.size() && text_[at_] == '#') {
    ++at_;
    size_t start = at_;
    llvm::StringRef name = word();
    if (!name.ends_with("indexing_map")) {
      fail(start, "expected an attribute `#xla.indexing_map<\"…\">`");
      return status_;
    }
    bool open = want("<", "after `indexing_map`");
    bool quoted = open && take("\"");
    done = open && body(quoted) && (!quoted || want("\"", "after the map")) &&
           want(">", "after the map");
  } else {
    done = body(false);
  }
  if (!done || !finish()) return status_;
  return std::move(built_);
}

bool MapParser::body(bool quoted) {
  if (take("KNOWN")) {
    built_ = IndexingMap::knownEmpty();
    return want("EMPTY", "after `KNOWN`");
  }
  if (!variablesAndResults()) return false;
  size_t before = at_;
  bool comma = take(",");
  if (peek("domain")) {
    take("domain");
    return want(":", "after `domain`") && domain();
  }
  if (comma) return fail(at_, "expected `domain:` after the results");
  at_ = quoted ? at_ : before;
  return true;
}

bool MapParser::variablesAndResults() {
  if (!want("(", "before the dimension variables") ||
      !names(")", VariableKind::Dimension))
    return false;
  if (take("[") && !names("]", VariableKind::Range)) return false;
  if (take("{") && !names("}", VariableKind::Runtime)) return false;
  if (!want("->", "after the variables") || !want("(", "before the results"))
    return false;
  if (!take(")")) {
    do {
      more();
      size_t start = at_;
      FormId form;
      if (!sum(form)) return false;
      results_.push_back(form);
      places_.push_back({form, start});
    } while (take(","));
    if (!want(")", "or `,` after a result")) return false;
  }
  return true;
}

bool MapParser::names(llvm::StringRef close, VariableKind kind) {
  if (take(close)) return true;
  do {
    more();
    size_t start = at_;
    llvm::StringRef name = word();
    if (name.empty()) return fail(start, "expected the name of a variable");
    if (name == "floordiv" || name == "ceildiv" || name == "mod" ||
        name == "in" || name == "domain")
      return fail(start, "`" + name + "` cannot be the name of a variable");
    if (!byName_.try_emplace(name, declared_.size()).second)
      return fail(start, "the variable `" + name + "` is declared twice");
    VariableId id{kind, counts_[static_cast<int>(kind)]++};
    declared_.push_back({id, name, start, Interval::all(), false});
  } while (take(","));
  return want(close, "or `,` after the name of a variable");
}

//===-- The domain --------------------------------------------------------===//

// Older dumps leave out the commas between entries: there the next map begins
// with a list of names that `[`, `{` or `->` follows.
bool MapParser::nextIsMap() {
  if (!peek("(")) return false;
  size_t close = text_.find(')', at_);
  if (close == llvm::StringRef::npos) return false;
  llvm::StringRef rest = text_.substr(close + 1).ltrim();
  return rest.starts_with("->") || rest.starts_with("[") ||
         rest.starts_with("{");
}

bool MapParser::domain() {
  if (declared_.empty() && (!more() || peek("\"") || nextIsMap())) return true;
  while (true) {
    if (take("is_simplified")) {
      if (!want(":", "after `is_simplified`")) return false;
      word();
    } else if (isAtSource() ? !source() : !entry()) {
      return false;
    }
    if (take(",") || isAtSource()) continue;
    if (!more() || peek("\"") || peek(">") || peek("#") || peek("KNOWN") ||
        nextIsMap())
      return true;
  }
}

bool MapParser::entry() {
  more();
  size_t start = at_;
  llvm::StringRef name = peekWord();
  auto known = byName_.find(name);
  FormId form;
  if (!sum(form)) return false;
  llvm::StringRef written = text_.slice(start, at_).rtrim();
  if (!want("in", "and an interval after the expression")) return false;
  Interval bounds;
  if (!interval(bounds)) return false;
  bounded_.reset();
  if (known != byName_.end() && written == name) {
    Name &variable = declared_[known->second];
    if (variable.hasBounds)
      return fail(start, "the bounds of `" + name + "` are given twice");
    variable.bounds = bounds;
    variable.hasBounds = true;
    bounded_ = known->second;
    return true;
  }
  constraints_.push_back({form, bounds});
  places_.push_back({form, start});
  return true;
}

// Older dumps say behind a variable's bounds which instruction computes its
// value, and which element of it that is:
//   hlo: of1 = s32[] parameter(1)
//   (d0, d1, d2) -> ()
bool MapParser::isAtSource() {
  return peekWord() == "hlo" && text_.substr(at_ + 3).ltrim().starts_with(":");
}

/// Reads these two lines and makes the variable a runtime variable. A map from
/// text has no sources, so nothing else is kept of them.
bool MapParser::source() {
  const size_t start = at_;
  if (!bounded_ || declared_[*bounded_].id.kind == VariableKind::Dimension)
    return fail(start,
                "`hlo:` must stand behind the bounds of a range or "
                "runtime variable");
  Name &variable = declared_[*bounded_];
  if (variable.hasSource)
    return fail(start, "`" + variable.text + "` has a line `hlo:` already");
  variable.hasSource = true;
  at_ = std::min(text_.find('\n', at_), text_.size());
  more();
  const size_t index = at_;
  MapParser map(text_, at_);
  if (!map.variablesAndResults()) {
    status_ = map.status_;
    return false;
  }
  at_ = map.at_;
  const uint32_t dimensions = map.counts_[0];
  if (dimensions == counts_[0]) return true;
  return fail(index, "the index of an element must be a map of the " +
                         llvm::Twine(counts_[0]) +
                         " dimension variables, but has " +
                         llvm::Twine(dimensions));
}

bool MapParser::interval(Interval &bounds) {
  return want("[", "before the lower bound") && bound(bounds.lower) &&
         want(",", "between the bounds") && bound(bounds.upper) &&
         want("]", "after the upper bound");
}

bool MapParser::bound(int64_t &value) {
  bool negative = take("-");
  if (take("inf")) {
    value = negative ? Interval::kMinusInfinity : Interval::kInfinity;
    return true;
  }
  return number(negative, value);
}

bool MapParser::number(bool negative, int64_t &value) {
  more();
  size_t start = at_;
  const uint64_t most = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  uint64_t magnitude = 0;
  bool fits = true;
  for (; at_ < text_.size() && llvm::isDigit(text_[at_]); ++at_) {
    const uint64_t digit = text_[at_] - '0';
    fits &= magnitude <= (UINT64_MAX - 9) / 10;
    magnitude = magnitude * 10 + digit;
  }
  if (at_ == start) return fail(start, "expected an integer");
  if (!fits || magnitude > most)
    return fail(start, "the integer does not fit in 64 bits");
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

//===-- Expressions -------------------------------------------------------===//

bool MapParser::sum(FormId &form) {
  if (++depth_ > kDeepest) return tooDeep(at_);
  if (!product(form)) return false;
  // All parts at once: a form for every prefix would be quadratic.
  llvm::SmallVector<ScaledForm, 8> parts{{form, 1}};
  size_t last = at_;
  while (true) {
    more();
    if (isAtArrow()) break;
    size_t at = at_;
    int64_t sign = take("+") ? 1 : take("-") ? -1 : 0;
    if (sign == 0) break;
    last = at;
    FormId right;
    if (!product(right)) return false;
    parts.push_back({right, sign});
  }
  --depth_;
  if (parts.size() == 1) return true;
  form = pool_.linear(parts, 0);
  return checked(last);
}

/// An operator that binds as a product does; empty if there is none. No two
/// begin alike.
llvm::StringRef MapParser::takeOperator() {
  if (!more()) return "";
  for (llvm::StringRef op : {"*", "floordiv", "mod", "ceildiv", "/", "%"})
    if (text_[at_] == op.front()) return take(op) ? op : "";
  return "";
}

bool MapParser::product(FormId &form) {
  if (!unary(form)) return false;
  while (true) {
    more();
    size_t at = at_;
    const llvm::StringRef op = takeOperator();
    if (op.empty()) return true;
    more();
    size_t rightAt = at_;
    FormId right;
    if (!unary(right)) return false;
    if (op == "*")
      form = pool_.product(form, right);
    else if (!divide(op, rightAt, right, form))
      return false;
    if (!checked(at)) return false;
  }
}

bool MapParser::divide(llvm::StringRef op, size_t at, FormId divisor,
                       FormId &form) {
  bool isMod = op == "mod" || op == "%";
  if (pool_.isConstant(divisor)) {
    int64_t value = pool_.constant(divisor);
    if (isMod && value <= 0)
      return fail(at, "the divisor of `mod` must be positive, and is " +
                          llvm::Twine(value));
    if (value == 0) return fail(at, "division by zero");
    if (isMod)
      form = pool_.mod(form, value);
    else if (op == "ceildiv")  // -((-a) floordiv b)
      form = pool_.scale(pool_.floorDivBy(pool_.scale(form, -1), value), -1);
    else
      form = pool_.floorDivBy(form, value);
    return true;
  }
  divisors_.push_back({divisor, at, isMod});
  if (isMod)
    form = pool_.remainder(form, divisor);
  else if (op == "ceildiv")
    form = pool_.scale(pool_.quotient(pool_.scale(form, -1), divisor), -1);
  else
    form = pool_.quotient(form, divisor);
  return true;
}

bool MapParser::unary(FormId &form) {
  bool negative = false;
  more();
  size_t start = at_;
  while (!isAtArrow() && take("-")) {
    negative = !negative;
    more();
  }
  if (at_ < text_.size() && llvm::isDigit(text_[at_])) {
    int64_t value;
    if (!number(negative, value)) return false;
    form = pool_.constantForm(value);
    return checked(start);
  }
  if (!primary(form)) return false;
  if (negative) form = pool_.scale(form, -1);
  return checked(start);
}

bool MapParser::primary(FormId &form) {
  if (take("(")) return sum(form) && want(")", "to close the parenthesis");
  return variable(form);
}

bool MapParser::variable(FormId &form) {
  more();
  size_t start = at_;
  llvm::StringRef name = word();
  if (name.empty()) return fail(start, "expected an expression");
  auto found = byName_.find(name);
  if (found != byName_.end()) {
    form = pool_.variable(declared_[found->second].id);
    return true;
  }
  std::vector<llvm::StringRef> candidates;
  for (const Name &n : declared_) candidates.push_back(n.text);
  return fail(start, "unknown variable `" + name + "`",
              nearest(name, candidates));
}

//===-- The map from its parts --------------------------------------------===//

/// The place of a variable among the declared ones, which are in the order of
/// their kinds.
size_t MapParser::placeOf(VariableId id) const {
  size_t place = id.index;
  for (int kind = 0; kind < static_cast<int>(id.kind); ++kind)
    place += counts_[kind];
  return place;
}

/// Makes the range variables that have a source runtime variables. A variable
/// that is named by its number, such as `s1`, is then named by its new one.
void MapParser::numberAgain() {
  std::vector<VariableId> numbers;
  uint32_t counts[3] = {0, 0, 0};
  for (const Name &n : declared_) {
    const auto kind = n.hasSource ? VariableKind::Runtime : n.id.kind;
    numbers.push_back({kind, counts[static_cast<int>(kind)]++});
  }
  ExpressionPool pool;
  auto numbered = [&](VariableId id) {
    return pool.variable(numbers[placeOf(id)]);
  };
  ExpressionImport import(pool_, pool, numbered);
  for (FormId &form : results_) form = import(form);
  for (auto &[form, bounds] : constraints_) form = import(form);
  for (auto &[form, offset] : places_) form = import(form);
  for (Divisor &divisor : divisors_) divisor.form = import(divisor.form);
  for (auto [n, number] : llvm::zip_equal(declared_, numbers)) {
    if (n.text == standardName(n.id)) n.text = "";
    n.id = number;
  }
  llvm::stable_sort(declared_, [](const Name &a, const Name &b) {
    return a.id.kind < b.id.kind;
  });
  std::copy(std::begin(counts), std::end(counts), counts_);
  pool_ = std::move(pool);
}

bool MapParser::finish() {
  if (built_.ok()) return true;
  auto boundsOf = [&](VariableId id) { return declared_[placeOf(id)].bounds; };
  bool empty = false;
  for (const Name &n : declared_) {
    if (!n.hasBounds)
      return fail(n.offset, "the domain gives no bounds for `" + n.text + "`");
    empty |= n.bounds.isEmpty();
  }
  if (llvm::any_of(declared_, [](const Name &n) { return n.hasSource; }))
    numberAgain();
  if (!empty) {
    FormBounds bounds(pool_, boundsOf);
    for (const Divisor &divisor : divisors_) {
      Interval range = bounds(divisor.form);
      if (range.contains(0) || (divisor.isMod && range.lower < 0))
        return fail(divisor.offset,
                    divisor.isMod
                        ? "the divisor of `mod` must be positive on the domain"
                        : "the divisor can be zero on the domain");
    }
    for (auto [form, offset] : places_)
      if (auto status = bounds.check(form); !status.ok())
        return fail(offset, llvm::StringRef(status.message().data(),
                                            status.message().size()));
  }

  IndexingMapBuilder b(pool_);
  for (const Name &n : declared_) {
    std::string name = n.text == standardName(n.id) ? "" : n.text.str();
    switch (n.id.kind) {
      case VariableKind::Dimension:
        b.dimension(n.bounds, name);
        break;
      case VariableKind::Range:
        b.range(n.bounds, name);
        break;
      case VariableKind::Runtime:
        b.runtime(n.bounds, name);
        break;
    }
  }
  for (FormId form : results_) b.result(b.expression(form));
  for (auto [form, bounds] : constraints_)
    b.constraint(b.expression(form), bounds);
  built_ = b.build();
  if (built_.ok()) return true;
  status_ = built_.status();
  return false;
}

/// A level has at least a character.
size_t stackFor(llvm::StringRef text) {
  return stackOfLevels(std::min<size_t>(text.size() / 2, kDeepest));
}

}  // namespace

absl::StatusOr<IndexingMap> parseMap(llvm::StringRef text) {
  if (!hasStack(stackFor(text)))
    return onDeepStack([&] { return parseMap(text); });
  MapParser parser(text);
  auto map = parser.map();
  if (map.ok() && parser.more())
    return errorAt(placeOfOffset(text, parser.offset()),
                   "unexpected text after the map");
  return map;
}

absl::StatusOr<std::vector<IndexingMap>> parseMaps(llvm::StringRef text) {
  if (!hasStack(stackFor(text)))
    return onDeepStack([&] { return parseMaps(text); });
  std::vector<IndexingMap> maps;
  size_t start = 0;
  while (true) {
    MapParser parser(text, start);
    if (!parser.more()) return maps;
    INDEXICAL_ASSIGN_OR_RETURN(auto map, parser.map());
    maps.push_back(std::move(map));
    start = parser.offset();
  }
}

}  // namespace indexical

#include "indexical/indexing/map_parser.h"

#include <algorithm>
#include <optional>

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

}  // namespace

bool MapParser::failOverflow(size_t offset) {
  return fail(offset, "the constant leaves the range of 64-bit integers");
}

bool MapParser::checked(size_t offset) {
  if (heights_.size() == pool_.atomCount() && !pool_.overflowed()) return true;
  if (pool_.overflowed()) return failOverflow(offset);
  // `d0 mod 5 mod 7 mod 5 …` is deep without a parenthesis.
  while (heights_.size() < pool_.atomCount()) {
    const Atom &atom = pool_.atom(heights_.size());
    int height = 0;
    auto add = [&](FormId part) {
      for (const Term &term : pool_.terms(part))
        height = std::max(height, heights_[term.atom] + 1);
    };
    for (const FormId operand : atom.operands()) add(operand);
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
    size_t start = at_ + 1;
    moveTo(start);
    llvm::StringRef name = word();
    if (!name.ends_with("indexing_map")) {
      fail(start, "expected an attribute `#xla.indexing_map<\"…\">`");
      return status_;
    }
    bool open = want('<', "after `indexing_map`");
    bool quoted = open && take('"');
    done = open && body(quoted) && (!quoted || want('"', "after the map")) &&
           want('>', "after the map");
  } else {
    done = body(false);
  }
  if (!done || !finish()) return status_;
  return *std::move(built_);
}

bool MapParser::body(bool quoted) {
  if (take("KNOWN")) {
    built_ = IndexingMap::knownEmpty();
    return want("EMPTY", "after `KNOWN`");
  }
  if (peek("UNDEFINED"))
    return fail(at_, "the map is not known: it is `UNDEFINED`");
  if (!variablesAndResults()) return false;
  size_t before = at_;
  bool comma = take(',');
  if (peek("domain")) {
    take("domain");
    return want(':', "after `domain`") && domain();
  }
  if (comma) return fail(at_, "expected `domain:` after the results");
  at_ = quoted ? at_ : before;
  return true;
}

bool MapParser::variablesAndResults() {
  if (!want('(', "before the dimension variables") ||
      !names(')', VariableKind::Dimension))
    return false;
  if (take('[') && !names(']', VariableKind::Range)) return false;
  if (take('{') && !names('}', VariableKind::Runtime)) return false;
  if (!wantArrow() || !want('(', "before the results")) return false;
  if (!take(')')) {
    do {
      size_t start = at_;
      FormId form;
      if (!sum(form)) return false;
      results_.push_back(form);
      places_.push_back({form, start});
    } while (take(','));
    if (!want(')', "or `,` after a result")) return false;
  }
  return true;
}

bool MapParser::names(char close, VariableKind kind) {
  if (take(close)) return true;
  do {
    size_t start = at_;
    llvm::StringRef name = word();
    if (name.empty()) return fail(start, "expected the name of a variable");
    if (name == "floordiv" || name == "ceildiv" || name == "mod" ||
        name == "in" || name == "domain")
      return fail(start, "`" + name + "` cannot be the name of a variable");
    if (names_.find(name))
      return fail(start, "the variable `" + name + "` is declared twice");
    names_.add(name);
    VariableId id{kind, counts_[static_cast<int>(kind)]++};
    declared_.push_back({id, name, start, Interval::all(), false});
  } while (take(','));
  return want(close, "or `,` after the name of a variable");
}

//===-- The domain --------------------------------------------------------===//

// Older dumps leave out the commas between entries: there the next map begins
// with a list of names that `[`, `{` or `->` follows.
bool MapParser::nextIsMap() {
  if (!peek('(')) return false;
  size_t close = text_.find(')', at_);
  if (close == llvm::StringRef::npos) return false;
  llvm::StringRef rest = text_.substr(close + 1).drop_while(llvm::isSpace);
  return rest.starts_with("->") || rest.starts_with("[") ||
         rest.starts_with("{");
}

bool MapParser::domain() {
  if (declared_.empty() && (at_ >= text_.size() || peek('"') || nextIsMap()))
    return true;
  while (true) {
    if (take("is_simplified")) {
      if (!want(':', "after `is_simplified`")) return false;
      word();
    } else if (isAtSource() ? !source() : !entry()) {
      return false;
    }
    if (take(',') || isAtSource()) continue;
    if (at_ >= text_.size() || peek('"') || peek('>') || peek('#') ||
        peek("KNOWN") || peek("UNDEFINED") || nextIsMap())
      return true;
  }
}

bool MapParser::entry() {
  const size_t start = at_;
  const llvm::StringRef name = word();
  const std::optional<size_t> known = names_.find(name);
  // Nothing stands behind the name but spaces.
  const bool isName = known &&
                      llvm::all_of(text_.slice(ended_, at_), llvm::isSpace) &&
                      take("in");
  FormId form = 0;
  if (!isName) {
    moveTo(start);
    if (!sum(form) || !want("in", "and an interval after the expression"))
      return false;
  }
  Interval bounds;
  if (!interval(bounds)) return false;
  bounded_.reset();
  if (isName) {
    Name &variable = declared_[*known];
    if (variable.hasBounds)
      return fail(start, "the bounds of `" + name + "` are given twice");
    variable.bounds = bounds;
    variable.hasBounds = true;
    bounded_ = known;
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
  return next() == 'h' && peekWord() == "hlo" &&
         text_.substr(at_ + 3).ltrim().starts_with(":");
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
  moveTo(std::min(text_.find('\n', at_), text_.size()));
  const size_t index = at_;
  MapParser map(text_, at_);
  if (!map.variablesAndResults()) {
    status_ = map.status_;
    return false;
  }
  at_ = map.at_;
  ended_ = map.ended_;
  const uint32_t dimensions = map.counts_[0];
  if (dimensions == counts_[0]) return true;
  return fail(index, "the index of an element must be a map of the " +
                         llvm::Twine(counts_[0]) +
                         " dimension variables, but has " +
                         llvm::Twine(dimensions));
}

//===-- Expressions -------------------------------------------------------===//

FormId MapParser::formOf(const ParsedTerm &part) {
  if (part.kind == ParsedTerm::Kind::Number)
    return pool_.constantForm(part.factor);
  if (part.kind == ParsedTerm::Kind::Form || part.factor == 1) return part.form;
  return pool_.scale(part.form, part.factor);
}

bool MapParser::sum(FormId &form) {
  if (++depth_ > kDeepest) return tooDeep(ended_);
  ParsedTerm part;
  if (!product(part)) return false;
  if ((next() != '+' && next() != '-') || isAtArrow()) {
    --depth_;
    form = formOf(part);
    return true;
  }
  // All parts at once: a form for every prefix would be quadratic.
  llvm::SmallVector<Term, 8> terms;
  int64_t constant = 0, sign = 1;
  bool fits = true;
  size_t last = at_;
  auto add = [&](int64_t number) {
    fits &= !__builtin_add_overflow(constant, sign * number, &constant);
  };
  while (true) {
    if (part.kind == ParsedTerm::Kind::Number) {
      add(part.factor);
    } else {
      const int64_t factor =
          part.kind == ParsedTerm::Kind::Variable ? sign * part.factor : sign;
      for (const Term &term : pool_.terms(part.form))
        terms.push_back({term.atom, term.coefficient * factor});
      add(pool_.constant(part.form));
    }
    if (isAtArrow()) break;
    const size_t at = at_;
    sign = take('+') ? 1 : take('-') ? -1 : 0;
    if (sign == 0) break;
    last = at;
    if (!product(part)) return false;
  }
  --depth_;
  if (!fits) return failOverflow(last);
  form = pool_.form(terms, constant);
  return checked(last);
}

/// Multiplies the left part by the right one. Numbers and multiples of
/// variables need no form, unless the factor leaves 64 bits.
void MapParser::multiply(ParsedTerm &left, const ParsedTerm &right) {
  using Kind = ParsedTerm::Kind;
  int64_t factor;
  const bool isSimple =
      left.kind != Kind::Form && right.kind != Kind::Form &&
      (left.kind == Kind::Number || right.kind == Kind::Number) &&
      !__builtin_mul_overflow(left.factor, right.factor, &factor) &&
      factor != INT64_MIN;
  if (!isSimple) {
    const FormId form = formOf(left);
    left = {Kind::Form, pool_.product(form, formOf(right))};
  } else if (factor == 0) {
    left = {Kind::Number, 0, 0};
  } else {
    const ParsedTerm &variable = left.kind == Kind::Variable ? left : right;
    left = {variable.kind, variable.form, factor};
  }
}

bool MapParser::product(ParsedTerm &part) {
  if (!unary(part)) return false;
  while (true) {
    size_t at = at_;
    const Operator op = takeOperator();
    if (op == Operator::None) return true;
    size_t rightAt = at_;
    ParsedTerm right;
    if (!unary(right)) return false;
    if (op == Operator::Times) {
      multiply(part, right);
    } else {
      FormId form = formOf(part);
      if (!divide(op, rightAt, formOf(right), form)) return false;
      part = {ParsedTerm::Kind::Form, form};
    }
    if (!checked(at)) return false;
  }
}

bool MapParser::divide(Operator op, size_t at, FormId divisor, FormId &form) {
  const bool isMod = op == Operator::Mod;
  if (pool_.isConstant(divisor)) {
    int64_t value = pool_.constant(divisor);
    if (isMod && value <= 0)
      return fail(at, "the divisor of `mod` must be positive, and is " +
                          llvm::Twine(value));
    if (value == 0) return fail(at, "division by zero");
    if (isMod)
      form = pool_.mod(form, value);
    else if (op == Operator::Ceil)  // -((-a) floordiv b)
      form = pool_.scale(pool_.floorDivBy(pool_.scale(form, -1), value), -1);
    else
      form = pool_.floorDivBy(form, value);
    return true;
  }
  divisors_.push_back({divisor, at, isMod});
  if (isMod)
    form = pool_.remainder(form, divisor);
  else if (op == Operator::Ceil)
    form = pool_.scale(pool_.quotient(pool_.scale(form, -1), divisor), -1);
  else
    form = pool_.quotient(form, divisor);
  return true;
}

bool MapParser::unary(ParsedTerm &part) {
  bool negative = false;
  size_t start = at_;
  if (next() == '-')
    while (!isAtArrow() && take('-')) negative = !negative;
  if (llvm::isDigit(next())) {
    int64_t value;
    if (!number(negative, value)) return false;
    if (value == INT64_MIN) return failOverflow(start);
    part = {ParsedTerm::Kind::Number, 0, value};
    return true;
  }
  if (!primary(part)) return false;
  if (!negative) return checked(start);
  if (part.kind == ParsedTerm::Kind::Form)
    part.form = pool_.scale(part.form, -1);
  else
    part.factor = -part.factor;
  return checked(start);
}

bool MapParser::primary(ParsedTerm &part) {
  if (!peek('(')) return variable(part);
  part.kind = ParsedTerm::Kind::Form;
  if (const ReadSum *same = sumReadBefore()) {
    part.form = same->form;
    advance(same->end - same->begin);
    return true;
  }
  const size_t begin = at_;
  advance(1);
  if (!sum(part.form) || !want(')', "to close the parenthesis")) return false;
  if (readSums_.size() < kMostReadSums)
    readSums_.push_back({begin, ended_, part.form});
  return true;
}

/// Returns a sum in parentheses that the text repeats here, as each result of a
/// reshape repeats its sum; null if there is none.
const MapParser::ReadSum *MapParser::sumReadBefore() const {
  const llvm::StringRef rest = text_.substr(at_);
  const auto same = llvm::find_if(readSums_, [&](const ReadSum &sum) {
    return rest.starts_with(text_.slice(sum.begin, sum.end));
  });
  return same == readSums_.end() ? nullptr : same;
}

bool MapParser::variable(ParsedTerm &part) {
  size_t start = at_;
  llvm::StringRef name = word();
  if (name.empty()) return fail(start, "expected an expression");
  if ((name == "min" || name == "max") && take('('))
    return choice(name == "min", part);
  if (const auto found = names_.find(name)) {
    part = {ParsedTerm::Kind::Variable, pool_.variable(declared_[*found].id),
            1};
    return true;
  }
  std::vector<llvm::StringRef> candidates;
  for (const Name &n : declared_) candidates.push_back(n.text);
  return fail(start, "unknown variable `" + name + "`",
              nearest(name, candidates));
}

/// Reads what stands behind `min(` or `max(`.
bool MapParser::choice(bool isMin, ParsedTerm &part) {
  const char *name = isMin ? "min" : "max";
  part.kind = ParsedTerm::Kind::Form;
  if (!sum(part.form)) return false;
  if (!peek(','))
    return fail(at_, "expected `,` and another expression: `" +
                         llvm::Twine(name) + "` takes two or more");
  while (take(',')) {
    const size_t at = at_;
    FormId other;
    if (!sum(other)) return false;
    part.form =
        isMin ? pool_.min(part.form, other) : pool_.max(part.form, other);
    if (!checked(at)) return false;
  }
  return want(')', "or `,` after an expression of `" + std::string(name) + "`");
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

/// Whether the name is the standard one of the variable's kind and number.
bool MapParser::isStandard(const Name &name) {
  llvm::StringRef text = name.text;
  const bool hasPrefix =
      name.id.kind == VariableKind::Dimension ? text.consume_front("d")
      : name.id.kind == VariableKind::Range   ? text.consume_front("s")
                                              : text.consume_front("rt");
  if (!hasPrefix || text.empty()) return false;
  if (text.size() == 1) return name.id.index == uint32_t(text[0] - '0');
  return name.text == standardName(name.id);
}

/// Checks divisors and bounds as the builder does, and names the place of the
/// mistake, which the builder does not know.
bool MapParser::checkBounds() {
  auto boundsOf = [&](VariableId id) { return declared_[placeOf(id)].bounds; };
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
  return true;
}

bool MapParser::finish() {
  if (built_) return true;
  bool empty = false;
  for (const Name &n : declared_) {
    if (!n.hasBounds)
      return fail(n.offset, "the domain gives no bounds for `" + n.text + "`");
    empty |= n.bounds.isEmpty();
  }
  if (llvm::any_of(declared_, [](const Name &n) { return n.hasSource; }))
    numberAgain();
  // The builder drops constraints that say nothing, and checks nothing of a map
  // whose constraints cannot hold.
  const bool isLeftToBuilder = divisors_.empty() && constraints_.empty();
  if (!empty && !isLeftToBuilder && !checkBounds()) return false;
  IndexingMapBuilder b(pool_);
  for (const Name &n : declared_) {
    std::string name = isStandard(n) ? "" : n.text.str();
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
  auto built = b.build();
  if (built.ok()) {
    built_ = *std::move(built);
    return true;
  }
  if (!empty && isLeftToBuilder && !checkBounds()) return false;
  status_ = built.status();
  return false;
}

namespace {

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

absl::StatusOr<std::vector<std::optional<IndexingMap>>> parseMapsOrUndefined(
    llvm::StringRef text) {
  if (!hasStack(stackFor(text)))
    return onDeepStack([&] { return parseMapsOrUndefined(text); });
  std::vector<std::optional<IndexingMap>> maps;
  size_t start = 0;
  while (true) {
    MapParser parser(text, start);
    if (!parser.more()) return maps;
    if (parser.takeUndefined()) {
      maps.push_back(std::nullopt);
    } else {
      INDEXICAL_ASSIGN_OR_RETURN(auto map, parser.map());
      maps.push_back(std::move(map));
    }
    start = parser.offset();
  }
}

}  // namespace indexical

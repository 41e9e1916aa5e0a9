#include "indexical/layout/reader.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"

namespace indexical::layouts {

namespace {

constexpr int kDeepest = 64;
constexpr llvm::StringLiteral kDivisions[] = {"zipped_divide", "tiled_divide",
                                              "flat_divide"};
constexpr llvm::StringLiteral kOperations[] = {
    "composition",     "coalesce",        "complement",    "logical_divide",
    "logical_product", "blocked_product", "raked_product", "right_inverse",
    "left_inverse",    "inverse",         "zipped_divide", "tiled_divide",
    "flat_divide"};

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

}  // namespace

bool isOperation(llvm::StringRef word) {
  return llvm::is_contained(kOperations, word);
}

void Reader::skip() {
  while (at_ < text_.size() && llvm::isSpace(text_[at_])) ++at_;
}

char Reader::next() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Reader::peek(llvm::StringRef word) {
  skip();
  const llvm::StringRef rest = text_.substr(at_);
  if (!rest.starts_with(word)) return false;
  return !isWordCharacter(word.back()) || rest.size() == word.size() ||
         !isWordCharacter(rest[word.size()]);
}

bool Reader::take(llvm::StringRef token) {
  if (!peek(token)) return false;
  at_ += token.size();
  return true;
}

absl::Status Reader::want(llvm::StringRef token) {
  if (take(token)) return absl::OkStatus();
  return fail(absl::StrCat("expected `", token.str(), "`"));
}

llvm::StringRef Reader::word() {
  skip();
  const llvm::StringRef rest = text_.substr(at_);
  const llvm::StringRef word = rest.take_while(isWordCharacter);
  at_ += word.size();
  return word;
}

absl::StatusOr<int64_t> Reader::number() {
  skip();
  llvm::StringRef rest = text_.substr(at_);
  rest.consume_front("_");  // CuTe's mark of what is known when it compiles
  const bool isNegative = rest.consume_front("-");
  const llvm::StringRef digits = rest.take_while(llvm::isDigit);
  if (digits.empty()) return fail("expected a number");
  int64_t value = 0;
  if (digits.getAsInteger(10, value)) return fail("the number leaves 64 bits");
  at_ = digits.end() - text_.begin();
  return isNegative ? -value : value;
}

absl::Status Reader::failAt(size_t at, llvm::StringRef message) const {
  return errorAt(placeOfOffset(text_, at), message);
}

absl::Status Reader::failAt(size_t at, const absl::Status &status) const {
  return withPlace(status, placeOfOffset(text_, at));
}

absl::Status Reader::end() {
  if (next() == '\0') return absl::OkStatus();
  return fail("expected the end of the layout");
}

absl::StatusOr<Layout> Reader::expression() {
  if (++depth_ > kDeepest) return fail("the layout is nested too deeply");
  skip();
  const size_t start = at_;
  INDEXICAL_ASSIGN_OR_RETURN(Layout made, primary());
  if (take("o")) {
    INDEXICAL_ASSIGN_OR_RETURN(const Layout inner, expression());
    auto both = compose(made, inner);
    if (!both.ok()) return failAt(start, both.status());
    made = *std::move(both);
  }
  --depth_;
  return named(std::move(made));
}

absl::StatusOr<std::vector<std::string>> Reader::nameList() {
  std::vector<std::string> names;
  INDEXICAL_RETURN_IF_ERROR(want("("));
  if (take(")")) return names;
  do {
    const llvm::StringRef name = word();
    if (name.empty()) return fail("expected a name");
    names.push_back(name.str());
  } while (take(","));
  INDEXICAL_RETURN_IF_ERROR(want(")"));
  return names;
}

absl::StatusOr<Layout> Reader::named(Layout layout) {
  while (peek("as")) {
    skip();
    const size_t start = at_;
    (void)take("as");
    INDEXICAL_ASSIGN_OR_RETURN(const auto inputs, nameList());
    INDEXICAL_RETURN_IF_ERROR(want("->"));
    INDEXICAL_ASSIGN_OR_RETURN(const auto outputs, nameList());
    auto made = layout.withNames(inputs, outputs);
    if (!made.ok()) return failAt(start, made.status());
    layout = *std::move(made);
  }
  return layout;
}

bool Reader::isMap() const {
  int open = 0;
  for (size_t i = at_; i < text_.size(); ++i) {
    if (text_[i] == '(') ++open;
    if (text_[i] != ')' || --open > 0) continue;
    llvm::StringRef rest = text_.substr(i + 1).ltrim();
    return rest.starts_with("->") || rest.starts_with("[") ||
           rest.starts_with("{");
  }
  return false;
}

absl::StatusOr<Layout> Reader::primary() {
  const char first = next();
  const size_t start = at_;
  if (first == '\0') return fail("expected a layout");
  if (first == '(') return isMap() ? map() : cute();
  if (first == '-') return bases();
  if (llvm::isDigit(first) || first == '_') return cute();
  if (peek("!ttg") || peek("!tt") || peek("!triton_gpu") || peek("tensor"))
    return type();
  if (first == '#')
    return fail(
        "an encoding alone has no shape: write tensor<16x32xf16, #ttg…>");
  const llvm::StringRef name = word();
  if (name.empty()) return fail("expected a layout");
  if ((name == "Sw" || name == "S") && next() == '<') return swizzle();
  if (next() == '(') {
    if (llvm::is_contained(kDivisions, name)) return division(name);
    if (llvm::is_contained(kOperations, name)) return operation(name);
    std::vector<llvm::StringRef> known(std::begin(kOperations),
                                       std::end(kOperations));
    return errorAt(placeOfOffset(text_, start),
                   absl::StrCat("there is no operation `", name.str(), "`"),
                   nearest(name, known));
  }
  if (next() == '[') return array(name);
  return failAt(start, absl::StrCat("`", name.str(), "` begins no layout"));
}

absl::StatusOr<Layout> Reader::operation(llvm::StringRef name) {
  const size_t start = name.begin() - text_.begin();
  INDEXICAL_RETURN_IF_ERROR(want("("));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout first, expression());
  std::optional<Layout> second;
  std::optional<int64_t> size;
  if (name == "complement") {
    INDEXICAL_RETURN_IF_ERROR(want(","));
    INDEXICAL_ASSIGN_OR_RETURN(size, number());
    if (*size < 1) return fail("a complement has a size of 1 or more");
  } else if (name == "composition" || name.ends_with("divide") ||
             name.ends_with("product")) {
    INDEXICAL_RETURN_IF_ERROR(want(","));
    INDEXICAL_ASSIGN_OR_RETURN(second, expression());
  }
  INDEXICAL_RETURN_IF_ERROR(want(")"));
  auto made = [&]() -> absl::StatusOr<Layout> {
    if (name == "composition") return compose(first, *second);
    if (name == "coalesce") return coalesce(first);
    if (name == "complement") return complement(first, *size);
    if (name == "logical_divide") return logicalDivide(first, *second);
    if (name == "logical_product") return logicalProduct(first, *second);
    if (name == "blocked_product")
      return wovenProduct(first, *second, Woven::Blocked);
    if (name == "raked_product")
      return wovenProduct(first, *second, Woven::Raked);
    if (name == "right_inverse") return rightInverse(first);
    if (name == "left_inverse") return leftInverse(first);
    return inverted(first);
  }();
  if (!made.ok()) return failAt(start, made.status());
  return made;
}

absl::StatusOr<Layout> Reader::division(llvm::StringRef name) {
  const size_t start = name.begin() - text_.begin();
  INDEXICAL_RETURN_IF_ERROR(want("("));
  INDEXICAL_ASSIGN_OR_RETURN(const Layout layout, expression());
  INDEXICAL_RETURN_IF_ERROR(want(","));
  std::vector<std::optional<Layout>> tiles;
  if (take("[")) {
    do {
      if (take("_")) {
        tiles.emplace_back();
      } else {
        INDEXICAL_ASSIGN_OR_RETURN(const Layout tile, expression());
        tiles.emplace_back(tile);
      }
    } while (take(";"));
    INDEXICAL_RETURN_IF_ERROR(want("]"));
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(const Layout tile, expression());
    tiles.emplace_back(tile);
  }
  INDEXICAL_RETURN_IF_ERROR(want(")"));
  auto made = divide(layout, tiles,
                     name == "flat_divide"    ? DivideBy::Flat
                     : name == "tiled_divide" ? DivideBy::Tiled
                                              : DivideBy::Zipped);
  if (!made.ok()) return failAt(start, made.status());
  return made;
}

absl::StatusOr<Cute> Reader::shape() {
  if (++depth_ > kDeepest) return fail("the shape is nested too deeply");
  if (!take("(")) {
    skip();
    const size_t start = at_;
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t size, number());
    if (size < 1)
      return failAt(start, absl::StrCat("a size is 1 or more, and not ", size));
    --depth_;
    return Cute::leaf(size, 0);
  }
  std::vector<Cute> modes;
  do {
    INDEXICAL_ASSIGN_OR_RETURN(Cute mode, shape());
    modes.push_back(std::move(mode));
  } while (take(","));
  INDEXICAL_RETURN_IF_ERROR(want(")"));
  --depth_;
  return Cute::tuple(std::move(modes));
}

absl::Status Reader::strides(Cute &modes) {
  skip();
  const size_t start = at_;
  if (!modes.isTuple) {
    if (next() == '(')
      return fail("the strides have more parts than the shape");
    INDEXICAL_ASSIGN_OR_RETURN(modes.stride, number());
    if (take("@")) {
      INDEXICAL_ASSIGN_OR_RETURN(const int64_t axis, number());
      if (axis < 0 || axis > 15) return fail("an axis is 0 to 15");
      modes.axis = static_cast<int>(axis);
    }
    return absl::OkStatus();
  }
  INDEXICAL_RETURN_IF_ERROR(want("("));
  for (auto [k, mode] : llvm::enumerate(modes.modes)) {
    if (k > 0) INDEXICAL_RETURN_IF_ERROR(want(","));
    INDEXICAL_RETURN_IF_ERROR(strides(mode));
  }
  if (peek(","))
    return failAt(start, "the strides have more parts than the shape");
  return want(")");
}

namespace {

/// Gives the leaves the strides of modes in order, the first fastest. Returns
/// false if one leaves 64 bits.
bool setCompact(Cute &modes, int64_t &step) {
  if (modes.isTuple) {
    for (Cute &mode : modes.modes)
      if (!setCompact(mode, step)) return false;
    return true;
  }
  modes.stride = step;
  return !llvm::MulOverflow(step, modes.size, step);
}

/// Gives strides without axes the axis 0, if others have axes.
void setAxes(Cute &modes) {
  for (Cute &mode : modes.modes) setAxes(mode);
  if (!modes.isTuple && modes.axis < 0) modes.axis = 0;
}

}  // namespace

absl::StatusOr<Layout> Reader::cute() {
  skip();
  const size_t start = at_;
  INDEXICAL_ASSIGN_OR_RETURN(Cute modes, shape());
  if (take(":")) {
    INDEXICAL_RETURN_IF_ERROR(strides(modes));
  } else if (int64_t step = 1; !setCompact(modes, step)) {
    return failAt(start, "the number of points of the layout leaves 64 bits");
  }
  if (llvm::any_of(modes.leaves(), [](const Cute &c) { return c.axis >= 0; }))
    setAxes(modes);
  auto made = layoutOf(modes);
  if (!made.ok()) return failAt(start, made.status());
  return made;
}

absl::StatusOr<Layout> Reader::swizzle() {
  if (++depth_ > kDeepest) return fail("the layout is nested too deeply");
  skip();
  const size_t start = at_;
  INDEXICAL_RETURN_IF_ERROR(want("<"));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t bits, number());
  INDEXICAL_RETURN_IF_ERROR(want(","));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t base, number());
  INDEXICAL_RETURN_IF_ERROR(want(","));
  INDEXICAL_ASSIGN_OR_RETURN(const int64_t shift, number());
  INDEXICAL_RETURN_IF_ERROR(want(">"));
  INDEXICAL_RETURN_IF_ERROR(want("o"));
  // `Sw<…> o 8 o L` begins with an offset, `Sw<…> o 8:1` with a layout.
  int64_t offset = 0;
  const size_t before = at_;
  if (const auto given = number(); given.ok() && take("o"))
    offset = *given;
  else
    at_ = before;
  INDEXICAL_ASSIGN_OR_RETURN(const Layout inner, primary());
  auto made = swizzled(bits, base, shift, offset, inner);
  if (!made.ok()) return failAt(start, made.status());
  --depth_;
  return made;
}

absl::StatusOr<Layout> Reader::array(llvm::StringRef type) {
  const size_t start = type.begin() - text_.begin();
  if (!bitsOfType(type))
    return failAt(start,
                  absl::StrCat("`", type.str(), "` is not a type of an "
                                                "element"));
  Coordinates shape, order;
  std::vector<Coordinates> tiles;
  const auto list = [&](Coordinates &to, llvm::StringRef end) -> absl::Status {
    if (take(end)) return absl::OkStatus();
    do {
      INDEXICAL_ASSIGN_OR_RETURN(to.emplace_back(), number());
    } while (take(","));
    return want(end);
  };
  INDEXICAL_RETURN_IF_ERROR(want("["));
  INDEXICAL_RETURN_IF_ERROR(list(shape, "]"));
  for (size_t k = shape.size(); k-- > 0;)
    order.push_back(static_cast<int64_t>(k));
  if (take("{")) {
    order.clear();
    while (next() != ':' && next() != '}') {
      INDEXICAL_ASSIGN_OR_RETURN(order.emplace_back(), number());
      (void)take(",");
    }
    if (take(":")) {
      // Other properties of a layout move no element: a memory space.
      if (take("T"))
        while (take("("))
          INDEXICAL_RETURN_IF_ERROR(list(tiles.emplace_back(), ")"));
      while (next() != '}') {
        const llvm::StringRef property = word();
        if (property != "S" && property != "E")
          return fail("only tiles, T(…), and memory spaces, S(…), are read");
        Coordinates numbers;
        INDEXICAL_RETURN_IF_ERROR(want("("));
        INDEXICAL_RETURN_IF_ERROR(list(numbers, ")"));
      }
    }
    INDEXICAL_RETURN_IF_ERROR(want("}"));
  }
  auto made = arrayLayout(type, shape, order, tiles);
  if (!made.ok()) return failAt(start, made.status());
  Notes notes = made->notes();
  notes.text = text_.substr(start, at_ - start).str();
  return made->withNotes(std::move(notes));
}

absl::StatusOr<Layout> parseLayout(llvm::StringRef text,
                                   const EncodingNames &names) {
  Reader reader(text, names);
  INDEXICAL_ASSIGN_OR_RETURN(Layout made, reader.expression());
  INDEXICAL_RETURN_IF_ERROR(reader.end());
  return made;
}

absl::StatusOr<Encoding> parseEncoding(llvm::StringRef text,
                                       const EncodingNames &names) {
  Reader reader(text, names);
  INDEXICAL_ASSIGN_OR_RETURN(Encoding made, reader.encoding());
  INDEXICAL_RETURN_IF_ERROR(reader.end());
  return made;
}

}  // namespace indexical::layouts

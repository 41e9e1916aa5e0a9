#include "indexical/import/hlo/shape_parser.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

/// Whether the bracket of dimensions comes next. Behind a type that is known
/// there may be a space before it.
bool opensDimensions(Lexer &lexer, llvm::StringRef type) {
  if (lexer.peekHere() == '[') return true;
  return lexer.rest().ltrim(" \t").starts_with("[") &&
         indexical::parseElementType(type).has_value();
}

class ShapeParser {
 public:
  explicit ShapeParser(Lexer &lexer) : lexer_(lexer) {}

  bool parse(Shape &shape);

 private:
  bool parseTuple(Shape &shape);
  bool parseArray(llvm::StringRef type, Shape &shape);
  bool parseElementType(llvm::StringRef word, ElementType &type);
  bool parseDimensions(ArrayShape &array);
  bool parseDimension(ArrayShape &array);
  bool parseLayout(ArrayShape &array);
  bool parseLayoutPart(Layout &layout);
  bool parseTiles(Layout &layout);
  bool parseInParentheses(int64_t least, int64_t &value);
  bool checkOrder(const ArrayShape &array, const char *where);

  Lexer &lexer_;
  int depth_ = 0;
};

bool ShapeParser::parse(Shape &shape) {
  if (lexer_.peek() == '(') return parseTuple(shape);
  const char *begin = lexer_.position();
  llvm::StringRef word = lexer_.takeWordHere();
  if (word.empty()) return lexer_.failExpected("a shape");
  if (word == "b" && lexer_.peekHere() == '(') {
    lexer_.consume('(');
    if (++depth_ > kNestingLimit) return lexer_.fail("shapes nest too deep");
    bool ok = parse(shape) && lexer_.expect(')');
    --depth_;
    return ok;
  }
  if (word == "token" || word == "opaque") {
    shape = word == "token" ? Shape::token() : Shape::opaque();
    if (lexer_.peekHere() != '[') return true;
    lexer_.consume('[');
    if (!lexer_.expect(']')) return false;
    llvm::StringRef layout;
    return !opensLayout(lexer_.rest(), 0) || lexer_.takeBalanced(layout);
  }
  if (!opensDimensions(lexer_, word)) {
    lexer_.setPosition(begin);
    return lexer_.failExpected("a shape such as `f32[2,3]`");
  }
  return parseArray(word, shape);
}

bool ShapeParser::parseTuple(Shape &shape) {
  const char *open = lexer_.position();
  if (++depth_ > kNestingLimit)
    return lexer_.fail("tuples are nested deeper than " +
                       llvm::Twine(kNestingLimit) + " levels");
  lexer_.consume('(');
  shape.kind = Shape::Kind::Tuple;
  if (!lexer_.consume(')')) {
    // A std::vector that grows would copy the trees below, not move them.
    llvm::SmallVector<Shape, 2> elements;
    do {
      if (!parse(elements.emplace_back())) return false;
    } while (lexer_.consume(','));
    shape.elements.assign(std::make_move_iterator(elements.begin()),
                          std::make_move_iterator(elements.end()));
    if (lexer_.atEnd())
      return lexer_.source().fail(open, "`(` is never closed");
    if (!lexer_.expect(')')) return false;
  }
  --depth_;
  return true;
}

bool ShapeParser::parseArray(llvm::StringRef type, Shape &shape) {
  shape.kind = Shape::Kind::Array;
  ArrayShape &array = shape.array;
  if (!parseElementType(type, array.type) || !parseDimensions(array))
    return false;
  return !opensLayout(lexer_.rest(), array.rank()) || parseLayout(array);
}

bool ShapeParser::parseElementType(llvm::StringRef word, ElementType &type) {
  if (auto known = indexical::parseElementType(word)) {
    type = *known;
    return true;
  }
  // A type newer than our table: letters and then digits, as `f8e5m3` has.
  bool plausible =
      word.size() > 1 && llvm::isAlpha(word[0]) &&
      llvm::any_of(word, [](char c) { return llvm::isDigit(c); }) &&
      llvm::all_of(word, [](char c) {
        return llvm::isDigit(c) || (c >= 'a' && c <= 'z');
      });
  type = ElementType::Unknown;
  Source &source = lexer_.source();
  if (plausible && source.hasWarned(word)) return true;
  llvm::SmallVector<llvm::StringRef, 32> names;
  for (int t = 0; t < static_cast<int>(ElementType::Unknown); ++t)
    names.push_back(elementTypeName(static_cast<ElementType>(t)));
  llvm::StringRef near = nearest(word, names);
  std::string text = ("unknown element type `" + word + "`").str();
  if (!plausible) return source.fail(word, text, near);
  text += ": its elements are taken to be of an unknown size";
  if (!near.empty()) text += ("; did you mean `" + near + "`?").str();
  source.warn(word, std::move(text));
  return true;
}

bool ShapeParser::parseDimensions(ArrayShape &array) {
  lexer_.consume('[');
  if (lexer_.consume(']')) return true;
  do {
    if (!parseDimension(array)) return false;
  } while (lexer_.consume(','));
  return lexer_.expect(']');
}

// `12`, `?`, `<=12`; `?<=12` and `<=?` are bounded and unbounded likewise.
bool ShapeParser::parseDimension(ArrayShape &array) {
  bool unknown = lexer_.consume('?');
  bool bounded = lexer_.consume('<');
  if (bounded && !lexer_.consumeHere('=')) return lexer_.failExpected("`=`");
  if (bounded && !unknown && lexer_.consume('?')) {
    unknown = true;
    bounded = false;
  }
  int64_t size = kDynamicSize;
  if (bounded || !unknown) {
    lexer_.skipSpace();
    const char *where = lexer_.position();
    if (!lexer_.takeInteger(size)) return false;
    if (size < 0)
      return lexer_.source().fail(
          where, "a size is " + llvm::Twine(size) + "; sizes are 0 or more");
  }
  if (bounded || unknown) array.dynamic.resize(array.dimensions.size(), false);
  if (bounded || unknown || !array.dynamic.empty())
    array.dynamic.push_back(bounded || unknown);
  array.dimensions.push_back(size);
  return true;
}

bool ShapeParser::parseLayout(ArrayShape &array) {
  const char *where = lexer_.position();
  lexer_.consume('{');
  Layout &layout = array.layout.emplace();
  if (llvm::isDigit(lexer_.peek())) {
    do {
      if (!lexer_.takeInteger(layout.minorToMajor.emplace_back())) return false;
    } while (lexer_.consume(','));
  }
  if (lexer_.consume(':'))
    while (!lexer_.atEnd() && lexer_.peek() != '}')
      if (!parseLayoutPart(layout)) return false;
  return lexer_.expect('}') && checkOrder(array, where);
}

bool ShapeParser::parseLayoutPart(Layout &layout) {
  llvm::StringRef part;
  char c = lexer_.peek();
  if (c == '#' || c == '*') {  // the types of indices and pointers
    lexer_.consume(c);
    return lexer_.takeBalanced(part);
  }
  const char *begin = lexer_.position();
  llvm::StringRef letters = lexer_.takeWord();
  if (letters == "T") return parseTiles(layout);
  if (letters == "L") return parseInParentheses(1, layout.tailPaddingAlignment);
  if (letters == "E") return parseInParentheses(0, layout.elementBits);
  if (letters == "S") return parseInParentheses(0, layout.memorySpace);
  if (letters == "D" || letters == "M" || letters == "P")
    return lexer_.takeBalanced(part);
  if (letters == "SC") {  // `SC(0:512)(1:256)`
    do {
      if (!lexer_.takeBalanced(part)) return false;
    } while (lexer_.peek() == '(');
    return true;
  }
  lexer_.setPosition(begin);
  return lexer_.failExpected("a part of a layout such as `T(8,128)` or `S(1)`");
}

bool ShapeParser::parseTiles(Layout &layout) {
  if (lexer_.peek() != '(') return lexer_.failExpected("`(`");
  while (lexer_.consume('(')) {
    Tile &tile = layout.tiles.emplace_back();
    do {
      if (lexer_.consume('*')) {
        tile.dimensions.push_back(Tile::kCombineWithNext);
        continue;
      }
      const char *where = lexer_.position();
      int64_t size;
      if (!lexer_.takeInteger(size)) return false;
      if (size < 0)
        return lexer_.source().fail(where, "a tile's size is negative");
      tile.dimensions.push_back(size);
    } while (lexer_.consume(','));
    if (!lexer_.expect(')')) return false;
  }
  return true;
}

bool ShapeParser::parseInParentheses(int64_t least, int64_t &value) {
  if (!lexer_.expect('(')) return false;
  lexer_.skipSpace();
  const char *where = lexer_.position();
  if (!lexer_.takeInteger(value)) return false;
  if (value < least)
    return lexer_.source().fail(where,
                                "this must be at least " + llvm::Twine(least));
  return lexer_.expect(')');
}

bool ShapeParser::checkOrder(const ArrayShape &array, const char *where) {
  const auto &order = array.layout->minorToMajor;
  Source &source = lexer_.source();
  if (static_cast<int64_t>(order.size()) != array.rank())
    return source.fail(where,
                       "the layout is of rank " + llvm::Twine(order.size()) +
                           ", the shape of rank " + llvm::Twine(array.rank()));
  llvm::SmallVector<bool, 8> seen(order.size(), false);
  for (int64_t dimension : order) {
    if (dimension < 0 || dimension >= array.rank() || seen[dimension])
      return source.fail(where,
                         "the layout must name each of the dimensions "
                         "0 to " +
                             llvm::Twine(array.rank() - 1) + " once");
    seen[dimension] = true;
  }
  return true;
}

}  // namespace

bool startsWithShape(Lexer &lexer) {
  if (lexer.peek() == '(') return true;
  const char *begin = lexer.position();
  llvm::StringRef word = lexer.takeWordHere();
  const char next = lexer.peekHere();
  const bool hasDimensions = !word.empty() && opensDimensions(lexer, word);
  lexer.setPosition(begin);
  if (hasDimensions) return true;
  if (next == '(') return word == "b";
  return word == "token" || word == "opaque";
}

bool parseShape(Lexer &lexer, Shape &shape) {
  return ShapeParser(lexer).parse(shape);
}

}  // namespace indexical

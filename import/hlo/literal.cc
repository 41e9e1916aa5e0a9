#include "indexical/import/hlo/literal.h"

#include <algorithm>
#include <optional>
#include <string>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/shape_parser.h"

namespace indexical {
namespace {

class LiteralParser {
 public:
  LiteralParser(Source &source, llvm::StringRef text, const ArrayShape &shape,
                std::vector<int64_t> &values)
      : lexer_(source, text), shape_(shape), values_(values) {}

  bool parse(int64_t elementCount);

 private:
  bool parseLevel(int64_t level);
  bool parseList(int64_t level);
  bool parseElement();
  bool keep(int64_t value, llvm::StringRef word);
  void noteMismatch(const char *where, const llvm::Twine &message);

  Lexer lexer_;
  const ArrayShape &shape_;
  std::vector<int64_t> &values_;
  bool known_ = true;  // no element is elided
  // The first list of another length than the shape says.
  const char *mismatch_ = nullptr;
  std::string mismatchMessage_;
};

bool LiteralParser::parse(int64_t elementCount) {
  if (startsWithShape(lexer_) && lexer_.peek() != '(') {
    llvm::StringRef shape;
    if (!lexer_.takeShapeText(shape)) return false;
  }
  if (lexer_.peek() != '{' && shape_.rank() > 0)
    noteMismatch(lexer_.position(),
                 "a literal of " + shape_.str() + " is written in braces");
  if (!parseLevel(0)) return false;
  if (!lexer_.atEnd()) return lexer_.failExpected("the end of the literal");
  if (!known_) {
    values_.clear();
  } else if (mismatch_ && values_.size() == 1) {
    values_.assign(elementCount, values_[0]);
  } else if (mismatch_ && elementCount > 0) {
    return lexer_.source().fail(mismatch_, mismatchMessage_);
  }
  return true;
}

bool LiteralParser::parseLevel(int64_t level) {
  return lexer_.peek() == '{' ? parseList(level) : parseElement();
}

// The nesting is bounded by that of the text's brackets.
bool LiteralParser::parseList(int64_t level) {
  const char *where = lexer_.position();
  lexer_.consume('{');
  if (level >= shape_.rank())
    noteMismatch(where, "this list is deeper than the rank " +
                            llvm::Twine(shape_.rank()) + " of " + shape_.str());
  int64_t count = 0;
  if (lexer_.peek() == '.') {  // `{...}`
    known_ = false;
    lexer_.takeWord();
    return lexer_.expect('}');
  }
  if (!lexer_.consume('}')) {
    do {
      bool list = lexer_.peek() == '{';
      size_t before = values_.size();
      if (!parseLevel(level + 1)) return false;
      // A word of digits may be several elements of a pred.
      count += list ? 1 : values_.size() - before;
      if (list == (level + 1 >= shape_.rank()))
        noteMismatch(where, "the nesting of this literal is not that of " +
                                shape_.str());
    } while (lexer_.consume(','));
    if (!lexer_.expect('}')) return false;
  }
  if (level < shape_.rank() && !shape_.isFixed(level) &&
      count < shape_.dimensions[level])
    known_ = false;  // only so many are there, the others have no value
  else if (level < shape_.rank() && count != shape_.dimensions[level])
    noteMismatch(where, llvm::Twine(count) + " elements where " + shape_.str() +
                            " has " + llvm::Twine(shape_.dimensions[level]));
  return true;
}

bool LiteralParser::parseElement() {
  llvm::StringRef word = lexer_.takeWord();
  if (word.empty()) return lexer_.failExpected("an integer");
  if (shape_.type == ElementType::Pred) {
    bool digits = word.find_first_not_of("01") == llvm::StringRef::npos;
    if (digits && word.size() > 1) {  // `{0110}`: one digit an element
      for (char c : word) values_.push_back(c - '0');
      return true;
    }
    if (word == "true" || word == "false") return keep(word == "true", word);
    if (!digits)
      return lexer_.source().fail(
          word, "`" + word + "` is not a value of pred: true or false, 1 or "
                             "0");
  }
  int64_t value;
  uint64_t large;
  if (!word.getAsInteger(10, value)) return keep(value, word);
  if (!word.getAsInteger(10, large) && bitsOf(shape_.type) == 64) {
    known_ = false;  // a u64 beyond our integers
    return keep(0, word);
  }
  return lexer_.source().fail(
      word, "`" + word + "` is not a value of " + elementTypeName(shape_.type));
}

bool LiteralParser::keep(int64_t value, llvm::StringRef word) {
  int64_t bits = bitsOf(shape_.type);
  bool isUnsigned = elementTypeName(shape_.type).starts_with("u");
  if (bits < 64) {
    int64_t limit = int64_t{1} << (isUnsigned ? bits : bits - 1);
    if (value < -limit || value >= limit)
      return lexer_.source().fail(word, "`" + word + "` is not a value of " +
                                            elementTypeName(shape_.type));
  }
  // XLA takes negative numbers for unsigned ones; which it means we leave open.
  if (isUnsigned && value < 0) known_ = false;
  values_.push_back(value);
  return true;
}

void LiteralParser::noteMismatch(const char *where,
                                 const llvm::Twine &message) {
  if (mismatch_) return;
  mismatch_ = where;
  mismatchMessage_ = message.str();
}

/// The numbers of a literal as bits, whatever its nesting.
class LiteralBits {
 public:
  explicit LiteralBits(ElementType type) : type_(type) {}

  /// Nothing if something of the text is no number of the type.
  std::optional<std::string> read(llvm::StringRef text) {
    while (true) {
      text = text.ltrim(" \t\r\n{},()");
      if (text.consume_front("/*")) {
        text = text.split("*/").second;
        continue;
      }
      if (text.empty()) return std::move(bytes_);
      const llvm::StringRef word =
          text.take_front(text.find_first_of(" \t\r\n{},()/"));
      if (word.empty() || !add(word)) return std::nullopt;
      text = text.drop_front(word.size());
    }
  }

 private:
  bool add(llvm::StringRef word) {
    if (const llvm::fltSemantics *semantics = semanticsOf(type_)) {
      llvm::APFloat value(*semantics);
      auto status =
          value.convertFromString(word, llvm::APFloat::rmNearestTiesToEven);
      if (!status) {
        llvm::consumeError(status.takeError());
        return false;
      }
      return append(value.bitcastToAPInt());
    }
    if (type_ == ElementType::Pred && (word == "true" || word == "false"))
      return append(llvm::APInt(8, word == "true"));
    llvm::APInt value;
    const bool isNegative = word.consume_front("-");
    if (bitsOf(type_) == 0 || word.getAsInteger(10, value)) return false;
    value = value.zextOrTrunc(std::max<unsigned>(8, bitsOf(type_)));
    return append(isNegative ? -value : value);
  }

  bool append(const llvm::APInt &value) {
    const llvm::APInt whole = value.zext(llvm::alignTo(value.getBitWidth(), 8));
    for (unsigned i = 0; i < whole.getBitWidth(); i += 8)
      bytes_ += static_cast<char>(whole.extractBitsAsZExtValue(8, i));
    return true;
  }

  static const llvm::fltSemantics *semanticsOf(ElementType type) {
    switch (type) {
      case ElementType::F4E2M1FN:
        return &llvm::APFloat::Float4E2M1FN();
      case ElementType::F8E3M4:
        return &llvm::APFloat::Float8E3M4();
      case ElementType::F8E4M3:
        return &llvm::APFloat::Float8E4M3();
      case ElementType::F8E4M3FN:
        return &llvm::APFloat::Float8E4M3FN();
      case ElementType::F8E4M3B11FNUZ:
        return &llvm::APFloat::Float8E4M3B11FNUZ();
      case ElementType::F8E4M3FNUZ:
        return &llvm::APFloat::Float8E4M3FNUZ();
      case ElementType::F8E5M2:
        return &llvm::APFloat::Float8E5M2();
      case ElementType::F8E5M2FNUZ:
        return &llvm::APFloat::Float8E5M2FNUZ();
      case ElementType::F8E8M0FNU:
        return &llvm::APFloat::Float8E8M0FNU();
      case ElementType::F16:
        return &llvm::APFloat::IEEEhalf();
      case ElementType::BF16:
        return &llvm::APFloat::BFloat();
      case ElementType::F32:
      case ElementType::C64:
        return &llvm::APFloat::IEEEsingle();
      case ElementType::F64:
      case ElementType::C128:
        return &llvm::APFloat::IEEEdouble();
      default:
        return nullptr;
    }
  }

  ElementType type_;
  std::string bytes_;
};

/// The braces and commas of a literal: `{{,},{,}}` of {{1, 2}, {3, 4}}.
std::string listsOf(llvm::StringRef text) {
  std::string lists;
  for (char c : text)
    if (c == '{' || c == '}' || c == ',') lists += c;
  return lists;
}

}  // namespace

bool parseLiteral(Source &source, llvm::StringRef text, const ArrayShape &shape,
                  ConstantOp &constant) {
  constant.values.clear();
  if (Lexer(source, text).atEnd())
    return source.fail(text, "a constant needs a value");
  std::optional<int64_t> count = shape.elementCount();
  if (isInteger(shape.type) && count && *count <= kKeptLiteralElements &&
      !LiteralParser(source, text, shape, constant.values).parse(*count))
    return false;
  // A word of digits may be several elements of a pred: as its values have it.
  std::optional<std::string> bits;
  if (shape.type == ElementType::Pred && !constant.values.empty())
    bits = std::string(constant.values.begin(), constant.values.end());
  else
    bits = LiteralBits(shape.type).read(text);
  const size_t bytes = std::max<int64_t>(8, bitsOf(shape.type)) / 8;
  constant.isKnown = bits.has_value();
  if (!bits) return true;
  // Equal elements, of which there are fewer than the bounds say, may be of
  // other sizes: {{1, 2}} and {{1}, {2}}.
  const bool hasAll = count && bits->size() == *count * bytes;
  constant.bits = hasAll || !shape.dynamic.any()
                      ? ConstantOp::canonicalBits(*bits, bytes)
                      : ConstantOp::canonicalBits(*bits + listsOf(text), 1);
  return true;
}

}  // namespace indexical

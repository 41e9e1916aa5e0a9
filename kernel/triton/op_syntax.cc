#include "indexical/kernel/triton/op_syntax.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#include "indexical/indexing/map_text.h"
#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/op_typing.h"

namespace indexical::triton {
namespace {

using llvm::StringRef;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;
using mlir::Type;
using Operands = OpOperands;
using Types = OpTypes;

/// Returns the text from there to the end of its line. The parser's text ends
/// with a zero.
StringRef lineAt(const char *at) {
  const char *end = at;
  while (*end != '\n' && *end != '\0') ++end;
  return StringRef(at, end - at);
}

/// Returns whether an op begins there, in a line of its own: `%a = …`,
/// `tt.return`, `"tt.reduce"(…)`. An op without types may end at the end of its
/// line, and only the next line shows that.
bool beginsOp(const char *at) {
  const char *before = at;
  do {
    --before;
  } while (*before == ' ' || *before == '\t' || *before == '\r');
  if (*before != '\n') return false;
  const StringRef text = lineAt(at);
  if (text.starts_with("%")) {
    const auto [names, rest] = text.split('=');
    llvm::SmallVector<StringRef> all;
    names.split(all, ',');
    return names.size() != text.size() && llvm::all_of(all, [](StringRef name) {
             name = name.trim();
             return name.starts_with("%") && !name.contains(' ');
           });
  }
  if (text.starts_with("\""))
    return text.drop_front().split('"').second.starts_with("(");
  const StringRef word = text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  });
  return word == "return" || word.contains('.');
}

bool isAtNextOp(OpAsmParser &parser) {
  return beginsOp(parser.getCurrentLocation().getPointer());
}

/// Reads an operand, or a number, which is dropped. Returns nothing if there is
/// neither.
mlir::OptionalParseResult parseOperandOrNumber(OpAsmParser &parser,
                                               OpText &text) {
  OpAsmParser::UnresolvedOperand operand;
  const auto isOperand = parser.parseOptionalOperand(operand);
  if (isOperand.has_value()) {
    if (succeeded(*isOperand)) text.operands.push_back(operand);
    return *isOperand;
  }
  llvm::APInt number;
  return parser.parseOptionalInteger(number);
}

ParseResult parseBracket(OpAsmParser &parser, OpText &text) {
  const size_t before = text.operands.size();
  if (failed(parser.parseOptionalRSquare())) {
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          const auto one = parseOperandOrNumber(parser, text);
          if (one.has_value()) return *one;
          return parser.emitError(parser.getCurrentLocation(),
                                  "expected an operand or a number");
        }) ||
        parser.parseRSquare())
      return failure();
  }
  text.lists.push_back(text.operands.size() - before);
  return success();
}

/// Reads what follows a word: `cacheModifier = ca`, `boundaryCheck = array<…>`,
/// `mask %m`, or nothing.
ParseResult parseWord(OpAsmParser &parser, StringRef word, OpText &text,
                      OperationState &state) {
  if (failed(parser.parseOptionalEqual())) {
    text.words.push_back(word);
    return success();
  }
  StringRef value;
  if (succeeded(parser.parseOptionalKeyword(&value))) {
    if (value == "array" || value == "dense" || value == "true" ||
        value == "false") {
      // The parser cannot go back to the keyword, so that the value is read by
      // hand.
      if (value == "true" || value == "false") {
        state.addAttribute(word,
                           parser.getBuilder().getBoolAttr(value == "true"));
        return success();
      }
      if (parser.parseLess()) return failure();
      StringRef element;
      llvm::SmallVector<int32_t, 4> numbers;
      if (parser.parseKeyword(&element)) return failure();
      if (succeeded(parser.parseOptionalColon()) &&
          parser.parseCommaSeparatedList([&]() -> ParseResult {
            return parser.parseInteger(numbers.emplace_back());
          }))
        return failure();
      state.addAttribute(word,
                         parser.getBuilder().getDenseI32ArrayAttr(numbers));
      return parser.parseGreater();
    }
    state.addAttribute(word, parser.getBuilder().getStringAttr(value));
    return success();
  }
  mlir::Attribute attribute;
  if (parser.parseAttribute(attribute)) return failure();
  state.addAttribute(word, attribute);
  return success();
}

/// Reads everything between the op's name and the colon.
ParseResult parsePieces(OpAsmParser &parser, OpText &text,
                        OperationState &state) {
  while (!isAtNextOp(parser)) {
    // An op without types may end here: `loc` is no word of the op.
    std::optional<mlir::Location> location;
    if (parser.parseOptionalLocationSpecifier(location)) return failure();
    if (location) {
      state.location = *location;
      return success();
    }
    StringRef word;
    const auto isOperand = parseOperandOrNumber(parser, text);
    if (isOperand.has_value()) {
      if (failed(*isOperand)) return failure();
    } else if (succeeded(parser.parseOptionalLSquare())) {
      if (parseBracket(parser, text)) return failure();
    } else if (succeeded(parser.parseOptionalKeyword(&word))) {
      if (word == "attributes") {
        if (parser.parseOptionalAttrDict(state.attributes)) return failure();
      } else if (parseWord(parser, word, text, state)) {
        return failure();
      }
    } else if (std::string quoted;
               succeeded(parser.parseOptionalString(&quoted))) {
      // The string is a predicate of old Triton, a prefix of print, or a
      // message. It is dropped.
    } else if (succeeded(parser.parseOptionalComma()) ||
               succeeded(parser.parseOptionalVerticalBar())) {
      continue;
    } else {
      const size_t before = state.attributes.getAttrs().size();
      if (parser.parseOptionalAttrDict(state.attributes)) return failure();
      if (state.attributes.getAttrs().size() == before) return success();
    }
  }
  return success();
}

/// Reads a type, or `<tensor<…>>`, which leaves out the name of the pointer, or
/// `<64x64xf16>`, which leaves out that of the descriptor, or
/// `<64x64xf16, #shared, #smem, mutable>`, which leaves out that of the memory.
ParseResult parseOneType(OpAsmParser &parser, Types &types) {
  Type type;
  if (succeeded(parser.parseOptionalLess())) {
    const char *begin = parser.getCurrentLocation().getPointer();
    llvm::SmallVector<int64_t> shape;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
        parser.parseType(type))
      return failure();
    if (!shape.empty()) {
      mlir::Attribute layout;
      if (succeeded(parser.parseOptionalComma()) &&
          parser.parseAttribute(layout))
        return failure();
      bool isMemory = false;
      if (parseMemoryTail(parser, isMemory)) return failure();
      const auto tensor = mlir::RankedTensorType::get(shape, type, layout);
      const char *end = parser.getCurrentLocation().getPointer();
      types.push_back(isMemory ? memoryOf(tensor, StringRef(begin, end - begin))
                               : descriptorOf(tensor));
      return parser.parseGreater();
    }
    int64_t space = 0;
    if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(space))
      return failure();
    if (parser.parseGreater()) return failure();
    types.push_back(pointerTo(type));
    return success();
  }
  if (parser.parseType(type)) return failure();
  types.push_back(type);
  return success();
}

ParseResult parseTypeList(OpAsmParser &parser, Types &types) {
  if (succeeded(parser.parseOptionalLParen())) {
    if (succeeded(parser.parseOptionalRParen())) return success();
    if (parser.parseCommaSeparatedList(
            [&]() { return parseOneType(parser, types); }))
      return failure();
    return parser.parseRParen();
  }
  do {
    if (parseOneType(parser, types)) return failure();
  } while (succeeded(parser.parseOptionalComma()) ||
           succeeded(parser.parseOptionalStar()));
  return success();
}

ParseResult parseTypes(OpAsmParser &parser, OpText &text) {
  if (failed(parser.parseOptionalColon())) return success();
  if (parseTypeList(parser, text.types)) return failure();
  if (failed(parser.parseOptionalArrow()) &&
      failed(parser.parseOptionalKeyword("to")))
    return success();
  text.hasArrow = true;
  return parseTypeList(parser, text.results);
}

/// Returns the results that the text of an op states whose operands are not
/// read. There are as many as the text has names for.
Types statedResults(OpAsmParser &parser, const OpText &text) {
  Types results = text.hasArrow ? text.results : Types();
  if (!text.hasArrow && text.types.size() == 1) results = text.types;
  results.resize(parser.getNumResults(), parser.getBuilder().getNoneType());
  return results;
}

/// Reads an op that is in no table, as far as its end: pieces of any kind, of
/// which only the results' types are kept, and regions.
ParseResult parseUnknown(OpAsmParser &parser, OperationState &state) {
  OpText text;
  bool hasColon = false;
  std::optional<mlir::Location> location;
  while (!isAtNextOp(parser)) {
    if (parser.parseOptionalLocationSpecifier(location)) return failure();
    if (location) {
      state.location = *location;
      break;
    }
    const char *next = parser.getCurrentLocation().getPointer();
    StringRef word;
    std::string quoted;
    Type type;
    if (*next == '}' || *next == '^') break;
    if (*next == '{') {
      const StringRef inside = lineAt(next).drop_front().ltrim(" \t\r");
      const bool isRegion =
          inside.empty() || inside.starts_with("^") || inside.starts_with("%");
      if (isRegion ? parser.parseRegion(*state.addRegion())
                   : parser.parseOptionalAttrDict(state.attributes))
        return failure();
      continue;
    }
    if (hasColon || text.hasArrow) {
      const auto isType = parser.parseOptionalType(type);
      if (isType.has_value()) {
        if (failed(*isType)) return failure();
        (text.hasArrow ? text.results : text.types).push_back(type);
        continue;
      }
      if (*next == '<') {
        if (parseOneType(parser, text.hasArrow ? text.results : text.types))
          return failure();
        continue;
      }
    }
    const auto isOperand = parseOperandOrNumber(parser, text);
    if (isOperand.has_value()) {
      if (failed(*isOperand)) return failure();
    } else if (succeeded(parser.parseOptionalColon())) {
      hasColon = true;
    } else if (succeeded(parser.parseOptionalArrow())) {
      text.hasArrow = true;
    } else if (succeeded(parser.parseOptionalKeyword(&word))) {
      text.hasArrow |= hasColon && word == "to";
    } else if (!parser.parseOptionalString(&quoted) ||
               !parser.parseOptionalComma() || !parser.parseOptionalEqual() ||
               !parser.parseOptionalStar() || !parser.parseOptionalPlus() ||
               !parser.parseOptionalMinus() || !parser.parseOptionalLSquare() ||
               !parser.parseOptionalRSquare() ||
               !parser.parseOptionalLParen() || !parser.parseOptionalRParen() ||
               !parser.parseOptionalLess() || !parser.parseOptionalGreater() ||
               !parser.parseOptionalVerticalBar() ||
               !parser.parseOptionalQuestion()) {
      continue;
    } else {
      mlir::Attribute attribute;
      const auto isAttribute = parser.parseOptionalAttribute(attribute);
      if (!isAttribute.has_value()) break;
      if (failed(*isAttribute)) return failure();
    }
  }
  state.addTypes(statedResults(parser, text));
  state.addAttribute(kUnknownAttribute, parser.getBuilder().getUnitAttr());
  return success();
}

/// Reads `[public] @name(%arg0: T {…}, …) [-> T] [attributes {…}] { … }`.
ParseResult parseFunction(OpAsmParser &parser, OperationState &state) {
  StringRef visibility;
  (void)parser.parseOptionalKeyword(&visibility, {"public", "private"});
  mlir::StringAttr name;
  if (parser.parseSymbolName(name, "sym_name", state.attributes))
    return failure();
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  llvm::SmallVector<Type> results;
  llvm::SmallVector<mlir::DictionaryAttr> resultAttributes;
  bool isVariadic = false;
  if (mlir::function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, results,
          resultAttributes))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  llvm::SmallVector<mlir::Attribute> attributes;
  for (const OpAsmParser::Argument &argument : arguments)
    attributes.push_back(argument.attrs
                             ? mlir::Attribute(argument.attrs)
                             : parser.getBuilder().getDictionaryAttr({}));
  state.addAttribute("arg_attrs", parser.getBuilder().getArrayAttr(attributes));
  const auto body = parser.parseOptionalRegion(*state.addRegion(), arguments);
  return body.has_value() ? ParseResult(*body) : success();
}

/// Reads `@f(%a, %b) : (T, U) -> R`.
ParseResult parseCall(OpAsmParser &parser, OperationState &state) {
  mlir::SymbolRefAttr callee;
  Operands operands;
  mlir::FunctionType type;
  const auto at = parser.getCurrentLocation();
  return mlir::failure(
      parser.parseAttribute(callee, "callee", state.attributes) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), at, state.operands) ||
      parser.addTypesToList(type.getResults(), state.types));
}

/// Reads `#map(%a, %b)[%c]`, whose operands and results are all of index type.
ParseResult parseApplyIndexing(OpAsmParser &parser, OperationState &state) {
  mlir::Attribute map;
  Operands operands;
  const mlir::Type index = parser.getBuilder().getIndexType();
  if (parser.parseAttribute(map, "map", state.attributes) ||
      parser.parseOperandList(operands,
                              OpAsmParser::Delimiter::OptionalParen) ||
      parser.parseOperandList(operands,
                              OpAsmParser::Delimiter::OptionalSquare) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.resolveOperands(operands, index, state.operands))
    return failure();
  size_t results = 1;
  if (auto named = llvm::dyn_cast<NamedAttr>(map))
    if (auto parsed = parseMap(named.body()); parsed.ok())
      results = parsed->results().size();
  state.addTypes(Types(results, index));
  return success();
}

/// Reads `"prefix" {…} : %a, %b : T, U` and keeps nothing of it.
ParseResult parsePrint(OpAsmParser &parser, OperationState &state) {
  OpText text;
  if (parsePieces(parser, text, state)) return failure();
  if (failed(parser.parseOptionalColon())) return success();
  if (text.operands.empty()) {
    if (parser.parseOperandList(text.operands) || parser.parseColon())
      return failure();
  }
  return parseTypeList(parser, text.types);
}

/// Reads `(%a) attributes {…} default {…} partition0(%b: T) num_warps(4) {…}
/// : (T) -> R`. Its regions are kept, and no op in them is followed.
ParseResult parseWarpSpecialize(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  const auto at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*state.addRegion()))
    return failure();
  for (int number = 0; succeeded(parser.parseOptionalKeyword(
           ("partition" + llvm::Twine(number)).str()));
       ++number) {
    llvm::SmallVector<OpAsmParser::Argument> arguments;
    int32_t warps = 0;
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                 /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(warps) || parser.parseRParen() ||
        parser.parseRegion(*state.addRegion(), arguments))
      return failure();
  }
  mlir::FunctionType type;
  return mlir::failure(
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), at, state.operands) ||
      parser.addTypesToList(type.getResults(), state.types));
}

}  // namespace

ParseResult parseOpSyntax(OpAsmParser &parser, OperationState &state) {
  const StringRef name = state.name.getStringRef();
  const StringRef op = name.split('.').second;
  if (op == "func") return parseFunction(parser, state);
  if (op == "call") return parseCall(parser, state);
  if (op == "apply_indexing") return parseApplyIndexing(parser, state);
  if (op == "print" || op == "assert") return parsePrint(parser, state);
  if (op == "extract" || op == "insert") return parseTileSyntax(parser, state);
  if (op == "warp_specialize") return parseWarpSpecialize(parser, state);
  if (!isTypedOp(name)) return parseUnknown(parser, state);
  OpText text;
  const auto at = parser.getCurrentLocation();
  if (parsePieces(parser, text, state) || parseTypes(parser, text))
    return failure();
  for (StringRef axis : {"x", "y", "z"})
    if (llvm::is_contained(text.words, axis))
      state.addAttribute("axis",
                         parser.getBuilder().getI32IntegerAttr(axis[0] - 'x'));
  if (llvm::is_contained(text.words, "allow_reorder"))
    state.addAttribute("allow_reorder", parser.getBuilder().getUnitAttr());
  if (op == "atomic_rmw" && !text.words.empty())
    state.addAttribute(kOperationAttribute,
                       parser.getBuilder().getStringAttr(text.words.front()));
  if (!text.lists.empty())
    state.addAttribute(kListsAttribute,
                       parser.getBuilder().getDenseI32ArrayAttr(text.lists));
  Types results;
  const auto types = operandTypes(parser, name, text, results);
  if (!types) {
    results = statedResults(parser, text);
    state.addAttribute(kUnknownAttribute, parser.getBuilder().getUnitAttr());
  } else if (parser.resolveOperands(text.operands, *types, at,
                                    state.operands)) {
    return failure();
  }
  state.addTypes(results);
  return success();
}

}  // namespace indexical::triton

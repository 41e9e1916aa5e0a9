#include "indexical/import/triton/op_syntax.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_hints.h"
#include "indexical/import/triton/op_lines.h"
#include "indexical/import/triton/op_typing.h"
#include "indexical/import/triton/quiet_ops.h"
#include "indexical/indexing/map_text.h"

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

/// Returns the text from there to the end of its line. The parser's text ends
/// with a zero.
StringRef lineAt(const char *at) {
  const char *end = at;
  while (*end != '\n' && *end != '\0') ++end;
  return StringRef(at, end - at);
}

/// Returns whether the parser is at an op that begins its line. An op without
/// types may end at the end of its line, and only the next line shows that.
bool isAtNextOp(OpAsmParser &parser) {
  const char *at = parser.getCurrentLocation().getPointer();
  const char *before = at;
  do {
    --before;
  } while (*before == ' ' || *before == '\t' || *before == '\r');
  return *before == '\n' && beginsOp(lineAt(at));
}

/// Reads an operand with that word in front of it, or a number. Returns nothing
/// if there is neither.
mlir::OptionalParseResult parseOperandOrNumber(OpAsmParser &parser,
                                               OpText &text,
                                               StringRef label = "") {
  OpAsmParser::UnresolvedOperand operand;
  const auto isOperand = parser.parseOptionalOperand(operand);
  if (isOperand.has_value()) {
    if (succeeded(*isOperand)) {
      text.operands.push_back(operand);
      text.labels.push_back(label);
      text.ownTypes.push_back({});
    }
    return *isOperand;
  }
  llvm::APInt number;
  const auto isNumber = parser.parseOptionalInteger(number);
  if (isNumber.has_value() && succeeded(*isNumber))
    text.numbers.push_back(number.trySExtValue().value_or(0));
  return isNumber;
}

ParseResult parseBracket(OpAsmParser &parser, OpText &text,
                         StringRef label = "") {
  const size_t before = text.operands.size();
  if (failed(parser.parseOptionalRSquare())) {
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          const auto one = parseOperandOrNumber(parser, text, label);
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
/// `mask %m`, `rbits = %r : T`, `add_offsets = [%i, %j]`, or nothing.
ParseResult parseWord(OpAsmParser &parser, StringRef word, OpText &text,
                      OperationState &state) {
  const bool hasValue = succeeded(parser.parseOptionalEqual());
  if (!hasValue) text.words.push_back(word);
  const size_t before = text.operands.size();
  if (*parser.getCurrentLocation().getPointer() == '%' && !isAtNextOp(parser)) {
    if (parseOperandOrNumber(parser, text, word).value()) return failure();
    static constexpr StringRef kWithType[] = {"rbits", "dest", "barrier"};
    if (!hasValue || !llvm::is_contained(kWithType, word) ||
        failed(parser.parseOptionalColon()))
      return success();
    return parser.parseType(text.ownTypes[before]);
  }
  if (!hasValue) return success();
  const StringRef list = lineAt(parser.getCurrentLocation().getPointer());
  if (list.starts_with("[%") && succeeded(parser.parseOptionalLSquare()))
    return parseBracket(parser, text, word);
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
ParseResult parseOneType(OpAsmParser &parser, OpTypes &types) {
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

ParseResult parseTypeList(OpAsmParser &parser, OpTypes &types) {
  if (succeeded(parser.parseOptionalLParen())) {
    if (succeeded(parser.parseOptionalRParen())) return success();
    if (parser.parseCommaSeparatedList(
            [&]() { return parseOneType(parser, types); }))
      return failure();
    return parser.parseRParen();
  }
  do {
    if (parseOneType(parser, types)) return failure();
    // `<f32>[tensor<…>] tensor<…>`
    if (succeeded(parser.parseOptionalLSquare())) {
      Type last;
      if (parseOneType(parser, types) || parser.parseRSquare())
        return failure();
      const auto isType = parser.parseOptionalType(last);
      if (isType.has_value() && failed(*isType)) return failure();
      if (isType.has_value()) types.push_back(last);
    }
  } while (succeeded(parser.parseOptionalComma()) ||
           succeeded(parser.parseOptionalStar()));
  return success();
}

/// Reads `: T, U -> R`. An op without operands may have `-> R` alone.
ParseResult parseTypes(OpAsmParser &parser, OpText &text) {
  const bool hasTypes = succeeded(parser.parseOptionalColon());
  if (hasTypes && parseTypeList(parser, text.types)) return failure();
  if (!hasTypes && *parser.getCurrentLocation().getPointer() != '-')
    return success();
  if (failed(parser.parseOptionalArrow()) &&
      failed(parser.parseOptionalKeyword("to")))
    return success();
  text.hasArrow = true;
  return parseTypeList(parser, text.results);
}

/// Returns the results that the text of an op states whose operands are not
/// read. There are as many as the text has names for. Those about which the
/// text says nothing are tokens of an op of a GPU, else none; where another op
/// says their type, they get that (tolerant_parse.h).
OpTypes statedResults(OpAsmParser &parser, StringRef name, const OpText &text) {
  OpTypes results;
  if (returnsTokens(name)) {
    // The text says none.
  } else if (text.hasArrow) {
    results = text.results;
  } else if (!text.types.empty()) {
    const auto all = llvm::dyn_cast<mlir::FunctionType>(text.types.back());
    if (all)
      results.append(all.getResults().begin(), all.getResults().end());
    else if (text.types.size() == 1)
      results = text.types;
  }
  const bool hasTokens = !name.starts_with("tt.");
  const Type rest = hasTokens ? tokenType(parser.getContext())
                              : Type(parser.getBuilder().getNoneType());
  results.resize(parser.getNumResults(), rest);
  return results;
}

/// Reads an op that is in no table, as far as its end: pieces of any kind, of
/// which only the results' types are kept, and regions.
ParseResult parseLoosely(OpAsmParser &parser, OperationState &state) {
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
      if (state.name.getStringRef().ends_with(".barrier"))
        state.attributes.set(kWordAttribute,
                             parser.getBuilder().getStringAttr(word));
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
  state.addTypes(statedResults(parser, state.name.getStringRef(), text));
  return success();
}

/// Reads an op on tensor memory. One in a form that is not known has its
/// results alone, as one that is read loosely.
ParseResult parseTensorMemory(OpAsmParser &parser, StringRef op,
                              OperationState &state) {
  OpText text;
  const auto at = parser.getCurrentLocation();
  if (parsePieces(parser, text, state) || parseTypes(parser, text))
    return failure();
  const auto types = tensorMemoryTypes(parser, op, text);
  if (types &&
      parser.resolveOperands(text.operands, *types, at, state.operands))
    return failure();
  state.addTypes(statedResults(parser, state.name.getStringRef(), text));
  return success();
}

/// Reads `%p { … ttg.mask.return %v : T } {attrs} : T`, ops that happen where
/// the predicate holds.
ParseResult parseMask(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand predicate;
  const Type truth = parser.getBuilder().getI1Type();
  OpTypes results;
  if (parser.parseOperand(predicate) ||
      parser.resolveOperand(predicate, truth, state.operands) ||
      parser.parseRegion(*state.addRegion()) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseOptionalColonTypeList(results))
    return failure();
  state.addTypes(results);
  return success();
}

/// Reads what stands in place of an op that was passed over: its name.
ParseResult parsePassedOver(OpAsmParser &parser, OperationState &state) {
  std::string name;
  if (parser.parseString(&name)) return failure();
  state.addAttribute(kPassedOverAttribute,
                     parser.getBuilder().getStringAttr(name));
  state.addTypes(statedResults(parser, kPassedOver, OpText()));
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
  state.addTypes(OpTypes(results, index));
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

/// Reads `num_warps(4)` and appends the number.
ParseResult parseWarps(OpAsmParser &parser, llvm::SmallVector<int32_t> &warps) {
  return mlir::failure(
      parser.parseKeyword("num_warps") || parser.parseLParen() ||
      parser.parseInteger(warps.emplace_back()) || parser.parseRParen());
}

/// Reads `(%a) attributes {…} default {…} partition0(%b: T) num_warps(4) {…}
/// : (T) -> R`.
ParseResult parseWarpSpecialize(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  const auto at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseKeyword("default") || parser.parseRegion(*state.addRegion()))
    return failure();
  llvm::SmallVector<int32_t> warps;
  for (int number = 0; succeeded(parser.parseOptionalKeyword(
           ("partition" + llvm::Twine(number)).str()));
       ++number) {
    llvm::SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                 /*allowType=*/true) ||
        parseWarps(parser, warps) ||
        parser.parseRegion(*state.addRegion(), arguments))
      return failure();
  }
  state.addAttribute(kPartitionWarps,
                     parser.getBuilder().getDenseI32ArrayAttr(warps));
  mlir::FunctionType type;
  return mlir::failure(
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), at, state.operands) ||
      parser.addTypesToList(type.getResults(), state.types));
}

/// Reads `partition0 num_warps(4) {…} partition1 num_warps(8) {…}`, perhaps
/// with types behind it. The regions use the values around them.
ParseResult parseWarpGroup(OpAsmParser &parser, OperationState &state) {
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  llvm::SmallVector<int32_t> warps;
  for (int number = 0; succeeded(parser.parseOptionalKeyword(
           ("partition" + llvm::Twine(number)).str()));
       ++number)
    if (parseWarps(parser, warps) || parser.parseRegion(*state.addRegion()))
      return failure();
  state.addAttribute(kPartitionWarps,
                     parser.getBuilder().getDenseI32ArrayAttr(warps));
  OpText text;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parseTypes(parser, text))
    return failure();
  state.addTypes(statedResults(parser, "nvws.warp_group", text));
  return success();
}

/// Reads an op that the table knows. Its operands are not read if their types
/// are not known.
ParseResult parseTyped(OpAsmParser &parser, StringRef name,
                       OperationState &state, bool &isKnown) {
  const StringRef op = name.split('.').second;
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
  if (op.ends_with("atomic_rmw") && !text.words.empty())
    state.addAttribute(kOperationAttribute,
                       parser.getBuilder().getStringAttr(text.words.front()));
  if (op == "extract_slice")
    state.addAttribute(kOffsetsAttribute,
                       parser.getBuilder().getDenseI64ArrayAttr(text.numbers));
  OpTypes results;
  const auto types = operandTypes(parser, name, text, results);
  isKnown = types.has_value();
  if (!text.lists.empty())
    state.addAttribute(kListsAttribute,
                       parser.getBuilder().getDenseI32ArrayAttr(text.lists));
  if (!isKnown)
    results = statedResults(parser, name, text);
  else if (parser.resolveOperands(text.operands, *types, at, state.operands))
    return failure();
  state.addTypes(results);
  return success();
}

ParseResult parseAnyOp(OpAsmParser &parser, OperationState &state,
                       bool &isKnown) {
  const StringRef name = state.name.getStringRef();
  const StringRef op = name.split('.').second;
  if (op == "func") return parseFunction(parser, state);
  if (op == "call") return parseCall(parser, state);
  if (op == "apply_indexing") return parseApplyIndexing(parser, state);
  if (op == "print" || op == "assert") return parsePrint(parser, state);
  const bool isOfXla =
      name.starts_with("triton_xla.") || name.starts_with("xtile.");
  if (isOfXla && (op == "extract" || op == "insert"))
    return parseTileSyntax(parser, state);
  if (op == "warp_specialize") return parseWarpSpecialize(parser, state);
  if (op == "subtiled_region") return parseSubtiles(parser, state);
  if (name == "nvws.warp_group") return parseWarpGroup(parser, state);
  if (name == "ttg.mask") return parseMask(parser, state);
  if (isTypedOp(name)) return parseTyped(parser, name, state, isKnown);
  isKnown = isReadLoosely(name);
  static constexpr StringRef kOfTensorMemory[] = {"tmem_alloc", "tmem_load",
                                                  "tmem_store", "tc_gen5_mma"};
  if (isKnown && llvm::is_contained(kOfTensorMemory, op))
    return parseTensorMemory(parser, op, state);
  return name == kPassedOver ? parsePassedOver(parser, state)
                             : parseLoosely(parser, state);
}

}  // namespace

ParseResult parseOpSyntax(OpAsmParser &parser, OperationState &state) {
  const StringRef name = state.name.getStringRef();
  bool isKnown = true;
  if (parseAnyOp(parser, state, isKnown)) return failure();
  if (!isKnown)
    state.addAttribute(kUnknownAttribute, parser.getBuilder().getUnitAttr());
  if (!isKnown || isReadLoosely(name))
    hintsOf(*parser.getContext()).apply(parser, name, state.types);
  return success();
}

}  // namespace indexical::triton

#include "indexical/kernel/triton/op_syntax.h"

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#include "indexical/indexing/map_text.h"
#include "indexical/kernel/triton/dialect.h"

namespace indexical::triton {
namespace {

using llvm::StringRef;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;
using mlir::Type;
using Operands = llvm::SmallVector<OpAsmParser::UnresolvedOperand, 4>;
using Types = llvm::SmallVector<Type, 4>;

/// The pieces of an op's text, as they are read before the operands have types.
struct OpText {
  Operands operands;                    ///< in order, those of brackets too
  llvm::SmallVector<int32_t, 3> lists;  ///< operands of each bracket
  llvm::SmallVector<StringRef, 2> words;
  Types types, results;  ///< in front of the arrow, behind it
  bool hasArrow = false;
};

/// Says how the types of an op's operands follow from those behind the colon.
enum class Typing : uint8_t {
  Unknown,
  NoOperands,  ///< `: T` is the result
  Same,        ///< all operands have the first type; so has a result
  Convert,     ///< `T -> U`
  Listed,      ///< one type an operand; no result
  ListedTo,    ///< `(T, U) -> R` or `T, U -> R`
  AddPtr,
  Load,
  Store,
  MakeTensorPtr,
  Advance,
  MakeDescriptor,
  DescriptorLoad,
  DescriptorStore,
  Dot,
  AsyncCopy,
  Token,       ///< operands and results are tokens
  MemoryView,  ///< `%m[%i, %j] : M -> M2`, i32 indices
  ListedSame,  ///< one type an operand, the results are the same
  Split,
};

Typing typingOf(StringRef name) {
  StringRef op = name.split('.').second;
  return llvm::StringSwitch<Typing>(op)
      .Cases({"get_program_id", "get_num_programs", "make_range"},
             Typing::NoOperands)
      .Cases({"splat", "expand_dims", "broadcast", "reshape", "trans",
              "convert_layout"},
             Typing::Convert)
      .Cases({"bitcast", "fp_to_fp", "ptr_to_int", "int_to_ptr", "unsplat"},
             Typing::Convert)
      .Cases({"local_load", "histogram", "memdesc_trans", "memdesc_reshape",
              "memdesc_reinterpret"},
             Typing::Convert)
      .Case("join", Typing::Convert)
      .Case("cat", Typing::Convert)
      .Case("split", Typing::Split)
      .Cases({"clampf", "mulhiui", "precise_sqrt", "precise_divf"},
             Typing::Same)
      .Case("local_dealloc", Typing::Same)
      .Cases({"atomic_rmw", "atomic_cas", "extern_elementwise", "gather",
              "local_alloc", "elementwise_inline_asm"},
             Typing::ListedTo)
      .Cases({"reduce.return", "scan.return", "return", "func.return"},
             Typing::Listed)
      .Case("local_store", Typing::ListedTo)
      .Case("addptr", Typing::AddPtr)
      .Case("load", Typing::Load)
      .Case("store", Typing::Store)
      .Case("make_tensor_ptr", Typing::MakeTensorPtr)
      .Case("advance", Typing::Advance)
      .Case("make_tensor_descriptor", Typing::MakeDescriptor)
      .Cases({"descriptor_load", "experimental_descriptor_load"},
             Typing::DescriptorLoad)
      .Cases({"descriptor_store", "experimental_descriptor_store"},
             Typing::DescriptorStore)
      .Cases({"dot", "warp_group_dot"}, Typing::Dot)
      .Case("async_copy_global_to_local", Typing::AsyncCopy)
      .Cases({"async_commit_group", "async_wait"}, Typing::Token)
      .Cases({"memdesc_subview", "memdesc_subslice", "memdesc_index"},
             Typing::MemoryView)
      .Case("warp_group_dot_wait", Typing::ListedSame)
      .Default(Typing::Unknown);
}

/// Returns a tensor of that element with the shape and layout of `shaped`, or
/// the element alone if that is no tensor.
Type likeWith(Type shaped, Type element) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(shaped))
    return mlir::RankedTensorType::get(tensor.getShape(), element,
                                       tensor.getEncoding());
  return element;
}

Type pointerTo(Type pointee) {
  return NamedType::get(pointee.getContext(), StringRef("tt.ptr"), StringRef(),
                        pointee);
}

Type descriptorOf(mlir::RankedTensorType tensor) {
  return NamedType::get(tensor.getContext(), StringRef("tt.tensordesc"),
                        StringRef(), tensor);
}

ParseResult parseBracket(OpAsmParser &parser, OpText &text) {
  const size_t before = text.operands.size();
  if (parser.parseOperandList(text.operands)) return failure();
  text.lists.push_back(text.operands.size() - before);
  return parser.parseRSquare();
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
      if (value == "true" || value == "false") return success();
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
  while (true) {
    // An op without types may end here: `loc` is no word of the op.
    std::optional<mlir::Location> location;
    if (parser.parseOptionalLocationSpecifier(location)) return failure();
    if (location) {
      state.location = *location;
      return success();
    }
    OpAsmParser::UnresolvedOperand operand;
    StringRef word;
    const auto isOperand = parser.parseOptionalOperand(operand);
    if (isOperand.has_value()) {
      if (failed(*isOperand)) return failure();
      text.operands.push_back(operand);
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
    } else if (succeeded(parser.parseOptionalComma())) {
      continue;
    } else {
      const size_t before = state.attributes.getAttrs().size();
      if (parser.parseOptionalAttrDict(state.attributes)) return failure();
      if (state.attributes.getAttrs().size() == before) return success();
    }
  }
}

/// Reads a type, or `<tensor<…>>`, which leaves out the name of the pointer, or
/// `<64x64xf16>`, which leaves out that of the descriptor.
ParseResult parseOneType(OpAsmParser &parser, Types &types) {
  Type type;
  if (succeeded(parser.parseOptionalLess())) {
    llvm::SmallVector<int64_t> shape;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
        parser.parseType(type))
      return failure();
    if (!shape.empty()) {
      mlir::Attribute layout;
      if (succeeded(parser.parseOptionalComma()) &&
          parser.parseAttribute(layout))
        return failure();
      types.push_back(
          descriptorOf(mlir::RankedTensorType::get(shape, type, layout)));
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
  if (failed(parser.parseOptionalArrow())) return success();
  text.hasArrow = true;
  return parseTypeList(parser, text.results);
}

Type tokenType(OpAsmParser &parser) {
  return NamedType::get(parser.getContext(), StringRef("ttg.async.token"),
                        StringRef(), Type());
}

/// Returns the types of the operands and sets those of the results. Returns
/// nothing if the written types do not say what the operands are.
std::optional<Types> operandTypes(OpAsmParser &parser, Typing typing,
                                  OpText &text, Types &results) {
  mlir::Builder &b = parser.getBuilder();
  const size_t count = text.operands.size();
  const Types &t = text.types;
  auto all = [&](Type type) { return Types(count, type); };
  results = text.results;
  switch (typing) {
    case Typing::Unknown:
      break;
    case Typing::NoOperands:
      results = t;
      return count == 0 ? std::optional(Types()) : std::nullopt;
    case Typing::Token:
      results = {tokenType(parser)};
      return all(tokenType(parser));
    case Typing::Listed:
      if (t.size() == count) return t;
      break;
    case Typing::ListedSame:
      results = t;
      if (t.size() == count) return t;
      break;
    case Typing::ListedTo:
      // local_store has `T -> M`, and no result.
      if (t.size() != count && t.size() + text.results.size() == count) {
        Types types = t;
        types.append(text.results.begin(), text.results.end());
        results = {};
        return types;
      }
      if (t.size() == count) return t;
      break;
    default:
      break;
  }
  if (t.empty()) return std::nullopt;
  const Type first = t.front();
  switch (typing) {
    case Typing::Same:
      if (!text.hasArrow) results = {first};
      return all(first);
    case Typing::Convert:
      if (!text.hasArrow) results = {first};
      return all(first);
    case Typing::Split:
      results = Types(2, text.results.empty() ? first : text.results.front());
      return all(first);
    case Typing::AddPtr:
      results = {first};
      if (t.size() == 2 && count == 2) return t;
      break;
    case Typing::Load: {
      // Old Triton writes the type of the result.
      Type pointer = first, result = pointeeOf(first);
      if (!result) {
        result = first;
        auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(first);
        pointer = tensor ? likeWith(first, pointerTo(tensor.getElementType()))
                         : pointerTo(first);
      }
      results = {result};
      Types types = {pointer, likeWith(result, b.getI1Type()), result};
      if (count < 1 || count > 3) break;
      types.resize(count);
      return types;
    }
    case Typing::Store: {
      Type pointer = first, value = pointeeOf(first);
      if (!value) {
        value = first;
        auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(first);
        pointer = tensor ? likeWith(first, pointerTo(tensor.getElementType()))
                         : pointerTo(first);
      }
      Types types = {pointer, value, likeWith(value, b.getI1Type())};
      if (count < 2 || count > 3) break;
      types.resize(count);
      return types;
    }
    case Typing::MakeTensorPtr: {
      results = {first};
      auto tensor =
          llvm::dyn_cast_or_null<mlir::RankedTensorType>(pointeeOf(first));
      if (!tensor || text.lists.size() != 3) break;
      Types types = {pointerTo(tensor.getElementType())};
      types.append(text.lists[0] + text.lists[1], b.getI64Type());
      types.append(text.lists[2], b.getI32Type());
      if (types.size() == count) return types;
      break;
    }
    case Typing::Advance: {
      results = {first};
      Types types(count, b.getI32Type());
      types[0] = first;
      return types;
    }
    case Typing::Dot: {
      if (text.results.empty() || t.size() != 2) break;
      Types types = {t[0], t[1], text.results.front()};
      if (types.size() == count) return types;
      break;
    }
    case Typing::AsyncCopy: {
      Types types = {first};
      if (text.results.size() != 1 || count < 2) break;
      types.push_back(text.results.front());
      const Type value = pointeeOf(first);
      if (!value) break;
      if (count > 2) types.push_back(likeWith(value, b.getI1Type()));
      if (count > 3) types.push_back(value);
      results = {tokenType(parser)};
      if (types.size() == count) return types;
      break;
    }
    case Typing::MemoryView: {
      Types types(count, b.getI32Type());
      types[0] = first;
      return types;
    }
    case Typing::MakeDescriptor: {
      if (text.lists.size() != 2 || t.size() != 2) break;
      Types types = {first};
      types.append(text.lists[0], b.getI32Type());
      types.append(text.lists[1], b.getI64Type());
      results = {t[1]};
      // `<f16>, <tensor<64x64xf16>>` leaves out the descriptor's name, too.
      if (auto tensor =
              llvm::dyn_cast_or_null<mlir::RankedTensorType>(pointeeOf(t[1])))
        results = {descriptorOf(tensor)};
      if (types.size() == count) return types;
      break;
    }
    case Typing::DescriptorLoad: {
      Types types(count, b.getI32Type());
      types[0] = first;
      return types;
    }
    case Typing::DescriptorStore: {
      Types types(count, b.getI32Type());
      types[0] = first;
      if (t.size() == 2) types[count - 1] = t[1];
      return t.size() == 2 ? std::optional(types) : std::nullopt;
    }
    default:
      break;
  }
  return std::nullopt;
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
  if (!text.lists.empty())
    state.addAttribute(kListsAttribute,
                       parser.getBuilder().getDenseI32ArrayAttr(text.lists));
  Types results;
  const auto types = operandTypes(parser, typingOf(name), text, results);
  if (!types) {
    // The op keeps the results that its text states, and no operands.
    if (!text.hasArrow && text.types.size() == 1) results = text.types;
    state.addAttribute(kUnknownAttribute, parser.getBuilder().getUnitAttr());
  } else if (parser.resolveOperands(text.operands, *types, at,
                                    state.operands)) {
    return failure();
  }
  state.addTypes(results);
  return success();
}

}  // namespace indexical::triton

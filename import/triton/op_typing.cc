#include "indexical/import/triton/op_typing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/quiet_ops.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::OpAsmParser;
using mlir::Type;

Type pointerTo(Type pointee) {
  return NamedType::get(pointee.getContext(), StringRef("tt.ptr"), StringRef(),
                        pointee);
}

Type tokenType(mlir::MLIRContext *context) {
  return NamedType::get(context, StringRef("ttg.async.token"), StringRef(),
                        Type());
}

Type likeWith(Type shaped, Type element) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(shaped))
    return mlir::RankedTensorType::get(tensor.getShape(), element,
                                       tensor.getEncoding());
  return element;
}

Type descriptorOf(mlir::RankedTensorType tensor) {
  return NamedType::get(tensor.getContext(), StringRef("tt.tensordesc"),
                        StringRef(), tensor);
}

Type memoryOf(mlir::RankedTensorType tensor, StringRef body) {
  return NamedType::get(tensor.getContext(), StringRef("ttg.memdesc"), body,
                        tensor);
}

mlir::ParseResult parseMemoryTail(mlir::AsmParser &parser, bool &isMemory) {
  while (succeeded(parser.parseOptionalComma())) {
    isMemory = true;
    StringRef word;
    if (succeeded(parser.parseOptionalKeyword(&word))) continue;
    llvm::SmallVector<int64_t> whole;
    if (llvm::isDigit(*parser.getCurrentLocation().getPointer())) {
      if (parser.parseDimensionList(whole, /*allowDynamic=*/false,
                                    /*withTrailingX=*/false))
        return mlir::failure();
      continue;
    }
    mlir::Attribute space;
    if (parser.parseAttribute(space)) return mlir::failure();
  }
  return mlir::success();
}

namespace {

using Types = OpTypes;

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
  MaskedConvert,  ///< `%a[, %mask] : T -> U`
  LocalLoad,      ///< `%m[ token %t] : M -> T`
};

/// Whether ops of the namespace are those of the table. An op of another one,
/// such as `llvm.store`, may have the name of one and other types.
bool isOfTriton(StringRef space) {
  return llvm::StringSwitch<bool>(space)
      .Cases({"tt", "ttg", "ttng", "amdg", "amdgpu"}, true)
      .Cases({"triton_gpu", "triton_nvidia_gpu"}, true)
      .Default(false);
}

Typing typingOf(StringRef name) {
  const auto [space, op] = name.split('.');
  if (name == "func.return") return Typing::Listed;
  if (changesLayout(name)) return Typing::Convert;
  if (!isOfTriton(space)) return Typing::Unknown;
  return llvm::StringSwitch<Typing>(op)
      .Cases({"get_program_id", "get_num_programs", "make_range"},
             Typing::NoOperands)
      .Cases({"splat", "expand_dims", "broadcast", "reshape", "trans",
              "convert_layout"},
             Typing::Convert)
      .Cases({"bitcast", "fp_to_fp", "ptr_to_int", "int_to_ptr", "unsplat"},
             Typing::Convert)
      .Cases({"memdesc_trans", "memdesc_reshape", "memdesc_reinterpret",
              "reinterpret_tensor_descriptor"},
             Typing::Convert)
      .Case("histogram", Typing::MaskedConvert)
      .Case("local_load", Typing::LocalLoad)
      .Case("join", Typing::Convert)
      .Case("cat", Typing::Convert)
      .Case("split", Typing::Split)
      .Cases({"clampf", "mulhiui", "precise_sqrt", "precise_divf"},
             Typing::Same)
      .Case("local_dealloc", Typing::Same)
      .Cases({"atomic_rmw", "atomic_cas", "extern_elementwise", "gather",
              "local_alloc", "elementwise_inline_asm"},
             Typing::ListedTo)
      .Cases({"reduce.return", "scan.return", "mask.return", "return",
              "warp_yield", "subtiled_region_yield"},
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
      .Cases({"tensormap_create", "tensormap_fenceproxy_acquire"},
             Typing::Listed)
      .Case("global_scratch_alloc", Typing::NoOperands)
      .Default(Typing::Unknown);
}

}  // namespace

bool isTypedOp(StringRef name) {
  return isAcceleratorOp(name) || typingOf(name) != Typing::Unknown;
}

std::optional<OpTypes> operandTypes(OpAsmParser &parser, StringRef name,
                                    OpText &text, OpTypes &results) {
  if (isAcceleratorOp(name))
    return acceleratorTypes(parser, name, text, results);
  const Typing typing = typingOf(name);
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
      results = {tokenType(parser.getContext())};
      return all(tokenType(parser.getContext()));
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
    case Typing::Convert: {
      if (!text.hasArrow)
        results = {name == "tt.unsplat" ? mlir::getElementTypeOrSelf(first)
                                        : first};
      // Bits for rounding have a type of their own.
      Types types = all(first);
      for (size_t k = 0; k < count; ++k)
        if (text.ownTypes[k]) types[k] = text.ownTypes[k];
      return types;
    }
    case Typing::MaskedConvert: {
      Types types = {first, likeWith(first, b.getI1Type())};
      if (count < 1 || count > 2) break;
      types.resize(count);
      return types;
    }
    case Typing::LocalLoad: {
      Types types = {first, tokenType(parser.getContext())};
      if (count < 1 || count > 2) break;
      types.resize(count);
      return types;
    }
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
      // `warp_group_dot` may end with whether the sum so far counts.
      Types types = {t[0], t[1], text.results.front(), b.getI1Type()};
      if (count < 3 || count > 4) break;
      types.resize(count);
      return types;
    }
    case Typing::AsyncCopy: {
      Types types = {first};
      if (text.results.size() != 1 || count < 2) break;
      types.push_back(text.results.front());
      const Type value = pointeeOf(first);
      if (!value) break;
      if (count > 2) types.push_back(likeWith(value, b.getI1Type()));
      if (count > 3) types.push_back(value);
      results = {tokenType(parser.getContext())};
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

std::optional<Types> tensorMemoryTypes(OpAsmParser &parser, StringRef op,
                                       const OpText &text) {
  const Types &t = text.types;
  const Type truth = parser.getBuilder().getI1Type();
  const Type token = tokenType(parser.getContext());
  const bool hasToken = text.lists.size() == 1 && text.lists[0] == 1;
  Types types;
  if (op == "tmem_alloc" && text.lists.empty()) {
    types = t;
  } else if (op == "tmem_load" && t.size() == 1) {
    types = {t[0]};
    if (hasToken) types.push_back(token);
  } else if (op == "tmem_store" && t.size() == 1 && text.results.size() == 1) {
    types = {t[0], text.results[0]};
    if (hasToken) types.push_back(token);
    types.push_back(truth);
  } else if (op == "tc_gen5_mma" && t.size() == 3) {
    types = t;
    if (hasToken) types.push_back(token);
    types.append(2, truth);
  }
  if (types.size() != text.operands.size()) return std::nullopt;
  return types;
}

}  // namespace indexical::triton

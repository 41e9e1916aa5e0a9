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

namespace {

/// What an op's text says, and the types that its results get. Each of the
/// functions below returns the types of the operands, or nothing if the text
/// does not say them.
struct Written {
  StringRef name;
  const OpText &text;
  mlir::Builder &builder;
  Types &results;

  size_t count() const { return text.operands.size(); }
  const Types &types() const { return text.types; }
  Type first() const { return types().front(); }
  Types all(Type type) const { return Types(count(), type); }
  Type truth() const { return builder.getI1Type(); }
  Type token() const { return tokenType(builder.getContext()); }
  /// Returns the first operands' types, of which there must be at least
  /// `least`.
  std::optional<Types> atLeast(size_t least, Types types) const {
    if (count() < least || count() > types.size()) return std::nullopt;
    types.resize(count());
    return types;
  }
  std::optional<Types> ifAll(Types types) const {
    if (types.size() != count()) return std::nullopt;
    return types;
  }
  /// Returns the first type, and that of indices for the other operands.
  Types withIndices() const {
    Types types(count(), builder.getI32Type());
    types[0] = first();
    return types;
  }
};

/// Returns the pointee of a pointer's type, or of a tensor of pointers; for
/// another type, as old Triton writes it, itself. Sets the pointer's type.
Type pointeeWritten(Type written, Type &pointer) {
  pointer = written;
  if (const Type pointee = pointeeOf(written)) return pointee;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(written);
  pointer = tensor ? likeWith(written, pointerTo(tensor.getElementType()))
                   : pointerTo(written);
  return written;
}

/// One type an operand, or `T -> M` of local_store, which has no result.
std::optional<Types> listedTo(const Written &op) {
  const Types &results = op.text.results;
  if (op.types().size() != op.count() &&
      op.types().size() + results.size() == op.count()) {
    Types types = op.types();
    types.append(results.begin(), results.end());
    op.results = {};
    return types;
  }
  return op.ifAll(op.types());
}

std::optional<Types> converted(const Written &op) {
  if (!op.text.hasArrow)
    op.results = {op.name == "tt.unsplat"
                      ? mlir::getElementTypeOrSelf(op.first())
                      : op.first()};
  // Bits for rounding have a type of their own.
  Types types = op.all(op.first());
  for (size_t k = 0; k < op.count(); ++k)
    if (op.text.ownTypes[k]) types[k] = op.text.ownTypes[k];
  return types;
}

std::optional<Types> ofLoad(const Written &op) {
  Type pointer;
  const Type result = pointeeWritten(op.first(), pointer);
  op.results = {result};
  return op.atLeast(1, {pointer, likeWith(result, op.truth()), result});
}

std::optional<Types> ofStore(const Written &op) {
  Type pointer;
  const Type value = pointeeWritten(op.first(), pointer);
  return op.atLeast(2, {pointer, value, likeWith(value, op.truth())});
}

std::optional<Types> ofMakeTensorPtr(const Written &op) {
  op.results = {op.first()};
  auto tensor =
      llvm::dyn_cast_or_null<mlir::RankedTensorType>(pointeeOf(op.first()));
  if (!tensor || op.text.lists.size() != 3) return std::nullopt;
  Types types = {pointerTo(tensor.getElementType())};
  types.append(op.text.lists[0] + op.text.lists[1], op.builder.getI64Type());
  types.append(op.text.lists[2], op.builder.getI32Type());
  return op.ifAll(types);
}

std::optional<Types> ofDot(const Written &op) {
  const Types &t = op.types();
  if (op.text.results.empty() || t.size() != 2) return std::nullopt;
  // `warp_group_dot` may end with whether the sum so far counts.
  return op.atLeast(3, {t[0], t[1], op.text.results.front(), op.truth()});
}

std::optional<Types> ofAsyncCopy(const Written &op) {
  Types types = {op.first()};
  if (op.text.results.size() != 1 || op.count() < 2) return std::nullopt;
  types.push_back(op.text.results.front());
  const Type value = pointeeOf(op.first());
  if (!value) return std::nullopt;
  if (op.count() > 2) types.push_back(likeWith(value, op.truth()));
  if (op.count() > 3) types.push_back(value);
  op.results = {op.token()};
  return op.ifAll(types);
}

std::optional<Types> ofMakeDescriptor(const Written &op) {
  const Types &t = op.types();
  if (op.text.lists.size() != 2 || t.size() != 2) return std::nullopt;
  Types types = {t[0]};
  types.append(op.text.lists[0], op.builder.getI32Type());
  types.append(op.text.lists[1], op.builder.getI64Type());
  op.results = {t[1]};
  // `<f16>, <tensor<64x64xf16>>` leaves out the descriptor's name, too.
  if (auto tensor =
          llvm::dyn_cast_or_null<mlir::RankedTensorType>(pointeeOf(t[1])))
    op.results = {descriptorOf(tensor)};
  return op.ifAll(types);
}

std::optional<Types> ofDescriptorStore(const Written &op) {
  if (op.types().size() != 2) return std::nullopt;
  Types types = op.withIndices();
  types[op.count() - 1] = op.types()[1];
  return types;
}

/// The typings whose ops may have no type behind the colon.
std::optional<Types> typesOfAnyText(Typing typing, const Written &op) {
  switch (typing) {
    case Typing::NoOperands:
      op.results = op.types();
      return op.ifAll({});
    case Typing::Token:
      op.results = {op.token()};
      return op.all(op.token());
    case Typing::ListedSame:
      op.results = op.types();
      return op.ifAll(op.types());
    case Typing::Listed:
      return op.ifAll(op.types());
    case Typing::ListedTo:
      return listedTo(op);
    default:
      return std::nullopt;
  }
}

/// The typings that begin with the first type behind the colon.
std::optional<Types> typesOfFirst(Typing typing, const Written &op) {
  switch (typing) {
    case Typing::Same:
      if (!op.text.hasArrow) op.results = {op.first()};
      return op.all(op.first());
    case Typing::Convert:
      return converted(op);
    case Typing::MaskedConvert:
      return op.atLeast(1, {op.first(), likeWith(op.first(), op.truth())});
    case Typing::LocalLoad:
      return op.atLeast(1, {op.first(), op.token()});
    case Typing::Split:
      op.results = Types(
          2, op.text.results.empty() ? op.first() : op.text.results.front());
      return op.all(op.first());
    case Typing::AddPtr:
      op.results = {op.first()};
      if (op.count() != 2) return std::nullopt;
      return op.ifAll(op.types());
    case Typing::Load:
      return ofLoad(op);
    case Typing::Store:
      return ofStore(op);
    case Typing::MakeTensorPtr:
      return ofMakeTensorPtr(op);
    case Typing::Advance:
      op.results = {op.first()};
      return op.withIndices();
    case Typing::Dot:
      return ofDot(op);
    case Typing::AsyncCopy:
      return ofAsyncCopy(op);
    case Typing::MemoryView:
    case Typing::DescriptorLoad:
      return op.withIndices();
    case Typing::MakeDescriptor:
      return ofMakeDescriptor(op);
    case Typing::DescriptorStore:
      return ofDescriptorStore(op);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<OpTypes> operandTypes(OpAsmParser &parser, StringRef name,
                                    OpText &text, OpTypes &results) {
  if (isAcceleratorOp(name))
    return acceleratorTypes(parser, name, text, results);
  const Typing typing = typingOf(name);
  results = text.results;
  const Written op{name, text, parser.getBuilder(), results};
  if (auto types = typesOfAnyText(typing, op)) return types;
  if (text.types.empty()) return std::nullopt;
  return typesOfFirst(typing, op);
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

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/Builders.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_typing.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::Type;

namespace {

/// The ops of this file, by what their texts have. `D` is a descriptor, `M`
/// memory, `P` a pointer, `T` a tensor of the elements, `R` a tensor of rows.
enum class Form : uint8_t {
  Unknown,
  BufferLoad,         ///< `%p[%o], %mask, %other stride = %s : T`
  BufferStore,        ///< `%v, %p[%o], %mask stride = %s : T`
  BufferAtomic,       ///< `add, sem, scope, %v, %p[%o], %mask stride = %s : T`
  BufferSwap,         ///< `sem, scope, %cmp, %v, %p[%o] stride = %s : T`
  BufferLoadToLocal,  ///< `%p[%o] mask = %m other = %x stride = %s into %d :
                      ///< P[R] T -> M`
  LocalToGlobal,      ///< `%m, %p mask %x : M -> P`
  Slice,              ///< `%x [0, 32] : T to T`
  Concat,             ///< `%a, %b : T, T -> T`
  Same,               ///< `%a : T`, or `%a : T -> T`
  Poll,               ///< `sem, scope, %p, %v : P, T -> i1`
  Update,      ///< `%d add_offsets = [%i] set_bounds = [%s] dest = %m : M
               ///< pred = %p barrier = %b : M : D`
  TdmLoad,     ///< `%d[%i] into %m, pred = %p, barrier = %b : D, M -> M`
  TdmStore,    ///< `%d[%i] from %m, barrier = %b : M, M -> D`
  TdmGather,   ///< `%d[%rows, %i] to %m, pred = %p : R, M -> D`
  TdmScatter,  ///< `%d[%rows, %i] from %m : R, M -> D`
  TmaLoad,     ///< `%d[%i] offsets = [%o] %m, %barrier, %pred, %targets :
               ///< D, M -> M`
  TmaStore,    ///< `%d[%i] %m : D, M`, perhaps `-> token`
  TmaRows,     ///< `%d[%rows, %i] %m, %barrier, %pred : D, R, i32, …`
  Rows,        ///< `%d[%rows, %i], %v : D, R, i32, T`, or with parens
  Reduce,      ///< `add, %d[%i], %v : D, T`
  WsLoad,      ///< `%d[%i] 128 %m : D, M`
};

Form formOf(StringRef name) {
  const auto [space, op] = name.split('.');
  if (space == "amdg" || space == "amdgpu")
    return llvm::StringSwitch<Form>(op)
        .Case("buffer_load", Form::BufferLoad)
        .Case("buffer_store", Form::BufferStore)
        .Case("buffer_atomic_rmw", Form::BufferAtomic)
        .Case("buffer_atomic_cas", Form::BufferSwap)
        .Case("buffer_load_to_local", Form::BufferLoadToLocal)
        .Case("async_copy_local_to_global", Form::LocalToGlobal)
        .Case("extract_slice", Form::Slice)
        .Case("concat", Form::Concat)
        .Cases({"assume_uniform", "in_thread_transpose"}, Form::Same)
        .Case("update_tensor_descriptor", Form::Update)
        .Case("async_tdm_copy_global_to_local", Form::TdmLoad)
        .Case("async_tdm_copy_local_to_global", Form::TdmStore)
        .Case("async_tdm_gather", Form::TdmGather)
        .Case("async_tdm_scatter", Form::TdmScatter)
        .Default(Form::Unknown);
  if (space == "nvws")
    return llvm::StringSwitch<Form>(op)
        .Case("descriptor_load", Form::WsLoad)
        .Case("descriptor_gather", Form::TmaRows)
        .Default(Form::Unknown);
  if (space != "tt" && space != "ttng" && space != "triton_nvidia_gpu")
    return Form::Unknown;
  return llvm::StringSwitch<Form>(op)
      .Case("atomic_poll", Form::Poll)
      .Case("async_tma_copy_global_to_local", Form::TmaLoad)
      .Case("async_tma_copy_local_to_global", Form::TmaStore)
      .Cases({"async_tma_reduce", "descriptor_reduce"}, Form::Reduce)
      .Cases({"async_tma_gather", "async_tma_scatter"}, Form::TmaRows)
      .Cases({"descriptor_gather", "descriptor_scatter"}, Form::Rows)
      .Cases(
          {"experimental_descriptor_gather", "experimental_descriptor_scatter"},
          Form::Rows)
      .Default(Form::Unknown);
}

/// The operands of an op as its text has them, taken one by one and put into
/// the order of MLIR's generic form.
class OperandOrder {
 public:
  explicit OperandOrder(OpText &text) : text_(text), taken_(count(), false) {}

  size_t count() const { return text_.operands.size(); }

  /// Appends operand `k`, which is of that type.
  void take(size_t k, Type type) {
    isRight_ &= k < count() && type && !taken_[k];
    if (!isRight_) return;
    taken_[k] = true;
    operands_.push_back(text_.operands[k]);
    types_.push_back(type);
  }
  void takeAll(size_t from, size_t to, Type type) {
    for (size_t k = from; k < to; ++k) take(k, type);
  }
  /// Appends the operands behind that word, if there are any.
  void takeNamed(StringRef label, Type type) {
    for (size_t k = 0; k < count(); ++k)
      if (text_.labels[k] == label)
        take(k, text_.ownTypes[k] ? text_.ownTypes[k] : type);
  }
  /// Returns the first operand from `k` on that has no word in front of it and
  /// was not taken, or the number of operands if there is none.
  size_t plainFrom(size_t k) const {
    while (k < count() && (taken_[k] || !text_.labels[k].empty())) ++k;
    return k;
  }
  /// Appends that operand, if there is one.
  void takePlain(size_t from, Type type) {
    if (const size_t k = plainFrom(from); k < count()) take(k, type);
  }

  /// Puts the operands into their order. Returns their types, or nothing if not
  /// all were taken.
  std::optional<OpTypes> finish() {
    if (!isRight_ || operands_.size() != count()) return std::nullopt;
    text_.operands = operands_;
    return types_;
  }

 private:
  OpText &text_;
  llvm::SmallVector<bool, 8> taken_;
  OpOperands operands_;
  OpTypes types_;
  bool isRight_ = true;
};

Type elementOfType(Type type) {
  const auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

/// The types of an op on a buffer of the elements of `shaped`.
struct BufferTypes {
  BufferTypes(mlir::Builder &b, Type shaped)
      : value(shaped),
        pointer(pointerTo(elementOfType(shaped))),
        offsets(likeWith(shaped, b.getI32Type())),
        mask(likeWith(shaped, b.getI1Type())),
        stride(b.getI32Type()) {}
  Type value, pointer, offsets, mask, stride;
};

}  // namespace

bool isAcceleratorOp(StringRef name) { return formOf(name) != Form::Unknown; }

std::optional<OpTypes> acceleratorTypes(mlir::OpAsmParser &parser,
                                        StringRef name, OpText &text,
                                        OpTypes &results) {
  mlir::Builder &b = parser.getBuilder();
  OpTypes t = text.types;
  results = text.hasArrow ? text.results : OpTypes();
  // `: (D, R, i32) -> T` is one type.
  if (t.size() == 1)
    if (const auto all = llvm::dyn_cast<mlir::FunctionType>(t[0])) {
      results.assign(all.getResults().begin(), all.getResults().end());
      t.assign(all.getInputs().begin(), all.getInputs().end());
    }
  if (t.empty()) return std::nullopt;
  OperandOrder order(text);
  const Type i32 = b.getI32Type();
  const bool hasOffsets = llvm::is_contained(text.labels, "offsets");
  const size_t listed =
      text.lists.size() == (hasOffsets ? 2 : 1) ? text.lists[0] : 0;
  const auto behind = [&]() -> Type {
    return text.results.size() == 1 ? text.results[0] : Type();
  };
  const auto tokens = [&] {
    results.assign(parser.getNumResults(), tokenType(parser.getContext()));
  };
  switch (formOf(name)) {
    case Form::Unknown:
      return std::nullopt;
    case Form::BufferLoad: {
      const BufferTypes of(b, t[0]);
      results = {t[0]};
      order.take(0, of.pointer);
      order.take(1, of.offsets);
      order.takeNamed("stride", of.stride);
      order.takePlain(2, of.mask);
      order.takePlain(2, of.value);
      break;
    }
    case Form::BufferStore: {
      const BufferTypes of(b, t[0]);
      order.take(0, of.value);
      order.take(1, of.pointer);
      order.take(2, of.offsets);
      order.takeNamed("stride", of.stride);
      order.takePlain(3, of.mask);
      break;
    }
    case Form::BufferAtomic: {
      const BufferTypes of(b, t[0]);
      results = {t[0]};
      order.take(1, of.pointer);
      order.take(2, of.offsets);
      order.take(0, of.value);
      order.takeNamed("stride", of.stride);
      order.takePlain(3, of.mask);
      break;
    }
    case Form::BufferSwap: {
      const BufferTypes of(b, t[0]);
      results = {t[0]};
      order.take(2, of.pointer);
      order.take(3, of.offsets);
      order.take(0, of.value);
      order.take(1, of.value);
      order.takeNamed("stride", of.stride);
      break;
    }
    case Form::BufferLoadToLocal: {
      const Type pointee = pointeeOf(t[0]);
      if (t.size() < 2 || !pointee) return std::nullopt;
      const BufferTypes of(b, likeWith(t[1], pointee));
      order.takeNamed("into", behind());
      order.take(0, of.pointer);
      order.take(1, of.offsets);
      order.takeNamed("mask", of.mask);
      order.takeNamed("other", of.value);
      order.takeNamed("stride", of.stride);
      tokens();
      break;
    }
    case Form::LocalToGlobal:
      if (!behind()) return std::nullopt;
      order.take(0, t[0]);
      order.take(1, behind());
      order.takeNamed("mask", likeWith(behind(), b.getI1Type()));
      tokens();
      break;
    case Form::Slice:
      text.lists.clear();
      order.take(0, t[0]);
      break;
    case Form::Concat:
      if (t.size() == order.count())
        for (size_t k = 0; k < t.size(); ++k) order.take(k, t[k]);
      break;
    case Form::Same:
      if (!text.hasArrow) results = {t[0]};
      order.take(0, t[0]);
      break;
    case Form::Poll:
      order.take(0, t[0]);
      order.take(1, t.size() == 2 ? t[1] : Type());
      break;
    case Form::Update: {
      results = {t[0]};
      order.take(0, t[0]);
      // The lists stand in any order, or not at all.
      const auto ofLabel = [&](StringRef label) {
        return static_cast<int32_t>(llvm::count(text.labels, label));
      };
      text.lists = {ofLabel("add_offsets"), ofLabel("set_bounds"),
                    ofLabel("pred")};
      order.takeNamed("add_offsets", i32);
      order.takeNamed("set_bounds", i32);
      order.takeNamed("dest", {});
      order.takeNamed("pred", i32);
      order.takeNamed("barrier", {});
      break;
    }
    case Form::TdmLoad:
      order.take(0, t[0]);
      order.takeAll(1, 1 + listed, i32);
      order.takeNamed("into", behind());
      order.takeNamed("pred", i32);
      order.takePlain(1 + listed, i32);
      order.takeNamed("barrier", t.size() == 2 ? t[1] : Type());
      tokens();
      break;
    case Form::TdmStore:
      order.take(0, behind());
      order.takeAll(1, 1 + listed, i32);
      order.takeNamed("from", t[0]);
      order.takeNamed("barrier", t.size() == 2 ? t[1] : Type());
      tokens();
      break;
    case Form::TdmGather:
    case Form::TdmScatter:
      if (t.size() < 2 || listed != 2) return std::nullopt;
      order.take(0, behind());
      order.take(1, t[0]);
      order.take(2, i32);
      order.takeNamed(formOf(name) == Form::TdmGather ? "to" : "from", t[1]);
      order.takeNamed("pred", i32);
      order.takePlain(3, i32);
      order.takeNamed("barrier", t.size() == 3 ? t[2] : Type());
      tokens();
      break;
    case Form::TmaLoad: {
      if (t.size() != 2) return std::nullopt;
      order.take(0, t[0]);
      order.takeAll(1, 1 + listed, i32);
      order.takeNamed("offsets", b.getI16Type());
      const size_t memory = order.plainFrom(1 + listed);
      order.take(memory + 1, t[1]);
      order.take(memory, behind());
      order.take(memory + 2, b.getI1Type());
      order.takePlain(memory + 3, i32);  // which blocks get the tile, too
      tokens();
      break;
    }
    case Form::TmaStore:
      order.take(0, t[0]);
      order.takeAll(1, 1 + listed, i32);
      order.take(1 + listed, t.size() == 2 ? t[1] : Type());
      tokens();
      break;
    case Form::TmaRows:
    case Form::Rows: {
      // The types stand in the order of the generic form.
      const bool isLoad = name.ends_with("async_tma_gather");
      if (t.size() != order.count()) return std::nullopt;
      for (size_t k = 0; k < t.size(); ++k)
        order.take(isLoad && k == 3 ? 4 : isLoad && k == 4 ? 3 : k, t[k]);
      if (formOf(name) == Form::TmaRows) tokens();
      break;
    }
    case Form::Reduce:
      order.take(0, t[0]);
      order.takeAll(1, 1 + listed, i32);
      order.take(1 + listed, t.size() == 2 ? t[1] : Type());
      tokens();
      break;
    case Form::WsLoad:
      order.take(0, t[0]);
      order.takeAll(1, 1 + listed, i32);
      order.take(1 + listed, t.size() == 2 ? t[1] : Type());
      tokens();
      break;
  }
  return order.finish();
}

}  // namespace indexical::triton

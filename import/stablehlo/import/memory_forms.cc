#include "indexical/import/stablehlo/import/memory_forms.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/import/stablehlo/import/memory_types.h"

namespace indexical {
namespace {

namespace bufferization = mlir::bufferization;
namespace memref = mlir::memref;
namespace tensor = mlir::tensor;
using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;

//===-- What a function does ----------------------------------------------===//

class Function {
 public:
  Function(MlirModule &parsed, mlir::func::FuncOp function)
      : parsed_(parsed),
        function_(function),
        block_(function.getBody().front()),
        b_(function.getContext()) {}

  /// Adds the ops on values behind those on memory. Returns whether all of the
  /// function is understood.
  bool write() {
    std::vector<mlir::Operation *> ops;
    for (mlir::Operation &op : block_) ops.push_back(&op);
    for (mlir::BlockArgument argument : block_.getArguments())
      if (isMemory(argument.getType()) && !addArgument(argument)) return false;
    return llvm::all_of(ops, [&](mlir::Operation *op) { return take(*op); });
  }

  /// Leaves the values alone.
  void keepValues() {
    // A value may be the result of an op that was replaced before.
    llvm::DenseMap<Value, Value> now;
    auto nowOf = [&](Value value) {
      for (auto at = now.find(value); at != now.end(); at = now.find(value))
        value = at->second;
      return value;
    };
    for (auto [op, old] : replaced_) {
      const Value value = nowOf(old);
      if (value) now[op->getResult(0)] = value;
      parsed_.replace(op, value);
    }
    for (Object &object : objects_) {
      if (object.kind != Kind::Argument) continue;
      auto argument = llvm::cast<mlir::BlockArgument>(object.argument);
      argument.setType(object.start.getType());
      now[object.start] = argument;
      parsed_.written.erase(object.start.getDefiningOp());
      object.start.replaceAllUsesWith(argument);
      object.start.getDefiningOp()->erase();
    }
    mlir::Operation *end = block_.getTerminator();
    for (auto [operand, value] : returned_)
      end->setOperand(operand, nowOf(value));
    function_.setFunctionType(mlir::FunctionType::get(function_.getContext(),
                                                      block_.getArgumentTypes(),
                                                      end->getOperandTypes()));
  }

  /// Leaves the memory alone.
  void keepMemory() {
    for (mlir::Operation *op : llvm::reverse(added_)) {
      parsed_.written.erase(op);
      op->erase();
    }
  }

 private:
  enum class Kind : uint8_t { Argument, Local, Constant };

  /// A piece of memory.
  struct Object {
    Kind kind = Kind::Local;
    Value argument;  ///< null for other kinds
    Value start;     ///< what an argument holds at first, as a tensor
    Value value;     ///< what it holds; null: unknown, of a local one
    bool isFreed = false;
    bool isCloned = false;  ///< a clone may be the same memory
    bool isKept = false;    ///< a tensor of it lives on
    bool isWritten = false;
    bool mayBeWritten = true;
  };
  /// A memref: an object, or a part of another one.
  struct View {
    size_t object = 0;
    Value from;                     ///< null: the whole object
    mlir::Operation *op = nullptr;  ///< that makes it a part of `from`
    RankedTensorType type;
  };

  //===-- Values ----------------------------------------------------------===//

  /// Notes an op that was added for `op_`.
  template <typename Op>
  Value added(Op made) {
    note(made);
    return made->getResult(0);
  }
  void note(mlir::Operation *made) {
    added_.push_back(made);
    parsed_.written[made] = {op_, false};
  }

  bool addArgument(mlir::BlockArgument argument) {
    const RankedTensorType type = heldBy(argument.getType());
    if (!type) return false;
    Object object;
    object.kind = Kind::Argument;
    object.argument = argument;
    switch (placesOf(llvm::cast<mlir::MemRefType>(argument.getType()))) {
      case MemoryPlaces::Shared:
        return false;
      case MemoryPlaces::Unknown:
        object.mayBeWritten = false;
        break;
      case MemoryPlaces::Apart:
        break;
    }
    // Stands for the argument until that becomes a tensor.
    b_.setInsertionPointToStart(&block_);
    op_ = block_.getTerminator();
    object.start = object.value =
        added(mlir::UnrealizedConversionCastOp::create(b_, function_.getLoc(),
                                                       type, argument));
    add(argument, object, type);
    return true;
  }

  void add(Value memory, Object object, RankedTensorType type) {
    views_[memory] = {objects_.size(), {}, nullptr, type};
    objects_.push_back(std::move(object));
  }

  /// Whether the memory may be used now.
  bool isReadable(size_t k) const {
    const Object &object = objects_[k];
    if (object.isFreed) return false;
    if (object.kind != Kind::Argument || object.isWritten) return true;
    return llvm::none_of(objects_, [](const Object &other) {
      return other.kind == Kind::Argument && other.isWritten;
    });
  }

  /// Returns what the memory holds now; null if that is not known.
  Value held(Value memory) {
    const auto found = views_.find(memory);
    if (found == views_.end()) return {};
    const View view = found->second;
    if (!view.from)
      return isReadable(view.object) ? objects_[view.object].value
                                     : overlaid(objects_[view.object]);
    const Value from = held(view.from);
    return from ? partOf(view, from) : Value();
  }

  /// Returns what an argument holds once another one was written, of which
  /// there is one at most.
  Value overlaid(const Object &object) {
    if (object.isFreed || object.kind != Kind::Argument) return {};
    const auto other = llvm::find_if(objects_, [](const Object &each) {
      return each.kind == Kind::Argument && each.isWritten;
    });
    if (other == objects_.end()) return {};
    auto number = [](const Object &each) {
      return static_cast<int32_t>(
          llvm::cast<mlir::BlockArgument>(each.argument).getArgNumber());
    };
    mlir::OperationState state(op_->getLoc(), kOverlaidMemory);
    state.addOperands({object.start, other->value});
    state.addTypes(object.start.getType());
    state.addAttribute(
        "arguments", b_.getDenseI32ArrayAttr({number(object), number(*other)}));
    state.addAttribute(
        "types", b_.getTypeArrayAttr(
                     {object.argument.getType(), other->argument.getType()}));
    return added(b_.create(state));
  }

  Value partOf(const View &view, Value from) {
    const mlir::Location at = op_->getLoc();
    if (auto part = llvm::dyn_cast<memref::SubViewOp>(view.op))
      return added(tensor::ExtractSliceOp::create(
          b_, at, view.type, from, part.getMixedOffsets(), part.getMixedSizes(),
          part.getMixedStrides()));
    if (auto wide = llvm::dyn_cast<memref::ExpandShapeOp>(view.op))
      return added(tensor::ExpandShapeOp::create(b_, at, view.type, from,
                                                 wide.getReassociationIndices(),
                                                 wide.getMixedOutputShape()));
    if (auto flat = llvm::dyn_cast<memref::CollapseShapeOp>(view.op))
      return added(tensor::CollapseShapeOp::create(
          b_, at, view.type, from, flat.getReassociationIndices()));
    if (from.getType() == view.type) return from;
    return added(tensor::CastOp::create(b_, at, view.type, from));
  }

  /// Returns what `whole` is once its part holds the value; null if it is not
  /// known.
  Value withPart(const View &view, Value whole, Value value) {
    const mlir::Location at = op_->getLoc();
    if (auto part = llvm::dyn_cast<memref::SubViewOp>(view.op)) {
      if (llvm::any_of(part.getStaticStrides(),
                       [](int64_t stride) { return stride < 1; }))
        return {};
      return added(tensor::InsertSliceOp::create(
          b_, at, value, whole, part.getMixedOffsets(), part.getMixedSizes(),
          part.getMixedStrides()));
    }
    auto type = llvm::cast<RankedTensorType>(whole.getType());
    if (auto wide = llvm::dyn_cast<memref::ExpandShapeOp>(view.op))
      return added(tensor::CollapseShapeOp::create(
          b_, at, type, value, wide.getReassociationIndices()));
    if (auto flat = llvm::dyn_cast<memref::CollapseShapeOp>(view.op)) {
      if (!type.hasStaticShape()) return {};
      SmallVector<mlir::OpFoldResult> sizes;
      for (int64_t size : type.getShape())
        sizes.push_back(b_.getIndexAttr(size));
      return added(tensor::ExpandShapeOp::create(
          b_, at, type, value, flat.getReassociationIndices(), sizes));
    }
    if (value.getType() == type) return value;
    return added(tensor::CastOp::create(b_, at, type, value));
  }

  bool mayWrite(size_t k) const {
    const Object &object = objects_[k];
    if (object.kind == Kind::Constant || object.isFreed || object.isCloned ||
        object.isKept || !object.mayBeWritten || !isReadable(k))
      return false;
    // Another argument may be the same memory: a tensor of it would change.
    return object.kind != Kind::Argument ||
           llvm::none_of(objects_, [&](const Object &other) {
             return &other != &object && other.kind == Kind::Argument &&
                    (other.isKept || other.isWritten);
           });
  }

  /// Says that the memory holds the value from now on.
  bool hold(Value memory, Value value) {
    const auto found = views_.find(memory);
    if (found == views_.end() || !mayWrite(found->second.object)) return false;
    const View view = found->second;
    if (value.getType() != view.type) return false;
    if (!view.from) {
      objects_[view.object].value = value;
      objects_[view.object].isWritten = true;
      return true;
    }
    const Value whole = held(view.from);
    const Value changed = whole ? withPart(view, whole, value) : Value();
    return changed && hold(view.from, changed);
  }

  /// Whether the memory may be read, also if nobody knows what it holds.
  bool isAlive(Value memory) const {
    const size_t k = objectOf(memory);
    return k != SIZE_MAX && !objects_[k].isFreed;
  }

  /// Says that nothing is known from now on of what the memory holds. What an
  /// argument holds at the end must be known.
  bool forget(Value memory) {
    const size_t k = objectOf(memory);
    if (k == SIZE_MAX || objects_[k].kind != Kind::Local || !mayWrite(k))
      return false;
    objects_[k].value = {};
    return true;
  }

  /// The op's result is the value; it goes. Null: it has none that is used.
  bool becomes(mlir::Operation *op, Value value) {
    if (value && (op->getNumResults() != 1 ||
                  (value.getType() != op->getResult(0).getType() &&
                   !isMemory(op->getResult(0).getType()))))
      return false;
    if (mlir::Operation *made = value ? value.getDefiningOp() : nullptr)
      if (const auto written = parsed_.written.find(made);
          written != parsed_.written.end() && written->second.original == op)
        written->second.hasName = true;
    replaced_.push_back({op, value});
    return true;
  }

  size_t objectOf(Value memory) const {
    const auto found = views_.find(memory);
    return found == views_.end() ? SIZE_MAX : found->second.object;
  }

  void keep(Value memory) {
    if (const size_t k = objectOf(memory); k != SIZE_MAX)
      objects_[k].isKept = true;
  }

  //===-- Ops -------------------------------------------------------------===//

  bool take(mlir::Operation &op) {
    op_ = &op;
    b_.setInsertionPoint(&op);
    if (auto end = llvm::dyn_cast<mlir::func::ReturnOp>(op))
      return takeReturn(end);
    if (!isOfMemory(&op)) {
      for (mlir::Region &region : op.getRegions())
        if (!takeReads(region)) return false;
      return onlyReads(op);
    }
    for (mlir::Region &region : op.getRegions())
      if (usesMemory(region)) return false;
    if (auto made = llvm::dyn_cast<memref::AllocOp>(op))
      return takeAllocation(op, made.getDynamicSizes(), made.getType(),
                            made.getSymbolOperands().empty());
    if (auto made = llvm::dyn_cast<memref::AllocaOp>(op))
      return takeAllocation(op, made.getDynamicSizes(), made.getType(),
                            made.getSymbolOperands().empty());
    if (auto freed = llvm::dyn_cast<memref::DeallocOp>(op))
      return takeDealloc(freed);
    if (auto store = llvm::dyn_cast<memref::StoreOp>(op)) {
      const Value before = held(store.getMemref());
      if (!before) return forget(store.getMemref()) && becomes(&op, {});
      return hold(store.getMemref(),
                  added(tensor::InsertOp::create(
                      b_, op.getLoc(), store.getValueToStore(), before,
                      store.getIndices()))) &&
             becomes(&op, {});
    }
    if (llvm::isa<memref::LoadOp, memref::DimOp>(op)) return takeRead(op);
    if (auto copy = llvm::dyn_cast<memref::CopyOp>(op)) return takeCopy(copy);
    if (llvm::isa<memref::SubViewOp, memref::ExpandShapeOp,
                  memref::CollapseShapeOp, memref::CastOp>(op))
      return takeView(op);
    if (auto global = llvm::dyn_cast<memref::GetGlobalOp>(op))
      return takeGlobal(global);
    if (auto select = llvm::dyn_cast<mlir::arith::SelectOp>(op))
      return takeSelect(select);
    if (llvm::isa<mlir::linalg::LinalgOp>(op)) return takeLinalg(op);
    return takeBufferization(op);
  }

  /// Takes what regions of other ops read: memory that they do not write.
  bool takeReads(mlir::Region &region) {
    for (mlir::Block &block : region)
      for (mlir::Operation &inner : llvm::make_early_inc_range(block)) {
        for (mlir::Region &deeper : inner.getRegions())
          if (!takeReads(deeper)) return false;
        if (!isOfMemory(&inner)) continue;
        if (!llvm::isa<memref::LoadOp, memref::DimOp>(inner)) return false;
        op_ = &inner;
        b_.setInsertionPoint(&inner);
        if (!takeRead(inner)) return false;
      }
    return true;
  }

  bool takeRead(mlir::Operation &op) {
    if (op.use_empty() && isAlive(op.getOperand(0))) return becomes(&op, {});
    const Value from = held(op.getOperand(0));
    if (!from) return false;
    if (auto load = llvm::dyn_cast<memref::LoadOp>(op))
      return becomes(&op, added(tensor::ExtractOp::create(b_, op.getLoc(), from,
                                                          load.getIndices())));
    return becomes(&op, added(tensor::DimOp::create(b_, op.getLoc(), from,
                                                    op.getOperand(1))));
  }

  bool takeAllocation(mlir::Operation &op, mlir::ValueRange sizes,
                      mlir::MemRefType memory, bool isPlain) {
    const RankedTensorType type = heldBy(memory);
    if (!type || !isPlain || !memory.getLayout().isIdentity()) return false;
    Object object;
    object.value = added(tensor::EmptyOp::create(
        b_, op.getLoc(), type.getShape(), type.getElementType(), sizes));
    add(op.getResult(0), object, type);
    return becomes(&op, {});
  }

  bool takeDealloc(memref::DeallocOp op) {
    const auto found = views_.find(op.getMemref());
    if (found == views_.end() || found->second.from) return false;
    Object &object = objects_[found->second.object];
    if (object.kind != Kind::Local || object.isFreed || object.isKept)
      return false;
    object.isFreed = true;
    return becomes(op, {});
  }

  bool takeCopy(memref::CopyOp op) {
    const auto to = views_.find(op.getTarget());
    if (to == views_.end() || objectOf(op.getSource()) == to->second.object)
      return false;
    const RankedTensorType type = to->second.type;
    Value value = held(op.getSource());
    if (!value)
      return isAlive(op.getSource()) && forget(op.getTarget()) &&
             becomes(op, {});
    if (value.getType() != type)
      value = added(tensor::CastOp::create(b_, op.getLoc(), type, value));
    return hold(op.getTarget(), value) && becomes(op, {});
  }

  bool takeView(mlir::Operation &op) {
    const auto found = views_.find(op.getOperand(0));
    const RankedTensorType type = heldBy(op.getResult(0).getType());
    if (found == views_.end() || !type) return false;
    if (auto part = llvm::dyn_cast<memref::SubViewOp>(op);
        part && !isInside(part))
      return false;
    views_[op.getResult(0)] = {found->second.object, op.getOperand(0), &op,
                               type};
    return becomes(&op, {});
  }

  bool takeGlobal(memref::GetGlobalOp op) {
    auto global = mlir::SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, op.getNameAttr());
    const RankedTensorType type = heldBy(op.getType());
    if (!global || !global.getConstant() || !type ||
        !op.getType().getLayout().isIdentity() || !global.getInitialValue())
      return false;
    auto value = llvm::dyn_cast<mlir::ElementsAttr>(*global.getInitialValue());
    auto typed =
        llvm::dyn_cast_or_null<mlir::TypedAttr>(mlir::Attribute(value));
    if (!typed || typed.getType() != type) return false;
    Object object;
    object.kind = Kind::Constant;
    object.value =
        added(mlir::arith::ConstantOp::create(b_, op.getLoc(), type, typed));
    add(op.getResult(), object, type);
    return becomes(op, {});
  }

  bool takeSelect(mlir::arith::SelectOp op) {
    const Value a = held(op.getTrueValue()), b = held(op.getFalseValue());
    if (!a || !b || a.getType() != b.getType()) return false;
    keep(op.getTrueValue());
    keep(op.getFalseValue());
    Object object;
    object.kind = Kind::Constant;
    object.value = added(mlir::arith::SelectOp::create(
        b_, op.getLoc(), op.getCondition(), a, b));
    add(op.getResult(), object, llvm::cast<RankedTensorType>(a.getType()));
    return becomes(op, {});
  }

  /// Whether an input may be the memory of an output: the same memref, element
  /// by element.
  static bool isInPlace(mlir::linalg::LinalgOp op, mlir::OpOperand &input,
                        mlir::OpOperand &output) {
    return input.get() == output.get() && op.getNumReductionLoops() == 0 &&
           op.getMatchingIndexingMap(&input) ==
               op.getMatchingIndexingMap(&output) &&
           op.getMatchingIndexingMap(&output).isPermutation();
  }

  bool takeLinalg(mlir::Operation &op) {
    auto linalg = llvm::cast<mlir::linalg::LinalgOp>(op);
    if (op.getNumResults() > 0) return false;
    SmallVector<Value> operands;
    SmallVector<mlir::Type> types;
    for (mlir::OpOperand &operand : op.getOpOperands()) {
      if (!isMemory(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      Value value = held(operand.get());
      // A fill overwrites its output, which need not be known.
      if (const RankedTensorType type = heldBy(operand.get().getType());
          !value && type && type.hasStaticShape() &&
          llvm::isa<mlir::linalg::FillOp>(op))
        value = added(tensor::EmptyOp::create(b_, op.getLoc(), type.getShape(),
                                              type.getElementType()));
      if (!value) return false;
      operands.push_back(value);
    }
    llvm::SmallVector<size_t> outputs;
    for (mlir::OpOperand &output : linalg.getDpsInitsMutable()) {
      if (!isMemory(output.get().getType())) return false;
      const size_t object = objectOf(output.get());
      if (llvm::is_contained(outputs, object)) return false;
      outputs.push_back(object);
      for (mlir::OpOperand *input : linalg.getDpsInputOperands())
        if (isMemory(input->get().getType()) &&
            objectOf(input->get()) == object &&
            !isInPlace(linalg, *input, output))
          return false;
      types.push_back(operands[output.getOperandNumber()].getType());
    }
    mlir::Operation *made = mlir::clone(b_, &op, types, operands);
    note(made);
    for (auto [k, output] : llvm::enumerate(linalg.getDpsInitsMutable()))
      if (!hold(output.get(), made->getResult(k))) return false;
    return becomes(&op, {});
  }

  bool takeBufferization(mlir::Operation &op) {
    if (auto buffer = llvm::dyn_cast<bufferization::ToBufferOp>(op)) {
      const RankedTensorType type = heldBy(op.getResult(0).getType());
      if (!type || buffer.getTensor().getType() != type) return false;
      Object object;
      object.kind = Kind::Constant;
      object.value = buffer.getTensor();
      add(op.getResult(0), object, type);
      return becomes(&op, {});
    }
    if (auto read = llvm::dyn_cast<bufferization::ToTensorOp>(op)) {
      const Value value = held(read.getBuffer());
      keep(read.getBuffer());
      return value && becomes(&op, value);
    }
    if (auto clone = llvm::dyn_cast<bufferization::CloneOp>(op)) {
      const size_t from = objectOf(clone.getInput());
      // The caller may not write what it passed for a clone.
      if (from == SIZE_MAX || objects_[from].kind == Kind::Argument)
        return false;
      const RankedTensorType type = heldBy(op.getResult(0).getType());
      Object object;
      object.value = held(clone.getInput());
      object.isCloned = true;
      if (!type || !object.value || object.value.getType() != type)
        return false;
      objects_[from].isCloned = true;
      add(op.getResult(0), object, type);
      return becomes(&op, {});
    }
    if (auto copy =
            llvm::dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      return op.getNumResults() == 0 && isMemory(copy.getDest().getType()) &&
             hold(copy.getDest(), copy.getSource()) && becomes(&op, {});
    return false;
  }

  /// Whether the memref is the argument's memory from its first element on.
  bool isWholeArgument(Value memory) const {
    for (auto found = views_.find(memory); found != views_.end();
         found = views_.find(found->second.from)) {
      const View &view = found->second;
      if (!view.from) {
        const Object &object = objects_[view.object];
        return object.kind == Kind::Argument && !object.isWritten &&
               !object.isFreed;
      }
      if (llvm::isa<memref::SubViewOp>(view.op)) return false;
    }
    return false;
  }

  bool takeReturn(mlir::func::ReturnOp end) {
    for (auto [k, value] : llvm::enumerate(end.getOperands())) {
      if (!isMemory(value.getType())) continue;
      if (!isWholeArgument(value)) return false;
      const Value held = this->held(value);
      if (!held) return false;
      returned_.push_back({k, held});
    }
    for (const Object &object : objects_) {
      if (object.kind != Kind::Argument || !object.isWritten) continue;
      mlir::OperationState state(end.getLoc(), kWrittenMemory);
      state.addOperands({object.start, object.value});
      note(b_.create(state));
    }
    return true;
  }

  MlirModule &parsed_;
  mlir::func::FuncOp function_;
  mlir::Block &block_;
  mlir::OpBuilder b_;
  mlir::Operation *op_ = nullptr;  ///< that is taken
  std::vector<Object> objects_;
  llvm::DenseMap<Value, View> views_;
  std::vector<mlir::Operation *> added_;
  std::vector<std::pair<mlir::Operation *, Value>> replaced_;
  std::vector<std::pair<size_t, Value>> returned_;
};

}  // namespace

void writeMemory(MlirModule &parsed) {
  std::vector<mlir::func::FuncOp> functions;
  mlir::MLIRContext &context = *parsed.module->getContext();
  if (!context.getLoadedDialect("memref") &&
      !context.getLoadedDialect("bufferization"))
    return;
  parsed.module->walk([&](mlir::func::FuncOp function) {
    if (function.getBody().hasOneBlock() && usesMemory(function.getBody()))
      functions.push_back(function);
  });
  context.loadDialect<mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                      tensor::TensorDialect>();
  writeTensors(parsed);
  for (mlir::func::FuncOp function : functions) {
    if (!mlir::SymbolTable::symbolKnownUseEmpty(
            function.getOperation(), parsed.module.get().getOperation()))
      continue;
    Function written(parsed, function);
    if (written.write())
      written.keepValues();
    else
      written.keepMemory();
  }
}

}  // namespace indexical

#include "indexical/import/triton/memory_ops.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::AccessKind;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

namespace {

/// Ops of TritonGPU on shared memory, and those that wait for copies into it.
constexpr StringRef kSharedMemoryOps[] = {
    "local_alloc",         "local_load",         "local_store",
    "local_dealloc",       "memdesc_subview",    "memdesc_subslice",
    "memdesc_index",       "memdesc_trans",      "memdesc_reshape",
    "memdesc_reinterpret", "async_commit_group", "async_wait",
    "global_scratch_alloc"};

/// Returns the tensor that threads hold: of pointers, what they point to.
mlir::RankedTensorType heldOf(mlir::Type type) {
  const mlir::Type pointee = pointeeOf(type);
  return llvm::dyn_cast<mlir::RankedTensorType>(pointee ? pointee : type);
}

/// Returns the dimensions of a block pointer that the op checks.
llvm::ArrayRef<int32_t> checkedOf(Operation &op) {
  const auto check = op.getAttrOfType<mlir::DenseI32ArrayAttr>("boundaryCheck");
  return check ? check.asArrayRef() : llvm::ArrayRef<int32_t>();
}

/// Returns the width of an `atomic_rmw`. Only sums of floats are vectors, and
/// only since compute capability 9.0; before, two halves are one.
AtomicWidth atomicWidthOf(Operation &op, mlir::ModuleOp module) {
  const mlir::Type element = elementOf(op.getOperand(1).getType());
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return AtomicWidth::One;
  const auto operation =
      op.getAttrOfType<mlir::StringAttr>(kOperationAttribute);
  if (operation && operation.getValue() != "fadd")
    return element.isF32() ? AtomicWidth::One : AtomicWidth::Unknown;
  if (!operation || !module) return AtomicWidth::Unknown;
  auto target = module->getAttrOfType<mlir::StringAttr>("ttg.target");
  if (!target)
    target = module->getAttrOfType<mlir::StringAttr>("triton_gpu.target");
  StringRef text = target ? target.getValue() : StringRef();
  int capability = 0;
  if (!text.consume_front("cuda:") || text.getAsInteger(10, capability))
    return AtomicWidth::Unknown;
  if (capability >= 90) return AtomicWidth::Vector;
  return element.isF32() ? AtomicWidth::One : AtomicWidth::Unknown;
}

}  // namespace

bool MemoryOps::traceMemory(Operation &op, StringRef name) {
  if (name == "make_tensor_ptr" || name == "make_tensor_descriptor")
    traceBlock(op, name == "make_tensor_descriptor");
  else if (name == "advance")
    traceAdvance(op);
  else if (name == "load")
    traceLoad(op);
  else if (name == "store")
    traceStore(op);
  else if (name == "atomic_rmw" || name == "atomic_cas")
    traceAtomic(op, name);
  else if (name == "atomic_poll")
    tracePoll(op);
  else
    return false;
  return true;
}

void MemoryOps::traceGpu(Operation &op, StringRef name) {
  if (name == "convert_layout") {
    values_[op.getResult(0)] = of(op.getOperand(0));
    return;
  }
  traceShared(op, name);
  if (name == "async_copy_global_to_local") return traceCopy(op);
  if (!llvm::is_contained(kSharedMemoryOps, name))
    passOver(op, op.getName().getStringRef(), "is not understood");
  setUnknown(&op);
}

void MemoryOps::traceShared(Operation &op, StringRef name) {
  if (isDry_) return;
  TracedShared found;
  found.op = &op;
  if (name == "local_alloc" && op.getNumResults() == 1) {
    found.memory = memoryOf(op.getResult(0).getType());
    found.whole = wholeShapeOf(op.getResult(0).getType());
    if (found.memory) trace_.allocated.push_back(found.memory);
    // With an operand it stores it.
    if (op.getNumOperands() != 1) return;
    found.kind = AccessKind::Store;
    found.tensor = heldOf(op.getOperand(0).getType());
  } else if (name == "local_load" && op.getNumOperands() > 0 &&
             op.getNumResults() > 0) {
    found.memory = memoryOf(op.getOperand(0).getType());
    found.whole = wholeShapeOf(op.getOperand(0).getType());
    found.tensor = heldOf(op.getResult(0).getType());
  } else if ((name == "local_store" || name == "async_copy_global_to_local") &&
             op.getNumOperands() > 1) {
    found.kind = AccessKind::Store;
    found.tensor = heldOf(op.getOperand(0).getType());
    found.memory = memoryOf(op.getOperand(1).getType());
    found.whole = wholeShapeOf(op.getOperand(1).getType());
  }
  if (found.memory && found.tensor) trace_.shared.push_back(found);
}

void MemoryOps::traceBlock(Operation &op, bool isDescriptor) {
  BlockPointer block;
  const auto base = term(op.getOperand(0));
  const auto lists = op.getAttrOfType<mlir::DenseI32ArrayAttr>(kListsAttribute);
  TermList parts;
  for (Value operand : op.getOperands().drop_front())
    if (const auto id = term(operand)) parts.push_back(*id);
  // In generic form there is no list of lists: all are equally long.
  const size_t groups = isDescriptor ? 2 : 3;
  const size_t rank = parts.size() / groups;
  if (!base || parts.size() + 1 != op.getNumOperands() ||
      parts.size() != rank * groups ||
      (lists && lists.size() != static_cast<int64_t>(groups)))
    return;
  block.base = *base;
  block.checksAll = isDescriptor;
  const llvm::ArrayRef<TermId> all = parts;
  for (TermId size : all.take_front(rank)) block.sizes.push_back(wide(size));
  for (TermId stride : all.slice(rank, rank))
    block.strides.push_back(wide(stride));
  if (isDescriptor)
    block.offsets.assign(rank, number(0));
  else
    for (TermId offset : all.drop_front(2 * rank))
      block.offsets.push_back(wide(offset));
  values_[op.getResult(0)] = block;
}

void MemoryOps::traceAdvance(Operation &op) {
  auto pointer = block(op.getOperand(0));
  if (!pointer || op.getNumOperands() != pointer->offsets.size() + 1) return;
  for (size_t k = 0; k < pointer->offsets.size(); ++k) {
    const auto by = term(op.getOperand(k + 1));
    if (!by) return;
    pointer->offsets[k] =
        terms().make(TermKind::Add, 64, {pointer->offsets[k], wide(*by)});
  }
  values_[op.getResult(0)] = *pointer;
}

TracedAccess MemoryOps::accessOf(Operation &op, AccessKind kind) {
  TracedAccess access;
  access.op = &op;
  access.kind = kind;
  access.loops = loops_;
  access.web = webs_.numberOf(&op);
  access.obstacle = obstacle_;
  access.notMeasured = notMeasured_;
  access.isBehindOpenLoop = trace_.openLoop != nullptr;
  access.warps = warps_;
  if (op.getParentOp() == function_ && loops_.empty() && conditions_.empty())
    access.phase = barriers_;
  for (TermId condition : conditions_) addCondition(access, condition);
  return access;
}

void MemoryOps::addCondition(TracedAccess &access, TermId condition) {
  access.mask = access.mask ? conjunction(*access.mask, condition) : condition;
  access.isMasked = true;
}

void MemoryOps::addMask(TracedAccess &access, unsigned number) {
  if (access.op->getNumOperands() <= number) return;
  addMask(access, access.op->getOperand(number));
}

void MemoryOps::addMask(TracedAccess &access, Value mask) {
  if (const auto known = term(mask)) return addCondition(access, *known);
  const Meaning any = unknown(mask);
  if (const auto *bit = std::get_if<TermId>(&any)) addCondition(access, *bit);
}

void MemoryOps::record(TracedAccess access) {
  if (isDry_) return;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(access.type))
    access.encoding = tensor.getEncoding();
  trace_.accesses.push_back(std::move(access));
}

void MemoryOps::pointInto(TracedAccess &access, const BlockPointer &block,
                          llvm::ArrayRef<int32_t> checked) {
  TermList at;
  for (size_t k = 0; k < block.offsets.size(); ++k)
    at.push_back(terms().make(TermKind::Add, 64,
                              {block.offsets[k], terms().coordinate(k)}));
  pointAtIndices(access, block, at, checked);
}

/// A TDM copy of an element in front of the array accesses what is there, or
/// nothing.
void MemoryOps::pointAtIndices(TracedAccess &access, const BlockPointer &block,
                               llvm::ArrayRef<TermId> at,
                               llvm::ArrayRef<int32_t> checked) {
  const bool isTdm = access.op->getName().getStringRef().contains("async_tdm");
  const auto tile = shapeOf(access.type);
  TermId offset = number(0);
  for (size_t k = 0; k < at.size(); ++k) {
    if (tile.size() == at.size())
      access.view.push_back({block.sizes[k], tile[k]});
    const TermId step =
        terms().make(TermKind::Mul, 64, {at[k], block.strides[k]});
    offset = terms().make(TermKind::Add, 64, {offset, step});
    if (!block.checksAll && !llvm::is_contained(checked, k)) continue;
    TermId isBehind = terms().make(TermKind::LessEqualS, 1, {number(0), at[k]});
    if (isTdm)
      isBehind = terms().make(TermKind::Or, 1, {isBehind, anyBit(*access.op)});
    addCondition(access,
                 conjunction(isBehind, terms().make(TermKind::LessS, 1,
                                                    {at[k], block.sizes[k]})));
  }
  access.pointer = terms().make(TermKind::PointerAdd, 64, {block.base, offset});
}

void MemoryOps::pointAt(TracedAccess &access, Value pointer) {
  if (const auto of = block(pointer))
    pointInto(access, *of, checkedOf(*access.op));
  else
    access.pointer = term(pointer);
}

void MemoryOps::traceLoad(Operation &op) {
  TracedAccess access = accessOf(op, AccessKind::Load);
  access.type = op.getResult(0).getType();
  pointAt(access, op.getOperand(0));
  addMask(access, 1);
  // What a block has outside of its buffer is not in memory.
  const bool isChecked = block(op.getOperand(0)) && !checkedOf(op).empty();
  const auto operand = [&](unsigned k) {
    return k < op.getNumOperands() ? op.getOperand(k) : Value();
  };
  setLoaded(op, isChecked ? std::nullopt : access.pointer, operand(1),
            operand(2));
  record(std::move(access));
}

void MemoryOps::setLoaded(Operation &op, std::optional<TermId> pointer,
                          Value mask, Value other) {
  const auto isVolatile = op.getAttrOfType<mlir::BoolAttr>("isVolatile");
  if (!isTerm(op.getResult(0).getType()) || !pointer ||
      terms().mentions(*pointer, TermKind::Placeholder) ||
      (isVolatile && isVolatile.getValue()))
    return setUnknown(&op);
  setElement(op, *pointer, mask, other);
}

/// Where the mask is false the result is the other value, or anything.
void MemoryOps::setElement(Operation &op, TermId pointer, Value maskValue,
                           Value otherValue) {
  const Value result = op.getResult(0);
  const int32_t bits = termBits(result.getType());
  const Meaning any = unknown(result);
  TermList from = {pointer, std::get<TermId>(any)};
  const auto mask = maskValue ? term(maskValue) : std::nullopt;
  const auto other = otherValue ? term(otherValue) : std::nullopt;
  if ((maskValue && !mask) || (otherValue && !other)) return setUnknown(&op);
  if (mask && !other) from.push_back(*mask);
  TermId loaded = terms().leaf(TermKind::Loaded, numberOf(result), bits, from);
  if (mask && other)
    loaded = terms().make(TermKind::Select, bits, {*mask, loaded, *other});
  values_[result] = loaded;
}

void MemoryOps::traceStore(Operation &op) {
  TracedAccess access = accessOf(op, AccessKind::Store);
  access.type = op.getOperand(1).getType();
  pointAt(access, op.getOperand(0));
  addMask(access, 2);
  record(std::move(access));
}

void MemoryOps::traceAtomic(Operation &op, StringRef name) {
  TracedAccess access = accessOf(op, AccessKind::Atomic);
  access.pointer = term(op.getOperand(0));
  access.type = op.getOperand(1).getType();
  if (name == "atomic_rmw") {
    addMask(access, 2);
    access.atomicWidth = atomicWidthOf(op, symbols_);
  }
  record(std::move(access));
  setUnknown(&op);
}

/// Traces a copy from global to shared memory.
void MemoryOps::traceCopy(Operation &op) {
  TracedAccess access = accessOf(op, AccessKind::Load);
  access.pointer = term(op.getOperand(0));
  const mlir::Type source = op.getOperand(0).getType();
  const mlir::Type pointee = pointeeOf(source);
  access.type = pointee ? pointee : source;
  access.memory = memoryOf(op.getOperand(1).getType());
  access.contiguity = integerOf(op.getAttr("contiguity")).value_or(1);
  addMask(access, 2);
  record(std::move(access));
}

/// Traces an op that loads until it finds a value.
void MemoryOps::tracePoll(Operation &op) {
  setUnknown(&op);
  const mlir::Type pointee = op.getNumOperands() > 0
                                 ? pointeeOf(op.getOperand(0).getType())
                                 : mlir::Type();
  if (!pointee) return note(&op, "a poll has no pointer");
  TracedAccess access = accessOf(op, AccessKind::Load);
  access.type = pointee;
  access.pointer = term(op.getOperand(0));
  access.notMeasured = "how often a poll loads is not known";
  record(std::move(access));
}

}  // namespace indexical::triton

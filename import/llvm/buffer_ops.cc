#include "indexical/import/llvm/buffer_ops.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace indexical::compiled {
namespace {

using llvm::dyn_cast;
using llvm::StringRef;
using llvm::Value;

constexpr StringRef kMake = "llvm.amdgcn.make.buffer.rsrc.";
constexpr StringRef kRaw = "llvm.amdgcn.raw.ptr.buffer.";
/// Sizes from here on bound nothing.
constexpr uint64_t kNoBound = (uint64_t{1} << 31) - 16;
/// The bit of the last operand that says that the buffer is swizzled.
constexpr uint64_t kSwizzled = 8;
/// Address spaces: a buffer with an offset, a buffer, and one with an index.
constexpr unsigned kFatBuffer = 7, kBuffer = 8, kStridedBuffer = 9;

StringRef nameOf(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->isIntrinsic() ? callee->getName() : StringRef();
}

/// A call that accesses a buffer.
struct Access {
  enum class Kind : uint8_t { Load, Store, Atomic, Swap };
  Kind kind = Kind::Load;
  llvm::AtomicRMWInst::BinOp operation = llvm::AtomicRMWInst::BAD_BINOP;
  Value *data = nullptr, *compared = nullptr;
  Value *base = nullptr, *records = nullptr, *offset = nullptr;
  llvm::Type *type = nullptr;  ///< of what is accessed
  uint64_t bytes = 0;
};

std::optional<llvm::AtomicRMWInst::BinOp> operationOf(StringRef name,
                                                      const llvm::Type *type) {
  using Op = llvm::AtomicRMWInst;
  const auto found = llvm::StringSwitch<Op::BinOp>(name)
                         .Case("swap", Op::Xchg)
                         .Case("add", Op::Add)
                         .Case("sub", Op::Sub)
                         .Case("smin", Op::Min)
                         .Case("umin", Op::UMin)
                         .Case("smax", Op::Max)
                         .Case("umax", Op::UMax)
                         .Case("and", Op::And)
                         .Case("or", Op::Or)
                         .Case("xor", Op::Xor)
                         .Case("inc", Op::UIncWrap)
                         .Case("dec", Op::UDecWrap)
                         .Case("fadd", Op::FAdd)
                         .Case("fmin", Op::FMin)
                         .Case("fmax", Op::FMax)
                         .Default(Op::BAD_BINOP);
  if (found == Op::BAD_BINOP) return std::nullopt;
  const bool fits = Op::isFPOperation(found) ? type->isFPOrFPVectorTy()
                    : found == Op::Xchg
                        ? type->isIntegerTy() || type->isFloatingPointTy()
                        : type->isIntegerTy();
  if (!fits) return std::nullopt;
  return found;
}

bool isZero(const Value *value) {
  const auto *number = dyn_cast<llvm::ConstantInt>(value);
  return number && number->isZero();
}

/// Returns the kind and the data of a call; nothing if it is another one.
std::optional<Access> kindOf(llvm::CallInst &call) {
  StringRef name = nameOf(call);
  if (!name.consume_front(kRaw)) return std::nullopt;
  const auto [what, rest] = name.split('.');
  // Formats and transfers to shared memory are not types.
  if (rest.starts_with("format") || rest.starts_with("lds") ||
      rest.starts_with("async"))
    return std::nullopt;
  Access access;
  unsigned first = 0;
  if (what == "load") {
    access.type = call.getType();
  } else if (what == "store") {
    access.kind = Access::Kind::Store;
    access.data = call.getArgOperand(first++);
    access.type = access.data->getType();
  } else if (what == "atomic") {
    access.data = call.getArgOperand(first++);
    access.type = access.data->getType();
    const StringRef operation = rest.split('.').first;
    if (operation == "cmpswap") {
      access.kind = Access::Kind::Swap;
      access.compared = call.getArgOperand(first++);
      if (!access.type->isIntegerTy()) return std::nullopt;
    } else {
      access.kind = Access::Kind::Atomic;
      const auto known = operationOf(operation, access.type);
      if (!known) return std::nullopt;
      access.operation = *known;
    }
  } else {
    return std::nullopt;
  }
  if (call.arg_size() != first + 4 || !isZero(call.getArgOperand(first + 2)))
    return std::nullopt;
  const auto *flags =
      dyn_cast<llvm::ConstantInt>(call.getArgOperand(first + 3));
  if (!flags || (flags->getZExtValue() & kSwizzled)) return std::nullopt;
  const auto *buffer = dyn_cast<llvm::CallBase>(call.getArgOperand(first));
  if (!buffer || !nameOf(*buffer).starts_with(kMake) ||
      buffer->arg_size() != 4 || !isZero(buffer->getArgOperand(1)))
    return std::nullopt;
  access.base = buffer->getArgOperand(0);
  access.records = buffer->getArgOperand(2);
  access.offset = call.getArgOperand(first + 1);
  return access;
}

/// Whether no access of the kind lies in the buffer in part.
bool isWhole(const Access &access, const llvm::DataLayout &layout) {
  if (const auto *size = dyn_cast<llvm::ConstantInt>(access.records))
    if (size->getValue().uge(kNoBound)) return true;
  if (!llvm::isPowerOf2_64(access.bytes)) return false;
  const unsigned zeros = llvm::Log2_64(access.bytes);
  for (const Value *value : {access.offset, access.records})
    if (llvm::computeKnownBits(value, layout).countMinTrailingZeros() < zeros)
      return false;
  return true;
}

/// Returns the access that a call is; nothing if it cannot be a plain one.
std::optional<Access> accessOf(llvm::CallInst &call,
                               const llvm::DataLayout &layout) {
  auto access = kindOf(call);
  if (!access || access->type->isAggregateType() || !access->type->isSized())
    return std::nullopt;
  const llvm::TypeSize size = layout.getTypeStoreSize(access->type);
  if (size.isScalable()) return std::nullopt;
  access->bytes = size.getFixedValue();
  if (access->bytes == 0 || access->bytes * 8 !=
                                layout.getTypeSizeInBits(access->type)
                                    .getFixedValue())
    return std::nullopt;
  if (!isWhole(*access, layout)) return std::nullopt;
  return access;
}

class Lowering {
 public:
  Lowering(llvm::CallInst &call, Access access)
      : call_(call), access_(access), builder_(&call) {}

  /// Puts the plain access before the call, and uses its value. Returns it.
  llvm::Instruction &run() {
    Value *isInside = inside();
    Value *address = builder_.CreateGEP(builder_.getInt8Ty(), access_.base,
                                        wide(access_.offset));
    llvm::BasicBlock *before = call_.getParent();
    llvm::Instruction *end =
        llvm::SplitBlockAndInsertIfThen(isInside, &call_, false);
    builder_.SetInsertPoint(end);
    builder_.SetCurrentDebugLocation(call_.getDebugLoc());
    llvm::Instruction &made = plain(address);
    if (call_.use_empty()) return made;
    Value *got = access_.kind == Access::Kind::Swap
                     ? builder_.CreateExtractValue(&made, 0)
                     : &made;
    builder_.SetInsertPoint(&call_);
    llvm::PHINode *value = builder_.CreatePHI(call_.getType(), 2);
    value->addIncoming(got, end->getParent());
    // The result of an atomic outside of the buffer is not known.
    value->addIncoming(access_.kind == Access::Kind::Load
                           ? llvm::Constant::getNullValue(call_.getType())
                           : llvm::PoisonValue::get(call_.getType()),
                       before);
    call_.replaceAllUsesWith(value);
    return made;
  }

 private:
  Value *wide(Value *value) {
    return builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
  }

  /// Whether a number is one of an access outside of the buffer.
  bool isOutside(const Value *offset) const {
    const auto *number = dyn_cast<llvm::ConstantInt>(offset);
    const auto *size = dyn_cast<llvm::ConstantInt>(access_.records);
    return number && size && size->getValue().getActiveBits() <= 63 &&
           number->getZExtValue() + access_.bytes > size->getZExtValue();
  }

  /// Returns whether the access lies in the buffer. An offset that a mask makes
  /// too large is taken without it, so that the mask shows:
  ///
  ///   select %m, %o, -2147483648     %m and %o lies inside
  Value *inside() {
    Value *mask = nullptr;
    while (auto *choice = dyn_cast<llvm::SelectInst>(access_.offset)) {
      Value *condition = choice->getCondition();
      if (isOutside(choice->getFalseValue())) {
        access_.offset = choice->getTrueValue();
      } else if (isOutside(choice->getTrueValue())) {
        condition = builder_.CreateNot(condition);
        access_.offset = choice->getFalseValue();
      } else {
        break;
      }
      mask = mask ? builder_.CreateAnd(mask, condition) : condition;
    }
    Value *end = builder_.CreateNUWAdd(wide(access_.offset),
                                       builder_.getInt64(access_.bytes));
    Value *isInside = builder_.CreateICmpULE(end, wide(access_.records));
    return mask ? builder_.CreateAnd(mask, isInside) : isInside;
  }

  llvm::Instruction &plain(Value *address) {
    const llvm::Align align(
        std::min<uint64_t>(access_.bytes & -access_.bytes, 16));
    constexpr auto kRelaxed = llvm::AtomicOrdering::Monotonic;
    switch (access_.kind) {
      case Access::Kind::Load:
        return *builder_.CreateAlignedLoad(access_.type, address, align);
      case Access::Kind::Store:
        return *builder_.CreateAlignedStore(access_.data, address, align);
      case Access::Kind::Atomic:
        return *builder_.CreateAtomicRMW(access_.operation, address,
                                         access_.data, align, kRelaxed);
      case Access::Kind::Swap:
        break;
    }
    return *builder_.CreateAtomicCmpXchg(address, access_.compared,
                                         access_.data, align, kRelaxed,
                                         kRelaxed);
  }

  llvm::CallInst &call_;
  Access access_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

bool lowerBuffers(
    llvm::Function &function,
    llvm::function_ref<void(llvm::CallInst &call,
                            const llvm::Instruction &access)>
        made) {
  const llvm::DataLayout &layout = function.getDataLayout();
  llvm::SmallVector<llvm::CallInst *, 16> calls;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block)
      if (auto *call = dyn_cast<llvm::CallInst>(&each))
        if (nameOf(*call).starts_with(kRaw)) calls.push_back(call);
  bool isChanged = false;
  for (llvm::CallInst *call : calls) {
    const auto access = accessOf(*call, layout);
    if (!access) continue;
    const llvm::Instruction &plain = Lowering(*call, *access).run();
    call->removeFromParent();
    call->dropAllReferences();
    made(*call, plain);
    isChanged = true;
  }
  return isChanged;
}

void widenBufferSizes(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *, 4> old;
  for (llvm::Function &function : module) {
    const llvm::FunctionType *type = function.getFunctionType();
    if (function.getName().starts_with(kMake) && function.isDeclaration() &&
        type->getNumParams() == 4 && type->getParamType(2)->isIntegerTy(32) &&
        llvm::all_of(function.users(), [&](const llvm::User *user) {
          const auto *call = dyn_cast<llvm::CallInst>(user);
          return call && call->getCalledFunction() == &function;
        }))
      old.push_back(&function);
  }
  for (llvm::Function *function : old) {
    const std::string name = function->getName().str();
    llvm::FunctionType *was = function->getFunctionType();
    llvm::SmallVector<llvm::Type *, 4> types(was->params());
    types[2] = llvm::Type::getInt64Ty(module.getContext());
    function->setName(name + ".old");
    llvm::Function *now = llvm::Function::Create(
        llvm::FunctionType::get(was->getReturnType(), types, false),
        llvm::GlobalValue::ExternalLinkage, name, module);
    now->setAttributes(function->getAttributes());
    now->setDoesNotAccessMemory();
    auto callers = function->users();
    for (llvm::User *user : llvm::make_early_inc_range(callers)) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->setArgOperand(2,
                          builder.CreateZExt(call->getArgOperand(2), types[2]));
      call->setCalledFunction(now);
    }
    function->eraseFromParent();
  }
}

bool isBufferPointer(const llvm::Module &module, const Value *address) {
  if (!module.getTargetTriple().isAMDGPU()) return false;
  const unsigned space = address->getType()->getPointerAddressSpace();
  return space == kFatBuffer || space == kBuffer || space == kStridedBuffer;
}

}  // namespace indexical::compiled

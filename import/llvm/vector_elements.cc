#include "indexical/import/llvm/vector_elements.h"

#include <map>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace indexical::compiled {
namespace {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

/// Elements that are computed alone. Others stay elements of a vector.
constexpr size_t kMostElements = 10'000;
constexpr int kMostDeep = 200;  ///< operations that lead to one

bool isOfIntegers(const llvm::Type *type) {
  return isa<llvm::FixedVectorType>(type) && type->isIntOrIntVectorTy();
}

/// Returns the op, with the flags of that op of vectors; null for a constant
/// that forgets them.
Value *withFlagsOf(const llvm::Instruction &vectors, Value *made) {
  if (auto *own = dyn_cast<llvm::Instruction>(made))
    own->copyIRFlags(&vectors);
  else if (vectors.hasPoisonGeneratingFlags())
    return nullptr;
  return made;
}

class Elements {
 public:
  bool isChanged() const { return !made_.empty(); }

  /// Returns an element as a value that is computed alone, or null if its
  /// vector is not taken apart.
  Value *of(Value *vector, unsigned number) {
    if (!isOfIntegers(vector->getType())) return nullptr;
    if (const auto *constant = dyn_cast<llvm::Constant>(vector))
      return constant->getAggregateElement(number);
    auto *at = dyn_cast<llvm::Instruction>(vector);
    if (!at) return nullptr;
    const auto known = made_.find({vector, number});
    if (known != made_.end()) return known->second;
    if (depth_ >= kMostDeep || made_.size() >= kMostElements) return nullptr;
    ++depth_;
    Value *made = compute(at, number);
    --depth_;
    if (made) made_[{vector, number}] = made;
    return made;
  }

 private:
  /// Returns the element as of() does, or takes it from its vector.
  Value *operand(Value *vector, unsigned number, llvm::IRBuilder<> &builder) {
    if (Value *alone = of(vector, number)) return alone;
    return builder.CreateExtractElement(vector, number);
  }

  Value *compute(llvm::Instruction *at, unsigned number) {
    llvm::IRBuilder<> builder(at);
    llvm::Type *scalar = at->getType()->getScalarType();
    auto each = [&](unsigned k) {
      return operand(at->getOperand(k), number, builder);
    };
    if (auto *op = dyn_cast<llvm::BinaryOperator>(at)) {
      Value *left = each(0), *right = each(1);
      return withFlagsOf(*op,
                         builder.CreateBinOp(op->getOpcode(), left, right));
    }
    if (auto *op = dyn_cast<llvm::CastInst>(at)) {
      if (isa<llvm::BitCastInst>(op) ||
          !isOfIntegers(op->getOperand(0)->getType()))
        return nullptr;
      return withFlagsOf(*op,
                         builder.CreateCast(op->getOpcode(), each(0), scalar));
    }
    if (auto *op = dyn_cast<llvm::ICmpInst>(at)) {
      if (!isOfIntegers(op->getOperand(0)->getType())) return nullptr;
      Value *left = each(0), *right = each(1);
      return withFlagsOf(*op,
                         builder.CreateICmp(op->getPredicate(), left, right));
    }
    if (auto *op = dyn_cast<llvm::SelectInst>(at)) {
      Value *condition = op->getCondition()->getType()->isVectorTy()
                             ? each(0)
                             : op->getCondition();
      Value *yes = each(1), *no = each(2);
      return builder.CreateSelect(condition, yes, no);
    }
    if (isa<llvm::FreezeInst>(at)) return builder.CreateFreeze(each(0));
    if (auto *op = dyn_cast<llvm::InsertElementInst>(at)) {
      const auto *index = dyn_cast<llvm::ConstantInt>(op->getOperand(2));
      const auto *type = dyn_cast<llvm::FixedVectorType>(op->getType());
      // Elsewhere the whole vector is poison.
      if (!index || index->getValue().uge(type->getNumElements()))
        return nullptr;
      return index->getValue() == number ? op->getOperand(1) : each(0);
    }
    if (auto *op = dyn_cast<llvm::ShuffleVectorInst>(at)) {
      const int from = op->getMaskValue(number);
      if (from < 0) return llvm::PoisonValue::get(scalar);
      const auto count =
          llvm::cast<llvm::FixedVectorType>(op->getOperand(0)->getType())
              ->getNumElements();
      const auto source = static_cast<unsigned>(from);
      return operand(op->getOperand(source < count ? 0 : 1), source % count,
                     builder);
    }
    if (auto *op = dyn_cast<llvm::IntrinsicInst>(at)) {
      switch (op->getIntrinsicID()) {
        case llvm::Intrinsic::smin:
        case llvm::Intrinsic::smax:
        case llvm::Intrinsic::umin:
        case llvm::Intrinsic::umax: {
          Value *left = each(0), *right = each(1);
          return builder.CreateBinaryIntrinsic(op->getIntrinsicID(), left,
                                               right);
        }
        default:
          return nullptr;
      }
    }
    return nullptr;
  }

  std::map<std::pair<Value *, unsigned>, Value *> made_;
  int depth_ = 0;
};

}  // namespace

bool takeElementsApart(llvm::Function &function) {
  llvm::SmallVector<llvm::ExtractElementInst *, 8> taken;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block)
      if (auto *element = dyn_cast<llvm::ExtractElementInst>(&each))
        if (isOfIntegers(element->getVectorOperandType()) &&
            isa<llvm::ConstantInt>(element->getIndexOperand()))
          taken.push_back(element);
  Elements elements;
  for (llvm::ExtractElementInst *element : taken) {
    const auto &index =
        llvm::cast<llvm::ConstantInt>(element->getIndexOperand())->getValue();
    const auto count =
        llvm::cast<llvm::FixedVectorType>(element->getVectorOperandType())
            ->getNumElements();
    if (index.uge(count)) continue;
    if (Value *alone = elements.of(element->getVectorOperand(),
                                   static_cast<unsigned>(index.getZExtValue())))
      element->replaceAllUsesWith(alone);
  }
  return elements.isChanged();
}

}  // namespace indexical::compiled

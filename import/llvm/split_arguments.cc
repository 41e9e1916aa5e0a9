#include "indexical/import/llvm/split_arguments.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace indexical::compiled {
namespace {

using llvm::dyn_cast;
using llvm::isa;

/// A field: where it begins in its structure, and the loads of it.
struct Field {
  int64_t offset = 0, bytes = 0;
  llvm::SmallVector<llvm::LoadInst *, 2> loads;

  llvm::Type *type() const { return loads.front()->getType(); }
};

/// Whether a field of that type may be an argument.
bool isScalar(const llvm::Type *type) {
  return type->isPointerTy() || type->isFloatingPointTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() >= 8 &&
          type->getIntegerBitWidth() <= 64);
}

/// Returns the fields that are loaded, none if the structure may be changed.
std::vector<Field> fieldsOf(llvm::Argument &argument,
                            const llvm::DataLayout &layout) {
  struct Pointer {
    llvm::Value *value = nullptr;
    std::optional<int64_t> offset;  ///< nothing: not constant
  };
  std::vector<Field> fields;
  llvm::SmallVector<Pointer, 8> open = {{&argument, 0}};
  while (!open.empty()) {
    const Pointer at = open.pop_back_val();
    for (llvm::User *user : at.value->users()) {
      if (auto *load = dyn_cast<llvm::LoadInst>(user)) {
        if (load->isVolatile() || load->isAtomic()) return {};
        llvm::Type *type = load->getType();
        if (!at.offset) continue;
        const llvm::TypeSize size = layout.getTypeStoreSize(type);
        if (size.isScalable()) return {};
        Field own;
        own.offset = *at.offset;
        own.bytes = static_cast<int64_t>(size.getFixedValue());
        own.loads.push_back(load);
        const auto known = llvm::find_if(fields, [&](const Field &field) {
          return field.offset == own.offset && field.type() == type;
        });
        if (known != fields.end())
          known->loads.push_back(load);
        else
          fields.push_back(std::move(own));
      } else if (auto *element = dyn_cast<llvm::GEPOperator>(user)) {
        if (element->getType()->isVectorTy()) return {};
        llvm::APInt by(layout.getIndexTypeSizeInBits(element->getType()), 0);
        std::optional<int64_t> offset;
        if (at.offset && element->accumulateConstantOffset(layout, by))
          offset = *at.offset + by.getSExtValue();
        open.push_back({user, offset});
      } else if (isa<llvm::AddrSpaceCastInst>(user)) {
        open.push_back({user, at.offset});
      } else if (const auto *copy = dyn_cast<llvm::MemTransferInst>(user)) {
        if (copy->isVolatile() || copy->getRawDest() == at.value) return {};
      } else if (const auto *call = dyn_cast<llvm::IntrinsicInst>(user)) {
        if (!call->isLifetimeStartOrEnd() && !call->isAssumeLikeIntrinsic())
          return {};
      } else {
        return {};
      }
    }
  }
  llvm::stable_sort(fields, [](const Field &a, const Field &b) {
    return a.offset < b.offset;
  });
  // Two that share bytes are not independent of each other.
  std::vector<Field> apart;
  for (const Field &field : fields)
    if (isScalar(field.type()) &&
        llvm::none_of(fields, [&](const Field &other) {
          return &other != &field &&
                 other.offset < field.offset + field.bytes &&
                 field.offset < other.offset + other.bytes;
        }))
      apart.push_back(field);
  return apart;
}

}  // namespace

llvm::Function *withSplitArguments(
    llvm::Function &function,
    llvm::function_ref<void(llvm::Instruction &)> remove) {
  if (function.isVarArg() ||
      llvm::any_of(function, [](const llvm::BasicBlock &block) {
        return block.hasAddressTaken();
      }))
    return nullptr;
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  std::vector<Field> fields;
  std::vector<std::string> names;
  llvm::SmallVector<llvm::Type *, 8> types;
  for (llvm::Argument &argument : function.args()) {
    types.push_back(argument.getType());
    if (!argument.hasByValAttr() && !argument.hasByRefAttr()) continue;
    const std::string name = argument.hasName()
                                 ? argument.getName().str()
                                 : absl::StrCat("arg", argument.getArgNo());
    for (Field &field : fieldsOf(argument, layout)) {
      names.push_back(absl::StrCat(name, ".", field.offset));
      fields.push_back(std::move(field));
    }
  }
  if (fields.empty()) return nullptr;
  for (const Field &field : fields) types.push_back(field.type());
  llvm::Function *made = llvm::Function::Create(
      llvm::FunctionType::get(function.getReturnType(), types,
                              /*isVarArg=*/false),
      function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), made);
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->takeName(&function);
  made->splice(made->begin(), &function);
  for (llvm::Argument &argument : function.args()) {
    llvm::Argument *own = made->getArg(argument.getArgNo());
    own->takeName(&argument);
    argument.replaceAllUsesWith(own);
  }
  for (auto [k, field] : llvm::enumerate(fields)) {
    llvm::Argument *own =
        made->getArg(static_cast<unsigned>(function.arg_size() + k));
    own->setName(names[k]);
    for (llvm::LoadInst *load : field.loads) {
      load->replaceAllUsesWith(own);
      remove(*load);
    }
  }
  function.replaceAllUsesWith(made);
  return made;
}

}  // namespace indexical::compiled

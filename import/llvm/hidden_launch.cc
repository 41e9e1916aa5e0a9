// The launch that AMD's code loads: no register has the sizes of blocks.
//
//   llvm.amdgcn.dispatch.ptr       the packet that starts the kernel: the
//                                  threads of a block, then all threads
//   llvm.amdgcn.implicitarg.ptr    what stands behind the arguments: the number
//                                  of blocks, then the threads of a block (code
//                                  objects of version 5 and later)
//
// The numbers stand at the offsets that LLVM documents (AMDGPUUsage, "Kernel
// Dispatch Packet" and "Hidden Kernel Arguments"). Other loads stay: they are
// of memory that is not known.
#include <map>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include "indexical/import/llvm/launch.h"

namespace indexical::compiled {
namespace {

using llvm::dyn_cast;

/// The bytes that are known, by their offsets.
using KnownBytes = std::map<int64_t, uint8_t>;

/// Writes a number as so many bytes, the lowest first.
void put(KnownBytes &bytes, int64_t offset, int64_t count, int64_t number) {
  for (int64_t k = 0; k < count; ++k)
    bytes[offset + k] = static_cast<uint8_t>(number >> (8 * k));
}

KnownBytes packetOf(const kernels::TritonKernel &kernel) {
  constexpr int64_t kBlock = 4, kThreads = 12;
  KnownBytes bytes;
  for (int64_t axis = 0; axis < 3; ++axis) {
    const int64_t threads = (*kernel.block)[axis];
    put(bytes, kBlock + 2 * axis, 2, threads);
    // More do not fit, and no such launch is made.
    if (kernel.grid[axis] <= UINT32_MAX / threads)
      put(bytes, kThreads + 4 * axis, 4, kernel.grid[axis] * threads);
  }
  return bytes;
}

KnownBytes hiddenArgumentsOf(const kernels::TritonKernel &kernel) {
  constexpr int64_t kBlocks = 0, kBlock = 12, kRemainder = 18;
  KnownBytes bytes;
  for (int64_t axis = 0; axis < 3; ++axis) {
    put(bytes, kBlocks + 4 * axis, 4, kernel.grid[axis]);
    put(bytes, kBlock + 2 * axis, 2, (*kernel.block)[axis]);
    put(bytes, kRemainder + 2 * axis, 2, 0);  // all blocks are whole
  }
  return bytes;
}

/// Returns the version of the module's code object times 100, 0 if it has none.
uint64_t versionOf(const llvm::Module &module) {
  const auto *flag = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(
      module.getModuleFlag("amdhsa_code_object_version"));
  return flag ? flag->getZExtValue() : 0;
}

/// Returns the constant of a type that the bytes are, if all are known.
llvm::Constant *constantOf(llvm::Type *type, int64_t offset,
                           const KnownBytes &bytes) {
  if (const auto *vector = dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::SmallVector<llvm::Constant *, 4> all;
    const unsigned bits = vector->getScalarSizeInBits();
    for (unsigned k = 0; k < vector->getNumElements(); ++k) {
      all.push_back(constantOf(vector->getElementType(),
                               offset + int64_t{k} * (bits / 8), bytes));
      if (!all.back()) return nullptr;
    }
    return llvm::ConstantVector::get(all);
  }
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  if (bits == 0 || bits % 8 != 0 || bits > 64) return nullptr;
  uint64_t number = 0;
  for (unsigned k = 0; k < bits / 8; ++k) {
    const auto known = bytes.find(offset + k);
    if (known == bytes.end()) return nullptr;
    number |= uint64_t{known->second} << (8 * k);
  }
  return llvm::ConstantInt::get(type, number);
}

}  // namespace

void putHiddenLaunch(llvm::Function &function,
                     const kernels::TritonKernel &kernel,
                     llvm::function_ref<void(llvm::Instruction &)> remove) {
  struct Pointer {
    llvm::Value *value = nullptr;
    int64_t offset = 0;
    const KnownBytes *bytes = nullptr;
  };
  llvm::SmallVector<Pointer, 4> open;
  const llvm::Module &module = *function.getParent();
  constexpr uint64_t kFirstHidden = 500;
  const KnownBytes packet = packetOf(kernel);
  const KnownBytes hidden = versionOf(module) >= kFirstHidden
                                ? hiddenArgumentsOf(kernel)
                                : KnownBytes();
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block) {
      const auto *call = dyn_cast<llvm::CallInst>(&each);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee) continue;
      if (callee->getName() == "llvm.amdgcn.dispatch.ptr")
        open.push_back({&each, 0, &packet});
      if (callee->getName() == "llvm.amdgcn.implicitarg.ptr")
        open.push_back({&each, 0, &hidden});
    }
  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::SmallVector<llvm::LoadInst *, 4> known;
  while (!open.empty()) {
    const Pointer at = open.pop_back_val();
    for (llvm::User *user : at.value->users()) {
      if (auto *load = dyn_cast<llvm::LoadInst>(user)) {
        if (load->isVolatile()) continue;
        if (auto *number = constantOf(load->getType(), at.offset, *at.bytes)) {
          load->replaceAllUsesWith(number);
          known.push_back(load);
        }
      } else if (auto *element = dyn_cast<llvm::GEPOperator>(user)) {
        llvm::APInt offset(layout.getIndexTypeSizeInBits(element->getType()),
                           0);
        if (element->getPointerOperand() == at.value &&
            element->accumulateConstantOffset(layout, offset))
          open.push_back({user, at.offset + offset.getSExtValue(), at.bytes});
      } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
        open.push_back({user, at.offset, at.bytes});
      }
    }
  }
  for (llvm::LoadInst *load : known) remove(*load);
}

}  // namespace indexical::compiled

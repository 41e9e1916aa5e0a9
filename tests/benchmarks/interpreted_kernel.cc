#include "tests/benchmarks/interpreted_kernel.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "llvm/ExecutionEngine/GenericValue.h"
#include "llvm/ExecutionEngine/Interpreter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include "indexical/cost/memory/thread_map.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace gpu {
namespace {

llvm::GenericValue valueOf(uint64_t value, const llvm::Type *type) {
  llvm::GenericValue generic;
  if (type->isPointerTy())
    generic.PointerVal = reinterpret_cast<void *>(value);
  else
    generic.IntVal = llvm::APInt(type->getIntegerBitWidth(), value);
  return generic;
}

}  // namespace

InterpretedKernel::InterpretedKernel(const TextbookCase &kernel)
    : kernel_(kernel) {
  auto module = kernelModule(kernel, context_);
  EXPECT_TRUE(module.ok()) << module.status().message();
  if (!module.ok()) return;
  phases_ = {(*module)->getFunction("phase0")};
  if (kernel.stage) phases_.push_back((*module)->getFunction("phase1"));
  std::string message;
  engine_.reset(llvm::EngineBuilder(*std::move(module))
                    .setEngineKind(llvm::EngineKind::Interpreter)
                    .setErrorStr(&message)
                    .create(/*TM=*/nullptr));
  EXPECT_TRUE(engine_) << message;
}

void InterpretedKernel::launch(llvm::ArrayRef<uint64_t> arguments) {
  if (!engine_) return;
  const LaunchSize size = launchSize(kernel_.threads);
  // Blocks one after another, and the phases of a block.
  for (int64_t block = 0; block < size.grid[0] * size.grid[1] * size.grid[2];
       ++block) {
    // Elements that no thread stores are not 0.
    std::vector<uint8_t> stage;
    if (kernel_.stage)
      stage.assign(*storedElements(kernel_.stage->slot.shape) * 8, 0xee);
    for (llvm::Function *phase : phases_)
      for (int64_t thread = 0;
           thread < size.block[0] * size.block[1] * size.block[2]; ++thread) {
        std::vector<uint64_t> all;
        int64_t rest = thread;
        for (int64_t extent : size.block) {
          all.push_back(rest % extent);
          rest /= extent;
        }
        rest = block;
        for (int64_t extent : size.grid) {
          all.push_back(rest % extent);
          rest /= extent;
        }
        all.push_back(reinterpret_cast<uint64_t>(stage.data()));
        all.insert(all.end(), arguments.begin(), arguments.end());
        ASSERT_EQ(all.size(), phase->arg_size());
        std::vector<llvm::GenericValue> values;
        for (size_t i = 0; i < all.size(); ++i)
          values.push_back(valueOf(all[i], phase->getArg(i)->getType()));
        engine_->runFunction(phase, values);
      }
  }
}

}  // namespace gpu
}  // namespace indexical

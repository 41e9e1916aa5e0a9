#include "benchmarks/gpu/kernel_ptx.h"

#include <memory>

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "benchmarks/gpu/kernel_ir.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace indexical {
namespace gpu {
namespace {

absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> targetMachine() {
  [[maybe_unused]] static const bool isInitialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) return absl::InternalError(message);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "sm_70", /*Features=*/"", llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Puts the phases in the place of their calls: PTX calls cost.
absl::Status inlinePhases(llvm::Function &kernel) {
  llvm::SmallVector<llvm::CallInst *, 2> calls;
  for (llvm::Instruction &instruction : kernel.getEntryBlock())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (!call->getCalledFunction()->isDeclaration()) calls.push_back(call);
  for (llvm::CallInst *call : calls) {
    llvm::Function *phase = call->getCalledFunction();
    llvm::InlineFunctionInfo info;
    auto result = llvm::InlineFunction(*call, info);
    if (!result.isSuccess())
      return absl::InternalError(result.getFailureReason());
    phase->eraseFromParent();
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> kernelPtx(const TextbookCase &kernel) {
  llvm::LLVMContext context;
  auto module = kernelModule(kernel, context);
  if (!module.ok()) return module.status();
  if (auto status = inlinePhases(*(*module)->getFunction("kernel"));
      !status.ok())
    return status;
  auto machine = targetMachine();
  if (!machine.ok()) return machine.status();
  (*module)->setTargetTriple((*machine)->getTargetTriple());
  (*module)->setDataLayout((*machine)->createDataLayout());

  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return absl::InternalError("NVPTX writes no assembly");
  passes.run(**module);
  return std::string(text);
}

}  // namespace gpu
}  // namespace indexical

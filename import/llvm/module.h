// An LLVM module with its kernels: parsed, verified, and changed as little as
// the analyses need; private to import/llvm.
//
//   @fusion = ptx_kernel …     a kernel, by its calling convention
//   !nvvm.annotations          … or by this metadata, of old files
//
// What was compiled is what is read: loops get preheaders and values that leave
// them a phi, and functions that a kernel calls are inlined. IR that no
// optimiser has seen (it has allocas) is first brought to registers. Accesses
// of AMD's buffers become plain ones with their condition (buffer_ops.h). No
// other pass runs: it would change what accesses there are.
#ifndef INDEXICAL_IMPORT_LLVM_MODULE_H
#define INDEXICAL_IMPORT_LLVM_MODULE_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Value.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::compiled {

class CompiledModule {
 public:
  /// Returns the module of a text or of bitcode. Returns an InvalidArgument
  /// status with its place if it is no valid module.
  static absl::StatusOr<std::unique_ptr<CompiledModule>> parse(
      llvm::StringRef text);
  ~CompiledModule();

  /// Returns the functions with a body that a launch starts, in the order of
  /// the file.
  std::vector<llvm::Function *> kernels() const;
  /// Inlines what the function calls and brings its loops to the form that
  /// values are read in. What was found out about it before is forgotten.
  void prepare(llvm::Function &function);
  /// Puts what is known of a launch into a function that is prepared
  /// (launch.h).
  void putLaunch(llvm::Function &function, const kernels::TritonKernel &kernel);
  /// Returns the analyses, of a function that is prepared.
  llvm::FunctionAnalysisManager &analyses() { return functions_; }
  /// Returns where the instruction stands: in the program that was compiled, if
  /// the file says so, is for `stack`; this is the place in the text. Bitcode
  /// has none, nor has what was inlined.
  Place placeOf(const llvm::Instruction &instruction) const;
  Place placeOf(const llvm::Function &function) const;
  llvm::Module &module() { return *module_; }

 private:
  CompiledModule();

  llvm::LLVMContext context_;
  llvm::AsmParserContext places_;
  std::unique_ptr<llvm::Module> module_;
  /// Where the calls stood that accesses were made of, and these calls. They
  /// are kept, since the places in the text are known by their addresses.
  std::map<const llvm::Instruction *, Place> lowered_;
  std::vector<llvm::unique_value> replaced_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

/// Returns whether these are the bytes of bitcode.
bool isBitcode(llvm::StringRef text);

/// Returns an error, with its place, for a text that LLVM's parser does not
/// survive. Other texts need not be valid.
absl::Status checkText(llvm::StringRef text);

/// Returns a module in bitcode as text. Returns an InvalidArgument status if it
/// is no valid module.
absl::StatusOr<std::string> textOf(llvm::StringRef bitcode);

/// Returns whether a text or bitcode is LLVM's IR.
bool looksLikeModule(llvm::StringRef text);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_MODULE_H

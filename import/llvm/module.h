// An LLVM module with its kernels: parsed, verified, and changed as little as
// the analyses need; private to import/llvm.
//
//   @fusion = ptx_kernel …     a kernel, by its calling convention
//   !nvvm.annotations          … or by this metadata, of old files
//
// The code is read as it was compiled, with few changes: loops get preheaders,
// values that leave a loop get a phi, and functions that a kernel calls are
// inlined. In unoptimised IR (with allocas), a thread's own variables are first
// promoted to registers; accesses of other memory stay. Accesses of AMD's
// buffers become plain ones with their condition (buffer_ops.h), and elements
// of vectors of integers are computed alone (vector_elements.h). No other pass
// runs, because it would change the accesses.
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

/// The attribute of a kernel in which a call was inlined that excluded numbers
/// by its attributes, or said that it does not return.
inline constexpr char kLostClaims[] = "indexical.lost-claims";

class CompiledModule {
 public:
  /// Returns the module of a text or of bitcode. Returns an InvalidArgument
  /// status with its place if the module is not valid.
  static absl::StatusOr<std::unique_ptr<CompiledModule>> parse(
      llvm::StringRef text);
  ~CompiledModule();

  /// Returns the functions with a body that a launch starts, in the order of
  /// the file.
  std::vector<llvm::Function *> kernels() const;
  /// Inlines the calls of a function and brings its loops to the form in which
  /// values are read. Invalidates its analyses. Returns the function, or the
  /// one that replaces it because it has more arguments (split_arguments.h).
  llvm::Function &prepare(llvm::Function &function);
  /// Puts the known facts of a launch into a prepared function (launch.h).
  void putLaunch(llvm::Function &function, const kernels::TritonKernel &kernel);
  /// Returns the analyses of prepared functions.
  llvm::FunctionAnalysisManager &analyses() { return functions_; }
  /// Returns the place in the text of an instruction that touches memory: of
  /// one that is inlined, that in the function that was called. Instructions of
  /// bitcode have none.
  Place placeOf(const llvm::Instruction &instruction) const;
  Place placeOf(const llvm::Function &function) const;
  llvm::Module &module() { return *module_; }

 private:
  CompiledModule();
  /// Returns an error, with the place of the instruction or the function, if
  /// the module is not valid.
  absl::Status verified() const;

  llvm::LLVMContext context_;
  llvm::AsmParserContext places_;
  std::unique_ptr<llvm::Module> module_;
  /// The places of calls that became accesses, and what was taken out.
  std::map<const llvm::Instruction *, Place> lowered_;
  std::map<const llvm::Function *, Place> split_;  ///< places of functions
  std::vector<llvm::unique_value> replaced_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

/// Returns whether these are the bytes of bitcode.
bool isBitcode(llvm::StringRef text);

/// Returns an error, with its place, for a text that would crash LLVM's parser.
/// Does not check that the text is valid otherwise.
absl::Status checkText(llvm::StringRef text);

/// Returns a module in bitcode as text. Returns an InvalidArgument status if it
/// is not a valid module.
absl::StatusOr<std::string> textOf(llvm::StringRef bitcode);

/// Returns whether a text or bitcode looks like LLVM IR.
bool looksLikeModule(llvm::StringRef text);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_MODULE_H

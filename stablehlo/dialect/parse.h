// MLIR in: text or bytecode to modules of the dialects that are known here.
//
//   auto file = parseMlir(
//       "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
//       "  %y = stablehlo.abs %x : tensor<4xf32>\n"
//       "  return %y : tensor<4xf32>\n"
//       "}");
//
//   file->modules[0].module          builtin.module { func.func @f … }
//   file->modules[0].state           where each op and value is named
//   file->modules[0].placeOf(loc)    of `stablehlo.abs`: 2:8
//
// One text may hold several modules, separated by lines `// -----` (or framed
// by lines that begin with dashes, as in logs); ops that stand outside of a
// module are put into one. Attributes and types of unknown dialects are kept as
// they are, and so are unknown dialects' ops in generic form, `"foo.bar"(%x) :
// (…) -> …`.
//
// Damaged bytecode can make MLIR's reader crash, or write where it should not.
// So bytecode is refused, unless the caller says that it is trusted
// (MlirParseOptions): then it is read here, in the caller's process and thread.
// The command and the module for Python trust none: a program of its own reads
// it for them (tools/bytecode.h).
//
// Nothing is printed and nothing aborts: an error is an InvalidArgument status
// with its place (indexing/diagnostic.h). An op whose own syntax is not known
// is such an error.
//
// A portable artifact of StableHLO is bytecode of the dialect VHLO; it is read
// as the StableHLO that it was written from (stablehlo/vhlo/).
#ifndef INDEXICAL_STABLEHLO_DIALECT_PARSE_H
#define INDEXICAL_STABLEHLO_DIALECT_PARSE_H

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// The dialects that a module of StableHLO is made of: stablehlo, chlo, and of
/// MLIR's func, arith, math, tensor, linalg, vector, shape, scf, cf and others.
/// They are loaded when a module names them.
void registerDialects(mlir::DialectRegistry &registry);

/// A context with these, that tolerates unknown dialects in generic form and
/// runs in one thread.
std::unique_ptr<mlir::MLIRContext> makeMlirContext();

/// One module and the text that it was read from.
struct MlirModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;

  /// Where ops, values and blocks stand in the text; null for bytecode, and so
  /// is the text.
  std::unique_ptr<mlir::AsmParserState> state;

  /// The part of the file with this module, behind as many empty lines as the
  /// file has before it, so that lines are the file's. Places of `state` point
  /// into it; it does not move with the module.
  std::unique_ptr<std::string> text;
  std::vector<size_t> lineEnds;  ///< where its newlines are

  /// The place in the file of something that `state` points at; unknown for
  /// what is not of this text.
  Place placeOf(llvm::SMLoc location) const;
  Place placeOf(llvm::SMRange range) const { return placeOf(range.Start); }
  /// What is written there, such as `%arg0`; "" for what is not of this text.
  llvm::StringRef textOf(llvm::SMRange range) const;
};

struct MlirFile {
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<MlirModule> modules;  ///< destroyed before the context
};

/// Whether the bytes are MLIR bytecode, also that of a portable artifact.
bool isMlirBytecode(llvm::StringRef bytes);

/// A part of a file, between lines `// -----`. Parts that hold nothing but
/// comments are left out, unless there is no other.
struct MlirChunk {
  llvm::StringRef text;
  uint32_t line = 1;  ///< of the file, where the text begins
};
std::vector<MlirChunk> splitMlir(llvm::StringRef text);

struct MlirParseOptions {
  /// The caller vouches for bytecode: it wrote the bytes, or has them from who
  /// did. MLIR's reader believes sizes in them, so damaged bytes can end the
  /// process or do worse. Without it bytecode is an InvalidArgument error that
  /// says so. It changes nothing for text, which may always be a stranger's.
  bool trustBytecode = false;
};

/// One module of one part, verified. `path` is kept in the ops' locations.
absl::StatusOr<MlirModule> parseMlirModule(
    mlir::MLIRContext &context, MlirChunk chunk, llvm::StringRef path = "",
    const MlirParseOptions &options = {});

/// The text, with `loc`, of the module that trusted bytecode holds, of dialects
/// that the context has. MLIR's reader reads it in this process. Errors have no
/// place.
absl::StatusOr<std::string> textOfTrustedBytecode(mlir::MLIRContext &context,
                                                  llvm::StringRef bytes);

/// The module of such a text, without the text and its places, verified. With
/// the function before, this is what `parseMlirModule` does with bytecode; the
/// two halves may be done by two processes.
absl::StatusOr<MlirModule> parseTextOfBytecode(mlir::MLIRContext &context,
                                               llvm::StringRef text,
                                               llvm::StringRef path = "");

/// All modules of a file; the first error of them.
absl::StatusOr<MlirFile> parseMlir(llvm::StringRef text,
                                   llvm::StringRef path = "",
                                   const MlirParseOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DIALECT_PARSE_H

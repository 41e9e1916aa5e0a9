// Parses MLIR, as text or bytecode, into modules of the dialects that are
// registered here.
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
// (…) -> …`. An op of theirs in a syntax of its own is passed over where it
// stands, and costs nothing else (text/foreign_ops.h). MHLO is read as the
// StableHLO that it became (text/mhlo.h).
//
// Damaged bytecode can make MLIR's reader crash, or write where it should not.
// So bytecode is refused, unless the caller says that it is trusted
// (MlirParseOptions): then it is read here, in the caller's process and thread.
// The command and the module for Python trust none: a program of its own reads
// it for them (answers/inputs/bytecode.h).
//
// Nothing is printed and nothing aborts: an error is an InvalidArgument status
// with its place (indexing/diagnostic.h). An op whose own syntax is not known
// is such an error if nothing else is in the module, or if StableHLO, chlo, sdy
// or func has no op of that name.
//
// A portable artifact of StableHLO is bytecode of the dialect VHLO; it is read
// as the StableHLO that it was written from (stablehlo/vhlo/).
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_PARSE_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_PARSE_H

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"

#include "indexical/import/stablehlo/text/edits.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Registers the dialects that a module of StableHLO may use: stablehlo, chlo,
/// and of MLIR's func, arith, math, tensor, linalg, vector, shape, scf, cf and
/// others. They are loaded when a module names them.
void registerDialects(mlir::DialectRegistry &registry);

/// Returns a context with these dialects. It accepts ops of unknown dialects in
/// generic form, and runs in one thread.
std::unique_ptr<mlir::MLIRContext> makeMlirContext();

/// One module and the text that it was read from.
struct MlirModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;

  /// The places of ops, values and blocks in `text`. Both are null for
  /// bytecode.
  std::unique_ptr<mlir::AsmParserState> state;

  /// The text that was parsed: the part of the file with this module, after as
  /// many empty lines as the file has before it, so that line numbers are those
  /// of the file; with some ops renamed or passed over, and the way back to
  /// where they stood. The places of `state` point into its text, so it keeps
  /// its address if the module is moved.
  std::unique_ptr<EditedText> text;
  std::vector<size_t> lineEnds;  ///< the offsets of the file's newlines

  /// The ops that were passed over, each name once.
  struct PassedOver {
    std::string name;
    Place place;  ///< of the first
    size_t count = 0;
    /// MLIR's error about the first, if its syntax is known.
    std::string broken;
  };
  std::vector<PassedOver> passedOver;

  /// The op of the text for which another op was written (tosa.h).
  struct Written {
    mlir::Operation *original = nullptr;  ///< in `replaced`
    bool hasName = false;                 ///< whether it has the name of that
  };
  llvm::DenseMap<mlir::Operation *, Written> written;
  /// Ops of the text that others stand for. They live on, so that none that is
  /// new has the address of one that has a name in the text.
  std::vector<mlir::OwningOpRef<mlir::Operation *>> replaced;
  /// Puts the value in the place of the op's only result, if it has one. Takes
  /// the op out of the module.
  void replace(mlir::Operation *op, mlir::Value value);

  /// Returns the place in the file of a location from `state`, or an unknown
  /// place if the location is not in `text`.
  Place placeOf(llvm::SMLoc location) const;
  Place placeOf(llvm::SMRange range) const { return placeOf(range.Start); }
  /// Returns the source text of the range, such as `%arg0`, or "" if the range
  /// is not in `text`.
  llvm::StringRef textOf(llvm::SMRange range) const;
};

struct MlirFile {
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<MlirModule> modules;  ///< destroyed before the context
};

/// Returns whether the bytes are MLIR bytecode. A portable artifact is, too.
bool isMlirBytecode(llvm::StringRef bytes);

/// A part of a file, between lines `// -----`. splitMlir leaves out parts that
/// hold nothing but comments, unless all parts do.
struct MlirChunk {
  llvm::StringRef text;
  uint32_t line = 1;  ///< the line of the file at which the text begins
};
std::vector<MlirChunk> splitMlir(llvm::StringRef text);

struct MlirParseOptions {
  /// Whether the caller trusts bytecode, since it wrote the bytes or knows who
  /// did. MLIR's reader does not check the sizes in them, so damaged bytes can
  /// end the process or do worse. If false, bytecode is an InvalidArgument
  /// error that says so. Text is always parsed, and need not be trusted.
  bool trustBytecode = false;
  /// Whether ops in a syntax that is not known are passed over. If false, the
  /// first one is an error.
  bool passesOver = true;
};

/// Parses one part and verifies its module. `path` is kept in the ops'
/// locations.
absl::StatusOr<MlirModule> parseMlirModule(
    mlir::MLIRContext &context, MlirChunk chunk, llvm::StringRef path = "",
    const MlirParseOptions &options = {});

/// Reads trusted bytecode in this process with MLIR's reader, and returns its
/// module as text with `loc`. The context must have the module's dialects.
/// Errors have no place.
absl::StatusOr<std::string> textOfTrustedBytecode(mlir::MLIRContext &context,
                                                  llvm::StringRef bytes);

/// Parses a text from textOfTrustedBytecode and verifies its module. The result
/// has neither the text nor places in it. parseMlirModule reads bytecode by
/// these two functions; two processes may share the work.
absl::StatusOr<MlirModule> parseTextOfBytecode(mlir::MLIRContext &context,
                                               llvm::StringRef text,
                                               llvm::StringRef path = "");

/// Parses all modules of a file; returns the first error.
absl::StatusOr<MlirFile> parseMlir(llvm::StringRef text,
                                   llvm::StringRef path = "",
                                   const MlirParseOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_PARSE_H

// Bytecode that nobody vouches for: a program of its own reads it.
//
//   textOfBytecode("ML\xefR…")    starts the reader program
//     the program                 reads the bytes; writes `M` and the module's
//                                 text, or `E` and a message; at last a zero
//   "module { func.func @main…"   what the program wrote
//
// MLIR's reader believes some of the sizes in bytecode, so damaged bytes can
// make it crash, hang, or write where it should not. The program may do all of
// that: what comes back without its last byte is damaged bytecode, and nothing
// else is lost. It is started by posix_spawn, so threads and locks of the
// caller's process, and what else is loaded into it (JAX, say), do not matter.
//
// The command is its own reader program: `indexical --read-bytecode`, which no
// help lists. The module for Python has one beside it, `_read_bytecode`.
#ifndef INDEXICAL_TOOLS_BYTECODE_H
#define INDEXICAL_TOOLS_BYTECODE_H

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/stablehlo/dialect/parse.h"

namespace indexical {

/// What is started to read bytecode.
struct ReaderProgram {
  std::string path;                ///< of the program; empty: there is none
  std::vector<std::string> words;  ///< of the call, behind its name
};

/// The word with which the command is a reader program.
inline constexpr char kReadBytecode[] = "--read-bytecode";

/// Says what this process starts, for all its threads. A main calls it, before
/// it reads anything.
void setReaderProgram(ReaderProgram program);

/// The text, with its places (`loc`), of the module that the bytes hold: what
/// the reader program says. Errors, without a place: what is wrong with the
/// bytes, that they are damaged where the program came to no end, or that it
/// cannot be started. Several threads may call it at once.
absl::StatusOr<std::string> textOfBytecode(llvm::StringRef bytes);

/// The module, without text and places, as `parseMlirModule` reads it of
/// bytecode that is trusted. `path` is kept in its locations. It wants the
/// stack of a reader (indexing/deep_stack.h).
absl::StatusOr<MlirModule> readBytecode(mlir::MLIRContext &context,
                                        llvm::StringRef bytes,
                                        llvm::StringRef path);

/// What a reader program does: reads bytecode from standard input, answers on
/// standard output, and says nothing else. It ends itself where it takes far
/// longer than it should. The value is the exit status.
int runBytecodeReader();

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_BYTECODE_H

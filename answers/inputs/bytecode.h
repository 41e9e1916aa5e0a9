// Untrusted bytecode: a program of its own reads it.
//
//   textOfBytecode("ML\xefR…")    starts the reader program
//     the program                 reads the bytes; writes `M` and the module's
//                                 text, or `E` and a message; at last a zero
//   "module { func.func @main…"   what the program wrote
//
// LLVM's bitcode is read alike. The program writes it as text, as llvm-dis
// prints it.
//
// MLIR's reader does not check some of the sizes in bytecode, so damaged bytes
// can make it crash, hang, or write where it should not. In a program of its
// own, that does no harm: an answer without its last byte means damaged
// bytecode. LLVM's takes as much memory as damaged bytes say. The program is
// started by posix_spawn, so threads and locks of the
// caller's process, and other libraries in it (JAX, say), do not matter.
//
// The command is its own reader program, as `indexical --read-bytecode`, which
// the help does not list. The module for Python has a program beside it,
// `_read_bytecode`.
#ifndef INDEXICAL_ANSWERS_INPUTS_BYTECODE_H
#define INDEXICAL_ANSWERS_INPUTS_BYTECODE_H

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

/// The program that is started to read bytecode.
struct ReaderProgram {
  std::string path;                ///< empty: there is no program
  std::vector<std::string> words;  ///< arguments, without the name
};

/// The argument with which the command is a reader program.
inline constexpr char kReadBytecode[] = "--read-bytecode";

/// Sets the reader program of this process, for all its threads. A main calls
/// it before it reads anything.
void setReaderProgram(ReaderProgram program);

/// Returns the text, with its places (`loc`), of the module in the bytes, as
/// the reader program writes it: MLIR's of bytecode, LLVM's of bitcode. Errors have no place: the bytes are wrong, the
/// program did not finish (they are damaged), or it cannot be started. Several
/// threads may call it at once.
absl::StatusOr<std::string> textOfBytecode(llvm::StringRef bytes);

/// Returns the module, without text and places, as `parseMlirModule` does for
/// trusted bytecode. `path` is kept in its locations. The caller needs the
/// stack of a reader (indexing/deep_stack.h).
absl::StatusOr<MlirModule> readBytecode(mlir::MLIRContext &context,
                                        llvm::StringRef bytes,
                                        llvm::StringRef path);

/// Runs a reader program: reads bytecode from standard input, writes the answer
/// to standard output and nothing else. Ends the process if it takes far longer
/// than it should. Returns the exit status.
int runBytecodeReader();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_BYTECODE_H

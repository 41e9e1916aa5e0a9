// HLO text into a program.
//
// Reads what XLA prints and what its tests write: module headers or bare
// snippets down to one instruction without a name, computations with or without
// a signature or in the place of their name, operands with or without types,
// omitted result shapes, nested operand expressions, layouts with tiles,
// literals of any size, comments. One pass over the text, names are views of
// it. Parts that do not matter to indexing are skipped, with their brackets and
// quotes balanced.
//
//   auto program = parseHlo(
//       "f { p = f32[4] parameter(0) ROOT r = f32[4] negate(p) }");
//   const Computation &f = program->modules[0].computations[0];
//   llvm::StringRef name = f.instructions[1].name;  // "r"
//
// Errors: an InvalidArgument status with the place (indexing/diagnostic.h):
// broken syntax, unknown names, shapes that an op's attributes contradict
// (ops/op.h, verify) or that differ from the type beside an operand, cycles,
// parentheses nested too deep. An opcode that is not in the table is not an
// error: it becomes an opaque CoverOp, with a warning. An unknown name that has
// the form of an element type is not an error either: it is
// ElementType::Unknown.
#ifndef INDEXICAL_IMPORT_HLO_HLO_PARSER_H
#define INDEXICAL_IMPORT_HLO_HLO_PARSER_H

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "indexical/program/module/custom_calls.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct HloOptions {
  /// The meanings of custom calls, by their targets; null if none is known.
  /// Must outlive the call.
  const CustomCallRegistry *customCalls = nullptr;
  /// The number of threads that read a long text. The program and the messages
  /// are the same for every number.
  size_t jobs = 1;
  /// The least number of bytes that a thread takes at a time: for fewer it
  /// costs more to start one.
  size_t leastPiece = size_t{1} << 20;
};

/// Returns the program of a text of HLO, which may hold several modules,
/// separated by lines `// -----`. `path` is kept for messages only. An error
/// has the line and column in the text.
absl::StatusOr<Program> parseHlo(std::string text, std::string path = "",
                                 const HloOptions &options = {});
/// Returns the program of a text that has other owners too, without a copy.
/// `text` must not be null.
absl::StatusOr<Program> parseHlo(std::shared_ptr<const std::string> text,
                                 std::string path = "",
                                 const HloOptions &options = {});
/// Return the program of a copy of the text.
absl::StatusOr<Program> parseHlo(std::string_view text, std::string path = "",
                                 const HloOptions &options = {});
absl::StatusOr<Program> parseHlo(const char *text, std::string path = "",
                                 const HloOptions &options = {});

/// Returns the program of a module that is a message of protocol buffers, as
/// bytes: an HloModuleProto, HloProto or HloSnapshot. A compiler that holds a
/// message passes `message.SerializeAsString()`. Lines and columns are those of
/// the text that the message stands for, which is the program's text. Bytes
/// that are not such a message, or are damaged, are an InvalidArgument status.
absl::StatusOr<Program> parseHloProto(llvm::StringRef bytes,
                                      std::string path = "",
                                      const HloOptions &options = {});

/// Returns a shape from its text: `f32[2,65]{1,0}`, `(s32[], token[])`.
absl::StatusOr<Shape> parseHloShape(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_HLO_PARSER_H

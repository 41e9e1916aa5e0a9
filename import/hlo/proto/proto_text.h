// HLO modules in the form of protocol buffers, as `--xla_dump_hlo_as_proto` and
// profilers write them (HloProto, HloModuleProto, HloSnapshot), converted to
// the text that they stand for:
//
//   computations {                        HloModule m
//     name: "f"
//     instructions {                      f {
//       name: "p" opcode: "parameter"       p = f32[4]{0} parameter(0)
//       shape { … } }                       ROOT r = f32[4]{0} negate(p)
//     … }                                 }
//
// Lines and columns are those of that text.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_PROTO_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_PROTO_TEXT_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns whether the bytes are an HloProto, HloModuleProto or HloSnapshot
/// with a computation in it. A text is recognized by its first byte.
bool looksLikeHloProto(llvm::StringRef bytes);

/// Returns the module's text. Returns an error if the bytes are damaged, or if
/// an instruction names an operand or a computation that is not there.
absl::StatusOr<std::string> hloTextOfProto(llvm::StringRef bytes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_PROTO_TEXT_H

// HLO modules in the form of protocol buffers: what `--xla_dump_hlo_as_proto`
// and profilers write (HloProto, HloModuleProto, HloSnapshot), as the text that
// they stand for. What is asked of a proto is then what is asked of the text:
//
//   computations {                        HloModule m
//     name: "f"
//     instructions {                      f {
//       name: "p" opcode: "parameter"       p = f32[4]{0} parameter(0)
//       shape { … } }                       ROOT r = f32[4]{0} negate(p)
//     … }                                 }
//
// Lines and columns are those of that text.
#ifndef INDEXICAL_HLO_PROTO_PROTO_TEXT_H
#define INDEXICAL_HLO_PROTO_PROTO_TEXT_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Whether the bytes are such a message with a computation in it. Of a text
/// that is decided by its first byte.
bool looksLikeHloProto(llvm::StringRef bytes);

/// The module's text. An error where the bytes are damaged, or where an
/// instruction names an operand or a computation that is not there.
absl::StatusOr<std::string> hloTextOfProto(llvm::StringRef bytes);

}  // namespace indexical

#endif  // INDEXICAL_HLO_PROTO_PROTO_TEXT_H

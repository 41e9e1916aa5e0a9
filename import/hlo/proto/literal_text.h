// Literals of protos as text, private to hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_LITERAL_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_LITERAL_TEXT_H

#include "absl/status/status.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes `{ { 1, 2 }, { 3, 4 } }`, `(1, -2)` of a complex number, or `(1, {})`
/// of a tuple. If a dimension's size is dynamic, only the elements below it are
/// written. A literal with more elements than are kept (import/hlo/literal.h),
/// or of a type whose elements are not known, is `{...}`. Returns an error if
/// the number of its elements is not that of its shape.
absl::Status writeLiteral(const WireMessage &literal, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_LITERAL_TEXT_H

// The attributes that instructions of all opcodes can have, as text; private to
// hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_COMMON_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_COMMON_TEXT_H

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes `, sharding={replicated}, metadata={…}` and the like. `payloads` are
/// the module's configurations, which instructions may name by number. Returns
/// an error if a sharding is damaged.
absl::Status writeCommonAttributes(const WireMessage &instruction,
                                   llvm::ArrayRef<llvm::StringRef> payloads,
                                   llvm::raw_ostream &os);

/// Writes `, frontend_attributes={key="value"}`, or nothing if there are none.
void writeFrontendAttributes(const WireMessage &attributes,
                             llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_COMMON_TEXT_H

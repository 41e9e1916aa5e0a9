// The attributes of an instruction's proto as text, private to hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_ATTRIBUTES_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_ATTRIBUTES_TEXT_H

#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes `, dimensions={1,0}` and all other attributes but called
/// computations, which have names. `payloads` are the module's configurations,
/// which instructions may name by number. Returns an error if a shape, a
/// literal or a sharding in an attribute is damaged.
absl::Status writeAttributes(const WireMessage &instruction,
                             llvm::ArrayRef<llvm::StringRef> payloads,
                             llvm::raw_ostream &os);

/// Writes `, condition=c, body=b`. A conditional by a predicate has a true and
/// a false computation, any other has branches.
void writeCalled(llvm::StringRef opcode, llvm::ArrayRef<std::string> names,
                 bool isByPredicate, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_ATTRIBUTES_TEXT_H

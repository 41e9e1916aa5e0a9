// Shardings of protos as text, private to hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_SHARDING_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_SHARDING_TEXT_H

#include "absl/status/status.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes an OpSharding:
///
///   {replicated}
///   {devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}
///   {{maximal device=1}, {manual}}
///
/// Its metadata is left out. An error if it is nested too deep.
absl::Status writeSharding(const WireMessage &sharding, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_SHARDING_TEXT_H

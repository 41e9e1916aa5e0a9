// The groups and pairs of devices of collectives in protos, as text; private to
// hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_COLLECTIVES_TEXT_H
#define INDEXICAL_IMPORT_HLO_PROTO_COLLECTIVES_TEXT_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes `, replica_groups={{0,1},{2,3}}` from whichever field of the
/// instruction holds the groups, as a list, an iota or the axes of a mesh; and
/// the pairs of a collective-permute.
void writeGroups(const WireMessage &instruction, llvm::raw_ostream &os);

/// Writes the permutation of an iota's dimensions, `T(1,0)`; nothing for one
/// dimension.
void writePermutation(llvm::ArrayRef<int64_t> order, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_COLLECTIVES_TEXT_H

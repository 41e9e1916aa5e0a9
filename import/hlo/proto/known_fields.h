// Which fields of an instruction's proto are known, private to hlo/proto.
//
// A field whose number is in the table is read, or is known to change nothing
// of what the instruction means (its name in a profile, say). Any other may
// change it: a later version of the format has added it. The text of the
// instruction then names it:
//
//   a = f32[8] add(x, y), unread_fields={HloInstructionProto.101="0a02"}
//
// The reader of the text warns of it, and two instructions with different
// values there are not taken to be the same.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_KNOWN_FIELDS_H
#define INDEXICAL_IMPORT_HLO_PROTO_KNOWN_FIELDS_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Writes `, unread_fields={Message.number=value,…}`; nothing if all fields are
/// known. The value is a number, or bytes as hexadecimal digits.
void writeUnknownFields(const WireMessage &instruction, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_KNOWN_FIELDS_H

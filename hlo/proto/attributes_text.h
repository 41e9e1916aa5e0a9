// The attributes of an instruction's proto as text, private to hlo/proto.
#ifndef INDEXICAL_HLO_PROTO_ATTRIBUTES_TEXT_H
#define INDEXICAL_HLO_PROTO_ATTRIBUTES_TEXT_H

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/hlo/proto/wire.h"

namespace indexical {

/// `, dimensions={1,0}` and all others but called computations, which have
/// names.
void writeAttributes(const WireMessage &instruction, llvm::raw_ostream &os);

/// `, condition=c, body=b`. A conditional by a predicate has a true and a false
/// computation, any other branches.
void writeCalled(llvm::StringRef opcode, llvm::ArrayRef<std::string> names,
                 bool isByPredicate, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_HLO_PROTO_ATTRIBUTES_TEXT_H

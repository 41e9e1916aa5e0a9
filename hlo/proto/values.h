// Shapes and literals of protos as text, private to hlo/proto.
#ifndef INDEXICAL_HLO_PROTO_VALUES_H
#define INDEXICAL_HLO_PROTO_VALUES_H

#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/hlo/proto/wire.h"

namespace indexical {

/// `{1,0}`
void writeIntegers(llvm::ArrayRef<int64_t> values, llvm::raw_ostream &os);
/// The text between quotes, what ends them escaped.
void writeQuoted(llvm::StringRef text, llvm::raw_ostream &os);

/// `f32[2,<=3]{1,0:T(8,128)}`, `(s32[], token[])`
absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os);

/// `{ { 1, 2 }, { 3, 4 } }`; `{...}` where it has more elements than are kept,
/// or is of a type whose elements are not read.
absl::Status writeLiteral(const WireMessage &literal, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_HLO_PROTO_VALUES_H

// Shapes of protos, and words that all attributes have in common, as text;
// private to hlo/proto.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_VALUES_H
#define INDEXICAL_IMPORT_HLO_PROTO_VALUES_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/proto/wire.h"

namespace indexical {

/// Numbers of PrimitiveType (xla_data.proto) that are not types of elements.
struct PrimitiveType {
  enum : int64_t { kTuple = 13, kOpaque = 14, kToken = 17, kBuffer = 34 };
};

/// Returns the name at place `value`, which may be empty, or the number `value`
/// if there is no such place.
template <size_t n>
std::string nameOf(const llvm::StringRef (&names)[n], int64_t value) {
  return value >= 0 && value < static_cast<int64_t>(n) ? names[value].str()
                                                       : std::to_string(value);
}

/// Writes `{1,0}`.
void writeIntegers(llvm::ArrayRef<int64_t> values, llvm::raw_ostream &os);
/// Writes the text between quotes, with C's escapes, as XLA does.
void writeQuoted(llvm::StringRef text, llvm::raw_ostream &os);

/// Writes a dictionary, `{…}` with its brackets and quotes balanced, as it is,
/// and other text between quotes.
void writeQuotedOrDictionary(llvm::StringRef text, llvm::raw_ostream &os);

/// Writes `f32[2,<=3]{1,0:T(8,128)}` or `(s32[], token[])`. Returns an error if
/// the bytes are damaged or if an element type is not known.
absl::Status writeShape(const WireMessage &shape, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_VALUES_H

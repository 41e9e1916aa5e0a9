// The JSON Schema of all documents, docs/formats.schema.json, as it is when the
// program is built.
#ifndef INDEXICAL_WRITERS_SCHEMA_TEXT_H
#define INDEXICAL_WRITERS_SCHEMA_TEXT_H

#include "llvm/ADT/StringRef.h"

namespace indexical {

llvm::StringRef formatsSchema();

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_SCHEMA_TEXT_H

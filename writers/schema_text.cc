#include "indexical/writers/schema_text.h"

#include "indexical/writers/page_text.h"

namespace indexical {

llvm::StringRef formatsSchema() { return kFormatsSchema; }

}  // namespace indexical

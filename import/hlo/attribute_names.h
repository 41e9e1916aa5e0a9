// The names of HLO's attributes, which distinguish a misspelled name from a new
// attribute.
#ifndef INDEXICAL_IMPORT_HLO_ATTRIBUTE_NAMES_H
#define INDEXICAL_IMPORT_HLO_ATTRIBUTE_NAMES_H

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns the name that was probably meant by one that HLO does not have:
/// `lower` for `lowr`. Returns "" for a name that HLO has, and for one that is
/// like none.
llvm::StringRef meantAttribute(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_ATTRIBUTE_NAMES_H

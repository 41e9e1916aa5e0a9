// The bytes that a `backend_config` holds, and its text.
//
//   "x\234\355"          x, 0x9c, 0xed
//   {"n": "5"}           itself: braces, no string
//
// HLO writes a string with the escapes of C.
#ifndef INDEXICAL_IMPORT_TRITON_SOURCES_CONFIGURATION_TEXT_H
#define INDEXICAL_IMPORT_TRITON_SOURCES_CONFIGURATION_TEXT_H

#include <string>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns the text between the quotes of a string, with its escapes resolved,
/// or any other text as it is.
std::string configurationText(llvm::StringRef raw);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_TRITON_SOURCES_CONFIGURATION_TEXT_H

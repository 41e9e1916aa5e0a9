// Files that people hold by mistake, and what to give in their place.
//
//   tw003.trace.json.gz   "this is a trace for a viewer (Chrome's format); the
//                         profile is the `.xplane.pb` beside it: give that"
//   report.sqlite         "this is an SQLite database, as nsys exports; …"
//   kernel.ptx            "this is PTX; …"
//
// A file is recognized by its first bytes, whatever its name is. A reader asks
// only if it fails: nothing that can be read is refused (meant.h).
#ifndef INDEXICAL_ANSWERS_INPUTS_FOREIGN_H
#define INDEXICAL_ANSWERS_INPUTS_FOREIGN_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns a sentence about a file that no command reads, decompressed: what
/// it is, and what to give instead. Returns nothing for any other file.
std::optional<std::string> foreignFile(llvm::StringRef bytes);

/// How to get a module that a compiler has scheduled, as a part of a sentence.
extern const char kHowToDump[];

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_FOREIGN_H

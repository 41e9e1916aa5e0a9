// Text in SVG, private to pictures/: what XML takes, how wide it is, and lines.
#ifndef INDEXICAL_ANSWERS_PICTURES_SVG_TEXT_H
#define INDEXICAL_ANSWERS_PICTURES_SVG_TEXT_H

#include <cstddef>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns the text as XML: `<`, `&` and quotes are written as entities, and
/// characters that XML forbids (control characters, bytes that are not UTF-8)
/// as U+FFFD.
std::string xmlText(llvm::StringRef text);

/// Returns the number of characters, which are equally wide in a monospaced
/// font.
size_t charactersOf(llvm::StringRef text);

/// Returns the text in lines of up to `width` characters, broken at spaces if
/// there are any. If there are more than `most` lines, the last one ends with
/// `…`.
std::vector<std::string> linesOf(llvm::StringRef text, size_t width,
                                 size_t most);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PICTURES_SVG_TEXT_H

// Text in SVG, private to pictures/: what XML takes, how wide it is, and lines.
#ifndef INDEXICAL_PICTURES_SVG_TEXT_H
#define INDEXICAL_PICTURES_SVG_TEXT_H

#include <cstddef>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// The text as XML: `<`, `&` and quotes written as entities, what XML has no
/// place for (control characters, bytes that are no UTF-8) as U+FFFD.
std::string xmlText(llvm::StringRef text);

/// Characters, each as wide as any other in a monospaced font.
size_t charactersOf(llvm::StringRef text);

/// The text in lines of up to `width` characters, broken at spaces where there
/// are any; of more than `most` lines the last one ends with `…`.
std::vector<std::string> linesOf(llvm::StringRef text, size_t width,
                                 size_t most);

}  // namespace indexical

#endif  // INDEXICAL_PICTURES_SVG_TEXT_H

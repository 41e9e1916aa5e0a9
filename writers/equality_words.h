// The text of an answer to "are these two equal?", for `equal` on modules, on
// maps, and on a module and its partitioned form.
//
//   kSides[0], tupleText({3, 0})     only the first reads (3, 0)
#ifndef INDEXICAL_WRITERS_EQUALITY_WORDS_H
#define INDEXICAL_WRITERS_EQUALITY_WORDS_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/equality/words.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

/// Returns `because of `cc.3` (custom-call), line 17 of the first`.
std::string becauseText(const EqualityObstacle &because);

/// Returns the text of an index, such as `(3, 0)`.
std::string tupleText(llvm::ArrayRef<int64_t> index);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_EQUALITY_WORDS_H

// The words of an answer to "are these two equal?", for `equal` on modules, on
// maps, and on a module and its partitioned form.
//
//   Answer::No                       different
//   kSides[0], tupleText({3, 0})     only the first reads (3, 0)
#ifndef INDEXICAL_TOOLS_EQUALITY_WORDS_H
#define INDEXICAL_TOOLS_EQUALITY_WORDS_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/partitioned/partitioned_equality.h"
#include "indexical/exact/exact.h"

namespace indexical {

/// The names of the two that are compared, in text and in JSON.
inline constexpr const char *kSides[] = {"first", "second"};

/// Returns `equal`, `different` or `undecided`.
llvm::StringRef equalityWord(Answer answer);
llvm::StringRef equalityWord(PartitionedAnswer answer);

/// Returns the text of an index, such as `(3, 0)`.
std::string tupleText(llvm::ArrayRef<int64_t> index);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_EQUALITY_WORDS_H

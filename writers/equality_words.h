// The words of an answer to "are these two equal?", for `equal` on modules, on
// maps, and on a module and its partitioned form.
//
//   Answer::No                       different
//   kSides[0], tupleText({3, 0})     only the first reads (3, 0)
#ifndef INDEXICAL_WRITERS_EQUALITY_WORDS_H
#define INDEXICAL_WRITERS_EQUALITY_WORDS_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/partitioned/partitioned_equality.h"
#include "indexical/exact/exact.h"

namespace indexical {

/// The names of the two that are compared, in text and in JSON.
inline constexpr const char *kSides[] = {"first", "second"};

/// Returns `equal`, `different` or `undecided`.
llvm::StringRef equalityWord(Answer answer);
llvm::StringRef equalityWord(PartitionedAnswer answer);

/// Writes the attributes that every `because` of JSON has.
void writeBecause(const EqualityObstacle &because, llvm::json::OStream &to);
/// Returns `because of `cc.3` (custom-call), line 17 of the first`.
std::string becauseText(const EqualityObstacle &because);

/// Returns the text of an index, such as `(3, 0)`.
std::string tupleText(llvm::ArrayRef<int64_t> index);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_EQUALITY_WORDS_H

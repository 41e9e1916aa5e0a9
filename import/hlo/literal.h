// Literals of constants.
//
// Composition folds small integer constants into maps, so their values are
// kept. The bits of all literals are kept to distinguish constants. A text that
// is not a literal of the type is an error if the type is integral; else the
// constant is not known.
//
//   s32[2,2]  {{1, 2}, {3, 4}}    1 2 3 4       row major
//   pred[3]   {true, 0, 1}        1 0 1
//   s32[3]    {7}, or 7           7 7 7         one value for all
//   s32[9]    {...}               (none)        elided: not known
//   s32[<=4]  {1, 2}              (none)        two of at most four elements
#ifndef INDEXICAL_IMPORT_HLO_LITERAL_H
#define INDEXICAL_IMPORT_HLO_LITERAL_H

#include <cstdint>
#include <vector>

#include "indexical/import/hlo/source.h"
#include "indexical/ops/elementwise/nullary.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Literals of more elements are not kept.
constexpr int64_t kKeptLiteralElements = 4096;

/// Reads `text`, the text between the parentheses of `constant(…)`, into the
/// values and bits of `constant`. Requires balanced brackets. `values` stays
/// empty if the type is not integral, there are too many elements, or some are
/// not known.
bool parseLiteral(Source &source, llvm::StringRef text, const ArrayShape &shape,
                  ConstantOp &constant);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_LITERAL_H

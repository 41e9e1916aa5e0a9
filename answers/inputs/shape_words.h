// A shape that stands in the words of a call.
//
//   draw --layout=f32[4,8]{0,1:T(2,4)}, kernel --shape=x=f32[98432]
#ifndef INDEXICAL_ANSWERS_INPUTS_SHAPE_WORDS_H
#define INDEXICAL_ANSWERS_INPUTS_SHAPE_WORDS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the array that the text means, which is written as HLO writes it.
/// Returns an error that repeats the text if it is not a shape, or a tuple.
absl::StatusOr<ArrayShape> shapeOfWords(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_SHAPE_WORDS_H

// The statements of a function's arguments about memory. Not part of the public
// surface.
//
//   func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32},
//                          %arg1: tensor<2xf32> {jax.buffer_donor = true})
//
//   results   {result 0, parameter 0, leaf 0, May}
//   donors    (0, 0), (1, 0)
//
// JAX writes these attributes; XLA makes of the first an alias that a compiler
// may use, and of the second a buffer donor.
#ifndef INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H
#define INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H

#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/memory_marks.h"

namespace indexical {

/// Returns the marks of the arguments of a function, as the text of a module of
/// StableHLO has them; none if the text has no such function.
MemoryMarks functionMarks(llvm::StringRef text, llvm::StringRef function);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H

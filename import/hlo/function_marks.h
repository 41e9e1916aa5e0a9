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
// may use, and of the second a buffer donor. The importer keeps them as the
// configurations of the parameters, so they are the same for pretty text,
// generic text and bytecode.
#ifndef INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H
#define INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H

#include "indexical/program/module/memory_marks.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the marks of the parameters of a computation that was a function;
/// none for one of HLO.
MemoryMarks functionMarks(const Computation &function);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_FUNCTION_MARKS_H

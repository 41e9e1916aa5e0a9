// The facts about memory that a function's arguments state: private to import/.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_MARKS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_MARKS_H

#include <string>

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace indexical {

/// Returns the attributes of an argument that give its memory away, as the
/// configuration of the parameter has them (import/hlo/donated.h):
///
///   %arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32, mhlo.note = "x"}
///       tf.aliasing_output = 0
///
/// Returns "" if there are none. Attributes of other types than JAX writes are
/// left out.
std::string argumentMarksText(mlir::FunctionOpInterface function,
                              unsigned argument);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_ARGUMENT_MARKS_H

#include "indexical/import/stablehlo/import/argument_marks.h"

#include <string>

#include "mlir/IR/BuiltinAttributes.h"

namespace indexical {

std::string argumentMarksText(mlir::FunctionOpInterface function,
                              unsigned argument) {
  // A function may have more block arguments than arguments.
  if (argument >= function.getNumArguments()) return "";
  std::string text;
  const auto result = function.getArgAttrOfType<mlir::IntegerAttr>(
      argument, "tf.aliasing_output");
  if (result && result.getValue().getSignificantBits() <= 32)
    text = "tf.aliasing_output = " +
           std::to_string(result.getValue().getSExtValue());
  const auto donor = function.getArgAttrOfType<mlir::BoolAttr>(
      argument, "jax.buffer_donor");
  if (donor && donor.getValue())
    text += (text.empty() ? "" : ", ") + std::string("jax.buffer_donor = true");
  return text;
}

}  // namespace indexical

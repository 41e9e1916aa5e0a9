// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: what each dimension of a
// convolution's image, kernel and result stands for. Spatial dimensions are
// numbered; `b` batch, `f` feature, `i` and `o` the kernel's features; `?` a
// dimension that has none of these meanings. Or `raw`, and nine named fields.
#ifndef INDEXICAL_STABLEHLO_DIALECT_CONV_NUMBERS_H
#define INDEXICAL_STABLEHLO_DIALECT_CONV_NUMBERS_H

#include "mlir/IR/OpImplementation.h"

#include "indexical/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

/// `[…]x[…]->[…]`, or `raw<…>` with the nine fields where an op has numbers
/// that the short form cannot say. Null after an error, which is then reported.
ConvDimensionNumbersAttr parseConvNumbers(mlir::AsmParser &parser);
void printConvNumbers(mlir::AsmPrinter &printer,
                      ConvDimensionNumbersAttr numbers);

/// `<[…]x[…]->[…]>` or `<raw …>`, the attribute's own text.
ConvDimensionNumbersAttr parseConvNumbersInAngles(mlir::AsmParser &parser);
void printConvNumbersInAngles(mlir::AsmPrinter &printer,
                              ConvDimensionNumbersAttr numbers);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_CONV_NUMBERS_H

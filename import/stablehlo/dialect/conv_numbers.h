// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: the meanings of the dimensions of
// a convolution's image, kernel and result. Spatial dimensions have numbers;
// `b` is the batch, `f` the feature, `i` and `o` the kernel's features, and `?`
// a dimension with no such meaning. Or `raw`, and nine named fields.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONV_NUMBERS_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONV_NUMBERS_H

#include "mlir/IR/OpImplementation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

/// Parses `[…]x[…]->[…]`, or `raw<…>` with the nine fields if the short form
/// cannot give the numbers. Returns null after an error, which is reported.
ConvDimensionNumbersAttr parseConvNumbers(mlir::AsmParser &parser);
void printConvNumbers(mlir::AsmPrinter &printer,
                      ConvDimensionNumbersAttr numbers);

/// Parses `<[…]x[…]->[…]>` or `<raw …>`, the attribute's own text.
ConvDimensionNumbersAttr parseConvNumbersInAngles(mlir::AsmParser &parser);
void printConvNumbersInAngles(mlir::AsmPrinter &printer,
                              ConvDimensionNumbersAttr numbers);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_CONV_NUMBERS_H

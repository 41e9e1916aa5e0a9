// The pieces of the ops' own syntax that ODS asks for by `custom<Name>`:
// parseName reads one, printName writes it.
//
//   stablehlo.slice %0 [0:2, 1:4:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
//                      ^^^^^^^^^^^^
//                      parseSliceRanges(parser, start, limit, strides)
//
// Everything that is printed can be parsed again to the same op. Syntax that
// only older files contain is parsed, and printed in today's form.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_FORMAT_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_FORMAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

using mlir::Attribute;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Type;
using Operands = llvm::SmallVectorImpl<OpAsmParser::UnresolvedOperand>;
using Types = llvm::SmallVectorImpl<Type>;

/// Reads one type, which all operands and the result then have, or
/// `(a, b) -> r`.
ParseResult parseAgreeing(OpAsmParser &parser, llvm::ArrayRef<Type *> operands,
                          Type &result);
void printAgreeing(OpAsmPrinter &printer, llvm::ArrayRef<Type> operands,
                   Type result);

template <typename... Each>
ParseResult parseAgreeingTypes(OpAsmParser &parser, Each &...types) {
  llvm::SmallVector<Type *> all = {&types...};
  Type &result = *all.pop_back_val();
  return parseAgreeing(parser, all, result);
}
template <typename... Each>
void printAgreeingTypes(OpAsmPrinter &printer, Operation *, Each... types) {
  llvm::SmallVector<Type> all = {types...};
  Type result = all.pop_back_val();
  printAgreeing(printer, all, result);
}

/// Reads the types of a variable number of operands and of the result: one
/// type, which all then have, or `(a, b) -> r`.
ParseResult parseAgreeingTypeList(
    OpAsmParser &parser,
    llvm::ArrayRef<OpAsmParser::UnresolvedOperand> operands, Types &types,
    Type &result);
void printAgreeingTypeList(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange, mlir::TypeRange types,
                           Type result);

/// Reads the result's complex type alone, whose element type both parts then
/// have, or `(a, b) -> r`.
ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result);
void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result);

/// Reads `tensor<i1>, tensor<4xf32>`: the predicate's type, and that of all
/// others.
ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result);
void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result);

/// Reads the tuple's type alone, whose parts are then the types of the
/// operands, or `(a, b) -> tuple<…>`.
ParseResult parseTupleTypes(OpAsmParser &parser, Types &operands, Type &result);
void printTupleTypes(OpAsmPrinter &printer, Operation *,
                     mlir::TypeRange operands, Type result);

/// Reads `: t, u`, the types of the operands, which the results then have.
ParseResult parsePairwiseTypes(OpAsmParser &parser, Types &operands,
                               Types &results);
void printPairwiseTypes(OpAsmPrinter &printer, Operation *,
                        mlir::TypeRange operands, mlir::TypeRange results);

/// Reads `%0, %1`, or `()` for no operands.
ParseResult parseOperandsOrParens(OpAsmParser &parser, Operands &operands);
void printOperandsOrParens(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange operands);

/// Reads `%0, %1, `: operands with a comma after each, before a named
/// attribute.
ParseResult parseOperandsBeforeAttribute(OpAsmParser &parser,
                                         Operands &operands);
void printOperandsBeforeAttribute(OpAsmPrinter &printer, Operation *,
                                  mlir::OperandRange operands);

/// Reads `[1, 2]` as a list of integers.
ParseResult parseIntegers(OpAsmParser &parser, Attribute &numbers);
void printIntegers(OpAsmPrinter &printer, Operation *, Attribute numbers);

/// Reads `[0:2, 1:4:2]`: start, limit and, unless it is 1, stride.
ParseResult parseSliceRanges(OpAsmParser &parser, Attribute &start,
                             Attribute &limit, Attribute &strides);
void printSliceRanges(OpAsmPrinter &printer, Operation *, Attribute start,
                      Attribute limit, Attribute strides);

/// Reads `e8m10`: the numbers of bits of the exponent and of the mantissa.
ParseResult parseFloatFormat(OpAsmParser &parser, mlir::IntegerAttr &exponent,
                             mlir::IntegerAttr &mantissa);
void printFloatFormat(OpAsmPrinter &printer, Operation *,
                      mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

/// Reads `@target` as a string.
ParseResult parseCallTarget(OpAsmParser &parser, mlir::StringAttr &target);
void printCallTarget(OpAsmPrinter &printer, Operation *,
                     mlir::StringAttr target);

/// Reads `({ … }, { … })`, or no regions if no bracket follows.
ParseResult parseRegionList(
    OpAsmParser &parser,
    llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &regions);
void printRegionList(OpAsmPrinter &printer, Operation *,
                     mlir::RegionRange regions);

/// Reads `, precision = [DEFAULT, HIGHEST]`; `precisions` stays null if no
/// comma follows.
ParseResult parsePrecisions(OpAsmParser &parser, mlir::ArrayAttr &precisions);
void printPrecisions(OpAsmPrinter &printer, Operation *,
                     mlir::ArrayAttr precisions);

/// Reads `, precision = [DEFAULT, HIGHEST], algorithm = <…>`, of which either
/// may be absent; its attribute then stays null.
ParseResult parsePrecisionsAndAlgorithm(OpAsmParser &parser,
                                        mlir::ArrayAttr &precisions,
                                        DotAlgorithmAttr &algorithm);
void printPrecisionsAndAlgorithm(OpAsmPrinter &printer, Operation *,
                                 mlir::ArrayAttr precisions,
                                 DotAlgorithmAttr algorithm);

/// Reads `batching_dims = [0] x [0], contracting_dims = [2] x [1]`; the first
/// half may be absent.
ParseResult parseDotDimensions(OpAsmParser &parser,
                               DotDimensionNumbersAttr &numbers);
void printDotDimensions(OpAsmPrinter &printer, Operation *,
                        DotDimensionNumbersAttr numbers);

/// Reads `[b, 0, f]x[0, i, o]->[b, 0, f]`, the dimensions of a convolution, or
/// its form `raw<…>` (conv_numbers.h).
ParseResult parseConvDimensions(OpAsmParser &parser,
                                ConvDimensionNumbersAttr &numbers);
void printConvDimensions(OpAsmPrinter &printer, Operation *,
                         ConvDimensionNumbersAttr numbers);

/// Reads `{stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1],
/// reverse = [false]}`, of which entries may be left out, in any order. The
/// attribute of an entry that is left out stays null. An entry of another name,
/// or given twice, is an error.
ParseResult parseWindow(OpAsmParser &parser, Attribute &strides,
                        Attribute &padding, Attribute &lhsDilation,
                        Attribute &rhsDilation, Attribute &reversal);
void printWindow(OpAsmPrinter &printer, Operation *, Attribute strides,
                 Attribute padding, Attribute lhsDilation,
                 Attribute rhsDilation, Attribute reversal);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_FORMAT_H

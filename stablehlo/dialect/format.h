// The pieces of the ops' own syntax that ODS asks for by `custom<Name>`:
// parseName reads one, printName writes it.
//
//   stablehlo.slice %0 [0:2, 1:4:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
//                      ^^^^^^^^^^^^
//                      parseSliceRanges(parser, start, limit, strides)
//
// Everything that is printed can be parsed again to the same op. Syntax that
// only older files contain is parsed, and printed in today's form.
#ifndef INDEXICAL_STABLEHLO_DIALECT_FORMAT_H
#define INDEXICAL_STABLEHLO_DIALECT_FORMAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#include "indexical/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

using mlir::Attribute;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Type;
using Operands = llvm::SmallVectorImpl<OpAsmParser::UnresolvedOperand>;
using Types = llvm::SmallVectorImpl<Type>;

/// One type, if all operands and the result have it, or `(a, b) -> r`.
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

/// Like parseAgreeingTypes, for a variable number of operands.
ParseResult parseAgreeingTypeList(
    OpAsmParser &parser,
    llvm::ArrayRef<OpAsmParser::UnresolvedOperand> operands, Types &types,
    Type &result);
void printAgreeingTypeList(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange, mlir::TypeRange types,
                           Type result);

/// The complex type alone, if both parts are of its element type; else as
/// parseAgreeingTypes.
ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result);
void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result);

/// `tensor<i1>, tensor<4xf32>`: the predicate's type and that of all others.
ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result);
void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result);

/// The tuple's type alone, if its parts are the types of the operands; else
/// `(a, b) -> tuple<…>`.
ParseResult parseTupleTypes(OpAsmParser &parser, Types &operands, Type &result);
void printTupleTypes(OpAsmPrinter &printer, Operation *,
                     mlir::TypeRange operands, Type result);

/// `: t, u`: the results have the types of the operands.
ParseResult parsePairwiseTypes(OpAsmParser &parser, Types &operands,
                               Types &results);
void printPairwiseTypes(OpAsmPrinter &printer, Operation *,
                        mlir::TypeRange operands, mlir::TypeRange results);

/// `%0, %1`, or `()` for none.
ParseResult parseOperandsOrParens(OpAsmParser &parser, Operands &operands);
void printOperandsOrParens(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange operands);

/// `%0, %1, `: operands with a comma after each, before a named attribute.
ParseResult parseOperandsBeforeAttribute(OpAsmParser &parser,
                                         Operands &operands);
void printOperandsBeforeAttribute(OpAsmPrinter &printer, Operation *,
                                  mlir::OperandRange operands);

/// `[1, 2]`.
ParseResult parseIntegers(OpAsmParser &parser, Attribute &numbers);
void printIntegers(OpAsmPrinter &printer, Operation *, Attribute numbers);

/// `[0:2, 1:4:2]`: start, limit and, unless it is 1, stride.
ParseResult parseSliceRanges(OpAsmParser &parser, Attribute &start,
                             Attribute &limit, Attribute &strides);
void printSliceRanges(OpAsmPrinter &printer, Operation *, Attribute start,
                      Attribute limit, Attribute strides);

/// `e8m10`.
ParseResult parseFloatFormat(OpAsmParser &parser, mlir::IntegerAttr &exponent,
                             mlir::IntegerAttr &mantissa);
void printFloatFormat(OpAsmPrinter &printer, Operation *,
                      mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa);

/// `@target`.
ParseResult parseCallTarget(OpAsmParser &parser, mlir::StringAttr &target);
void printCallTarget(OpAsmPrinter &printer, Operation *,
                     mlir::StringAttr target);

/// `({ … }, { … })`, or nothing.
ParseResult parseRegionList(
    OpAsmParser &parser,
    llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &regions);
void printRegionList(OpAsmPrinter &printer, Operation *,
                     mlir::RegionRange regions);

/// `, precision = [DEFAULT, HIGHEST]`, or nothing.
ParseResult parsePrecisions(OpAsmParser &parser, mlir::ArrayAttr &precisions);
void printPrecisions(OpAsmPrinter &printer, Operation *,
                     mlir::ArrayAttr precisions);

/// Like parsePrecisions, then `, algorithm = <…>`; each of the two may be
/// absent.
ParseResult parsePrecisionsAndAlgorithm(OpAsmParser &parser,
                                        mlir::ArrayAttr &precisions,
                                        DotAlgorithmAttr &algorithm);
void printPrecisionsAndAlgorithm(OpAsmPrinter &printer, Operation *,
                                 mlir::ArrayAttr precisions,
                                 DotAlgorithmAttr algorithm);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`; the first half
/// may be absent.
ParseResult parseDotDimensions(OpAsmParser &parser,
                               DotDimensionNumbersAttr &numbers);
void printDotDimensions(OpAsmPrinter &printer, Operation *,
                        DotDimensionNumbersAttr numbers);

/// See conv_numbers.h.
ParseResult parseConvDimensions(OpAsmParser &parser,
                                ConvDimensionNumbersAttr &numbers);
void printConvDimensions(OpAsmPrinter &printer, Operation *,
                         ConvDimensionNumbersAttr numbers);

/// `{stride = [2], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse
/// = [false]}`, any of them, in any order.
ParseResult parseWindow(OpAsmParser &parser, Attribute &strides,
                        Attribute &padding, Attribute &lhsDilation,
                        Attribute &rhsDilation, Attribute &reversal);
void printWindow(OpAsmPrinter &printer, Operation *, Attribute strides,
                 Attribute padding, Attribute lhsDilation,
                 Attribute rhsDilation, Attribute reversal);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_FORMAT_H

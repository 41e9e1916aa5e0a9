// The ops of client libraries that become StableHLO later: functions of one
// number, broadcasting variants, top_k, ragged_dot, scan.
#ifndef INDEXICAL_CHLO
#define INDEXICAL_CHLO

include "import/stablehlo/dialect/base.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def ChloDialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::indexical::chlo";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
   private:
    void addAttributes();
    void addOps();
  }];
}

class ChloEnumeration<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::indexical::chlo";
  let genSpecializedAttr = 0;
}
def ChloDirection
    : ChloEnumeration<"ComparisonDirection", "direction of a comparison",
                      [I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
                       I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
                       I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def ChloDirectionAttr
    : EnumAttr<ChloDialect, ChloDirection, "comparison_direction">;
def ChloComparison
    : ChloEnumeration<"ComparisonType", "order in which values are compared",
                      [I32EnumAttrCase<"NOTYPE", 0>,
                       I32EnumAttrCase<"FLOAT", 1>,
                       I32EnumAttrCase<"TOTALORDER", 2>,
                       I32EnumAttrCase<"SIGNED", 3>,
                       I32EnumAttrCase<"UNSIGNED", 4>]>;
def ChloComparisonAttr
    : EnumAttr<ChloDialect, ChloComparison, "comparison_type">;
def ChloPrecision
    : ChloEnumeration<"Precision", "precision of a contraction",
                      [I32EnumAttrCase<"DEFAULT", 0>,
                       I32EnumAttrCase<"HIGH", 1>,
                       I32EnumAttrCase<"HIGHEST", 2>]>;
def ChloPrecisionAttr : EnumAttr<ChloDialect, ChloPrecision, "precision">;

def RaggedDotDimensionNumbersAttr
    : AttrDef<ChloDialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let parameters = (ins ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
                    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
                    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
                    ArrayRefParameter<"int64_t">:$rhsContractingDimensions,
                    ArrayRefParameter<"int64_t">:$lhsRaggedDimensions,
                    ArrayRefParameter<"int64_t">:$rhsGroupDimensions);
  let hasCustomAssemblyFormat = 1;
}

class ChloOp<string mnemonic, list<Trait> traits = []>
    : Op<ChloDialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [PlainBuilder];
}

class ChloUnaryOp<string mnemonic>
    : ChloOp<mnemonic, [AgreeingShapes, PureIfStatic]> {
  let arguments = (ins AnyTensor:$operand);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

class ChloBinaryOp<string mnemonic>
    : ChloOp<mnemonic, [AgreeingShapes, PureIfStatic]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

// Shapes are made equal first, as in NumPy or by broadcast_dimensions.
class ChloBroadcastOp<string mnemonic> : ChloOp<mnemonic, [PureIfStatic]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs,
                   OptionalAttr<IntList>:$broadcast_dimensions);
  let results = (outs AnyTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)
  }];
}

def AcosOp : ChloUnaryOp<"acos">;
def AcoshOp : ChloUnaryOp<"acosh">;
def AsinOp : ChloUnaryOp<"asin">;
def AsinAcosKernelOp : ChloUnaryOp<"_asin_acos_kernel">;
def AsinhOp : ChloUnaryOp<"asinh">;
def AtanOp : ChloUnaryOp<"atan">;
def AtanhOp : ChloUnaryOp<"atanh">;
def BesselI1eOp : ChloUnaryOp<"bessel_i1e">;
def ConjOp : ChloUnaryOp<"conj">;
def CoshOp : ChloUnaryOp<"cosh">;
def DigammaOp : ChloUnaryOp<"digamma">;
def ErfOp : ChloUnaryOp<"erf">;
def ErfInvOp : ChloUnaryOp<"erf_inv">;
def ErfcOp : ChloUnaryOp<"erfc">;
def IsInfOp : ChloUnaryOp<"is_inf">;
def IsNegInfOp : ChloUnaryOp<"is_neg_inf">;
def IsPosInfOp : ChloUnaryOp<"is_pos_inf">;
def LgammaOp : ChloUnaryOp<"lgamma">;
def SinhOp : ChloUnaryOp<"sinh">;
def SquareOp : ChloUnaryOp<"square">;
def TanOp : ChloUnaryOp<"tan">;

def MulhiOp : ChloBinaryOp<"mulhi">;
def NextAfterOp : ChloBinaryOp<"next_after">;
def PolygammaOp : ChloBinaryOp<"polygamma">;
def ZetaOp : ChloBinaryOp<"zeta">;

def BroadcastAddOp : ChloBroadcastOp<"broadcast_add">;
def BroadcastAndOp : ChloBroadcastOp<"broadcast_and">;
def BroadcastAtan2Op : ChloBroadcastOp<"broadcast_atan2">;
def BroadcastComplexOp : ChloBroadcastOp<"broadcast_complex">;
def BroadcastDivideOp : ChloBroadcastOp<"broadcast_divide">;
def BroadcastMaximumOp : ChloBroadcastOp<"broadcast_maximum">;
def BroadcastMinimumOp : ChloBroadcastOp<"broadcast_minimum">;
def BroadcastMultiplyOp : ChloBroadcastOp<"broadcast_multiply">;
def BroadcastNextAfterOp : ChloBroadcastOp<"broadcast_next_after">;
def BroadcastOrOp : ChloBroadcastOp<"broadcast_or">;
def BroadcastPolygammaOp : ChloBroadcastOp<"broadcast_polygamma">;
def BroadcastPowerOp : ChloBroadcastOp<"broadcast_power">;
def BroadcastRemainderOp : ChloBroadcastOp<"broadcast_remainder">;
def BroadcastShiftLeftOp : ChloBroadcastOp<"broadcast_shift_left">;
def BroadcastShiftRightArithmeticOp
    : ChloBroadcastOp<"broadcast_shift_right_arithmetic">;
def BroadcastShiftRightLogicalOp
    : ChloBroadcastOp<"broadcast_shift_right_logical">;
def BroadcastSubtractOp : ChloBroadcastOp<"broadcast_subtract">;
def BroadcastXorOp : ChloBroadcastOp<"broadcast_xor">;
def BroadcastZetaOp : ChloBroadcastOp<"broadcast_zeta">;

def BroadcastCompareOp : ChloBroadcastOp<"broadcast_compare"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs,
                   OptionalAttr<IntList>:$broadcast_dimensions,
                   ChloDirectionAttr:$comparison_direction,
                   OptionalAttr<ChloComparisonAttr>:$compare_type);
}

// As in NumPy, all three.
def BroadcastSelectOp : ChloOp<"broadcast_select", [PureIfStatic]> {
  let arguments = (ins AnyTensor:$pred, AnyTensor:$on_true,
                   AnyTensor:$on_false);
  let results = (outs AnyTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def ConstantOp
    : ChloOp<"constant", [Pure, AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "attr-dict $value";
}

// Every element of the result is `value`; its shape is the operand's.
def ConstantLikeOp : ChloOp<"constant_like", [PureIfStatic, AgreeingShapes]> {
  let arguments = (ins AnyTensor:$operand, TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
}

def TopKOp : ChloOp<"top_k", [PureIfStatic]> {
  let arguments = (ins AnyTensor:$operand, SizeAttr:$k);
  let results = (outs AnyTensor:$values, AnyTensor:$indices);
  let hasVerifier = 1;
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict
      `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

def RaggedDotOp : ChloOp<"ragged_dot", [PureIfStatic]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs, AnyTensor:$group_sizes,
                   RaggedDotDimensionNumbersAttr:$ragged_dot_dimension_numbers,
                   OptionalAttr<TypedArrayAttrBase<
                       ChloPrecisionAttr, "list of precisions">>:$precision_config);
  let results = (outs AnyTensor:$result);
  let hasVerifier = 1;
}

// The body maps slices and carries to slices and carries, step by step.
def ScanOp : ChloOp<"scan", [AsItsBodies,
                            AttrSizedOperandSegments,
                            AttrSizedResultSegments]> {
  let arguments = (ins Variadic<AnyTensor>:$inputs, Variadic<AnyTensor>:$inits,
                   SizeAttr:$dimension,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
                   OptionalAttr<BoolAttr>:$is_associative,
                   OptionalAttr<SizeAttr>:$scan_dim_size);
  let results = (outs Variadic<AnyTensor>:$outputs,
                 Variadic<AnyTensor>:$carries);
  let hasVerifier = 1;
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

#endif

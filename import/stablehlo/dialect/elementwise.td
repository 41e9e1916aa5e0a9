// Ops whose result element depends on the operand elements at the same place.
#ifndef INDEXICAL_STABLEHLO_ELEMENTWISE
#define INDEXICAL_STABLEHLO_ELEMENTWISE

include "import/stablehlo/dialect/attributes.td"

// `stablehlo.abs %0 : tensor<4xf32>`; a function type where types differ.
class UnaryOp<string mnemonic, Type type = Tensor, Type resultType = type,
              list<Trait> traits = []>
    : StablehloOp<mnemonic,
                  !listconcat([AgreeingShapes, PureIfStatic], traits)> {
  let arguments = (ins type:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $operand attr-dict
      `:` custom<AgreeingTypes>(type($operand), type($result))
  }];
}

class SameOp<string mnemonic, Type type>
    : UnaryOp<mnemonic, type, type, [AgreeingElements]>;

// May say how exact the result must be.
class AccurateOp<string mnemonic, Type type> : SameOp<mnemonic, type> {
  let arguments = (ins type:$operand,
                   OptionalAttr<ResultAccuracyAttr>:$result_accuracy);
}

class BinaryOp<string mnemonic, Type type = Tensor>
    : StablehloOp<mnemonic, [AgreeingShapes, AgreeingElements, PureIfStatic]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` custom<AgreeingTypes>(type($lhs), type($rhs), type($result))
  }];
}

def AbsOp : UnaryOp<"abs">;
def CbrtOp : AccurateOp<"cbrt", FloatOrComplexTensor>;
def CeilOp : SameOp<"ceil", FloatTensor>;
def ConvertOp : UnaryOp<"convert">;
def CosineOp : AccurateOp<"cosine", FloatOrComplexTensor>;
def CountLeadingZerosOp : SameOp<"count_leading_zeros", IntTensor>;
def ExponentialOp : AccurateOp<"exponential", FloatOrComplexTensor>;
def ExponentialMinusOneOp
    : AccurateOp<"exponential_minus_one", FloatOrComplexTensor>;
def FloorOp : SameOp<"floor", FloatTensor>;
def ImagOp : UnaryOp<"imag", FloatOrComplexTensor, FloatTensor>;
def IsFiniteOp : UnaryOp<"is_finite", FloatTensor, PredTensor>;
def LogOp : AccurateOp<"log", FloatOrComplexTensor>;
def LogPlusOneOp : AccurateOp<"log_plus_one", FloatOrComplexTensor>;
def LogisticOp : AccurateOp<"logistic", FloatOrComplexTensor>;
def NegateOp : SameOp<"negate", NumberTensor>;
def NotOp : SameOp<"not", PredOrIntTensor>;
def PopcntOp : SameOp<"popcnt", IntTensor>;
def RealOp : UnaryOp<"real", FloatOrComplexTensor, FloatTensor>;
def RoundNearestAfzOp : SameOp<"round_nearest_afz", FloatTensor>;
def RoundNearestEvenOp : SameOp<"round_nearest_even", FloatTensor>;
def RsqrtOp : AccurateOp<"rsqrt", FloatOrComplexTensor>;
def SignOp : SameOp<"sign", NumberTensor>;
def SineOp : AccurateOp<"sine", FloatOrComplexTensor>;
def SqrtOp : AccurateOp<"sqrt", FloatOrComplexTensor>;
def TanOp : AccurateOp<"tan", FloatOrComplexTensor>;
def TanhOp : AccurateOp<"tanh", FloatOrComplexTensor>;
def UniformDequantizeOp
    : UnaryOp<"uniform_dequantize", QuantizedTensor, FloatTensor>;
def UniformQuantizeOp
    : UnaryOp<"uniform_quantize", FloatTensor, QuantizedTensor>;

def AddOp : BinaryOp<"add">;
def AndOp : BinaryOp<"and", PredOrIntTensor>;
def Atan2Op : BinaryOp<"atan2", FloatOrComplexTensor>;
def DivideOp : BinaryOp<"divide", NumberTensor>;
def MaximumOp : BinaryOp<"maximum">;
def MinimumOp : BinaryOp<"minimum">;
def MultiplyOp : BinaryOp<"multiply">;
def OrOp : BinaryOp<"or", PredOrIntTensor>;
def PowerOp : BinaryOp<"power", NumberTensor>;
def RemainderOp : BinaryOp<"remainder", NumberTensor>;
def ShiftLeftOp : BinaryOp<"shift_left", IntTensor>;
def ShiftRightArithmeticOp : BinaryOp<"shift_right_arithmetic", IntTensor>;
def ShiftRightLogicalOp : BinaryOp<"shift_right_logical", IntTensor>;
def SubtractOp : BinaryOp<"subtract", NumberTensor>;
def XorOp : BinaryOp<"xor", PredOrIntTensor>;

// One complex type, where both parts are of its element type.
def ComplexOp : StablehloOp<"complex", [PureIfStatic, AgreeingShapes]> {
  let arguments = (ins FloatTensor:$lhs, FloatTensor:$rhs);
  let results = (outs ComplexTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))
  }];
}

def CompareOp : VerifiedOp<"compare", [PureIfStatic, AgreeingShapes]> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                   ComparisonDirectionAttr:$comparison_direction,
                   OptionalAttr<ComparisonTypeAttr>:$compare_type);
  let results = (outs PredTensor:$result);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict
      `:` functional-type(operands, results)
  }];
}

// `pred` and the bounds may be scalars.
def SelectOp : VerifiedOp<"select", [PureIfStatic]> {
  let arguments = (ins PredTensor:$pred, Tensor:$on_true, Tensor:$on_false);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict
      `:` custom<SelectTypes>(type($pred), type($on_true), type($on_false),
                              type($result))
  }];
}

def ClampOp : VerifiedOp<"clamp", [PureIfStatic]> {
  let arguments = (ins Tensor:$min, Tensor:$operand, Tensor:$max);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict
      `:` custom<AgreeingTypes>(type($min), type($operand), type($max),
                                type($result))
  }];
}

// `format = e8m10`: how many bits the exponent and the mantissa keep.
def ReducePrecisionOp
    : StablehloOp<"reduce_precision", [PureIfStatic, AgreeingShapes]> {
  let arguments = (ins FloatTensor:$operand, I32Attr:$exponent_bits,
                   I32Attr:$mantissa_bits);
  let results = (outs FloatTensor:$result);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<FloatFormat>($exponent_bits,
                                                  $mantissa_bits)
      attr-dict `:` custom<AgreeingTypes>(type($operand), type($result))
  }];
}

#endif

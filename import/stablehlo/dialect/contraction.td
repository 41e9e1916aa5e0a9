// Products of tensors: dot_general, convolution and their older spellings.
#ifndef INDEXICAL_STABLEHLO_CONTRACTION
#define INDEXICAL_STABLEHLO_CONTRACTION

include "import/stablehlo/dialect/attributes.td"

def DotOp : VerifiedOp<"dot", [PureIfStatic]> {  // legacy
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                   OptionalAttr<PrecisionConfig>:$precision_config);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<Precisions>($precision_config) attr-dict
      `:` functional-type(operands, results)
  }];
}

def DotGeneralOp : VerifiedOp<"dot_general", [PureIfStatic]> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                   DotDimensionNumbersAttr:$dot_dimension_numbers,
                   OptionalAttr<PrecisionConfig>:$precision_config,
                   OptionalAttr<DotAlgorithmAttr>:$algorithm);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers)
      `` custom<PrecisionsAndAlgorithm>($precision_config, $algorithm) attr-dict
      `:` functional-type(operands, results)
  }];
}

def EinsumOp : VerifiedOp<"einsum", [PureIfStatic]> {  // legacy
  let arguments = (ins Tensor:$lhs, Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict
      `:` functional-type(operands, results)
  }];
}

def UnaryEinsumOp : VerifiedOp<"unary_einsum", [PureIfStatic]> {  // legacy
  let arguments = (ins Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict
      `:` functional-type(operands, results)
  }];
}

def ConvolutionOp : VerifiedOp<"convolution", [PureIfStatic]> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs,
                   OptionalAttr<IntList>:$window_strides,
                   OptionalAttr<IntTable>:$padding,
                   OptionalAttr<IntList>:$lhs_dilation,
                   OptionalAttr<IntList>:$rhs_dilation,
                   OptionalAttr<BoolList>:$window_reversal,
                   ConvDimensionNumbersAttr:$dimension_numbers,
                   SizeAttr:$feature_group_count, SizeAttr:$batch_group_count,
                   OptionalAttr<PrecisionConfig>:$precision_config);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvDimensions>($dimension_numbers)
      `,` `window` `=` custom<Window>($window_strides, $padding, $lhs_dilation,
                                      $rhs_dilation, $window_reversal)
      attr-dict `:` functional-type(operands, results)
  }];
}

// The padding is an operand.
def DynamicConvOp : VerifiedOp<"dynamic_conv", [PureIfShapesConstant<2>]> {
  let arguments = (ins Tensor:$lhs, Tensor:$rhs, ShapeTensor:$padding,
                   OptionalAttr<IntList>:$window_strides,
                   OptionalAttr<IntList>:$lhs_dilation,
                   OptionalAttr<IntList>:$rhs_dilation,
                   OptionalAttr<BoolList>:$window_reversal,
                   ConvDimensionNumbersAttr:$dimension_numbers,
                   SizeAttr:$feature_group_count, SizeAttr:$batch_group_count,
                   OptionalAttr<PrecisionConfig>:$precision_config);
  let results = (outs Tensor:$result);
}

#endif

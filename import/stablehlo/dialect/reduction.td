// Ops that combine elements by a body, order them, or combine whole rows.
#ifndef INDEXICAL_STABLEHLO_REDUCTION
#define INDEXICAL_STABLEHLO_REDUCTION

include "import/stablehlo/dialect/attributes.td"

def MapOp : VerifiedOp<"map", [AsItsBodies]> {
  let arguments = (ins Variadic<Tensor>:$inputs, IntList:$dimensions);
  let results = (outs Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}

// `stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [1]`,
// or `across dimensions = [1] … reducer(%a: t, %b: t) { … }`.
def ReduceOp : VerifiedOp<"reduce", [AsItsBodies, SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Tensor>:$inputs, Variadic<Tensor>:$init_values,
                   IntList:$dimensions);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def ReduceWindowOp
    : VerifiedOp<"reduce_window", [AsItsBodies, SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Tensor>:$inputs, Variadic<Tensor>:$init_values,
                   IntList:$window_dimensions,
                   OptionalAttr<IntList>:$window_strides,
                   OptionalAttr<IntList>:$base_dilations,
                   OptionalAttr<IntList>:$window_dilations,
                   OptionalAttr<IntTable>:$padding);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}

def SelectAndScatterOp : VerifiedOp<"select_and_scatter", [AsItsBodies]> {
  let arguments = (ins Tensor:$operand, Tensor:$source, Tensor:$init_value,
                   OptionalAttr<IntList>:$window_dimensions,
                   OptionalAttr<IntList>:$window_strides,
                   OptionalAttr<IntTable>:$padding);
  let results = (outs Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}

def SortOp : VerifiedOp<"sort", [AsItsBodies]> {
  let arguments = (ins Variadic<Tensor>:$inputs,
                   DefaultValuedOptionalAttr<SizeAttr, "-1">:$dimension,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
}

def CholeskyOp : VerifiedOp<"cholesky", [PureIfStatic]> {
  let arguments = (ins FloatOrComplexTensor:$a,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict
      `:` custom<AgreeingTypes>(type($a), type($result))
  }];
}

def TriangularSolveOp : VerifiedOp<"triangular_solve", [PureIfStatic]> {
  let arguments = (ins FloatOrComplexTensor:$a, FloatOrComplexTensor:$b,
                   BoolAttr:$left_side, BoolAttr:$lower,
                   BoolAttr:$unit_diagonal, TransposeAttr:$transpose_a);
  let results = (outs FloatOrComplexTensor:$result);
}

def FftOp : VerifiedOp<"fft", [PureIfStatic]> {
  let arguments = (ins FloatOrComplexTensor:$operand, FftTypeAttr:$fft_type,
                   IntList:$fft_length);
  let results = (outs FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,`
      `length` `=` custom<Integers>($fft_length) attr-dict
      `:` functional-type(operands, results)
  }];
}

def BatchNormGradOp : VerifiedOp<"batch_norm_grad", [PureIfStatic]> {
  let arguments = (ins FloatTensor:$operand, FloatTensor:$scale,
                   FloatTensor:$mean, FloatTensor:$variance,
                   FloatTensor:$grad_output, F32Attr:$epsilon,
                   SizeAttr:$feature_index);
  let results = (outs FloatTensor:$grad_operand, FloatTensor:$grad_scale,
                 FloatTensor:$grad_offset);
}

def BatchNormInferenceOp : VerifiedOp<"batch_norm_inference", [PureIfStatic]> {
  let arguments = (ins FloatTensor:$operand, FloatTensor:$scale,
                   FloatTensor:$offset, FloatTensor:$mean,
                   FloatTensor:$variance, F32Attr:$epsilon,
                   SizeAttr:$feature_index);
  let results = (outs FloatTensor:$result);
}

def BatchNormTrainingOp : VerifiedOp<"batch_norm_training", [PureIfStatic]> {
  let arguments = (ins FloatTensor:$operand, FloatTensor:$scale,
                   FloatTensor:$offset, F32Attr:$epsilon,
                   SizeAttr:$feature_index);
  let results = (outs FloatTensor:$output, FloatTensor:$batch_mean,
                 FloatTensor:$batch_var);
}

def RngOp : VerifiedOp<"rng"> {
  let arguments = (ins Tensor:$a, Tensor:$b, ShapeTensor:$shape,
                   RngDistributionAttr:$rng_distribution);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict
      `:` functional-type(operands, results)
  }];
}

def RngBitGeneratorOp : VerifiedOp<"rng_bit_generator", [PureIfStatic]> {
  let arguments = (ins Tensor:$initial_state, RngAlgorithmAttr:$rng_algorithm);
  let results = (outs Tensor:$output_state, Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict
      `:` functional-type(operands, results)
  }];
}

#endif

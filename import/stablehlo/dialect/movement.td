// Ops that move elements, and those that make them of nothing.
#ifndef INDEXICAL_STABLEHLO_MOVEMENT
#define INDEXICAL_STABLEHLO_MOVEMENT

include "import/stablehlo/dialect/attributes.td"
include "mlir/IR/OpAsmInterface.td"

def ConstantOp
    : VerifiedOp<"constant",
                 [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface,
                                                  ["getAsmResultNames"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tensor:$result);
  let hasCustomAssemblyFormat = 1;
}

def IotaOp : VerifiedOp<"iota", [Pure]> {
  let arguments = (ins SizeAttr:$iota_dimension);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    `dim` `=` $iota_dimension attr-dict `:` type($result)
  }];
}

def BitcastConvertOp : VerifiedOp<"bitcast_convert", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def BroadcastOp : VerifiedOp<"broadcast", [PureIfStatic]> {  // legacy
  let arguments = (ins Tensor:$operand, IntList:$broadcast_sizes);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` custom<Integers>($broadcast_sizes) attr-dict
      `:` functional-type(operands, results)
  }];
}

def BroadcastInDimOp : VerifiedOp<"broadcast_in_dim", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, IntList:$broadcast_dimensions);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Integers>($broadcast_dimensions) attr-dict
      `:` functional-type(operands, results)
  }];
}

def ConcatenateOp : VerifiedOp<"concatenate", [PureIfStatic]> {
  let arguments = (ins Variadic<Tensor>:$inputs, SizeAttr:$dimension);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsBeforeAttribute>($inputs) `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def DynamicSliceOp : VerifiedOp<"dynamic_slice", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, Variadic<IntTensor>:$start_indices,
                   IntList:$slice_sizes);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsBeforeAttribute>($start_indices)
      `sizes` `=` custom<Integers>($slice_sizes) attr-dict
      `:` functional-type(operands, results)
  }];
}

def DynamicUpdateSliceOp : VerifiedOp<"dynamic_update_slice", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, Tensor:$update,
                   Variadic<IntTensor>:$start_indices);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def GatherOp : VerifiedOp<"gather", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, IntTensor:$start_indices,
                   GatherDimensionNumbersAttr:$dimension_numbers,
                   IntList:$slice_sizes,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Tensor:$result);
}

def PadOp : VerifiedOp<"pad", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, Tensor:$padding_value,
                   IntList:$edge_padding_low, IntList:$edge_padding_high,
                   IntList:$interior_padding);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,`
      `low` `=` custom<Integers>($edge_padding_low) `,`
      `high` `=` custom<Integers>($edge_padding_high) `,`
      `interior` `=` custom<Integers>($interior_padding)
      attr-dict `:` functional-type(operands, results)
  }];
}

def ReshapeOp : VerifiedOp<"reshape", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def ReverseOp : VerifiedOp<"reverse", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, IntList:$dimensions);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Integers>($dimensions) attr-dict
      `:` custom<AgreeingTypes>(type($operand), type($result))
  }];
}

def ScatterOp : VerifiedOp<"scatter", [AsItsBodies, SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Tensor>:$inputs, IntTensor:$scatter_indices,
                   Variadic<Tensor>:$updates,
                   ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
}

def SliceOp : VerifiedOp<"slice", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, IntList:$start_indices,
                   IntList:$limit_indices, IntList:$strides);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
      attr-dict `:` functional-type(operands, results)
  }];
}

def TorchIndexSelectOp  // legacy
    : VerifiedOp<"torch_index_select", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, Tensor:$index, SizeAttr:$dim,
                   SizeAttr:$batch_dims);
  let results = (outs Tensor:$result);
}

def TransposeOp : VerifiedOp<"transpose", [PureIfStatic]> {
  let arguments = (ins Tensor:$operand, IntList:$permutation);
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<Integers>($permutation) attr-dict
      `:` functional-type(operands, results)
  }];
}

#endif

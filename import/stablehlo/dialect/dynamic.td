// Ops whose shape, or whose place in a shape, is an operand.
#ifndef INDEXICAL_STABLEHLO_DYNAMIC
#define INDEXICAL_STABLEHLO_DYNAMIC

include "import/stablehlo/dialect/attributes.td"

class FunctionalOp<string mnemonic, list<Trait> traits>
    : VerifiedOp<mnemonic, traits> {
  let results = (outs Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def DynamicBroadcastInDimOp
    : FunctionalOp<"dynamic_broadcast_in_dim", [PureIfShapesConstant<1>]> {
  let arguments = (ins Tensor:$operand, ShapeTensor:$output_dimensions,
                   IntList:$broadcast_dimensions,
                   OptionalAttr<IntList>:$known_expanding_dimensions,
                   OptionalAttr<IntList>:$known_nonexpanding_dimensions);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,`
      `dims` `=` custom<Integers>($broadcast_dimensions) attr-dict
      `:` functional-type(operands, results)
  }];
}

def DynamicGatherOp : VerifiedOp<"dynamic_gather", [PureIfShapesConstant<2>]> {
  let arguments = (ins Tensor:$operand, IntTensor:$start_indices,
                   ShapeTensor:$slice_sizes,
                   GatherDimensionNumbersAttr:$dimension_numbers,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Tensor:$result);
}

def DynamicIotaOp : FunctionalOp<"dynamic_iota", [PureIfShapesConstant<0>]> {
  let arguments = (ins ShapeTensor:$output_shape, SizeAttr:$iota_dimension);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def DynamicPadOp : FunctionalOp<"dynamic_pad", [PureIfShapesConstant<2>]> {
  let arguments = (ins Tensor:$operand, Tensor:$padding_value,
                   ShapeTensor:$edge_padding_low,
                   ShapeTensor:$edge_padding_high,
                   ShapeTensor:$interior_padding);
}

def DynamicReshapeOp
    : FunctionalOp<"dynamic_reshape", [PureIfShapesConstant<1>]> {
  let arguments = (ins Tensor:$operand, ShapeTensor:$output_shape);
}

def RealDynamicSliceOp
    : FunctionalOp<"real_dynamic_slice", [PureIfShapesConstant<1>]> {
  let arguments = (ins Tensor:$operand, ShapeTensor:$start_indices,
                   ShapeTensor:$limit_indices, ShapeTensor:$strides);
}

def GetDimensionSizeOp : FunctionalOp<"get_dimension_size", [Pure]> {
  let arguments = (ins Tensor:$operand, SizeAttr:$dimension);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def SetDimensionSizeOp
    : FunctionalOp<"set_dimension_size", [PureIfShapesConstant<1>]> {
  let arguments = (ins Tensor:$operand, IntTensor:$size, SizeAttr:$dimension);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

#endif

// Control flow, tuples, calls to what is not here, and the outside world.
#ifndef INDEXICAL_STABLEHLO_CONTROL
#define INDEXICAL_STABLEHLO_CONTROL

include "import/stablehlo/dialect/attributes.td"
include "mlir/IR/OpAsmInterface.td"

def ReturnOp : StablehloOp<"return", [Pure, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^)? attr-dict (`:` type($results)^)?";
}

def IfOp : VerifiedOp<"if", [AsItsBodies]> {
  let arguments = (ins PredTensor:$pred);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$true_branch,
                 SizedRegion<1>:$false_branch);
}

def CaseOp : VerifiedOp<"case", [AsItsBodies]> {
  let arguments = (ins IntTensor:$index);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}

// `stablehlo.while(%i = %0) : tensor<i64> cond { … } do { … }`.
def WhileOp
    : VerifiedOp<"while",
                 [RecursiveMemoryEffects,  // it may not end
                  DeclareOpInterfaceMethods<OpAsmOpInterface,
                                            ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins Variadic<AnyType>:$operand);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def OptimizationBarrierOp : VerifiedOp<"optimization_barrier", [PureIfStatic]> {
  let arguments = (ins Variadic<AnyType>:$operand);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<OperandsOrParens>($operand) attr-dict
      custom<PairwiseTypes>(type($operand), type($results))
  }];
}

def TupleOp : VerifiedOp<"tuple", [Pure]> {
  let arguments = (ins Variadic<AnyType>:$val);
  let results = (outs Tuple:$result);
  let assemblyFormat = [{
    ($val^)? attr-dict `:` custom<TupleTypes>(type($val), type($result))
  }];
}

def GetTupleElementOp : VerifiedOp<"get_tuple_element", [Pure]> {
  let arguments = (ins Tuple:$operand, I32Attr:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
}

def CustomCallOp : StablehloOp<"custom_call"> {
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$call_target_name,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                   OptionalAttr<AnyAttr>:$backend_config,
                   OptionalAttr<CustomCallApiVersion>:$api_version,
                   OptionalAttr<ArrayAttr>:$called_computations,
                   OptionalAttr<ArrayAttr>:$operand_layouts,
                   OptionalAttr<ArrayAttr>:$result_layouts,
                   OptionalAttr<ArrayAttr>:$result_tilings,
                   OptionalAttr<ArrayAttr>:$output_operand_aliases);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict
      `:` functional-type(operands, results)
  }];
}

def CompositeOp : StablehloOp<"composite"> {
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$name,
                   OptionalAttr<DictionaryAttr>:$composite_attributes,
                   FlatSymbolRefAttr:$decomposition,
                   DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let assemblyFormat = [{
    $name ($inputs^)? attr-dict custom<RegionList>($composite_regions)
      `:` functional-type(operands, results)
  }];
}

def AsyncStartOp : VerifiedOp<"async_start"> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Future:$result);
  let regions = (region SizedRegion<1>:$body);
}

def AsyncDoneOp : VerifiedOp<"async_done"> {
  let arguments = (ins Future:$future);
  let results = (outs Variadic<AnyType>:$results);
}

def AfterAllOp : StablehloOp<"after_all", [Pure]> {
  let arguments = (ins Variadic<Token>:$inputs);
  let results = (outs Token:$result);
  let assemblyFormat = [{
    ($inputs^)? attr-dict `:` custom<AgreeingTypeList>(ref($inputs),
                                                      type($inputs),
                                                      type($result))
  }];
}

def CreateTokenOp : StablehloOp<"create_token", [Pure]> {  // legacy
  let results = (outs Token:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def InfeedOp : VerifiedOp<"infeed"> {
  let arguments = (ins Token:$token,
                   DefaultValuedOptionalAttr<StrAttr, "">:$infeed_config,
                   OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<TensorOrToken>:$results);
}

def OutfeedOp : StablehloOp<"outfeed"> {
  let arguments = (ins Variadic<Tensor>:$inputs, Token:$token,
                   DefaultValuedOptionalAttr<StrAttr, "">:$outfeed_config);
  let results = (outs Token:$result);
}

def SendOp : StablehloOp<"send"> {
  let arguments = (ins Variadic<Tensor>:$inputs, Token:$token,
                   ChannelHandleAttr:$channel_handle,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                   OptionalAttr<IntTable>:$source_target_pairs);
  let results = (outs Token:$result);
}

def RecvOp : VerifiedOp<"recv"> {
  let arguments = (ins Token:$token, ChannelHandleAttr:$channel_handle,
                   DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                   OptionalAttr<IntTable>:$source_target_pairs);
  let results = (outs Variadic<TensorOrToken>:$results);
}

class DeviceIdOp<string mnemonic> : StablehloOp<mnemonic, [Pure]> {
  let results = (outs IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def PartitionIdOp : DeviceIdOp<"partition_id">;
def ReplicaIdOp : DeviceIdOp<"replica_id">;

#endif

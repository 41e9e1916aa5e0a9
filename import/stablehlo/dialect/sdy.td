// Shardy: which device holds which part of a tensor. Its attributes are values,
// with the text and the bytecode that Shardy gives them.
#ifndef INDEXICAL_STABLEHLO_SDY
#define INDEXICAL_STABLEHLO_SDY

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def SdyDialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::indexical::sdy";
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

   private:
    void addAttributes();
    void addBytecode();
  }];
}

//===-- Attributes --------------------------------------------------------===//

// `#sdy.mnemonic<BODY>`. In other attributes and in ops, the body stands alone.
class SdyAttr<string name, string attrMnemonic> : AttrDef<SdyDialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Reads what stands between `<` and `>`; null after an error.
    static }] # name # [{Attr parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser,
                                       ::mlir::Type) {
      return parseAngled<$cppClass>(parser);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      printAngled(printer, *this);
    }
  }];
}

// `"a"=2`
def MeshAxisAttr : SdyAttr<"MeshAxis", "mesh_axis"> {
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
}

// `["a"=2, "b"=4], device_ids=[…]`. Without ids, device i is at place i; a mesh
// without axes and with one id is that device.
def MeshAttr : SdyAttr<"Mesh", "mesh"> {
  let parameters = (ins ArrayRefParameter<"MeshAxisAttr">:$axes,
                    ArrayRefParameter<"int64_t">:$deviceIds);
}

// `(1)2`: the product of the sizes before the part, and the part's size.
def SubAxisInfoAttr : SdyAttr<"SubAxisInfo", "sub_axis_info"> {
  let parameters = (ins "int64_t":$preSize, "int64_t":$size);
}

// `"a"` or `"a":(1)2`
def AxisRefAttr : SdyAttr<"AxisRef", "axis_ref"> {
  let parameters = (ins StringRefParameter<>:$name,
                    OptionalParameter<"SubAxisInfoAttr">:$subAxis);
}

// `{"a", "b":(1)2}`. An open one may be sharded further: `{"a", ?}`. `{"a"}p1`
// has a priority.
def DimensionShardingAttr
    : SdyAttr<"DimensionSharding", "dimension_sharding"> {
  let parameters = (ins ArrayRefParameter<"AxisRefAttr">:$axes,
                    "bool":$isClosed, "std::optional<int64_t>":$priority);
}

def Reduction : I32EnumAttr<"Reduction", "how unreduced parts are combined",
                            [I32EnumAttrCase<"Sum", 0, "sum">,
                             I32EnumAttrCase<"Max", 1, "max">,
                             I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::indexical::sdy";
  let genSpecializedAttr = 0;
}

// `@mesh, [{"a"}, {}], replicated={"b"}, unreduced=max{"c"}`; the mesh may stand
// here: `mesh<["a"=2]>`.
def TensorShardingAttr : SdyAttr<"TensorSharding", "sharding"> {
  let parameters = (ins "::mlir::Attribute":$mesh,
                    ArrayRefParameter<"DimensionShardingAttr">:$dimensions,
                    ArrayRefParameter<"AxisRefAttr">:$replicated,
                    ArrayRefParameter<"AxisRefAttr">:$unreduced,
                    "Reduction":$reduction);
}

// `[<@mesh, [{"a"}]>, <@mesh, [{}]>]`
def TensorShardingPerValueAttr
    : SdyAttr<"TensorShardingPerValue", "sharding_per_value"> {
  let parameters = (ins ArrayRefParameter<"TensorShardingAttr">:$shardings);
}

// `{"a", "b"}`: names of axes.
def ManualAxesAttr : SdyAttr<"ManualAxes", "manual_axes"> {
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$axes);
}

// `{"a", "b":(1)2}`
def AxisRefListAttr : SdyAttr<"AxisRefList", "axis_ref_list"> {
  let parameters = (ins ArrayRefParameter<"AxisRefAttr">:$axes);
}

// `[{"a"}, {}]`: a list for each dimension.
def ListOfAxisRefListsAttr
    : SdyAttr<"ListOfAxisRefLists", "list_of_axis_ref_lists"> {
  let parameters = (ins ArrayRefParameter<"AxisRefListAttr">:$lists);
}

// `{"a"}: 0->2`: the axes go from one dimension to another.
def AllToAllParamAttr : SdyAttr<"AllToAllParam", "all_to_all_param"> {
  let parameters = (ins ArrayRefParameter<"AxisRefAttr">:$axes,
                    "int64_t":$sourceDimension, "int64_t":$targetDimension);
}

// `[{"a"}: 0->2, {"b"}: 1->0]`
def AllToAllParamListAttr
    : SdyAttr<"AllToAllParamList", "all_to_all_param_list"> {
  let parameters = (ins ArrayRefParameter<"AllToAllParamAttr">:$params);
}

// `ij`: the factors of a dimension, by number. Factors 0 to 17 are the letters i
// to z, those behind them z_1, z_2 and so on.
def DimMappingAttr : SdyAttr<"DimMapping", "dim_mapping"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$factors);
}

// `[i, jk]`
def TensorMappingAttr : SdyAttr<"TensorMapping", "tensor_mapping"> {
  let parameters = (ins ArrayRefParameter<"DimMappingAttr">:$dimensions);
}

// `([i, j])->([k, j]) {i=4, j=8, k=4} reduction={j}, custom`
def OpShardingRuleAttr : SdyAttr<"OpShardingRule", "op_sharding_rule"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$factorSizes,
                    ArrayRefParameter<"TensorMappingAttr">:$operands,
                    ArrayRefParameter<"TensorMappingAttr">:$results,
                    ArrayRefParameter<"int64_t">:$reduction,
                    ArrayRefParameter<"int64_t">:$needReplication,
                    ArrayRefParameter<"int64_t">:$permutation,
                    ArrayRefParameter<"int64_t">:$blockedPropagation,
                    "bool":$isCustom);
}

//===-- Ops ---------------------------------------------------------------===//

// Attributes are optional, since other programs' texts leave some of them out.
// In bytecode most are mandatory (sdy_bytecode.cc).
class SdyOp<string mnemonic, list<Trait> traits = []>
    : Op<SdyDialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands),
              [{
      $_state.addTypes(types);
      $_state.addOperands(operands);
    }]>];
}

// An op with attributes.
class SdyAttributeOp<string mnemonic, list<Trait> traits = []>
    : SdyOp<mnemonic, traits> {
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::readProperties(
        ::mlir::DialectBytecodeReader &reader, ::mlir::OperationState &state) {
      return readFields(reader, state);
    }
    void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
      writeFields(writer, *this);
    }
  }];
}

def MeshOp : SdyAttributeOp<"mesh", [Symbol]> {
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<MeshAttr>:$mesh);
  let assemblyFormat = "$sym_name custom<Mesh>($mesh) attr-dict";
}

def ReturnOp : SdyOp<"return", [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

// Ops whose result is the operand's value, laid out differently.
class SdySame<string mnemonic>
    : SdyAttributeOp<mnemonic, [AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyType:$input,
                   OptionalAttr<TensorShardingAttr>:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input custom<OptionalSharding>($sharding) attr-dict `:` type($input)
  }];
}
def ReshardOp : SdySame<"reshard">;
def ShardingConstraintOp : SdySame<"sharding_constraint">;
def DataFlowEdgeOp : SdySame<"data_flow_edge">;
def FuncDataFlowEdgeOp : SdyOp<"func_data_flow_edge",
                               [AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

// Communication that changes where parts of a tensor are placed. The whole
// tensor keeps its values.
class SdyCollective<string mnemonic, dag attributes, string format>
    : SdyAttributeOp<mnemonic, [AllTypesMatch<["input", "result"]>]> {
  let arguments = !con((ins AnyType:$input), attributes,
                       (ins OptionalAttr<TensorShardingAttr>:$out_sharding));
  let results = (outs AnyType:$result);
  let assemblyFormat = format # [{
    $input (`out_sharding` `=` custom<Angled>($out_sharding)^)? attr-dict
      `:` type($input)
  }];
}
def AllGatherOp
    : SdyCollective<"all_gather",
                    (ins OptionalAttr<ListOfAxisRefListsAttr>:$gathering_axes),
                    "custom<Body>($gathering_axes)">;
def AllSliceOp
    : SdyCollective<"all_slice",
                    (ins OptionalAttr<ListOfAxisRefListsAttr>:$slicing_axes),
                    "custom<Body>($slicing_axes)">;
def ShardedToUnreducedOp
    : SdyCollective<"sharded_to_unreduced",
                    (ins OptionalAttr<ListOfAxisRefListsAttr>:$axes),
                    "custom<Body>($axes)">;
def ReplicatedToUnreducedOp
    : SdyCollective<"replicated_to_unreduced",
                    (ins OptionalAttr<AxisRefListAttr>:$axes),
                    "custom<Body>($axes)">;
def AllToAllOp
    : SdyCollective<"all_to_all",
                    (ins OptionalAttr<AllToAllParamListAttr>:$params),
                    "custom<Body>($params)">;
def CollectivePermuteOp : SdyCollective<"collective_permute", (ins), "">;
def AllReduceOp
    : SdyCollective<"all_reduce",
                    (ins OptionalAttr<AxisRefListAttr>:$reduction_axes,
                     OptionalAttr<AnyAttr>:$reduction_op),
                    [{custom<ReductionWord>($reduction_op)
                      custom<Body>($reduction_axes)}]>;
def ReduceScatterOp
    : SdyCollective<
          "reduce_scatter",
          (ins OptionalAttr<ListOfAxisRefListsAttr>:$reduce_scatter_axes,
           OptionalAttr<AnyAttr>:$reduction_op),
          [{custom<ReductionWord>($reduction_op)
            custom<Body>($reduce_scatter_axes)}]>;

def ConstantOp
    : SdyAttributeOp<"constant", [AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict $value";
}

def PropagationBarrierOp
    : SdyAttributeOp<"propagation_barrier",
                     [AllTypesMatch<["input", "result"]>]> {
  // A word in text, its number in bytecode.
  let arguments = (ins AnyType:$input, AnyAttr:$allowed_direction);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input `allowed_direction` `=` custom<Word>($allowed_direction) attr-dict
      `:` type($input)
  }];
}

def ShardingGroupOp : SdyAttributeOp<"sharding_group"> {
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = [{
    $input `group_id` `=` $group_id attr-dict `:` type($input)
  }];
}

// The body computes on each device's part.
class SdyComputation<string mnemonic> : SdyAttributeOp<mnemonic> {
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}
def ManualComputationOp : SdyComputation<"manual_computation"> {
  let arguments = (ins Variadic<AnyType>:$operands,
                   OptionalAttr<TensorShardingPerValueAttr>:$in_shardings,
                   OptionalAttr<TensorShardingPerValueAttr>:$out_shardings,
                   OptionalAttr<ManualAxesAttr>:$manual_axes);
}
def NamedComputationOp : SdyComputation<"named_computation"> {
  let arguments = (ins Variadic<AnyType>:$operands, StrAttr:$name,
                   OptionalAttr<TensorShardingPerValueAttr>:$in_shardings,
                   OptionalAttr<TensorShardingPerValueAttr>:$out_shardings);
}

#endif

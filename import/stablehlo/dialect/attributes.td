// Enumerations, attributes and types of StableHLO.
#ifndef INDEXICAL_STABLEHLO_ATTRIBUTES
#define INDEXICAL_STABLEHLO_ATTRIBUTES

include "import/stablehlo/dialect/base.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

//===-- Enumerations: `#stablehlo<comparison_direction EQ>` ---------------===//

class Enumeration<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::indexical::stablehlo";
  let genSpecializedAttr = 0;
}
class EnumerationAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<StablehloDialect, info, mnemonic>;

class Case<string name, int value> : I32EnumAttrCase<name, value>;

def ComparisonDirection
    : Enumeration<"ComparisonDirection", "direction of a comparison",
                  [Case<"EQ", 0>, Case<"NE", 1>, Case<"GE", 2>, Case<"GT", 3>,
                   Case<"LE", 4>, Case<"LT", 5>]>;
def ComparisonDirectionAttr
    : EnumerationAttr<ComparisonDirection, "comparison_direction">;

def ComparisonType
    : Enumeration<"ComparisonType", "order in which values are compared",
                  [Case<"NOTYPE", 0>, Case<"FLOAT", 1>, Case<"TOTALORDER", 2>,
                   Case<"SIGNED", 3>, Case<"UNSIGNED", 4>]>;
def ComparisonTypeAttr : EnumerationAttr<ComparisonType, "comparison_type">;

def Precision : Enumeration<"Precision", "precision of a contraction",
                            [Case<"DEFAULT", 0>, Case<"HIGH", 1>,
                             Case<"HIGHEST", 2>]>;
def PrecisionAttr : EnumerationAttr<Precision, "precision">;

def FftType : Enumeration<"FftType", "kind of Fourier transform",
                          [Case<"FFT", 0>, Case<"IFFT", 1>, Case<"RFFT", 2>,
                           Case<"IRFFT", 3>]>;
def FftTypeAttr : EnumerationAttr<FftType, "fft_type">;

def Transpose : Enumeration<"Transpose", "what is done to the matrix first",
                            [Case<"TRANSPOSE_INVALID", 0>,
                             Case<"NO_TRANSPOSE", 1>, Case<"TRANSPOSE", 2>,
                             Case<"ADJOINT", 3>]>;
def TransposeAttr : EnumerationAttr<Transpose, "transpose">;

def RngDistribution : Enumeration<"RngDistribution", "distribution",
                                  [Case<"UNIFORM", 1>, Case<"NORMAL", 2>]>;
def RngDistributionAttr : EnumerationAttr<RngDistribution, "rng_distribution">;

def RngAlgorithm : Enumeration<"RngAlgorithm", "generator of random bits",
                               [Case<"DEFAULT", 0>, Case<"THREE_FRY", 1>,
                                Case<"PHILOX", 2>]>;
def RngAlgorithmAttr : EnumerationAttr<RngAlgorithm, "rng_algorithm">;

def ResultAccuracyMode
    : Enumeration<"ResultAccuracyMode", "how an accuracy is given",
                  [Case<"DEFAULT", 0>, Case<"HIGHEST", 1>,
                   Case<"TOLERANCE", 2>]>;
def ResultAccuracyModeAttr
    : EnumerationAttr<ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

// Written as a plain integer: `api_version = 2 : i32`.
def CustomCallApiVersion
    : I32EnumAttr<"CustomCallApiVersion", "version of the calling convention",
                  [Case<"API_VERSION_UNSPECIFIED", 0>,
                   Case<"API_VERSION_ORIGINAL", 1>,
                   Case<"API_VERSION_STATUS_RETURNING", 2>,
                   Case<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
                   Case<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::indexical::stablehlo";
}

//===-- Attributes --------------------------------------------------------===//

class StablehloAttr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<StablehloDialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// Named lists and numbers in any order, empty lists left out:
// `#stablehlo.gather<offset_dims = [3, 4], index_vector_dim = 3>`.
class FieldsAttr<string name, string attrMnemonic>
    : StablehloAttr<name, attrMnemonic> {
  let hasCustomAssemblyFormat = 1;
}

def GatherDimensionNumbersAttr : FieldsAttr<"GatherDimensionNumbers", "gather"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$offsetDims,
                    ArrayRefParameter<"int64_t">:$collapsedSliceDims,
                    ArrayRefParameter<"int64_t">:$operandBatchingDims,
                    ArrayRefParameter<"int64_t">:$startIndicesBatchingDims,
                    ArrayRefParameter<"int64_t">:$startIndexMap,
                    "int64_t":$indexVectorDim);
}

def ScatterDimensionNumbersAttr
    : FieldsAttr<"ScatterDimensionNumbers", "scatter"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$updateWindowDims,
                    ArrayRefParameter<"int64_t">:$insertedWindowDims,
                    ArrayRefParameter<"int64_t">:$inputBatchingDims,
                    ArrayRefParameter<"int64_t">:$scatterIndicesBatchingDims,
                    ArrayRefParameter<"int64_t">:$scatterDimsToOperandDims,
                    "int64_t":$indexVectorDim);
}

def DotDimensionNumbersAttr : FieldsAttr<"DotDimensionNumbers", "dot"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
                    ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
                    ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
                    ArrayRefParameter<"int64_t">:$rhsContractingDimensions);
}

// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, or `raw` and its nine fields.
def ConvDimensionNumbersAttr : FieldsAttr<"ConvDimensionNumbers", "conv"> {
  let parameters = (ins "int64_t":$inputBatchDimension,
                    "int64_t":$inputFeatureDimension,
                    ArrayRefParameter<"int64_t">:$inputSpatialDimensions,
                    "int64_t":$kernelInputFeatureDimension,
                    "int64_t":$kernelOutputFeatureDimension,
                    ArrayRefParameter<"int64_t">:$kernelSpatialDimensions,
                    "int64_t":$outputBatchDimension,
                    "int64_t":$outputFeatureDimension,
                    ArrayRefParameter<"int64_t">:$outputSpatialDimensions);
}

def OutputOperandAliasAttr
    : FieldsAttr<"OutputOperandAlias", "output_operand_alias"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$outputTupleIndices,
                    "int64_t":$operandIndex,
                    ArrayRefParameter<"int64_t">:$operandTupleIndices);
}

def ChannelHandleAttr : StablehloAttr<"ChannelHandle", "channel_handle"> {
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

// The largest size of each dimension whose size is unknown, `?` where there is
// none: the encoding of `tensor<?x4xf32, #stablehlo.bounds<16, ?>>`. It was
// written `#stablehlo.type_extensions<bounds = [16, ?]>` once.
def BoundsAttr
    : StablehloAttr<"Bounds", "bounds",
                    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

def DotAlgorithmAttr : StablehloAttr<"DotAlgorithm", "dot_algorithm"> {
  let parameters = (ins "::mlir::Type":$lhsPrecisionType,
                    "::mlir::Type":$rhsPrecisionType,
                    "::mlir::Type":$accumulationType,
                    "int64_t":$lhsComponentCount,
                    "int64_t":$rhsComponentCount,
                    "int64_t":$numPrimitiveOperations,
                    "bool":$allowImpreciseAccumulation);
  let hasCustomAssemblyFormat = 1;
}

def ResultAccuracyAttr : StablehloAttr<"ResultAccuracy", "result_accuracy"> {
  let parameters = (ins APFloatParameter<"">:$atol, APFloatParameter<"">:$rtol,
                    "int64_t":$ulps, "ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

// Groups of devices by axes of a mesh, written in place or named:
// `#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [...]>`. The axis
// `<name = "x", sub_axis_info = (1)2>` is a part of x: the 1 devices before it
// and its own size, 2.
def MeshAxisAttr : StablehloAttr<"MeshAxis", "mesh_axis"> {
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}
def MeshAttr : StablehloAttr<"Mesh", "mesh"> {
  let parameters = (ins "::mlir::ArrayAttr":$axes,
                    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
  let assemblyFormat = "`<` struct(params) `>`";
}
def SubAxisInfoAttr : StablehloAttr<"SubAxisInfo", "sub_axis_info"> {
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
}
def AxisRefAttr : StablehloAttr<"AxisRef", "axis_ref"> {
  let parameters = (ins StringRefParameter<>:$name,
                    OptionalParameter<"SubAxisInfoAttr">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}
def ReplicaGroupMeshAxesAttr
    : StablehloAttr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def PrecisionConfig
    : TypedArrayAttrBase<PrecisionAttr, "list of precisions">;

//===-- Types -------------------------------------------------------------===//

def TokenType : TypeDef<StablehloDialect, "Token"> {
  let mnemonic = "token";
}

// The type of an op that is still running: it will have results of `types`.
def FutureType : TypeDef<StablehloDialect, "Future"> {
  let mnemonic = "future";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
}

#endif

// Common definitions for all groups of StableHLO ops: the dialect, the
// constraints on types and attributes, the base classes of ops.
#ifndef INDEXICAL_STABLEHLO_BASE
#define INDEXICAL_STABLEHLO_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StablehloDialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::indexical::stablehlo";
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

   private:
    // Defined once for each group, beside the group's generated code.
    void addAttributes();
    void addTypes();
    void addElementwiseOps();
    void addMovementOps();
    void addReductionOps();
    void addContractionOps();
    void addDynamicOps();
    void addControlOps();
    void addCollectiveOps();
  }];
}

//===-- Types -------------------------------------------------------------===//

// A ranked tensor whose elements are of one of the listed kinds.
class TensorOfKinds<list<string> kinds, string summary>
    : Type<CPred<"::indexical::stablehlo::isTensorOf($_self, " #
                 !interleave(!foreach(kind, kinds,
                                      "::indexical::stablehlo::" # kind),
                             " | ") # ")">,
           "ranked tensor" # summary, "::mlir::RankedTensorType">;

def Tensor : TensorOfKinds<["kAny"], "">;
def PredTensor : TensorOfKinds<["kPred"], " of i1">;
def IntTensor : TensorOfKinds<["kInt", "kIndex"], " of integers">;
def PredOrIntTensor : TensorOfKinds<["kPred", "kInt"], " of i1 or integers">;
def ShapeTensor : TensorOfKinds<["kInt", "kIndex"], " of integers or index values">;
def FloatTensor : TensorOfKinds<["kFloat", "kQuantized"], " of floating point values">;
def ComplexTensor : TensorOfKinds<["kComplex"], " of complex values">;
def FloatOrComplexTensor
    : TensorOfKinds<["kFloat", "kComplex", "kQuantized"],
               " of floating point or complex values">;
def NumberTensor
    : TensorOfKinds<["kInt", "kIndex", "kFloat", "kComplex", "kQuantized"],
               " of integers, floating point or complex values">;
def RealTensor : TensorOfKinds<["kFloat", "kInt", "kIndex", "kQuantized"],
                          " of integers or floating point values">;
def QuantizedTensor : TensorOfKinds<["kQuantized"], " of quantized values">;
def Token : Type<CPred<"::indexical::stablehlo::isToken($_self)">,
                 "StableHLO token">;
def TensorOrToken
    : Type<Or<[Tensor.predicate, Token.predicate]>, "ranked tensor or token">;
def Future : Type<CPred<"::indexical::stablehlo::isFuture($_self)">,
                  "StableHLO future">;
def Tuple : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">, "tuple",
                 "::mlir::TupleType">;

//===-- Lists of numbers --------------------------------------------------===//

// `array<i64: 1, 2>` or, in older files, `dense<[1, 2]> : tensor<2xi64>`. The
// attribute stays as it was written; the accessor returns the numbers.
def IntList
    : Attr<CPred<"::indexical::stablehlo::isIntegerList($_self)">,
           "list of 64-bit integers (array<i64: 1, 2>)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::llvm::SmallVector<int64_t>";
  let convertFromStorage = "::indexical::stablehlo::integers($_self)";
}

def BoolList
    : Attr<CPred<"::indexical::stablehlo::isBooleanList($_self)">,
           "list of booleans (array<i1: true, false>)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::llvm::SmallVector<bool>";
  let convertFromStorage = "::indexical::stablehlo::booleans($_self)";
}

// Rows of equally many integers: `dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>`.
def IntTable
    : Attr<CPred<"::indexical::stablehlo::isIntegerTable($_self)">,
           "matrix of 64-bit integers (dense<[[0, 1]]> : tensor<1x2xi64>)"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::llvm::SmallVector<::llvm::SmallVector<int64_t>>";
  let convertFromStorage = "::indexical::stablehlo::integerTable($_self)";
}

// One number of `i64`, which may be negative in a file that is wrong.
def SizeAttr : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit integer">;

// Groups of devices: a matrix, or axes of a mesh.
def ReplicaGroups
    : Attr<CPred<"::indexical::stablehlo::isReplicaGroups($_self)">,
           "matrix of 64-bit integers or #stablehlo.replica_group_mesh_axes"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

//===-- Ops ---------------------------------------------------------------===//

// An op with an array in its result: shapes of operands and result agree.
def AgreeingShapes : NativeOpTrait<"AgreeingShapes"> {
  let cppNamespace = "::indexical::stablehlo";
}

// An op whose operands and results agree in their element types.
def AgreeingElements : NativeOpTrait<"AgreeingElements"> {
  let cppNamespace = "::indexical::stablehlo";
}

// Whether the op may be speculated: run at a point that the program would not
// have reached (speculation.h). An op that always may is Pure.
class SpeculationTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::indexical::stablehlo";
}
class ShapeOperandsTrait<int data>
    : ParamNativeOpTrait<"ConstantShapesSpeculate", "" # data> {
  let cppNamespace = "::indexical::stablehlo";
}
def PureIfStatic
    : TraitList<[ConditionallySpeculatable, NoMemoryEffect,
                 SpeculationTrait<"StaticTypesSpeculate">]>;
// The first `data` operands of the op give no shape.
class PureIfShapesConstant<int data>
    : TraitList<[ConditionallySpeculatable, NoMemoryEffect,
                 ShapeOperandsTrait<data>]>;
def AsItsBodies
    : TraitList<[ConditionallySpeculatable, RecursiveMemoryEffects,
                 SpeculationTrait<"StaticBodiesSpeculate">]>;

// One builder for each op, since ops are parsed and rarely built one by one.
def PlainBuilder
    : OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands,
                 CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes),
                [{
      $_state.addTypes(types);
      $_state.addOperands(operands);
      $_state.addAttributes(attributes);
    }]>;

class StablehloOp<string mnemonic, list<Trait> traits = []>
    : Op<StablehloDialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [PlainBuilder];
}

// An op whose verify() names the constraints of the specification.
class VerifiedOp<string mnemonic, list<Trait> traits = []>
    : StablehloOp<mnemonic, traits> {
  let hasVerifier = 1;
}

#endif

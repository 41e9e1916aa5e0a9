// Dialects that stand beside StableHLO in real files: what tests are written
// with (check, interpreter, util, flow), what says where data is computed
// (mpmd), what differentiates (enzyme, enzymexla), and what MHLO has beside
// StableHLO's ops. sdy has its own file.
// Only as much of each as it takes to read them.
#ifndef INDEXICAL_STABLEHLO_NEIGHBOURS
#define INDEXICAL_STABLEHLO_NEIGHBOURS

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Neighbour<string dialect> : Dialect {
  let name = dialect;
  let cppNamespace = "::indexical::neighbours";
  // Attributes and types are kept as their text.
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override {
      return ::mlir::OpaqueType::get(
          ::mlir::StringAttr::get(getContext(), getNamespace()),
          parser.getFullSymbolSpec());
    }
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type) const override {
      return ::mlir::OpaqueAttr::get(
          ::mlir::StringAttr::get(getContext(), getNamespace()),
          parser.getFullSymbolSpec(), ::mlir::NoneType::get(getContext()));
    }
  }];
}

class NeighbourOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, traits> {
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands),
              [{
      $_state.addTypes(types);
      $_state.addOperands(operands);
    }]>];
}

//===-- check: what a test expects ----------------------------------------===//

def CheckDialect : Neighbour<"check">;

class ExpectConstant<string mnemonic> : NeighbourOp<CheckDialect, mnemonic> {
  let arguments = (ins AnyType:$lhs, ElementsAttr:$value);
  let assemblyFormat = [{
    custom<ExpectedConstant>($lhs, type($lhs), $value) attr-dict
  }];
}
def ExpectEqConstOp : ExpectConstant<"expect_eq_const">;
def ExpectAlmostEqConstOp : ExpectConstant<"expect_almost_eq_const">;

class ExpectValue<string mnemonic>
    : NeighbourOp<CheckDialect, mnemonic, [AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}
def ExpectEqOp : ExpectValue<"expect_eq">;
def ExpectAlmostEqOp
    : NeighbourOp<CheckDialect, "expect_almost_eq",
                  [AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs,
                   OptionalAttr<F64Attr>:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict `:` type($lhs)
  }];
}

def ExpectCloseOp : NeighbourOp<CheckDialect, "expect_close"> {
  let arguments = (ins AnyType:$lhs, AnyType:$rhs,
                   DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference,
                   UI64Attr:$max_ulp_difference);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `max_ulp_difference` `=` $max_ulp_difference
      (`,` `min_ulp_difference` `=` $min_ulp_difference^)? attr-dict
      `:` type($lhs) `,` type($rhs)
  }];
}

//===-- interpreter, util, flow -------------------------------------------===//

def InterpreterDialect : Neighbour<"interpreter">;
def PrintOp : NeighbourOp<InterpreterDialect, "print"> {
  let arguments = (ins AnyType:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def UtilDialect : Neighbour<"util">;
def UnfoldableConstantOp
    : NeighbourOp<UtilDialect, "unfoldable_constant",
                  [AllTypesMatch<["value", "result"]>]> {
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict $value";
}
def UtilBarrierOp : NeighbourOp<UtilDialect, "optimization_barrier",
                                [AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def FlowDialect : Neighbour<"flow">;
def DynamicConstantOp : NeighbourOp<FlowDialect, "tensor.dynamic_constant"> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict $value `->` type($result)";
}

//===-- enzyme: derivatives of functions ----------------------------------===//

def EnzymeDialect : Neighbour<"enzyme">;

class EnzymeCall<string mnemonic> : NeighbourOp<EnzymeDialect, mnemonic> {
  let arguments = (ins FlatSymbolRefAttr:$fn, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $fn `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
}
def AutoDiffOp : EnzymeCall<"autodiff">;
def BatchOp : EnzymeCall<"batch">;
def ForwardDiffOp : EnzymeCall<"fwddiff">;

//===-- enzymexla: messages between processes, and calls of libraries -------===//

def EnzymexlaDialect : Neighbour<"enzymexla">;

class EnzymexlaOp<string mnemonic> : NeighbourOp<EnzymexlaDialect, mnemonic> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
}
class FunctionalEnzymexlaOp<string mnemonic> : EnzymexlaOp<mnemonic> {
  let assemblyFormat = [{
    $operands attr-dict `:` functional-type(operands, results)
  }];
}
def SincOp : FunctionalEnzymexlaOp<"math.sinc">;
def SyrkOp : FunctionalEnzymexlaOp<"blas.syrk">;

class ReceivingOp<string mnemonic> : EnzymexlaOp<mnemonic> {
  let assemblyFormat = [{
    `(` $operands `)` attr-dict `:` functional-type(operands, results)
  }];
}
def MpiAllreduceOp : ReceivingOp<"mpi.allreduce">;
def MpiBroadcastOp : ReceivingOp<"mpi.bcast">;
def MpiIsendOp : ReceivingOp<"mpi.isend">;

class SendingOp<string mnemonic> : NeighbourOp<EnzymexlaDialect, mnemonic> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "`(` $operands `)` attr-dict `:` type($operands)";
}
def MpiSendOp : SendingOp<"mpi.send">;
def MpiWaitOp : SendingOp<"mpi.wait">;

//===-- mpmd: programs on several meshes ----------------------------------===//

def MpmdDialect : Neighbour<"mpmd">;

class MpmdOp<string mnemonic, list<Trait> traits = []>
    : NeighbourOp<MpmdDialect, mnemonic, traits>;

def MpmdReturnOp : MpmdOp<"return", [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

// Ops whose result is the operand's value, on another mesh.
class MpmdMove<string mnemonic> : MpmdOp<mnemonic> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    attr-dict $operand `:` functional-type(operands, results)
  }];
}
def AssignOp : MpmdMove<"assign">;
def UnassignOp : MpmdMove<"unassign">;
def TransferOp : MpmdMove<"transfer">;

def MpmdReduceOp : MpmdOp<"reduce"> {
  let arguments = (ins Variadic<AnyType>:$operands,
                   OptionalAttr<AnyAttr>:$reduction);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<ReductionText>($reduction) attr-dict $operands
      `:` functional-type(operands, results)
  }];
}

class MpmdCall<string mnemonic> : MpmdOp<mnemonic> {
  let arguments = (ins OptionalAttr<AnyAttr>:$target, FlatSymbolRefAttr:$callee,
                   Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    custom<FragmentText>($target) $callee `(` $operands `)` attr-dict
      `:` functional-type(operands, results)
  }];
}
def MpmdCallOp : MpmdCall<"call">;
def FragmentCallOp : MpmdCall<"fragment_call">;

// `<mesh="m1", origin=["f1"]> (%0) {…} (%a: t) { … } : (t) -> t`.
class MpmdComputation<string mnemonic> : MpmdOp<mnemonic> {
  let arguments = (ins Variadic<AnyType>:$operands,
                   OptionalAttr<AnyAttr>:$target);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}
def FragmentOp : MpmdComputation<"fragment">;
def MpmdNamedComputationOp : MpmdComputation<"named_computation">;

//===-- mhlo: what StableHLO's elder has beside it ------------------------===//

// Every other op of MHLO is read as StableHLO's (text/mhlo.h).
def MhloDialect : Neighbour<"mhlo">;

class MhloOp<string mnemonic, list<Trait> traits = [Pure]>
    : NeighbourOp<MhloDialect, mnemonic, traits> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
}
// `%0, %1 : (a, b) -> c`.
class MhloFunction<string mnemonic> : MhloOp<mnemonic> {
  let assemblyFormat = [{
    $operands attr-dict `:` functional-type(operands, results)
  }];
}
def MhloAddDependencyOp : MhloFunction<"add_dependency">;
def MhloBitcastOp : MhloFunction<"bitcast">;
def MhloComputeReshapeShapeOp : MhloFunction<"compute_reshape_shape">;
def MhloCstrReshapableOp : MhloFunction<"cstr_reshapable">;
def MhloStochasticConvertOp : MhloFunction<"stochastic_convert">;

def MhloCopyOp : NeighbourOp<MhloDialect, "copy", [Pure]> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<AgreeingTypes>(type($operand), type($result))
  }];
}
def MhloMinimumBroadcastShapesOp : MhloOp<"minimum_broadcast_shapes"> {
  let assemblyFormat = [{
    $operands attr-dict `:` type($operands) `->` type($results)
  }];
}
def MhloTopKOp : NeighbourOp<MhloDialect, "topk", [Pure]> {
  let arguments = (ins AnyType:$operand, I64Attr:$k, OptionalAttr<BoolAttr>:$largest);
  let results = (outs AnyType:$values, AnyType:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `` `=` `` $k (`,` `largest` `` `=` `` $largest^)? `)`
      attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}
def MhloDomainOp : MhloOp<"domain">;
def MhloRngStateOp : MhloOp<"xla.rng_get_and_update_state", []>;
// The computation of each is a function's, `called_computation = @f`.
def MhloAsyncStartOp : MhloOp<"async_start", []>;
def MhloAsyncUpdateOp : MhloOp<"async_update">;
def MhloAsyncDoneOp : MhloOp<"async_done">;
def MhloFusionOp : MhloOp<"fusion", [RecursiveMemoryEffects]> {
  let regions = (region SizedRegion<1>:$fused_computation);
}

#endif

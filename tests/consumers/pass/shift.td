// A dialect of the consumer's own, whose op says what it reads.
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "import/stablehlo/indexical/indexical.td"

def ShiftDialect : Dialect {
  let name = "shift";
  let cppNamespace = "::shift";
}

def RotateOp : Op<ShiftDialect, "rotate", [
    Pure, AllTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<ReadsOpInterface, ["describeAccesses"]>]> {
  let arguments = (ins RankedTensorOf<[AnyType]>:$source, I64Attr:$by);
  let results = (outs RankedTensorOf<[AnyType]>:$result);
  let assemblyFormat = "$source `by` $by attr-dict `:` type($source)";
}

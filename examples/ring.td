// A dialect of somebody else's: arrays as rings.
#ifndef INDEXICAL_EXAMPLES_RING
#define INDEXICAL_EXAMPLES_RING

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "import/stablehlo/indexical/indexical.td"

def RingDialect : Dialect {
  let name = "ring";
  let cppNamespace = "::ring";
}

// It says itself what it reads.
def RotateOp : Op<RingDialect, "rotate", [
    Pure, AllTypesMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<ReadsOpInterface, ["describeAccesses"]>]> {
  let arguments = (ins RankedTensorOf<[AnyType]>:$source, I64Attr:$by);
  let results = (outs RankedTensorOf<[AnyType]>:$result);
  let assemblyFormat = "$source `by` $by attr-dict `:` type($source)";
}

// It knows nothing of maps; an external model is attached to it.
def MirrorOp : Op<RingDialect, "mirror", [
    Pure, AllTypesMatch<["source", "result"]>]> {
  let arguments = (ins RankedTensorOf<[AnyType]>:$source);
  let results = (outs RankedTensorOf<[AnyType]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif  // INDEXICAL_EXAMPLES_RING

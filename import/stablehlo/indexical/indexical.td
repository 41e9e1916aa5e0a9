// The dialect `indexical`: maps as attributes, and the interface by which ops
// of other dialects say what they read.
#ifndef INDEXICAL_INDEXICAL_TD
#define INDEXICAL_INDEXICAL_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def IndexicalDialect : Dialect {
  let name = "indexical";
  let cppNamespace = "::indexical::ir";
  let useDefaultAttributePrinterParser = 1;
}

def MapAttr : AttrDef<IndexicalDialect, "Map"> {
  let mnemonic = "map";
  let summary = "an indexing map, as its text";
  let description = [{
    `#indexical.map<"(d0)[s0] -> (s0, d0), domain: d0 in [0, 7], s0 in [0, 3]">`
    holds the text of a map. It is parsed when the attribute is made, and written
    on one line, in the one way that a map is written. Sources of runtime
    variables are no part of the text.
  }];
  let parameters = (ins StringRefParameter<"the map's text">:$text);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The attribute of a map.
    static MapAttr get(::mlir::MLIRContext *context,
                       const ::indexical::IndexingMap &map);
    /// The map.
    ::indexical::IndexingMap getMap() const;
  }];
}

def ReadsOpInterface : OpInterface<"ReadsOpInterface"> {
  let cppNamespace = "::indexical::ir";
  let description = [{
    An op that says which elements of its operands each element of its results
    reads. Implement one of the two methods. Results and operands are numbered as
    array leaves: for an op whose operands and results are tensors, vectors or
    scalars these are their own numbers.

    `describeAccesses` adds accesses (ops/access.h): over loops, the element that
    is defined and the element that is read. It is asked once for each result and
    operand, when the op is imported; both directions follow.

    `describe` answers with a descriptor of ops/op.h instead: an op that is a
    transpose, a gather or a reduction by another name.
  }];
  let methods = [
    InterfaceMethod<
      "Adds what result `result` reads of operand `operand`.",
      "::absl::Status", "describeAccesses",
      (ins "const ::indexical::OpShapes &":$shapes, "int64_t":$result,
           "int64_t":$operand, "::indexical::AccessList &":$list),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::indexical::ir::notDescribed($_op);
      }]>,
    InterfaceMethod<
      "The op as a descriptor of these shapes.",
      "::absl::StatusOr<::indexical::Op>", "describe",
      (ins "::indexical::OpShapes":$shapes),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        auto reads = ::llvm::cast<::indexical::ir::ReadsOpInterface>(
            $_op.getOperation());
        return ::indexical::ir::describeByAccesses(reads, std::move(shapes));
      }]>
  ];
}

#endif  // INDEXICAL_INDEXICAL_TD

// How ops of MLIR become descriptors: one row an op.
//
//   %0 = stablehlo.transpose %arg0, dims = [1, 0]
//          : (tensor<2x3xf32>) -> tensor<3x2xf32>
//
//   row {"stablehlo.transpose", describeTranspose, kindOf<TransposeOp>()}
//   TransposeOp: operands {f32[2,3]}, results {f32[3,2]}, permutation {1, 0}
//
// A describer reads the attributes of a verified op and fills in a descriptor;
// it never builds a map where a family of ops/ has one. The rows of a dialect
// stand in one file, `DIALECT_ops.cc`. An op's own interface, where it has one
// (stablehlo/indexical/), comes first; an op without a row is described by its
// elementwise traits, else it is opaque.
#ifndef INDEXICAL_STABLEHLO_IMPORT_DESCRIBE_H
#define INDEXICAL_STABLEHLO_IMPORT_DESCRIBE_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"
#include "indexical/stablehlo/describe/describer.h"

namespace indexical {

/// A row: an op's name, its describer, and its kind: one that a family has, or
/// one of its own, whose name is the op's.
struct MlirOpInfo {
  constexpr MlirOpInfo(llvm::StringLiteral name, Describer describe,
                       const OpKind *kind)
      : name(name), describe(describe), own{name, {}}, shared(kind) {}
  constexpr MlirOpInfo(llvm::StringLiteral name, Describer describe,
                       Precision precision, llvm::StringLiteral note,
                       KernelRole role = KernelRole::Maps)
      : name(name),
        describe(describe),
        own{name, Traits().with(precision, note).with(role)},
        shared(nullptr) {}

  const OpKind &kind() const { return shared ? *shared : own; }

  llvm::StringLiteral name;  ///< `stablehlo.transpose`
  Describer describe;
  OpKind own;
  const OpKind *shared;
};

/// The rows of each dialect, in the order of names.
llvm::ArrayRef<MlirOpInfo> stablehloOps();  // and chlo
llvm::ArrayRef<MlirOpInfo> sdyOps();
llvm::ArrayRef<MlirOpInfo> tensorOps();
llvm::ArrayRef<MlirOpInfo> linalgOps();
llvm::ArrayRef<MlirOpInfo> vectorOps();
llvm::ArrayRef<MlirOpInfo> funcOps();    // and builtin
llvm::ArrayRef<MlirOpInfo> scalarOps();  // arith, complex, shape, affine, ub

/// All of them, in the order of names.
std::vector<const MlirOpInfo *> mlirOps();

/// The row of that name in any of them, or null.
const MlirOpInfo *findMlirOp(llvm::StringRef name);

/// The descriptor of any op: by its own interface, by its row, by its traits;
/// an opaque CoverOp where nothing is known of it.
absl::StatusOr<Op> describeOp(mlir::Operation *op, OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_DESCRIBE_H

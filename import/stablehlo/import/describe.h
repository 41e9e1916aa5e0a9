// The describers of ops of MLIR: one row for each op.
//
//   %0 = stablehlo.transpose %arg0, dims = [1, 0]
//          : (tensor<2x3xf32>) -> tensor<3x2xf32>
//
//   row {"stablehlo.transpose", describeTranspose, kindOf<TransposeOp>()}
//   TransposeOp: operands {f32[2,3]}, results {f32[3,2]}, permutation {1, 0}
//
// A describer reads the attributes of a verified op and fills in a descriptor.
// It builds no map if a family of ops/ has one. The rows of a dialect are in
// one file, `DIALECT_ops.cc`. An op's own interface takes precedence, if it has
// one (stablehlo/indexical/). An op without a row is described by its
// elementwise traits, or is opaque.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_DESCRIBE_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_DESCRIBE_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/describe/describer.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"

namespace indexical {

/// A row: an op's name, its describer, and its kind, which a family has or is
/// the op's own, with the op's name.
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
  constexpr MlirOpInfo(llvm::StringLiteral name, Describer describe,
                       ElementRule elements)
      : name(name),
        describe(describe),
        own{name, Traits().with(elements)},
        shared(nullptr) {}

  const OpKind &kind() const { return shared ? *shared : own; }

  llvm::StringLiteral name;  ///< `stablehlo.transpose`
  Describer describe;
  OpKind own;
  const OpKind *shared;
};

/// Return the rows of a dialect, ordered by name.
llvm::ArrayRef<MlirOpInfo> stablehloOps();  // and chlo
llvm::ArrayRef<MlirOpInfo> mhloOps();
llvm::ArrayRef<MlirOpInfo> sdyOps();
llvm::ArrayRef<MlirOpInfo> tensorOps();
llvm::ArrayRef<MlirOpInfo> linalgOps();
llvm::ArrayRef<MlirOpInfo> vectorOps();
llvm::ArrayRef<MlirOpInfo> funcOps();    // and builtin
llvm::ArrayRef<MlirOpInfo> scalarOps();  // arith, complex, shape, affine, ub

/// Returns the rows of all dialects, ordered by name.
std::vector<const MlirOpInfo *> mlirOps();

/// Returns the row of that name, or null if there is none.
const MlirOpInfo *findMlirOp(llvm::StringRef name);

/// Returns the descriptor of an op: by its own interface, by its row, by its
/// traits, or as an opaque CoverOp if it is unknown.
absl::StatusOr<Op> describeOp(mlir::Operation *op, OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_DESCRIBE_H

// Ops of func and builtin.
#include <numeric>

#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

absl::StatusOr<Op> describeCall(mlir::Operation *, OpShapes shapes) {
  return Op(make<CallOp>(std::move(shapes)));
}

/// A conversion of values to other types. If there are as many results as
/// operands, each result is one operand; else the op is a cover.
absl::StatusOr<Op> describeConversion(mlir::Operation *, OpShapes shapes) {
  if (shapes.operands.size() == shapes.results.size()) {
    auto op = make<ForwardOp>(std::move(shapes));
    op.reads.resize(op.results.size());
    std::iota(op.reads.begin(), op.reads.end(), 0);
    if (verify(Op(op)).ok()) return Op(std::move(op));
    shapes = op;
  }
  auto op = make<CoverOp>(std::move(shapes));
  op.reason = "a conversion between types of different shapes";
  return Op(std::move(op));
}

constexpr MlirOpInfo kFuncOps[] = {
    {"builtin.unrealized_conversion_cast", describeConversion, Precision::Cover,
     "exact where types keep their sizes"},
    {"func.call", describeCall, kindOf<CallOp>()},
};

}  // namespace

llvm::ArrayRef<MlirOpInfo> funcOps() { return kFuncOps; }

}  // namespace indexical

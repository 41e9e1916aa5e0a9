// The rows of sdy. Ops that say how a value is sharded return it unchanged, and
// so does communication: the array is whole, and only its parts move.
// Computations on parts of values are not described here.
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/stablehlo/dialect/sdy.h"
#include "indexical/import/stablehlo/import/stablehlo_rows.h"

namespace indexical {
namespace {

using namespace rows;

bool hasName(llvm::ArrayRef<mlir::StringAttr> names, llvm::StringRef name) {
  return llvm::any_of(
      names, [&](mlir::StringAttr each) { return each.getValue() == name; });
}

/// Whether the op moves along one of these axes.
bool movesAlong(mlir::Operation *op, llvm::ArrayRef<mlir::StringAttr> names) {
  auto isOne = [&](sdy::AxisRefAttr axis) {
    return hasName(names, axis.getName());
  };
  auto hasOne = [&](sdy::ListOfAxisRefListsAttr lists) {
    return lists && llvm::any_of(lists.getLists(), [&](auto list) {
      return llvm::any_of(list.getAxes(), isOne);
    });
  };
  for (mlir::NamedAttribute each : op->getAttrs()) {
    const mlir::Attribute value = each.getValue();
    if (hasOne(llvm::dyn_cast<sdy::ListOfAxisRefListsAttr>(value))) return true;
    if (auto list = llvm::dyn_cast<sdy::AxisRefListAttr>(value))
      if (llvm::any_of(list.getAxes(), isOne)) return true;
    if (auto moves = llvm::dyn_cast<sdy::AllToAllParamListAttr>(value))
      for (sdy::AllToAllParamAttr move : moves.getParams())
        if (llvm::any_of(move.getAxes(), isOne)) return true;
  }
  return false;
}

// clang-format off
constexpr MlirOpInfo kSdyOps[] = {
    {"sdy.all_gather", describeForward, kindOf<ForwardOp>()},
    {"sdy.all_reduce", describeForward, kindOf<ForwardOp>()},
    {"sdy.all_slice", describeForward, kindOf<ForwardOp>()},
    {"sdy.all_to_all", describeForward, kindOf<ForwardOp>()},
    {"sdy.collective_permute", describeForward, kindOf<ForwardOp>()},
    {"sdy.constant", describeConstant, kindOf<ConstantOp>()},
    {"sdy.data_flow_edge", describeForward, kindOf<ForwardOp>()},
    {"sdy.func_data_flow_edge", describeForward, kindOf<ForwardOp>()},
    {"sdy.propagation_barrier", describeForward, kindOf<ForwardOp>()},
    {"sdy.reduce_scatter", describeForward, kindOf<ForwardOp>()},
    {"sdy.reshard", describeForward, kindOf<ForwardOp>()},
    {"sdy.sharding_constraint", describeForward, kindOf<ForwardOp>()},
};
// clang-format on

}  // namespace

bool rows::movesManualParts(mlir::Operation *op) {
  if (!llvm::isa<sdy::AllGatherOp, sdy::AllReduceOp, sdy::AllSliceOp,
                 sdy::AllToAllOp, sdy::ReduceScatterOp>(op))
    return false;
  for (auto around = op->getParentOfType<sdy::ManualComputationOp>(); around;
       around = around->getParentOfType<sdy::ManualComputationOp>()) {
    const auto axes = around.getManualAxesAttr();
    if (!axes || movesAlong(op, axes.getAxes())) return true;
  }
  return false;
}

llvm::ArrayRef<MlirOpInfo> sdyOps() { return kSdyOps; }

}  // namespace indexical

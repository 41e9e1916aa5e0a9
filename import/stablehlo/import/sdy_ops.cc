// The rows of sdy. Ops that say how a value is sharded return it unchanged;
// computations on parts of values, and communication, are not described here.
#include "indexical/import/stablehlo/import/stablehlo_rows.h"

namespace indexical {
namespace {

using namespace rows;

// clang-format off
constexpr MlirOpInfo kSdyOps[] = {
    {"sdy.constant", describeConstant, kindOf<ConstantOp>()},
    {"sdy.data_flow_edge", describeForward, kindOf<ForwardOp>()},
    {"sdy.func_data_flow_edge", describeForward, kindOf<ForwardOp>()},
    {"sdy.propagation_barrier", describeForward, kindOf<ForwardOp>()},
    {"sdy.reshard", describeForward, kindOf<ForwardOp>()},
    {"sdy.sharding_constraint", describeForward, kindOf<ForwardOp>()},
};
// clang-format on

}  // namespace

llvm::ArrayRef<MlirOpInfo> sdyOps() { return kSdyOps; }

}  // namespace indexical

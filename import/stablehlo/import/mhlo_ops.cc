// The rows of MHLO's own ops. The others are read as StableHLO's
// (import/stablehlo/text/mhlo.h).
#include "indexical/import/stablehlo/import/stablehlo_rows.h"

namespace indexical {
namespace {

using namespace rows;

// clang-format off
constexpr MlirOpInfo kMhloOps[] = {
    {"mhlo.add_dependency", describeForward, kindOf<ForwardOp>("add-dependency")},
    {"mhlo.async_done", describeForward, kindOf<ForwardOp>("async-done")},
    {"mhlo.async_start", describeCall, kindOf<StartOp>()},
    {"mhlo.async_update", describeForward, kindOf<ForwardOp>("async-update")},
    {"mhlo.bitcast", describeBitcast, kindOf<BitcastOp>()},
    {"mhlo.compute_reshape_shape", describeCover, kindOf<CoverOp>()},
    {"mhlo.copy", describeElementwise, kindOf<ElementwiseOp>("copy")},
    {"mhlo.domain", describeForward, kindOf<ForwardOp>("domain")},
    {"mhlo.fusion", describeCall, kindOf<CallOp>("fusion")},
    {"mhlo.minimum_broadcast_shapes", describeCover, kindOf<CoverOp>()},
    {"mhlo.stochastic_convert", describeElementwise, kindOf<ElementwiseOp>("stochastic-convert")},
    {"mhlo.topk", describeTopK, kindOf<TopKOp>()},
    {"mhlo.xla.rng_get_and_update_state", describeNullary, kindOf<NullaryOp>("rng-get-and-update-state")},
};
// clang-format on

}  // namespace

llvm::ArrayRef<MlirOpInfo> mhloOps() { return kMhloOps; }

}  // namespace indexical

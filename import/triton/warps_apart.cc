#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/tracer.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::Operation;
using mlir::Region;

namespace {

/// The warps that run regions of their own at the same time.
struct Partitions {
  Region *common = nullptr;    ///< of the program's own warps
  std::vector<Region *> own;   ///< of other warps
  mlir::ValueRange captured;   ///< the values of each one's arguments
  std::vector<int64_t> warps;  ///< of each, or none
};

/// Returns the partitions of a `ttg.warp_specialize` or an `nvws.warp_group`.
Partitions partitionsOf(Operation &op) {
  Partitions all;
  if (const auto warps =
          op.getAttrOfType<mlir::DenseI32ArrayAttr>(kPartitionWarps))
    all.warps.assign(warps.asArrayRef().begin(), warps.asArrayRef().end());
  const bool hasCommon = op.getName().getStringRef() != "nvws.warp_group";
  all.captured = op.getOperands();
  llvm::MutableArrayRef<Region> regions = op.getRegions();
  if (hasCommon && !regions.empty()) {
    all.common = &regions.front();
    regions = regions.drop_front();
  }
  // In generic form an op around them holds those of other warps.
  if (regions.size() == 1 && regions.front().hasOneBlock() &&
      !regions.front().front().empty()) {
    Operation &inner = regions.front().front().front();
    if (inner.getName().getStringRef().ends_with("warp_specialize."
                                                 "partitions")) {
      if (inner.getNumOperands() > 0) all.captured = inner.getOperands();
      regions = inner.getRegions();
    }
  }
  for (Region &region : regions) all.own.push_back(&region);
  return all;
}

}  // namespace

/// Traces warps that work apart from each other. Each region runs once.
void Tracer::traceApart(Operation &op) {
  const Partitions all = partitionsOf(op);
  setUnknown(&op);
  const auto isBlock = [](Region *region) { return region->hasOneBlock(); };
  if ((all.common && !isBlock(all.common)) || !llvm::all_of(all.own, isBlock))
    return note(&op, "warps that work apart have branches");
  if (all.common) {
    mlir::Block &block = all.common->front();
    trace(block);
    if (!block.empty())
      for (auto [result, value] :
           llvm::zip(op.getResults(), block.back().getOperands()))
        if (const Meaning known = of(value); !isUnknown(known))
          values_[result] = known;
  }
  const auto outer = warps_;
  for (auto [k, region] : llvm::enumerate(all.own)) {
    mlir::Block &block = region->front();
    if (block.getNumArguments() > all.captured.size())
      return note(&op, "warps that work apart lack a value");
    for (auto [argument, value] : llvm::zip(block.getArguments(), all.captured))
      values_[argument] = of(value);
    if (k < all.warps.size()) warps_ = all.warps[k];
    trace(block);
    warps_ = outer;
  }
}

}  // namespace indexical::triton

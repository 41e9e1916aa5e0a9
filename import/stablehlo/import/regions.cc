#include "indexical/import/stablehlo/import/regions.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;

struct Row {
  llvm::StringLiteral op;
  /// The names of its regions; the last one is that of all further ones too.
  llvm::StringLiteral first, second;
  CallRole role, secondRole;
};

constexpr CallRole Applied = CallRole::ToApply, Branch = CallRole::Branch;

constexpr Row kRegionRows[] = {
    {"stablehlo.while", "cond", "body", CallRole::Condition, CallRole::Body},
    {"stablehlo.if", "true_branch", "false_branch", Branch, Branch},
    {"scf.while", "cond", "body", CallRole::Condition, CallRole::Body},
    {"scf.if", "then", "else", Branch, Branch},
    {"stablehlo.reduce", "body", "", Applied, Applied},
    {"stablehlo.reduce_window", "body", "", Applied, Applied},
    {"stablehlo.map", "computation", "", Applied, Applied},
    {"stablehlo.sort", "comparator", "", Applied, Applied},
    {"stablehlo.scatter", "update_computation", "", Applied, Applied},
    {"stablehlo.select_and_scatter", "select", "scatter", CallRole::Other,
     CallRole::Other},
    {"stablehlo.all_reduce", "computation", "", Applied, Applied},
    {"stablehlo.reduce_scatter", "computation", "", Applied, Applied},
    {"stablehlo.collective_reduce", "computation", "", Applied, Applied},
    {"stablehlo.async_start", "body", "", CallRole::Calls, CallRole::Calls},
    {"chlo.scan", "body", "", Applied, Applied},
    {"mhlo.fusion", "fused_computation", "", CallRole::Calls, CallRole::Calls},
};

}  // namespace

RegionRole roleOf(mlir::Operation *op, unsigned number) {
  const StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.case")
    return {"branch" + std::to_string(number), Branch};
  const auto *row =
      llvm::find_if(kRegionRows, [&](const Row &r) { return r.op == name; });
  if (row != std::end(kRegionRows) && number < 2) {
    const bool first = number == 0;
    const StringRef region = first ? row->first : row->second;
    if (!region.empty())
      return {region.str(), first ? row->role : row->secondRole};
  }
  if (op->getNumRegions() == 1) return {"body", CallRole::Other};
  return {"region" + std::to_string(number), CallRole::Other};
}

StringRef shortName(mlir::Operation *op) {
  return op->getName().getStringRef().rsplit('.').second.empty()
             ? op->getName().getStringRef()
             : op->getName().getStringRef().split('.').second;
}

llvm::ArrayRef<mlir::Value> Captures::of(mlir::Region &region) {
  if (auto found = known_.find(&region); found != known_.end())
    return found->second;
  llvm::SetVector<mlir::Value, llvm::SmallVector<mlir::Value, 0>> values;
  auto add = [&](mlir::Value value) {
    if (!region.isAncestor(value.getParentRegion())) values.insert(value);
  };
  for (mlir::Operation &op : region.getOps()) {
    for (mlir::Value operand : op.getOperands()) add(operand);
    for (mlir::Region &inner : op.getRegions())
      for (mlir::Value captured : of(inner)) add(captured);
  }
  return known_[&region] = values.takeVector();
}

llvm::SmallVector<mlir::Value, 0> Captures::of(mlir::Operation *op) {
  llvm::SetVector<mlir::Value, llvm::SmallVector<mlir::Value, 0>> values;
  for (mlir::Region &region : op->getRegions())
    for (mlir::Value captured : of(region)) values.insert(captured);
  return values.takeVector();
}

}  // namespace indexical

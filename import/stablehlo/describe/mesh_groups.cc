#include "indexical/import/stablehlo/describe/mesh_groups.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "llvm/Support/MathExtras.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/import/stablehlo/dialect/sdy.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/violation.h"

namespace indexical::rows {
namespace {

using llvm::StringRef;
using AxisSizes = std::map<StringRef, int64_t>;

/// Returns the axes of the mesh, or nothing if they are not written.
absl::StatusOr<std::optional<AxisSizes>> axesOf(mlir::Operation *op,
                                                mlir::Attribute mesh) {
  AxisSizes sizes;
  if (auto written = llvm::dyn_cast<stablehlo::MeshAttr>(mesh)) {
    for (mlir::Attribute attribute : written.getAxes())
      if (auto axis = llvm::dyn_cast<stablehlo::MeshAxisAttr>(attribute))
        sizes[axis.getName()] = axis.getSize();
    return sizes;
  }
  auto name = llvm::dyn_cast<mlir::SymbolRefAttr>(mesh);
  if (!name || !op->getParentWithTrait<mlir::OpTrait::SymbolTable>())
    return std::nullopt;
  mlir::Operation *symbol =
      mlir::SymbolTable::lookupNearestSymbolFrom(op, name);
  if (!symbol)
    return Broken("") << "replica_groups name the mesh "
                      << name.getRootReference().getValue()
                      << ", which is not in the module";
  auto defined = llvm::dyn_cast<sdy::MeshOp>(symbol);
  if (!defined || !defined.getMeshAttr()) return std::nullopt;
  for (sdy::MeshAxisAttr axis : defined.getMeshAttr().getAxes())
    sizes[axis.getName()] = axis.getSize();
  return sizes;
}

/// Returns the number of devices along an axis or a part of it, or 0 if the
/// mesh has no such axis.
int64_t sizeAlong(stablehlo::AxisRefAttr axis,
                  const std::optional<AxisSizes> &axes) {
  const auto part = axis.getSubAxisInfo();
  if (!axes) return part ? part.getSize() : 0;
  const auto whole = axes->find(axis.getName());
  if (whole == axes->end()) return 0;
  if (!part) return whole->second;
  int64_t step = 0;
  const bool divides =
      part.getPreSize() > 0 && part.getSize() > 0 &&
      !llvm::MulOverflow(part.getPreSize(), part.getSize(), step) &&
      whole->second % step == 0;
  return divides ? part.getSize() : 0;
}

}  // namespace

absl::StatusOr<Interval> sizeOfMeshGroup(
    mlir::Operation *op, stablehlo::ReplicaGroupMeshAxesAttr groups) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto axes, axesOf(op, groups.getMesh()));
  const Interval unknown{1, Interval::kInfinity};
  int64_t size = 1;
  for (mlir::Attribute attribute : groups.getAxes()) {
    auto axis = llvm::dyn_cast<stablehlo::AxisRefAttr>(attribute);
    const int64_t along = axis ? sizeAlong(axis, axes) : 0;
    if (along < 1 || llvm::MulOverflow(size, along, size)) return unknown;
  }
  return Interval::point(size);
}

absl::Status checkMeshAxes(mlir::Operation *op,
                           stablehlo::ReplicaGroupMeshAxesAttr groups) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto axes, axesOf(op, groups.getMesh()));
  if (!axes) return absl::OkStatus();
  std::set<std::tuple<StringRef, int64_t, int64_t>> seen;
  for (mlir::Attribute attribute : groups.getAxes()) {
    auto axis = llvm::dyn_cast<stablehlo::AxisRefAttr>(attribute);
    if (!axis) continue;
    const auto part = axis.getSubAxisInfo();
    if (sizeAlong(axis, axes) < 1)
      return Broken("") << "replica_groups name "
                        << (part ? "a part of the axis " : "the axis ")
                        << axis.getName() << ", which the mesh does not have";
    if (!seen.insert({axis.getName(), part ? part.getPreSize() : 0,
                      part ? part.getSize() : 0})
             .second)
      return Broken("") << "replica_groups name the axis " << axis.getName()
                        << " twice";
  }
  return absl::OkStatus();
}

}  // namespace indexical::rows

#include "indexical/import/triton/layout_demands.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

namespace {

/// Whether the result's elements are made of the operands' elements at the same
/// place.
bool isElementwise(mlir::Operation *op) {
  const llvm::StringRef name = op->getName().getStringRef();
  static constexpr llvm::StringRef kNames[] = {
      "tt.addptr", "tt.fp_to_fp",     "tt.bitcast",     "tt.extern_elementwise",
      "tt.clampf", "tt.precise_sqrt", "tt.precise_divf"};
  return op->getNumResults() == 1 &&
         (name.starts_with("arith.") || name.starts_with("math.") ||
          llvm::is_contained(kNames, name));
}

}  // namespace

std::optional<std::vector<LayoutDemand>> layoutDemands(
    mlir::Operation *load,
    llvm::function_ref<bool(mlir::Operation *)> isAnchor) {
  static constexpr size_t kMostUses = 256;
  using Axes = llvm::SmallVector<int64_t, 2>;
  std::vector<LayoutDemand> demands;
  if (load->getNumResults() != 1) return std::nullopt;
  std::vector<std::pair<mlir::Value, Axes>> todo = {{load->getResult(0), {}}};
  for (size_t at = 0; at < todo.size(); ++at) {
    const auto [value, axes] = todo[at];
    for (mlir::Operation *user : value.getUsers()) {
      if (todo.size() > kMostUses) return std::nullopt;
      const llvm::StringRef name = user->getName().getStringRef();
      if (isAnchor(user)) {
        const LayoutDemand demand{user, axes};
        if (!llvm::is_contained(demands, demand)) demands.push_back(demand);
        continue;
      }
      Axes next = axes;
      if (name == "tt.expand_dims" && user->getNumResults() == 1) {
        const auto axis = integerOf(user->getAttr("axis"));
        if (!axis) return std::nullopt;
        next.push_back(*axis);
      } else if (name != "tt.broadcast" && !isElementwise(user)) {
        return std::nullopt;
      }
      std::pair<mlir::Value, Axes> entry(user->getResult(0), std::move(next));
      if (!llvm::is_contained(todo, entry)) todo.push_back(std::move(entry));
    }
  }
  return demands;
}

}  // namespace indexical::triton

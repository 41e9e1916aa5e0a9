// Products whose accesses follow from labels.
#include <map>
#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/stablehlo_rows.h"
#include "indexical/ops/indices.h"

namespace indexical::rows {

//===-- Einsum ------------------------------------------------------------===//

namespace {

/// `ab,bc->ac`: what the dimensions of operands and result are called.
struct EinsumLabels {
  llvm::SmallVector<std::string, 2> operands;
  std::string result;
};

/// Nothing for a form with ellipses, or without a result.
std::optional<EinsumLabels> parseEinsum(llvm::StringRef config) {
  if (!config.contains("->") || config.contains('.')) return std::nullopt;
  auto [inputs, result] = config.split("->");
  EinsumLabels labels;
  labels.result = result.trim().str();
  llvm::SmallVector<llvm::StringRef, 2> parts;
  inputs.split(parts, ',');
  for (llvm::StringRef part : parts)
    labels.operands.push_back(part.trim().str());
  return labels;
}

bool fits(const EinsumLabels &labels, const OpShapes &shapes) {
  auto hasRank = [](const std::string &names, const ArrayShape &shape) {
    return static_cast<int64_t>(names.size()) == shape.rank();
  };
  if (shapes.results.size() != 1 ||
      labels.operands.size() != shapes.operands.size() ||
      !hasRank(labels.result, shapes.results[0]))
    return false;
  for (size_t k = 0; k < labels.operands.size(); ++k)
    if (!hasRank(labels.operands[k], shapes.operands[k])) return false;
  return true;
}

/// Adds an access with one loop for each label of the operand or the result. An
/// element of one meets an element of the other if equal labels have equal
/// indices.
absl::Status meet(const EinsumLabels &labels, const OpShapes &shapes,
                  int64_t operand, AccessList &list) {
  Access &access = list.add();
  std::map<char, Expr> loops;
  auto index = [&](const std::string &names, const ArrayShape &shape) {
    Access::Exprs exprs;
    for (auto [k, name] : llvm::enumerate(names)) {
      auto found = loops.find(name);
      if (found == loops.end()) {
        found = loops.emplace(name, access.loop(indicesOf(shape, k))).first;
      }
      exprs.push_back(found->second);
    }
    return exprs;
  };
  access.result = index(labels.result, shapes.results[0]);
  access.operand = index(labels.operands[operand], shapes.operands[operand]);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Op> describeEinsum(mlir::Operation *op, OpShapes shapes) {
  auto config = op->getAttrOfType<mlir::StringAttr>("einsum_config");
  const auto labels = config ? parseEinsum(config.getValue()) : std::nullopt;
  if (!labels || !fits(*labels, shapes))
    return coverOp(std::move(shapes), Precision::Cover,
                   "an einsum whose labels are not read");
  return accessOp(std::move(shapes),
                  [labels = *labels](const OpShapes &shapes, int64_t,
                                     int64_t operand, AccessList &list) {
                    return meet(labels, shapes, operand, list);
                  });
}

}  // namespace indexical::rows

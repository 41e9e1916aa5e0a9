#include "indexical/import/stablehlo/import/let_pass.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/describe/devices.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/ops/families.h"
#include "indexical/ops/violation.h"

namespace indexical {
namespace {

// The collectives, with their groups and devices. What their families check
// beside these, the dialect's verifiers have checked before.
constexpr llvm::StringLiteral kCollectives[] = {
    "stablehlo.all_gather",         "stablehlo.all_reduce",
    "stablehlo.all_to_all",         "stablehlo.collective_broadcast",
    "stablehlo.collective_permute", "stablehlo.reduce_scatter",
};

// The first rule that the op breaks.
std::optional<Violation> brokenRule(mlir::Operation &op, const Op &described) {
  if (!llvm::is_contained(kCollectives, op.getName().getStringRef()))
    return std::nullopt;
  if (auto broken = violationOf(rows::checkDevices(&op))) return broken;
  return violationOf(verify(described));
}

bool isEmptyList(mlir::Attribute list) {
  if (const auto dense = llvm::dyn_cast<mlir::DenseArrayAttr>(list))
    return dense.empty();
  const auto elements = llvm::dyn_cast<mlir::DenseElementsAttr>(list);
  return elements && elements.empty();
}

// The factors of a dot_general have one element type. Scales and zero points of
// quantized types are the verifier's.
absl::Status checkFactors(mlir::Operation &op) {
  if (op.getName().getStringRef() != "stablehlo.dot_general")
    return absl::OkStatus();
  const mlir::Type lhs = mlir::getElementTypeOrSelf(op.getOperand(0));
  const mlir::Type rhs = mlir::getElementTypeOrSelf(op.getOperand(1));
  if (lhs == rhs || llvm::isa<mlir::quant::QuantizedType>(lhs) ||
      llvm::isa<mlir::quant::QuantizedType>(rhs))
    return absl::OkStatus();
  std::string types;
  llvm::raw_string_ostream(types) << lhs << " and " << rhs;
  return Broken("C13") << "lhs and rhs must have one element type, but have "
                       << types;
}

// What older tools write, and what says nothing.
absl::Status checkLeftovers(mlir::Operation &op) {
  const llvm::StringRef name = op.getName().getStringRef();
  if (!name.starts_with("stablehlo.")) return absl::OkStatus();
  if (name == "stablehlo.dynamic_gather" && op.hasAttr("slice_sizes"))
    return Broken("") << "slice_sizes stands beside operand 2, which gives the "
                         "sizes";
  if (name == "stablehlo.dynamic_conv" && op.hasAttr("padding"))
    return Broken("") << "padding stands beside operand 2, which gives it";
  const auto precisions = op.getAttrOfType<mlir::ArrayAttr>("precision_config");
  if (precisions && precisions.size() == 1)
    return Broken("") << "precision_config must have a precision for lhs and "
                         "one for rhs, but has 1";
  const auto type =
      op.getNumOperands()
          ? llvm::dyn_cast<mlir::RankedTensorType>(op.getOperand(0).getType())
          : mlir::RankedTensorType();
  const int64_t others = name.contains("conv") ? 2 : 0;
  if (!type || type.getRank() <= others) return absl::OkStatus();
  for (llvm::StringRef key :
       {"window_strides", "base_dilations", "window_dilations", "lhs_dilation",
        "rhs_dilation", "window_reversal", "padding"})
    if (const auto list = op.getAttr(key); list && isEmptyList(list))
      return Broken("") << key << " is empty, and is taken as left out";
  return absl::OkStatus();
}

// The first rule that the op breaks and that changes no element that it reads.
std::optional<Violation> brokenRuleOfNoRead(mlir::Operation &op) {
  if (auto broken = violationOf(rows::checkTransferPairs(&op))) return broken;
  if (auto broken = violationOf(rows::checkFilledGroups(&op))) return broken;
  if (auto broken = violationOf(checkLeftovers(op))) return broken;
  return violationOf(checkFactors(op));
}

}  // namespace

absl::Status coverWhatIsLetPass(ModuleImport &import, mlir::Operation &op,
                                Instruction &instruction) {
  const auto broken = brokenRule(op, instruction.op);
  const auto rule = broken ? broken : brokenRuleOfNoRead(op);
  if (!rule) return absl::OkStatus();
  const std::string why =
      (rule->rule.empty() ? "" : rule->rule + ": ") + rule->sentence;
  if (import.options.strict) return absl::InvalidArgumentError(why);
  import.program.notes.push_back(
      {Note::Kind::Warning, instruction.place,
       why + "; StableHLO's own verifier lets this pass, and " +
           (broken ? "the op is taken to read every operand whole"
                   : "no element that is read depends on it")});
  if (!broken) return absl::OkStatus();
  auto cover = make<CoverOp>(shapesOf(instruction.op));
  cover.reason = why;
  instruction.op = std::move(cover);
  return absl::OkStatus();
}

}  // namespace indexical

#include "indexical/stablehlo/import/let_pass.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/violation.h"
#include "indexical/stablehlo/describe/devices.h"
#include "indexical/stablehlo/import/describe.h"

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

}  // namespace

absl::Status coverWhatIsLetPass(ModuleImport &import, mlir::Operation &op,
                                Instruction &instruction) {
  const auto broken = brokenRule(op, instruction.op);
  if (!broken) return absl::OkStatus();
  const std::string why =
      (broken->rule.empty() ? "" : broken->rule + ": ") + broken->sentence;
  if (import.options.strict) return absl::InvalidArgumentError(why);
  import.program.notes.push_back(
      {Note::Kind::Warning, instruction.place,
       why + "; StableHLO's own verifier lets this pass, and the op is taken "
             "to read every operand whole"});
  auto cover = make<CoverOp>(shapesOf(instruction.op));
  cover.reason = why;
  instruction.op = std::move(cover);
  return absl::OkStatus();
}

}  // namespace indexical

#include "indexical/cost/hazards/shared_pair.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Returns the instruction of that name, the entry's first.
std::optional<std::pair<ComputationId, InstructionId>> findByName(
    const Module &module, llvm::StringRef name) {
  if (module.entry >= 0)
    if (const InstructionId i = module.entryComputation().find(name); i >= 0)
      return std::make_pair(module.entry, i);
  for (size_t c = 0; c < module.computations.size(); ++c)
    if (const InstructionId i = module.computations[c].find(name); i >= 0)
      return std::make_pair(ComputationId(c), i);
  return std::nullopt;
}

/// Returns the number of the array that a path of a shape leads to.
std::optional<int64_t> leafAt(const Shape &whole,
                              llvm::ArrayRef<int64_t> path) {
  const Shape *shape = &whole;
  int64_t leaf = 0;
  for (const int64_t number : path) {
    if (number < 0 || number >= static_cast<int64_t>(shape->elements.size()))
      return std::nullopt;
    for (int64_t k = 0; k < number; ++k) leaf += shape->elements[k].leafCount();
    shape = &shape->elements[number];
  }
  if (!shape->isArray()) return std::nullopt;
  return leaf;
}

std::string pathText(llvm::ArrayRef<int64_t> path) {
  return "{" +
         llvm::join(
             llvm::map_range(
                 path, [](int64_t number) { return std::to_string(number); }),
             ",") +
         "}";
}

}  // namespace

absl::StatusOr<MemoryMarks::Operand> sharedPair(const Module &module,
                                                const HazardShare &share) {
  const auto found = findByName(module, share.instruction);
  if (!found)
    return absl::NotFoundError(
        absl::StrCat("no instruction has the name `", share.instruction, "`"));
  const auto &[c, i] = *found;
  const Computation &own = module.computations[c];
  const Instruction &instruction = own.instructions[i];
  const auto result = leafAt(*instruction.shape, share.result);
  if (!result)
    return absl::NotFoundError(
        absl::StrCat("`", share.instruction, "` is ", instruction.shape->str(),
                     ", which has no array ", pathText(share.result)));
  const auto count = static_cast<int64_t>(instruction.operands.size());
  if (share.operand < 0 || share.operand >= count)
    return absl::NotFoundError(absl::StrCat(
        "`", share.instruction, "` has ", count,
        count == 1 ? " operand" : " operands",
        ", counted from 0, and none of the number ", share.operand));
  const Instruction &operand =
      own.instructions[instruction.operands[share.operand]];
  const auto leaf = leafAt(*operand.shape, share.operandResult);
  if (!leaf)
    return absl::NotFoundError(
        absl::StrCat("operand ", share.operand, " of `", share.instruction,
                     "` is ", operand.shape->str(), ", which has no array ",
                     pathText(share.operandResult)));
  const int64_t number = operandLeafNumber(
      own.operandLeaves(i), static_cast<int32_t>(share.operand), LeafId(*leaf));
  if (number < 0)
    return absl::NotFoundError(
        absl::StrCat("`", share.instruction, "` has no such operand"));
  return MemoryMarks::Operand{c, i, LeafId(*result), LeafId(number)};
}

}  // namespace indexical

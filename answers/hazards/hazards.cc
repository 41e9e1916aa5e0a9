#include "indexical/answers/hazards/hazards.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/import/hlo/donated.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

std::optional<double> ModulePlace::predictedUs() const {
  if (!place.bytes) return std::nullopt;
  Demand demand;
  demand.memoryBytes = 2 * static_cast<double>(*place.bytes);
  demand.writtenBytes = static_cast<double>(*place.bytes);
  return predictedTime(demand, device ? *device : defaultDevice()).total();
}

namespace {

/// Takes a path, `{0,1}`.
bool takePath(llvm::StringRef &text, std::vector<int64_t> &path) {
  if (!text.consume_front("{")) return false;
  while (!text.consume_front("}")) {
    int64_t number = 0;
    if (!path.empty() && !text.consume_front(",")) return false;
    text = text.ltrim();
    if (text.consumeInteger(10, number) || number < 0) return false;
    path.push_back(number);
    text = text.ltrim();
  }
  return true;
}

/// Returns the error about the first pair whose instruction is in no module;
/// OK if there is none.
absl::Status unknownInstruction(const Program &program,
                                const std::vector<HazardShare> &shares) {
  std::vector<llvm::StringRef> names;
  for (const Module &module : program.modules)
    for (const Computation &own : module.computations)
      for (const Instruction &each : own.instructions)
        if (!each.terminator) names.push_back(each.name);
  for (const HazardShare &share : shares)
    if (!llvm::is_contained(names, llvm::StringRef(share.instruction)))
      return unknownName("instruction", share.instruction, names);
  return absl::OkStatus();
}

}  // namespace

std::optional<HazardShare> parseShare(llvm::StringRef text) {
  HazardShare share;
  const size_t brace = text.find('{');
  if (brace == 0 || brace == llvm::StringRef::npos) return std::nullopt;
  llvm::StringRef name = text.take_front(brace).trim();
  name.consume_front("%");
  share.instruction = name.str();
  text = text.drop_front(brace);
  if (!takePath(text, share.result)) return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front("=")) return std::nullopt;
  text = text.ltrim();
  if (text.consumeInteger(10, share.operand) || share.operand < 0)
    return std::nullopt;
  if (!takePath(text, share.operandResult) || !text.trim().empty())
    return std::nullopt;
  return share;
}

absl::StatusOr<ProgramHazards> hazardsIn(const Program &program,
                                         const HazardsQuestion &question,
                                         const Ask &ask) {
  ProgramHazards found;
  found.isScheduled = !program.modules.empty();
  absl::Status missing;
  bool isFound = question.shares.empty();
  for (const auto &[number, module] : llvm::enumerate(program.modules)) {
    found.isScheduled &= module.isScheduled;
    HazardQuestion one;
    one.marks = memoryMarks(module);
    one.shares = question.shares;
    one.budget = ask.budget;
    auto places = hazardsOf(module, one);
    if (!places.ok() && absl::IsNotFound(places.status()) &&
        !question.shares.empty()) {
      missing = places.status();
      continue;
    }
    if (!places.ok()) return places.status();
    isFound = true;
    for (HazardPlace &place : *places) {
      ++found.counts[size_t(place.answer)];
      found.places.push_back(
          {&module, number, std::move(place), question.device});
    }
    if (ask.itemDone) ask.itemDone();
  }
  if (isFound || missing.ok()) return found;
  INDEXICAL_RETURN_IF_ERROR(unknownInstruction(program, question.shares));
  return absl::InvalidArgumentError(missing.message());
}

}  // namespace indexical

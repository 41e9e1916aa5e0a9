#include "indexical/cost/launch/launch_plan.h"

#include <utility>

#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

llvm::StringRef nameOf(Phase phase) {
  return phase == Phase::Read ? "read" : "write";
}

absl::Status addTile(LaunchPlan &plan, ArrayShape shape,
                     absl::StatusOr<IndexingMap> written,
                     absl::StatusOr<IndexingMap> read) {
  INDEXICAL_RETURN_IF_ERROR(written.status());
  INDEXICAL_RETURN_IF_ERROR(read.status());
  plan.shared.push_back(
      {std::move(shape), *std::move(written), *std::move(read)});
  return absl::OkStatus();
}

Visit visitAt(Phase phase, InstructionId instruction, const ArrayShape &shape,
              IndexingMap threads) {
  Visit visit;
  visit.phase = phase;
  visit.instruction = instruction;
  visit.space.shape = shape;
  visit.space.order = ThreadOrder::Given;
  visit.space.threads = std::move(threads);
  return visit;
}

namespace {

absl::Status plan(const PlanContext &in, LaunchPlan &out) {
  switch (in.choice.emitter) {
    case Emitter::Loop:
      return planLoop(in, out);
    case Emitter::Concatenate:
      return planConcatenate(in, out);
    case Emitter::DynamicUpdateSlice:
      return planUpdate(in, out);
    case Emitter::Transpose:
      return planTranspose(in, out);
    case Emitter::PackedTranspose:
      return planPackedTranspose(in, out);
    case Emitter::RowReduction:
    case Emitter::MultiRowReduction:
    case Emitter::ColumnReduction:
    case Emitter::SmallColumnReduction:
      return planReduction(in, out);
    case Emitter::Scatter:
    case Emitter::ScatterByIndices:
      return planScatter(in, out);
    case Emitter::Triton:
      return planTriton(in, out);
    case Emitter::Sort:
    case Emitter::Memcpy:
    case Emitter::Library:
    case Emitter::Unknown:
      break;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaunchPlan> planLaunch(const FusionBody &body,
                                      const Device &device) {
  const EmitterChoice choice = chooseEmitter(body, device);
  LaunchPlan out;
  out.emitter = choice.emitter;
  out.reason = choice.reason;
  if (!out.reason.empty()) return out;
  INDEXICAL_RETURN_IF_ERROR(plan({body, choice, device}, out));
  if (!out.reason.empty()) out.visits.clear();
  return out;
}

}  // namespace indexical

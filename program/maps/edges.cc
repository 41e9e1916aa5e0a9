#include "indexical/program/maps/edges.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"

namespace indexical {

absl::StatusOr<IndexingRelation> Edges::through(const Edge &edge) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  const Instruction &instruction = graph_.instruction(c, i);
  if (use == EdgeUse::OnAWay) {
    INDEXICAL_ASSIGN_OR_RETURN(auto known, scatters_.through(edge));
    if (known) return *std::move(known);
  }
  if (instruction.called.empty()) return ops_.own(edge);
  const auto inner = innermostResult(instruction.op, result);
  if (!inner) return ops_.own(edge);
  const OperandLeaf operand = graph_.operandLeaf(c, i, leaf);
  if (const auto callees = graph_.calleesAt(c, i, operand.operand);
      !callees.empty())
    return calls_.through(edge, callees);
  Edge inside = edge;
  inside.result = LeafId(*inner);
  const Op &op = innermost(instruction.op);
  const auto body = calleeOf(instruction, CallRole::Body);
  if (body && op.is<WhileOp>()) return loops_.through(inside, *body);
  const auto step = calleeOf(instruction, CallRole::ToApply);
  if (step && op.is<ScanOp>()) return scans_.through(inside, *step);
  return ops_.own(edge);
}

/// Like withPlaces, within the budget.
absl::StatusOr<IndexingRelation> Edges::find(const Edge &edge) {
  INDEXICAL_RETURN_IF_ERROR(budget_.check());
  return withPlaces(edge);
}

/// Like through, with the place of a mistake.
absl::StatusOr<IndexingRelation> Edges::withPlaces(const Edge &edge) {
  auto relation = through(edge);
  if (!relation.ok())
    relation =
        withPlace(relation.status(),
                  graph_.instruction(edge.computation, edge.instruction).place);
  return relation;
}

absl::StatusOr<IndexingRelation> Edges::mapsOf(const Edge &edge) {
  if (edge.use == EdgeUse::Listed) return find(edge);
  if (of_ != edge.computation) {
    kept_.clear();
    of_ = edge.computation;
  }
  const auto key =
      std::make_tuple(edge.instruction, edge.direction, edge.result, edge.leaf);
  if (auto known = kept_.find(key); known != kept_.end()) return known->second;
  auto relation = find(edge);
  // A computation that was solved on the way has its own edges.
  if (relation.ok() && of_ == edge.computation) kept_[key] = *relation;
  return relation;
}

}  // namespace indexical

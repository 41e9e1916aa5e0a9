#include "indexical/program/maps/loops.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/reached.h"

namespace indexical {

/// A collective that is passed again leads to the same members as before.
/// Several collectives can follow each other in any order, which no list of
/// members says. The relation has each alone, and all in a row; its indices are
/// a cover in any case.
absl::StatusOr<IndexingRelation> Loops::withDevices(const Box &box,
                                                    Direction direction,
                                                    ComputationId c,
                                                    InstructionId i,
                                                    const Callee &body) {
  llvm::SmallVector<AnyMember, 4> members(box.members.begin(),
                                          box.members.end());
  for (AnyMember &member : members)
    member.collective = calls_.behindCall(member.collective, c, i, body);
  // The last one is nearest to the result. The order of the file is used, since
  // numbers depend on what was asked before.
  llvm::sort(members, [&](const AnyMember &a, const AnyMember &b) {
    return values_[b.collective] < values_[a.collective];
  });
  llvm::SmallVector<llvm::ArrayRef<AnyMember>, 4> ways{{}};
  for (const AnyMember &member : members) ways.push_back(member);
  if (members.size() > 1) ways.push_back(members);
  IndexingRelation relation;
  for (llvm::ArrayRef<AnyMember> way : ways) {
    INDEXICAL_ASSIGN_OR_RETURN(auto pieces, relationOf(box, direction, way));
    relation.unite(pieces);
  }
  return relation;
}

/// Returns the relation, cut to the sizes of the loop's operands and results.
absl::StatusOr<IndexingRelation> Loops::withinSizes(
    const Edge &edge, const IndexingRelation &relation) {
  const ComputationId c = edge.computation;
  const InstructionId i = edge.instruction;
  const Op &op = graph_.instruction(c, i).op;
  const OpShapes &shapes = shapesOf(op);
  if (!op.is<WhileOp>() || relation.isEmpty() ||
      (!hasOpenSize(shapes.results[edge.result]) &&
       !hasOpenSize(shapes.operands[edge.leaf])))
    return relation;
  OpDraft known(op);
  if (edge.use == EdgeUse::OnAWay) known->facts = facts_.shapesOf(c).factsOf(i);
  const int64_t result = shapes.operands.size() + edge.result;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto within, indexical::withinSizes(OpSizes(known), relation,
                                          edge.reads() ? result : edge.leaf,
                                          edge.reads() ? edge.leaf : result));
  auto tensor = [&](int64_t of) { return ops_.valueOf(c, i, of); };
  auto same = [](int64_t collective) { return collective; };
  return withSources(within, {tensor, same});
}

absl::StatusOr<IndexingRelation> Loops::ofBoxes(const Edge &edge,
                                                const Callee &body) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  const OpShapes &shapes = shapesOf(innermost(graph_.instruction(c, i).op));
  const LoopReads &loop = boxes_.of(c, i, body);
  llvm::SmallVector<Box, 2> boxes;
  const BoxRow &row = loop.rows[result];
  if (auto found = row.find(leaf); found != row.end())
    boxes.push_back(found->second);
  if (auto found = loop.condition.find(leaf); found != loop.condition.end()) {
    // Every element of the result reads what the condition reads.
    auto control = everythingBox(shapes.results[result], shapes.operands[leaf]);
    if (control) {
      control->to = found->second.to;
      control->precision = found->second.precision;
      control->members = found->second.members;
      if (!boxes.empty() && contains(*control, boxes[0])) boxes.clear();
      if (boxes.empty() || !contains(boxes[0], *control))
        boxes.push_back(*std::move(control));
    }
  }
  IndexingRelation relation;
  for (const Box &box : boxes) {
    INDEXICAL_ASSIGN_OR_RETURN(auto pieces,
                               withDevices(box, direction, c, i, body));
    relation.unite(pieces);
  }
  return relation;
}

absl::StatusOr<IndexingRelation> Loops::through(const Edge &edge,
                                                const Callee &body) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  if (boxes_.of(c, i, body).passes[result]) {
    if (result != leaf) return IndexingRelation();
    const Op &op = innermost(graph_.instruction(c, i).op);
    INDEXICAL_ASSIGN_OR_RETURN(auto same, startOf(shapesOf(op).operands[leaf]));
    return withinSizes(edge, same);
  }
  if (const CountedReads &counted = counted_.readsOf({c, i, result}, body);
      counted.isKnown) {
    auto found = counted.reads.find(leaf);
    if (found == counted.reads.end()) return IndexingRelation();
    return edge.reads() ? found->second.first : found->second.second;
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto relation, ofBoxes(edge, body));
  return withinSizes(edge, relation);
}

}  // namespace indexical

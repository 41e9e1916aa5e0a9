#include "indexical/program/maps/op_maps.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/alike_pairs.h"
#include "indexical/program/maps/merged_variables.h"
#include "indexical/program/maps/reached.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The most relations of ops that are kept; then all are forgotten.
constexpr size_t kMostOfOps = 50'000;

/// Whether the relation is made again as fast as it is found.
bool isQuicklyMade(const IndexingRelation &relation) {
  if (relation.pieces().size() != 1) return relation.isEmpty();
  const IndexingMap &map = relation.pieces()[0];
  return map.constraints().empty() && map.runtime().empty() &&
         llvm::all_of(map.results(), [&](FormId form) {
           return map.expressions().isSumOfVariables(form);
         });
}

/// Whether there are sources or collectives, which each instruction has of its
/// own.
bool namesValues(const IndexingRelation &relation) {
  return llvm::any_of(relation.pieces(), [](const IndexingMap &map) {
    return !map.runtime().empty() || !map.collectives().empty();
  });
}

}  // namespace

bool passesElements(const Instruction &instruction, LeafId result,
                    LeafId operand) {
  const Op &op = instruction.op;
  const auto *forward = op.as<ForwardOp>();
  // A computation that is applied may leave an operand out.
  const bool isElementwise =
      op.is<ElementwiseOp>() && instruction.called.empty();
  if (forward ? forward->reads[result] != operand : !isElementwise)
    return false;
  if (traitsOf(op).precision != Precision::Exact) return false;
  const OpShapes &shapes = shapesOf(op);
  const ArrayShape &to = shapes.results[result];
  const ArrayShape &from = shapes.operands[operand];
  return to.dimensions == from.dimensions &&
         (!hasOpenSizes(shapes) || (!hasOpenSize(to) && !hasOpenSize(from))) &&
         !to.isEmpty();
}

absl::StatusOr<IndexingRelation> OpMaps::startAt(ComputationId c,
                                                 InstructionId i, LeafId leaf) {
  const ArrayShape &shape = graph_.shape(c, i, leaf);
  if (!hasOpenSize(shape)) {
    if (const IndexingMap *known = starts_.find(shape.dimensions))
      return IndexingRelation(*known);
    auto start = startOf(shape);
    if (start.ok() && start->pieces().size() == 1)
      starts_.add(shape.dimensions, start->pieces()[0]);
    return start;
  }
  ForwardOp same;
  same.operands = same.results = {shape};
  same.reads = {0};
  INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                             indexing(same, Direction::OutputToInput, 0, 0));
  auto tensor = [&](int64_t) { return values_.number(c, i, leaf); };
  IndexingRelation named;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map,
                               simplify(withSources(piece, {tensor, nullptr})));
    named.add(std::move(map));
  }
  return facts_.folded(named);
}

int64_t OpMaps::valueOf(ComputationId c, InstructionId i, int64_t tensor) {
  if (tensor >= SizeFacts::kOutside) return tensor - SizeFacts::kOutside;
  const int64_t operands = graph_.operandLeafCount(c, i);
  if (tensor >= operands)  // a size of a result
    return values_.number(c, i, LeafId(tensor - operands));
  const OperandLeaf source = graph_.operandLeaf(c, i, LeafId(tensor));
  return values_.number(c, source.instruction, source.result);
}

/// Returns the maps of an op for a pair that passes elements on
/// (passesElements): one map for all such pairs of the same sizes.
absl::StatusOr<IndexingRelation> OpMaps::ofPassed(
    const Instruction &instruction, const Edge &edge) {
  const auto &sizes = shapesOf(instruction.op).results[edge.result].dimensions;
  if (const IndexingMap *known = passed_.find(sizes))
    return absl::StatusOr<IndexingRelation>(absl::in_place, *known);
  return madeOfPassed(instruction, edge);
}

/// Makes that map, and keeps it. A function with one relation to return makes
/// it where its caller wants it.
absl::StatusOr<IndexingRelation> OpMaps::madeOfPassed(
    const Instruction &instruction, const Edge &edge) {
  auto map = indexing(instruction.op, edge.direction, edge.result, edge.leaf);
  if (map.ok() && map->pieces().size() == 1)
    passed_.add(shapesOf(instruction.op).results[edge.result].dimensions,
                map->pieces()[0]);
  return map;
}

/// Returns the maps of the op, with numbers of its operands as sources. Equal
/// ops share what they say.
absl::StatusOr<IndexingRelation> OpMaps::ofOp(const Edge &edge) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  const Op &op = graph_.instruction(c, i).op;
  if (use == EdgeUse::OnAWay && hasOpenSizes(shapesOf(op))) {
    OpDraft known(op);
    known->facts = facts_.shapesOf(c).factsOf(i);
    return indexing(known, direction, result, leaf);
  }
  const int64_t operands = shapesOf(op).operands.size();
  if (leaf >= operands) return indexing(op, direction, result, leaf);
  const OfOp key = {&op.descriptor(),
                    2 * (result * operands + leaf) + !edge.reads()};
  if (!ofOps_.empty())
    if (auto known = ofOps_.find(key); known != ofOps_.end())
      return known->second;
  return madeOfOp(op, edge, key);
}

/// Makes those maps, and keeps them if that helps.
absl::StatusOr<IndexingRelation> OpMaps::madeOfOp(const Op &op,
                                                  const Edge &edge,
                                                  const OfOp &key) {
  auto own = indexing(op, edge.direction, edge.result, edge.leaf);
  if (own.ok() && (op.isShared() || !isQuicklyMade(*own))) {
    if (ofOps_.size() == kMostOfOps) ofOps_.clear();
    ofOps_[key] = *own;
  }
  return own;
}

/// Like ofOp, with values of the module as sources.
absl::StatusOr<IndexingRelation> OpMaps::withValues(const Edge &edge) {
  auto relation = ofOp(edge);
  if (!relation.ok() || !namesValues(*relation)) return relation;
  ++mapsWithValues_;
  auto tensor = [&](int64_t number) {
    return valueOf(edge.computation, edge.instruction, number);
  };
  auto collective = [&](int64_t) {
    return values_.number(edge.computation, edge.instruction, {});
  };
  relation = withVariablesMerged(withSources(*relation, {tensor, collective}));
  return relation;
}

absl::StatusOr<IndexingRelation> OpMaps::own(const Edge &asked) {
  Edge edge = asked;
  const Instruction &instruction =
      graph_.instruction(edge.computation, edge.instruction);
  const OpShapes &shapes = shapesOf(instruction.op);
  const bool isShared =
      edge.leaf < static_cast<int64_t>(shapes.operands.size()) &&
      !hasOpenSizes(shapes);
  if (isShared && hasAlikePairs(instruction.op)) {
    const auto [result, leaf] =
        alikePair(instruction.op, edge.result, edge.leaf);
    edge.result = LeafId(result);
    edge.leaf = LeafId(leaf);
  }
  if (isShared && passesElements(instruction, edge.result, edge.leaf))
    return ofPassed(instruction, edge);
  return withValues(edge);
}

}  // namespace indexical

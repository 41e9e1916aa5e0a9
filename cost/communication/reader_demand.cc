#include "indexical/cost/communication/reader_demand.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

/// Whether a sum of variables takes every value between its bounds.
bool isGapless(const IndexingMap &map, FormId form) {
  const ExpressionTable &table = map.expressions();
  if (!table.isSumOfVariables(form)) return false;
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> steps;
  for (const Term &term : table.terms(form)) {
    const VariableId id = table.atom(term.atom).variable();
    const Interval bounds = map.variable(id).bounds;
    if (id.kind == VariableKind::Runtime || !bounds.isFinite()) return false;
    steps.emplace_back(std::abs(term.coefficient), bounds.upper - bounds.lower);
  }
  llvm::sort(steps);
  int64_t reach = 0;
  for (auto [step, count] : steps) {
    if (step > reach + 1) return false;
    reach += step * count;
  }
  return true;
}

/// Whether results of the map do not depend on one another.
bool areIndependent(const IndexingMap &map) {
  std::vector<VariableId> seen;
  const ExpressionTable &table = map.expressions();
  for (FormId form : map.results()) {
    std::vector<VariableId> mine;
    table.visitVariables(form, [&](VariableId id) { mine.push_back(id); });
    for (VariableId id : mine)
      for (VariableId other : seen)
        if (id.kind == other.kind && id.index == other.index) return false;
    llvm::append_range(seen, mine);
  }
  return true;
}

}  // namespace

ReaderDemand demandOf(const Op &op, int64_t operand) {
  ReaderDemand demand;
  const OpDescriptor &descriptor = op.descriptor();
  if (op.is<ElementwiseOp>()) {
    demand.isWhole = true;
    return demand;
  }
  if (operand >= static_cast<int64_t>(descriptor.operands.size())) {
    demand.isWhole = true;
    demand.isExact = false;
    return demand;
  }
  ElementBox whole;
  for (int64_t size : descriptor.operands[operand].dimensions)
    whole.emplace_back(0, size);
  for (size_t r = 0; r < descriptor.results.size(); ++r) {
    auto reads = indexing(op, Direction::OutputToInput, r, operand);
    if (!reads.ok()) {
      demand.isWhole = true;
      demand.isExact = false;
      return demand;
    }
    demand.isExact &= reads->precision() == Precision::Exact;
    for (const IndexingMap &map : reads->pieces()) {
      if (map.isKnownEmpty()) continue;
      ElementBox box;
      bool isGapFree = map.constraints().empty() && areIndependent(map);
      for (auto [bounds, form, size] :
           llvm::zip(boundsOfResults(map), map.results(), whole)) {
        isGapFree &= isGapless(map, form);
        box.emplace_back(
            std::max<int64_t>(bounds.lower, 0),
            bounds.upper >= size.second ? size.second : bounds.upper + 1);
        if (box.back().second < box.back().first)
          box.back().second = box.back().first;
      }
      demand.isExact &= isGapFree;
      if (box == whole && isGapFree && demand.isExact) {
        demand.isWhole = true;
        demand.boxes.clear();
        return demand;
      }
      if (!llvm::is_contained(demand.boxes, box))
        demand.boxes.push_back(std::move(box));
    }
  }
  return demand;
}

}  // namespace indexical

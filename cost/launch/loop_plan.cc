// Loops: a thread has u elements next to each other. Kernels that go through an
// operand or an update in the same way are planned here, too.
#include <numeric>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/indexed/dynamic_update_slice.h"
#include "indexical/ops/movement/concatenate.h"

namespace indexical {
namespace {

/// The number of the element that a thread has, in the order of memory.
Expr loopNumber(LaunchMap &map, const Grid &grid, int64_t unroll) {
  map.loop(1, "chunk");
  Expr s = map.loop(unroll, "unroll");
  return (map.block() * grid.threads[0] + map.thread()) * unroll + s;
}

absl::StatusOr<LaunchSpace> loopSpace(const ArrayShape &shape, int64_t unroll,
                                      const Grid &grid) {
  LaunchSpace space;
  space.shape = shape;
  if (grid.blocks[1] == 1) {
    space.blockThreads = grid.threads[0];
    space.vector = unroll;
    return space;
  }
  LaunchMap map(grid);
  const int64_t elements = *shape.elementCount();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto threads, map.to({loopNumber(map, grid, unroll)}, {elements}, shape));
  space.order = ThreadOrder::Given;
  space.threads = std::move(threads);
  return space;
}

}  // namespace

absl::Status planLoop(const PlanContext &in, LaunchPlan &plan) {
  const ArrayShape &first = in.shapeOf(in.body.roots()[0]);
  const int64_t unroll = unrollOf(in.body, first, in.device);
  plan.grid = standardGrid(*first.elementCount(), unroll, in.device);
  for (const BodyRoot &root : in.body.roots())
    for (const BodyRoot::Result &result : root.results) {
      Visit visit;
      visit.instruction = root.instruction;
      visit.leaf = result.leaf;
      visit.result = result.result;
      INDEXICAL_ASSIGN_OR_RETURN(
          visit.space, loopSpace(in.resultShape(root.instruction, result.leaf),
                                 unroll, plan.grid));
      plan.visits.push_back(std::move(visit));
    }
  return absl::OkStatus();
}

//===-- Concatenate -------------------------------------------------------===//

absl::Status planConcatenate(const PlanContext &in, LaunchPlan &plan) {
  const InstructionId hero = in.choice.heroes[0].instruction;
  const auto &op = *in.body.at(hero).op.as<ConcatenateOp>();
  const BodyRoot &root = in.body.roots()[0];
  size_t longest = 0;
  for (size_t k = 1; k < op.operands.size(); ++k)
    if (op.operands[k].dimensions[op.dimension] >
        op.operands[longest].dimensions[op.dimension])
      longest = k;
  const ArrayShape &shape = op.operands[longest];
  int64_t unroll = unrollOf(in.body, shape, in.device);
  for (const ArrayShape &operand : op.operands)
    unroll = std::gcd(unroll, operand.dimensions[op.dimension]);
  plan.grid = standardGrid(*shape.elementCount(), unroll, in.device);
  int64_t offset = 0;
  for (size_t k = 0; k < op.operands.size(); ++k) {
    // Operand k's part of the shape, then what becomes of it.
    auto part = [&](int64_t from, const ArrayShape &of,
                    const ArrayShape &lies) {
      LaunchMap map(plan.grid);
      const Expr number = loopNumber(map, plan.grid, unroll);
      map.keep(number, {0, *shape.elementCount() - 1});
      llvm::SmallVector<int64_t, 6> sizes, outer;
      for (int64_t dim : slowestFirst(shape))
        outer.push_back(shape.dimensions[dim]);
      Exprs digits = digitsOf(number, outer);
      for (auto [at, dim] : llvm::enumerate(slowestFirst(shape))) {
        if (dim == op.dimension) {
          map.keep(digits[at],
                   {0, op.operands[k].dimensions[op.dimension] - 1});
          digits[at] = digits[at] + from;
        }
        sizes.push_back(of.dimensions[dim]);
      }
      return map.to(digits, sizes, lies);
    };
    INDEXICAL_ASSIGN_OR_RETURN(auto read,
                               part(0, op.operands[k], op.operands[k]));
    Visit reading = visitAt(Phase::Read, hero, op.operands[k], std::move(read));
    reading.operand = LeafId(k);
    plan.visits.push_back(std::move(reading));
    const ArrayShape &result = in.shapeOf(root);
    INDEXICAL_ASSIGN_OR_RETURN(auto write, part(offset, op.results[0], result));
    Visit writing =
        visitAt(Phase::Write, root.instruction, result, std::move(write));
    writing.stops = {hero};
    writing.result = root.results[0].result;
    plan.visits.push_back(std::move(writing));
    offset += op.operands[k].dimensions[op.dimension];
  }
  return absl::OkStatus();
}

//===-- Dynamic-update-slice ----------------------------------------------===//

absl::Status planUpdate(const PlanContext &in, LaunchPlan &plan) {
  const ArrayShape &first =
      in.operandShape(in.choice.heroes[0].instruction, LeafId(1));
  const int64_t unroll = unrollOf(in.body, first, in.device);
  plan.grid = standardGrid(*first.elementCount(), unroll, in.device);
  for (auto [hero, root] : llvm::zip(in.choice.heroes, in.body.roots())) {
    Visit visit;
    visit.instruction = hero.instruction;
    visit.operand = LeafId(1);
    visit.result = root.results[0].result;
    INDEXICAL_ASSIGN_OR_RETURN(
        visit.space, loopSpace(in.operandShape(hero.instruction, LeafId(1)),
                               unroll, plan.grid));
    plan.visits.push_back(std::move(visit));
  }
  return absl::OkStatus();
}

}  // namespace indexical

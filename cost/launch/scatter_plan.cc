// Scatters: threads go through the updates, or warps through the indices. The
// updated operand is not read; the indices say where it is written.
//
//   updates f32[42,10,20], indices s32[42,1]
//   by updates   thread l has update [l floordiv 200, (l floordiv 20) mod 10,
//                l mod 20] and reads index row l floordiv 200
//   updates {0,1,2}, the rows lie side by side
//   by updates   thread l has update [l mod 42, (l floordiv 42) mod 10,
//                l floordiv 420] and reads index row l mod 42
//
// By updates, threads go through the first updates as they lie in memory. Warps
// go through indices, and through a slice, in the order of their dimensions.
#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/indexed/scatter.h"

namespace indexical {
namespace {

/// Returns the shape with its elements in the order of its dimensions.
ArrayShape rowMajor(ArrayShape shape) {
  shape.layout = {};
  return shape;
}

/// The number of the update that a thread has, in the order of memory.
Expr updateNumber(LaunchMap &map, const ScatterSizes &sizes) {
  map.loop(1, "chunk");
  const Expr s = map.loop(sizes.vector, "unroll");
  return (map.block() * sizes.grid.threads[0] + map.thread()) * sizes.vector +
         s;
}

Expr rowOfWarp(LaunchMap &map, const ScatterSizes &sizes, int64_t warp) {
  const Expr number = map.block() * (sizes.grid.threads[0] / warp) +
                      floorDiv(map.thread(), warp);
  const Expr s0 = map.loop(sizes.rowsOfWarp / sizes.indexVector, "s0");
  return number * sizes.rowsOfWarp + s0 * sizes.indexVector;
}

/// The map to the index of an update; `updates` are the first ones.
absl::StatusOr<IndexingMap> updateThreads(const PlanContext &in,
                                          const ScatterSizes &sizes,
                                          const ArrayShape &updates) {
  LaunchMap map(sizes.grid);
  if (sizes.emitter == Emitter::Scatter)
    return map.to({updateNumber(map, sizes)}, {sizes.rows * sizes.slice},
                  updates);
  const int64_t warp = in.device.warp;
  Expr row = rowOfWarp(map, sizes, warp);
  if (sizes.indexVector > 1) row = row + map.loop(sizes.indexVector, "i");
  const Expr s1 = map.loop(ceilDiv(sizes.slice, warp * sizes.vector), "s1");
  const Expr s2 = map.loop(sizes.vector, "s2");
  const Expr inSlice =
      (s1 * warp + mod(map.thread(), warp)) * sizes.vector + s2;
  return map.to({row, inSlice}, {sizes.rows, sizes.slice}, rowMajor(updates));
}

absl::StatusOr<IndexingMap> indexThreads(const PlanContext &in,
                                         const ScatterSizes &sizes,
                                         const ArrayShape &updates,
                                         const ArrayShape &indices) {
  LaunchMap map(sizes.grid);
  if (sizes.emitter == Emitter::Scatter) {
    const int64_t count = sizes.rows * sizes.slice;
    const Expr number = updateNumber(map, sizes);
    map.keep(number, {0, count - 1});
    const Expr row = bitcast(map.builder(), {number}, {count}, updates)[0];
    return map.to({row, map.loop(sizes.places, "index")},
                  {sizes.rows, sizes.places}, rowMajor(indices));
  }
  // The vector is the last loop.
  const Expr row = rowOfWarp(map, sizes, in.device.warp);
  const Expr place = map.loop(sizes.places, "index");
  const Expr next = map.loop(sizes.indexVector, "i");
  return map.to({row + next, place}, {sizes.rows, sizes.places},
                rowMajor(indices));
}

}  // namespace

absl::Status planScatter(const PlanContext &in, LaunchPlan &plan) {
  const BodyRoot &root = in.body.roots()[0];
  const auto sizes =
      scatterSizes(in.body, root.instruction, in.device, plan.reason);
  if (!sizes) return absl::OkStatus();
  plan.grid = sizes->grid;
  const auto &op = *in.body.at(root.instruction).op.as<ScatterOp>();
  const size_t inputs = op.results.size();
  const ArrayShape &first = op.operands[inputs + 1];
  auto threads = indexThreads(in, *sizes, first, op.operands[inputs]);
  INDEXICAL_RETURN_IF_ERROR(threads.status());
  Visit reading = visitAt(Phase::Read, root.instruction, op.operands[inputs],
                          *std::move(threads));
  reading.operand = LeafId(inputs);
  plan.visits.push_back(std::move(reading));
  for (size_t k = 0; k < inputs; ++k) {
    const ArrayShape &updates = op.operands[inputs + 1 + k];
    threads = updateThreads(in, *sizes, first);
    INDEXICAL_RETURN_IF_ERROR(threads.status());
    Visit visit =
        visitAt(Phase::Read, root.instruction, updates, *std::move(threads));
    visit.operand = LeafId(inputs + 1 + k);
    visit.leaf = LeafId(k);
    visit.result = root.results[k].result;
    visit.writesSome = sizes->rowsOfWarp > 1;
    plan.visits.push_back(std::move(visit));
  }
  return absl::OkStatus();
}

}  // namespace indexical

// Triton: a program takes one tile of the result, and the operands' elements
// that it needs. The compiler chooses how its threads divide the tile.
#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/products/dot.h"

namespace indexical {
namespace {

/// Whether neighbouring programs go down the result of a product, and not along
/// its rows: the operand of the columns is the larger one.
bool goesDown(const PlanContext &in) {
  const InstructionId root = in.body.roots()[0].instruction;
  if (!in.body.contains(root)) return false;
  const auto *dot = in.body.at(root).op.as<DotOp>();
  if (!dot || !dot->lhsBatch.empty()) return false;
  const size_t contracted = dot->lhsContracting.size();
  return dot->operands[0].dimensions.size() == contracted + 1 &&
         dot->operands[1].dimensions.size() == contracted + 1 &&
         bytesOf(dot->operands[0]) < bytesOf(dot->operands[1]);
}

}  // namespace

absl::Status planTriton(const PlanContext &in, LaunchPlan &plan) {
  const TritonConfig &config = *in.choice.triton;
  if (config.tiles.size() != in.body.roots().size()) {
    plan.reason = "the dump gives " + std::to_string(config.tiles.size()) +
                  " tiles for " + std::to_string(in.body.roots().size()) +
                  " results";
    return absl::OkStatus();
  }
  for (auto [r, root] : llvm::enumerate(in.body.roots())) {
    const ArrayShape &shape = in.shapeOf(root);
    Visit visit;
    visit.instruction = root.instruction;
    visit.leaf = root.results[0].leaf;
    visit.result = root.results[0].result;
    visit.space.shape = shape;
    visit.tile = config.tiles[r];
    int64_t blocks = 1;
    const bool fits = visit.tile.size() == shape.dimensions.size() &&
                      llvm::all_of(visit.tile, [](int64_t n) { return n > 0; });
    if (fits)
      for (auto [size, side] : llvm::zip(shape.dimensions, visit.tile))
        blocks *= ceilDiv(size, side);
    if (r == 0) plan.grid.blocks[0] = blocks;
    if (!fits || blocks != plan.grid.blocks[0]) {
      plan.reason = "the dump's tile does not go with " + shape.str();
      return absl::OkStatus();
    }
    visit.goesDown = r == 0 && goesDown(in);
    visit.tilesOfBlock = config.tilesOfProgram;
    plan.visits.push_back(std::move(visit));
  }
  plan.grid.blocks[0] = ceilDiv(plan.grid.blocks[0], config.tilesOfProgram);
  plan.grid.threads[0] = config.warps * in.device.warp;
  return absl::OkStatus();
}

}  // namespace indexical

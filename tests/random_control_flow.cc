// Random conditionals, loops, custom ops, and ops that are started.
#include <iterator>
#include <memory>

#include "tests/delegated_op.h"
#include "tests/random_ops.h"

namespace indexical::testing {
namespace {

ArrayShape smallShape(Random &random) {
  return shapeOf(sizesOfRank(random.in(0, 3), 30, random), random);
}

Op makeConditional(Random &random) {
  ConditionalOp op;
  op.operands = {shapeOf(ElementType::Pred, {}, random)};
  for (int64_t k = random.in(0, 3); k > 0; --k)
    op.operands.push_back(smallShape(random));
  for (int64_t r = random.in(1, 2); r > 0; --r)
    op.results.push_back(smallShape(random));
  return op;
}

Op makeWhile(Random &random) {
  WhileOp op;
  for (int64_t k = random.in(1, 3); k > 0; --k)
    op.operands.push_back(smallShape(random));
  op.results = op.operands;
  return op;
}

Op makeScan(Random &random) {
  ScanOp op;
  op.carries = random.in(0, 2);
  op.reverse = random.oneIn(2);
  const int64_t rank = random.in(1, 3);
  op.dimension = random.in(0, rank - 1);
  const int64_t size = randomSize(random);
  auto withSteps = [&] {
    Int64s sizes = sizesOfRank(rank, 30, random);
    sizes[op.dimension] = size;
    return shapeOf(sizes, random);
  };
  for (int64_t k = random.in(1, 2); k > 0; --k)
    op.operands.push_back(withSteps());
  for (int64_t r = random.in(0, 2); r > 0; --r)
    op.results.push_back(withSteps());
  for (int64_t c = 0; c < op.carries; ++c) {
    op.operands.push_back(smallShape(random));
    op.results.push_back(op.operands[op.operands.size() - 1]);
  }
  return op;
}

/// Any op of another family, but for bitcasts: they promise less where they are
/// tiled.
Op makeOther(Random &random) {
  llvm::ArrayRef<Family> others = movingFamilies();
  while (true) {
    Op op = others[random.in(0, others.size() - 1)].make(random);
    if (!std::holds_alternative<BitcastOp>(op)) return op;
  }
}

/// Not of a broadcast, whose sizes of 1 must be known (withOpenSizes).
Op makeCustom(Random &random) {
  while (true) {
    Op op = makeOther(random);
    if (!std::holds_alternative<BroadcastOp>(op)) return delegated(op);
  }
}

/// Starts an op of another family.
Op makeStart(Random &random) {
  auto inner = std::make_shared<InnerOp>();
  inner->op = makeOther(random);
  StartOp op;
  op.operands = shapesOf(inner->op).operands;
  op.forwards = random.in(0, op.operands.size());
  for (int64_t k = 0; k < op.forwards; ++k)
    op.results.push_back(op.operands[k]);
  for (const ArrayShape &shape : shapesOf(inner->op).results)
    op.results.push_back(shape);
  for (int64_t k = random.in(0, 2); k > 0; --k)
    op.results.push_back(smallShape(random));
  op.inner = std::move(inner);
  return op;
}

Op makeCapturing(Random &random) {
  auto inner = std::make_shared<InnerOp>();
  inner->op = makeOther(random);
  CapturingOp op;
  static_cast<OpShapes &>(op) = shapesOf(inner->op);
  for (int64_t k = random.in(1, 3); k > 0; --k)
    op.operands.push_back(random.oneIn(2) ? ArrayShape(ElementType::F32, {})
                                          : smallShape(random));
  op.inner = std::move(inner);
  return op;
}

Op makeBroadcasting(Random &random) {
  BroadcastingOp op;
  const Int64s sizes = sizesOfRank(random.in(0, 4), 60, random);
  op.results = {shapeOf(sizes, random)};
  for (int64_t k = random.in(1, 3); k > 0; --k) {
    Int64s own;
    Int64s &dimensions = op.dimensions.emplace_back();
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (random.oneIn(3)) continue;
      dimensions.push_back(d);
      own.push_back(random.oneIn(3) ? 1 : sizes[d]);
    }
    op.operands.push_back(shapeOf(own, random));
  }
  return op;
}

Op makeReadAll(Random &random) {
  ReadAllOp op;
  for (int64_t k = random.in(0, 3); k > 0; --k)
    op.operands.push_back(smallShape(random));
  op.results = {smallShape(random)};
  return op;
}

}  // namespace

llvm::ArrayRef<Family> controlFlowFamilies() {
  static const Family kFamilies[] = {
      {"conditional", makeConditional},
      {"while", makeWhile},
      {"scan", makeScan},
      {"custom", makeCustom},
      {"start", makeStart},
      {"capturing", makeCapturing},
      {"broadcasting", makeBroadcasting},
      {"everything", makeReadAll},
  };
  return kFamilies;
}

}  // namespace indexical::testing

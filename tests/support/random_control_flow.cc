// Random conditionals, loops, custom ops, and ops that are started.
#include <iterator>
#include <memory>
#include <vector>

#include "tests/support/delegated_op.h"
#include "tests/support/random_ops.h"

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

/// Makes any op of another family except for bitcasts, which promise less if
/// they are tiled.
Op makeOther(Random &random) {
  llvm::ArrayRef<Family> others = movingFamilies();
  while (true) {
    Op op = others[random.in(0, others.size() - 1)].make(random);
    if (!op.is<BitcastOp>()) return op;
  }
}

/// Like makeOther(), except for broadcasts, whose sizes of 1 must be known
/// (withOpenSizes).
Op makeInner(Random &random) {
  while (true) {
    Op op = makeOther(random);
    if (!op.is<BroadcastOp>()) return op;
  }
}

Op makeCustom(Random &random) { return delegated(makeInner(random)); }

/// Starts an op of another family.
Op makeStart(Random &random) {
  const Op inner = makeInner(random);
  StartOp op;
  op.operands = shapesOf(inner).operands;
  op.forwards = random.in(0, op.operands.size());
  for (int64_t k = 0; k < op.forwards; ++k)
    op.results.push_back(op.operands[k]);
  for (const ArrayShape &shape : shapesOf(inner).results)
    op.results.push_back(shape);
  for (int64_t k = random.in(0, 2); k > 0; --k)
    op.results.push_back(smallShape(random));
  op.inner = inner;
  return op;
}

/// An op that may have a region.
Op makeRegional(Random &random) {
  if (random.oneIn(2)) return makeInner(random);
  const llvm::ArrayRef<Family> groups[] = {
      movingFamilies(), contractingFamilies(), algorithmFamilies()};
  while (true) {
    llvm::ArrayRef<Family> others = groups[random.in(0, 2)];
    Op op = others[random.in(0, others.size() - 1)].make(random);
    if (op.is<ScatterOp>() || op.is<SelectAndScatterOp>() || op.is<ReduceOp>())
      return op;
  }
}

Op makeCapturing(Random &random) {
  const Op inner = makeRegional(random);
  CapturingOp op;
  static_cast<OpShapes &>(op) = shapesOf(inner);
  for (int64_t k = random.in(1, 3); k > 0; --k)
    op.operands.push_back(random.oneIn(2) ? ArrayShape(ElementType::F32, {})
                                          : smallShape(random));
  op.inner = inner;
  return op;
}

/// A size of the result is that of an operand, if one has the dimension.
Op makeBroadcasting(Random &random) {
  BroadcastingOp op;
  Int64s sizes = sizesOfRank(random.in(0, 4), 60, random);
  const int64_t count = random.in(1, 3);
  std::vector<Int64s> shapes(count);
  op.dimensions.resize(count);
  for (size_t d = 0; d < sizes.size(); ++d) {
    bool isOne = true, isThere = false;
    for (int64_t k = 0; k < count; ++k) {
      if (random.oneIn(3)) continue;
      op.dimensions[k].push_back(d);
      shapes[k].push_back(random.oneIn(3) ? 1 : sizes[d]);
      isThere = true;
      isOne &= shapes[k].back() == 1;
    }
    if (isThere && isOne) sizes[d] = 1;
  }
  for (const Int64s &shape : shapes)
    op.operands.push_back(shapeOf(shape, random));
  op.results = {shapeOf(sizes, random)};
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

// Random ops of the families that sort, scatter, solve and transform.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {
namespace {

const Family &familyNamed(llvm::StringRef name) {
  return *llvm::find_if(movingFamilies(), [&](const Family &family) {
    return family.name == name;
  });
}

/// Makes a scatter from a gather: the gather's result is scattered into its
/// operand.
Op makeScatter(Random &random) {
  using BodyRead = ScatterOp::BodyRead;
  static const Family &gathers = familyNamed("gather");
  const GatherOp gather = gathers.make(random).get<GatherOp>();
  ScatterOp op;
  const int64_t n = random.oneIn(4) ? random.in(2, 3) : 1;
  for (int64_t k = 0; k < n; ++k)
    op.operands.push_back(shapeOf(gather.operands[0].dimensions, random));
  op.operands.push_back(gather.operands[1]);
  for (int64_t k = 0; k < n; ++k) {
    const ElementType type = op.operands[k].type;
    op.operands.push_back(shapeOf(type, gather.results[0].dimensions, random));
    op.results.push_back(shapeOf(type, op.operands[k].dimensions, random));
  }
  op.updateWindowDims = gather.offsetDims;
  op.insertedWindowDims = gather.collapsedSliceDims;
  op.scatterDimsToOperandDims = gather.startIndexMap;
  op.inputBatchingDims = gather.operandBatchingDims;
  op.scatterIndicesBatchingDims = gather.startIndicesBatchingDims;
  op.indexVectorDim = gather.indexVectorDim;
  op.partlyOutside = random.oneIn(2) ? ScatterOp::PartlyOutside::SkipSlice
                                     : ScatterOp::PartlyOutside::SkipElements;
  if (!random.oneIn(4))
    for (int64_t pair = 0; pair < n * n; ++pair)
      op.bodyReads.push_back(static_cast<BodyRead>(random.in(0, 2)));
  return op;
}

Op makeSort(Random &random) {
  SortOp op;
  Int64s sizes = randomSizes(random, 1);
  op.dimension = random.in(0, sizes.size() - 1);
  for (int64_t k = random.oneIn(3) ? random.in(2, 3) : 1; k > 0; --k) {
    op.operands.push_back(shapeOf(sizes, random));
    op.results.push_back(
        shapeOf(op.operands[op.operands.size() - 1].type, sizes, random));
  }
  return op;
}

Op makeTopK(Random &random) {
  TopKOp op;
  Int64s sizes = randomSizes(random, 1);
  op.operands = {shapeOf(sizes, random)};
  op.k = random.in(random.oneIn(20) ? 0 : std::min<int64_t>(sizes.back(), 1),
                   sizes.back());
  sizes.back() = op.k;
  op.results = {shapeOf(op.operands[0].type, sizes, random),
                shapeOf(ElementType::S32, sizes, random)};
  return op;
}

Op makeFft(Random &random) {
  using Kind = FftOp::Kind;
  FftOp op;
  op.kind = static_cast<Kind>(random.in(0, 3));
  Int64s sizes = sizesOfRank(random.in(1, 5), 200, random);
  const int64_t rank = sizes.size();
  op.lengths.assign(sizes.end() - random.in(1, std::min<int64_t>(rank, 3)),
                    sizes.end());
  const bool isWide = random.oneIn(2);
  const ElementType real = isWide ? ElementType::F64 : ElementType::F32;
  const ElementType complex = isWide ? ElementType::C128 : ElementType::C64;
  Int64s halved = sizes;
  if (halved.back() > 0) halved.back() = halved.back() / 2 + 1;
  if (op.kind == Kind::Rfft || op.kind == Kind::Irfft) {
    op.operands = {shapeOf(real, sizes, random)};
    op.results = {shapeOf(complex, halved, random)};
    if (op.kind == Kind::Irfft) std::swap(op.operands, op.results);
  } else {
    op.operands = {shapeOf(complex, sizes, random)};
    op.results = {shapeOf(complex, sizes, random)};
  }
  return op;
}

Op makeBatchNorm(Random &random) {
  using Kind = BatchNormOp::Kind;
  BatchNormOp op;
  op.kind = static_cast<Kind>(random.in(0, 2));
  Int64s sizes = sizesOfRank(random.in(1, 5), 150, random);
  op.featureIndex = random.in(0, sizes.size() - 1);
  auto large = [&] { return shapeOf(ElementType::F32, sizes, random); };
  auto small = [&] {
    return shapeOf(ElementType::F32, {sizes[op.featureIndex]}, random);
  };
  op.operands = {large(), small(), small()};
  op.results = {large()};
  if (op.kind != Kind::Training) {
    op.operands.push_back(small());
    op.operands.push_back(op.kind == Kind::Gradient ? large() : small());
  }
  if (op.kind != Kind::Inference) {
    op.results.push_back(small());
    op.results.push_back(small());
  }
  return op;
}

/// The sizes of a batch of matrices with these edges.
Int64s matrixSizes(const Int64s &batch, int64_t rows, int64_t columns) {
  Int64s sizes = batch;
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

Op makeCholesky(Random &random) {
  CholeskyOp op;
  const int64_t n = randomSize(random);
  Int64s sizes = matrixSizes(sizesOfRank(random.in(0, 3), 12, random), n, n);
  op.lower = random.oneIn(2);
  op.operands = {shapeOf(ElementType::F32, sizes, random)};
  op.results = {shapeOf(ElementType::F32, sizes, random)};
  return op;
}

Op makeTriangularSolve(Random &random) {
  TriangularSolveOp op;
  op.leftSide = random.oneIn(2);
  op.lower = random.oneIn(2);
  op.unitDiagonal = random.oneIn(2);
  op.transposed = random.oneIn(2);
  const int64_t n = randomSize(random), across = randomSize(random);
  Int64s batch = sizesOfRank(random.in(0, 3), 10, random);
  Int64s sizes = op.leftSide ? matrixSizes(batch, n, across)
                             : matrixSizes(batch, across, n);
  op.operands = {shapeOf(ElementType::F64, matrixSizes(batch, n, n), random),
                 shapeOf(ElementType::F64, sizes, random)};
  op.results = {shapeOf(ElementType::F64, sizes, random)};
  return op;
}

Op makeSetDimensionSize(Random &random) {
  SetDimensionSizeOp op;
  Int64s sizes = randomSizes(random, 1);
  op.dimension = random.in(0, sizes.size() - 1);
  op.operands = {shapeOf(sizes, random),
                 shapeOf(randomIndexType(random), {}, random)};
  op.results = {shapeOf(op.operands[0].type, sizes, random)};
  return op;
}

Op makeDynamicReshape(Random &random) {
  DynamicReshapeOp op;
  Int64s sizes = randomSizes(random);
  Int64s resultSizes = sizesWithCount(countOf(sizes), random);
  const int64_t rank = resultSizes.size();
  op.operands = {shapeOf(sizes, random)};
  const ElementType type = randomIndexType(random);
  if (random.oneIn(2))
    op.operands.push_back(shapeOf(type, {rank}, random));
  else
    for (int64_t k = 0; k < rank; ++k)
      op.operands.push_back(shapeOf(type, {}, random));
  op.results = {shapeOf(op.operands[0].type, resultSizes, random)};
  return op;
}

}  // namespace

llvm::ArrayRef<Family> algorithmFamilies() {
  static const Family kFamilies[] = {
      {"scatter", makeScatter},
      {"sort", makeSort},
      {"topK", makeTopK},
      {"fft", makeFft},
      {"batchNorm", makeBatchNorm},
      {"cholesky", makeCholesky},
      {"triangularSolve", makeTriangularSolve},
      {"setDimensionSize", makeSetDimensionSize},
      {"dynamicReshape", makeDynamicReshape},
  };
  return kFamilies;
}

}  // namespace indexical::testing

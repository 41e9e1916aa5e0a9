#include "tests/support/random_ops.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"

namespace indexical::testing {
namespace {

ArrayShape indexShape(llvm::ArrayRef<int64_t> sizes, Random &random) {
  return shapeOf(randomIndexType(random), sizes, random);
}

// --- Index preserving and whole-operand families ---

Op makeNullary(Random &random) {
  NullaryOp op;
  if (random.oneIn(2)) op.operands = {shapeOf(randomSizes(random), random)};
  op.results = {shapeOf(randomSizes(random), random)};
  return op;
}

Op makeElementwise(Random &random) {
  ElementwiseOp op;
  Int64s sizes = randomSizes(random);
  for (int64_t k = random.in(1, 3); k > 0; --k)
    op.operands.push_back(shapeOf(random.oneIn(4) ? Int64s() : sizes, random));
  op.results = {shapeOf(sizes, random)};
  return op;
}

Op makeConstant(Random &random) {
  ConstantOp op;
  op.results = {indexShape(randomSizes(random), random)};
  if (random.oneIn(2))
    for (int64_t i = countOf(op.results[0].dimensions); i > 0; --i)
      op.values.push_back(random.in(0, 100));
  return op;
}

Op makeIota(Random &random) {
  IotaOp op;
  Int64s sizes = randomSizes(random, 1);
  op.results = {indexShape(sizes, random)};
  op.dimension = random.in(0, sizes.size() - 1);
  return op;
}

Op makeForward(Random &random) {
  ForwardOp op;
  for (int64_t k = random.in(1, 3); k > 0; --k)
    op.operands.push_back(shapeOf(randomSizes(random), random));
  for (int64_t r = random.in(1, 3); r > 0; --r) {
    op.reads.push_back(random.in(-1, op.operands.size() - 1));
    op.results.push_back(op.reads.back() < 0
                             ? shapeOf(randomSizes(random), random)
                             : op.operands[op.reads.back()]);
  }
  return op;
}

/// Operands and results whose product stays small.
void fillSmallShapes(OpShapes &op, Random &random) {
  for (int64_t k = random.in(0, 3); k > 0; --k)
    op.operands.push_back(
        shapeOf(sizesOfRank(random.in(0, 4), 40, random), random));
  for (int64_t r = random.in(1, 3); r > 0; --r)
    op.results.push_back(
        shapeOf(sizesOfRank(random.in(0, 4), 40, random), random));
}

Op makeCover(Random &random) {
  CoverOp op;
  fillSmallShapes(op, random);
  op.precision = random.oneIn(2) ? Precision::Cover : Precision::Opaque;
  op.reason = "a random op";
  return op;
}

Op makeCall(Random &random) {
  CallOp op;
  fillSmallShapes(op, random);
  return op;
}

// --- Data movement ---

Op makeBroadcast(Random &random) {
  BroadcastOp op;
  Int64s sizes = randomSizes(random);
  op.dimensions = random.subset(sizes.size(), random.in(0, sizes.size()));
  if (random.oneIn(3)) op.dimensions = shuffled(op.dimensions, random);
  Int64s operandSizes;
  for (int64_t dimension : op.dimensions)
    operandSizes.push_back(random.oneIn(5) ? 1 : sizes[dimension]);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, operandSizes, random)};
  op.results = {shapeOf(type, sizes, random)};
  return op;
}

Op makeTranspose(Random &random) {
  TransposeOp op;
  Int64s sizes = randomSizes(random), resultSizes;
  op.permutation = random.permutation(sizes.size());
  for (int64_t dimension : op.permutation)
    resultSizes.push_back(sizes[dimension]);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random)};
  op.results = {shapeOf(type, resultSizes, random)};
  return op;
}

Op makeReverse(Random &random) {
  ReverseOp op;
  Int64s sizes = randomSizes(random);
  op.dimensions =
      shuffled(random.subset(sizes.size(), random.in(0, sizes.size())), random);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random)};
  op.results = {shapeOf(type, sizes, random)};
  return op;
}

template <typename OpType>
Op makeOrderKeeping(Random &random) {
  OpType op;
  Int64s sizes = randomSizes(random);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random)};
  op.results = {shapeOf(type, sizesWithCount(countOf(sizes), random), random)};
  return op;
}

const std::pair<ElementType, int64_t> kWidths[] = {{ElementType::U4, 4},
                                                   {ElementType::S8, 8},
                                                   {ElementType::BF16, 16},
                                                   {ElementType::F32, 32},
                                                   {ElementType::U64, 64}};

/// The most minor physical dimension grows or shrinks by the ratio of the
/// widths. If that dimension is gone, the rest may be cut anew.
Op makeBitcastOfWidths(Random &random) {
  int64_t wide = random.in(1, std::size(kWidths) - 1);
  int64_t narrow = random.in(0, wide - 1);
  const int64_t ratio = kWidths[wide].second / kWidths[narrow].second;
  ArrayShape wideShape = shapeOf(
      kWidths[wide].first, sizesOfRank(random.in(1, 4), 120, random), random);
  ArrayShape narrowShape = wideShape;
  narrowShape.type = kWidths[narrow].first;
  if (random.oneIn(2)) {
    const int64_t minor = wideShape.layout ? wideShape.layout->minorToMajor[0]
                                           : wideShape.rank() - 1;
    narrowShape.dimensions[minor] *= ratio;
  } else {
    narrowShape.dimensions =
        sizesWithCount(ratio * countOf(wideShape.dimensions), random);
    narrowShape = shapeOf(narrowShape.type, narrowShape.dimensions, random);
  }
  BitcastOp op;
  op.operands = {wideShape};
  op.results = {narrowShape};
  if (random.oneIn(2)) std::swap(op.operands, op.results);
  return op;
}

/// A layout with one or two levels of small tiles, which need not divide.
void addTiles(ArrayShape &shape, Random &random) {
  Layout layout;
  if (shape.layout)
    layout = *shape.layout;
  else
    layout.minorToMajor = shape.minorToMajor();
  for (int64_t level = random.in(1, 2); level > 0; --level) {
    Tile tile;
    for (int64_t k = random.in(1, shape.rank() + 1); k > 0; --k)
      tile.dimensions.push_back(random.in(1, 4));
    layout.tiles.push_back(tile);
  }
  shape.layout = std::move(layout);
}

Op makeTiledBitcast(Random &random) {
  Int64s sizes = sizesOfRank(random.in(0, 4), 200, random);
  ElementType type = randomType(random);
  ArrayShape operand = shapeOf(type, sizes, random), result = operand;
  if (random.oneIn(2)) addTiles(operand, random);
  if (random.oneIn(2))
    result = shapeOf(type, sizesWithCount(countOf(sizes), random), random);
  if (random.oneIn(2) || !operand.layout || operand.layout->tiles.empty())
    addTiles(result, random);
  BitcastOp op;
  op.operands = {operand};
  op.results = {result};
  return op;
}

Op makeBitcastConvert(Random &random) {
  int64_t from = random.in(0, std::size(kWidths) - 1);
  int64_t to = random.in(0, std::size(kWidths) - 1);
  Int64s sizes = randomSizes(random, 0, 4), narrowSizes = sizes;
  const int64_t wide = std::max(from, to), narrow = std::min(from, to);
  const int64_t ratio = kWidths[wide].second / kWidths[narrow].second;
  if (ratio > 1) narrowSizes.push_back(ratio);
  BitcastConvertOp op;
  op.operands = {shapeOf(kWidths[wide].first, sizes, random)};
  op.results = {shapeOf(kWidths[narrow].first, narrowSizes, random)};
  if (to > from) std::swap(op.operands, op.results);
  return op;
}

Op makeSlice(Random &random) {
  SliceOp op;
  Int64s sizes = randomSizes(random), resultSizes;
  for (int64_t size : sizes) {
    const int64_t nonEmpty = !random.oneIn(30) && size > 0;
    op.starts.push_back(random.in(0, size - nonEmpty));
    op.limits.push_back(random.in(op.starts.back() + nonEmpty, size));
    if (random.oneIn(3)) op.starts.back() = 0, op.limits.back() = size;
    op.strides.push_back(random.oneIn(3) ? 1 : random.in(1, 4));
    resultSizes.push_back(
        (op.limits.back() - op.starts.back() + op.strides.back() - 1) /
        op.strides.back());
  }
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random)};
  op.results = {shapeOf(type, resultSizes, random)};
  return op;
}

Op makeConcatenate(Random &random) {
  ConcatenateOp op;
  Int64s sizes = randomSizes(random, 1);
  op.dimension = random.in(0, sizes.size() - 1);
  ElementType type = randomType(random);
  int64_t total = 0;
  for (int64_t k = random.in(1, 4); k > 0; --k) {
    sizes[op.dimension] = randomSize(random);
    total += sizes[op.dimension];
    op.operands.push_back(shapeOf(type, sizes, random));
  }
  sizes[op.dimension] = total;
  op.results = {shapeOf(type, sizes, random)};
  return op;
}

Op makePad(Random &random) {
  PadOp op;
  Int64s sizes = randomSizes(random), resultSizes;
  do {
    op.low.clear(), op.high.clear(), op.interior.clear(), resultSizes.clear();
    for (int64_t size : sizes) {
      const bool plain = random.oneIn(3);
      op.low.push_back(plain ? 0 : random.in(-3, 4));
      op.high.push_back(plain ? 0 : random.in(-3, 4));
      op.interior.push_back(random.oneIn(2) ? 0 : random.in(0, 3));
      resultSizes.push_back(op.low.back() + op.high.back() + size +
                            std::max<int64_t>(size - 1, 0) *
                                op.interior.back());
    }
  } while (std::any_of(resultSizes.begin(), resultSizes.end(),
                       [](int64_t size) { return size < 0; }) ||
           countOf(resultSizes) > kMostElements);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random), shapeOf(type, {}, random)};
  op.results = {shapeOf(type, resultSizes, random)};
  return op;
}

// --- Indexing by values ---

/// Adds one scalar for each dimension, or one tensor of all (the older form).
void addStartOperands(OpShapes &op, int64_t rank, Random &random) {
  if (random.oneIn(4)) {
    op.operands.push_back(indexShape({rank}, random));
    return;
  }
  const ElementType type = randomIndexType(random);
  for (int64_t k = 0; k < rank; ++k)
    op.operands.push_back(shapeOf(type, {}, random));
}

Op makeDynamicSlice(Random &random) {
  DynamicSliceOp op;
  Int64s sizes = randomSizes(random);
  op.sizes = sizesWithin(sizes, random);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random)};
  op.results = {shapeOf(type, op.sizes, random)};
  addStartOperands(op, sizes.size(), random);
  return op;
}

Op makeDynamicUpdateSlice(Random &random) {
  DynamicUpdateSliceOp op;
  Int64s sizes = randomSizes(random);
  ElementType type = randomType(random);
  op.operands = {shapeOf(type, sizes, random),
                 shapeOf(type, sizesWithin(sizes, random), random)};
  op.results = {shapeOf(type, sizes, random)};
  addStartOperands(op, sizes.size(), random);
  return op;
}

/// Deals the operand's dimensions to batching, collapsed and offset ones, and
/// chooses the sizes of the slice.
void fillOperandDimensions(GatherOp &op, llvm::ArrayRef<int64_t> sizes,
                           Random &random) {
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d) {
    const bool batching = random.oneIn(4);
    const bool collapsed = !batching && random.oneIn(3);
    if (batching) op.operandBatchingDims.push_back(d);
    if (collapsed) op.collapsedSliceDims.push_back(d);
    const int64_t most =
        batching || collapsed ? std::min<int64_t>(sizes[d], 1) : sizes[d];
    const int64_t least = random.oneIn(25) ? 0 : std::min<int64_t>(most, 1);
    op.sliceSizes.push_back(random.in(least, most));
  }
}

/// The sizes of the start indices without the index vector, with the batching
/// dimensions dealt out (`startIndicesBatchingDims` then counts without the
/// index vector too).
Int64s batchSizes(GatherOp &op, llvm::ArrayRef<int64_t> sizes, Random &random) {
  const int64_t batching = op.operandBatchingDims.size();
  Int64s batch;
  for (int64_t k = batching + random.in(0, 2); k > 0; --k)
    batch.push_back(random.oneIn(30) ? 0 : random.in(1, 4));
  op.startIndicesBatchingDims = random.permutation(batch.size());
  op.startIndicesBatchingDims.resize(batching);
  for (int64_t i = 0; i < batching; ++i)
    batch[op.startIndicesBatchingDims[i]] = sizes[op.operandBatchingDims[i]];
  return batch;
}

/// The start index map, and with it the index vector, which goes anywhere among
/// the dimensions of the start indices. Returns their sizes.
Int64s startIndexSizes(GatherOp &op, int64_t operandRank, const Int64s &batch,
                       Random &random) {
  for (int64_t d : random.permutation(operandRank))
    if (!llvm::is_contained(op.operandBatchingDims, d) && !random.oneIn(4))
      op.startIndexMap.push_back(d);
  Int64s sizes = batch;
  op.indexVectorDim = random.in(0, batch.size());
  if (op.startIndexMap.size() == 1 && random.oneIn(2)) {
    op.indexVectorDim = batch.size();  // implicit
    return sizes;
  }
  sizes.insert(sizes.begin() + op.indexVectorDim,
               static_cast<int64_t>(op.startIndexMap.size()));
  for (int64_t &dimension : op.startIndicesBatchingDims)
    if (dimension >= op.indexVectorDim) ++dimension;
  return sizes;
}

/// Puts the offset dimensions anywhere among those of the batch.
Int64s gatherResultSizes(GatherOp &op, const Int64s &batch, Random &random) {
  Int64s offsetSizes;
  for (size_t d = 0; d < op.sliceSizes.size(); ++d)
    if (!llvm::is_contained(op.collapsedSliceDims, d) &&
        !llvm::is_contained(op.operandBatchingDims, d))
      offsetSizes.push_back(op.sliceSizes[d]);
  const int64_t rank = offsetSizes.size() + batch.size();
  op.offsetDims = random.subset(rank, offsetSizes.size());
  Int64s sizes;
  size_t offset = 0, outer = 0;
  for (int64_t d = 0; d < rank; ++d)
    sizes.push_back(offset < op.offsetDims.size() && op.offsetDims[offset] == d
                        ? offsetSizes[offset++]
                        : batch[outer++]);
  return sizes;
}

Op makeGather(Random &random) {
  while (true) {
    GatherOp op;
    Int64s sizes = randomSizes(random, 0, 4);
    fillOperandDimensions(op, sizes, random);
    Int64s batch = batchSizes(op, sizes, random);
    Int64s startSizes = startIndexSizes(op, sizes.size(), batch, random);
    Int64s resultSizes = gatherResultSizes(op, batch, random);
    if (resultSizes.size() > 6 || countOf(resultSizes) > 600) continue;
    ElementType type = randomType(random);
    op.operands = {shapeOf(type, sizes, random),
                   indexShape(startSizes, random)};
    op.results = {shapeOf(type, resultSizes, random)};
    return op;
  }
}

// --- Reductions ---

Op makeReduce(Random &random) {
  ReduceOp op;
  Int64s sizes = randomSizes(random), resultSizes;
  op.dimensions = random.subset(sizes.size(), random.in(0, sizes.size()));
  for (size_t k = 0; k < sizes.size(); ++k)
    if (!llvm::is_contained(op.dimensions, k)) resultSizes.push_back(sizes[k]);
  op.dimensions = shuffled(op.dimensions, random);
  const int64_t inputs = random.oneIn(3) ? random.in(2, 3) : 1;
  for (int64_t k = 0; k < inputs; ++k) {
    op.operands.push_back(shapeOf(sizes, random));
    op.results.push_back(shapeOf(op.operands[k].type, resultSizes, random));
  }
  for (int64_t k = 0; k < inputs; ++k)
    op.operands.push_back(shapeOf(op.operands[k].type, {}, random));
  return op;
}

}  // namespace

llvm::ArrayRef<Family> movingFamilies() {
  static const Family kFamilies[] = {
      {"nullary", makeNullary},
      {"elementwise", makeElementwise},
      {"constant", makeConstant},
      {"iota", makeIota},
      {"forward", makeForward},
      {"cover", makeCover},
      {"call", makeCall},
      {"broadcast", makeBroadcast},
      {"transpose", makeTranspose},
      {"reverse", makeReverse},
      {"reshape", makeOrderKeeping<ReshapeOp>},
      {"bitcast", makeOrderKeeping<BitcastOp>},
      {"bitcastOfWidths", makeBitcastOfWidths},
      {"tiledBitcast", makeTiledBitcast},
      {"bitcastConvert", makeBitcastConvert},
      {"slice", makeSlice},
      {"concatenate", makeConcatenate},
      {"pad", makePad},
      {"dynamicSlice", makeDynamicSlice},
      {"dynamicUpdateSlice", makeDynamicUpdateSlice},
      {"gather", makeGather},
      {"reduce", makeReduce},
  };
  return kFamilies;
}

llvm::ArrayRef<Family> families() {
  static const std::vector<Family> *all = [] {
    auto *made = new std::vector<Family>();
    for (llvm::ArrayRef<Family> group :
         {movingFamilies(), controlFlowFamilies(), contractingFamilies(),
          algorithmFamilies()})
      made->insert(made->end(), group.begin(), group.end());
    return made;
  }();
  return *all;
}

Op withOpenSizes(Op op, Random &random) {
  // A size of 1 that a broadcast expands must be known to be 1.
  const auto *broadcast = op.as<BroadcastOp>();
  const bool keepOnes = broadcast && broadcast->maybeExpanding.empty();
  auto open = [&](ArrayShape &shape) {
    for (int64_t &size : shape.dimensions) {
      const bool isOpen = random.oneIn(3) && !(keepOnes && size == 1);
      shape.dynamic.push_back(isOpen);
      if (isOpen)
        size = random.oneIn(2) ? kDynamicSize : size + random.in(0, 2);
    }
  };
  return op.changed([&](OpDraft &opened) {
    for (size_t k = 0; k < opened->operands.size(); ++k)
      open(opened->operands.mutableAt(k));
    for (size_t r = 0; r < opened->results.size(); ++r)
      open(opened->results.mutableAt(r));
  });
}

OperandValues randomValues(const Op &op, Random &random) {
  OperandValues values;
  for (const ArrayShape &shape : shapesOf(op).operands) {
    std::vector<int64_t> &list = values.emplace_back();
    if (!isIndexType(shape.type)) continue;
    for (int64_t i = countOf(shape.dimensions); i > 0; --i) {
      list.push_back(random.in(-2, 8));
      if (random.oneIn(20))
        list.back() = random.oneIn(2) ? INT64_MIN : INT64_MAX;
    }
  }
  return values;
}

}  // namespace indexical::testing

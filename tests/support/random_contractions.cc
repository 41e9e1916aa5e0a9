// Contractions and windows.
#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {
namespace {

// --- Contractions ---

/// One side of a dot: `batch`, `contracted` and free dimensions, shuffled.
ArrayShape dotOperand(const Int64s &batch, const Int64s &contracted,
                      Int64s &batchDims, Int64s &contractingDims,
                      Int64s &resultSizes, Random &random) {
  const int64_t fixed = batch.size() + contracted.size();
  const int64_t rank = fixed + random.in(0, std::min<int64_t>(2, 5 - fixed));
  Int64s places = random.permutation(rank), sizes(rank, 0);
  for (int64_t k = 0; k < rank; ++k) {
    const bool isBatch = k < static_cast<int64_t>(batch.size());
    const bool isFree = k >= fixed;
    sizes[places[k]] = isBatch  ? batch[k]
                       : isFree ? randomSize(random)
                                : contracted[k - batch.size()];
    if (isBatch) batchDims.push_back(places[k]);
    if (!isBatch && !isFree) contractingDims.push_back(places[k]);
  }
  Int64s freePlaces(places.begin() + fixed, places.end());
  std::sort(freePlaces.begin(), freePlaces.end());
  for (int64_t place : freePlaces) resultSizes.push_back(sizes[place]);
  return shapeOf(sizes, random);
}

/// The shapes of a dot that is small enough for the oracle to visit all pairs.
template <typename OpType>
OpType randomDot(Random &random) {
  while (true) {
    OpType op;
    Int64s batch = randomSizes(random, 0, 2);
    Int64s contracted = randomSizes(random, 0, 2);
    Int64s resultSizes = batch;
    ArrayShape lhs = dotOperand(batch, contracted, op.lhsBatch,
                                op.lhsContracting, resultSizes, random);
    ArrayShape rhs = dotOperand(batch, contracted, op.rhsBatch,
                                op.rhsContracting, resultSizes, random);
    const int64_t work = countOf(resultSizes) * countOf(contracted);
    if (work > (random.oneIn(10) ? kMostElements : 200)) continue;
    if (countOf(lhs.dimensions) * countOf(rhs.dimensions) > 20000) continue;
    rhs.type = lhs.type;
    op.operands = {lhs, rhs};
    op.results = {shapeOf(lhs.type, resultSizes, random)};
    return op;
  }
}

Op makeDot(Random &random) { return randomDot<DotOp>(random); }

ArrayShape scaleOf(const ArrayShape &operand, Random &random) {
  if (random.oneIn(8)) return shapeOf(Int64s(), random);
  Int64s sizes;
  for (int64_t size : operand.dimensions) {
    int64_t blocks = size == 0 ? random.in(0, 2) : random.in(1, size);
    while (blocks > 0 && size % blocks != 0) --blocks;
    sizes.push_back(random.oneIn(3) ? size : blocks);
  }
  return shapeOf(sizes, random);
}

Op makeScaledDot(Random &random) {
  auto op = randomDot<ScaledDotOp>(random);
  for (int64_t side : {0, 1})
    op.operands.push_back(scaleOf(op.operands[side], random));
  return op;
}

/// Makes ragged dots: their dimensions, and the sizes of these.
class RaggedDotMaker {
 public:
  explicit RaggedDotMaker(Random &random) : random(random) {}

  /// Returns the op, or nothing if it would be too large.
  std::optional<Op> make() {
    const int64_t mode = random.in(0, 2);  // free, contracting, batch
    const int64_t groups = random.oneIn(60)   ? random.in(64, 65)
                           : random.oneIn(30) ? 0
                                              : random.in(1, 4);
    Int64s batch = sizes(mode == 2), contracting = sizes(mode == 1);
    Int64s lhsFree = sizes(mode == 0), rhsFree = sizes(false);
    Int64s &of = mode == 0 ? lhsFree : mode == 1 ? contracting : batch;
    const int64_t ragged = random.in(0, of.size() - 1);
    if (random.oneIn(2)) of[ragged] = random.in(4, 12);
    const Int64s before(of.begin(), of.begin() + ragged);

    Int64s lhs, rhs, result;
    addSide(lhs, {batch, contracting, lhsFree},
            {&op.lhsBatch, &op.lhsContracting, &lhsNumbers});
    Int64s rhsNumbers, rhsGroups;
    if (mode == 0) rhsGroups = {groups};
    addSide(rhs, {batch, contracting, rhsFree, rhsGroups},
            {&op.rhsBatch, &op.rhsContracting, &rhsNumbers, &op.rhsGroup});
    op.lhsRagged = {(mode == 0   ? lhsNumbers
                     : mode == 1 ? op.lhsContracting
                                 : op.lhsBatch)[ragged]};
    if (mode == 1) result.push_back(groups);
    for (const Int64s &part : {batch, lhsFree, rhsFree})
      result.append(part.begin(), part.end());

    Int64s groupSizes;
    if (random.oneIn(2)) {
      if (mode != 2) groupSizes = batch;
      groupSizes.append(before.begin(), before.end());
    }
    groupSizes.push_back(groups);
    if (countOf(lhs) * countOf(rhs) > 6000 || countOf(result) > 400 ||
        countOf(groupSizes) > 200)
      return std::nullopt;
    op.operands = {shapeOf(lhs, random), shapeOf(rhs, random),
                   shapeOf(randomIndexType(random), groupSizes, random)};
    op.results = {shapeOf(result, random)};
    return op;
  }

 private:
  Int64s sizes(bool some) {
    Int64s list;
    for (int64_t k = random.in(some, some ? 2 : 1); k > 0; --k)
      list.push_back(randomSize(random));
    return list;
  }

  /// Deals the dimensions of the parts out to places, those of the free part,
  /// number 2, in order.
  void addSide(Int64s &all, llvm::ArrayRef<Int64s> parts,
               llvm::ArrayRef<Int64s *> numbers) {
    int64_t rank = 0;
    for (const Int64s &part : parts) rank += part.size();
    all.resize(rank);
    const Int64s places = random.permutation(rank);
    int64_t next = 0;
    for (size_t p = 0; p < parts.size(); ++p) {
      for (size_t k = 0; k < parts[p].size(); ++k)
        numbers[p]->push_back(places[next++]);
      if (p == 2) llvm::sort(*numbers[p]);
      for (size_t k = 0; k < parts[p].size(); ++k)
        all[(*numbers[p])[k]] = parts[p][k];
    }
  }

  Random &random;
  RaggedDotOp op;
  Int64s lhsNumbers;
};

Op makeRaggedDot(Random &random) {
  while (true)
    if (std::optional<Op> op = RaggedDotMaker(random).make()) return *op;
}

// --- Windows ---

WindowDimension randomWindow(Random &random) {
  WindowDimension window;
  window.size = random.in(1, 4);
  window.stride = random.oneIn(2) ? 1 : random.in(1, 4);
  if (random.oneIn(2)) window.padLow = random.in(-3, 4);
  if (random.oneIn(2)) window.padHigh = random.in(-3, 4);
  if (random.oneIn(3)) window.baseDilation = random.in(1, 4);
  if (random.oneIn(3)) window.windowDilation = random.in(1, 4);
  window.reversed = random.oneIn(4);
  return window;
}

/// Returns the number of places of the window, or -1 if padding removes more
/// than there is.
int64_t windowPlaces(const WindowDimension &window, int64_t size) {
  const int64_t dilated = size == 0 ? 0 : (size - 1) * window.baseDilation + 1;
  const int64_t padded = dilated + window.padLow + window.padHigh;
  const int64_t reach = (window.size - 1) * window.windowDilation + 1;
  if (padded < 0) return -1;
  return padded < reach ? 0 : (padded - reach) / window.stride + 1;
}

Op makeReduceWindow(Random &random) {
  while (true) {
    ReduceWindowOp op;
    Int64s sizes = randomSizes(random, 0, 4), resultSizes;
    int64_t work = 1;
    for (int64_t size : sizes) {
      op.window.push_back(randomWindow(random));
      resultSizes.push_back(windowPlaces(op.window.back(), size));
      work *= std::max<int64_t>(resultSizes.back(), 1) * op.window.back().size;
    }
    if (llvm::is_contained(resultSizes, -1)) continue;
    if (llvm::is_contained(resultSizes, 0) && !random.oneIn(6)) continue;
    if (work > 3000) continue;
    const int64_t inputs = random.oneIn(4) ? 2 : 1;
    for (int64_t k = 0; k < inputs; ++k) {
      op.operands.push_back(shapeOf(sizes, random));
      op.results.push_back(shapeOf(op.operands[k].type, resultSizes, random));
    }
    for (int64_t k = 0; k < inputs; ++k)
      op.operands.push_back(shapeOf(op.operands[k].type, {}, random));
    return op;
  }
}

// --- Convolutions ---

/// The sizes of a tensor with two named dimensions and spatial ones, at random
/// places.
Int64s placed(int64_t first, int64_t second, llvm::ArrayRef<int64_t> spatial,
              int64_t &firstPlace, int64_t &secondPlace, Int64s &spatialPlaces,
              Random &random) {
  Int64s places = random.permutation(spatial.size() + 2), sizes(places.size());
  sizes[firstPlace = places[0]] = first;
  sizes[secondPlace = places[1]] = second;
  spatialPlaces.assign(places.begin() + 2, places.end());
  for (size_t i = 0; i < spatial.size(); ++i)
    sizes[spatialPlaces[i]] = spatial[i];
  return sizes;
}

Op makeConvolution(Random &random) {
  while (true) {
    ConvolutionOp op;
    Int64s spatial = randomSizes(random, 0, 3), counts, kernelSizes;
    for (int64_t size : spatial) {
      op.window.push_back(randomWindow(random));
      counts.push_back(windowPlaces(op.window.back(), size));
      kernelSizes.push_back(op.window.back().size);
    }
    if (llvm::is_contained(counts, -1)) continue;
    if (llvm::is_contained(counts, 0) && !random.oneIn(6)) continue;
    auto small = [&] { return random.oneIn(40) ? 0 : random.in(1, 3); };
    if (random.oneIn(3)) op.featureGroups = random.in(1, 3);
    if (op.featureGroups == 1 && random.oneIn(2))
      op.batchGroups = random.in(1, 3);
    const int64_t features = small(), batch = small();
    const int64_t outputs = small() * op.featureGroups * op.batchGroups;
    const int64_t work =
        countOf(counts) * countOf(kernelSizes) * features * batch * outputs;
    if (work > 4000 || countOf(spatial) * features * batch > 400) continue;
    Int64s input =
        placed(batch * op.batchGroups, features * op.featureGroups, spatial,
               op.inputBatch, op.inputFeature, op.inputSpatial, random);
    Int64s kernel =
        placed(features, outputs, kernelSizes, op.kernelInputFeature,
               op.kernelOutputFeature, op.kernelSpatial, random);
    Int64s result = placed(batch, outputs, counts, op.outputBatch,
                           op.outputFeature, op.outputSpatial, random);
    op.operands = {shapeOf(input, random), shapeOf(kernel, random)};
    op.results = {shapeOf(result, random)};
    return op;
  }
}

Op makeSelectAndScatter(Random &random) {
  while (true) {
    SelectAndScatterOp op;
    Int64s sizes = randomSizes(random, 0, 4), counts;
    int64_t work = 1;
    const bool plain = !random.oneIn(3);
    for (int64_t size : sizes) {
      op.window.push_back(randomWindow(random));
      if (plain) op.window.back().baseDilation = 1;
      if (plain) op.window.back().windowDilation = 1;
      counts.push_back(windowPlaces(op.window.back(), size));
      work *= std::max<int64_t>(counts.back(), 1) * op.window.back().size *
              op.window.back().size;
    }
    if (llvm::is_contained(counts, -1)) continue;
    if (llvm::is_contained(counts, 0) && !random.oneIn(6)) continue;
    if (work > 3000) continue;
    op.operands = {shapeOf(sizes, random), shapeOf(counts, random),
                   shapeOf(Int64s(), random)};
    op.results = {shapeOf(sizes, random)};
    return op;
  }
}

}  // namespace

llvm::ArrayRef<Family> contractingFamilies() {
  static const Family kFamilies[] = {
      {"dot", makeDot},
      {"scaledDot", makeScaledDot},
      {"raggedDot", makeRaggedDot},
      {"reduceWindow", makeReduceWindow},
      {"convolution", makeConvolution},
      {"selectAndScatter", makeSelectAndScatter},
  };
  return kFamilies;
}

}  // namespace indexical::testing

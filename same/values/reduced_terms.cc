// Elements that are reduced over variables: reduce and dot, windows and
// convolutions.
//
//   reduce(f32[4,6] p, zero), dimensions={1}
//   element (i):  add over s0 in [0, 5] of p[i, s0], begun with zero
//
// The order of the variables does not matter: larger ones come first, and among
// the orders of equal ones the one with the smallest number is taken.
#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The most orders of variables of equal sizes that are tried.
constexpr int kMostOrders = 24;
constexpr size_t kMostOrdered = 6;

/// What the text of a dot says of its operands, and what it says of both.
struct ProductText {
  std::string own[2], both;

  explicit ProductText(llvm::StringRef configuration) {
    for (llvm::StringRef item : llvm::split(configuration, ';')) {
      if (item.empty()) continue;
      llvm::SmallVector<llvm::StringRef, 2> each;
      if (item.consume_front("operand_precision="))
        item.trim("{}").split(each, ',');
      else if (item.consume_front("precision_config="))
        item.trim("[]").split(each, ',');
      if (each.size() == 2) {
        for (int side : {0, 1}) addTo(own[side], each[side].trim());
        continue;
      }
      addTo(both, item);
      // StableHLO's can be one of the left operand and another of the right.
      if (!item.contains("lhs_") && isOfBoth(item)) continue;
      addTo(own[0], "left");
      addTo(own[1], "right");
    }
  }

 private:
  static void addTo(std::string &text, llvm::StringRef item) {
    if (!text.empty()) text += ';';
    text += item;
  }
  /// Whether the item says the same of both operands, as its names do in HLO.
  static bool isOfBoth(llvm::StringRef item) {
    return item.starts_with("algorithm=dot_") ||
           item.starts_with("element_types=");
  }
};

/// An operand of a dot whose text says how it is taken.
Op takenAs(ElementType type, const std::string &text) {
  ElementwiseOp op;
  op.operands = op.results = {ArrayShape(type, {})};
  op.configuration = "dot " + text;
  return Op(std::move(op));
}

}  // namespace

bool reducesInAnyOrder(const Op &op) {
  if (commutes(op)) return true;
  const auto *elementwise = op.as<ElementwiseOp>();
  if (!elementwise || elementwise->operands.size() != 2 ||
      !isRealFloat(elementwise->operands[0].type))
    return false;
  const OpKind *kind = elementwise->opKind;
  // These give the other number if one is NaN, and either zero.
  if (kind == kindOf<ElementwiseOp>())
    return elementwise->configuration == "arith.maxnumf" ||
           elementwise->configuration == "arith.minnumf";
  return isPlainButForFlags(op) && (kind == kindOf<ElementwiseOp>("maximum") ||
                                    kind == kindOf<ElementwiseOp>("minimum"));
}

std::optional<Op> opOfReducer(const Computation &reducer, size_t value,
                              size_t count) {
  if (reducer.root < 0 || reducer.parameters.size() != 2 * count)
    return std::nullopt;
  const InstructionLeaf origin =
      originOf(reducer, InstructionLeaf{reducer.root, LeafId(value)});
  if (origin.instruction < 0) return std::nullopt;
  const Instruction &root = reducer.instructions[origin.instruction];
  const auto *op = root.op.as<ElementwiseOp>();
  if (!op || root.operands.size() != 2 || op->operands.size() != 2 ||
      op->results.size() != 1 || !root.called.empty() || hasEffects(root.op) ||
      !reducesInAnyOrder(root.op))
    return std::nullopt;
  InstructionId from[2];
  for (int k : {0, 1}) {
    const OperandLeaf leaf = reducer.operandLeaf(origin.instruction, LeafId(k));
    from[k] = originOf(reducer, InstructionLeaf{leaf.instruction, leaf.result})
                  .instruction;
  }
  const InstructionId first = reducer.parameters[value],
                      second = reducer.parameters[count + value];
  if ((from[0] == first && from[1] == second) ||
      (from[0] == second && from[1] == first))
    return scalarOp(root.op);
  return std::nullopt;
}

ElementId ElementTerms::reduceInOrder(const Op &op, const ArrayShape &result,
                                      llvm::ArrayRef<int64_t> sizes,
                                      llvm::ArrayRef<size_t> order,
                                      const IndexingMap &map,
                                      std::optional<ElementId> init,
                                      ReducedBody body) {
  const auto added = withNewVariables(result.dimensions, sizes, order);
  if (!added.ok()) return unknown();
  return reduceThrough(op, *added, map, init, body);
}

ElementId ElementTerms::reduceThrough(const Op &op, const IndexingMap &from,
                                      const IndexingMap &map,
                                      std::optional<ElementId> init,
                                      ReducedBody body) {
  auto added = compose(map, from);
  if (!added.ok()) return unknown();
  if (added->isKnownEmpty()) return init ? *init : unknown();
  if (leavesOutNeutral_ && init && table_.isNeutral(op, *init)) init.reset();
  const IndexingMap inner = rangesToDimensions(*added);
  const size_t outer = map.dimensions().size();
  const auto region = regionIn(inner);
  // Runtime variables are the map's: the region has none of them.
  if (!region || !region->runtime().empty()) return unknown();
  Pieces pieces;
  ++level_;
  auto inPart = [&](const IndexingMap &part) {
    if (part == *region) return body(inner);
    auto index = compose(part, inner);
    return index.ok() ? body(*index) : unknown();
  };
  if (!inPieces(*region, outer, inPart, parts_, meter_, pieces)) {
    --level_;
    // An index of which nothing is reduced is in no part.
    if (addRest(parts_, *region, map)) return kParts;
    parts_.clear();
    return unknown();
  }
  for (ElementTable::Piece &piece : pieces)
    piece.isNeverEmpty = isNeverEmpty(piece.region, map);
  // In a ring, a part is the same wherever it begins. Floats round: with other
  // parts before it, it is another sum.
  for (ElementTable::Piece &piece : pieces) {
    if (!table_.isRing(shapesOf(op).results[0].type)) break;
    const auto shift = countedFromZero(piece.region, outer);
    if (!shift) continue;
    auto index = compose(*shift, inner);
    const auto from = regionIn(*shift);
    if (!index.ok() || !from) continue;
    const ElementId element = body(*index);
    if (element != kParts) piece = {*from, element, piece.isNeverEmpty};
  }
  parts_.clear();
  --level_;
  const int64_t count = inner.dimensions().size() - outer;
  if (count == 0 && pieces.size() == 1 && pieces[0].isNeverEmpty)
    return init ? table_.apply(op, {*init, pieces[0].element})
                : pieces[0].element;
  return table_.reduced(op, count, pieces, init);
}

ElementId ElementTerms::reduceOver(const Op &op, const ArrayShape &result,
                                   llvm::ArrayRef<int64_t> sizes,
                                   const IndexingMap &map,
                                   std::optional<ElementId> init,
                                   ReducedBody body) {
  if (llvm::is_contained(sizes, 0)) return unknown();
  llvm::SmallVector<size_t, 4> order(sizes.size());
  for (auto [k, place] : llvm::enumerate(order)) place = k;
  auto comesFirst = [&](size_t a, size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : a < b;
  };
  llvm::sort(order, comesFirst);
  // Returns all orders in which the sizes are these; only one if there are very
  // many variables.
  std::optional<ElementId> least;
  const llvm::SmallVector<size_t, 4> first = order;
  auto hasSizesOf = [&](llvm::ArrayRef<size_t> other) {
    return llvm::all_of(llvm::zip(order, other), [&](const auto &places) {
      return sizes[std::get<0>(places)] == sizes[std::get<1>(places)];
    });
  };
  for (int tries = 0; tries < kMostOrders; ++tries) {
    const ElementId id =
        reduceInOrder(op, result, sizes, order, map, init, body);
    if (id == kParts) return kParts;
    least = least ? std::min(*least, id) : id;
    do {
      if (order.size() > kMostOrdered ||
          !std::next_permutation(order.begin(), order.end(), comesFirst))
        return *least;
    } while (!hasSizesOf(first));
  }
  return *least;
}

//===-- Products ---------------------------------------------------------===//

ElementId ElementTerms::contractedAt(Site site, const IndexingMap &map) {
  const auto &op = instruction(site).op.get<DotOp>();
  if ((op.opKind && op.opKind != kindOf<DotOp>("dot")) ||
      op.operands.size() != 2 || op.operands[0].type != op.operands[1].type)
    return arrayAt(site, map);
  const ArrayShape result = op.results[0];
  llvm::SmallVector<int64_t, 6> all(result.dimensions), sizes;
  for (int64_t k : op.lhsContracting)
    sizes.push_back(op.operands[0].dimensions[k]);
  all.append(sizes);
  // The result has the batch, then what is free of both operands.
  std::optional<IndexingMap> places[2];
  size_t free = op.lhsBatch.size();
  for (int side : {0, 1}) {
    const Int64s &batch = side ? op.rhsBatch : op.lhsBatch;
    const Int64s &contracted = side ? op.rhsContracting : op.lhsContracting;
    llvm::SmallVector<size_t, 6> own;
    for (int64_t k = 0; k < op.operands[side].rank(); ++k) {
      const auto *shared = llvm::find(batch, k),
                 *sum = llvm::find(contracted, k);
      own.push_back(shared != batch.end() ? shared - batch.begin()
                    : sum != contracted.end()
                        ? result.rank() + (sum - contracted.begin())
                        : free++);
    }
    auto index = picked(all, own);
    if (!index.ok()) return unknown();
    places[side] = *std::move(index);
  }
  return sumOfProducts(
      site, {*places[0], *places[1]}, [&](const Op &sum, ReducedBody body) {
        return reduceOver(sum, result, sizes, map, std::nullopt, body);
      });
}

ElementId ElementTerms::sumOfProducts(
    Site site, llvm::ArrayRef<IndexingMap> places,
    llvm::function_ref<ElementId(const Op &sum, ReducedBody body)> reduce) {
  const Op &op = instruction(site).op;
  const OpShapes &shapes = shapesOf(op);
  const std::string &configuration = op.descriptor().configuration;
  const ElementType type = shapes.results[0].type;
  const ElementType types[] = {shapes.operands[0].type,
                               shapes.operands[1].type};
  // A product that rounds as it says is not that of the ring.
  const bool isRing = table_.isRing(type) && types[0] == types[1] &&
                      types[0] == type && configuration.empty();
  // Without laws, what it does with its products and their sum is its own.
  const ProductText text(configuration);
  Op times = elementwiseOp("multiply", {types[0], types[0]}, type);
  Op sum = elementwiseOp("add", {type, type}, type);
  if (!isRing)
    for (Op *own : {&times, &sum})
      *own = own->changed(
          [&](OpDraft &draft) { draft->configuration = "dot " + text.both; });
  return reduce(sum, [&](const IndexingMap &inner) {
    llvm::SmallVector<ElementId, 2> factors;
    for (int side : {0, 1}) {
      auto behind = compose(inner, places[side]);
      if (!behind.ok()) return unknown();
      ElementId factor = operandAt(site, side, *behind);
      if (factor == kParts) return factor;
      if (!text.own[side].empty())
        factor = table_.apply(takenAs(types[side], text.own[side]), {factor});
      factors.push_back(factor);
    }
    // Each says itself how it is taken.
    if (!isRing) llvm::sort(factors);
    return table_.apply(times, factors);
  });
}

//===-- Windows -----------------------------------------------------------===//

namespace {

/// Whether the op takes one number more than once as it takes it once.
bool isIdempotent(const Op &op) {
  const llvm::StringRef name = lawName(op);
  return name == "maximum" || name == "minimum" || name == "and" ||
         name == "or";
}

bool isPadded(llvm::ArrayRef<WindowDimension> window) {
  return llvm::any_of(window, [](const WindowDimension &w) {
    return w.padLow != 0 || w.padHigh != 0 || w.baseDilation != 1;
  });
}

/// Returns the map from an index of a convolution's result to the indices of
/// both operands, with a range for each position of the window and each feature
/// that is summed. Padding has no points.
absl::StatusOr<IndexingMap> convolvedIndices(const ConvolutionOp &op) {
  IndexingMapBuilder b;
  const ArrayShape &input = op.operands[0], &kernel = op.operands[1],
                   &output = op.results[0];
  llvm::SmallVector<Expr, 6> d, left(input.rank()), right(kernel.rank());
  for (int64_t size : output.dimensions)
    d.push_back(b.dimension({0, size - 1}));
  for (auto [k, w] : llvm::enumerate(op.window)) {
    const Expr position = b.range({0, w.size - 1});
    const Expr place = d[op.outputSpatial[k]] * w.stride +
                       position * w.windowDilation - w.padLow;
    const int64_t size = input.dimensions[op.inputSpatial[k]];
    b.constraint(place, {0, (size - 1) * w.baseDilation});
    if (w.baseDilation != 1) b.constraint(mod(place, w.baseDilation), {0, 0});
    left[op.inputSpatial[k]] = floorDiv(place, w.baseDilation);
    right[op.kernelSpatial[k]] =
        w.reversed ? -position + (w.size - 1) : position;
  }
  // Groups are of features of the input, or of its batch.
  const int64_t features = kernel.dimensions[op.kernelInputFeature];
  const int64_t perGroup = kernel.dimensions[op.kernelOutputFeature] /
                           std::max(op.featureGroups, op.batchGroups);
  const int64_t batches = input.dimensions[op.inputBatch] / op.batchGroups;
  const Expr feature = b.range({0, features - 1});
  const Expr group = floorDiv(d[op.outputFeature], perGroup);
  left[op.inputBatch] = d[op.outputBatch];
  left[op.inputFeature] = feature;
  if (op.featureGroups > 1) left[op.inputFeature] = group * features + feature;
  if (op.batchGroups > 1)
    left[op.inputBatch] = group * batches + d[op.outputBatch];
  right[op.kernelInputFeature] = feature;
  right[op.kernelOutputFeature] = d[op.outputFeature];
  for (Expr index : left) b.result(index);
  for (Expr index : right) b.result(index);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return simplify(map);
}

}  // namespace

ElementId ElementTerms::convolvedAt(Site site, const IndexingMap &map) {
  const auto &op = instruction(site).op.get<ConvolutionOp>();
  if (op.operands.size() != 2 || op.operands[0].type != op.operands[1].type ||
      llvm::any_of(op.operands, [](const ArrayShape &shape) {
        return llvm::is_contained(shape.dimensions, 0);
      }))
    return arrayAt(site, map);
  const auto added = convolvedIndices(op);
  llvm::SmallVector<int64_t, 12> all(op.operands[0].dimensions.begin(),
                                     op.operands[0].dimensions.end());
  all.append(op.operands[1].dimensions.begin(),
             op.operands[1].dimensions.end());
  llvm::SmallVector<size_t, 6> own[2];
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) own[0].push_back(k);
  for (int64_t k = 0; k < op.operands[1].rank(); ++k)
    own[1].push_back(op.operands[0].rank() + k);
  const auto left = picked(all, own[0]), right = picked(all, own[1]);
  if (!added.ok() || added->isKnownEmpty() || !left.ok() || !right.ok())
    return unknown();
  return sumOfProducts(
      site, {*left, *right}, [&](const Op &sum, ReducedBody body) {
        return reduceThrough(sum, *added, map, std::nullopt, body);
      });
}

ElementId ElementTerms::windowAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceWindowOp>();
  if (op.results.size() != 1 || op.operands.size() != 2 ||
      i.called.size() != 1 || i.called[0].computation < 0)
    return arrayAt(site, map);
  const auto reducer =
      opOfReducer(module_.computations[i.called[0].computation]);
  if (!reducer || shapesOf(*reducer).results[0].type != op.results[0].type ||
      op.operands[0].type != op.results[0].type)
    return arrayAt(site, map);
  const ElementId init = operandAt(site, 1, withoutResults(map));
  if (init == kParts) return kParts;
  // What a window meets beside the elements is the initial value, which counts
  // once at the least.
  if (isPadded(op.window) && !isIdempotent(*reducer) &&
      !table_.isNeutral(*reducer, init))
    return arrayAt(site, map);
  const auto reads = indexing(i.op, Direction::OutputToInput, 0, 0);
  if (!reads.ok() || reads->precision() != Precision::Exact ||
      reads->pieces().size() != 1 || !reads->pieces()[0].runtime().empty())
    return arrayAt(site, map);
  return reduceThrough(
      *reducer, reads->pieces()[0], map, init,
      [&](const IndexingMap &inner) { return operandAt(site, 0, inner); });
}

}  // namespace indexical

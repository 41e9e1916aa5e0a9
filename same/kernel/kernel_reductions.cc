// Reductions of a kernel: lanes, loops and products of matrices.
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

using llvm::StringRef;
using Kind = KernelValue::Kind;

/// Returns the sum of products of a narrower type, which is rounded once at its
/// end, as HLO's dot with such a result is; nothing if it is none.
ElementId KernelTerms::narrowed(ElementId sum, ElementType type) {
  const Element element = table_[sum];
  const bool isNarrow = type == ElementType::BF16 || type == ElementType::F16;
  if (!isNarrow || element.kind != Element::Kind::Reduced ||
      element.type != ElementType::F32 ||
      element.op != ofDot(elementwiseOp("add", {element.type, element.type},
                                        element.type)) ||
      element.operands.size() != element.maps.size())
    return ElementTable::kNothing;
  Pieces pieces;
  const Op times = ofDot(elementwiseOp("multiply", {type, type}, type));
  for (auto [operand, region] : llvm::zip(element.operands, element.maps)) {
    const Element inner = table_[operand];
    ElementId made = ElementTable::kNothing;
    if (inner.kind == Element::Kind::Reduced) {
      made = narrowed(operand, type);
    } else if (inner.kind == Element::Kind::Apply &&
               inner.op == ofDot(elementwiseOp("multiply", {type, type},
                                               ElementType::F32))) {
      made = table_.apply(times, inner.operands);
    }
    if (made == ElementTable::kNothing) return made;
    pieces.push_back({region, made, element.leaf != Element::kMayBeEmpty});
  }
  return table_.reduced(ofDot(elementwiseOp("add", {type, type}, type)),
                        element.number, pieces, std::nullopt);
}

ElementId KernelTerms::reduceThrough(const Op &op,
                                     llvm::ArrayRef<IndexingMap> added,
                                     const IndexingMap &map,
                                     std::optional<ElementId> init,
                                     ElementInRegion body) {
  const size_t outer = map.dimensions().size();
  Pieces pieces;
  size_t count = 0;
  for (const IndexingMap &each : added) {
    auto product = compose(map, each);
    if (!product.ok()) return unknown("a reduction leaves 64 bits");
    if (product->isKnownEmpty()) continue;
    const IndexingMap inner = rangesToDimensions(*product);
    const auto region = regionIn(inner);
    if (!region || !region->runtime().empty())
      return unknown("a reduction is not followed");
    const size_t own = inner.dimensions().size() - outer;
    if (!pieces.empty() && own != count)
      return unknown("a reduction is not followed");
    count = own;
    auto inPart = [&](const IndexingMap &part) {
      if (part == *region) return body(inner);
      auto index = compose(part, inner);
      return index.ok() ? body(*index) : unknown("an index leaves 64 bits");
    };
    if (!inPieces(*region, outer, inPart, parts_, meter_, pieces)) {
      // An index of which nothing is reduced is in no part.
      if (addRest(parts_, *region, map)) return kParts;
      parts_.clear();
      return unknown("a reduction is not followed");
    }
  }
  parts_.clear();
  for (const ElementTable::Piece &piece : pieces) {
    if (isUnknown(piece.element)) return piece.element;
    if (piece.element != ElementTable::kNothing &&
        table_[piece.element].type != shapesOf(op).results[0].type)
      return unknown("a reduction takes numbers for those of another type");
  }
  // Neutral elements are left out: they change nothing.
  const ElementId first =
      pieces.empty() ? ElementTable::kNothing : pieces[0].element;
  llvm::erase_if(pieces, [&](const ElementTable::Piece &piece) {
    return piece.element == ElementTable::kNothing ||
           table_.isNeutral(op, piece.element);
  });
  if (isOfExponentials_ && pieces.size() > 1) {
    const bool stays = llvm::any_of(pieces, [&](const auto &piece) {
      return !isOfLowest(piece.element) && isNeverEmpty(piece.region, map);
    });
    if (stays)
      llvm::erase_if(pieces,
                     [&](const auto &p) { return isOfLowest(p.element); });
  }
  if (pieces.empty()) {
    if (init) return *init;
    return first != ElementTable::kNothing ? first
                                           : unknown("a reduction of nothing");
  }
  if (init && table_.isNeutral(op, *init)) init.reset();
  // One number more has no order.
  const Op once = withoutOrder(op);
  if (count > 0 && pieces.size() == 1 && added.size() == 1)
    if (const auto one = onlyOne(pieces[0].region, added[0], map, body)) {
      if (*one == kParts) return kParts;
      return init ? table_.apply(once, {*init, *one}) : *one;
    }
  for (ElementTable::Piece &piece : pieces)
    piece.isNeverEmpty = isNeverEmpty(piece.region, map);
  if (count == 0 && pieces.size() == 1 && pieces[0].isNeverEmpty)
    return init ? table_.apply(once, {*init, pieces[0].element})
                : pieces[0].element;
  return table_.reduced(op, static_cast<int64_t>(count), pieces, init);
}

/// Returns the element that is reduced, if it is one alone everywhere.
std::optional<ElementId> KernelTerms::onlyOne(const IndexingMap &region,
                                              const IndexingMap &added,
                                              const IndexingMap &map,
                                              ElementInRegion body) {
  const size_t outer = map.dimensions().size();
  llvm::SmallVector<int64_t, 2> at;
  for (const Variable &variable : region.dimensions().drop_front(outer)) {
    if (!variable.bounds.isPoint()) return std::nullopt;
    at.push_back(variable.bounds.lower);
  }
  const auto alone = ofFirst(region, region, outer), whole = regionIn(map);
  if (!alone || !whole || *alone != *whole) return std::nullopt;
  auto one = withBody(*alone, [&](IndexingMapBuilder &b, MapBody &to) {
    for (int64_t each : at) to.results.push_back(b.constant(each));
  });
  auto product = compose(map, added);
  if (!one.ok() || !product.ok()) return std::nullopt;
  auto index = compose(*one, rangesToDimensions(*product));
  if (!index.ok()) return std::nullopt;
  return body(*index);
}

std::optional<Op> KernelTerms::reducerOf(const KernelValue &value,
                                         ElementType type) const {
  StringRef name = value.text;
  if (name == "dot") return ofDot(elementwiseOp("add", {type, type}, type));
  if (name.contains('.')) {
    // The maximum that drops NaN.
    if (!has(table_.floats(), FloatLaws::NoNan))
      return pair_ ? droppingNan(name, type) : std::nullopt;
    table_.noteLaw("no-nan");
    name = name.starts_with("arith.maxnumf") ? "maximum" : "minimum";
  }
  if (isUnsigned(type) && !isOfBits(name)) return std::nullopt;
  return elementwiseOp(name, {type, type}, type);
}

/// Whether it is exp(-inf - m).
bool KernelTerms::isOfLowest(ElementId id) const {
  const Element &element = table_[id];
  if (element.kind != Element::Kind::Apply) return false;
  const StringRef name = lawName(element.op);
  if (name != "exponential" && name != "power") return false;
  const Element &inner = table_[element.operands.back()];
  return inner.kind == Element::Kind::Apply &&
         lawName(inner.op) == "subtract" &&
         table_.isNeutral(
             elementwiseOp("maximum", {inner.type, inner.type}, inner.type),
             inner.operands[0]);
}

/// Whether the value is exp(x - m) for all x of a line, with m the maximum of
/// all x of this line. Then terms exp(-inf - m) can be left out of their sum
/// beside others: they are 0, unless m is -inf or NaN, and then the others are
/// NaN.
bool KernelTerms::isExponentialOfLine(int64_t number, int64_t axis) const {
  const KernelValue &power = kernel_.values[number];
  if (power.kind != Kind::Apply ||
      (power.text != "exponential" && power.text != "exp2"))
    return false;
  const KernelValue &minus = kernel_.values[power.operands[0]];
  if (minus.kind != Kind::Apply || minus.text != "subtract") return false;
  const int64_t line = minus.operands[0];
  int64_t at = minus.operands[1];
  std::optional<IndexingMap> way;
  while (kernel_.values[at].kind == Kind::Move) {
    const KernelValue &move = kernel_.values[at];
    if (move.maps.size() != 1 || move.loops.size() != power.loops.size())
      return false;
    auto next = way ? compose(*way, move.maps[0].map) : move.maps[0].map;
    if (!next.ok()) return false;
    way = *std::move(next);
    at = move.operands[move.maps[0].argument];
  }
  const KernelValue &most = kernel_.values[at];
  const bool isMaximum = most.text == "maximum" ||
                         StringRef(most.text).starts_with("arith.maxnumf");
  if (most.kind != Kind::Reduce || !isMaximum || most.axis != axis ||
      most.operands[0] != line || most.loops.size() != power.loops.size() ||
      !way)
    return false;
  // The maximum is taken at the same line.
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(power, b);
  all.erase(all.begin() + 3 + power.loops.size() + axis);
  for (Expr each : all) b.result(each);
  auto same = b.build();
  if (same.ok()) same = simplify(*same);
  return same.ok() && *same == *way;
}

ElementId KernelTerms::reducedAt(const KernelValue &value,
                                 const IndexingMap &map) {
  const KernelValue &operand = kernel_.values[value.operands[0]];
  const auto op = reducerOf(value, typeOf(value));
  if (!op)
    return unknown("line " + std::to_string(value.line) +
                   ": a reduction drops NaN, which HLO's passes on; "
                   "--float-laws=no-nan says that there is none");
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  const int64_t size = operand.tile[value.axis];
  const Expr lane = size == 1 ? b.constant(0) : b.range({0, size - 1});
  all.insert(
      all.begin() + kernel_.grid.size() + value.loops.size() + value.axis,
      lane);
  for (Expr each : all) b.result(each);
  auto added = b.build();
  if (added.ok()) added = simplify(*added);
  if (!added.ok()) return unknown("a reduction leaves 64 bits");
  const bool isOfLine =
      value.text == "add" && isExponentialOfLine(value.operands[0], value.axis);
  // What is reduced inside of it says itself what it is.
  auto body = [&](const IndexingMap &at) {
    const bool before = std::exchange(isOfExponentials_, false);
    const ElementId id = operandAt(value, 0, at);
    isOfExponentials_ = before;
    return id;
  };
  const bool before = std::exchange(isOfExponentials_, isOfLine);
  const ElementId sum = reduceThrough(*op, {*added}, map, std::nullopt, body);
  isOfExponentials_ = before;
  return sum;
}

ElementId KernelTerms::scannedAt(const KernelValue &value,
                                 const IndexingMap &map) {
  const auto op = reducerOf(value, typeOf(value));
  if (!op)
    return unknown("line " + std::to_string(value.line) +
                   ": a scan drops NaN, which HLO's reductions pass on; "
                   "--float-laws=no-nan says that there is none");
  const size_t at = 3 + value.loops.size() + value.axis;
  const int64_t size = value.tile[value.axis];
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  const Expr lane = size == 1 ? b.constant(0) : b.range({0, size - 1});
  b.constraint(all[at] - lane, {0, size - 1});
  all[at] = lane;
  for (Expr each : all) b.result(each);
  auto added = b.build();
  if (added.ok()) added = simplify(*added);
  if (!added.ok()) return unknown("a scan leaves 64 bits");
  return reduceThrough(
      *op, {*added}, map, std::nullopt,
      [&](const IndexingMap &inner) { return operandAt(value, 0, inner); });
}

ElementId KernelTerms::dotAt(const KernelValue &value, const IndexingMap &map) {
  const KernelValue &left = kernel_.values[value.operands[0]];
  const KernelValue &right = kernel_.values[value.operands[1]];
  const ElementType type = typeOf(value), from = typeOf(left);
  // A narrower accumulator rounds in each iteration.
  const bool isFloat = type == ElementType::F32;
  const bool isKnown = from == typeOf(right) &&
                       (from == ElementType::BF16 || from == ElementType::F16 ||
                        from == ElementType::F32);
  const size_t rank = value.tile.size();
  if (!isFloat || !isKnown || rank < 2 || left.tile.size() != rank ||
      right.tile.size() != rank)
    return unknown("line " + std::to_string(value.line) +
                   ": a product of such matrices is not followed");
  std::optional<ElementId> start;
  if (value.operands.size() > 2) {
    start = operandAt(value, 2, map);
    if (*start == kParts) return kParts;
    if (isUnknown(*start)) return *start;
  }
  // The own space, with the index of the products behind it.
  const int64_t size = left.tile[rank - 1];
  const size_t outer = 3 + value.loops.size();
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  all.push_back(size == 1 ? b.constant(0) : b.range({0, size - 1}));
  for (Expr each : all) b.result(each);
  auto added = b.build();
  if (!added.ok()) return unknown("a product leaves 64 bits");
  const Op sum = ofDot(elementwiseOp("add", {type, type}, type));
  Op times = ofDot(elementwiseOp("multiply", {from, from}, type));
  if (pair_ && pair_->namesPrecision && from == ElementType::F32)
    times = times.changed(
        [&](OpDraft &draft) { draft->configuration += value.text + " "; });
  return reduceThrough(sum, {*added}, map, start, [&](const IndexingMap &at) {
    std::vector<ElementId> factors;
    for (size_t side : {0, 1}) {
      auto place = withBody(at, [&](IndexingMapBuilder &, MapBody &body) {
        auto &r = body.results;
        const Expr k = r.back();
        r.pop_back();
        r[outer + rank - 1 - (side == 0 ? 0 : 1)] = k;
      });
      SimplifyOptions options;
      options.rename = true;
      if (place.ok()) place = simplify(*place, options);
      if (!place.ok()) return unknown("a product leaves 64 bits");
      const ElementId factor = operandAt(value, side, *place);
      if (factor == kParts || isUnknown(factor)) return factor;
      factors.push_back(factor);
    }
    // Padding of both is a product of zeros, which changes nothing. A zero
    // times what is loaded may be no number.
    const Op plain = elementwiseOp("add", {from, from}, from);
    if (table_.isNeutral(plain, factors[0]) &&
        table_.isNeutral(plain, factors[1]))
      return table_.literal(type, std::string(bitsOf(type) / 8, '\0'));
    llvm::sort(factors);
    return table_.apply(times, factors);
  });
}

}  // namespace indexical::kernels

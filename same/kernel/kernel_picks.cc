// Picks by order: a kernel's argmax and argmin along a dimension, over the
// iterations of a loop, or both.
//
//   for k: (m, i) = larger of (m, i) and the largest of (x[8 k + t], 8 k + t)
//     the pairs (x[v], v) of one line, v = 8 k + t
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/values/integers.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/order_picks.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

using Kind = KernelValue::Kind;

/// Pairs of numbers and indices, by iterations of a loop and lanes of a tile,
/// of which each may be one.
struct KernelTerms::Line {
  OrderPick pick;
  const KernelValue *loop = nullptr, *lanes = nullptr;
  int64_t lanesOfLine = 1;
  int64_t number = -1, index = -1;  ///< values of a pair
  std::vector<int64_t> added;       ///< to the index, in each iteration
  /// Whether of equal numbers that of an earlier iteration is picked, whatever
  /// its index is.
  bool isOfOrder = false;

  int64_t size() const { return (loop ? loop->axis : 1) * lanesOfLine; }
};

namespace {

/// Returns the map from the variables of both to the sum of their results.
std::optional<IndexingMap> sumOf(const IndexingMap &a, const IndexingMap &b) {
  if (a.dimensions().size() != b.dimensions().size() || !a.ranges().empty() ||
      !b.ranges().empty() || !a.runtime().empty() || !b.runtime().empty())
    return std::nullopt;
  IndexingMapBuilder builder;
  std::vector<FormId> variables;
  for (auto [k, v] : llvm::enumerate(a.dimensions()))
    variables.push_back(
        builder.dimension(v.bounds.intersect(b.dimensions()[k].bounds), v.name)
            .form());
  MapCopy first(a, builder, variables, {}), second(b, builder, variables, {});
  builder.result(first.result(0) + second.result(0));
  first.addConstraints();
  second.addConstraints();
  auto sum = builder.build();
  if (sum.ok()) sum = simplify(*sum);
  if (!sum.ok()) return std::nullopt;
  return *std::move(sum);
}

/// Whether the index grows by one from each pair of the line to the next one.
/// The last variable of the map counts the pairs.
bool countsPairs(const IndexingMap &index) {
  const uint32_t last = index.dimensions().size() - 1;
  IndexingMapBuilder b;
  std::vector<FormId> variables;
  for (const Variable &v : index.dimensions())
    variables.push_back(b.dimension(v.bounds, v.name).form());
  const FormId counter = variables.back();
  MapCopy copy(index, b, std::move(variables), {});
  b.result(copy.result(0) - b.expression(counter));
  copy.addConstraints();
  auto rest = b.build();
  if (rest.ok()) rest = simplify(*rest);
  if (!rest.ok() || rest->dimensions().size() != last + 1) return false;
  bool mentions = false;
  rest->expressions().visitVariables(rest->results(), [&](VariableId variable) {
    mentions |=
        variable.kind == VariableKind::Dimension && variable.index == last;
  });
  return !mentions;
}

}  // namespace

std::optional<OrderPick> KernelTerms::orderOf(const KernelValue &value,
                                              const IndexingMap &map) {
  const bool isLoop = value.kind == Kind::LoopPick;
  const size_t first = isLoop ? 4 : 2;
  // The ops have no index: any point of their space will do.
  auto outside = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results.resize(3 + kernel_.values[value.operands[first]].loops.size());
  });
  if (!outside.ok()) return std::nullopt;
  const ElementId number = elementAt(value.operands[first], *outside);
  const ElementId index = elementAt(value.operands[first + 1], *outside);
  if (number == kParts || index == kParts) return std::nullopt;
  return orderPickOf(table_, number, index,
                     isLoop ? PairOrder::Loop : PairOrder::None);
}

std::optional<KernelTerms::Line> KernelTerms::lineOf(const KernelValue &value,
                                                     const IndexingMap &map) {
  Line line;
  const KernelValue *at = &value;
  while (true) {
    const bool isLoop = at->kind == Kind::LoopPick;
    if (isLoop ? line.loop != nullptr : line.lanes != nullptr)
      return std::nullopt;
    const auto pick = orderOf(*at, map);
    if (!pick) return std::nullopt;
    const bool isFirst = at == &value;
    if (!isFirst &&
        (pick->isLargest != line.pick.isLargest ||
         pick->isFirst != line.pick.isFirst || pick->nan != line.pick.nan))
      return std::nullopt;
    line.pick = *pick;
    line.isOfOrder |= pick->isOfOrder;
    (isLoop ? line.loop : line.lanes) = at;
    const size_t pair = isLoop ? 2 : 0;
    line.number = at->operands[pair];
    line.index = at->operands[pair + 1];
    if (!isLoop) line.lanesOfLine = kernel_.values[line.number].tile[at->axis];
    const KernelValue &inner = kernel_.values[line.number];
    if ((inner.kind != Kind::Pick && inner.kind != Kind::LoopPick) ||
        inner.text != "0")
      return line;
    // The index is of the same pair, with a number added in each iteration.
    int64_t index = line.index;
    auto isSide = [&](int64_t number) {
      const KernelValue &side = kernel_.values[number];
      return side.kind == inner.kind && side.text == "1" &&
             side.axis == inner.axis && side.operands == inner.operands &&
             side.loops.size() == inner.loops.size();
    };
    const KernelValue &sum = kernel_.values[index];
    if (isLoop && sum.kind == Kind::Apply && sum.text == "add" &&
        sum.operands.size() == 2)
      for (int k : {0, 1})
        if (isSide(sum.operands[k])) {
          index = sum.operands[k];
          line.added.push_back(sum.operands[1 - k]);
          break;
        }
    if (!isSide(index)) return std::nullopt;
    at = &inner;
  }
}

/// Returns the map from the variables of `map` and a range that counts the
/// pairs to the place of a pair.
std::optional<IndexingMap> KernelTerms::pairsOf(const KernelValue &value,
                                                const Line &line,
                                                const IndexingMap &map) const {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  const size_t outer = kernel_.grid.size() + value.loops.size();
  const Expr at =
      line.size() == 1 ? b.constant(0) : b.range({0, line.size() - 1});
  if (line.lanes)
    all.insert(all.begin() + outer + line.lanes->axis,
               mod(at, line.lanesOfLine));
  if (line.loop)
    all.insert(all.begin() + outer, floorDiv(at, line.lanesOfLine));
  for (Expr each : all) b.result(each);
  auto pairs = b.build();
  if (pairs.ok()) pairs = compose(map, *pairs);
  if (!pairs.ok() || pairs->isKnownEmpty()) return std::nullopt;
  return *std::move(pairs);
}

/// Returns the index of the pair at that place, with what is added to it.
ElementId KernelTerms::indexOfPair(const KernelValue &value, const Line &line,
                                   const IndexingMap &at) {
  const size_t loops = value.loops.size() + (line.loop ? 1 : 0);
  auto valueAt = [&](int64_t number, const IndexingMap &place) {
    const auto outer =
        inOuterLoops(place, loops, kernel_.values[number].loops.size());
    return outer ? elementAt(number, *outer)
                 : unknown("a value of a loop is used outside of it");
  };
  ElementId index = valueAt(line.index, at);
  if (line.added.empty() || index == kParts || isUnknown(index)) return index;
  // The value that is added has no lanes.
  auto outside = withBody(at, [&](IndexingMapBuilder &, MapBody &body) {
    if (line.lanes)
      body.results.erase(body.results.begin() + 3 + loops + line.lanes->axis);
  });
  SimplifyOptions options;
  options.rename = true;
  if (outside.ok()) outside = simplify(*outside, options);
  if (!outside.ok()) return unknown("an index leaves 64 bits");
  for (int64_t each : line.added) {
    const ElementId by = valueAt(each, *outside);
    if (by == kParts || isUnknown(by)) return by;
    const ElementType type = table_[index].type;
    auto mapOf = [&](ElementId id) -> std::optional<IndexingMap> {
      if (table_[id].kind == Element::Kind::Index) return table_[id].maps[0];
      const auto number = table_.integerOf(id);
      if (!number) return std::nullopt;
      auto constant = withBody(at, [&](IndexingMapBuilder &b, MapBody &body) {
        body.results.assign(1, b.constant(*number));
      });
      if (!constant.ok()) return std::nullopt;
      return *std::move(constant);
    };
    const auto a = mapOf(index), b = mapOf(by);
    const auto sum = a && b ? sumOf(*a, *b) : std::nullopt;
    if (!sum || type != table_[by].type)
      return unknown("line " + std::to_string(value.line) +
                     ": the index of what is picked is not followed");
    const Interval bounds = boundsOfResults(*sum)[0];
    const int64_t most =
        (int64_t{1} << (std::min<int64_t>(bitsOf(type), 63) - 1)) - 1;
    if (!bounds.isFinite() || bounds.lower < 0 || bounds.upper > most)
      return unknown("the index of what is picked may wrap");
    index = table_.index(type, *sum);
  }
  return index;
}

ElementId KernelTerms::pickedAt(const KernelValue &value,
                                const IndexingMap &map) {
  auto fail = [&](const char *why) {
    return unknown("line " + std::to_string(value.line) + ": " + why);
  };
  const auto line = lineOf(value, map);
  parts_.clear();
  if (!line && value.kind == Kind::Pick) return togetherAt(value, map);
  if (!line) return fail("what is reduced by several ops is not followed");
  const auto pairsAt = pairsOf(value, *line, map);
  if (!pairsAt) return fail("a reduction leaves 64 bits");
  const IndexingMap whole = rangesToDimensions(*pairsAt);
  const auto region = regionIn(whole);
  const size_t variables = map.dimensions().size();
  if (!region || whole.dimensions().size() > variables + 1)
    return fail("a reduction is not followed");
  const size_t loops = value.loops.size() + (line->loop ? 1 : 0);
  auto placeIn = [&](const IndexingMap &part) -> std::optional<IndexingMap> {
    if (part == *region) return whole;
    auto at = compose(part, whole);
    if (!at.ok()) return std::nullopt;
    return *std::move(at);
  };
  auto numberIn = [&](const IndexingMap &part) {
    const auto at = placeIn(part);
    const auto place =
        at ? inOuterLoops(*at, loops, kernel_.values[line->number].loops.size())
           : std::nullopt;
    return place ? elementAt(line->number, *place)
                 : fail("an index leaves 64 bits");
  };
  auto indexIn = [&](const IndexingMap &part) {
    const auto at = placeIn(part);
    return at ? indexOfPair(value, *line, *at)
              : fail("an index leaves 64 bits");
  };
  Pieces pieces;
  if (!inPieces(*region, variables, numberIn, parts_, meter_, pieces)) {
    if (addRest(parts_, *region, map)) return kParts;
    parts_.clear();
    return fail("a reduction is not followed");
  }
  parts_.clear();
  std::vector<PickedPiece> pairs;
  for (const ElementTable::Piece &piece : pieces) {
    PickedPiece pair = {piece.region, piece.element, indexIn(piece.region)};
    const auto &own = piece.region.dimensions();
    // One pair alone has no variable.
    if (own.size() == variables + 1 && own.back().bounds.isPoint()) {
      const auto alone = ofFirst(piece.region, piece.region, variables);
      const int64_t at = own.back().bounds.lower;
      auto one = alone ? withBody(*alone,
                                  [&](IndexingMapBuilder &b, MapBody &body) {
                                    body.results.push_back(b.constant(at));
                                  })
                       : absl::StatusOr<IndexingMap>(map);
      if (alone && one.ok()) pair = {*alone, numberIn(*one), indexIn(*one)};
    }
    if (pair.number == kParts || pair.index == kParts) {
      parts_.clear();
      return fail("a reduction is not followed");
    }
    if (pair.number == ElementTable::kNothing) continue;
    if (isUnknown(pair.number)) return pair.number;
    if (isUnknown(pair.index)) return pair.index;
    pairs.push_back(std::move(pair));
  }
  if (pairs.empty()) return fail("a reduction of nothing");
  std::optional<std::pair<ElementId, ElementId>> init;
  if (line->loop) {
    // Both are numbers, in each lane.
    auto outside = withBody(whole, [&](IndexingMapBuilder &, MapBody &body) {
      if (line->lanes && line->loop == &value)
        body.results.erase(body.results.begin() + 3 + loops +
                           line->lanes->axis);
    });
    auto start = [&](size_t k) {
      const int64_t number = line->loop->operands[k];
      const auto at = outside.ok()
                          ? inOuterLoops(*outside, loops,
                                         kernel_.values[number].loops.size())
                          : std::nullopt;
      return at ? elementAt(number, *at) : fail("a loop is not followed");
    };
    init = {start(0), start(1)};
    parts_.clear();
    const auto index = table_.integerOf(init->second);
    if (table_[init->first].kind != Element::Kind::Literal || !index)
      return fail("a loop begins with a pair that is not a number");
    if (line->isOfOrder) {
      // Equal numbers are told apart by the iteration, which the index counts;
      // of none but the lowest ones the first index is the one begun with.
      const ElementId all = indexIn(*region);
      parts_.clear();
      // An index that wraps counts nothing.
      const bool isIndex =
          all != kParts && table_[all].kind == Element::Kind::Index &&
          valuesOf(table_[all].type)
              .contains(boundsOfResults(table_[all].maps[0])[0]);
      const auto number = all == kParts ? std::nullopt : table_.integerOf(all);
      if (line->size() > 1 && (!isIndex || !countsPairs(table_[all].maps[0])))
        return fail("of equal numbers a loop picks one by its turn");
      Interval bounds = number ? Interval::point(*number) : Interval::all();
      if (isIndex)
        if (const auto at = compose(*region, table_[all].maps[0]); at.ok())
          bounds = boundsOfResults(*at)[0];
      if (line->pick.isFirst && !(bounds.hasLower() && bounds.lower == *index))
        return fail("of equal numbers a loop picks one by its turn");
    }
  }
  const auto made =
      pickedOf(table_, line->pick, value.text == "1", variables, pairs, init);
  // Another kernel may pick of the same line.
  if (!made && pair_ && !line->loop && line->added.empty())
    return togetherAt(value, map, line->pick);
  return made ? *made
              : fail(
                    "what is reduced by several ops is not followed; "
                    "--float-laws=no-nan may say enough");
}

ElementId KernelTerms::togetherAt(const KernelValue &value,
                                  const IndexingMap &map,
                                  std::optional<OrderPick> pick) {
  auto fail = [&](const char *why) {
    return unknown("line " + std::to_string(value.line) + ": " + why);
  };
  constexpr const char *kSeveral =
      "what is reduced by several ops is not followed";
  // A fusion has it in another form.
  if (!pair_) return fail(kSeveral);
  const size_t count = value.operands.size() / 2,
               outer = map.dimensions().size();
  // What combines two tuples has no index: any point of its space will do.
  std::string combined = "kernel together";
  for (size_t k = count; !pick && k < value.operands.size(); ++k) {
    auto outside = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
      body.results.resize(3 + kernel_.values[value.operands[k]].loops.size());
    });
    const ElementId id =
        outside.ok() ? elementAt(value.operands[k], *outside) : fail(kSeveral);
    parts_.clear();
    if (id == kParts) return fail(kSeveral);
    if (isUnknown(id)) return id;
    combined += " " + std::to_string(id);
  }
  const int64_t size = kernel_.values[value.operands[0]].tile[value.axis];
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 8> all = spaceOf(value, b);
  all.insert(
      all.begin() + kernel_.grid.size() + value.loops.size() + value.axis,
      b.range({0, size - 1}));
  for (Expr each : all) b.result(each);
  auto lines = b.build();
  if (lines.ok()) lines = compose(map, *lines);
  if (!lines.ok()) return fail("a reduction leaves 64 bits");
  const IndexingMap whole = rangesToDimensions(*lines);
  const auto region = regionIn(whole);
  if (!region || whole.dimensions().size() != outer + 1) return fail(kSeveral);
  const auto alone = ofFirst(*region, *region, outer);
  if (!alone) return fail(kSeveral);
  Element made;
  made.kind = Element::Kind::Along;
  ElementwiseOp op;
  for (size_t k = 0; k < count; ++k) {
    Pieces pieces;
    auto inPart = [&](const IndexingMap &part) {
      if (part == *region) return operandAt(value, k, whole);
      auto at = compose(part, whole);
      return at.ok() ? operandAt(value, k, *at) : fail(kSeveral);
    };
    if (!inPieces(*region, outer, inPart, parts_, meter_, pieces)) {
      if (addRest(parts_, *region, map)) return kParts;
      parts_.clear();
      return fail(kSeveral);
    }
    parts_.clear();
    llvm::erase_if(pieces, [](const ElementTable::Piece &piece) {
      return piece.element == ElementTable::kNothing;
    });
    if (pieces.empty()) return fail(kSeveral);
    for (const ElementTable::Piece &piece : pieces)
      if (isUnknown(piece.element)) return piece.element;
    const ElementType type = table_[pieces[0].element].type;
    made.operands.push_back(pieces.size() == 1 ? pieces[0].element
                                               : table_.cases(type, pieces));
    op.operands.push_back(ArrayShape(type, {}));
  }
  made.type = typeOf(value);
  op.results = {ArrayShape(made.type, {})};
  op.configuration = combined + ", " + value.text;
  made.op = pick ? pick->opOf(op.operands[0].type, op.operands[1].type,
                              value.text == "1", /*hasNoNan=*/false)
                 : Op(std::move(op));
  made.leaf = 0;
  made.maps = {withoutResults(*alone), *region};
  return table_.intern(std::move(made));
}

}  // namespace indexical::kernels

// Reductions as HLO has them: of one value or several at once.
//
//   reduce(p, q, 0, 0), f(a, i, b, j) = (a + b, i + j)
//     each value is a sum of its own
//   f(a, i, b, j) = (a > b ? a : b, a > b ? i : j)
//     a function of both lines, in the order that they have
//
// reducers.h says which orders a function allows. Where it allows any, the
// tuple of the values that decide a result is reduced, as a bag or as a set.
// Where it does not, the reduction is one function of its elements in their
// order, along all reduced dimensions as the operand has them, and of what it
// begins with. Of one element it is f(init, x), and of none init.
#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/order_picks.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/scalar_functions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// A reduction's operands and what is reduced of them.
struct Reduced {
  /// The operand's index in that of the result with the reduced ones behind.
  std::optional<IndexingMap> index;
  llvm::SmallVector<int64_t, 6> sizes;  ///< of the reduced dimensions
  std::optional<int64_t> count;         ///< of elements; nothing: too many
};

Reduced reducedOf(const ReduceOp &op) {
  const ArrayShape &result = op.results[0], &operand = op.operands[0];
  Reduced made;
  llvm::SmallVector<size_t, 6> places;
  llvm::SmallVector<int64_t, 6> all(result.dimensions);
  size_t kept = 0;
  made.count = 1;
  for (int64_t k = 0; k < operand.rank(); ++k) {
    if (!llvm::is_contained(op.dimensions, k)) {
      places.push_back(kept++);
      continue;
    }
    places.push_back(result.rank() + made.sizes.size());
    made.sizes.push_back(operand.dimensions[k]);
    if (made.count) made.count = checkedMul(*made.count, operand.dimensions[k]);
  }
  all.append(made.sizes);
  auto index = picked(all, places);
  if (index.ok()) made.index = *std::move(index);
  return made;
}

/// Returns the map of an index of the result, with the place of an element
/// among those that are reduced as a range, to this index and those of the
/// reduced dimensions.
absl::StatusOr<IndexingMap> inOneLine(const ArrayShape &result,
                                      llvm::ArrayRef<int64_t> sizes,
                                      int64_t count) {
  IndexingMapBuilder b;
  for (int64_t size : result.dimensions) b.result(b.dimension({0, size - 1}));
  const Expr place = b.range({0, count - 1});
  int64_t behind = count;
  for (int64_t size : sizes) {
    if (size == 1) {
      b.result(b.constant(0));
      continue;
    }
    behind /= size;
    b.result(mod(floorDiv(place, behind), size));
  }
  auto map = b.build();
  return map.ok() ? simplify(*map) : map;
}

/// An op of which only its text is known.
Op opaqueOp(const std::string &text, ElementType result, size_t operands) {
  CoverOp op;
  op.opKind = kindOf<CoverOp>("custom-call");
  op.precision = Precision::Opaque;
  op.configuration = text;
  for (size_t k = 0; k < operands; ++k)
    op.operands.push_back(ArrayShape(ElementType::Unknown, {}));
  op.results = {ArrayShape(result, {})};
  return Op(op);
}

ElementId applied(ElementTable &table, const Op &op,
                  llvm::ArrayRef<ElementId> operands) {
  Element made;
  made.kind = Element::Kind::Apply;
  made.op = op;
  made.type = shapesOf(op).results[0].type;
  made.operands.assign(operands.begin(), operands.end());
  return table.intern(std::move(made));
}

bool isOfText(const Op &op, llvm::StringRef text) {
  return op && op.is<CoverOp>() &&
         llvm::StringRef(op.descriptor().configuration).starts_with(text);
}

/// Returns the tuple of the elements. That of all parts of a tuple is it again.
ElementId tupleOf(ElementTable &table, llvm::ArrayRef<ElementId> elements) {
  std::optional<ElementId> whole;
  for (auto [k, id] : llvm::enumerate(elements)) {
    const Element &element = table[id];
    const bool isPart = element.kind == Element::Kind::Apply &&
                        isOfText(element.op, kPart) &&
                        element.op.descriptor().configuration ==
                            kPart.str() + std::to_string(k) + " of " +
                                std::to_string(elements.size()) &&
                        (!whole || *whole == element.operands[0]);
    if (!isPart) {
      whole.reset();
      break;
    }
    whole = element.operands[0];
  }
  if (whole) return *whole;
  return applied(table,
                 opaqueOp(kTuple.str(), ElementType::Unknown, elements.size()),
                 elements);
}

/// Returns the argument that a parameter is of a function of tuples of these
/// values alone.
std::optional<size_t> argumentIn(llvm::ArrayRef<size_t> values, size_t count,
                                 size_t parameter) {
  const auto *found = llvm::find(values, parameter % count);
  if (found == values.end()) return std::nullopt;
  return found - values.begin() + (parameter < count ? 0 : values.size());
}

}  // namespace

bool reducesTogether(const Op &op) { return isOfText(op, kTogether); }

bool reducesSetTogether(const Op &op) { return isOfText(op, kSet); }

Reducer *ElementTerms::reducerOf(ComputationId computation, size_t count) {
  auto [found, isNew] = reducers_.try_emplace(computation);
  if (isNew)
    found->second = Reducer::of(module_.computations[computation], count);
  return found->second ? &*found->second : nullptr;
}

ElementId ElementTerms::reducedAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceOp>();
  const size_t count = op.results.size(), leaf = site.leaf;
  if (op.operands.size() != 2 * count || i.captured > 0 ||
      i.called.size() != 1 || i.called[0].computation < 0)
    return arrayAt(site, map);
  const ElementType type = op.results[leaf].type;
  const Computation &function = module_.computations[i.called[0].computation];
  auto reducer = opOfReducer(function, leaf, count);
  // The largest number in a wider type is the largest one.
  if (reducer && isRealFloat(type) &&
      (lawName(*reducer) == "maximum" || lawName(*reducer) == "minimum")) {
    const ElementType wide = shapesOf(*reducer).results[0].type;
    if (isRealFloat(wide) && bitsOf(wide) > bitsOf(type))
      reducer = elementwiseOp(lawName(*reducer), {type, type}, type);
  }
  const bool isOfOp = reducer && shapesOf(*reducer).results[0].type == type &&
                      op.operands[leaf].type == type &&
                      op.operands[count + leaf].type == type;
  // A value that decides others is reduced with these, if they can be.
  Reducer *whole =
      count > 1 ? reducerOf(i.called[0].computation, count) : nullptr;
  const bool isAlone = !whole || whole->groupOf(leaf).size() == 1;
  if (count == 2 && leavesOutNeutral_ && !(isOfOp && isAlone))
    return pickedAt(site, map);
  if (!isOfOp ||
      (!isAlone &&
       whole->lawsOf(whole->groupOf(leaf), table_.floats()).isAnyOrder))
    return reducedByFunctionAt(site, map);
  const ElementId init = operandAt(site, count + leaf, withoutResults(map));
  if (init == kParts) return kParts;
  const Reduced reduced = reducedOf(op);
  if (!reduced.index) return unknown();
  if (reduced.count == 0) return init;
  return reduceOver(*reducer, op.results[leaf], reduced.sizes, map, init,
                    [&](const IndexingMap &inner) {
                      auto behind = compose(inner, *reduced.index);
                      return behind.ok() ? operandAt(site, leaf, *behind)
                                         : unknown();
                    });
}

ElementId ElementTerms::reducedByFunctionAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceOp>();
  const size_t count = op.results.size(), leaf = site.leaf;
  const Reduced reduced = reducedOf(op);
  Reducer *reducer = reducerOf(i.called[0].computation, count);
  if (!reducer || !reduced.count || !reduced.index ||
      op.operands.size() != 2 * count)
    return arrayAt(site, map);
  llvm::ArrayRef<size_t> values = reducer->groupOf(leaf);
  Reducer::Laws laws = reducer->lawsOf(values, table_.floats());
  if (!laws.isAnyOrder) {
    values = reducer->valuesBehind(leaf);
    laws = reducer->lawsOf(values, table_.floats());
  }
  for (size_t k : values)
    if (op.operands[k].type != op.results[k].type ||
        op.operands[count + k].type != op.results[k].type)
      return arrayAt(site, map);
  if (*reduced.count == 0)
    return operandAt(site, count + leaf, withoutResults(map));
  if (*reduced.count == 1) return reducedOnceAt(site, map);
  if (!laws.isAnyOrder) return reducedInOrderAt(site, map);
  std::vector<ElementId> inits;
  std::vector<std::string> bytes;
  for (size_t k : values) {
    inits.push_back(operandAt(site, count + k, withoutResults(map)));
    if (inits.back() == kParts) return kParts;
    const Element &init = table_[inits.back()];
    if (init.kind == Element::Kind::Literal) bytes.push_back(init.text);
  }
  std::optional<ElementId> init;
  if (bytes.size() != values.size() || !reducer->isNeutral(values, bytes))
    init = tupleOf(table_, inits);
  std::string text = laws.isIdempotent ? kSet.str() : kTogether.str();
  for (TermId each : terms().functionsOf(i))
    text += "by " + std::to_string(each) + " ";
  for (size_t k : values) text += "of " + std::to_string(k) + " ";
  table_.functions().define(
      text, module_.computations[i.called[0].computation], values,
      [&](size_t p) { return argumentIn(values, count, p); });
  const ElementId all = reduceOver(
      opaqueOp(text, ElementType::Unknown, 2), op.results[leaf], reduced.sizes,
      map, init, [&](const IndexingMap &inner) -> ElementId {
        auto behind = compose(inner, *reduced.index);
        if (!behind.ok()) return unknown();
        std::vector<ElementId> elements;
        for (size_t k : values) {
          elements.push_back(operandAt(site, k, *behind));
          if (elements.back() == kParts) return kParts;
        }
        return tupleOf(table_, elements);
      });
  if (all == kParts || table_[all].kind == Element::Kind::Unknown) return all;
  if (laws.needsNoNan) table_.noteLaw("no-nan");
  if (laws.needsZeroSign) table_.noteLaw("zero-sign");
  return applied(
      table_,
      opaqueOp(kPart.str() +
                   std::to_string(llvm::find(values, leaf) - values.begin()) +
                   " of " + std::to_string(values.size()),
               op.results[leaf].type, 1),
      {all});
}

ElementId ElementTerms::reducedOnceAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceOp>();
  const size_t count = op.results.size();
  const Reduced reduced = reducedOf(op);
  llvm::SmallVector<size_t, 4> order(reduced.sizes.size());
  for (auto [k, place] : llvm::enumerate(order)) place = k;
  const auto added =
      withNewVariables(op.results[0].dimensions, reduced.sizes, order);
  auto index = added.ok() ? compose(map, *added) : added;
  if (index.ok()) index = compose(*index, *reduced.index);
  if (!index.ok()) return unknown();
  bool isInParts = false;
  const auto made = resultOfScalars(
      module_.computations[i.called[0].computation], site.leaf, table_,
      [&](size_t p) -> std::optional<ElementId> {
        const ElementId id =
            p < count ? operandAt(site, count + p, withoutResults(map))
                      : operandAt(site, p - count, *index);
        isInParts |= id == kParts;
        return id == kParts ? std::nullopt : std::optional(id);
      });
  if (isInParts) return kParts;
  return made ? *made : arrayAt(site, map);
}

ElementId ElementTerms::reducedInOrderAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceOp>();
  const size_t count = op.results.size(), outer = map.dimensions().size();
  const Reduced reduced = reducedOf(op);
  const auto line = inOneLine(op.results[0], reduced.sizes, *reduced.count);
  const auto added = line.ok() ? compose(map, *line) : line;
  if (!added.ok() || added->isKnownEmpty()) return unknown();
  const IndexingMap inner = rangesToDimensions(*added);
  const auto region = regionIn(inner);
  if (!region || !region->runtime().empty() ||
      inner.dimensions().size() != outer + 1)
    return arrayAt(site, map);
  const auto alone = ofFirst(*region, *region, outer);
  if (!alone) return arrayAt(site, map);
  Element made;
  made.kind = Element::Kind::Along;
  made.type = op.results[site.leaf].type;
  made.leaf = site.leaf;
  made.functions = terms().functionsOf(i);
  // A function of real numbers may give others.
  if (!llvm::all_of(made.functions,
                    [&](TermId f) { return isOfRealNumbers(f); }))
    made.number = Element::kNotReal;
  made.maps = {withoutResults(*alone), *region};
  const llvm::ArrayRef<size_t> values =
      reducerOf(i.called[0].computation, count)->valuesBehind(site.leaf);
  // Its own value is number `place` of those that it needs.
  const size_t place =
      llvm::find(values, static_cast<size_t>(site.leaf)) - values.begin();
  made.op = opaqueOp(
      kInOrder.str() + std::to_string(place) + " of " + std::to_string(count),
      made.type, 2 * values.size());
  ++level_;
  for (size_t k : values) {
    Pieces pieces;
    auto inPart = [&](const IndexingMap &part) {
      auto index = part == *region ? inner : compose(part, inner);
      if (index.ok()) index = compose(*index, *reduced.index);
      return index.ok() ? operandAt(site, k, *index) : unknown();
    };
    if (!inPieces(*region, outer, inPart, parts_, meter_, pieces)) {
      --level_;
      // An index of which nothing is reduced is in no part.
      if (addRest(parts_, *region, map)) return kParts;
      parts_.clear();
      return arrayAt(site, map);
    }
    parts_.clear();
    made.operands.push_back(table_.cases(op.operands[k].type, pieces));
  }
  --level_;
  for (size_t k : values) {
    const ElementId init = operandAt(site, count + k, withoutResults(*region));
    if (init == kParts) {
      parts_.clear();
      return arrayAt(site, map);
    }
    made.operands.push_back(init);
  }
  if (llvm::any_of(made.operands, [&](ElementId id) {
        return table_[id].kind == Element::Kind::Unknown;
      }))
    return arrayAt(site, map);
  table_.functions().define(
      ScalarFunctions::nameOf(made),
      module_.computations[i.called[0].computation], values,
      [&](size_t p) { return argumentIn(values, count, p); });
  return table_.intern(std::move(made));
}

ElementId ElementTerms::pickedAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ReduceOp>();
  if (op.operands.size() != 4 || op.dimensions.size() != 1 ||
      i.called.size() != 1 || i.called[0].computation < 0)
    return arrayAt(site, map);
  ElementTerms inside(module_, table_, arrays_, {}, levels_, meter_, budget_,
                      i.called[0].computation);
  const IndexingMap scalar = regionOf(ArrayShape(ElementType::Pred, {}));
  const auto number = inside.at(LeafId(0), scalar);
  const auto index = inside.at(LeafId(1), scalar);
  if (!number || !index) return arrayAt(site, map);
  const auto pick = orderPickOf(table_, *number, *index);
  if (!pick) return arrayAt(site, map);
  const int64_t along = op.dimensions[0];
  const ArrayShape &operand = op.operands[0];
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> all;
  for (int64_t k = 0; k < operand.rank(); ++k)
    all.push_back(k == along ? b.range({0, operand.dimensions[k] - 1})
                             : b.dimension({0, operand.dimensions[k] - 1}));
  for (Expr each : all) b.result(each);
  auto line = b.build();
  if (line.ok()) line = compose(map, *line);
  if (!line.ok() || line->isKnownEmpty()) return arrayAt(site, map);
  const IndexingMap inner = rangesToDimensions(*line);
  const auto region = regionIn(inner);
  const size_t outer = map.dimensions().size();
  // A line of one has no variable.
  if (!region || inner.dimensions().size() > outer + 1)
    return arrayAt(site, map);
  ElementId found[4];
  for (size_t k = 0; k < 4; ++k) {
    found[k] = operandAt(site, k, k < 2 ? inner : withoutResults(map));
    if (found[k] == kParts) {
      parts_.clear();
      return arrayAt(site, map);
    }
  }
  const auto made =
      pickedOf(table_, *pick, site.leaf == 1, outer,
               {{*region, found[0], found[1]}}, std::pair(found[2], found[3]));
  return made ? *made : arrayAt(site, map);
}

}  // namespace indexical

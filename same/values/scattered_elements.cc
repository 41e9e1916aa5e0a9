// Elements of scatters: the operand's or an update's, as the indices say.
//
//   scatter(f32[9] x, s32[4] i, f32[4] u), a sum
//   element (k):  add over s in [0, 3] of select(i[s] == k, u[s], -0),
//                 begun with x[k]
//
//   the same, where an update takes the place of what was there
//   m       maximum over s in [0, 3] of select(i[s] == k, s, -1)
//   element (k):  select(m >= 0, u[m], x[k])
//
// An update lands where its index is the element's: nothing is clamped, and
// what is outside falls away, in HLO whole windows. Of several updates of one
// element the last one stays, as in the reference interpreter; a sum has them
// in any order. A scatter of one update is one choice, whatever its function
// is, and one of few known places is that function of the updates that are
// there.
//
// A few updates are choices one after the other, if that does not decide:
//   select(i[1] == k, f(a, u[1]), a) with a = select(i[0] == k, f(x[k], u[0]),
//                                                    x[k])
// They are the same for a scatter that is cut into two, and for any function.
//
// Law (tests/same/values/scatter_enemies_test.py): pairs that are equal have
// one result in an interpreter that shares no code.
#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/integers.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/numbered_elements.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/typed_numbers.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Updates at known places are followed one by one if they are no more.
constexpr int64_t kMostKnownPlaces = 32;
/// Updates at other places, if they are no more.
constexpr int64_t kMostUpdates = 16;

ElementId wideLiteral(ElementTable &table, int64_t number) {
  std::string bytes(8, '\0');
  for (int k = 0; k < 8; ++k)
    bytes[k] = static_cast<char>(static_cast<uint64_t>(number) >> (8 * k));
  return table.literal(ElementType::S64, bytes);
}

/// Returns the bytes of the number that an op takes without any change: of a
/// sum of floats -0, unless zeros have no sign. Empty if there is none.
std::string unchangedBy(const Op &op, ElementType type, FloatLaws floats) {
  std::string bytes = ElementTable::neutralOf(op, type);
  if (lawName(op) == "add" && isRealFloat(type) && !bytes.empty() &&
      !has(floats, FloatLaws::ZeroSign))
    bytes.back() = static_cast<char>(bytes.back() | 0x80);
  return bytes;
}

}  // namespace

//===-- What the dimensions are -------------------------------------------===//

/// A scatter of one array, with the elements that its parts have in a map.
class ElementTerms::Scatter {
 public:
  Scatter(ElementTerms &terms, Site site)
      : terms_(terms),
        table_(terms.table_),
        site_(site),
        op_(terms.instruction(site).op.get<ScatterOp>()),
        input_(op_.operands[0]),
        indices_(op_.operands[1]),
        updates_(op_.operands[2]) {
    for (int64_t k = 0; k < updates_.rank(); ++k)
      if (!llvm::is_contained(op_.updateWindowDims, k))
        scatterDims_.push_back(k);
    for (int64_t k = 0; k < input_.rank(); ++k)
      if (!llvm::is_contained(op_.insertedWindowDims, k) &&
          !llvm::is_contained(op_.inputBatchingDims, k))
        windowed_.push_back(k);
    for (int64_t k = 0; k < indices_.rank(); ++k)
      if (k != op_.indexVectorDim) vectors_.push_back(k);
    // An update of a batch lands on the operand's own one.
    int64_t loops = input_.rank();
    for (int64_t k : vectors_) {
      const auto *batch = llvm::find(op_.scatterIndicesBatchingDims, k);
      const size_t place = batch - op_.scatterIndicesBatchingDims.begin();
      places_.push_back(place < op_.inputBatchingDims.size()
                            ? op_.inputBatchingDims[place]
                            : loops++);
    }
    for (int64_t size : sizes()) count_ = isFew(count_, size);
  }

  /// Whether its dimensions fit each other.
  bool isRead() const {
    return scatterDims_.size() == vectors_.size() &&
           windowed_.size() == op_.updateWindowDims.size() &&
           op_.inputBatchingDims.size() ==
               op_.scatterIndicesBatchingDims.size() &&
           classOf(indices_.type) == kIntegers;
  }
  /// Returns the sizes of the dimensions of updates that are neither windows
  /// nor batches.
  llvm::SmallVector<int64_t, 6> sizes() const {
    llvm::SmallVector<int64_t, 6> all;
    for (auto [k, place] : llvm::zip(scatterDims_, places_))
      if (place >= input_.rank()) all.push_back(updates_.dimensions[k]);
    return all;
  }
  /// The number of updates, each of which is a window; nothing: too many.
  std::optional<int64_t> count() const { return count_; }

  /// Whether the order counts in which updates land on one element.
  bool hasOrder(const Computation &function) const {
    const auto reducer = opOfReducer(function);
    return count_ != 1 && (!reducer || !isOrderFree(*reducer));
  }

  /// An element with what it needs to hold.
  struct Update {
    std::optional<ElementId> lands;  ///< nothing: always
    bool isNever = false;
    ElementId element = kParts;
  };
  /// Returns the update that may land on an element. The results of `map` are
  /// its index and, behind it, that of the update but for its batch. Returns
  /// nothing if it is not known, and kParts as the element if the region falls
  /// into parts.
  std::optional<Update> updateAt(const IndexingMap &map);
  /// Returns the start of the update's window along the operand's dimension
  /// that number `k` of its index vector is.
  ElementId startAt(const IndexingMap &map, int64_t k);

 private:
  static std::optional<int64_t> isFew(std::optional<int64_t> count,
                                      int64_t size) {
    if (!count || size > (int64_t{1} << 40) / std::max<int64_t>(1, *count))
      return std::nullopt;
    return *count * size;
  }
  /// Returns the update's size along a dimension of the operand.
  int64_t windowOf(int64_t dimension) const {
    const auto *found = llvm::find(windowed_, dimension);
    if (found == windowed_.end()) return 1;
    return updates_.dimensions[op_.updateWindowDims[found - windowed_.begin()]];
  }
  /// Adds a condition of two integers. Returns false if it is not known, or if
  /// the region falls into parts.
  bool require(Update &update, llvm::StringRef direction, ElementId a,
               ElementId b, const IndexingMap &map);
  bool isOrderFree(const Op &reducer) const {
    static constexpr llvm::StringRef kNames[] = {
        "add", "multiply", "maximum", "minimum", "and", "or", "xor"};
    return (classOf(input_.type) & (kIntegers | kPredicates)) &&
           llvm::is_contained(kNames, lawName(reducer));
  }
  std::optional<IndexingMap> resultOf(const IndexingMap &map, int64_t result,
                                      int64_t plus = 0) const;
  /// Returns the integer as one of 64 bits.
  ElementId widened(ElementId id) {
    const ElementType type = table_[id].type;
    if (type == ElementType::S64) return id;
    return table_.apply(elementwiseOp("convert", {type}, ElementType::S64),
                        {id});
  }
  ElementTerms &terms_;
  ElementTable &table_;
  const Site site_;
  const ScatterOp &op_;
  const ArrayShape &input_, &indices_, &updates_;
  llvm::SmallVector<int64_t, 6> scatterDims_, windowed_, vectors_;
  /// Which result of a map is the index along each of these dimensions: a
  /// dimension of the operand for a batch, else one behind these.
  llvm::SmallVector<int64_t, 6> places_;
  std::optional<int64_t> count_ = 1;
};

std::optional<IndexingMap> ElementTerms::Scatter::resultOf(
    const IndexingMap &map, int64_t result, int64_t plus) const {
  auto made = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results = {body.results[result] + plus};
  });
  SimplifyOptions options;
  options.rename = true;
  if (made.ok()) made = simplify(*made, options);
  if (!made.ok()) return std::nullopt;
  return *std::move(made);
}

ElementId ElementTerms::Scatter::startAt(const IndexingMap &map, int64_t k) {
  auto place = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    llvm::SmallVector<Expr, 6> index(indices_.rank(), b.constant(k));
    for (auto [dimension, place] : llvm::zip(vectors_, places_))
      index[dimension] = body.results[place];
    body.results.assign(index.begin(), index.end());
  });
  SimplifyOptions options;
  options.rename = true;
  if (place.ok()) place = simplify(*place, options);
  if (!place.ok()) return terms_.unknown();
  const ElementId start = terms_.operandAt(site_, 1, *place);
  if (start == kParts || table_[start].kind != Element::Kind::Read)
    return start;
  // An entry of a literal is its number.
  const Element &read = table_[start];
  const Element &list = table_[read.operands[0]];
  const auto *literal = list.op.as<ConstantOp>();
  if (list.kind != Element::Kind::List || !literal || !isPlain(list.op))
    return start;
  llvm::SmallVector<int64_t, 4> index;
  for (FormId form : read.maps[0].results()) {
    if (!read.maps[0].expressions().isConstant(form)) return start;
    index.push_back(read.maps[0].expressions().constant(form));
  }
  const auto bytes = bytesAt(*literal, index);
  if (!bytes || literal->results[0].type != indices_.type) return start;
  return table_.literal(indices_.type, *bytes);
}

bool ElementTerms::Scatter::require(Update &update, llvm::StringRef direction,
                                    ElementId a, ElementId b,
                                    const IndexingMap &map) {
  const ElementType type = table_[a].type;
  if (type != table_[b].type) return false;
  const Op compare = comparisonOp(direction, type);
  const auto known = terms_.ofIndices(compare, {a, b}, map);
  if (known && *known == kParts) {
    update.element = kParts;
    return false;
  }
  const ElementId holds = known ? *known : table_.apply(compare, {a, b});
  if (table_[holds].kind == Element::Kind::Literal) {
    update.isNever |= table_.integerOf(holds).value_or(0) == 0;
    return true;
  }
  const ElementType pred = ElementType::Pred;
  update.lands = update.lands
                     ? table_.apply(elementwiseOp("and", {pred, pred}, pred),
                                    {*update.lands, holds})
                     : holds;
  return true;
}

std::optional<ElementTerms::Scatter::Update> ElementTerms::Scatter::updateAt(
    const IndexingMap &map) {
  Update update;
  auto failed = [&]() -> std::optional<Update> {
    if (terms_.parts_.empty()) return std::nullopt;
    update.element = kParts;
    return update;
  };
  terms_.parts_.clear();
  // Where along each dimension of the operand the update's window begins.
  llvm::SmallVector<std::optional<ElementId>, 6> starts(input_.rank());
  for (auto [k, dimension] : llvm::enumerate(op_.scatterDimsToOperandDims)) {
    const ElementId start = startAt(map, k);
    if (start == kParts) return failed();
    starts[dimension] = start;
  }
  // Reads of the update, each a runtime variable behind those of the map.
  llvm::SmallVector<std::pair<int64_t, ElementId>, 4> moved;
  for (int64_t d = 0; d < input_.rank(); ++d) {
    if (llvm::is_contained(op_.inputBatchingDims, d)) continue;
    const int64_t window = windowOf(d), size = input_.dimensions[d];
    const auto own = resultOf(map, d);
    if (!own) return std::nullopt;
    if (!starts[d]) {
      if (window == size) continue;
      const ElementId end = wideLiteral(table_, window);
      if (!require(update, "LT", table_.index(ElementType::S64, *own), end,
                   map))
        return failed();
      continue;
    }
    const bool isOne = window == 1;
    if (isOne && valuesOf(indices_.type).contains(Interval{0, size - 1})) {
      if (!require(update, "EQ", *starts[d], table_.index(indices_.type, *own),
                   map))
        return failed();
      continue;
    }
    const ElementId start = widened(*starts[d]);
    const ElementId index = table_.index(ElementType::S64, *own);
    if (isOne) {
      if (!require(update, "EQ", start, index, map)) return failed();
      continue;
    }
    const auto lower = resultOf(map, d, 1 - window);
    if (!lower || !require(update, "LE", start, index, map) ||
        !require(update, "GE", start, table_.index(ElementType::S64, *lower),
                 map))
      return failed();
    if (op_.partlyOutside == ScatterOp::PartlyOutside::SkipSlice &&
        (!require(update, "GE", start, wideLiteral(table_, 0), map) ||
         !require(update, "LE", start, wideLiteral(table_, size - window),
                  map)))
      return failed();
    const ElementType wide = ElementType::S64;
    moved.push_back(
        {d, table_.apply(elementwiseOp("subtract", {wide, wide}, wide),
                         {index, start})});
  }
  if (update.isNever) {
    update.element = ElementTable::kNothing;
    return update;
  }
  auto place = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    llvm::SmallVector<Expr, 6> index(updates_.rank(), b.constant(0));
    for (auto [dimension, place] : llvm::zip(scatterDims_, places_))
      index[dimension] = body.results[place];
    for (auto [n, dimension] : llvm::enumerate(windowed_)) {
      const int64_t d = dimension;
      const auto *inside = llvm::find_if(
          moved, [&](const auto &each) { return each.first == d; });
      Expr &own = index[op_.updateWindowDims[n]];
      if (inside != moved.end())
        own = b.runtimeElement({0, windowOf(d) - 1}, /*clamped=*/true,
                               inside->second, {});
      else if (!starts[d])
        own = body.results[d];
    }
    body.results.assign(index.begin(), index.end());
  });
  SimplifyOptions options;
  options.rename = true;
  if (place.ok()) place = simplify(*place, options);
  if (!place.ok()) return std::nullopt;
  // The difference of known integers is one, too.
  for (size_t r = place->runtime().size(); place.ok() && r-- > 0;)
    if (const auto number =
            table_.indexOf(ElementId(place->runtime()[r].source.tensor))) {
      place = withNumber(*place, r, *number);
      if (place.ok()) place = simplify(*place, options);
    }
  if (!place.ok()) return std::nullopt;
  update.element = terms_.operandAt(site_, 2, *place);
  if (update.element == kParts) return failed();
  return update;
}

//===-- Elements ----------------------------------------------------------===//

ElementId ElementTerms::chosenAt(std::optional<ElementId> condition,
                                 ElementId then, ElementId otherwise) {
  if (!condition || then == otherwise) return then;
  const ElementType type = table_[then].type;
  return table_.apply(
      elementwiseOp("select", {ElementType::Pred, type, type}, type),
      {*condition, then, otherwise});
}

ElementId ElementTerms::scatteredAt(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const auto &op = i.op.get<ScatterOp>();
  if (op.results.size() != 1 || op.operands.size() != 3 || i.captured > 0 ||
      i.called.size() != 1 || i.called[0].computation < 0 ||
      op.operands[0].type != op.operands[2].type || !isPlain(op) ||
      op.operands[0].type != op.results[0].type || !map.runtime().empty())
    return arrayAt(site, map);
  Scatter scatter(*this, site);
  if (!scatter.isRead() || !scatter.count()) return arrayAt(site, map);
  if (*scatter.count() == 0) return operandAt(site, 0, map);
  const Computation &function = module_.computations[i.called[0].computation];
  if (*scatter.count() <= kMostKnownPlaces)
    if (const auto made = scatteredOneByOne(site, scatter, function, map))
      return *made;
  if (level_ >= levels_) return arrayAt(site, map);
  const InstructionLeaf root =
      indexical::originOf(function, InstructionLeaf{function.root, LeafId(0)});
  if (root.instruction < 0 || function.parameters.size() != 2)
    return arrayAt(site, map);
  const int32_t own = function.instructions[root.instruction].parameterNumber;
  if (own == 0) return operandAt(site, 0, map);
  std::optional<ElementId> made;
  if (own == 1) {
    ordersUpdates_ |= scatter.hasOrder(function);
    made = lastUpdateAt(site, scatter, map);
  } else if (const auto reducer = opOfReducer(function)) {
    made = reducedUpdatesAt(site, scatter, *reducer, map);
  }
  if (!made) {
    parts_.clear();
    return arrayAt(site, map);
  }
  return *made;
}

std::optional<ElementId> ElementTerms::scatteredOneByOne(
    Site site, Scatter &scatter, const Computation &function,
    const IndexingMap &map) {
  // The places of all updates are known, or there is one update.
  const llvm::SmallVector<int64_t, 6> sizes = scatter.sizes();
  const int64_t count = *scatter.count();
  ElementId all = operandAt(site, 0, map);
  if (all == kParts) return kParts;
  const bool hasOrder = scatter.hasOrder(function);
  bool hasLanded = false;
  for (int64_t n = 0; n < count; ++n) {
    auto at = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
      int64_t left = n, behind = count;
      for (int64_t size : sizes) {
        behind /= size;
        body.results.push_back(b.constant(left / behind));
        left %= behind;
      }
    });
    if (at.ok()) at = simplify(*at);
    if (!at.ok()) return std::nullopt;
    const auto update = scatter.updateAt(*at);
    if (!update) return std::nullopt;
    if (update->element == kParts) {
      if (addRest(parts_, map)) return kParts;
      parts_.clear();
      return std::nullopt;
    }
    if (update->isNever) continue;
    ordersUpdates_ |= hasLanded && hasOrder;
    hasLanded = true;
    if (update->lands && count > 1) {
      hasFewUpdates_ |= count <= kMostUpdates;
      if (!followsUpdates_ || count > kMostUpdates) return std::nullopt;
    }
    const auto made =
        resultOfScalars(function, LeafId(0), table_, [&](size_t p) {
          return std::optional(p == 0 ? all : update->element);
        });
    if (!made || table_[*made].type != shapeOf(site).type) return std::nullopt;
    all = chosenAt(update->lands, *made, all);
  }
  return all;
}

std::optional<ElementId> ElementTerms::reducedUpdatesAt(
    Site site, Scatter &scatter, const Op &reducer, const IndexingMap &map) {
  const ArrayShape &shape = shapeOf(site);
  const std::string bytes = unchangedBy(reducer, shape.type, table_.floats());
  if (bytes.empty() || shapesOf(reducer).results[0].type != shape.type)
    return std::nullopt;
  const ElementId unchanged = table_.literal(shape.type, bytes);
  const ElementId init = operandAt(site, 0, map);
  if (init == kParts) return kParts;
  bool isKnown = true;
  const ElementId made =
      reduceOver(reducer, shape, scatter.sizes(), map, init,
                 [&](const IndexingMap &inner) -> ElementId {
                   const auto update = scatter.updateAt(inner);
                   isKnown &= update.has_value();
                   if (!update) return unknown();
                   if (update->element == kParts) return kParts;
                   if (update->isNever) return unchanged;
                   return chosenAt(update->lands, update->element, unchanged);
                 });
  if (!isKnown ||
      (made != kParts && table_[made].kind == Element::Kind::Unknown))
    return std::nullopt;
  return made;
}

std::optional<ElementId> ElementTerms::lastUpdateAt(Site site, Scatter &scatter,
                                                    const IndexingMap &map) {
  const ArrayShape &shape = shapeOf(site);
  const llvm::SmallVector<int64_t, 6> sizes = scatter.sizes();
  const ElementType type = ElementType::S64;
  const ElementId none = wideLiteral(table_, -1);
  bool isKnown = true;
  // The number of the last update that lands, or -1.
  const ElementId last = reduceOver(
      elementwiseOp("maximum", {type, type}, type), shape, sizes, map,
      std::nullopt, [&](const IndexingMap &inner) -> ElementId {
        const auto update = scatter.updateAt(inner);
        isKnown &= update.has_value();
        if (!update) return unknown();
        if (update->element == kParts) return kParts;
        if (update->isNever) return none;
        auto number =
            withBody(inner, [&](IndexingMapBuilder &b, MapBody &body) {
              Expr all = b.constant(0);
              for (auto [n, size] : llvm::enumerate(sizes))
                all = all * size + body.results[shape.rank() + n];
              body.results = {all};
            });
        if (number.ok()) number = simplify(*number);
        isKnown &= number.ok();
        if (!number.ok()) return unknown();
        return chosenAt(update->lands, table_.index(type, *number), none);
      });
  if (last == kParts) return kParts;
  if (!isKnown || table_[last].kind == Element::Kind::Unknown)
    return std::nullopt;
  const ElementId operand = operandAt(site, 0, map);
  if (operand == kParts) return kParts;
  auto at = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    const Expr number = b.runtimeElement({0, *scatter.count() - 1},
                                         /*clamped=*/true, last, {});
    int64_t behind = *scatter.count();
    for (int64_t size : sizes) {
      behind /= size;
      body.results.push_back(size == 1 ? b.constant(0)
                                       : mod(floorDiv(number, behind), size));
    }
  });
  SimplifyOptions options;
  options.rename = true;
  if (at.ok()) at = simplify(*at, options);
  if (!at.ok()) return std::nullopt;
  const auto update = scatter.updateAt(*at);
  if (!update || update->isNever) return std::nullopt;
  if (update->element == kParts) {
    parts_.clear();
    return std::nullopt;
  }
  const ElementId lands =
      table_.apply(comparisonOp("GE", type), {last, wideLiteral(table_, 0)});
  return chosenAt(lands, update->element, operand);
}

}  // namespace indexical

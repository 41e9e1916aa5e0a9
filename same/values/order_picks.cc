#include "indexical/same/values/order_picks.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/integers.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr int kMostDeep = 64;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A parameter of the reducer, or a truth value.
struct Picked {
  int parameter = -1;
  bool truth = false;
};

/// Runs a reducer of comparisons and choices.
class Runner {
 public:
  Runner(const ElementTable &table, llvm::ArrayRef<double> numbers)
      : table_(table), numbers_(numbers) {}

  std::optional<Picked> run(ElementId id, int deep = 0) const {
    const Element &element = table_[id];
    if (deep > kMostDeep) return std::nullopt;
    if (element.kind == Element::Kind::Read) {
      const Element &array = table_[element.operands[0]];
      if (array.kind != Element::Kind::Parameter || array.number < 0 ||
          array.number >= 4 || array.leaf > 0)
        return std::nullopt;
      return Picked{static_cast<int>(array.number), false};
    }
    if (element.kind == Element::Kind::Literal &&
        element.type == ElementType::Pred)
      return Picked{-1, element.text != std::string(1, '\0')};
    if (element.kind != Element::Kind::Apply) return std::nullopt;
    const StringRef name = lawName(element.op);
    std::vector<Picked> operands;
    for (ElementId operand : element.operands) {
      const auto found = run(operand, deep + 1);
      if (!found) return std::nullopt;
      operands.push_back(*found);
    }
    if (operands.size() == 3 && name == "select" && operands[0].parameter < 0)
      return operands[operands[0].truth ? 1 : 2];
    if (operands.size() == 1 && name == "not" && operands[0].parameter < 0)
      return Picked{-1, !operands[0].truth};
    if (operands.size() != 2) return std::nullopt;
    const auto [x, y] = std::pair(operands[0], operands[1]);
    if (x.parameter < 0 && y.parameter < 0) {
      if (name == "and") return Picked{-1, x.truth && y.truth};
      if (name == "or") return Picked{-1, x.truth || y.truth};
      if (name == "xor" || name == "NE") return Picked{-1, x.truth != y.truth};
      if (name == "EQ") return Picked{-1, x.truth == y.truth};
      return std::nullopt;
    }
    // Numbers are compared with numbers, and indices with indices.
    if (x.parameter < 0 || y.parameter < 0 ||
        x.parameter % 2 != y.parameter % 2)
      return std::nullopt;
    const double a = numbers_[x.parameter], b = numbers_[y.parameter];
    if (name == "EQ") return Picked{-1, a == b};
    if (name == "NE") return Picked{-1, a != b};
    if (name == "LT") return Picked{-1, a < b};
    if (name == "LE") return Picked{-1, a <= b};
    if (name == "GT") return Picked{-1, a > b};
    if (name == "GE") return Picked{-1, a >= b};
    return std::nullopt;
  }

 private:
  const ElementTable &table_;
  const llvm::ArrayRef<double> numbers_;
};

/// Returns 0 if both results are of the first pair, 1 if of the second.
std::optional<int> sideOf(const ElementTable &table, ElementId number,
                          ElementId index, llvm::ArrayRef<double> numbers) {
  const Runner runner(table, numbers);
  const auto a = runner.run(number), i = runner.run(index);
  if (!a || !i || a->parameter < 0 || i->parameter < 0 ||
      a->parameter % 2 != 0 || i->parameter % 2 != 1)
    return std::nullopt;
  // Equal numbers may be of either.
  const bool areEqual = numbers[0] == numbers[2];
  if (!areEqual && a->parameter / 2 != i->parameter / 2) return std::nullopt;
  return i->parameter / 2;
}

/// Whether the number is one that every other one of the type is picked
/// before, or equals.
bool isLast(const ElementTable &table, const OrderPick &pick, ElementId id) {
  const ElementType type = table[id].type;
  const Op op =
      elementwiseOp(pick.isLargest ? "maximum" : "minimum", {type, type}, type);
  return table.isNeutral(op, id);
}

/// Returns the least and the greatest index of a line in the region; bounds
/// without an end are not known.
Interval boundsOfIndex(const ElementTable &table, ElementId id,
                       const IndexingMap &region) {
  if (const auto number = table.integerOf(id)) return Interval::point(*number);
  const Element &element = table[id];
  if (element.kind != Element::Kind::Index) return Interval::all();
  const auto index = compose(region, element.maps[0]);
  if (!index.ok()) return Interval::all();
  // An iota can wrap in its own type.
  const Interval bounds = boundsOfResults(*index)[0];
  return valuesOf(element.type).contains(bounds) ? bounds : Interval::all();
}

}  // namespace

Op OrderPick::opOf(ElementType number, ElementType index, bool isIndex,
                   bool hasNoNan) const {
  ElementwiseOp op;
  op.operands.push_back(ArrayShape(number, {}));
  op.operands.push_back(ArrayShape(index, {}));
  op.results = {ArrayShape(isIndex ? index : number, {})};
  op.configuration =
      absl::StrCat("pick ", isFirst ? "first" : "last", " of the ",
                   isLargest ? "largest" : "smallest");
  if (!hasNoNan && classOf(number) == kFloats)
    absl::StrAppend(&op.configuration, ", NaN ", nan);
  return Op(std::move(op));
}

std::optional<OrderPick> orderPickOf(const ElementTable &table,
                                     ElementId number, ElementId index,
                                     PairOrder order) {
  // a, i, b, j; then the index that an equal number picks.
  const double less[2][4] = {{1, 1, 2, 2}, {1, 2, 2, 1}};
  const double more[2][4] = {{2, 1, 1, 2}, {2, 2, 1, 1}};
  const double equal[2][4] = {{1, 1, 1, 2}, {1, 2, 1, 1}};
  int sides[3][2];
  for (int k : {0, 1}) {
    const std::pair<const double *, int> rows[] = {
        {less[k], 0}, {more[k], 1}, {equal[k], 2}};
    for (const auto &[row, which] : rows) {
      const auto side =
          sideOf(table, number, index, llvm::ArrayRef<double>(row, 4));
      if (!side) return std::nullopt;
      sides[which][k] = *side;
    }
  }
  OrderPick pick;
  pick.isOfOrder = sides[2][0] == sides[2][1];
  if (sides[0][0] != sides[0][1] || sides[1][0] != sides[1][1] ||
      sides[0][0] == sides[1][0] ||
      (pick.isOfOrder && order == PairOrder::None))
    return std::nullopt;
  pick.isLargest = sides[0][0] == 1;
  pick.isFirst = sides[2][0] == 0;
  const double nans[6][4] = {{kNan, 1, 1, 2},    {kNan, 2, 1, 1},
                             {1, 1, kNan, 2},    {1, 2, kNan, 1},
                             {kNan, 1, kNan, 2}, {kNan, 2, kNan, 1}};
  for (const auto &row : nans) {
    const auto side =
        sideOf(table, number, index, llvm::ArrayRef<double>(row, 4));
    if (!side) return std::nullopt;
    pick.nan += *side == 0 ? 'a' : 'b';
  }
  pick.passesNan = StringRef(pick.nan).starts_with("aabb");
  return pick;
}

std::optional<ElementId> pickedOf(
    ElementTable &table, const OrderPick &pick, bool isIndex, size_t outer,
    llvm::ArrayRef<PickedPiece> pieces,
    std::optional<std::pair<ElementId, ElementId>> init) {
  const bool hasNoNan = has(table.floats(), FloatLaws::NoNan) &&
                        classOf(table[pieces[0].number].type) == kFloats;
  const bool isSafe = hasNoNan || pick.passesNan ||
                      classOf(table[pieces[0].number].type) != kFloats;
  const PickedPiece *kept = nullptr;
  for (const PickedPiece &piece : pieces) {
    if (isLast(table, pick, piece.number)) continue;
    if (kept) return std::nullopt;
    kept = &piece;
  }
  if (!kept && pieces.size() == 1) kept = &pieces[0];
  if (!kept) return std::nullopt;
  // What is left out has an index behind one that stays.
  const Interval own = boundsOfIndex(table, kept->index, kept->region);
  auto isBehind = [&](Interval other) {
    return pick.isFirst
               ? own.hasLower() && other.hasLower() && other.lower >= own.lower
               : own.hasUpper() && other.hasUpper() && other.upper <= own.upper;
  };
  // The bounds are those of the line for each index of the result.
  const bool isOne = kept->region.dimensions().size() == outer;
  const bool isOfLine = isOne ? own.isPoint() : [&] {
    const Element &index = table[kept->index];
    if (index.kind != Element::Kind::Index ||
        !index.maps[0].constraints().empty() ||
        !kept->region.constraints().empty())
      return false;
    bool isOwn = index.maps[0].runtime().empty();
    index.maps[0].expressions().visitVariables(
        index.maps[0].results(), [&](VariableId variable) {
          isOwn &= variable.kind == VariableKind::Dimension &&
                   variable.index >= outer;
        });
    return isOwn;
  }();
  const bool leavesOut = pieces.size() > 1 || init;
  if (leavesOut && (!isSafe || !isOfLine)) return std::nullopt;
  for (const PickedPiece &piece : pieces)
    if (&piece != kept &&
        !isBehind(boundsOfIndex(table, piece.index, piece.region)))
      return std::nullopt;
  if (init && (!isLast(table, pick, init->first) ||
               !isBehind(boundsOfIndex(table, init->second, kept->region))))
    return std::nullopt;
  if (hasNoNan && !pick.passesNan && (leavesOut || !isOne))
    table.noteLaw("no-nan");
  if (isOne) return isIndex ? kept->index : kept->number;
  Element made;
  made.kind = Element::Kind::Along;
  made.op = pick.opOf(table[kept->number].type, table[kept->index].type,
                      isIndex, hasNoNan);
  made.type = shapesOf(made.op).results[0].type;
  made.leaf = 0;
  made.operands = {kept->number, kept->index};
  const auto alone = ofFirst(kept->region, kept->region, outer);
  if (!alone) return std::nullopt;
  made.maps = {withoutResults(*alone), kept->region};
  return table.intern(std::move(made));
}

}  // namespace indexical

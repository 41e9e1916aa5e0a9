// Sums of which one summand alone is not zero.
//
//   first    t[i]
//   second   add over d in [0, 3] of
//              select(0 <= i - 10 * d < 10, t[10 * d + clamp(i - 10 * d)], 0)
//
// For each i in [0, 39] the condition holds for one d, and what is selected
// there is t[i]: an array that is cut into parts is read so at an index that
// only the run knows (a table of embeddings over devices). Integers that are no
// function of indices, such as i, become variables, within the bounds that are
// known of them. Then exact/ decides whether one d remains for each, and what
// is read is compared where it does.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/values/integers.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

constexpr int kMostPickDepth = 24;
constexpr size_t kMostSymbols = 4;

}  // namespace

class SameElements::Picking {
 public:
  /// The variables of `sum` are those of `region` and, behind them, those that
  /// are summed over.
  Picking(SameElements &same, const IndexingMap &sum, const IndexingMap &region)
      : same_(same),
        table_(same.table_),
        sum_(sum),
        region_(region),
        outer_(region.dimensions().size()) {
    for (const Variable &v : sum_.dimensions()) bounds_.push_back(v.bounds);
    variables_ = bounds_.size();
  }

  /// Whether `first` is the one of the summands `select(condition, body, 0)`,
  /// or `select(condition, 0, body)` if the body is there where it does not
  /// hold.
  bool picks(ElementId condition, bool holds, ElementId body, ElementId first) {
    return isBody(first, body, 0) && addCondition(condition, holds, 0) &&
           fitTypes() && isOne() && isRight();
  }

 private:
  using Variables = llvm::SmallVector<uint32_t, 6>;
  /// An integer that is no function of indices, and does not change along what
  /// is summed over.
  struct Symbol {
    Tokens tokens;
    std::vector<FormId> indices;
  };
  struct Bound {
    FormId form;
    Interval in;
  };

  /// The variables of an element: those of the first, or of the summands.
  Variables variables(bool isSummand) const {
    Variables all;
    for (size_t k = 0; k < (isSummand ? variables_ : outer_); ++k)
      all.push_back(k);
    return all;
  }
  Expr expression(FormId form) { return {&pool_, form}; }
  Expr constant(int64_t value) { return expression(pool_.linear({}, value)); }
  FormId variable(size_t k) {
    return pool_.variable({VariableKind::Dimension, static_cast<uint32_t>(k)});
  }

  /// Returns the values of a type that are computed with. An interval has no
  /// end at those of 64 bits: there they are half of them.
  static Interval numbersOf(ElementType type) {
    constexpr int64_t kHalf = int64_t{1} << 62;
    const Interval values = valuesOf(type);
    return bitsOf(type) < 64 ? values : values.intersect({-kHalf, kHalf});
  }

  /// Returns the integers that the element lies between.
  Interval boundsOf(ElementId id, int depth) const {
    const Element &element = table_[id];
    const Interval all = valuesOf(element.type);
    if (const auto number = table_.integerOf(id))
      return numbersOf(element.type).contains(*number)
                 ? Interval::point(*number)
                 : all;
    if (element.kind != Element::Kind::Apply || depth > kMostPickDepth)
      return all;
    const llvm::StringRef name = lawName(element.op);
    std::vector<Interval> of;
    for (ElementId operand : element.operands) {
      if (table_[operand].type != element.type) return all;
      of.push_back(boundsOf(operand, depth + 1));
    }
    if (name == "maximum" && of.size() == 2)
      return {std::max(of[0].lower, of[1].lower),
              std::max(of[0].upper, of[1].upper)};
    if (name == "minimum" && of.size() == 2)
      return {std::min(of[0].lower, of[1].lower),
              std::min(of[0].upper, of[1].upper)};
    // min(max(x, low), high)
    if (name == "clamp" && of.size() == 3)
      return {std::min(std::max(of[1].lower, of[0].lower), of[2].lower),
              std::min(std::max(of[1].upper, of[0].upper), of[2].upper)};
    return all;
  }

  /// Returns the integer as an expression; notes that it must be in the bounds
  /// of its type, so that nothing wraps.
  std::optional<Expr> integer(ElementId id, const Variables &own, int depth) {
    const Element element = table_[id];
    const ElementType type = element.type;
    if (depth > kMostPickDepth || !isInteger(type) ||
        type == ElementType::Pred || bitsOf(type) > 64)
      return std::nullopt;
    if (const auto number = table_.integerOf(id)) {
      if (!numbersOf(type).contains(*number)) return std::nullopt;
      return constant(*number);
    }
    if (element.kind == Element::Kind::Index) {
      const auto index = indexIn(element, own);
      // An iota can wrap in its own type.
      if (index) ofTypes_.push_back({index->form(), numbersOf(type)});
      return index;
    }
    if (element.kind != Element::Kind::Sum) return symbol(id, own);
    Expr all = constant(0);
    llvm::DynamicAPInt modulus(1);
    for (int64_t k = 0; k < bitsOf(type); ++k)
      modulus = modulus * llvm::DynamicAPInt(2);
    const llvm::DynamicAPInt most(int64_t{1} << 40);
    for (const auto &[factors, given] : table_.asPolynomial(id).terms()) {
      llvm::DynamicAPInt by = given.num;
      if (by > modulus / llvm::DynamicAPInt(2)) by = by - modulus;
      if (given.den != 1 || abs(by) > most || factors.size() > 1)
        return std::nullopt;
      const auto number = static_cast<int64_t>(by);
      // Only what the sum is in all must not wrap.
      const auto factor = factors.empty() ? std::optional<Expr>(constant(1))
                          : table_[factors[0]].kind == Element::Kind::Index
                              ? indexIn(table_[factors[0]], own)
                              : integer(factors[0], own, depth + 1);
      if (!factor) return std::nullopt;
      all = all + *factor * number;
    }
    ofTypes_.push_back({all.form(), numbersOf(type)});
    return all;
  }

  /// Returns the number that an element of kind Index has before it wraps.
  std::optional<Expr> indexIn(const Element &element, const Variables &own) {
    const IndexingMap &map = element.maps[0];
    if (!map.runtime().empty() || !map.ranges().empty() ||
        map.dimensions().size() != own.size())
      return std::nullopt;
    return expression(imported(map, own)[0]);
  }

  std::optional<Expr> symbol(ElementId id, const Variables &own) {
    Summand alone;
    alone.factors = {{id, own}};
    alone.bounds = bounds_;
    alone.bounds.resize(own.size());
    const auto form = same_.formOf(alone);
    if (!form) return std::nullopt;
    Symbol made{form->tokens, {}};
    for (const Form::Leaf &leaf : form->leaves)
      for (FormId index : imported(leaf.map, leaf.variables)) {
        bool isInner = false;
        pool_.visitVariables({index}, [&](VariableId v) {
          isInner |= v.index >= outer_ && v.index < variables_;
        });
        if (isInner) return std::nullopt;
        made.indices.push_back(index);
      }
    for (auto [k, known] : llvm::enumerate(symbols_))
      if (known.tokens == made.tokens && known.indices == made.indices)
        return expression(variable(variables_ + k));
    if (symbols_.size() == kMostSymbols) return std::nullopt;
    symbols_.push_back(std::move(made));
    bounds_.push_back(boundsOf(id, 0));
    return expression(variable(bounds_.size() - 1));
  }

  /// Returns the results of a map of these variables; runtime variables have
  /// the values `runtime`.
  std::vector<FormId> imported(const IndexingMap &map,
                               llvm::ArrayRef<uint32_t> own,
                               llvm::ArrayRef<FormId> runtime = {}) {
    auto replace = [&](VariableId v) {
      return v.kind == VariableKind::Runtime ? runtime[v.index]
                                             : variable(own[v.index]);
    };
    ExpressionImport import(map.expressions(), pool_, replace);
    std::vector<FormId> forms;
    for (FormId result : map.results()) forms.push_back(import(result));
    return forms;
  }

  bool addCondition(ElementId id, bool holds, int depth) {
    const Element element = table_[id];
    if (depth > kMostPickDepth || element.kind != Element::Kind::Apply)
      return false;
    const llvm::StringRef name = lawName(element.op);
    if (name == "not" && element.operands.size() == 1)
      return addCondition(element.operands[0], !holds, depth + 1);
    if (element.type == ElementType::Pred && name == (holds ? "and" : "or"))
      return llvm::all_of(element.operands, [&](ElementId each) {
        return addCondition(each, holds, depth + 1);
      });
    if (element.operands.size() != 2) return false;
    const auto a = integer(element.operands[0], variables(true), 0),
               b = integer(element.operands[1], variables(true), 0);
    if (!a || !b) return false;
    const Interval above{1, INT64_MAX}, below{INT64_MIN, -1};
    const Interval notBelow{0, INT64_MAX}, notAbove{INT64_MIN, 0};
    Interval in;
    if (name == "LT")
      in = holds ? below : notBelow;
    else if (name == "GE")
      in = holds ? notBelow : below;
    else if (name == "GT")
      in = holds ? above : notAbove;
    else if (name == "LE")
      in = holds ? notAbove : above;
    else if (name == (holds ? "EQ" : "NE"))
      in = Interval::point(0);
    else
      return false;
    conditions_.push_back({(*a - *b).form(), in});
    return true;
  }

  /// Whether the first element is the body, if what is noted is so.
  bool isBody(ElementId first, ElementId body, int depth) {
    const Element a = table_[first], x = table_[body];
    if (depth > kMostPickDepth || a.kind != x.kind || a.type != x.type)
      return false;
    switch (a.kind) {
      case Element::Kind::Literal:
        return first == body;
      case Element::Kind::Index: {
        const auto one = integer(first, variables(false), 0),
                   other = integer(body, variables(true), 0);
        if (!one || !other) return false;
        equal_.push_back((*one - *other).form());
        return true;
      }
      case Element::Kind::Apply:
        return a.op == x.op && a.operands.size() == x.operands.size() &&
               llvm::all_of(llvm::zip(a.operands, x.operands), [&](auto both) {
                 return isBody(std::get<0>(both), std::get<1>(both), depth + 1);
               });
      case Element::Kind::Read: {
        if (same_.sameArray(a.operands[0]) != same_.sameArray(x.operands[0]))
          return false;
        const auto one = indexOf(a.maps[0], variables(false)),
                   other = indexOf(x.maps[0], variables(true));
        if (!one || !other || one->size() != other->size()) return false;
        for (auto [left, right] : llvm::zip(*one, *other))
          equal_.push_back((expression(left) - expression(right)).form());
        return true;
      }
      default:
        return false;
    }
  }

  /// Returns the integer with its bounds as a number that is in them.
  ElementId clamped(ElementId id, Interval to) {
    const ElementType type = table_[id].type;
    auto number = [&](int64_t value) {
      std::string bytes;
      for (int64_t k = 0; k < bitsOf(type); k += 8)
        bytes += static_cast<char>(static_cast<uint64_t>(value) >> k);
      return table_.literal(type, bytes);
    };
    return table_.apply(elementwiseOp("clamp", {type, type, type}, type),
                        {number(to.lower), id, number(to.upper)});
  }

  /// Returns the index that is read, where runtime variables are in their
  /// bounds, so that nothing is clamped. What may leave them in the first
  /// element is clamped as its reader does it.
  std::optional<std::vector<FormId>> indexOf(const IndexingMap &map,
                                             const Variables &own) {
    if (!map.ranges().empty() || map.dimensions().size() != own.size())
      return std::nullopt;
    std::vector<FormId> values;
    for (const RuntimeVariable &v : map.runtime()) {
      if (v.source.kind != RuntimeSource::Kind::Element || v.source.tensor < 0)
        return std::nullopt;
      ElementId source(v.source.tensor);
      const Element &of = table_[source];
      const Interval held = boundsOf(source, 0);
      const bool mayLeave =
          v.clamped && own.size() == outer_ && isInteger(of.type) &&
          bitsOf(of.type) >= 8 && v.bounds.isFinite() &&
          (held.lower < v.bounds.lower || held.upper > v.bounds.upper) &&
          valuesOf(of.type).contains(v.bounds.lower) &&
          valuesOf(of.type).contains(v.bounds.upper);
      if (mayLeave) source = clamped(source, v.bounds);
      const auto value = integer(source, own, 0);
      if (!value) return std::nullopt;
      inside_.push_back({value->form(), v.bounds});
      values.push_back(value->form());
    }
    return imported(map, own, values);
  }

  /// Returns the region of all variables, with the conditions if asked for,
  /// and one condition more, as a map to what `results` are of.
  std::optional<IndexingMap> domain(bool isPicked, std::optional<Bound> also,
                                    bool isFunction) {
    IndexingMapBuilder b(pool_);
    std::vector<Expr> all;
    for (const Interval &each : bounds_) all.push_back(b.dimension(each));
    auto replace = [&](VariableId v) { return all[v.index].form(); };
    ExpressionImport import(sum_.expressions(), pool_, replace);
    for (const Constraint &c : sum_.constraints())
      b.constraint(b.expression(import(c.form)), c.bounds);
    if (isPicked)
      for (const Bound &each : conditions_)
        b.constraint(b.expression(each.form), each.in);
    if (also) b.constraint(b.expression(also->form), also->in);
    for (size_t k = 0; isFunction && k < all.size(); ++k)
      if (k < outer_ || k >= variables_) b.result(all[k]);
    auto map = b.build();
    if (!map.ok()) return std::nullopt;
    return *std::move(map);
  }

  bool isNever(bool isPicked, const Bound &also) {
    if (also.in.isEmpty()) return true;
    const auto map = domain(isPicked, also, false);
    if (!map) return false;
    const auto simple = simplify(*map);
    if (simple.ok() && simple->isKnownEmpty()) return true;
    return simple.ok() && ++same_.proofs_ <= kMostProofs &&
           same_.isYes(isEmpty(IndexingRelation(*simple), same_.options_));
  }
  bool isWithin(bool isPicked, const Bound &bound) {
    const bool hasLower = bound.in.lower > INT64_MIN,
               hasUpper = bound.in.upper < INT64_MAX;
    return (!hasLower ||
            isNever(isPicked, {bound.form, {INT64_MIN, bound.in.lower - 1}})) &&
           (!hasUpper ||
            isNever(isPicked, {bound.form, {bound.in.upper + 1, INT64_MAX}}));
  }

  /// Whether no integer leaves its type, conditions or not.
  bool fitTypes() {
    return llvm::all_of(
        ofTypes_, [&](const Bound &each) { return isWithin(false, each); });
  }

  /// Whether the conditions hold of one summand, for each index and all values
  /// of the symbols.
  bool isOne() {
    const auto function = domain(true, std::nullopt, true);
    if (!function || (same_.proofs_ += 2) > kMostProofs ||
        !same_.isYes(isInjective(IndexingRelation(*function), same_.options_)))
      return false;
    IndexingMapBuilder some, every;
    std::vector<Expr> all, own;
    for (auto [k, each] : llvm::enumerate(bounds_)) {
      const bool isInner = k >= outer_ && k < variables_;
      all.push_back(isInner ? some.range(each) : some.dimension(each));
      own.push_back(isInner ? Expr() : every.dimension(each));
    }
    auto replace = [&](VariableId v) { return all[v.index].form(); };
    ExpressionImport import(function->expressions(), some.pool(), replace);
    for (const Constraint &c : function->constraints())
      some.constraint(some.expression(import(c.form)), c.bounds);
    auto same = [&](VariableId v) { return own[v.index].form(); };
    ExpressionImport first(region_.expressions(), every.pool(), same);
    for (const Constraint &c : region_.constraints())
      every.constraint(every.expression(first(c.form)), c.bounds);
    auto left = some.build(), right = every.build();
    return left.ok() && right.ok() &&
           same_.isYes(areEqual(IndexingRelation(*left),
                                IndexingRelation(*right), same_.options_));
  }

  /// Whether what is read is the same, where the conditions hold.
  bool isRight() {
    return llvm::all_of(
               inside_,
               [&](const Bound &each) { return isWithin(true, each); }) &&
           llvm::all_of(equal_, [&](FormId form) {
             return isWithin(true, {form, Interval::point(0)});
           });
  }

  SameElements &same_;
  ElementTable &table_;
  const IndexingMap &sum_, &region_;
  const size_t outer_;
  size_t variables_ = 0;          // of the summands
  std::vector<Interval> bounds_;  // of these, and of the symbols behind them
  std::vector<Symbol> symbols_;
  ExpressionPool pool_;
  std::vector<Bound> conditions_, ofTypes_, inside_;
  std::vector<FormId> equal_;
};

bool SameElements::isPicked(ElementId first, ElementId second,
                            const IndexingMap &region) {
  using Kind = Element::Kind;
  const Element sum = table_[second];
  const bool isSum = sum.kind == Kind::Reduced;
  if (!region.runtime().empty() || !region.ranges().empty()) return false;
  if (isSum) {
    if (lawName(sum.op) != "add" || sum.maps.size() != 1 ||
        !sum.maps[0].runtime().empty() ||
        sum.maps[0].dimensions().size() !=
            region.dimensions().size() + static_cast<size_t>(sum.number) ||
        (sum.operands.size() > 1 && !table_.isNeutral(sum.op, sum.operands[1])))
      return false;
    // x + 0 is x, but for the sign of a zero.
    if (classOf(sum.type) == kFloats &&
        !has(table_.floats(), FloatLaws::ZeroSign))
      return false;
  }
  // One that is selected always is a sum of one summand.
  const Element body = isSum ? table_[sum.operands[0]] : sum;
  if (body.kind != Kind::Apply || lawName(body.op) != "select" ||
      body.operands.size() != 3)
    return false;
  for (const bool holds : {true, false}) {
    const ElementId picked = body.operands[holds ? 1 : 2],
                    other = body.operands[holds ? 2 : 1];
    if (isSum && !table_.isNeutral(sum.op, other)) continue;
    Picking picking(*this, isSum ? sum.maps[0] : region, region);
    if (!picking.picks(body.operands[0], holds, picked, first)) continue;
    if (isSum && classOf(sum.type) == kFloats) table_.noteLaw("zero-sign");
    return true;
  }
  return false;
}

}  // namespace indexical

// Elements that hold reductions, as functions of the expressions that they have
// of the variables around them.
//
//   logistic(sum over k of x[i, k] * w[k, 16 * m + s])    F(i, 16 * m + s)
//   logistic(sum over k of x[i, k] * w[k, t])             F(i, t)
//
// with F(a, b) = logistic(sum over k of x[a, k] * w[k, b]). So they have one
// form, with (i, 16 * m + s) and (i, t) for the tuples. Whether two functions
// are the same is asked as of any two elements.
#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Kind = Element::Kind;

// What is larger is no function.
constexpr int kMostVisited = 4'000;
constexpr size_t kMostParts = 8;

/// Takes an element to a function of the parts of its indices that the first
/// variables give.
class Abstraction {
 public:
  /// `arrayOf` returns one number for arrays that are the same.
  Abstraction(ElementTable &table, llvm::ArrayRef<Interval> outer,
              llvm::function_ref<int64_t(ElementId)> arrayOf)
      : table_(table), outer_(outer), arrayOf_(arrayOf) {}

  std::optional<ElementId> of(ElementId id) {
    if (!visit(id, 0)) return std::nullopt;
    std::stable_sort(
        parts_.begin(), parts_.end(),
        [](const Part &a, const Part &b) { return a.place < b.place; });
    auto boundsOfVariable = [&](VariableId v) { return outer_[v.index]; };
    FormBounds boundsOf(builder_.pool(), boundsOfVariable);
    for (Part &part : parts_) {
      part.bounds = boundsOf(part.form);
      if (!part.bounds.isFinite()) return std::nullopt;
    }
    return rebuilt(id);
  }

  size_t parts() const { return parts_.size(); }
  Interval boundsOf(size_t part) const { return parts_[part].bounds; }
  /// Returns a part as a map of the variables.
  absl::StatusOr<IndexingMap> mapOf(size_t part) {
    IndexingMapBuilder b;
    std::vector<Expr> variables;
    for (const Interval &bounds : outer_)
      variables.push_back(b.dimension(bounds));
    auto replace = [&](VariableId v) { return variables[v.index].form(); };
    ExpressionImport import(builder_.pool(), b.pool(), replace);
    b.result(b.expression(import(parts_[part].form)));
    return b.build();
  }

 private:
  struct Part {
    FormId form;  ///< in builder_
    std::pair<int64_t, int64_t> place;
    Interval bounds;
  };
  /// What an index has of the first variables, of the others, and of values.
  struct Split {
    FormId outer, rest;
    bool isPart = false;
  };

  /// Splits the form of a map, in builder_, where variable `outer + k` is range
  /// k. Returns nothing if it is no sum of the two.
  std::optional<Split> split(const IndexingMap &map, FormId form) {
    ExpressionPool &pool = builder_.pool();
    auto with = [&](bool outer, bool rest) {
      auto replace = [&](VariableId v) -> FormId {
        const bool isOuter =
            v.kind == VariableKind::Dimension && v.index < outer_.size();
        if (isOuter ? !outer : !rest) return pool.constantForm(0);
        if (v.kind == VariableKind::Dimension && !isOuter)
          return pool.variable(
              {VariableKind::Range,
               static_cast<uint32_t>(v.index - outer_.size())});
        return pool.variable(v);
      };
      ExpressionImport import(map.expressions(), pool, replace);
      return builder_.expression(import(form));
    };
    const Expr all = with(true, true), outer = with(true, false),
               rest = with(false, true), none = with(false, false);
    if (!pool.isConstant(none.form())) return std::nullopt;
    const int64_t constant = pool.constant(none.form());
    if ((outer + rest - constant).form() != all.form()) return std::nullopt;
    Split split;
    split.isPart = !pool.isConstant(outer.form());
    split.outer = outer.form();
    split.rest = split.isPart ? (rest - constant).form() : rest.form();
    return split;
  }

  bool addPart(const IndexingMap &map, FormId form,
               std::pair<int64_t, int64_t> place) {
    const auto found = split(map, form);
    if (!found) return false;
    if (!found->isPart) return true;
    for (Part &part : parts_)
      if (part.form == found->outer) {
        part.place = std::min(part.place, place);
        return true;
      }
    parts_.push_back({found->outer, place, Interval::all()});
    return parts_.size() <= kMostParts;
  }

  bool visitMap(const IndexingMap &map, size_t inner, int64_t array) {
    if (!map.ranges().empty() ||
        map.dimensions().size() > outer_.size() + inner)
      return false;
    for (auto [r, form] : llvm::enumerate(map.results()))
      if (!addPart(map, form, {array, static_cast<int64_t>(r)})) return false;
    return llvm::all_of(map.runtime(), [&](const RuntimeVariable &v) {
      return v.source.kind == RuntimeSource::Kind::Element && v.index.empty() &&
             v.source.tensor >= 0 &&
             visit(static_cast<ElementId>(v.source.tensor), inner);
    });
  }

  /// The conditions of a region, and its bounds of the first variables where
  /// they are tighter.
  template <typename Each>
  bool eachCondition(const IndexingMap &region, Each each) {
    for (const Constraint &c : region.constraints())
      if (!each(c.form, c.bounds)) return false;
    return true;
  }
  bool isTighter(const IndexingMap &region) const {
    for (size_t v = 0; v < outer_.size(); ++v)
      if (!(region.dimensions()[v].bounds == outer_[v])) return true;
    return false;
  }

  bool visit(ElementId id, size_t inner) {
    if (!seen_.insert({id, inner}).second) return true;
    if (++visited_ > kMostVisited || StopScope::isReached()) return false;
    const Element element = table_[id];
    switch (element.kind) {
      case Kind::Literal:
        return true;
      case Kind::Read:
        return visitMap(element.maps[0], inner, arrayOf_(element.operands[0]));
      case Kind::Index:
        return visitMap(element.maps[0], inner, -1);
      case Kind::Apply:
        return llvm::all_of(element.operands, [&](ElementId operand) {
          return visit(operand, inner);
        });
      case Kind::Sum:
        for (const auto &[factors, by] : table_.asPolynomial(id).terms())
          for (ElementId factor : factors)
            if (factor == id || !visit(factor, inner)) return false;
        return true;
      case Kind::Reduced:
        for (size_t k = 0; k < element.operands.size(); ++k) {
          if (k >= element.maps.size()) {
            if (!visit(element.operands[k], inner)) return false;
            continue;
          }
          const IndexingMap &region = element.maps[k];
          if (!region.runtime().empty() || !region.ranges().empty() ||
              region.dimensions().size() !=
                  outer_.size() + inner + element.number ||
              isTighter(region))
            return false;
          if (!eachCondition(region,
                             [&](FormId form, const Interval &) {
                               return addPart(region, form, {-2, 0});
                             }) ||
              !visit(element.operands[k], inner + element.number))
            return false;
        }
        return true;
      default:
        return false;
    }
  }

  /// Returns the map with the parts in place of the first variables. `region`:
  /// its results are its variables, and its conditions stay.
  std::optional<IndexingMap> rebuiltMap(const IndexingMap &map, bool isRegion) {
    IndexingMapBuilder b;
    std::vector<Expr> parts, inner, runtime;
    for (const Part &part : parts_) parts.push_back(b.dimension(part.bounds));
    for (size_t k = outer_.size(); k < map.dimensions().size(); ++k)
      inner.push_back(b.dimension(map.dimensions()[k].bounds));
    for (const RuntimeVariable &v : map.runtime()) {
      const auto element = rebuilt(static_cast<ElementId>(v.source.tensor));
      if (!element) return std::nullopt;
      RuntimeVariable made = v;
      made.source.tensor = *element;
      runtime.push_back(b.runtime(std::move(made)));
    }
    auto replace = [&](VariableId v) {
      return v.kind == VariableKind::Range ? inner[v.index].form()
                                           : runtime[v.index].form();
    };
    auto changed = [&](FormId form) -> std::optional<Expr> {
      const auto found = split(map, form);
      if (!found) return std::nullopt;
      ExpressionImport import(builder_.pool(), b.pool(), replace);
      const Expr rest = b.expression(import(found->rest));
      if (!found->isPart) return rest;
      for (auto [k, part] : llvm::enumerate(parts_))
        if (part.form == found->outer) return parts[k] + rest;
      return std::nullopt;
    };
    if (isRegion) {
      for (const Expr &each : parts) b.result(each);
      for (const Expr &each : inner) b.result(each);
      const bool isKnown =
          eachCondition(map, [&](FormId form, const Interval &bounds) {
            const auto condition = changed(form);
            if (condition) b.constraint(*condition, bounds);
            return condition.has_value();
          });
      if (!isKnown) return std::nullopt;
    } else {
      for (FormId form : map.results()) {
        const auto index = changed(form);
        if (!index) return std::nullopt;
        b.result(*index);
      }
    }
    auto made = b.build();
    SimplifyOptions options;
    options.rename = true;
    if (made.ok()) made = simplify(*made, options);
    if (!made.ok() || made->isKnownEmpty()) return std::nullopt;
    return *std::move(made);
  }

  std::optional<ElementId> rebuilt(ElementId id) {
    if (const auto known = rebuilt_.find(id); known != rebuilt_.end())
      return known->second;
    if (StopScope::isReached()) return std::nullopt;
    const auto made = rebuild(id);
    rebuilt_[id] = made;
    return made;
  }

  std::optional<ElementId> rebuild(ElementId id) {
    const Element element = table_[id];
    if (element.kind == Kind::Literal) return id;
    if (element.kind == Kind::Read || element.kind == Kind::Index) {
      const auto map = rebuiltMap(element.maps[0], /*isRegion=*/false);
      if (!map) return std::nullopt;
      return element.kind == Kind::Index
                 ? table_.index(element.type, *map)
                 : table_.read(element.operands[0], element.type, *map);
    }
    if (element.kind == Kind::Sum) {
      Polynomial sum;
      for (const auto &[factors, by] : table_.asPolynomial(id).terms()) {
        Polynomial each(by);
        for (ElementId factor : factors) {
          const auto made = rebuilt(factor);
          if (!made) return std::nullopt;
          const auto all = product(each, table_.asPolynomial(*made));
          if (!all) return std::nullopt;
          each = *all;
        }
        if (!sum.add(each)) return std::nullopt;
      }
      return table_.sum(element.type, std::move(sum));
    }
    llvm::SmallVector<ElementId, 4> operands;
    for (ElementId operand : element.operands) {
      const auto made = rebuilt(operand);
      if (!made) return std::nullopt;
      operands.push_back(*made);
    }
    if (element.kind == Kind::Apply) return table_.apply(element.op, operands);
    std::vector<ElementTable::Piece> pieces;
    for (auto [k, map] : llvm::enumerate(element.maps)) {
      const auto region = rebuiltMap(map, /*isRegion=*/true);
      if (!region) return std::nullopt;
      pieces.push_back(
          {*region, operands[k], element.leaf != Element::kMayBeEmpty});
    }
    std::optional<ElementId> init;
    if (operands.size() > pieces.size()) init = operands.back();
    return table_.reduced(element.op, element.number, pieces, init);
  }

  ElementTable &table_;
  const llvm::ArrayRef<Interval> outer_;
  const llvm::function_ref<int64_t(ElementId)> arrayOf_;
  IndexingMapBuilder builder_;
  std::vector<Part> parts_;
  std::set<std::pair<ElementId, size_t>> seen_;
  std::map<ElementId, std::optional<ElementId>> rebuilt_;
  int visited_ = 0;
};

}  // namespace

ElementId SameElements::sameArray(ElementId array) {
  if (table_[array].kind != Kind::Computed) return array;
  // To compare two arrays may add others, and so moves the list.
  for (size_t k = 0; k < arrays_.size(); ++k) {
    const ElementId known = arrays_[k];
    if (known == array || areSame(known, array, IndexingMap())) return known;
  }
  arrays_.push_back(array);
  return array;
}

bool SameElements::addFunction(const Factor &factor, Form &form) {
  // A function is made of all elements that are nested in it.
  steps_ += kStepsOfFunction;
  if (steps_ > mostSteps()) return false;
  if (!bounds_) return false;
  std::vector<Interval> outer;
  for (uint32_t v : factor.variables) outer.push_back((*bounds_)[v]);
  auto arrayOf = [&](ElementId array) { return sameArray(array); };
  Abstraction abstraction(table_, outer, arrayOf);
  const auto function = abstraction.of(factor.element);
  if (!function) return false;
  IndexingMapBuilder b;
  for (size_t k = 0; k < abstraction.parts(); ++k) {
    b.result(b.dimension(abstraction.boundsOf(k)));
    auto map = abstraction.mapOf(k);
    if (map.ok()) map = simplify(*map);
    if (!map.ok() || map->dimensions().size() != outer.size()) return false;
    form.leaves.push_back({*std::move(map), factor.variables});
  }
  auto region = b.build();
  if (region.ok()) region = simplify(*region);
  if (!region.ok()) return false;
  // Functions are one if they are so in the whole region of their parts.
  size_t number = 0;
  for (; number < functions_.size(); ++number) {
    const auto [known, where] = functions_[number];
    if (where == *region &&
        (known == *function || areSame(known, *function, where)))
      break;
  }
  if (number == functions_.size()) functions_.push_back({*function, *region});
  form.tokens.push_back(-1);
  form.tokens.push_back(static_cast<int64_t>(number));
  return true;
}

}  // namespace indexical

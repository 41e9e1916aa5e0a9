// The rule of tuples: same_elements.h.
#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// What is larger is not compared so.
constexpr int kMostTupleDepth = 24;
constexpr int kMostTupleOrders = 24;

}  // namespace

/// The tuples of a bag: relations from the index of the result, and the same as
/// functions of all variables.
struct SameElements::Tuples {
  IndexingRelation relation;
  std::vector<IndexingMap> relations, functions;
};

int64_t SameElements::tokenOf(const Op &op) {
  for (auto [k, known] : llvm::enumerate(ops_))
    if (known == op) return static_cast<int64_t>(k);
  ops_.push_back(op);
  return static_cast<int64_t>(ops_.size()) - 1;
}

//===-- Forms -------------------------------------------------------------===//

/// Adds the parts in an order that does not depend on numbers of elements.
bool SameElements::addSorted(std::vector<Form> parts, Form &form) {
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const Form &a, const Form &b) { return a.tokens < b.tokens; });
  for (Form &part : parts) {
    form.tokens.insert(form.tokens.end(), part.tokens.begin(),
                       part.tokens.end());
    for (Form::Leaf &leaf : part.leaves) form.leaves.push_back(std::move(leaf));
  }
  return true;
}

/// Adds the element's form and its indices. Returns false if it has none.
bool SameElements::addForm(const Factor &written, Form &form, int depth) {
  using Kind = Element::Kind;
  const Factor factor{settled(written.element), written.variables};
  const Element element = table_[factor.element];
  if (depth > kMostTupleDepth || form.tokens.size() > 256 ||
      ++steps_ > mostSteps() || StopScope::isReached())
    return false;
  auto addLeaf = [&](const IndexingMap &map) {
    if (!map.runtime().empty() || !map.ranges().empty() ||
        map.dimensions().size() != factor.variables.size())
      return false;
    form.leaves.push_back({map, factor.variables});
    return true;
  };
  form.tokens.push_back(static_cast<int64_t>(element.kind));
  form.tokens.push_back(static_cast<int64_t>(element.type));
  if (!element.maps.empty() && !element.maps[0].runtime().empty())
    return addFunction(factor, form);
  switch (element.kind) {
    case Kind::Literal:
      form.tokens.push_back(factor.element);
      return true;
    case Kind::Index:
      return addLeaf(element.maps[0]);
    case Kind::Read:
      form.tokens.push_back(sameArray(element.operands[0]));
      return addLeaf(element.maps[0]);
    case Kind::Apply: {
      form.tokens.push_back(tokenOf(element.op));
      const llvm::StringRef name = lawName(element.op);
      std::vector<Form> parts;
      for (ElementId id : element.operands) {
        Form &part = parts.emplace_back();
        if (!addForm({id, factor.variables}, part, depth + 1)) return false;
      }
      if (commutes(element.op) || name == "EQ" || name == "NE")
        return addSorted(std::move(parts), form);
      for (Form &part : parts) {
        form.tokens.insert(form.tokens.end(), part.tokens.begin(),
                           part.tokens.end());
        for (Form::Leaf &leaf : part.leaves)
          form.leaves.push_back(std::move(leaf));
      }
      return true;
    }
    case Kind::Sum: {
      std::vector<Form> parts;
      for (const auto &[factors, by] :
           table_.asPolynomial(factor.element).terms()) {
        Form &part = parts.emplace_back();
        if (abs(by.num) > (int64_t{1} << 60) || by.den > (int64_t{1} << 60))
          return false;
        part.tokens.push_back(static_cast<int64_t>(by.num));
        part.tokens.push_back(static_cast<int64_t>(by.den));
        part.tokens.push_back(static_cast<int64_t>(factors.size()));
        std::vector<Form> inner;
        for (ElementId id : factors)
          if (!addForm({id, factor.variables}, inner.emplace_back(), depth + 1))
            return false;
        addSorted(std::move(inner), part);
      }
      form.tokens.push_back(static_cast<int64_t>(parts.size()));
      return addSorted(std::move(parts), form);
    }
    case Kind::Reduced:
      return addFunction(factor, form);
    default:
      return false;
  }
}

std::optional<SameElements::Form> SameElements::formOf(const Summand &summand) {
  Form form;
  std::vector<Form> parts;
  const std::vector<Interval> *around = std::exchange(bounds_, &summand.bounds);
  const bool isKnown = llvm::all_of(summand.factors, [&](const Factor &factor) {
    return addForm(factor, parts.emplace_back(), 0);
  });
  bounds_ = around;
  if (!isKnown) return std::nullopt;
  form.tokens.push_back(static_cast<int64_t>(parts.size()));
  addSorted(std::move(parts), form);
  return form;
}

//===-- Bags --------------------------------------------------------------===//

/// Returns the summands by their forms and coefficients. Variables that no
/// index and no condition has are counted.
std::optional<std::vector<SameElements::Bag>> SameElements::bagsOf(
    std::vector<Summand> summands, size_t outer, bool isIdempotent,
    int64_t width) {
  llvm::DynamicAPInt modulus(1);
  for (int64_t k = 0; k < width; ++k) modulus *= llvm::DynamicAPInt(2);
  std::vector<Bag> bags;
  for (Summand &summand : summands) {
    auto form = formOf(summand);
    if (!form) return std::nullopt;
    std::vector<bool> used(summand.bounds.size(), false);
    auto use = [&](const IndexingMap &map, llvm::ArrayRef<FormId> forms,
                   llvm::ArrayRef<uint32_t> variables) {
      map.expressions().visitVariables(forms, [&](VariableId id) {
        if (id.kind == VariableKind::Dimension)
          used[variables[id.index]] = true;
      });
    };
    for (const Form::Leaf &leaf : form->leaves)
      use(leaf.map, leaf.map.results(), leaf.variables);
    for (const Where &where : summand.where) {
      for (const Constraint &c : where.region.constraints())
        use(where.region, {c.form}, where.variables);
      for (auto [k, v] : llvm::enumerate(where.variables))
        if (!(where.region.dimensions()[k].bounds == summand.bounds[v]))
          used[v] = true;
    }
    for (size_t v = outer; v < summand.bounds.size(); ++v) {
      if (used[v]) continue;
      const Interval &bounds = summand.bounds[v];
      if (!isIdempotent)
        summand.by = summand.by * Coefficient(bounds.upper - bounds.lower + 1);
      summand.bounds[v] = Interval::point(bounds.lower);
    }
    if (width > 0)
      summand.by =
          Coefficient(mod(summand.by.num, modulus), llvm::DynamicAPInt(1));
    if (summand.by.isZero()) continue;
    auto bag = llvm::find_if(bags, [&](const Bag &known) {
      return known.tokens == form->tokens && known.by == summand.by;
    });
    if (bag == bags.end()) {
      bags.push_back({form->tokens, summand.by, {}});
      bag = bags.end() - 1;
    }
    bag->summands.push_back({*std::move(form), std::move(summand)});
  }
  return bags;
}

/// Returns the tuples of all summands. `withVariables` are numbers of reduced
/// variables, counted from the first, that are taken to the tuples behind the
/// indices.
std::optional<SameElements::Tuples> SameElements::tuplesOf(
    const Bag &bag, size_t outer, const IndexingMap &region,
    llvm::ArrayRef<size_t> withVariables) {
  Tuples tuples;
  for (const auto &[form, summand] : bag.summands)
    for (const bool isFunction : {false, true}) {
      IndexingMapBuilder b;
      std::vector<Expr> variables;
      llvm::SmallVector<size_t, 6> inner;
      for (auto [v, bounds] : llvm::enumerate(summand.bounds)) {
        const bool isOuter = v < outer;
        // A number that counts is no variable any more.
        if (!isOuter && bounds.lower == bounds.upper) {
          variables.push_back(b.constant(bounds.lower));
          continue;
        }
        if (!isOuter) inner.push_back(v);
        variables.push_back(isOuter || isFunction ? b.dimension(bounds)
                                                  : b.range(bounds));
      }
      if (isFunction)
        for (size_t v = 0; v < outer; ++v) b.result(variables[v]);
      auto import = [&](const IndexingMap &map, FormId id,
                        llvm::ArrayRef<uint32_t> own) {
        auto replace = [&](VariableId v) {
          return variables[own[v.index]].form();
        };
        ExpressionImport in(map.expressions(), b.pool(), replace);
        return b.expression(in(id));
      };
      for (const Form::Leaf &leaf : form.leaves)
        for (FormId result : leaf.map.results())
          b.result(import(leaf.map, result, leaf.variables));
      for (size_t k : withVariables) {
        if (k >= inner.size()) return std::nullopt;
        b.result(variables[inner[k]]);
      }
      auto addWhere = [&](const IndexingMap &map,
                          llvm::ArrayRef<uint32_t> own) {
        for (const Constraint &c : map.constraints())
          b.constraint(import(map, c.form, own), c.bounds);
      };
      llvm::SmallVector<uint32_t, 6> first;
      for (size_t v = 0; v < outer; ++v) first.push_back(v);
      addWhere(region, first);
      for (const Where &where : summand.where) {
        addWhere(where.region, where.variables);
        // Its bounds can be tighter than those of the summand.
        for (auto [k, v] : llvm::enumerate(where.variables))
          b.constraint(variables[v], where.region.dimensions()[k].bounds);
      }
      auto map = b.build();
      if (map.ok()) map = simplify(*map);
      if (!map.ok()) return std::nullopt;
      if (map->isKnownEmpty()) break;
      if (isFunction) {
        tuples.functions.push_back(*std::move(map));
      } else {
        tuples.relation.add(*map);
        tuples.relations.push_back(*std::move(map));
      }
    }
  return tuples;
}

/// Returns how many values the variables of all summands have together at each
/// index of the region, or nothing unless that is one number.
std::optional<int64_t> SameElements::countOfValues(const Bag &bag, size_t outer,
                                                   const IndexingMap &region) {
  int64_t all = 0;
  for (const auto &[form, summand] : bag.summands) {
    int64_t own = 1;
    for (const Where &where : summand.where) {
      if (!where.region.constraints().empty()) return std::nullopt;
      for (auto [k, v] : llvm::enumerate(where.variables)) {
        const Interval &bounds = where.region.dimensions()[k].bounds;
        const Interval &wanted =
            v < outer ? region.dimensions()[v].bounds : summand.bounds[v];
        if (v < outer ? bounds.intersect(wanted) != wanted : bounds != wanted)
          return std::nullopt;
      }
    }
    for (size_t v = outer; v < summand.bounds.size(); ++v) {
      const Interval &bounds = summand.bounds[v];
      if (!bounds.isFinite()) return std::nullopt;
      const auto size = checkedAdd(bounds.upper - bounds.lower, 1);
      const auto product = size ? checkedMul(own, *size) : std::nullopt;
      if (!product) return std::nullopt;
      own = *product;
    }
    const auto sum = checkedAdd(all, own);
    if (!sum) return std::nullopt;
    all = *sum;
  }
  return all;
}

bool SameElements::haveSameTuples(const Bag &first, const Bag &second,
                                  size_t outer, const IndexingMap &region,
                                  bool isIdempotent) {
  auto innerOf = [&](const Bag &bag) {
    size_t count = 0;
    const Summand &summand = bag.summands[0].second;
    for (size_t v = outer; v < summand.bounds.size(); ++v)
      count += summand.bounds[v].lower != summand.bounds[v].upper;
    return count;
  };
  // Whether each tuple comes from one value of the variables of one summand.
  auto areSingle = [&](const Tuples &tuples) {
    for (const IndexingMap &function : tuples.functions) {
      if (++proofs_ > kMostProofs ||
          !isYes(isInjective(IndexingRelation(function), options_)))
        return false;
    }
    for (size_t a = 0; a < tuples.relations.size(); ++a)
      for (size_t b = a + 1; b < tuples.relations.size(); ++b)
        if (++proofs_ > kMostProofs ||
            !isYes(areDisjoint(IndexingRelation(tuples.relations[a]),
                               IndexingRelation(tuples.relations[b]),
                               options_)))
          return false;
    return true;
  };
  const auto left = tuplesOf(first, outer, region, {}),
             right = tuplesOf(second, outer, region, {});
  if (!left || !right) return false;
  if (left->relations.empty() != right->relations.empty()) return false;
  if (left->relations.empty()) return true;
  if (++proofs_ > kMostProofs ||
      !isYes(areEqual(left->relation, right->relation, options_)))
    return false;
  if (isIdempotent) return true;
  // Where both have as many values of the variables for each index, tuples that
  // are single on one side are so on the other: there are as many of them.
  const auto count = countOfValues(first, outer, region);
  if (count && count == countOfValues(second, outer, region)
          ? areSingle(first.summands.size() <= second.summands.size() ? *left
                                                                      : *right)
          : areSingle(*left) && areSingle(*right))
    return true;
  // With the variables themselves, in some order.
  if (first.summands.size() != 1 || second.summands.size() != 1) return false;
  const size_t inner = innerOf(first);
  if (inner != innerOf(second) || inner > 4) return false;
  std::vector<size_t> order(inner), turned(inner);
  for (size_t k = 0; k < inner; ++k) order[k] = turned[k] = k;
  const auto own = tuplesOf(first, outer, region, order);
  if (!own) return false;
  for (int tries = 0; tries < kMostTupleOrders; ++tries) {
    const auto other = tuplesOf(second, outer, region, turned);
    if (other && ++proofs_ <= kMostProofs &&
        isYes(areEqual(own->relation, other->relation, options_)))
      return true;
    if (!std::next_permutation(turned.begin(), turned.end())) break;
  }
  return false;
}

bool SameElements::areSameBags(std::vector<Summand> first,
                               std::vector<Summand> second,
                               const IndexingMap &region, bool isIdempotent,
                               int64_t width) {
  if (!region.runtime().empty() || !region.ranges().empty()) return false;
  const size_t outer = region.dimensions().size();
  // A summand that both sides have counts on neither.
  auto areOne = [&](const Summand &a, const Summand &b) {
    return a.by == b.by && a.where.empty() && b.where.empty() &&
           a.factors.size() == b.factors.size() &&
           llvm::all_of(llvm::zip(a.factors, b.factors), [](auto both) {
             const auto &[one, other] = both;
             return one.element == other.element &&
                    one.variables == other.variables;
           });
  };
  for (size_t k = first.size(); !isIdempotent && k-- > 0;) {
    if (first[k].bounds.size() != outer) continue;
    const auto other = llvm::find_if(second, [&](const Summand &each) {
      return each.bounds.size() == outer && areOne(first[k], each);
    });
    if (other == second.end()) continue;
    second.erase(other);
    first.erase(first.begin() + static_cast<std::ptrdiff_t>(k));
  }
  // Of a set, all are compared, unless each is on both sides.
  auto isIn = [&](const std::vector<Summand> &all) {
    return [&](const Summand &one) {
      return one.bounds.size() == outer &&
             llvm::any_of(all, [&](const Summand &each) {
               return each.bounds.size() == outer && areOne(one, each);
             });
    };
  };
  if (isIdempotent && llvm::all_of(first, isIn(second)) &&
      llvm::all_of(second, isIn(first)))
    return true;
  if (first.size() > kMostSummands || second.size() > kMostSummands)
    return false;
  auto left = bagsOf(std::move(first), outer, isIdempotent, width);
  auto right = bagsOf(std::move(second), outer, isIdempotent, width);
  if (!left || !right) return false;
  auto areMatched = [&] {
    if (left->size() != right->size()) return false;
    std::vector<bool> taken(right->size(), false);
    for (const Bag &bag : *left) {
      size_t k = 0;
      while (k < right->size() && (taken[k] || (*right)[k].by != bag.by ||
                                   (*right)[k].tokens != bag.tokens))
        ++k;
      if (k == right->size() ||
          !haveSameTuples(bag, (*right)[k], outer, region, isIdempotent))
        return false;
      taken[k] = true;
    }
    return true;
  };
  if (areMatched()) return true;
  if (isIdempotent || width > 0 || !has(table_.floats(), FloatLaws::Ring))
    return false;
  // In a ring a - 2 b + b is a - b.
  bool isChanged = false;
  for (std::vector<Bag> *bags : {&*left, &*right}) {
    for (size_t a = 0; a < bags->size(); ++a)
      for (size_t b = bags->size() - 1; b > a; --b) {
        Bag &kept = (*bags)[a];
        const Bag &other = (*bags)[b];
        if (kept.tokens != other.tokens ||
            !haveSameTuples(kept, other, outer, region, isIdempotent))
          continue;
        kept.by = kept.by + other.by;
        bags->erase(bags->begin() + static_cast<std::ptrdiff_t>(b));
        isChanged = true;
      }
    llvm::erase_if(*bags, [](const Bag &bag) { return bag.by.isZero(); });
  }
  return isChanged && areMatched();
}

}  // namespace indexical

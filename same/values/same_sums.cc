// Sums and bags, opened into their summands: same_elements.h.
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/same_elements.h"

namespace indexical {
namespace {

// Larger sums are not compared. Summands that no reduction has may be more, for
// both sides drop the ones that they share before they compare the others.
constexpr int kMostOpened = 256;
constexpr size_t kMostPlain = 4'096;

bool isIdempotentOp(const Op &op) {
  const llvm::StringRef name = op.kind().name;
  return name == "maximum" || name == "minimum" || name == "and" ||
         name == "or" || reducesSetTogether(op) ||
         op.descriptor().configuration == "arith.maxnumf" ||
         op.descriptor().configuration == "arith.minnumf";
}

/// Whether the op adds floats, products of matrices among them.
bool isSumOfFloats(const Op &op, ElementType type) {
  return op && op.kind().name == "add" && classOf(type) == kFloats &&
         (lawName(op) == "add" || op.descriptor().configuration == "dot ");
}

bool isNegativeZero(const Element &element) {
  llvm::StringRef bytes = element.text;
  return element.kind == Element::Kind::Literal && bytes.consume_back("\x80") &&
         llvm::all_of(bytes, [](char byte) { return byte == 0; });
}

bool isSumOfOne(const Element &element) {
  return element.kind == Element::Kind::Reduced && element.maps.size() == 1 &&
         element.operands.size() == 1;
}

}  // namespace

/// Opens sums among the factors: a reduction over variables adds these to the
/// summand, a sum of several makes several summands. All are of one ring.
bool SameElements::expandSums(std::vector<Summand> &summands) {
  std::vector<Summand> done;
  int opened = 0;
  while (!summands.empty()) {
    Summand summand = std::move(summands.back());
    summands.pop_back();
    if (summands.size() + done.size() > kMostSummands || ++opened > kMostOpened)
      return false;
    auto at = llvm::find_if(summand.factors, [&](const Factor &factor) {
      const Element &element = table_[factor.element];
      return element.kind == Element::Kind::Sum ||
             (numberOf(table_.asPolynomial(factor.element)) &&
              element.kind == Element::Kind::Literal) ||
             (isSumOfOne(element) && element.op.kind().name == "add" &&
              lawName(element.op) == "add");
    });
    if (at == summand.factors.end()) {
      done.push_back(std::move(summand));
      continue;
    }
    const Factor factor = *at;
    summand.factors.erase(at);
    const Element &element = table_[factor.element];
    if (element.kind == Element::Kind::Reduced) {
      Where where{element.maps[0], factor.variables};
      const size_t inner = element.number;
      const auto dimensions = element.maps[0].dimensions();
      if (dimensions.size() != factor.variables.size() + inner ||
          !element.maps[0].runtime().empty())
        return false;
      for (size_t k = 0; k < inner; ++k) {
        where.variables.push_back(summand.bounds.size());
        summand.bounds.push_back(
            dimensions[factor.variables.size() + k].bounds);
      }
      summand.factors.push_back({element.operands[0], where.variables});
      summand.where.push_back(std::move(where));
      summands.push_back(std::move(summand));
      continue;
    }
    for (const auto &[factors, by] :
         table_.asPolynomial(factor.element).terms()) {
      Summand each = summand;
      each.by = each.by * by;
      for (ElementId id : factors)
        each.factors.push_back({id, factor.variables});
      summands.push_back(std::move(each));
    }
  }
  summands = std::move(done);
  return true;
}

bool SameElements::areSameSums(ElementId first, ElementId second,
                               const IndexingMap &region) {
  Polynomial sides[2] = {table_.asPolynomial(first),
                         table_.asPolynomial(second)};
  // What both have goes.
  Polynomial both;
  for (const auto &[factors, by] : sides[0].terms())
    if (sides[1].coefficient(factors) == by) (void)both.add(factors, by);
  for (Polynomial &side : sides) (void)side.add(both, -1);
  const size_t outer = region.dimensions().size();
  llvm::SmallVector<uint32_t, 6> variables;
  std::vector<Interval> bounds;
  for (size_t k = 0; k < outer; ++k) {
    variables.push_back(k);
    bounds.push_back(region.dimensions()[k].bounds);
  }
  std::vector<Summand> summands[2];
  for (int side : {0, 1}) {
    for (const auto &[factors, by] : sides[side].terms()) {
      Summand each;
      each.by = by;
      each.bounds = bounds;
      for (ElementId id : factors) each.factors.push_back({id, variables});
      summands[side].push_back(std::move(each));
    }
    if (!expandSums(summands[side])) return false;
  }
  const ElementType type = table_[first].type;
  return areSameBags(std::move(summands[0]), std::move(summands[1]), region,
                     /*isIdempotent=*/false,
                     classOf(type) == kIntegers ? bitsOf(type) : 0);
}

/// Opens reductions by the op. What begins one is added to the inits, unless
/// the op does not care how often a number is reduced. All of a tree is opened,
/// of plain sums if it is one of products.
bool SameElements::expandBag(const Op &op, Opened &bag, bool isTree) {
  std::vector<Summand> &summands = bag.summands;
  const llvm::StringRef name = op.kind().name;
  const bool isIdempotent = isIdempotentOp(op);
  const ElementType type = shapesOf(op).results[0].type;
  const bool isTogether = reducesTogether(op);
  // What is reduced together is associative, not up to rounding.
  const bool nestsAlways = isTogether || isIdempotent || isTree ||
                           (classOf(type) != kFloats && name != "add");
  const bool nests =
      nestsAlways || ((lawName(op) == name || isSumOfFloats(op, type)) &&
                      has(table_.floats(), FloatLaws::Reassociate));
  std::vector<Summand> done;
  size_t plain = 0;
  int opened = 0;
  bool isRoot = true;
  while (!summands.empty()) {
    Summand summand = std::move(summands.back());
    summands.pop_back();
    if (summand.where.empty()) {
      if (++plain > 2 * kMostPlain) return false;
    } else if (summands.size() + done.size() > kMostSummands ||
               ++opened > kMostOpened) {
      return false;
    }
    const Factor factor = summand.factors[0];
    const Element element = table_[factor.element];
    // Narrower sums round where a product of matrices does not.
    const bool isPlainSum = isTree && name == "add" && element.type == type &&
                            type == ElementType::F32 &&
                            lawName(element.op) == "add";
    // By that law sums of products are sums, too.
    const bool isSumToo = has(table_.floats(), FloatLaws::Reassociate) &&
                          isSumOfFloats(op, type) &&
                          isSumOfFloats(element.op, element.type) &&
                          element.type == type;
    const bool opens =
        (isRoot || nests) && (element.op == op || isPlainSum || isSumToo);
    bag.isReassociated |= opens && !nestsAlways &&
                          (!isRoot || element.kind == Element::Kind::Apply);
    isRoot = false;
    // Which zero a maximum of floats is depends on its order, which reductions
    // leave open, and a tree settles.
    const bool isInside = isTree || !summand.where.empty() ||
                          classOf(type) != kFloats || !isIdempotent ||
                          isAnyZero();
    const bool stays = bag.keepsBodies && !summand.where.empty();
    if (opens && element.kind == Element::Kind::Apply && nests && isInside &&
        !stays) {
      for (ElementId id : element.operands) {
        Summand each = summand;
        each.factors[0].element = id;
        summands.push_back(std::move(each));
      }
      continue;
    }
    if (!opens || element.kind != Element::Kind::Reduced) {
      // A 0 of floats changes the sign of a zero, and -0 changes nothing.
      const bool isSign = name == "add" && classOf(type) == kFloats &&
                          !isNegativeZero(table_[factor.element]);
      const bool dropsNeutral =
          isIdempotent || (!isSign && nests) || (!isSign && secondSettles_);
      if (!table_.isNeutral(op, factor.element))
        done.push_back(std::move(summand));
      else if (!dropsNeutral)
        bag.neutral.push_back(std::move(summand));
      continue;
    }
    if (element.operands.size() > element.maps.size()) {
      const ElementId init = element.operands.back();
      if (isIdempotent || nests) {
        Summand each = summand;
        each.factors[0].element = init;
        summands.push_back(std::move(each));
      } else {
        bag.inits.push_back(init);
      }
    }
    bag.isReduced = true;
    for (size_t k = 0; k < element.maps.size(); ++k) {
      const auto dimensions = element.maps[k].dimensions();
      const size_t inner = element.number;
      if (dimensions.size() != factor.variables.size() + inner ||
          !element.maps[k].runtime().empty())
        return false;
      Summand each = summand;
      Where where{element.maps[k], factor.variables};
      for (size_t v = 0; v < inner; ++v) {
        where.variables.push_back(each.bounds.size());
        each.bounds.push_back(dimensions[factor.variables.size() + v].bounds);
      }
      each.factors = {{element.operands[k], where.variables}};
      each.where.push_back(std::move(where));
      summands.push_back(std::move(each));
    }
  }
  summands = std::move(done);
  return true;
}

/// A second element that settles is taken apart as the first asks: the first
/// may have a sum of two numbers at each index, or the numbers alone.
bool SameElements::areSameBags(const Op &op, ElementId first, ElementId second,
                               const IndexingMap &region) {
  return areSameBags(op, first, second, region, /*keepsBodies=*/false) ||
         (secondSettles_ &&
          areSameBags(op, first, second, region, /*keepsBodies=*/true));
}

bool SameElements::areSameBags(const Op &op, ElementId first, ElementId second,
                               const IndexingMap &region, bool keepsBodies) {
  if (keepsOrder(op)) return false;
  const llvm::StringRef name = op.kind().name;
  const bool isIdempotent = isIdempotentOp(op);
  if (!isIdempotent && name != "add" && name != "multiply" &&
      !reducesTogether(op))
    return false;
  if (!isIdempotent && classOf(table_[first].type) == kPredicates) return false;
  const size_t outer = region.dimensions().size();
  Opened bags[2];
  for (int side : {0, 1}) {
    Summand root;
    Factor factor;
    factor.element = side ? second : first;
    for (size_t k = 0; k < outer; ++k) {
      factor.variables.push_back(k);
      root.bounds.push_back(region.dimensions()[k].bounds);
    }
    root.factors = {factor};
    bags[side].summands.push_back(root);
    const bool isTree = secondSettles_ && side == 1;
    bags[side].keepsBodies = keepsBodies;
    if (!expandBag(op, bags[side], isTree)) return false;
    if (!secondSettles_) continue;
    // What begins a reduction is one element more of it.
    for (ElementId id : std::exchange(bags[side].inits, {})) {
      if (table_.isNeutral(op, id)) continue;
      Summand each;
      each.factors = {{id, factor.variables}};
      each.bounds.assign(root.bounds.begin(), root.bounds.end());
      bags[side].summands.push_back(std::move(each));
    }
  }
  // A reduction begins with 0 or leaves that open. Else 0 changes the sign of a
  // zero.
  const bool isZeroSign = isAnyZero();
  const bool hasZeros = !bags[0].neutral.empty() || !bags[1].neutral.empty();
  const bool dropsZeros =
      isZeroSign ||
      (secondSettles_ && (bags[0].isReduced || bags[1].isReduced));
  for (Opened &bag : bags)
    if (!dropsZeros) llvm::append_range(bag.summands, bag.neutral);
  if (bags[0].inits.size() != bags[1].inits.size()) return false;
  for (auto [a, b] : llvm::zip(bags[0].inits, bags[1].inits))
    if (!areSame(a, b, region)) return false;
  const bool same =
      areSameBags(std::move(bags[0].summands), std::move(bags[1].summands),
                  region, isIdempotent, /*width=*/0);
  if (!same) return false;
  table_.noteLaw("bag");
  if (bags[0].isReassociated || bags[1].isReassociated)
    table_.noteLaw("reassociate");
  if (isZeroSign && hasZeros && !secondSettles_) table_.noteLaw("zero-sign");
  return true;
}

}  // namespace indexical

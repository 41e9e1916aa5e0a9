#include "simplifier/simplify.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexing/composition.h"
#include "simplifier/proof.h"
#include "simplifier/rearrange.h"
#include "simplifier/separable.h"
#include "simplifier/simplification.h"
#include "simplifier/workspace.h"

namespace indexical {
namespace {

bool hasStandardNames(const IndexingMap &map) {
  auto isStandard = [](const Variable &v) { return v.name.empty(); };
  return llvm::all_of(map.ranges(), isStandard) &&
         llvm::all_of(map.runtime(), isStandard);
}

absl::StatusOr<IndexingMap> simplifyByForms(const IndexingMap &map,
                                            const SimplifyOptions &options) {
  // What stays as it was given may be shorter by itself, and what was dense has
  // other forms as it is written.
  constexpr int kMostTimes = 4;
  absl::StatusOr<IndexingMap> simple = map;
  for (int i = 0; i < kMostTimes; ++i) {
    if (simple->isKnownEmpty() ||
        (simple->isCanonical() && options.foldPoints &&
         (!options.rename || hasStandardNames(*simple))))
      return simple;
    const IndexingMap before = *simple;
    MapParts parts;
    takeApart(before, parts);
    Workspace workspace;
    simple = simplifyParts(parts, options, workspace);
    if (!simple.ok() || *simple == before) break;
  }
  return simple;
}

/// Whether there is anything in it but sums of variables.
bool hasDigits(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  for (AtomId id = 0; id < table.atomCount(); ++id)
    if (table.atom(id).kind != AtomKind::Variable) return true;
  return false;
}

/// Whether the product holds where the first map does.
bool hasDomainOf(const IndexingMap &first, const IndexingMap &product) {
  auto sameBounds = [](const Variable &x, const Variable &y) {
    return x.bounds == y.bounds;
  };
  return first.constraints().size() == product.constraints().size() &&
         llvm::equal(first.dimensions(), product.dimensions(), sameBounds);
}

/// The product of the first map and the second as it is. It knows its factors
/// where it can matter: where it has digits, or, composed by numbers, a smaller
/// domain. What else has no digits says all in its form, and is nowhere better
/// looked at than as it is.
absl::StatusOr<IndexingMap> composeTwo(const IndexingMap &first,
                                       const IndexingMap &second,
                                       ResultSide side) {
  if (first.isKnownEmpty() || second.isKnownEmpty())
    return IndexingMap::knownEmpty();
  auto remembering = [&](IndexingMap product, bool matters) {
    if (!matters || side != ResultSide::First) return product;
    return composedOf(std::move(product), first, second);
  };
  Workspace workspace;
  if (auto product = separableProduct(first, second, workspace.pool())) {
    const bool matters = first.hasFactors() || !hasDomainOf(first, *product);
    return remembering(*std::move(product), matters);
  }
  if (auto product = rearrangedProduct(first, second, workspace.pool())) {
    const bool matters = hasDigits(*product);
    return remembering(*std::move(product), matters);
  }
  MapParts parts;
  if (auto status = composeParts(first, second, side, parts); !status.ok())
    return status;
  SimplifyOptions options;
  options.rename = true;
  auto product = simplifyParts(parts, options, workspace);
  if (!product.ok()) return product;
  const bool matters = hasDigits(*product);
  return remembering(*std::move(product), matters);
}

}  // namespace

absl::StatusOr<IndexingMap> simplify(const IndexingMap &map,
                                     const SimplifyOptions &options) {
  auto simple = simplifyByForms(map, options);
  // What was proven can show more.
  constexpr int kMostProofs = 4;
  for (int i = 0; options.prover && simple.ok() && i < kMostProofs; ++i) {
    auto next = proven(*simple, *options.prover);
    if (!next.ok() || *next == *simple) break;
    if (options.rewrites) explainProof(*simple, *next, *options.rewrites);
    simple = simplifyByForms(*next, options);
  }
  return simple;
}

absl::StatusOr<IndexingMap> compose(const IndexingMap &first,
                                    const IndexingMap &second,
                                    ResultSide side) {
  if (side == ResultSide::First && second.hasFactors()) {
    absl::StatusOr<IndexingMap> product = first;
    for (const IndexingMap &factor : second.factors()) {
      product = composeTwo(*product, factor, side);
      if (!product.ok()) break;
    }
    if (product.ok()) return product;  // else a form of it leaves 64 bits
  }
  return composeTwo(first, second, side);
}

absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingRelation &second,
                                         ResultSide side) {
  IndexingRelation product;
  for (const IndexingMap &a : first.pieces())
    for (const IndexingMap &b : second.pieces()) {
      auto piece = compose(a, b, side);
      if (!piece.ok()) return piece.status();
      product.add(*std::move(piece));
    }
  product.weaken(std::min(first.precision(), second.precision()));
  return product;
}

}  // namespace indexical

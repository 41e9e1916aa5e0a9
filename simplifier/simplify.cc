#include "indexical/simplifier/simplify.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/composition.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/one_value.h"
#include "indexical/simplifier/proof.h"
#include "indexical/simplifier/shortcuts/shortcuts.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/whole_map.h"
#include "indexical/simplifier/workspace.h"

namespace indexical {
namespace {

bool hasStandardNames(const IndexingMap &map) {
  auto isStandard = [](const Variable &v) { return v.name.empty(); };
  return llvm::all_of(map.ranges(), isStandard) &&
         llvm::all_of(map.runtime(), isStandard);
}

/// Whether no variable is given with exactly one value.
bool hasNoPoints(const IndexingMap &map) {
  auto isPoint = [](const Variable &v) { return v.bounds.isPoint(); };
  return llvm::none_of(map.dimensions(), isPoint) &&
         llvm::none_of(map.ranges(), isPoint) &&
         llvm::none_of(map.runtime(), isPoint);
}

/// Whether the map says of itself that it stays as it is.
bool isLeftAsItIs(const IndexingMap &map, const SimplifyOptions &options) {
  return map.isKnownEmpty() || (isSimplified(map) && options.foldPoints &&
                                (!options.rename || hasStandardNames(map)));
}

/// Simplifies the parts, and writes range variables with one value as it: each
/// step takes a range variable away.
absl::StatusOr<IndexingMap> simplifyToFunctions(MapParts &parts,
                                                const SimplifyOptions &options,
                                                Workspace &workspace) {
  // Each step simplifies the map once more. One of so many range variables is a
  // system of equations and no map of a program.
  constexpr size_t kMostRanges = 64;
  auto simple = simplifyParts(parts, options, workspace);
  while (simple.ok()) {
    Rewrite rewrite;
    const auto next =
        withoutOneValue(*simple, options.rewrites ? &rewrite : nullptr);
    if (!next) break;
    // The map is then not in normal form (N9).
    if (simple->ranges().size() > kMostRanges)
      return SimplifierMarks::unmarked(*simple);
    MapParts again;
    takeApart(*next, again);
    Workspace own;
    auto less = simplifyParts(again, options, own);
    // The map is then not in normal form (N9).
    if (!less.ok() || (!less->isKnownEmpty() &&
                       less->ranges().size() >= simple->ranges().size()))
      return SimplifierMarks::unmarked(*simple);
    if (options.rewrites) options.rewrites->push_back(std::move(rewrite));
    simple = std::move(less);
  }
  return simple;
}

absl::StatusOr<IndexingMap> simplifyByForms(const IndexingMap &map,
                                            const SimplifyOptions &options) {
  // A form that stayed as it was given may become shorter in another round, and
  // a form in a dense dimension changes when it is written as given.
  constexpr int kMostTimes = 4;
  if (options.foldPoints)
    if (auto simple = simplifiedAtOnce(map, options.rename))
      return *std::move(simple);
  absl::StatusOr<IndexingMap> simple = map;
  for (int i = 0; i < kMostTimes; ++i) {
    if (isLeftAsItIs(*simple, options) &&
        (i == 0 || !simple->expressions().haveParts()))
      return simple;
    const IndexingMap before = *simple;
    MapParts parts;
    takeApart(before, parts);
    Workspace workspace;
    simple = simplifyToFunctions(parts, options, workspace);
    if (!simple.ok() || *simple == before) break;
  }
  return simple;
}

/// Debug and fuzz builds check canonical maps against normal_form.md.
absl::StatusOr<IndexingMap> checked(absl::StatusOr<IndexingMap> map) {
#ifdef INDEXICAL_CHECK_FORMS
  if (map.ok() && isSimplified(*map))
    for (const BrokenInvariant &broken : brokenInvariants(*map)) {
      llvm::errs() << broken.invariant << " is broken by " << broken.where
                   << ":\n"
                   << map->str() << "\n";
      assert(false && "docs/internals/normal_form.md");
    }
#endif
  return map;
}

/// Whether simplification may find what the map does not say of itself. A map
/// that was read, or edited, may have the form that a product has. Composed as
/// it is, its constraints and results would be made anew, and not as the
/// product knows them.
bool mayLackMarks(const IndexingMap &map) {
  return !map.isKnownEmpty() && !isSimplified(map) &&
         map.resultBounds().empty();
}

/// Returns the stack that the maps need: each atom can be a level of an
/// expression.
template <typename... Maps>
size_t stackFor(const Maps &...maps) {
  return stackOfLevels((size_t{maps.expressions().atomCount()} + ...));
}

}  // namespace

absl::StatusOr<IndexingMap> simplify(const IndexingMap &map,
                                     const SimplifyOptions &options) {
  if (!hasStack(stackFor(map)))
    return onDeepStack([&] { return simplify(map, options); });
  const StopScope scope(options.budget.stop);
  // So are most maps of ops, and then there is nothing to do.
  if (!options.prover && isLeftAsItIs(map, options)) {
    INDEXICAL_RETURN_IF_ERROR(options.budget.check());
    return checked(map);
  }
  // Without such variables there is nothing to keep. The map gets its mark now
  // and need not be simplified again.
  if (!options.foldPoints && hasNoPoints(map)) {
    SimplifyOptions folding = options;
    folding.foldPoints = true;
    return simplify(map, folding);
  }
  auto simple = simplifyByForms(map, options);
  // A proof can make more simplifications possible, and these another proof.
  while (options.prover && simple.ok()) {
    auto next = proven(*simple, *options.prover);
    if (!next.ok() || *next == *simple) break;
    const ProofOrder before = proofOrder(*simple);
    assert(proofOrder(*next) < before);
    if (options.rewrites) explainProof(*simple, *next, *options.rewrites);
    simple = simplifyByForms(*next, options);
    if (simple.ok() && !(proofOrder(*simple) < before)) break;
  }
  INDEXICAL_RETURN_IF_ERROR(StopScope::check());
  return checked(std::move(simple));
}

absl::StatusOr<IndexingMap> compose(const IndexingMap &first,
                                    const IndexingMap &second,
                                    ResultSide side) {
  if (!hasStack(stackFor(first, second)))
    return onDeepStack([&] { return compose(first, second, side); });
  if (first.isKnownEmpty() || second.isKnownEmpty())
    return IndexingMap::knownEmpty();
  Workspace workspace;
  if (auto product = productAtOnce(first, second, workspace.pool()))
    return checked(*std::move(product));
  if (mayLackMarks(first))
    if (auto simple = simplifyByForms(first, {});
        simple.ok() && !mayLackMarks(*simple))
      return compose(*simple, second, side);
  MapParts parts;
  INDEXICAL_RETURN_IF_ERROR(composeParts(first, second, side, parts));
  SimplifyOptions options;
  options.rename = true;
  auto product = simplifyToFunctions(parts, options, workspace);
  INDEXICAL_RETURN_IF_ERROR(StopScope::check());
  return checked(std::move(product));
}

absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingRelation &second,
                                         ResultSide side,
                                         const Budget &budget) {
  const StopScope scope(budget.stop);
  IndexingRelation product;
  for (const IndexingMap &a : first.pieces())
    for (const IndexingMap &b : second.pieces()) {
      INDEXICAL_ASSIGN_OR_RETURN(auto piece, compose(a, b, side));
      INDEXICAL_RETURN_IF_ERROR(budget.check());
      product.add(std::move(piece));
    }
  product.weaken(std::min(first.precision(), second.precision()));
  return product;
}

absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingMap &second) {
  return compose(first, IndexingRelation(second));
}

absl::StatusOr<IndexingRelation> compose(const IndexingMap &first,
                                         const IndexingRelation &second) {
  return compose(IndexingRelation(first), second);
}

bool isSimplified(const IndexingMap &map) {
  return SimplifierMarks::isCanonical(map);
}

const Delinearization *delinearizationOf(const IndexingMap &map) {
  return SimplifierMarks::delinearization(map);
}

}  // namespace indexical

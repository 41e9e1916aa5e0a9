#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "indexical/command/command.h"
#include "indexical/command/maps_file.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Equal terms are stored once, but each is written: 32 maps of two terms can
// make four thousand million.
constexpr int64_t kMostTerms = 5'000'000;

/// Returns the number of written terms of the largest expression.
int64_t termsOf(const IndexingMap &map) {
  int64_t most = 0;
  for (FormId form : map.results())
    most = std::max(most, map.expressions().writtenSize(form));
  for (const Constraint &constraint : map.constraints())
    most = std::max(most, map.expressions().writtenSize(constraint.form));
  return most;
}

// Code that walks an expression calls itself for each level.
constexpr int64_t kMostLevels = 3'000;

/// Returns the number of levels of the table's deepest expression.
int64_t levelsOf(const ExpressionTable &table) {
  // The atoms that an atom consists of have smaller numbers.
  std::vector<int64_t> levels(table.atomCount(), 0);
  std::vector<int64_t> ofForms(table.formCount(), -1);
  int64_t most = 0;
  auto ofForm = [&](FormId form) {
    int64_t &known = ofForms[form];
    if (known < 0) {
      known = 0;
      for (const Term &term : table.terms(form))
        known = std::max(known, levels[term.atom]);
    }
    return known;
  };
  for (AtomId id = 0; id < table.atomCount(); ++id) {
    const Atom &atom = table.atom(id);
    if (atom.kind == AtomKind::Variable) continue;
    for (const FormId operand : atom.operands())
      levels[id] = std::max(levels[id], 1 + ofForm(operand));
    most = std::max(most, levels[id]);
  }
  return most;
}

absl::StatusOr<Maps> composeAll(const Maps &maps, StringRef text,
                                const Budget &budget) {
  IndexingMap composed = maps.front();
  for (size_t i = 1; i < maps.size(); ++i) {
    if (!budget.check().ok()) return Maps();
    absl::StatusOr<IndexingMap> result = compose(composed, maps[i]);
    if (!result.ok()) return aboutMap(result.status(), text, i, maps.size());
    composed = *std::move(result);
    if (levelsOf(composed.expressions()) > kMostLevels)
      return aboutMap(absl::InvalidArgumentError(
                          "the product up to here is nested more than " +
                          std::to_string(kMostLevels) + " levels deep"),
                      text, i, maps.size());
    if (termsOf(composed) > kMostTerms)
      return aboutMap(absl::InvalidArgumentError(
                          "the product up to here has an expression of more "
                          "than " +
                          std::to_string(kMostTerms) + " terms"),
                      text, i, maps.size());
  }
  auto simple = simplifyProving(composed, budget);
  if (!budget.check().ok()) return Maps();
  if (!simple.ok())
    return maps.size() == 1 ? aboutMap(simple.status(), text, 0, 1)
                            : simple.status();
  return Maps{*std::move(simple)};
}

}  // namespace

Command makeCompose() {
  Command compose;
  compose.name = "compose";
  compose.sentence =
      "the maps of a maps file composed left to right: the first map's results "
      "feed the second's dimensions";
  compose.example =
      "printf '%s\\n' \\\n"
      "  '(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]' \\\n"
      "  '(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]' |\n"
      "  indexical compose";
  compose.offers = mapsOffers();
  compose.run = [](Call &call) { return runOnMaps(call, composeAll); };
  return compose;
}

}  // namespace indexical

#include "indexical/answers/sparsity/keys.h"

namespace indexical {
namespace {

using Figure = int64_t Coloring::*;

void figure(const std::optional<Coloring> &of, Figure which, KeyValue &to) {
  to.integerOrNull(of ? std::optional<int64_t>((*of).*which) : std::nullopt);
}

void seeds(const std::optional<Coloring> &of, KeyValue &to) {
  to.list(of->seeds(), [](const std::vector<int64_t> &together,
                          KeyValue &each) { each.integers(together); });
}

void rowsOf(const SparsityEntry &of, KeyValue &to) {
  if (!of.places || !of.of.jacobian.pattern) return;
  const SparsePattern &pattern = *of.of.jacobian.pattern;
  std::vector<int64_t> rows;
  rows.reserve(pattern.entries());
  for (int64_t row = 0; row < pattern.rows(); ++row)
    rows.insert(rows.end(), pattern.row(row).size(), row);
  to.integers(rows);
}

}  // namespace

template <>
KeyList<SparsityEntry> keysOf<SparsityEntry>() {
  static constexpr char kNotListed[] = "the entries are too many to be listed";
  static constexpr Key<SparsityEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"computation", "string", "never", "the computation",
       [](const SparsityEntry &of, KeyValue &to) {
         to.text(of.of.computation->name);
       }},
      {"result", "integer >= 0", "never",
       "the array of the root whose elements are the rows",
       [](const SparsityEntry &of, KeyValue &to) {
         to.integer(of.of.resultNumber);
       }},
      {"result_shape", "string", "never", "its shape, without a layout",
       [](const SparsityEntry &of, KeyValue &to) {
         to.text(of.of.resultShape().str());
       }},
      {"parameter", "integer >= 0", "never",
       "the array, of all arrays of the parameters, whose elements are the "
       "columns",
       [](const SparsityEntry &of, KeyValue &to) {
         to.integer(of.of.parameterNumber);
       }},
      {"parameter_name", "string", "never", "the parameter that it is in",
       [](const SparsityEntry &of, KeyValue &to) {
         to.text(of.of.parameter->name);
       }},
      {"parameter_shape", "string", "never", "its shape, without a layout",
       [](const SparsityEntry &of, KeyValue &to) {
         to.text(of.of.parameterShape().str());
       }},
      {"rows", "integer >= 0", "never", "elements of the result",
       [](const SparsityEntry &of, KeyValue &to) {
         to.integer(of.of.jacobian.rows);
       }},
      {"columns", "integer >= 0", "never", "elements of the parameter",
       [](const SparsityEntry &of, KeyValue &to) {
         to.integer(of.of.jacobian.columns);
       }},
      {"entries", "integer or null", "never", "entries that can be non-zero",
       [](const SparsityEntry &of, KeyValue &to) {
         to.integerOrNull(of.of.jacobian.entries);
       }},
      {"density", "number or null", "never",
       "`entries`, divided by all places of the matrix",
       [](const SparsityEntry &of, KeyValue &to) {
         to.numberOrNull(of.of.jacobian.density());
       }},
      {"lower", "integer or null", "never",
       "diagonals below the main one that hold all entries there: the largest "
       "row minus column, at least 0",
       [](const SparsityEntry &of, KeyValue &to) {
         const auto &band = of.of.jacobian.band;
         to.integerOrNull(band ? std::optional<int64_t>(band->lower)
                               : std::nullopt);
       }},
      {"upper", "integer or null", "never",
       "diagonals above the main one that hold all entries there: the largest "
       "column minus row, at least 0",
       [](const SparsityEntry &of, KeyValue &to) {
         const auto &band = of.of.jacobian.band;
         to.integerOrNull(band ? std::optional<int64_t>(band->upper)
                               : std::nullopt);
       }},
      {"exact", "boolean", "never",
       "whether each of these entries is a structural non-zero; `false`: they "
       "are a cover, and all others are zero",
       [](const SparsityEntry &of, KeyValue &to) {
         to.boolean(of.of.jacobian.isExact);
       }},
      {"reason", "string", "`exact` is `true`", "why it is a cover",
       [](const SparsityEntry &of, KeyValue &to) {
         to.textIfAny(of.of.reason);
       }},
      {"block_rows", "integer >= 0", kNotListed,
       "the largest height of blocks, full or empty, of which the matrix is "
       "made",
       [](const SparsityEntry &of, KeyValue &to) {
         if (of.of.blocks) to.integer(of.of.blocks->rows);
       }},
      {"block_columns", "integer >= 0", kNotListed, "their largest width",
       [](const SparsityEntry &of, KeyValue &to) {
         if (of.of.blocks) to.integer(of.of.blocks->columns);
       }},
      {"parts", "integer >= 0", kNotListed,
       "groups of entries that share no row and no column with others",
       [](const SparsityEntry &of, KeyValue &to) { to.integer(of.of.parts); }},
      {"colors_columns", "integer or null", "never",
       "colours of the columns, where no row has entries in two columns of "
       "one colour: this many products of the Jacobian with a vector (JVPs) "
       "find all entries; `null`: no colours were found",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofColumns, &Coloring::count, to);
       }},
      {"colors_rows", "integer or null", "never",
       "colours of the rows, where no column has entries in two rows of one "
       "colour: this many products of a vector with the Jacobian (VJPs) find "
       "all entries; `null`: no colours were found",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofRows, &Coloring::count, to);
       }},
      {"greedy", "integer or null", "never",
       "colours of the columns if each gets the first that is free, from first "
       "to last",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofColumns, &Coloring::greedy, to);
       }},
      {"least", "integer or null", "never",
       "no colouring of the columns has fewer: the largest row",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofColumns, &Coloring::least, to);
       }},
      {"greedy_rows", "integer or null", "never", "as `greedy`, of the rows",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofRows, &Coloring::greedy, to);
       }},
      {"least_rows", "integer or null", "never",
       "no colouring of the rows has fewer: the largest column",
       [](const SparsityEntry &of, KeyValue &to) {
         figure(of.of.ofRows, &Coloring::least, to);
       }},
      {"seeds_columns", "list of lists of integers",
       "`--seeds` was not given, or no colours were found",
       "the columns of each colour: those whose entries are 1 in the vector",
       [](const SparsityEntry &of, KeyValue &to) {
         if (of.seeds && of.of.ofColumns) seeds(of.of.ofColumns, to);
       }},
      {"seeds_rows", "list of lists of integers",
       "`--seeds` was not given, or no colours were found",
       "the rows of each colour",
       [](const SparsityEntry &of, KeyValue &to) {
         if (of.seeds && of.of.ofRows) seeds(of.of.ofRows, to);
       }},
      {"entry_rows", "list of integers",
       "`--entries` was not given, or the entries are too many to be listed",
       "the row of each entry, row by row",
       [](const SparsityEntry &of, KeyValue &to) { rowsOf(of, to); }},
      {"entry_columns", "list of integers",
       "`--entries` was not given, or the entries are too many to be listed",
       "the column of each entry, row by row",
       [](const SparsityEntry &of, KeyValue &to) {
         if (of.places && of.of.jacobian.pattern)
           to.integers(of.of.jacobian.pattern->columns());
       }},
  };
  return {"Where is a Jacobian not zero?", kKeys};
}

std::vector<Described> sparsityTables() { return {described<SparsityEntry>()}; }

}  // namespace indexical

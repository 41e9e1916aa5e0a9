// Two ways to write one gather or scatter, and mutants of them, against runs.
//
// A gather or a scatter with batching dimensions is also written in the older
// form, its indices next to an iota; one at constant indices as slices that are
// concatenated, as a slice with strides, or as an update of a slice; one at
// indices that are given as a concatenation of dynamic slices; a scatter that
// adds as a gather, an addition and a scatter. `equal` must decide each pair,
// and what it says must be what runs of both modules by the oracle show. What
// the composed maps say of the data is held against the same runs.
//
//   INDEXICAL_SCATTERED_PAIRS=20000   so many pairs
//   INDEXICAL_SEED=n                  beginning with this one
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using absl::StrCat;

std::string shape(const char *type, llvm::ArrayRef<int64_t> sizes) {
  return StrCat(type, "[", absl::StrJoin(sizes, ","), "]");
}

/// A module, and how many of its parameters are compared by runs: not the
/// indices of a scatter, of which a run reads all that can be read.
struct Written {
  std::string text;
  int64_t data = 1;
};

struct Pair2 {
  std::string name;
  Written first, second;
};

std::string module(const std::string &body) {
  return StrCat(
      "HloModule m\n"
      "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] "
      "add(a, b) }\n"
      "put { a = f32[] parameter(0)  ROOT b = f32[] parameter(1) }\n"
      "ENTRY e {\n",
      body, "\n}\n");
}

//===-- Batching ----------------------------------------------------------===//

/// x: [batch, rows, 3]; p: [batch, count, 1], or [count, batch, 1]; slices of
/// 1 x width.
struct Batched {
  explicit Batched(Random &random)
      : batch(random.in(1, 3)),
        rows(random.in(1, 4)),
        count(random.in(1, 3)),
        width(random.in(1, 3)),
        batchDim(random.oneIn(3)),
        iotaLast(random.oneIn(2)) {}

  std::vector<int64_t> places() const {
    return batchDim == 0 ? std::vector<int64_t>{batch, count}
                         : std::vector<int64_t>{count, batch};
  }
  std::string parameters(bool hasUpdates) const {
    std::vector<int64_t> indices = places(), updates = places();
    indices.push_back(1);
    updates.push_back(width);
    std::string text =
        StrCat("x = ", shape("f32", {batch, rows, 3}), " parameter(0)\n");
    if (hasUpdates)
      text += StrCat("u = ", shape("f32", updates), " parameter(1)\n");
    return text + StrCat("p = ", shape("s32", indices), " parameter(",
                         hasUpdates ? 2 : 1, ")\n");
  }
  std::string concatenated() const {
    std::vector<int64_t> one = places(), two = places();
    one.push_back(1);
    two.push_back(2);
    return StrCat("i = ", shape("s32", one),
                  " iota(), iota_dimension=", batchDim,
                  "\nc = ", shape("s32", two), " concatenate(",
                  iotaLast ? "p, i" : "i, p", "), dimensions={2}\n");
  }
  std::string map() const { return iotaLast ? "{1,0}" : "{0,1}"; }

  Written gather(bool old) const {
    std::vector<int64_t> result = places();
    result.push_back(width);
    std::string body = parameters(false);
    if (old) body += concatenated();
    body += StrCat(
        "ROOT r = ", shape("f32", result), " gather(x, ", old ? "c" : "p",
        "), offset_dims={2}, ",
        old ? StrCat("collapsed_slice_dims={0,1}, start_index_map=", map())
            : StrCat("collapsed_slice_dims={1}, start_index_map={1}, "
                     "operand_batching_dims={0}, "
                     "start_indices_batching_dims={",
                     batchDim, "}"),
        ", index_vector_dim=2, slice_sizes={1,1,", width, "}");
    return {module(body), 2};
  }
  Written scatter(bool old) const {
    std::string body = parameters(true);
    if (old) body += concatenated();
    body += StrCat("ROOT r = ", shape("f32", {batch, rows, 3}), " scatter(x, ",
                   old ? "c" : "p", ", u), update_window_dims={2}, ",
                   old ? StrCat("inserted_window_dims={0,1}, "
                                "scatter_dims_to_operand_dims=",
                                map())
                       : StrCat("inserted_window_dims={1}, "
                                "scatter_dims_to_operand_dims={1}, "
                                "input_batching_dims={0}, "
                                "scatter_indices_batching_dims={",
                                batchDim, "}"),
                   ", index_vector_dim=2, to_apply=add");
    return {module(body), 2};
  }

  int64_t batch, rows, count, width, batchDim;
  bool iotaLast;
};

//===-- Constant indices --------------------------------------------------===//

/// x: [rows, 2], rows that are gathered or overwritten.
struct Constant {
  explicit Constant(Random &random) : rows(random.in(1, 9)) {
    const int64_t count = random.in(1, 5);
    if (random.oneIn(2)) {
      const int64_t step = random.in(-2, 2);
      for (int64_t k = 0; k < count; ++k) indices.push_back(k * step);
      const int64_t least = *std::min_element(indices.begin(), indices.end());
      for (int64_t &index : indices) index -= least;
      rows = std::max(rows, *std::max_element(indices.begin(), indices.end()) +
                                random.in(1, 3));
    } else {
      for (int64_t k = 0; k < count; ++k)
        indices.push_back(random.in(0, rows - 1));
    }
    if (random.oneIn(6)) indices[0] = random.oneIn(2) ? -2 : rows + 1;
  }

  int64_t count() const { return indices.size(); }
  std::string literal() const {
    std::vector<std::string> one;
    for (int64_t index : indices) one.push_back(StrCat("{", index, "}"));
    return StrCat("i = ", shape("s32", {count(), 1}), " constant({",
                  absl::StrJoin(one, ","), "})\n");
  }
  /// Rows of a tensor, one after another.
  static std::string concatenated(const std::vector<std::string> &parts,
                                  int64_t count) {
    return StrCat("ROOT r = ", shape("f32", {count, 2}), " concatenate(",
                  absl::StrJoin(parts, ", "), "), dimensions={0}");
  }
  static std::string row(const std::string &name, const char *of, int64_t k) {
    return StrCat(name, " = f32[1,2] slice(", of, "), slice={[", k, ":", k + 1,
                  "],[0:2]}\n");
  }

  Written gather() const {
    return {module(StrCat(
                "x = ", shape("f32", {rows, 2}), " parameter(0)\n", literal(),
                "ROOT r = ", shape("f32", {count(), 2}),
                " gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                "start_index_map={0}, index_vector_dim=1, "
                "slice_sizes={1,2}")),
            1};
  }
  Written slices() const {
    std::string body =
        StrCat("x = ", shape("f32", {rows, 2}), " parameter(0)\n");
    std::vector<std::string> parts;
    for (int64_t k = 0; k < count(); ++k) {
      parts.push_back(StrCat("t", k));
      body +=
          row(parts.back(), "x", std::clamp<int64_t>(indices[k], 0, rows - 1));
    }
    return {module(body + concatenated(parts, count())), 1};
  }
  Written scatter() const {
    return {module(StrCat(
                "x = ", shape("f32", {rows, 2}), " parameter(0)\nu = ",
                shape("f32", {count(), 2}), " parameter(1)\n", literal(),
                "ROOT r = ", shape("f32", {rows, 2}),
                " scatter(x, i, u), update_window_dims={1}, "
                "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                "index_vector_dim=1, to_apply=put")),
            2};
  }
  bool areUnique() const {
    std::vector<int64_t> sorted = indices;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  }
  /// Requires areUnique.
  Written rowsOfBoth() const {
    std::string body = StrCat("x = ", shape("f32", {rows, 2}),
                              " parameter(0)\nu = ", shape("f32", {count(), 2}),
                              " parameter(1)\n");
    std::vector<std::string> parts;
    for (int64_t k = 0; k < rows; ++k) {
      parts.push_back(StrCat("t", k));
      const auto found = std::find(indices.begin(), indices.end(), k);
      const bool isKept = found == indices.end();
      body += row(parts.back(), isKept ? "x" : "u",
                  isKept ? k : found - indices.begin());
    }
    return {module(body + concatenated(parts, rows)), 2};
  }

  int64_t rows;
  std::vector<int64_t> indices;
};

/// One slice of a window at a constant place, and the same as a
/// dynamic-update-slice.
struct OneSlice {
  explicit OneSlice(Random &random)
      : rows(random.in(1, 5)),
        columns(random.in(1, 5)),
        height(random.in(1, rows)),
        width(random.in(1, columns)),
        row(random.in(0, rows - height)),
        column(random.in(0, columns - width)) {}
  std::string parameters() const {
    return StrCat("x = ", shape("f32", {rows, columns}),
                  " parameter(0)\nu = ", shape("f32", {height, width}),
                  " parameter(1)\n");
  }
  Written scatter() const {
    return {
        module(StrCat(parameters(), "i = s32[2] constant({", row, ",", column,
                      "})\nROOT r = ", shape("f32", {rows, columns}),
                      " scatter(x, i, u), update_window_dims={0,1}, "
                      "inserted_window_dims={}, "
                      "scatter_dims_to_operand_dims={0,1}, "
                      "index_vector_dim=0, to_apply=put")),
        2};
  }
  Written update() const {
    return {module(StrCat(parameters(), "a = s32[] constant(", row,
                          ")\nb = s32[] constant(", column,
                          ")\nROOT r = ", shape("f32", {rows, columns}),
                          " dynamic-update-slice(x, u, a, b)")),
            2};
  }
  int64_t rows, columns, height, width, row, column;
};

//===-- Indices that are given --------------------------------------------===//

/// x: [rows, 2], p: [count]; slices of height x 2.
struct Given {
  explicit Given(Random &random)
      : rows(random.in(1, 6)),
        count(random.in(1, 3)),
        height(random.in(1, rows)) {}
  std::string parameters() const {
    return StrCat("x = ", shape("f32", {rows, 2}),
                  " parameter(0)\np = ", shape("s32", {count}),
                  " parameter(1)\n");
  }
  std::string result() const { return shape("f32", {count, height, 2}); }
  Written gather() const {
    return {module(StrCat(parameters(), "ROOT r = ", result(),
                          " gather(x, p), offset_dims={1,2}, "
                          "collapsed_slice_dims={}, start_index_map={0}, "
                          "index_vector_dim=1, slice_sizes={",
                          height, ",2}")),
            2};
  }
  Written slices() const {
    std::string body = parameters() + "z = s32[] constant(0)\n";
    std::vector<std::string> parts;
    for (int64_t k = 0; k < count; ++k) {
      body += StrCat("a", k, " = s32[1] slice(p), slice={[", k, ":", k + 1,
                     "]}\nb", k, " = s32[] reshape(a", k, ")\nc", k, " = ",
                     shape("f32", {height, 2}), " dynamic-slice(x, b", k,
                     ", z), dynamic_slice_sizes={", height, ",2}\nd", k, " = ",
                     shape("f32", {1, height, 2}), " reshape(c", k, ")\n");
      parts.push_back(StrCat("d", k));
    }
    return {module(StrCat(body, "ROOT r = ", result(), " concatenate(",
                          absl::StrJoin(parts, ", "), "), dimensions={0}")),
            2};
  }
  /// x[p] += u, as one scatter, and as a gather, an addition and a scatter.
  std::string updated() const {
    return StrCat("x = ", shape("f32", {rows, 2}),
                  " parameter(0)\nu = ", shape("f32", {count, height, 2}),
                  " parameter(1)\np = ", shape("s32", {count}),
                  " parameter(2)\n");
  }
  std::string scattered(const char *updates, const char *body) const {
    return StrCat("ROOT r = ", shape("f32", {rows, 2}), " scatter(x, p, ",
                  updates,
                  "), update_window_dims={1,2}, inserted_window_dims={}, "
                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                  "to_apply=",
                  body);
  }
  Written add() const { return {module(updated() + scattered("u", "add")), 2}; }
  Written gatherAndPut() const {
    return {module(StrCat(updated(), "g = ", result(),
                          " gather(x, p), offset_dims={1,2}, "
                          "collapsed_slice_dims={}, start_index_map={0}, "
                          "index_vector_dim=1, slice_sizes={",
                          height, ",2}\ns = ", result(), " add(g, u)\n",
                          scattered("s", "put"))),
            2};
  }

  int64_t rows, count, height;
};

Pair2 randomPair(Random &random) {
  switch (random.in(0, 7)) {
    case 0: {
      const Batched b(random);
      return {"gather, both forms", b.gather(false), b.gather(true)};
    }
    case 1:
    case 2: {
      const Batched b(random);
      return {"scatter, both forms", b.scatter(false), b.scatter(true)};
    }
    case 3: {
      const Constant c(random);
      return {"gather and slices", c.gather(), c.slices()};
    }
    case 4: {
      Constant c(random);
      if (c.areUnique())
        return {"scatter and rows", c.scatter(), c.rowsOfBoth()};
      return {"gather and slices", c.gather(), c.slices()};
    }
    case 5: {
      const OneSlice s(random);
      return {"scatter and update", s.scatter(), s.update()};
    }
    case 6: {
      const Given g(random);
      return {"gather and dynamic slices", g.gather(), g.slices()};
    }
    default: {
      const Given g(random);
      return {"scatter and gather, add, scatter", g.add(), g.gatherAndPut()};
    }
  }
}

/// Returns the text with one number of its attributes or literals changed, or
/// unchanged if it has no such number.
std::string mutated(const std::string &text, Random &random) {
  std::vector<size_t> places;
  for (size_t at = text.find("ENTRY"); at < text.size(); ++at) {
    if (!std::isdigit(text[at]) || std::isdigit(text[at + 1])) continue;
    const size_t line = text.rfind('\n', at) + 1;
    const llvm::StringRef before = llvm::StringRef(text).slice(line, at);
    const bool isAlone = !std::isalnum(text[at - 1]) && text[at - 1] != '-';
    const bool isNumber = isAlone && (before.contains("constant(") ||
                                      before.ends_with("iota_dimension="));
    // Which of the starts a slice has.
    if (isNumber || before.ends_with("dynamic-slice(x, b"))
      places.push_back(at);
  }
  if (places.empty()) return text;
  std::string other = text;
  char &digit = other[places[random.in(0, places.size() - 1)]];
  digit = digit == '0' ? '1' : static_cast<char>(digit - 1);
  return other;
}

std::string said(const ModuleEquality &equality) {
  std::string text;
  for (const LeafEquality &leaf : equality.leaves) {
    const auto &witness = leaf.decision.witness;
    text += StrCat("parameter ", leaf.parameter, ": answer ",
                   static_cast<int>(leaf.decision.answer), " ",
                   leaf.decision.reason, " ",
                   leaf.because ? leaf.because->reason : "");
    if (witness)
      text += StrCat(" at (", absl::StrJoin(witness->index, ", "), ") -> (",
                     absl::StrJoin(witness->element, ", "), ")");
    text += "\n";
  }
  return text;
}

/// The reads of the root, for each parameter that runs compare.
using Reads = std::vector<std::vector<Pair>>;

class Checked {
 public:
  /// Returns the parsed module, or nothing if it is refused (as a mutant may).
  static std::optional<Checked> of(const Written &written) {
    auto program = parseHlo(written.text);
    if (!program.ok()) return std::nullopt;
    return Checked(*std::move(program), written.data);
  }

  const Module &module() const { return program_.modules[0]; }

  Reads readsOfRun(uint64_t seed) const {
    Random random(seed);
    const Computation &entry = module().computations[module().entry];
    const ProgramRun run(module(), module().entry, random);
    Reads reads;
    for (int64_t k = 0; k < data_; ++k)
      reads.push_back(
          run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[k], 0}));
    return reads;
  }

  /// The composed maps as text.
  std::string maps() const {
    ProgramIndexing maps(module());
    std::string text;
    const Computation &entry = module().computations[module().entry];
    for (size_t k = 0; k < entry.parameters.size(); ++k) {
      auto relation =
          maps.computation(module().entry, LeafId(0), ParameterLeaf{k},
                           Direction::OutputToInput);
      if (!relation.ok()) continue;
      text += StrCat("  parameter ", k, ": ",
                     std::string(precisionName(relation->precision())), "\n");
      for (const IndexingMap &piece : relation->pieces())
        text += StrCat("    ", describe(piece), "\n");
    }
    return text;
  }

  /// Checks that the composed maps have the pairs that the run reads, in both
  /// directions.
  void checkMaps(uint64_t seed) const {
    Random random(seed);
    const Computation &entry = module().computations[module().entry];
    const ProgramRun run(module(), module().entry, random);
    ProgramIndexing maps(module());
    const RunWorld world(run, maps);
    for (int64_t k = 0; k < data_; ++k) {
      const auto wanted =
          run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[k], 0});
      for (Direction way :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        auto relation =
            maps.computation(module().entry, LeafId(0), ParameterLeaf{k}, way);
        ASSERT_TRUE(relation.ok()) << relation.status();
        auto pairs = pairsOf(*relation, world);
        if (way == Direction::InputToOutput) {
          for (auto &[from, to] : pairs) std::swap(from, to);
          std::sort(pairs.begin(), pairs.end());
        }
        if (relation->precision() == Precision::Exact) {
          EXPECT_EQ(difference(pairs, wanted), "") << "parameter " << k;
        } else {
          EXPECT_TRUE(std::includes(pairs.begin(), pairs.end(), wanted.begin(),
                                    wanted.end()))
              << "parameter " << k;
        }
      }
    }
  }

 private:
  Checked(Program program, int64_t data)
      : program_(std::move(program)), data_(data) {}
  Program program_;
  int64_t data_;
};

TEST(ScatteredPairsTest, AgainstRuns) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_SCATTERED_PAIRS", 2000);
  struct Count {
    int64_t equal = 0, different = 0;
  };
  std::map<std::string, Count> counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    Pair2 pair = randomPair(random);
    const bool isMutant = random.oneIn(3);
    if (isMutant) {
      std::string &text = random.oneIn(2) ? pair.first.text : pair.second.text;
      text = mutated(text, random);
    }
    SCOPED_TRACE(StrCat("INDEXICAL_SEED=", seed, "\n", pair.first.text, "\n",
                        pair.second.text));
    const auto a = Checked::of(pair.first), b = Checked::of(pair.second);
    ASSERT_TRUE((a && b) || isMutant);
    if (!a || !b) continue;
    a->checkMaps(seed);
    b->checkMaps(seed);
    auto found = compareReads(a->module(), b->module());
    ASSERT_TRUE(found.ok()) << found.status();
    // A difference that is said must show in some run.
    const uint64_t runs = found->answer == Answer::No ? 2000 : 8;
    bool isSame = true;
    for (uint64_t run = 0; run < runs && isSame; ++run)
      isSame = a->readsOfRun(run) == b->readsOfRun(run);
    EXPECT_TRUE(isSame || isMutant);
    EXPECT_EQ(found->answer, isSame ? Answer::Yes : Answer::No)
        << said(*found) << "first\n"
        << a->maps() << "second\n"
        << b->maps();
    ++(isSame ? counts[pair.name].equal : counts[pair.name].different);
    if (HasFailure()) return;
  }
  for (const auto &[name, of] : counts)
    printf("  %s: %lld equal, %lld different\n", name.c_str(),
           static_cast<long long>(of.equal),
           static_cast<long long>(of.different));
  EXPECT_EQ(counts.size(), 7u);
}

}  // namespace
}  // namespace indexical::testing

// Runs in all of their tiles: for tests of cost/tiles/runs.h.
#ifndef INDEXICAL_TESTS_COST_TILES_RUN_TILES_H
#define INDEXICAL_TESTS_COST_TILES_RUN_TILES_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/indexing/evaluation.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// Sums of products of 64-bit numbers.
using Wide = __int128;
using Values = std::set<Wide>;

/// A variable of tiles: its bounds, and what its values are multiples of.
struct TileVariable {
  VariableId id;
  int64_t lower, upper;
  FormId multipleOf;
};

/// Runs over some variables, and all tiles.
struct Tiles {
  TileForms f;
  std::vector<TileVariable> variables;
  std::vector<FormId> gates;  ///< only tiles in which they are positive
  std::map<uint32_t, int64_t> at;

  FormId add(VariableKind kind, int64_t lower, int64_t upper,
             FormId multipleOf) {
    const FormId form = f.add(kind, {lower, upper});
    variables.push_back({*f.pool.asVariable(form), lower, upper, multipleOf});
    return form;
  }
  FormId add(VariableKind kind, int64_t lower, int64_t upper) {
    return add(kind, lower, upper, f.number(1));
  }

  /// A form's value in the tile; nothing if it leaves 64 bits.
  std::optional<int64_t> known(FormId form) {
    auto valueOf = [&](VariableId id) { return at[id.key()]; };
    Evaluation evaluate(f.pool, valueOf);
    return evaluate(form);
  }
  int64_t operator()(FormId form) {
    const auto value = known(form);
    EXPECT_TRUE(value.has_value());
    return value.value_or(0);
  }

  /// Calls `visit` in every tile.
  template <typename Visit>
  void each(Visit visit, size_t k = 0) {
    if (k == variables.size()) {
      for (FormId gate : gates)
        if ((*this)(gate) < 1) return;
      visit();
      return;
    }
    const auto [id, lower, upper, multipleOf] = variables[k];
    const int64_t by = (*this)(multipleOf);
    for (int64_t value = lower; value <= upper; value += by) {
      at[id.key()] = value;
      each(visit, k + 1);
    }
  }

  /// Returns the values of all variables but the offsets: these decide the
  /// tile, up to its place.
  std::vector<int64_t> sizes() {
    std::vector<int64_t> found;
    for (const TileVariable &own : variables)
      if (own.id.kind != VariableKind::Dimension)
        found.push_back(at[own.id.key()]);
    return found;
  }

  /// The values that begin at a form.
  Values values(FormId first, FormId gap, FormId count) {
    Values found;
    const auto start = known(first), step = known(gap), times = known(count);
    if (!start || !step || !times) return found;
    for (int64_t i = 0; i < *times; ++i)
      found.insert(Wide{*start} + Wide{*step} * i);
    return found;
  }
  Values values(const Run &run, TileCuts cuts = TileCuts::Count) {
    return values(run.first, run.gap,
                  cuts == TileCuts::Count ? run.cut : run.full);
  }
  Values values(int64_t constant, llvm::ArrayRef<ScaledRun> runs,
                TileCuts cuts = TileCuts::Count) {
    Values sums = {constant};
    for (const ScaledRun &own : runs) {
      Values more;
      for (Wide value : values(own.run, cuts))
        for (Wide sum : sums) more.insert(sum + Wide{own.coefficient} * value);
      sums = std::move(more);
    }
    return sums;
  }

  /// Whether all conditions are zero in the tile. None is ever negative.
  bool hold(const TileRunConditions &conditions) {
    bool all = true;
    for (FormId zero : conditions.zeros()) {
      const auto value = known(zero);
      all &= value == 0;
      EXPECT_FALSE(hasOffsets(zero));
      EXPECT_GE(value.value_or(0), 0);
    }
    return all;
  }
  bool hasOffsets(FormId form) {
    bool has = false;
    f.pool.visitVariables(form, [&](VariableId id) {
      has |= id.kind == VariableKind::Dimension;
    });
    return has;
  }
};

inline Wide floorOf(Wide a, Wide by) { return a / by - (a % by < 0); }

inline Wide digitOf(Wide value, const RunDigit &digit) {
  const Wide quotient = floorOf(value, digit.stride);
  if (!digit.modulus) return quotient;
  return quotient - floorOf(quotient, digit.modulus) * digit.modulus;
}

inline std::string textOf(const Values &values) {
  std::string text;
  for (Wide v : values) text += std::to_string(static_cast<int64_t>(v)) + " ";
  return text;
}

/// {a; o} of `extent` values from `lower` on, in tiles of a number or of any
/// sizes.
inline Run dimension(Tiles &t, FormId size, int64_t lower, int64_t extent) {
  TileForms &f = t.f;
  const FormId offset =
      t.add(VariableKind::Dimension, 0, lower + extent - 1, size);
  Run run = Run::point(f, offset);
  run.full = run.multiple = size;
  run.most = std::min(f.bounds(size).upper, extent);
  run.mayLack = lower > 0 || run.most < extent;
  const FormId end = f.smaller(f.add(offset, size), f.number(lower + extent));
  run.first = f.larger(offset, f.number(lower));
  const FormId count = f.sub(end, run.first);
  t.gates.push_back(count);
  run.cut = f.shift(f.positive(f.shift(count, -1)), 1);
  if (lower == 0 && f.isNumber(size) && extent % f.valueOf(size) == 0) {
    run.cut = size;
    return run;
  }
  run.edges = {lower + extent};
  if (lower > 0) run.edges.push_back(lower);
  return run;
}

inline FormId randomSize(Tiles &t, Random &random, int64_t most) {
  if (random.oneIn(3)) return t.f.number(random.in(1, most));
  return t.add(VariableKind::Range, 1, most);
}

inline Run randomDimension(Tiles &t, Random &random) {
  const int64_t extent = random.in(1, 9);
  const FormId size = randomSize(t, random, extent);
  return dimension(t, size, random.oneIn(4) ? random.in(1, 3) : 0, extent);
}

/// Checks what runs.h says of a run's fields, in tiles in which the conditions
/// are zero.
inline void checkRun(Tiles &t, const Run &run,
                     const TileRunConditions &conditions) {
  if (!run.floating) {
    EXPECT_FALSE(t.hasOffsets(run.full));
  }
  std::map<std::vector<int64_t>, Values> whole;
  t.each([&] {
    if (!t.hold(conditions)) return;
    const int64_t first = t(run.first), cut = t(run.cut), full = t(run.full);
    EXPECT_GE(t(run.gap), 1);
    EXPECT_GE(cut, 1);
    if (!run.floating) {
      EXPECT_LE(cut, full);
    }
    EXPECT_LE(cut, run.most);
    const bool isNumber = t.f.isNumber(run.first);
    const bool isPoint = t.f.isNumber(run.full, 1) && t.f.isNumber(run.cut, 1);
    if (!run.mayLack && !isPoint) {
      EXPECT_LE(full, run.most);
      if (full == run.most) {
        EXPECT_EQ(cut, full);
        EXPECT_TRUE(isNumber || first == 0) << first;
        const Values values = t.values(run);
        EXPECT_EQ(whole.try_emplace(t.sizes(), values).first->second, values);
      }
    }
    if (cut == full && !isNumber && !run.floating) {
      EXPECT_EQ(first % t(run.multiple), 0);
    }
    if (cut < full && !run.hasOtherEdges) {
      EXPECT_TRUE(llvm::is_contained(run.edges, first) ||
                  llvm::is_contained(run.edges, first + cut));
    }
  });
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_TILES_RUN_TILES_H

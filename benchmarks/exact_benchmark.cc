// Times the questions of exact/, by each engine and by isl alone.
//
//   bazel run --config=release //benchmarks:exact_benchmark
//
// QUESTION/ENGINE/INPUT: `all` is what a caller gets, the others are one engine
// alone; `answered` is 0 if that engine has no answer. Inputs are maps that
// machines produce (slices, transposes, reshapes, bitcasts of rank 6) and some
// hard ones.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

struct Input {
  const char *name, *map, *same;  ///< `same`: the relation in other words
};

const Input kInputs[] = {
    {"slice",
     "(d0, d1) -> (d0 * 2 + 1, d1 + 3), domain: d0 in [0, 127], d1 in [0, 255]",
     "(d0, d1) -> (d0 + d0 + 1, d1 + 4 - 1), domain: d0 in [0, 127], d1 in [0, "
     "255]"},
    {"reduce", "(d0)[s0] -> (s0, d0), domain: d0 in [0, 1023], s0 in [0, 511]",
     "(d0)[s0] -> (511 - s0, d0), domain: d0 in [0, 1023], s0 in [0, 511]"},
    {"window",
     "(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 511], s0 in [0, 2], d0 "
     "* 2 + s0 in [1, 1024]",
     "(d0)[s0] -> (d0 * 2 - s0 + 1), domain: d0 in [0, 511], s0 in [0, 2], d0 "
     "* 2 - s0 in [-1, 1022]"},
    {"reshape",
     "(d0, d1, d2) -> ((d0 * 96 + d1 * 12 + d2) floordiv 64, (d0 * 96 + d1 * "
     "12 + d2) mod 64), domain: d0 in [0, 15], d1 in [0, 7], d2 in [0, 11]",
     "(d0, d1, d2) -> (((d0 * 8 + d1) * 12 + d2) floordiv 64, ((d0 * 8 + d1) * "
     "12 + d2) mod 64), domain: d0 in [0, 15], d1 in [0, 7], d2 in [0, 11]"},
    {"bitcast6",
     "(d0, d1, d2, d3, d4, d5) -> ((d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 "
     "* 2 + d2) floordiv 1008, ((d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * "
     "2 + d2) floordiv 48) mod 21, (d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 "
     "* 2 + d2) mod 48), domain: d0 in [0, 2], d1 in [0, 1], d2 in [0, 1], d3 "
     "in [0, 7], d4 in [0, 4], d5 in [0, 20]",
     "(d0, d1, d2, d3, d4, d5) -> ((d5 * 240 + d3 * 30 + d4 * 6 + d0 * 2 + d1) "
     "floordiv 504, ((d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * 2 + d2) mod "
     "1008) floordiv 48, (d5 * 480 + d3 * 60 + d4 * 12 + d0 * 4 + d1 * 2 + d2) "
     "mod 48), domain: d0 in [0, 2], d1 in [0, 1], d2 in [0, 1], d3 in [0, 7], "
     "d4 in [0, 4], d5 in [0, 20]"},
    {"padding",
     "(d0) -> (d0 floordiv 3), domain: d0 in [0, 299], d0 mod 3 in [0, 0]",
     "(d0) -> ((d0 + 2) floordiv 3), domain: d0 in [0, 299], (d0 + 3) mod 3 in "
     "[0, 0]"},
    {"triangle",
     "(d0, d1) -> (d0 + d1), domain: d0 in [0, 999], d1 in [0, 999], d0 - d1 "
     "in [0, 999]",
     "(d0, d1) -> (d1 + d0), domain: d0 in [0, 999], d1 in [0, 999], d1 - d0 "
     "in [-999, 0]"},
};

struct Engines {
  const char *name;
  ExactOptions options;
};

std::vector<Engines> engines() {
  ExactOptions all, closed, enumeration, isl;
  closed.enumeration = closed.isl = false;
  enumeration.closedForm = enumeration.isl = false;
  isl.closedForm = isl.enumeration = false;
  return {{"all", all},
          {"closed", closed},
          {"enumeration", enumeration},
          {"isl", isl}};
}

IndexingRelation relation(const char *text) {
  return IndexingRelation(*parseMap(text));
}

/// Times `ask`, which says whether there was an answer.
template <typename Ask>
void time(const std::string &name, Ask ask) {
  benchmark::RegisterBenchmark(name.c_str(), [ask](benchmark::State &state) {
    bool answered = true;
    for (auto _ : state) answered &= ask();
    state.counters["answered"] = answered;
  });
}

void registerAll() {
  for (const Input &input : kInputs) {
    const IndexingRelation map = relation(input.map);
    const IndexingRelation same = relation(input.same);
    const std::string of = std::string("/") + input.name;
    time("inverse/all" + of, [map] { return inverse(map).ok(); });
    for (const Engines &e : engines()) {
      const ExactOptions o = e.options;
      const std::string by = std::string("/") + e.name + of;
      time("empty" + by,
           [map, o] { return isEmpty(map, o)->answer != Answer::Undecided; });
      time("equal" + by, [map, same, o] {
        return areEqual(map, same, o)->answer != Answer::Undecided;
      });
      time("injective" + by, [map, o] {
        return isInjective(map, o)->answer != Answer::Undecided;
      });
      time("count_domain" + by, [map, o] {
        return countDomain(map.pieces()[0], {}, o)->value.has_value();
      });
      time("count_image" + by, [map, o] {
        return countImage(map.pieces()[0], {}, o)->value.has_value();
      });
    }
  }
}

}  // namespace
}  // namespace indexical

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  indexical::registerAll();
  benchmark::RunSpecifiedBenchmarks();
}

// Kernels that load what they load at: rows that a table names, pages of
// pages, experts of tokens. Random kernels are written as text and run here at
// once, with numbers in memory; each access touches what its map says where
// runtime variables have these numbers. Everything that is asked of a kernel is
// asked of them, too.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/device.h"
#include "indexical/import/triton/read.h"
#include "indexical/indexing/bounds.h"
#include "indexical/program/kernel/checks.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 59;
constexpr int64_t kPrograms = 3, kSide = 8, kSize = 3;  // kSize: the argument n

/// Returns the integer that lies there.
int64_t inMemory(int64_t argument, int64_t element) {
  const uint64_t mixed =
      static_cast<uint64_t>(element * 31 + argument * 7 + 5) * 2654435761u;
  return static_cast<int64_t>((mixed >> 13) % 40);
}

using Touched = std::set<std::pair<int64_t, int64_t>>;  // argument, element

/// A program under way: the values of names, one a lane or one for all.
struct ProgramRun {
  int64_t program = 0;
  std::map<std::string, std::vector<int64_t>> values;
  std::map<uint32_t, Touched> touched;  // by line

  int64_t at(const std::string &name, int64_t lane) const {
    const auto &all = values.at(name);
    return all.size() == 1 ? all[0] : all[lane];
  }
};
using Step = std::function<void(ProgramRun &)>;

class RandomGathers {
 public:
  explicit RandomGathers(uint32_t seed) : random_(seed) {
    put("tt.func @k(%p0: !tt.ptr<i32>, %p1: !tt.ptr<i32>, %p2: !tt.ptr<i32>, "
        "%n: i32) {");
    scalars_.push_back(define(
        "tt.get_program_id x : i32",
        [](const ProgramRun &run, int64_t) { return run.program; }, false));
    range_ = define(
        "tt.make_range {end = 8 : i32, start = 0 : i32} : " + kInts,
        [](const ProgramRun &, int64_t lane) { return lane; }, true);
    tensors_.push_back(range_);
    if (below(2)) scalars_.push_back("%n");
    if (below(4) == 0) scalars_.push_back(constant(below(4), false));
    block(3 + below(6), 0);
    put("tt.return");
    put("}");
  }

  std::string text() const { return text_; }
  ProgramRun run(int64_t program) const {
    ProgramRun run;
    run.program = program;
    run.values["%n"] = {kSize};
    for (const Step &step : steps_) step(run);
    return run;
  }

 private:
  static inline const std::string kInts = "tensor<8xi32>",
                                  kPointers = "tensor<8x!tt.ptr<i32>>";

  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % n); }
  const std::string &anyOf(const std::vector<std::string> &names) {
    // Late values are taken more often, so that loads stand in each other.
    const int64_t from = below(2) ? names.size() / 2 : 0;
    return names[from + below(names.size() - from)];
  }

  void put(const std::string &line) {
    text_ += line + "\n";
    ++lines_;
  }
  std::string define(const std::string &op,
                     std::function<int64_t(const ProgramRun &, int64_t)> value,
                     bool isTensor) {
    const std::string name = "%v" + std::to_string(names_++);
    put(name + " = " + op);
    steps_.push_back([=](ProgramRun &run) {
      std::vector<int64_t> all;
      for (int64_t lane = 0; lane < (isTensor ? kSide : 1); ++lane)
        all.push_back(value(run, lane));
      run.values[name] = std::move(all);
    });
    return name;
  }
  std::string constant(int64_t value, bool isTensor) {
    const std::string number = std::to_string(value);
    return define(
        isTensor ? "arith.constant dense<" + number + "> : " + kInts
                 : "arith.constant " + number + " : i32",
        [=](const ProgramRun &, int64_t) { return value; }, isTensor);
  }
  std::string splat(const std::string &scalar) {
    return define(
        "tt.splat " + scalar + " : i32 -> " + kInts,
        [=](const ProgramRun &run, int64_t) { return run.at(scalar, 0); },
        true);
  }
  std::string both(const char *op, const std::string &a, const std::string &b,
                   bool isTensor,
                   std::function<int64_t(int64_t, int64_t)> apply) {
    return define(
        std::string("arith.") + op + " " + a + ", " + b + " : " +
            (isTensor ? kInts : "i32"),
        [=](const ProgramRun &run, int64_t lane) {
          return apply(run.at(a, lane), run.at(b, lane));
        },
        isTensor);
  }

  void arithmetic(bool isTensor) {
    auto &pool = isTensor ? tensors_ : scalars_;
    const std::string a = anyOf(pool);
    const std::string by = constant(1 + below(6), isTensor);
    switch (below(4)) {
      case 0:
        return pool.push_back(both("addi", a, anyOf(pool), isTensor,
                                   [](int64_t x, int64_t y) { return x + y; }));
      case 1:
        return pool.push_back(both("muli", a, by, isTensor,
                                   [](int64_t x, int64_t y) { return x * y; }));
      case 2:
        return pool.push_back(both("divsi", a, by, isTensor,
                                   [](int64_t x, int64_t y) { return x / y; }));
      default:
        return pool.push_back(
            both("minsi", a, by, isTensor,
                 [](int64_t x, int64_t y) { return std::min(x, y); }));
    }
  }

  void access(bool isTensor) {
    auto &pool = isTensor ? tensors_ : scalars_;
    const std::string index = anyOf(pool);
    const int64_t argument = below(3);
    std::string base = "%p" + std::to_string(argument);
    std::string pointer = "!tt.ptr<i32>";
    const std::string number = std::to_string(names_++);
    if (isTensor) {
      put("%b" + number + " = tt.splat " + base + " : !tt.ptr<i32> -> " +
          kPointers);
      base = "%b" + number;
      pointer = kPointers;
    }
    const std::string at = "%a" + number;
    put(at + " = tt.addptr " + base + ", " + index + " : " + pointer + ", " +
        (isTensor ? kInts : "i32"));
    std::string mask, words;
    if (isTensor && below(3) == 0) {
      const std::string bound = anyOf(scalars_);
      const std::string left = range_, right = splat(bound);
      mask = define(
          "arith.cmpi slt, " + left + ", " + right + " : " + kInts,
          [=](const ProgramRun &run, int64_t lane) -> int64_t {
            return run.at(left, lane) < run.at(right, lane);
          },
          true);
      words = ", " + mask + ", " + constant(1, true);
    }
    const uint32_t line = lines_ + 1;
    pool.push_back(define(
        "tt.load " + at + words + " : " + pointer,
        [=](const ProgramRun &run, int64_t lane) {
          const bool isOn = mask.empty() || run.at(mask, lane) != 0;
          return isOn ? inMemory(argument, run.at(index, lane)) : int64_t{1};
        },
        isTensor));
    steps_.push_back([=](ProgramRun &run) {
      for (int64_t lane = 0; lane < (isTensor ? kSide : 1); ++lane)
        if (mask.empty() || run.at(mask, lane) != 0)
          run.touched[line].insert({argument, run.at(index, lane)});
    });
  }

  void loop(int depth) {
    const int64_t trips = 1 + below(3);
    const std::string low = constant(0, false), one = constant(1, false);
    const std::string high = constant(trips, false);
    const std::string counter = "%i" + std::to_string(names_++);
    put("scf.for " + counter + " = " + low + " to " + high + " step " + one +
        " : i32 {");
    std::vector<Step> outer = std::exchange(steps_, {});
    const auto scalars = scalars_, tensors = tensors_;
    scalars_.push_back(counter);
    block(2 + below(4), depth + 1);
    put("}");
    scalars_ = scalars;
    tensors_ = tensors;
    const std::vector<Step> body = std::exchange(steps_, std::move(outer));
    steps_.push_back([=](ProgramRun &run) {
      for (int64_t i = 0; i < trips; ++i) {
        run.values[counter] = {i};
        for (const Step &step : body) step(run);
      }
    });
  }

  void block(int64_t count, int depth) {
    for (int64_t k = 0; k < count; ++k) switch (below(8)) {
        case 0:
          arithmetic(false);
          break;
        case 1:
          arithmetic(true);
          break;
        case 2:
          tensors_.push_back(splat(anyOf(scalars_)));
          break;
        case 3:
          if (depth < 2) loop(depth);
          break;
        case 4:
        case 5:
          access(false);
          break;
        default:
          access(true);
      }
  }

  std::mt19937 random_;
  std::string text_, range_;
  uint32_t lines_ = 0;
  int64_t names_ = 0;
  std::vector<std::string> scalars_, tensors_;
  std::vector<Step> steps_;
};

/// Sets the values of a map's runtime variables at a point. An index may name
/// any other variable, so that there are as many rounds as variables.
void setRuntime(const IndexingMap &map, IndexingMap::Point &point) {
  const auto &variables = map.runtime();
  point.runtime.assign(variables.size(), kSize);
  auto value = [&](VariableId id) {
    return Interval::point(
        id.kind == VariableKind::Dimension ? point.dimensions[id.index]
        : id.kind == VariableKind::Range   ? point.ranges[id.index]
                                           : point.runtime[id.index]);
  };
  for (size_t round = 0; round < variables.size(); ++round)
    for (size_t k = 0; k < variables.size(); ++k)
      // An argument is a variable without an index.
      if (!variables[k].index.empty())
        point.runtime[k] = inMemory(
            variables[k].source.tensor,
            FormBounds(map.expressions(), value)(variables[k].index[0]).lower);
}

/// Adds what the map touches in one program.
void addTouched(const PointerMap &map, int64_t program, Touched &all) {
  if (map.map.isKnownEmpty()) return;
  IndexingMap::Point point;
  for (const Variable &v : map.map.dimensions())
    point.dimensions.push_back(v.bounds.lower);
  point.dimensions[0] = program;
  while (true) {
    setRuntime(map.map, point);
    if (map.map.contains(point))
      all.insert({map.argument, (*map.map.evaluate(point))[0]});
    size_t k = 1;
    for (; k < point.dimensions.size(); ++k) {
      const Interval bounds = map.map.dimensions()[k].bounds;
      if (++point.dimensions[k] <= bounds.upper) break;
      point.dimensions[k] = bounds.lower;
    }
    if (k == point.dimensions.size()) return;
  }
}

int rounds() {
  const char *given = std::getenv("INDEXICAL_GATHERS");
  return given ? std::atoi(given) : 500;
}

TEST(Gathers, TouchWhatTheirMapsSay) {
  TrafficMeter meter(*findDevice("h100"));
  ReadOptions options;
  options.grid = {kPrograms, 1, 1};
  options.warps = 1;
  int64_t compared = 0, nested = 0, without = 0;
  for (int round = 0; round < rounds(); ++round) {
    const RandomGathers made(kSeed + round);
    SCOPED_TRACE("seed " + std::to_string(kSeed + round) + "\n" + made.text());
    const auto kernel = parseKernel(made.text(), options);
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    ASSERT_FALSE(kernel->incomplete) << kernel->incomplete->reason;
    for (int64_t program = 0; program < kPrograms; ++program) {
      const ProgramRun run = made.run(program);
      for (const KernelAccess &access : kernel->accesses) {
        if (!access.reason.empty()) {
          ++without;
          continue;
        }
        Touched said;
        for (const PointerMap &map : access.maps) {
          nested += map.map.runtime().size() > 1;
          addTouched(map, program, said);
        }
        const auto found = run.touched.find(access.place.line);
        const Touched ran =
            found == run.touched.end() ? Touched() : found->second;
        ++compared;
        if (access.mask == MaskKind::Cover)
          ASSERT_TRUE(
              std::includes(said.begin(), said.end(), ran.begin(), ran.end()))
              << "program " << program << ", line " << access.place.line;
        else
          ASSERT_EQ(said, ran)
              << "program " << program << ", line " << access.place.line;
      }
    }
    const BufferSizes sizes(kernel->arguments.size(), 1000);
    for (const KernelAccess &access : kernel->accesses)
      inBounds(access, sizes, ExactOptions(Budget{1000, nullptr}));
    writtenOnce(*kernel, ExactOptions(Budget{1000, nullptr}));
    if (round % 10 == 0) measure(*kernel, sizes, meter);
  }
  printf(
      "%lld accesses compared, %lld with several variables, %lld without a "
      "map\n",
      static_cast<long long>(compared), static_cast<long long>(nested),
      static_cast<long long>(without));
  EXPECT_GT(nested, rounds());
  EXPECT_LT(without, compared / 4);
}

}  // namespace
}  // namespace indexical::kernels

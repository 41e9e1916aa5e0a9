// Integers that follow from an index, against execution.
//
// Random computations of integer arithmetic over iotas, literals and two
// parameters, in types of every width, literals at the edges of their types
// among them, are run element by element (tests/support/program_run.h). A value
// that is said to be known is that of the run, for any data.
//
//   INDEXICAL_KNOWN_VALUES=20   20 times as many computations
//   INDEXICAL_SEED=n            beginning with this one
#include "indexical/program/values/known_values.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/terms/program_terms.h"
#include "tests/support/integer_types.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int64_t kSize = 6;

/// A computation of one type, and comparisons.
std::string randomArithmetic(Random &random, const IntegerType &type,
                             int64_t ops) {
  const std::string shape =
      std::string(type.name) + "[" + std::to_string(kSize) + "] ";
  std::string text = "HloModule m\nENTRY e {\n";
  std::vector<std::string> values, truths;
  auto define = [&](const std::string &what, bool truth = false) {
    auto &list = truth ? truths : values;
    const std::string name =
        "v" + std::to_string(values.size() * 100 + truths.size());
    text += "  " + name + " = " +
            (truth ? "pred[" + std::to_string(kSize) + "] " : shape) + what +
            "\n";
    list.push_back(name);
  };
  auto any = [&] { return values[random.in(0, values.size() - 1)]; };
  define("parameter(0)");
  define("iota(), iota_dimension=0");
  for (int64_t k = 0; k < 3; ++k) {
    const std::string scalar = "c" + std::to_string(k);
    text += "  " + scalar + " = " + type.name + "[] constant(" +
            type.literals[random.in(0, type.literals.size() - 1)] + ")\n";
    define("broadcast(" + scalar + "), dimensions={}");
  }
  static const char *const kBinary[] = {"add",
                                        "subtract",
                                        "multiply",
                                        "maximum",
                                        "minimum",
                                        "divide",
                                        "remainder",
                                        "and",
                                        "shift-left",
                                        "shift-right-arithmetic",
                                        "shift-right-logical"};
  static const char *const kDirections[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  for (int64_t k = 0; k < ops; ++k) {
    switch (random.in(0, 8)) {
      case 0:
        define("compare(" + any() + ", " + any() +
                   "), direction=" + kDirections[random.in(0, 5)],
               true);
        break;
      case 1:
        if (truths.empty()) break;
        define("select(" + truths[random.in(0, truths.size() - 1)] + ", " +
               any() + ", " + any() + ")");
        break;
      case 2:
        define("clamp(" + any() + ", " + any() + ", " + any() + ")");
        break;
      case 3:
        if (random.oneIn(2))
          define((random.oneIn(2) ? "negate(" : "not(") + any() + ")");
        else
          define("reverse(" + any() + "), dimensions={0}");
        break;
      case 4: {
        // A part of a longer one, at a number that may lie outside of it.
        const std::string longer = "p" + std::to_string(k);
        text += "  " + longer + " = " + type.name + "[9] pad(" + any() +
                ", c0), padding=1_2\n";
        define("dynamic-slice(" + longer + ", c" +
               std::to_string(random.in(0, 2)) + "), dynamic_slice_sizes={6}");
        break;
      }
      case 5: {
        const std::string part = "s" + std::to_string(k);
        text += "  " + part + "a = " + type.name + "[2] slice(" + any() +
                "), slice={[1:3]}\n";
        text += "  " + part + "b = " + type.name + "[4] slice(" + any() +
                "), slice={[2:6]}\n";
        define("concatenate(" + part + "a, " + part + "b), dimensions={0}");
        break;
      }
      default:
        define(std::string(kBinary[random.in(0, 10)]) + "(" + any() + ", " +
               any() + ")");
    }
  }
  text += "  ROOT t = (";
  std::string list;
  for (size_t k = 0; k < values.size(); ++k) {
    text += (k ? ", " : "") + shape;
    list += (k ? ", " : "") + values[k];
  }
  return text + ") tuple(" + list + ")\n}\n";
}

TEST(KnownValuesTest, ArithmeticOfEveryWidth) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 2000 * fromEnvironment("INDEXICAL_KNOWN_VALUES", 1);
  int64_t asked = 0, known = 0, computed = 0, merged = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const IntegerType &type = kIntegerTypes[random.in(0, 9)];
    const std::string text = randomArithmetic(random, type, 8);
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + text);
    auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    const Computation &entry = module.computations[0];
    const ProgramRun run(module, 0, random);
    TermTable table;
    const ProgramTerms terms(module, table);
    std::map<TermId, int32_t> firstOf;
    for (int32_t i = 0; i < static_cast<int32_t>(entry.instructions.size());
         ++i) {
      const Instruction &instruction = entry.instructions[i];
      if (!instruction.shape->isArray() ||
          instruction.shape->array.elementCount() != kSize)
        continue;
      const auto &values =
          run.valuesOf({module.entry, InstructionId(i), {}, {}});
      // Leaves of one value hold the same numbers.
      auto [same, isNew] =
          firstOf.try_emplace(terms.of({InstructionId(i)}).value, i);
      merged += !isNew;
      EXPECT_EQ(
          values,
          run.valuesOf({module.entry, InstructionId(same->second), {}, {}}))
          << instruction.name.str();
      // At any index, and at one.
      for (int64_t at = -1; at < kSize; ++at) {
        IndexingMapBuilder b;
        const Interval bounds =
            at < 0 ? Interval{0, kSize - 1} : Interval::point(at);
        const Expr index = at < 0 ? b.dimension(bounds) : b.constant(at);
        auto boundsOf = [&](VariableId) { return bounds; };
        auto value =
            knownElement(module, {module.entry, InstructionId(i), {}, {}},
                         {index}, b, boundsOf);
        ++asked;
        if (!value) continue;
        ++known;
        computed += !instruction.op.isOneOf<IotaOp, BroadcastOp>();
        if (const auto constant = b.valueOf(*value)) {
          for (int64_t d = 0; d < kSize; ++d) {
            if (at >= 0 && d != at) continue;
            EXPECT_EQ(*constant, values[d]) << instruction.name.str();
          }
          continue;
        }
        b.result(*value);
        if (at >= 0) b.dimension({0, kSize - 1});
        auto map = b.build();
        ASSERT_TRUE(map.ok()) << map.status();
        for (int64_t d = std::max<int64_t>(at, 0); d < kSize; ++d) {
          auto result = map->evaluate({{d}, {}, {}});
          ASSERT_TRUE(result.has_value());
          EXPECT_EQ((*result)[0], values[d]) << instruction.name.str();
          if (at >= 0) break;
        }
      }
    }
    if (HasFailure()) return;
  }
  printf(
      "  %lld elements asked for, %lld known, %lld of them computed; %lld "
      "values merged\n",
      static_cast<long long>(asked), static_cast<long long>(known),
      static_cast<long long>(computed), static_cast<long long>(merged));
  EXPECT_GT(computed, known / 10);
  EXPECT_GT(merged, 10);
}

}  // namespace
}  // namespace indexical::testing

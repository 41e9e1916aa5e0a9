// Functions whose sizes follow from values, run at many small values.
//
//   %1 = stablehlo.dynamic_pad %x, %z, %l1, %h1, %g1 … -> tensor<?xf32>
//   %2 = stablehlo.real_dynamic_slice %1, %s2, %m2, %t2 … -> tensor<?xf32>
//   %3 = stablehlo.dynamic_reshape %2, %n3 … -> tensor<?x1xf32>
//
// Every value here is a list of places of %x, and -1 for padding, which the
// definitions of the ops move about: this runner shares nothing with the maps.
// The map of the function from its result to %x, at the same values, must read
// these places and no others. Paddings are negative too, and sizes 0.
//
//   INDEXICAL_PROGRAMS=10000   more functions
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/program_reads.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;

/// Places of %x, or -1, in row major order.
struct Places {
  Numbers sizes, from;

  int64_t at(const Numbers &index) const {
    int64_t place = 0;
    for (size_t k = 0; k < sizes.size(); ++k)
      place = place * sizes[k] + index[k];
    return from[place];
  }
};

/// A tensor of these sizes, of which `from` says the element at an index.
template <typename From>
Places made(Numbers sizes, From from) {
  Places places{std::move(sizes), {}};
  int64_t count = 1;
  for (int64_t size : places.sizes) count *= size;
  for (int64_t place = 0; place < count; ++place) {
    Numbers index(places.sizes.size());
    int64_t rest = place;
    for (size_t k = index.size(); k-- > 0;) {
      index[k] = rest % places.sizes[k];
      rest /= places.sizes[k];
    }
    places.from.push_back(from(index));
  }
  return places;
}

/// An argument: the least and most of its values, or what they must be.
struct Argument {
  std::string name;
  Numbers least, most;
  std::optional<Numbers> constant;
};

enum class Kind { Pad, Slice, Reshape, Reverse };

struct Step {
  Kind kind;
  size_t first = 0;     ///< of its arguments
  Numbers resultSizes;  ///< kDynamicSize: of no number
};

/// The values of arguments, by number; a reshape's are found while running.
using Values = std::vector<Numbers>;

std::optional<Places> padded(const Places &x, const Numbers &low,
                             const Numbers &high, const Numbers &interior) {
  Numbers sizes;
  for (size_t k = 0; k < x.sizes.size(); ++k) {
    const int64_t gaps = x.sizes[k] ? (x.sizes[k] - 1) * interior[k] : 0;
    sizes.push_back(low[k] + x.sizes[k] + gaps + high[k]);
    if (sizes.back() < 0) return std::nullopt;
  }
  return made(sizes, [&](Numbers index) -> int64_t {
    for (size_t k = 0; k < index.size(); ++k) {
      index[k] -= low[k];
      if (index[k] < 0 || index[k] % (interior[k] + 1)) return -1;
      index[k] /= interior[k] + 1;
      if (index[k] >= x.sizes[k]) return -1;
    }
    return x.at(index);
  });
}

std::optional<Places> sliced(const Places &x, const Numbers &start,
                             const Numbers &limit, const Numbers &stride) {
  Numbers sizes;
  for (size_t k = 0; k < x.sizes.size(); ++k) {
    if (start[k] < 0 || start[k] > limit[k] || limit[k] > x.sizes[k])
      return std::nullopt;
    sizes.push_back((limit[k] - start[k] + stride[k] - 1) / stride[k]);
  }
  return made(sizes, [&](Numbers index) {
    for (size_t k = 0; k < index.size(); ++k)
      index[k] = start[k] + index[k] * stride[k];
    return x.at(index);
  });
}

class Function {
 public:
  explicit Function(Random &random) : random_(random) {
    start_ = {random.in(1, 5)};
    Numbers sizes = start_;
    const int64_t count = random.in(1, 3);
    for (int64_t i = 0; i < count; ++i) add(sizes);
  }

  std::string text() const {
    std::string body, signature;
    std::string value = "%x";
    Numbers sizes = start_;
    for (auto [i, step] : llvm::enumerate(steps_)) {
      const std::string result = absl::StrCat("%r", i);
      absl::StrAppend(&body, "  ", result, " = ", written(step, value, sizes),
                      "\n");
      value = result;
      sizes = step.resultSizes;
    }
    std::string constants;
    for (const Argument &argument : arguments_) {
      const std::string type = listType(argument.least.size());
      if (argument.constant)
        absl::StrAppend(
            &constants, "  ", argument.name, " = stablehlo.constant dense<[",
            absl::StrJoin(*argument.constant, ", "), "]> : ", type, "\n");
      else
        absl::StrAppend(&signature, ", ", argument.name, ": ", type);
    }
    return absl::StrCat("func.func @f(%x: ", typeOf(start_),
                        ", %z: tensor<f32>", signature, ") -> ", typeOf(sizes),
                        " {\n", constants, body, "  return ", value, " : ",
                        typeOf(sizes), "\n}\n");
  }

  Values randomValues() {
    Values values;
    for (const Argument &argument : arguments_) {
      if (argument.constant) {
        values.push_back(*argument.constant);
        continue;
      }
      values.emplace_back();
      for (size_t k = 0; k < argument.least.size(); ++k)
        values.back().push_back(
            random_.in(argument.least[k], argument.most[k]));
    }
    return values;
  }

  /// Returns the places that each op computes, `%r0` first, or nothing if an op
  /// is not valid.
  std::optional<std::vector<Places>> run(Values &values) const {
    std::vector<Places> all;
    std::optional<Places> places =
        made(start_, [](const Numbers &index) { return index[0]; });
    for (const Step &step : steps_) {
      auto argument = [&](size_t k) -> Numbers & {
        return values[step.first + k];
      };
      switch (step.kind) {
        case Kind::Pad:
          places = padded(*places, argument(0), argument(1), argument(2));
          break;
        case Kind::Slice:
          places = sliced(*places, argument(0), argument(1), argument(2));
          break;
        case Kind::Reshape: {
          const int64_t count = places->from.size();
          const int64_t last =
              step.resultSizes.size() == 2 ? step.resultSizes[1] : 1;
          if (count % last) return std::nullopt;
          argument(0) = {count / last};
          if (step.resultSizes.size() == 2) argument(0).push_back(last);
          places->sizes = argument(0);
          break;
        }
        case Kind::Reverse: {
          const Places before = *places;
          places = made(before.sizes, [&](Numbers index) {
            index[0] = before.sizes[0] - 1 - index[0];
            return before.at(index);
          });
          break;
        }
      }
      if (!places) return std::nullopt;
      all.push_back(*places);
    }
    return all;
  }

  const Numbers &start() const { return start_; }
  /// The numbers of the arguments that are parameters, in order.
  std::vector<size_t> parameters() const {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (!arguments_[i].constant) numbers.push_back(i);
    return numbers;
  }

 private:
  static std::string typeOf(const Numbers &sizes) {
    std::string type = "tensor<";
    for (int64_t size : sizes)
      absl::StrAppend(&type, size == kDynamicSize ? "?" : absl::StrCat(size),
                      "x");
    return type + "f32>";
  }
  static std::string listType(size_t count) {
    return absl::StrCat("tensor<", count, "xi32>");
  }

  void argument(const char *letter, const Numbers &sizes, int64_t least,
                int64_t most) {
    Argument made;
    made.name = absl::StrCat("%", letter, arguments_.size());
    made.least.assign(sizes.size(), least);
    made.most.assign(sizes.size(), most);
    if (random_.oneIn(3)) {
      made.constant.emplace();
      for (size_t k = 0; k < sizes.size(); ++k)
        made.constant->push_back(random_.in(least, most));
    }
    arguments_.push_back(std::move(made));
  }

  void add(Numbers &sizes) {
    Step step{static_cast<Kind>(random_.in(0, 3)), arguments_.size(), {}};
    step.resultSizes.assign(sizes.size(), kDynamicSize);
    switch (step.kind) {
      case Kind::Pad:
        argument("l", sizes, -2, 2);
        argument("h", sizes, -2, 2);
        argument("g", sizes, 0, 1);
        break;
      case Kind::Slice:
        argument("s", sizes, 0, 2);
        argument("m", sizes, 0, 5);
        argument("t", sizes, 1, 2);
        break;
      case Kind::Reshape:
        if (sizes.size() == 1)
          step.resultSizes.push_back(random_.in(1, 2));
        else
          step.resultSizes.pop_back();
        arguments_.push_back({absl::StrCat("%n", arguments_.size()),
                              Numbers(step.resultSizes.size()),
                              Numbers(step.resultSizes.size()), std::nullopt});
        break;
      case Kind::Reverse:
        step.resultSizes = sizes;
        break;
    }
    sizes = step.resultSizes;
    steps_.push_back(std::move(step));
  }

  std::string written(const Step &step, const std::string &value,
                      const Numbers &sizes) const {
    auto name = [&](size_t k) { return arguments_[step.first + k].name; };
    const std::string operand = typeOf(sizes);
    const std::string list = listType(sizes.size());
    const std::string result = typeOf(step.resultSizes);
    switch (step.kind) {
      case Kind::Pad:
        return absl::StrCat("stablehlo.dynamic_pad ", value, ", %z, ", name(0),
                            ", ", name(1), ", ", name(2), " : (", operand,
                            ", tensor<f32>, ", list, ", ", list, ", ", list,
                            ") -> ", result);
      case Kind::Slice:
        return absl::StrCat("stablehlo.real_dynamic_slice ", value, ", ",
                            name(0), ", ", name(1), ", ", name(2), " : (",
                            operand, ", ", list, ", ", list, ", ", list,
                            ") -> ", result);
      case Kind::Reshape:
        return absl::StrCat("stablehlo.dynamic_reshape ", value, ", ", name(0),
                            " : (", operand, ", ",
                            listType(step.resultSizes.size()), ") -> ", result);
      case Kind::Reverse:
        return absl::StrCat("stablehlo.reverse ", value,
                            ", dims = [0] : ", operand);
    }
    return "";
  }

  Random &random_;
  Numbers start_;
  std::vector<Argument> arguments_;
  std::vector<Step> steps_;
};

/// One function's maps, at values.
class Comparison {
 public:
  Comparison(const Function &function, const Module &module)
      : function_(function), module_(module), maps_(module) {}

  /// Returns what is wrong, or "" if nothing is.
  std::string check(const Values &values, const std::vector<Places> &all) {
    const Places &result = all.back();
    auto relation =
        maps_.computation(module_.entry, LeafId(0), ParameterLeaf{0}, kReads);
    if (!relation.ok()) return relation.status().ToString();
    auto found = pointsAt(*relation, values, all);
    if (!found.ok())
      return absl::StrCat(found.status().ToString(), "\n", textOf(*relation));
    std::vector<PointPair> expected;
    for (auto [place, from] : llvm::enumerate(result.from))
      if (from >= 0) expected.push_back({static_cast<int64_t>(place), from});
    isExact = relation->precision() == Precision::Exact;
    const bool good =
        isExact ? found->pairs == expected
                : std::includes(found->pairs.begin(), found->pairs.end(),
                                expected.begin(), expected.end());
    if (good) return "";
    return absl::StrCat(found->pairs.size(), " pairs, not ", expected.size(),
                        "\n", textOf(*relation));
  }

  bool isExact = false;

 private:
  absl::StatusOr<RelationPoints> pointsAt(const IndexingRelation &relation,
                                          const Values &values,
                                          const std::vector<Places> &all) {
    const Computation &entry = module_.computations[module_.entry];
    const auto parameters = function_.parameters();
    std::vector<ArrayShape> shapes;
    OperandValues tensors;
    for (const IndexingMap &piece : relation.pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        const size_t tensor = variable.source.tensor;
        if (shapes.size() <= tensor) {
          shapes.resize(tensor + 1);
          tensors.resize(tensor + 1);
        }
        const Instruction &source =
            entry.instructions[maps_.value(tensor).instruction];
        if (source.parameterNumber < 0) {  // the size of a result
          const int64_t step = std::stoll(source.name.str().substr(1));
          shapes[tensor] = ArrayShape(ElementType::F32, all[step].sizes);
          continue;
        }
        if (source.parameterNumber < 2)
          return absl::InternalError("a source is no list of numbers");
        shapes[tensor] = shapesOf(source.op).results[0];
        tensors[tensor] = values[parameters[source.parameterNumber - 2]];
      }
    return pointsWithin(relation, all.back().sizes, function_.start(),
                        {shapes, tensors, /*mostOfRange=*/50, /*strict=*/true});
  }

  const Function &function_;
  const Module &module_;
  ProgramIndexing maps_;
};

int64_t functions() {
  const char *text = std::getenv("INDEXICAL_PROGRAMS");
  return text ? std::strtoll(text, nullptr, 10) : 300;
}

TEST(DynamicFunctionsTest, MapsAtValuesReadWhatTheValuesMove) {
  int64_t exact = 0, cover = 0, invalid = 0, refused = 0, failures = 0;
  for (int64_t seed = 1; seed <= functions() && failures < 3; ++seed) {
    Random random(seed);
    Function function(random);
    auto program = importMlir(function.text());
    if (!program.ok()) {
      // No values may make it valid then.
      ++refused;
      for (int i = 0; i < 40; ++i) {
        Values values = function.randomValues();
        ASSERT_FALSE(function.run(values)) << program.status() << "\n"
                                           << function.text();
      }
      continue;
    }
    Comparison comparison(function, program->modules[0]);
    for (int i = 0; i < 40; ++i) {
      Values values = function.randomValues();
      const auto results = function.run(values);
      if (!results) {
        ++invalid;
        continue;
      }
      const std::string problem = comparison.check(values, *results);
      ++(comparison.isExact ? exact : cover);
      if (problem.empty()) continue;
      ++failures;
      std::string given;
      for (const Numbers &list : values)
        absl::StrAppend(&given, " [", absl::StrJoin(list, ", "), "]");
      ADD_FAILURE() << "seed " << seed << ", values" << given << ": " << problem
                    << "\n"
                    << function.text();
      break;
    }
  }
  std::cout << exact << " exact, " << cover << " covers, " << invalid
            << " runs that are not valid, " << refused
            << " functions refused\n";
  EXPECT_GT(exact, 0);
}

}  // namespace
}  // namespace indexical::testing

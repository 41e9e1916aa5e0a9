// Random programs of dynamic StableHLO ops, against the same programs of known
// sizes: the maps of the dynamic one, at these sizes, are those of the other.
//
//   %r = chlo.broadcast_add %p, %q : (tensor<?xf32>, tensor<?xf32>) -> …
//   at 1 and 3:                      (tensor<1xf32>, tensor<3xf32>) -> …
//
// Starts, limits, strides and paddings are arguments, constants, or computed
// from sizes. A size of an argument may be 1 if another op expands it.
//
//   INDEXICAL_PROGRAMS=10000   more programs
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/import/stablehlo/integer_values.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// No tensor of a program has a larger size.
constexpr int64_t kMostOfRange = 12;
/// A map of more points is left out.
constexpr int64_t kMostPoints = 200'000;

/// The numbers that differ from run to run, one for each question.
class Run {
 public:
  explicit Run(int64_t seed) : seed_(seed) {}
  /// Returns a number in [low, high], the same each time for one question.
  int64_t in(int64_t question, int64_t low, int64_t high) const {
    Random random(seed_ * 7919 + question);
    return random.in(low, high);
  }

 private:
  int64_t seed_;
};

/// A size, by its number; a vector of integers.
using SizeId = int;
using SizeIds = std::vector<SizeId>;
using ValueOf = std::function<int64_t(const Run &)>;
using Vector = std::vector<ValueOf>;

struct Array {
  std::string name;
  SizeIds sizes;
};

/// A program with `@3;` for the size of number 3.
class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {
    for (int i = 0; i < 3; ++i) {
      const int64_t question = ask();
      sizes_.push_back(
          [question](const Run &run) { return run.in(question, 1, 3); });
    }
    one_ = addSize([](const Run &) { return 1; });
    SizeIds sizes;
    for (int64_t k = random.in(1, 3); k > 0; --k)
      sizes.push_back(random.in(0, 2));
    arrays_.push_back(parameter(sizes));
    for (int64_t i = random.in(1, 4); i > 0; --i) addOp();
  }

  std::string text(const Run *run) const {
    const Array &root = arrays_.back();
    return written(
        absl::StrCat("func.func @main(", absl::StrJoin(parameters_, ", "),
                     ") -> ", type(root.sizes), " {\n", body_, "return ",
                     root.name, " : ", type(root.sizes), "\n}\n"),
        run);
  }
  /// Returns the elements of each parameter, if they are integers.
  std::vector<IntegerValues::Values> arguments(const Run &run) const {
    std::vector<IntegerValues::Values> all;
    for (const Vector &vector : values_) {
      all.emplace_back();
      for (const ValueOf &value : vector) all.back().push_back(value(run));
    }
    return all;
  }

 private:
  int64_t ask() { return questions_++; }
  SizeId addSize(ValueOf size) {
    sizes_.push_back(std::move(size));
    return sizes_.size() - 1;
  }
  ValueOf sizeOf(SizeId id) const { return sizes_[id]; }

  /// Returns the text with a number for each `@n;`. Without a run it is `?`,
  /// unless the number is 1.
  std::string written(const std::string &text, const Run *run) const {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '@' || !isdigit(text[i + 1])) {
        out += text[i];
        continue;
      }
      const size_t end = text.find(';', i);
      const SizeId id = std::stoi(text.substr(i + 1, end - i - 1));
      out += id == one_ ? "1" : run ? std::to_string(sizes_[id](*run)) : "?";
      i = end;
    }
    return out;
  }

  static std::string type(const SizeIds &sizes) {
    std::string text = "tensor<";
    for (SizeId id : sizes) absl::StrAppend(&text, "@", id, ";x");
    return text + "f32>";
  }
  static std::string listType(size_t count) {
    return absl::StrCat("tensor<", count, "xi32>");
  }

  Array parameter(const SizeIds &sizes) {
    const std::string name = absl::StrCat("%p", parameters_.size());
    parameters_.push_back(name + ": " + type(sizes));
    values_.emplace_back();
    return {name, sizes};
  }
  std::string line(const std::string &op) {
    const std::string name = absl::StrCat("%x", lines_++);
    absl::StrAppend(&body_, name, " = ", op, "\n");
    return name;
  }
  void add(const SizeIds &sizes, const std::string &op) {
    arrays_.push_back({line(op + " -> " + type(sizes)), sizes});
  }

  // Vectors of integers.
  std::string given(const Vector &vector) {
    const std::string name = absl::StrCat("%p", parameters_.size());
    parameters_.push_back(name + ": " + listType(vector.size()));
    values_.push_back(vector);
    return name;
  }
  std::string constant(const std::vector<int64_t> &values) {
    return line(absl::StrCat("stablehlo.constant dense<[",
                             absl::StrJoin(values, ", "),
                             "]> : ", listType(values.size())));
  }
  /// Numbers that stand in another order, or in parts, in the constants that
  /// they are computed from.
  std::string followed(std::vector<int64_t> values) {
    const std::string list = listType(values.size());
    switch (random_.in(0, 3)) {
      case 0:
        return constant(values);
      case 1:
        std::reverse(values.begin(), values.end());
        return line("stablehlo.reverse " + constant(values) +
                    ", dims = [0] : " + list);
      case 2: {
        std::vector<int64_t> spread;
        for (int64_t value : values) spread.insert(spread.end(), {value, 9});
        return line(absl::StrCat("stablehlo.slice ", constant(spread),
                                 " [0:", spread.size(), ":2] : (",
                                 listType(spread.size()), ") -> ", list));
      }
      default: {
        std::vector<std::string> names, types;
        for (int64_t value : values) {
          names.push_back(constant({value}));
          types.push_back(listType(1));
        }
        return line(absl::StrCat("stablehlo.concatenate ",
                                 absl::StrJoin(names, ", "), ", dim = 0 : (",
                                 absl::StrJoin(types, ", "), ") -> ", list));
      }
    }
  }
  /// The list of an array's sizes, computed.
  std::string sizesOf(const Array &a) {
    std::vector<std::string> names;
    for (size_t k = 0; k < a.sizes.size(); ++k) {
      const std::string size = line(
          absl::StrCat("stablehlo.get_dimension_size ", a.name, ", dim = ", k,
                       " : (", type(a.sizes), ") -> tensor<i32>"));
      names.push_back(line("stablehlo.reshape " + size +
                           " : (tensor<i32>) -> tensor<1xi32>"));
    }
    return line(absl::StrCat(
        "stablehlo.concatenate ", absl::StrJoin(names, ", "), ", dim = 0 : (",
        absl::StrJoin(std::vector<std::string>(names.size(), "tensor<1xi32>"),
                      ", "),
        ") -> ", listType(names.size())));
  }

  /// A size that is 1 in some runs, and else that one.
  SizeId maybeOne(SizeId of) {
    const int64_t question = ask();
    return addSize([question, size = sizeOf(of)](const Run &run) {
      return run.in(question, 0, 1) ? size(run) : 1;
    });
  }
  SizeIds maybeOnes(const SizeIds &sizes) {
    SizeIds some;
    for (SizeId id : sizes)
      some.push_back(random_.oneIn(2)   ? maybeOne(id)
                     : random_.oneIn(3) ? one_
                                        : id);
    return some;
  }

  void addOp() {
    const Array a = random_.oneIn(3)
                        ? arrays_[random_.in(0, arrays_.size() - 1)]
                        : arrays_.back();
    switch (random_.in(0, 6)) {
      case 0:
        return broadcast(a);
      case 1:
        return broadcastTwo();
      case 2:
        return slice(a);
      case 3:
        return broadcastInDim(a);
      case 4:
        return pad(a);
      case 5:
        return add(a.sizes,
                   "stablehlo.negate " + a.name + " : (" + type(a.sizes) + ")");
      default: {
        std::vector<int64_t> order;
        SizeIds sizes;
        for (size_t k = 0; k < a.sizes.size(); ++k)
          order.insert(order.begin() + random_.in(0, order.size()), k);
        for (int64_t k : order) sizes.push_back(a.sizes[k]);
        return add(sizes, absl::StrCat("stablehlo.transpose ", a.name,
                                       ", dims = [", absl::StrJoin(order, ", "),
                                       "] : (", type(a.sizes), ")"));
      }
    }
  }

  void broadcastAdd(const Array &a, const Array &b, const SizeIds &result) {
    add(result, absl::StrCat("chlo.broadcast_add ", a.name, ", ", b.name,
                             " : (", type(a.sizes), ", ", type(b.sizes), ")"));
  }
  /// With an argument of some of its last dimensions.
  void broadcast(const Array &a) {
    SizeIds last(a.sizes.begin() + random_.in(0, a.sizes.size() - 1),
                 a.sizes.end());
    broadcastAdd(a, parameter(maybeOnes(last)), a.sizes);
  }
  /// Two of which either may be 1.
  void broadcastTwo() {
    SizeIds left, right, result;
    for (int64_t k = random_.in(1, 2); k > 0; --k) {
      const SizeId size = random_.in(0, 2);
      left.push_back(maybeOne(size));
      right.push_back(random_.oneIn(3) ? size : maybeOne(size));
      result.push_back(
          addSize([a = sizeOf(left.back()), b = sizeOf(right.back())](
                      const Run &run) { return std::max(a(run), b(run)); }));
    }
    const Array a = parameter(left), b = parameter(right);
    broadcastAdd(a, b, result);
  }

  void slice(const Array &a) {
    const size_t rank = a.sizes.size();
    Vector starts, limits, strides;
    const bool fromZero = random_.oneIn(3), toEnd = random_.oneIn(2);
    const bool stridesAreKnown = random_.oneIn(2);
    std::vector<int64_t> knownStrides;
    SizeIds sizes;
    for (SizeId id : a.sizes) {
      const ValueOf size = sizeOf(id);
      const int64_t q = ask(), r = ask(), s = ask();
      ValueOf start = [=](const Run &run) {
        return fromZero ? 0 : run.in(q, 0, size(run));
      };
      ValueOf limit = [=](const Run &run) {
        return toEnd ? size(run) : run.in(r, start(run), size(run));
      };
      const int64_t known = random_.in(1, 3);
      knownStrides.push_back(known);
      ValueOf stride = [=](const Run &run) {
        return stridesAreKnown ? known : run.in(s, 1, 3);
      };
      starts.push_back(start);
      limits.push_back(limit);
      strides.push_back(stride);
      sizes.push_back(addSize([=](const Run &run) {
        return (limit(run) - start(run) + stride(run) - 1) / stride(run);
      }));
    }
    const std::string list = listType(rank);
    const std::string names[] = {
        fromZero ? constant(std::vector<int64_t>(rank, 0)) : given(starts),
        toEnd ? sizesOf(a) : given(limits),
        stridesAreKnown ? followed(knownStrides) : given(strides)};
    add(sizes, absl::StrCat("stablehlo.real_dynamic_slice ", a.name, ", ",
                            absl::StrJoin(names, ", "), " : (", type(a.sizes),
                            ", ", list, ", ", list, ", ", list, ")"));
  }

  /// An argument to the sizes of the array, which are computed or given.
  void broadcastInDim(const Array &a) {
    const Array from = parameter(maybeOnes(a.sizes));
    Vector sizes;
    std::vector<int64_t> dims;
    for (size_t k = 0; k < a.sizes.size(); ++k) {
      sizes.push_back(sizeOf(a.sizes[k]));
      dims.push_back(k);
    }
    const std::string list = random_.oneIn(2) ? sizesOf(a) : given(sizes);
    add(a.sizes,
        absl::StrCat("stablehlo.dynamic_broadcast_in_dim ", from.name, ", ",
                     list, ", dims = [", absl::StrJoin(dims, ", "), "] : (",
                     type(from.sizes), ", ", listType(sizes.size()), ")"));
  }

  void pad(const Array &a) {
    Vector low, high;
    SizeIds sizes;
    for (SizeId id : a.sizes) {
      const int64_t q = ask(), r = ask();
      low.push_back([q](const Run &run) { return run.in(q, 0, 1); });
      high.push_back([r](const Run &run) { return run.in(r, 0, 1); });
      sizes.push_back(
          addSize([l = low.back(), h = high.back(), size = sizeOf(id)](
                      const Run &run) { return l(run) + size(run) + h(run); }));
    }
    const std::string list = listType(a.sizes.size());
    const std::string value =
        line("stablehlo.constant dense<0.0> : tensor<f32>");
    const std::string first = given(low), second = given(high);
    const std::string none = constant(std::vector<int64_t>(a.sizes.size(), 0));
    add(sizes,
        absl::StrCat("stablehlo.dynamic_pad ", a.name, ", ", value, ", ", first,
                     ", ", second, ", ", none, " : (", type(a.sizes),
                     ", tensor<f32>, ", list, ", ", list, ", ", list, ")"));
  }

  Random &random_;
  int64_t questions_ = 0;
  int lines_ = 0;
  SizeId one_ = 0;
  std::vector<ValueOf> sizes_;
  std::vector<std::string> parameters_;
  std::vector<Vector> values_;  // of each parameter
  std::vector<Array> arrays_;
  std::string body_;
};

std::string textOf(const IndexingRelation &relation) {
  std::string text = precisionName(relation.precision()).str();
  for (const IndexingMap &piece : relation.pieces())
    text += "\n  " + piece.strOneLine();
  return text + "\n";
}

/// Returns the relation's points if the sources of the maps have these values.
absl::StatusOr<RelationPoints> pointsAt(const IndexingRelation &relation,
                                        const ProgramIndexing &maps,
                                        const Computation &known,
                                        const IntegerValues &values,
                                        const ArrayShape &from,
                                        const ArrayShape &to) {
  std::vector<ArrayShape> shapes;
  OperandValues elements;
  for (const IndexingMap &piece : relation.pieces())
    for (const RuntimeVariable &variable : piece.runtime()) {
      const size_t tensor = variable.source.tensor;
      const Value &value = maps.value(tensor);
      if (shapes.size() <= tensor) {
        shapes.resize(tensor + 1);
        elements.resize(tensor + 1);
      }
      shapes[tensor] = shapesOf(known.instructions[value.instruction].op)
                           .results[value.result];
      elements[tensor] = values.of({value.instruction}, value.result);
    }
  return pointsWithin(
      relation, from.dimensions, to.dimensions,
      {shapes, elements, kMostOfRange, /*strict=*/true, kMostPoints});
}

struct Tally {
  int64_t exact = 0, covers = 0;
  int64_t ofSizes = 0;  ///< exact, and more is read because of sizes
  int64_t left = 0;     ///< too many points to look at
};

void check(const Writer &writer, int64_t seed, Tally &tally) {
  const std::string text = writer.text(nullptr);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto open = importMlir(text, "open.mlir");
  ASSERT_TRUE(open.ok()) << open.status();
  const Module &module = open->modules[0];
  ProgramIndexing maps(module);
  for (int64_t instance = 0; instance < 20; ++instance) {
    const Run run(seed * 100 + instance);
    SCOPED_TRACE(writer.text(&run));
    auto closed = importMlir(writer.text(&run), "closed.mlir");
    ASSERT_TRUE(closed.ok()) << closed.status();
    const Module &known = closed->modules[0];
    ProgramIndexing knownMaps(known);
    const Computation &entry = known.computations[known.entry];
    const IntegerValues values(known, known.entry, writer.arguments(run));
    const ArrayShape &root =
        shapesOf(entry.instructions[entry.root].op).results[0];
    for (size_t p = 0; p < entry.parameters.size(); ++p)
      for (Direction direction :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        const ArrayShape &parameter =
            shapesOf(entry.instructions[entry.parameters[p]].op).results[0];
        const bool down = direction == Direction::OutputToInput;
        const ArrayShape &from = down ? root : parameter;
        const ArrayShape &to = down ? parameter : root;
        auto dynamic = maps.computation(module.entry, LeafId(0),
                                        ParameterLeaf{p}, direction);
        auto fixed = knownMaps.computation(known.entry, LeafId(0),
                                           ParameterLeaf{p}, direction);
        ASSERT_TRUE(dynamic.ok()) << dynamic.status();
        ASSERT_TRUE(fixed.ok()) << fixed.status();
        auto found = pointsAt(*dynamic, maps, entry, values, from, to);
        auto expected = pointsAt(*fixed, knownMaps, entry, values, from, to);
        // A cover of what a size is made of has no bounds where sizes are open.
        if (absl::IsResourceExhausted(found.status()) ||
            (absl::IsOutOfRange(found.status()) &&
             dynamic->precision() != Precision::Exact)) {
          ++tally.left;
          continue;
        }
        ASSERT_TRUE(found.ok()) << found.status() << "\n" << textOf(*dynamic);
        ASSERT_TRUE(expected.ok()) << expected.status() << textOf(*fixed);
        const bool isExact = dynamic->precision() == Precision::Exact;
        ++(isExact ? tally.exact : tally.covers);
        const bool isSame = found->pairs == expected->pairs;
        // A size that the program computes from a list of integers reads the
        // list. In the text with the sizes it is a number in a type, and reads
        // nothing.
        const bool mayReadMore = !isExact || isInteger(parameter.type);
        tally.ofSizes += isExact && !isSame;
        ASSERT_TRUE(
            isSame ||
            (mayReadMore &&
             std::includes(found->pairs.begin(), found->pairs.end(),
                           expected->pairs.begin(), expected->pairs.end())))
            << "parameter " << p << (down ? " down" : " up") << "\n"
            << textOf(*dynamic) << textOf(*fixed);
      }
  }
}

TEST(DynamicStablehloTest, MapsAtSizesAreThoseOfTheSizes) {
  const char *count = std::getenv("INDEXICAL_PROGRAMS");
  const int64_t programs = count ? std::strtoll(count, nullptr, 10) : 150;
  Tally tally;
  for (int64_t seed = 1; seed <= programs && !HasFailure(); ++seed) {
    Random random(seed);
    check(Writer(random), seed, tally);
  }
  std::cout << tally.exact << " exact (" << tally.ofSizes
            << " read more for sizes), " << tally.covers << " covers, "
            << tally.left << " left\n";
  EXPECT_GT(tally.exact, 10 * tally.ofSizes);
  EXPECT_GT(tally.exact, 10 * tally.covers);
  EXPECT_GT(tally.exact, 50 * tally.left);
}

}  // namespace
}  // namespace indexical::testing

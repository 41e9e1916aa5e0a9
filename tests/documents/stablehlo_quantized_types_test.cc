// The rules of the specification of StableHLO that are about quantized types,
// by number.
//
// The rules are written down here again, over types that are four words: what
// is stored, what it stands for, along which dimension the scales lie, and
// which scales. Each op is asked with all types, or with random ones, and has
// to be refused with one of the rules that are broken, or read if none is.
//
//   INDEXICAL_TYPES=100000   more of the random ones
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/refused.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A type of elements: `f32`, or a quantized one of i8 or i4 that has one scale
/// (`axis` -1), or two along a dimension of size 2.
struct Type {
  std::string stored, expressed = "f32";
  int axis = -1;
  int scale = 1;

  bool isQuantized() const { return !stored.empty(); }
  std::string text() const {
    if (!isQuantized()) return expressed;
    const std::string number = std::to_string(scale) + ".0";
    return "!quant.uniform<" + stored + ":" + expressed +
           (axis < 0 ? ", " + number
                     : ":" + std::to_string(axis) + ", {" + number + ", 5.0}") +
           ">";
  }
  bool operator==(const Type &o) const {
    return stored == o.stored && expressed == o.expressed && axis == o.axis &&
           (scale == o.scale || !isQuantized());
  }
};

std::vector<Type> allTypes() {
  std::vector<Type> types = {{"", "f32"}, {"", "f16"}};
  for (const char *stored : {"i8", "i4"})
    for (const char *expressed : {"f32", "f16"})
      for (int axis : {-1, 0, 1})
        for (int scale : {1, 2})
          types.push_back({stored, expressed, axis, scale});
  return types;
}

bool sameBaseline(const Type &a, const Type &b) {
  return a.stored == b.stored && a.expressed == b.expressed;
}

/// The rules that types break: `C1`, `I1`.
using Broken = std::set<std::string>;
using Types = std::vector<Type>;

/// An op whose operands and result have the shape 2x2, or others.
struct Asked {
  std::string name;
  size_t operands;
  std::function<Broken(const Types &)> broken;  ///< operands, then the result
  std::string attributes = "";
  std::function<std::string(const Types &)> regions = {};
  std::vector<std::string> shapes = {};  ///< as `2x2x`, if not all are that

  std::string text(const Types &types) const {
    std::vector<std::string> written;
    for (size_t k = 0; k < types.size(); ++k)
      written.push_back("tensor<" + (shapes.empty() ? "2x2x" : shapes[k]) +
                        types[k].text() + ">");
    std::string arguments, values, list;
    for (size_t k = 0; k < operands; ++k) {
      const std::string comma = k > 0 ? ", " : "";
      arguments += comma + "%" + std::to_string(k) + ": " + written[k];
      values += comma + "%" + std::to_string(k);
      list += comma + written[k];
    }
    return "func.func @f(" + arguments + ", %i: tensor<1x1xi64>, " +
           "%s: tensor<i64>) {\n  %r = \"stablehlo." + name + "\"(" +
           given(values) + ") " + (regions ? "(" + regions(types) + ") " : "") +
           "{" + attributes + "} : (" + givenTypes(list) + ") -> " +
           written.back() + "\n  return\n}\n";
  }

 private:
  /// Indices stand behind the first operand.
  std::string given(std::string values) const {
    if (name == "gather") return values + ", %i";
    if (name == "scatter") return "%0, %i, %1";
    if (name == "dynamic_slice" || name == "dynamic_update_slice")
      return values + ", %s, %s";
    return values;
  }
  std::string givenTypes(const std::string &list) const {
    const std::string indices = "tensor<1x1xi64>";
    const size_t comma = list.find(">, tensor");
    if (name == "gather") return list + ", " + indices;
    if (name == "scatter")
      return list.substr(0, comma + 1) + ", " + indices +
             list.substr(comma + 1);
    if (name == "dynamic_slice" || name == "dynamic_update_slice")
      return list + ", tensor<i64>, tensor<i64>";
    return list;
  }
};

/// Types without scales along a dimension: inputs by number, and `Outputs`.
Broken perTensor(const Types &types) {
  Broken broken;
  for (size_t k = 0; k < types.size(); ++k)
    if (types[k].axis >= 0)
      broken.insert(k + 1 == types.size() ? "Outputs"
                                          : "I" + std::to_string(k + 1));
  return broken;
}

/// All types must be that of the result, except for scales. `rule` is "" if the
/// message has no number.
std::function<Broken(const Types &)> baseline(const std::string &rule) {
  return [rule](const Types &types) {
    Broken broken = perTensor(types);
    for (const Type &each : types)
      if (!sameBaseline(each, types.back())) broken.insert(rule);
    return broken;
  };
}

/// All have the type of the result.
std::function<Broken(const Types &)> equal(const std::string &rule) {
  return [rule](const Types &types) {
    Broken broken = perTensor(types);
    for (const Type &each : types)
      if (!(each == types.back())) broken.insert(rule);
    return broken;
  };
}

/// C1 of the ops that move the dimension of the scales.
Broken moved(const Types &types, bool scalesMayDiffer) {
  const Type &from = types[0], &to = types[1];
  const bool both = from.axis >= 0 && to.axis >= 0;
  const bool kept = both ? sameBaseline(from, to) &&
                               (scalesMayDiffer || from.scale == to.scale)
                         : from == to;
  return kept ? Broken() : Broken{"C1"};
}

/// `^bb0(%a: tensor<E>, %b: tensor<E>)` and what it returns.
std::string takes(const Type &type) {
  const std::string one = "tensor<" + type.text() + ">";
  return "{\n  ^bb0(%a: " + one + ", %b: " + one +
         "):\n    \"stablehlo.return\"(%a) : (" + one + ") -> ()\n  }";
}

std::vector<Asked> askedOps() {
  std::vector<Asked> ops;
  for (const char *name :
       {"cbrt", "ceil", "cosine", "exponential", "exponential_minus_one",
        "floor", "log", "log_plus_one", "logistic", "negate",
        "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine",
        "sqrt", "tan", "tanh"})
    ops.push_back({name, 1, baseline("")});
  ops.push_back({"abs", 1, [](const Types &types) {
                   // Complex numbers have another type there.
                   Broken broken = baseline("C2")(types);
                   if (!types[0].isQuantized()) broken.erase("C2");
                   return broken;
                 }});
  for (const char *name : {"atan2", "divide", "maximum", "minimum", "multiply",
                           "power", "remainder", "subtract"})
    ops.push_back({name, 2, baseline("")});
  ops.push_back({"add", 2, [](const Types &t) {
                   Broken broken;
                   if (!(t[0] == t[2] && t[1] == t[2]) && !t[0].isQuantized() &&
                       !t[1].isQuantized() && !t[2].isQuantized())
                     broken.insert("");
                   const int quantized = t[0].isQuantized() +
                                         t[1].isQuantized() +
                                         t[2].isQuantized();
                   if (quantized == 1 || quantized == 2)
                     return Broken{"C2", ""};
                   if (quantized == 0) return broken;
                   if (t[0].stored != t[2].stored || t[1].stored != t[2].stored)
                     broken.insert({"C3", ""});
                   if (t[0].expressed != t[2].expressed ||
                       t[1].expressed != t[2].expressed)
                     broken.insert({"C4", ""});
                   if ((t[0].axis >= 0 || t[1].axis >= 0) != (t[2].axis >= 0))
                     broken.insert("C5");
                   if (t[0].axis >= 0 && t[0].axis != t[2].axis)
                     broken.insert("C6");
                   if (t[1].axis >= 0 && t[1].axis != t[2].axis)
                     broken.insert("C7");
                   return broken;
                 }});
  ops.push_back({"uniform_quantize", 1, [](const Types &t) {
                   if (!t[1].isQuantized()) return Broken{""};
                   return t[0].expressed == t[1].expressed ? Broken()
                                                           : Broken{"C2"};
                 }});
  ops.push_back({"uniform_dequantize", 1, [](const Types &t) {
                   if (!t[0].isQuantized()) return Broken{""};
                   if (t[1].isQuantized()) return Broken{"Outputs"};
                   return t[0].expressed == t[1].expressed ? Broken()
                                                           : Broken{"C2"};
                 }});
  ops.push_back({"clamp", 3, [](const Types &t) {
                   Broken broken = perTensor(t);
                   if (!sameBaseline(t[0], t[1]) || !sameBaseline(t[2], t[1]))
                     broken.insert("C3");
                   if (!sameBaseline(t[1], t[3])) broken.insert("C4");
                   return broken;
                 }});
  ops.push_back({"reverse", 1, equal("C1"), "dimensions = array<i64: 0>"});
  ops.push_back({"slice", 1, equal("C1"),
                 "start_indices = array<i64: 0, 0>, limit_indices = "
                 "array<i64: 2, 2>, strides = array<i64: 1, 1>"});
  ops.push_back({"pad",
                 2,
                 equal("C1"),
                 "edge_padding_low = array<i64: 0, 0>, edge_padding_high = "
                 "array<i64: 0, 0>, interior_padding = array<i64: 0, 0>",
                 {},
                 {"2x2x", "", "2x2x"}});
  ops.push_back({"concatenate",
                 2,
                 [](const Types &t) {
                   Broken broken = perTensor(t);
                   if (broken.erase("I2") > 0) broken.insert("I1");
                   if (!(t[0] == t[1])) broken.insert("C1");
                   if (!(t[0] == t[2])) broken.insert("C5");
                   return broken;
                 },
                 "dimension = 0 : i64",
                 {},
                 {"2x2x", "2x2x", "4x2x"}});
  // C6, C9, C3 and C5 say that a collective that moves elements keeps their
  // type.
  const std::string groups = "replica_groups = dense<[[0]]> : tensor<1x1xi64>";
  ops.push_back(
      {"all_gather", 1, equal("C6"), "all_gather_dim = 0 : i64, " + groups});
  ops.push_back({"all_to_all", 1, equal("C9"),
                 "split_dimension = 0 : i64, concat_dimension = 1 : i64, "
                 "split_count = 1 : i64, " +
                     groups});
  // C7 and C9: the element type that the computation returns, here the
  // operand's.
  ops.push_back({"all_reduce", 1, equal("C7"), groups,
                 [](const Types &t) { return takes(t[0]); }});
  ops.push_back({"reduce_scatter", 1, equal("C9"),
                 "scatter_dimension = 0 : i64, " + groups,
                 [](const Types &t) { return takes(t[0]); }});
  ops.push_back({"collective_broadcast", 1, equal("C3"), groups});
  ops.push_back({"collective_permute", 1, equal("C5"),
                 "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"});
  ops.push_back(
      {"dynamic_slice", 1, equal("C1"), "slice_sizes = array<i64: 2, 2>"});
  ops.push_back({"dynamic_update_slice", 2, [](const Types &t) {
                   Broken broken = perTensor(t);
                   if (!(t[0] == t[2])) broken.insert("C1");
                   if (!(t[0] == t[1])) broken.insert("C2");
                   return broken;
                 }});
  ops.push_back({"transpose", 1,
                 [](const Types &t) {
                   Broken broken = moved(t, false);
                   if (t[0].axis >= 0 && t[1].axis >= 0 &&
                       t[0].axis == t[1].axis)
                     broken.insert("C4");
                   return broken;
                 },
                 "permutation = array<i64: 1, 0>"});
  ops.push_back({"reshape", 1, [](const Types &t) {
                   Broken broken = moved(t, false);
                   if (t[0].axis >= 0 && t[1].axis >= 0 &&
                       t[0].axis != t[1].axis)
                     broken.insert("C3");
                   return broken;
                 }});
  ops.push_back({"broadcast_in_dim", 1,
                 [](const Types &t) {
                   Broken broken = moved(t, true);
                   if (t[0].axis >= 0 && t[1].axis >= 0 &&
                       t[0].axis != t[1].axis)
                     broken.insert("C6");
                   return broken;
                 },
                 "broadcast_dimensions = array<i64: 0, 1>"});
  ops.push_back({"convert", 1, [](const Types &t) {
                   Broken broken;
                   if (t[0].isQuantized()) broken.insert("I1");
                   if (t[1].isQuantized()) broken.insert("Outputs");
                   return broken;
                 }});
  // (I1), (I3) and Outputs of gather and scatter: "tensors or per-tensor
  // quantized tensors".
  ops.push_back({"gather",
                 1,
                 equal("C23"),
                 "dimension_numbers = #stablehlo.gather<offset_dims = [1], "
                 "collapsed_slice_dims = [0], start_index_map = [0], "
                 "index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>",
                 {},
                 {"2x2x", "1x2x"}});
  ops.push_back(
      {"scatter",
       2,
       [](const Types &t) {
         Broken broken = perTensor(t);
         if (broken.erase("I2") > 0) broken.insert("I3");
         if (!(t[0] == t[1])) broken.insert("C6");
         if (!sameBaseline(t[0], t[2]) || !(t[0] == t[2])) broken.insert("C25");
         return broken;
       },
       "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
       "[1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
       "index_vector_dim = 1>",
       [](const Types &t) { return takes(t[0]); },
       {"2x2x", "1x2x", "2x2x"}});
  return ops;
}

/// Says what is wrong; "" if nothing is.
std::string check(const Asked &op, const Types &types) {
  const std::string text = op.text(types);
  const Broken broken = op.broken(types);
  const absl::StatusOr<MlirModule> parsed =
      parseMlirModule(testContext(), {text, 1}, "test.mlir");
  if (parsed.ok())
    return broken.empty() ? "" : "read, but " + *broken.begin() + " is broken";
  const std::string message(parsed.status().message());
  if (broken.empty()) return "refused: " + message;
  for (const std::string &rule : broken)
    if (rule.empty() ? message.find("op C") == std::string::npos
                     : message.find("op " + rule + ": ") != std::string::npos)
      return "";
  return "refused for another rule: " + message;
}

TEST(QuantizedTypes, RulesAreThoseOfTheSpecification) {
  const std::vector<Type> types = allTypes();
  const char *given = std::getenv("INDEXICAL_TYPES");
  const int count = given ? std::atoi(given) : 150;
  int read = 0, refused = 0;
  for (const Asked &op : askedOps()) {
    Random random(42);
    int failures = 0;
    for (int n = 0; n < count && failures < 3; ++n) {
      Types made(op.operands + 1);
      // Often equal ones, or few would be read.
      const Type common = types[random.in(0, types.size() - 1)];
      for (Type &each : made) {
        each = random.oneIn(3) ? types[random.in(0, types.size() - 1)] : common;
        // A dimension of a scalar has no scales.
        if (op.name == "pad" && &each == &made[1]) each.axis = -1;
        // Rows that are one have one scale.
        if (op.name == "gather" && &each == &made[1] && each.axis == 0)
          each.axis = 1;
        if (op.name == "scatter" && &each == &made[1] && each.axis == 0)
          each.axis = 1;
        if (op.name == "concatenate" && &each == &made[2] && each.axis == 0)
          each.axis = 1;
      }
      const std::string problem = check(op, made);
      (op.broken(made).empty() ? read : refused)++;
      if (problem.empty()) continue;
      ++failures;
      ADD_FAILURE() << problem << "\n" << op.text(made);
    }
  }
  EXPECT_GT(read, 300);
  EXPECT_GT(refused, 1000);
}

/// C2 of reduce, C3 of reduce_window: inits are of the inputs' type, with
/// their scale.
TEST(QuantizedTypes, InitsHaveTheScaleOfTheInputs) {
  const Type one = {"i8", "f32", -1, 1}, two = {"i8", "f32", -1, 2};
  for (const auto &[name, attributes, result, rule] :
       {std::tuple("reduce", "dimensions = array<i64: 0>", "2x", "C2"),
        {"reduce_window", "window_dimensions = array<i64: 1, 1>", "2x2x",
         "C3"}})
    for (const Type &init : {one, two}) {
      const std::string scalar = "tensor<" + init.text() + ">";
      const std::string input = "tensor<2x2x" + one.text() + ">";
      const std::string text =
          "func.func @f(%x: " + input + ", %z: " + scalar +
          ") {\n  %r = \"stablehlo." + name + "\"(%x, %z) (" + takes(one) +
          ") {" + attributes + "} : (" + input + ", " + scalar +
          ") -> tensor<" + result + one.text() + ">\n  return\n}\n";
      if (init == one)
        expectRead(text);
      else
        expectRefused(text, {2, 8}, std::string(rule) + ": ");
    }
}

}  // namespace
}  // namespace indexical::testing

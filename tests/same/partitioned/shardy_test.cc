// What Shardy's partitioner makes of whole modules: communication of the whole
// array, exchanges of two dimensions, rows of a table by their owner, groups of
// convolutions, windows along a batch, computations in computations. Of each
// there is one that is wrong.
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {
namespace {

constexpr char kMesh[] = "sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\n";

/// `tensor<4x8xf32>` with a sharding; `how` is `[{"x"}, {}]`.
std::string cut(const std::string &how) {
  return " {sdy.sharding = #sdy.sharding<@m, " + how + ">}";
}

Verdict::Answer answerOf(const std::string &whole, const std::string &local,
                         PartitionedOptions options = {}) {
  auto a = importMlir(kMesh + whole), b = importMlir(kMesh + local);
  EXPECT_TRUE(a.ok()) << a.status() << whole;
  EXPECT_TRUE(b.ok()) << b.status() << local;
  if (!a.ok() || !b.ok()) return Verdict::Undecided;
  options.areLocal = false;
  auto equality = comparePartitioned(*a, *b, options);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? equality->verdict.answer : Verdict::Undecided;
}

/// A reduction over devices, `%r`, of `%v`.
std::string reduced(const std::string &type, const std::string &op = "add",
                    const std::string &groups =
                        "[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>") {
  return "  %r = \"stablehlo.all_reduce\"(%v) <{channel_handle = "
         "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = "
         "dense<" +
         groups +
         ", use_global_device_ids}> ({\n"
         "  ^bb0(%i: tensor<f32>, %j: tensor<f32>):\n    %k = stablehlo." +
         op +
         " %i, %j : tensor<f32>\n    stablehlo.return %k : tensor<f32>\n"
         "  }) : (" +
         type + ") -> " + type + "\n";
}

/// The first row of each device's tile, `%o`, by a table of all devices.
std::string offset(const std::string &table) {
  return "  %p = stablehlo.partition_id : tensor<ui32>\n"
         "  %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<i64>\n"
         "  %t = stablehlo.constant dense<" +
         table +
         "> : tensor<8xi64>\n"
         "  %s = stablehlo.dynamic_slice %t, %q, sizes = [1] : "
         "(tensor<8xi64>, tensor<i64>) -> tensor<1xi64>\n"
         "  %o = stablehlo.reshape %s : (tensor<1xi64>) -> tensor<i64>\n";
}

std::string function(const std::vector<std::string> &arguments,
                     const std::string &result, const std::string &body) {
  std::string text = "func.func @main(";
  for (size_t k = 0; k < arguments.size(); ++k)
    text += (k == 0 ? "%a" : ", %a") + std::to_string(k) + ": " + arguments[k];
  return text + ") -> (" + result + ") {\n" + body + "}\n";
}

TEST(ShardyTest, CommunicationOfAWholeArrayChangesNoElement) {
  const std::string in = cut("[{\"x\"}, {}]"), out = cut("[{\"x\"}, {}]");
  const std::string local =
      function({"tensor<4x8xf32>" + in}, "tensor<4x8xf32>" + out,
               "  return %a0 : tensor<4x8xf32>\n");
  for (const char *op :
       {"sdy.all_gather [{\"y\"}, {}] %a0 out_sharding=<@m, [{\"x\"}, {}]>",
        "sdy.all_slice [{\"x\"}, {}] %a0 out_sharding=<@m, [{\"x\"}, {}]>",
        "sdy.all_to_all [{\"x\"}: 1->0] %a0 out_sharding=<@m, [{\"x\"}, {}]>",
        "sdy.collective_permute %a0 out_sharding=<@m, [{\"x\"}, {}]>",
        "sdy.all_reduce {\"y\"} %a0 out_sharding=<@m, [{\"x\"}, {}]>",
        "sdy.reduce_scatter [{\"x\"}, {}] %a0 out_sharding=<@m, [{\"x\"}, "
        "{}]>"}) {
    SCOPED_TRACE(op);
    const auto whole = [&](const std::string &then) {
      return function(
          {"tensor<8x8xf32>" + in}, "tensor<8x8xf32>" + out,
          "  %0 = " + std::string(op) + " : tensor<8x8xf32>\n" + then);
    };
    EXPECT_EQ(answerOf(whole("  return %0 : tensor<8x8xf32>\n"), local),
              Verdict::Same);
    EXPECT_EQ(answerOf(whole("  %1 = stablehlo.negate %0 : tensor<8x8xf32>\n"
                             "  return %1 : tensor<8x8xf32>\n"),
                       local),
              Verdict::Different);
  }
}

TEST(ShardyTest, CommunicationOfPartsIsNotKnown) {
  const std::string in = cut("[{\"x\"}, {}]");
  const auto whole = [&](const std::string &axis) {
    return function(
        {"tensor<8x8xf32>" + in}, "tensor<8x8xf32>" + in,
        "  %0 = sdy.manual_computation(%a0) in_shardings=[<@m, [{\"x\"}, "
        "{}]>] out_shardings=[<@m, [{\"x\"}, {}]>] manual_axes={\"x\"} "
        "(%b: tensor<4x8xf32>) {\n    %1 = sdy.all_reduce {\"" +
            axis +
            "\"} %b out_sharding=<@m, [{}, {}]> : tensor<4x8xf32>\n"
            "    sdy.return %1 : tensor<4x8xf32>\n"
            "  } : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
            "  return %0 : tensor<8x8xf32>\n");
  };
  const std::string local =
      function({"tensor<4x8xf32>" + in}, "tensor<4x8xf32>" + in,
               "  return %a0 : tensor<4x8xf32>\n");
  EXPECT_EQ(answerOf(whole("y"), local), Verdict::Same);
  EXPECT_EQ(answerOf(whole("x"), local), Verdict::Undecided);
}

TEST(ShardyTest, AnExchangeCutsOneDimensionAndJoinsAnother) {
  for (const auto &[split, joined] : {std::pair{1, 0}, {0, 1}, {1, 1}}) {
    const std::string local = function(
        {"tensor<8x8xf32>" + cut("[{}, {\"x\", \"y\"}]")},
        "tensor<1x64xf32>" + cut("[{\"x\", \"y\"}, {}]"),
        "  %0 = \"stablehlo.all_to_all\"(%a0) <{channel_handle = "
        "#stablehlo.channel_handle<handle = 1, type = 1>, "
        "concat_dimension = " +
            std::to_string(joined) +
            " : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, "
            "7]]> : tensor<1x8xi64>, split_count = 8 : i64, "
            "split_dimension = " +
            std::to_string(split) + " : i64}> : (tensor<8x8xf32>) -> " +
            (split == joined ? "tensor<8x8xf32>"
             : split == 0    ? "tensor<1x64xf32>"
                             : "tensor<64x1xf32>") +
            "\n" +
            (split == 0
                 ? ""
                 : "  %1 = stablehlo.reshape %0 : (" +
                       std::string(split == joined ? "tensor<8x8xf32>"
                                                   : "tensor<64x1xf32>") +
                       ") -> tensor<1x64xf32>\n") +
            "  return %" + (split == 0 ? "0" : "1") + " : tensor<1x64xf32>\n");
    const std::string whole =
        function({"tensor<8x64xf32>" + cut("[{}, {\"x\", \"y\"}]")},
                 "tensor<8x64xf32>" + cut("[{\"x\", \"y\"}, {}]"),
                 "  return %a0 : tensor<8x64xf32>\n");
    EXPECT_EQ(answerOf(whole, local),
              split == 0 ? Verdict::Same : Verdict::Different)
        << split << joined;
  }
}

TEST(ShardyTest, RowsAreReadByTheirOwner) {
  const std::string dims =
      " {dimension_numbers = #stablehlo.gather<offset_dims = [1], "
      "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = "
      "1>, slice_sizes = array<i64: 1, 3>} : ";
  const std::string rows = cut("[{\"x\"}, {}]"), all = cut("[{}, {}]"),
                    list = cut("[{}]");
  for (const std::string index : {"i64", "i32"}) {
    const std::string two = "tensor<2x" + index + ">",
                      one = "tensor<" + index + ">";
    const std::string whole = function(
        {"tensor<8x3xf32>" + rows, two + list}, "tensor<2x3xf32>" + all,
        "  %0 = \"stablehlo.gather\"(%a0, %a1)" + dims + "(tensor<8x3xf32>, " +
            two + ") -> tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n");
    const auto local = [&](const std::string &table, const std::string &last) {
      const std::string bits = "(" + two + ", " + two + ") -> tensor<2xi1>\n";
      return function(
          {"tensor<4x3xf32>" + rows, two + list}, "tensor<2x3xf32>" + all,
          "  %0 = stablehlo.constant dense<0> : " + two +
              "\n  %1 = stablehlo.constant dense<7> : " + two +
              "\n  %2 = stablehlo.clamp %0, %a1, %1 : " + two + "\n" +
              offset(table) +
              "  %3 = stablehlo.convert %o : (tensor<i64>) -> " + one +
              "\n  %4 = stablehlo.constant dense<" + last + "> : " + one +
              "\n  %5 = stablehlo.add %3, %4 : " + one +
              "\n  %6 = stablehlo.broadcast_in_dim %3, dims = [] : (" + one +
              ") -> " + two +
              "\n  %7 = stablehlo.broadcast_in_dim %5, dims = [] : (" + one +
              ") -> " + two + "\n  %8 = stablehlo.subtract %2, %6 : " + two +
              "\n  %9 = stablehlo.compare GE, %2, %6 : " + bits +
              "  %10 = stablehlo.compare LE, %2, %7 : " + bits +
              "  %11 = stablehlo.and %9, %10 : tensor<2xi1>\n"
              "  %12 = \"stablehlo.gather\"(%a0, %8)" +
              dims + "(tensor<4x3xf32>, " + two +
              ") -> tensor<2x3xf32>\n"
              "  %13 = stablehlo.broadcast_in_dim %11, dims = [0] : "
              "(tensor<2xi1>) -> tensor<2x3xi1>\n"
              "  %14 = stablehlo.constant dense<0.0> : tensor<2x3xf32>\n"
              "  %v = stablehlo.select %13, %12, %14 : tensor<2x3xi1>, "
              "tensor<2x3xf32>\n" +
              reduced("tensor<2x3xf32>") + "  return %r : tensor<2x3xf32>\n");
    };
    const std::string starts = "[0, 0, 0, 0, 4, 4, 4, 4]";
    EXPECT_EQ(answerOf(whole, local(starts, "3")), Verdict::Same) << index;
    EXPECT_NE(answerOf(whole, local(starts, "2")), Verdict::Same);
    EXPECT_NE(answerOf(whole, local(starts, "4")), Verdict::Same);
    EXPECT_NE(answerOf(whole, local("[0, 0, 0, 0, 3, 3, 3, 3]", "3")),
              Verdict::Same);
  }
}

/// The parts of a convolution. Groups are of features, then of the batch.
struct Convolved {
  std::string left, right, result;
  int features = 1, batches = 1;
  bool isReversed = false;  ///< whether the batch is, before all

  std::string text(const std::string &hows, const std::string &howr,
                   const std::string &howo, bool isSum = false) const {
    const std::string type = "tensor<" + result + "xf32>";
    return function(
        {"tensor<" + left + "xf32>" + hows, "tensor<" + right + "xf32>" + howr},
        type + howo,
        (isReversed ? "  %x = stablehlo.reverse %a0, dims = [0] : tensor<" +
                          left + "xf32>\n"
                    : std::string()) +
            "  %v = stablehlo.convolution(%" + (isReversed ? "x" : "a0") +
            ", %a1) dim_numbers = [b, 0, f]x[0, i, "
            "o]->[b, 0, f], window = {stride = [2], pad = [[0, 1]]} "
            "{feature_group_count = " +
            std::to_string(features) +
            " : i64, batch_group_count = " + std::to_string(batches) +
            " : i64} : (tensor<" + left + "xf32>, tensor<" + right +
            "xf32>) -> " + type + "\n" + (isSum ? reduced(type) : "") +
            "  return %" + (isSum ? "r" : "v") + " : " + type + "\n");
  }
};

TEST(ShardyTest, GroupsOfConvolutionsAreCut) {
  const std::string batch = cut("[{\"x\"}, {}, {}]"),
                    last = cut("[{}, {}, {\"x\"}]"),
                    middle = cut("[{}, {\"x\"}, {}]"),
                    all = cut("[{}, {}, {}]");
  // Groups of the batch, one and two on each device.
  const Convolved two{"2x8x3", "3x3x6", "1x4x6", 1, 2};
  EXPECT_EQ(
      answerOf(two.text(batch, last, last),
               Convolved{"1x8x3", "3x3x3", "1x4x3"}.text(batch, last, last)),
      Verdict::Same);
  const Convolved four{"8x8x3", "3x3x8", "2x4x8", 1, 4};
  const Convolved half{"4x8x3", "3x3x4", "2x4x4", 1, 2};
  EXPECT_EQ(
      answerOf(four.text(batch, last, last), half.text(batch, last, last)),
      Verdict::Same);
  // Each group of two reads the other one's half of the batch.
  Convolved other = half;
  other.isReversed = true;
  EXPECT_EQ(
      answerOf(four.text(batch, last, last), other.text(batch, last, last)),
      Verdict::Different);
  // Features are summed over devices, in each group.
  const Convolved sums{"2x8x4", "3x4x6", "1x4x6", 1, 2};
  EXPECT_EQ(answerOf(sums.text(last, middle, all),
                     Convolved{"2x8x2", "3x2x6", "1x4x6", 1, 2}.text(
                         last, middle, all, /*isSum=*/true)),
            Verdict::Same);
  EXPECT_NE(answerOf(sums.text(last, middle, all),
                     Convolved{"2x8x2", "3x2x6", "1x4x6", 1, 2}.text(
                         last, middle, all)),
            Verdict::Same);
}

std::string windows(const std::string &rows, bool isSelected,
                    const std::string &low, const std::string &axes) {
  const std::string type = "tensor<" + rows + "x8xf32>",
                    small = "tensor<" + rows + "x4xf32>";
  const std::string window =
      "padding = dense<[[0, 0], [" + low +
      ", 1]]> : tensor<2x2xi64>, "
      "window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>";
  const std::string zero =
      "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n";
  if (!isSelected)
    return function({type + cut(axes)}, small + cut(axes),
                    zero + "  %0 = \"stablehlo.reduce_window\"(%a0, %c) <{" +
                        window +
                        "}> ({\n  ^bb0(%i: tensor<f32>, %j: "
                        "tensor<f32>):\n    %k = stablehlo.maximum %i, %j : "
                        "tensor<f32>\n    stablehlo.return %k : tensor<f32>\n"
                        "  }) : (" +
                        type + ", tensor<f32>) -> " + small +
                        "\n  return %0 : " + small + "\n");
  return function(
      {type + cut(axes), small + cut(axes)}, type + cut(axes),
      zero + "  %0 = \"stablehlo.select_and_scatter\"(%a0, %a1, %c) <{" +
          window +
          "}> ({\n  ^bb0(%i: tensor<f32>, %j: tensor<f32>):\n"
          "    %k = stablehlo.compare GE, %i, %j : (tensor<f32>, tensor<f32>) "
          "-> tensor<i1>\n    stablehlo.return %k : tensor<i1>\n  }, {\n"
          "  ^bb0(%i: tensor<f32>, %j: tensor<f32>):\n    %k = stablehlo.add "
          "%i, %j : tensor<f32>\n    stablehlo.return %k : tensor<f32>\n  }) : "
          "(" +
          type + ", " + small + ", tensor<f32>) -> " + type +
          "\n  return %0 : " + type + "\n");
}

TEST(ShardyTest, WindowsAlongABatchAreCut) {
  const std::string some = "[{\"x\"}, {}]", each = "[{\"x\", \"y\"}, {}]";
  EXPECT_EQ(
      answerOf(windows("8", false, "1", some), windows("4", false, "1", some)),
      Verdict::Same);
  EXPECT_EQ(
      answerOf(windows("8", true, "1", each), windows("1", true, "1", each)),
      Verdict::Same);
  for (const bool isSelected : {false, true})
    EXPECT_NE(answerOf(windows("8", isSelected, "1", each),
                       windows("1", isSelected, "0", each)),
              Verdict::Same);
}

TEST(ShardyTest, ComputationsStandInComputations) {
  const std::string in = cut("[{\"x\", \"y\":(1)2}, {\"y\":(2)2}]");
  const auto whole = [&](const std::string &op) {
    return function(
        {"tensor<16x8xf32>" + cut("[{\"x\"}, {\"y\"}]")},
        "tensor<16x8xf32>" + cut("[{\"x\"}, {\"y\"}]"),
        "  %0 = sdy.manual_computation(%a0) in_shardings=[<@m, [{\"x\"}, "
        "{\"y\"}]>] out_shardings=[<@m, [{\"x\"}, {\"y\"}]>] "
        "manual_axes={\"x\"} (%b: tensor<8x8xf32>) {\n"
        "    %1 = sdy.manual_computation(%b) in_shardings=[<@m, [{}, "
        "{\"y\"}]>] out_shardings=[<@m, [{}, {\"y\"}]>] manual_axes={\"y\"} "
        "(%c: tensor<8x2xf32>) {\n      %2 = stablehlo." +
            op +
            " %c, %c : tensor<8x2xf32>\n      sdy.return %2 : tensor<8x2xf32>\n"
            "    } : (tensor<8x8xf32>) -> tensor<8x8xf32>\n"
            "    sdy.return %1 : tensor<8x8xf32>\n"
            "  } : (tensor<16x8xf32>) -> tensor<16x8xf32>\n"
            "  return %0 : tensor<16x8xf32>\n");
  };
  const std::string local =
      function({"tensor<8x2xf32>" + cut("[{\"x\"}, {\"y\"}]")},
               "tensor<8x2xf32>" + cut("[{\"x\"}, {\"y\"}]"),
               "  %0 = stablehlo.add %a0, %a0 : tensor<8x2xf32>\n"
               "  return %0 : tensor<8x2xf32>\n");
  EXPECT_EQ(answerOf(whole("add"), local), Verdict::Same);
  EXPECT_NE(answerOf(whole("multiply"), local), Verdict::Same);
}

TEST(ShardyTest, AMeshMayBeOfReplicas) {
  const std::string in = cut("[{\"x\", \"y\"}]");
  const std::string whole =
      function({"tensor<8xf32>" + in}, "tensor<8xf32>" + cut("[{}]"),
               "  return %a0 : tensor<8xf32>\n");
  const std::string local =
      function({"tensor<1xf32>" + in}, "tensor<8xf32>" + cut("[{}]"),
               "  %0 = \"stablehlo.all_gather\"(%a0) <{all_gather_dim = 0 : "
               "i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : "
               "tensor<1x8xi64>}> : (tensor<1xf32>) -> tensor<8xf32>\n"
               "  return %0 : tensor<8xf32>\n");
  PartitionedOptions options;
  options.replicas = 8;
  options.partitions = 1;
  EXPECT_EQ(answerOf(whole, local, options), Verdict::Same);
  std::string wrong = local;
  wrong.replace(wrong.find("[[0, 1"), 6, "[[1, 0");
  EXPECT_EQ(answerOf(whole, wrong, options), Verdict::Different);
}

/// MLIR packs booleans, eight in a byte; a mask of the first device's.
TEST(ShardyTest, ATableOfBooleansIsRead) {
  const std::string all = cut("[{}]");
  const std::string whole =
      function({"tensor<3xf32>" + all}, "tensor<3xf32>" + all,
               "  return %a0 : tensor<3xf32>\n");
  const auto local = [&](const std::string &table) {
    return function(
        {"tensor<3xf32>" + all}, "tensor<3xf32>" + all,
        "  %p = stablehlo.partition_id : tensor<ui32>\n"
        "  %t = stablehlo.constant dense<[" +
            table +
            "]> : tensor<8xi1>\n"
            "  %s = stablehlo.dynamic_slice %t, %p, sizes = [1] : "
            "(tensor<8xi1>, tensor<ui32>) -> tensor<1xi1>\n"
            "  %0 = stablehlo.reshape %s : (tensor<1xi1>) -> tensor<i1>\n"
            "  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i1>) -> "
            "tensor<3xi1>\n"
            "  %2 = stablehlo.constant dense<0.0> : tensor<3xf32>\n"
            "  %v = stablehlo.select %1, %a0, %2 : tensor<3xi1>, "
            "tensor<3xf32>\n" +
            reduced("tensor<3xf32>") + "  return %r : tensor<3xf32>\n");
  };
  const std::string yes = "true, true, true, true", no = "false, false, false, "
                                                         "false";
  EXPECT_NE(answerOf(whole, local(yes + ", " + no)), Verdict::Different);
  EXPECT_NE(answerOf(whole, local(yes + ", " + yes)), Verdict::Same);
  EXPECT_NE(answerOf(whole, local(no + ", " + no)), Verdict::Same);
}

}  // namespace
}  // namespace indexical

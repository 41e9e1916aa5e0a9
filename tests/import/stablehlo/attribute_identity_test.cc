// Every attribute of an op of StableHLO is part of the op's identity, unless
// the table below says that it is not.
// tests/import/hlo/attribute_identity_test.cc holds HLO to the same law. An
// attribute with its default value is no attribute.
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/import/import.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

/// They change no value: hints, names, and how ops are compiled.
const std::set<std::string> kNoPart = {"indices_are_sorted", "mhlo.sharding",
                                       "unique_indices"};

/// Shapes say what they are, so that they cannot be changed alone.
const std::set<std::string> kTied = {"all_gather_dim", "concat_dimension",
                                     "feature_index",  "scatter_dimension",
                                     "split_count",    "split_dimension"};

struct Row {
  const char *operands;  ///< of the function
  const char *op;        ///< with its attributes, in the generic form
  const char *type;
};

constexpr char kTwo[] = "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>";
constexpr char kOne[] = "%x: tensor<4x6xf32>";
constexpr char kNumbers[] = "%x: tensor<4x6xf32>, %i: tensor<i32>";
constexpr char kSquare[] = "%x: tensor<2x5x5xf32>";
constexpr char kSum[] =
    "^b(%a: tensor<f32>, %c: tensor<f32>):\n"
    "  %s = \"stablehlo.add\"(%a, %c) : (tensor<f32>, tensor<f32>) -> "
    "tensor<f32>\n"
    "  \"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n";

/// REGION stands for a region that adds.
const Row kRows[] = {
    {kTwo, "stablehlo.add(%x, %y) {mhlo.sharding = \"{replicated}\"}",
     "(tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kOne,
     "stablehlo.all_gather(%x) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = "
     "#stablehlo.channel_handle<handle = 0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<8x6xf32>"},
    {kOne,
     "stablehlo.all_gather(%x) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}",
     "(tensor<4x6xf32>) -> tensor<8x6xf32>"},
    {kOne,
     "stablehlo.all_reduce(%x) ({REGION}) {replica_groups = dense<[[0, 1], "
     "[2, 3]]> : tensor<2x2xi64>, channel_handle = "
     "#stablehlo.channel_handle<handle = 0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kOne,
     "stablehlo.all_to_all(%x) {split_dimension = 1 : i64, concat_dimension = "
     "0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> "
     ": tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = "
     "0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<8x3xf32>"},
    {kOne,
     "stablehlo.collective_broadcast(%x) {replica_groups = dense<[[0, 1], [2, "
     "3]]> : tensor<2x2xi64>, channel_handle = "
     "#stablehlo.channel_handle<handle = 0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kOne,
     "stablehlo.collective_permute(%x) {source_target_pairs = dense<[[0, 1], "
     "[1, 0]]> : tensor<2x2xi64>, channel_handle = "
     "#stablehlo.channel_handle<handle = 0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {kOne,
     "stablehlo.reduce_scatter(%x) ({REGION}) {scatter_dimension = 0 : i64, "
     "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, "
     "channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>}",
     "(tensor<4x6xf32>) -> tensor<2x6xf32>"},
    {"%x: tensor<2x4x6xf32>, %s: tensor<6xf32>",
     "stablehlo.batch_norm_inference(%x, %s, %s, %s, %s) {epsilon = 1.0e-03 : "
     "f32, feature_index = 2 : i64}",
     "(tensor<2x4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, "
     "tensor<6xf32>) -> tensor<2x4x6xf32>"},
    {"%x: tensor<6xf32>",
     "stablehlo.broadcast_in_dim(%x) {broadcast_dimensions = array<i64: 1>}",
     "(tensor<6xf32>) -> tensor<6x6xf32>"},
    {kSquare, "stablehlo.cholesky(%x) {lower = true}",
     "(tensor<2x5x5xf32>) -> tensor<2x5x5xf32>"},
    {kTwo,
     "stablehlo.compare(%x, %y) {comparison_direction = "
     "#stablehlo<comparison_direction LT>, compare_type = "
     "#stablehlo<comparison_type FLOAT>}",
     "(tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>"},
    {"%x: tensor<4x4xf32>, %y: tensor<4x4xf32>",
     "stablehlo.concatenate(%x, %y) {dimension = 0 : i64}",
     "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<?x?xf32>"},
    {kOne,
     "stablehlo.custom_call(%x) {call_target_name = \"f\", has_side_effect = "
     "false, backend_config = \"1\", api_version = 2 : i32}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {"%x: tensor<4x4xf32>, %y: tensor<4x4xf32>",
     "stablehlo.dot_general(%x, %y) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [1]>, precision_config = "
     "[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}",
     "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"},
    {kNumbers,
     "stablehlo.dynamic_slice(%x, %i, %i) {slice_sizes = array<i64: 2, 3>}",
     "(tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<?x?xf32>"},
    {"%x: tensor<4x6xcomplex<f32>>",
     "stablehlo.fft(%x) {fft_type = #stablehlo<fft_type FFT>, fft_length = "
     "array<i64: 6>}",
     "(tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>"},
    {"%x: tensor<6x6xf32>, %i: tensor<3x1xi32>",
     "stablehlo.gather(%x, %i) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
     "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: "
     "1, 6>, indices_are_sorted = false}",
     "(tensor<6x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>"},
    {"%x: tensor<?x?xf32>",
     "stablehlo.get_dimension_size(%x) {dimension = 0 : i64}",
     "(tensor<?x?xf32>) -> tensor<i32>"},
    {kOne, "stablehlo.iota() {iota_dimension = 0 : i64}",
     "() -> tensor<4x6xi32>"},
    {"%x: tensor<4x6xf32>, %z: tensor<f32>",
     "stablehlo.pad(%x, %z) {edge_padding_low = array<i64: 1, 0>, "
     "edge_padding_high = array<i64: 1, 1>, interior_padding = array<i64: 1, "
     "0>}",
     "(tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>"},
    {"%x: tensor<4x4xf32>, %z: tensor<f32>",
     "stablehlo.reduce(%x, %z) ({REGION}) {dimensions = array<i64: 0>}",
     "(tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>"},
    {kOne,
     "stablehlo.reduce_precision(%x) {exponent_bits = 5 : i32, mantissa_bits = "
     "10 : i32}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {"%x: tensor<4x6xf32>, %z: tensor<f32>",
     "stablehlo.reduce_window(%x, %z) ({REGION}) {window_dimensions = "
     "array<i64: 2, 1>, window_strides = array<i64: 1, 1>, base_dilations = "
     "array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = "
     "dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>}",
     "(tensor<4x6xf32>, tensor<f32>) -> tensor<?x?xf32>"},
    {kOne, "stablehlo.reverse(%x) {dimensions = array<i64: 0>}",
     "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
    {"%a: tensor<f32>, %s: tensor<2xi64>",
     "stablehlo.rng(%a, %a, %s) {rng_distribution = "
     "#stablehlo<rng_distribution "
     "UNIFORM>}",
     "(tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>"},
    {kNumbers, "stablehlo.set_dimension_size(%x, %i) {dimension = 0 : i64}",
     "(tensor<4x6xf32>, tensor<i32>) -> tensor<?x?xf32>"},
    {kOne,
     "stablehlo.slice(%x) {start_indices = array<i64: 0, 1>, limit_indices = "
     "array<i64: 4, 6>, strides = array<i64: 1, 2>}",
     "(tensor<4x6xf32>) -> tensor<?x?xf32>"},
    {"%x: tensor<4x4xf32>",
     "stablehlo.transpose(%x) {permutation = array<i64: 1, 0>}",
     "(tensor<4x4xf32>) -> tensor<4x4xf32>"},
    {"%x: tensor<2x5x5xf32>",
     "stablehlo.triangular_solve(%x, %x) {left_side = true, lower = true, "
     "unit_diagonal = false, transpose_a = #stablehlo<transpose "
     "NO_TRANSPOSE>}",
     "(tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>"},
    {"%x: tensor<4x6xf32>, %t: !stablehlo.token",
     "stablehlo.send(%x, %t) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = "
     "false}",
     "(tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token"},
    {"%x: tensor<4x6xf32>, %t: !stablehlo.token",
     "stablehlo.outfeed(%x, %t) {outfeed_config = \"1\"}",
     "(tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token"},
};

/// Words of attributes, and other words in their place.
const std::vector<std::vector<std::string>> kWords = {
    {"true", "false"},
    {"LT", "GE"},
    {"FLOAT", "TOTALORDER"},
    {"\"f\"", "\"g\""},
    {"\"1\"", "\"2\""},
    {"HIGHEST", "HIGH"},
    {"FFT", "IFFT"},
    {"UNIFORM", "NORMAL"},
    {"1.0e-03", "1.0e-02"},
    {"NO_TRANSPOSE", "TRANSPOSE"},
    {"replicated", "maximal"},
    {"handle = 0", "handle = 3"},
    {"[[0, 1]", "[[1, 0]"},
    {"[2, 3]", "[3, 2]"},
    {"array<i64: 1, 0>", "array<i64: 0, 1>"},
    {"[1]", "[0]"},
    {"[[0, 1], [1, 0]]", "[[0, 1], [1, 2]]"},
};

std::vector<std::string> changesOf(const std::string &value) {
  std::vector<std::string> changes;
  for (const auto &words : kWords)
    for (const std::string &from : words)
      if (const size_t at = value.find(from); at != std::string::npos)
        for (const std::string &to : words)
          if (to != from)
            changes.push_back(std::string(value).replace(at, from.size(), to));
  // Numbers, but for those of types.
  const size_t end = std::min(value.find(" : "), value.size());
  for (size_t i = 0; i < end; ++i) {
    if (!llvm::isDigit(value[i]) ||
        (i > 0 && (llvm::isAlnum(value[i - 1]) || value[i - 1] == '.')))
      continue;
    size_t last = i;
    while (last < end && llvm::isDigit(value[last])) ++last;
    const int64_t number = std::stoll(value.substr(i, last - i));
    for (int64_t to : {number + 1, number - 1})
      if (to >= 0)
        changes.push_back(value.substr(0, i) + std::to_string(to) +
                          value.substr(last));
  }
  return changes;
}

struct Attribute {
  std::string key, value;
  size_t begin = 0;
};

/// Returns the attributes of the dictionary in the op's text.
std::vector<Attribute> attributesOf(const std::string &op) {
  std::vector<Attribute> all;
  const size_t open = op.rfind(" {") + 2;
  int depth = 0;
  size_t from = open;
  auto finish = [&](size_t end) {
    const size_t equals = op.find(" = ", from);
    if (equals < end)
      all.push_back({StringRef(op).slice(from, equals).trim().str(),
                     op.substr(equals + 3, end - equals - 3), equals + 3});
    from = end + 1;
  };
  for (size_t i = open; i < op.size(); ++i) {
    const char c = op[i];
    if (c == '[' || c == '<') ++depth;
    if (c == ']' || c == '>') --depth;
    if ((c == ',' && depth == 0) || i + 1 == op.size()) finish(i);
  }
  return all;
}

std::string textOf(const Row &row, std::string op) {
  const size_t paren = op.find('(');
  op = "\"" + op.substr(0, paren) + "\"" + op.substr(paren);
  if (const size_t at = op.find("REGION"); at != std::string::npos)
    op.replace(at, 6, kSum);
  return "module attributes {mhlo.num_replicas = 4 : i32, mhlo.num_partitions "
         "= 4 : i32} {\nfunc.func @main(" +
         std::string(row.operands) + ") {\n  %r = " + op + " : " + row.type +
         "\n  return\n}\n}\n";
}

std::optional<Op> opOf(const std::string &text) {
  auto program = importMlir(text);
  if (!program.ok()) return std::nullopt;
  for (const Computation &computation : program->modules[0].computations)
    if (computation.entry)
      if (const int32_t r = computation.find("r"); r >= 0)
        return computation.instructions[r].op;
  return std::nullopt;
}

TEST(AttributeIdentityTest, EveryAttributeIsPartOfTheOp) {
  int64_t changes = 0;
  std::set<std::string> changed;
  for (const Row &row : kRows) {
    const std::string op = row.op;
    const auto own = opOf(textOf(row, op));
    if (!own) {
      ADD_FAILURE() << textOf(row, op) << importMlir(textOf(row, op)).status();
      continue;
    }
    for (const Attribute &attribute : attributesOf(op)) {
      bool isChanged = false;
      for (const std::string &value : changesOf(attribute.value)) {
        const std::string other =
            op.substr(0, attribute.begin) + value +
            op.substr(attribute.begin + attribute.value.size());
        const auto made = opOf(textOf(row, other));
        if (!made) continue;
        isChanged = true;
        ++changes;
        bool isSame = kNoPart.count(attribute.key) > 0;
        // A channel's number is a name, except for its sign, and except in a
        // transfer, which it pairs with another one.
        if (attribute.key == "channel_handle") {
          const bool isTransfer = StringRef(op).contains("is_host_transfer");
          const bool before =
              !StringRef(attribute.value).contains("handle = 0");
          const bool after = !StringRef(value).contains("handle = 0");
          isSame = !isTransfer && before == after;
        }
        EXPECT_EQ(*made == *own, isSame) << op << "\n" << other;
      }
      EXPECT_TRUE(isChanged || kTied.count(attribute.key))
          << op << ": " << attribute.key;
      changed.insert(op.substr(0, op.find('(')) + "/" + attribute.key);
    }
  }
  EXPECT_GT(changes, 100);
  std::printf("%d changes of %zu attributes\n", static_cast<int>(changes),
              changed.size());
}

/// Ops without an attribute, and the attribute with its default value.
struct DefaultRow {
  Row row;
  const char *attribute;
};

const DefaultRow kDefaults[] = {
    {{kTwo,
      "stablehlo.compare(%x, %y) {comparison_direction = "
      "#stablehlo<comparison_direction LT>}",
      "(tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>"},
     "compare_type = #stablehlo<comparison_type NOTYPE>"},
    {{"%x: tensor<4x4xf32>, %y: tensor<4x4xf32>",
      "stablehlo.dot_general(%x, %y) {dot_dimension_numbers = "
      "#stablehlo.dot<lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [1]>}",
      "(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"},
     "precision_config = [#stablehlo<precision DEFAULT>, "
     "#stablehlo<precision DEFAULT>]"},
    {{kOne, "stablehlo.custom_call(%x) {call_target_name = \"f\"}",
      "(tensor<4x6xf32>) -> tensor<4x6xf32>"},
     "api_version = 1 : i32, backend_config = \"\", has_side_effect = false, "
     "operand_layouts = [], result_layouts = [], output_operand_aliases = []"},
    {{"%x: tensor<4x6xf32>, %t: !stablehlo.token",
      "stablehlo.outfeed(%x, %t) {xla_shape = \"s\"}",
      "(tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token"},
     "outfeed_config = \"\""},
};

TEST(AttributeIdentityTest, ADefaultIsNoAttribute) {
  for (const DefaultRow &each : kDefaults) {
    const std::string without = each.row.op;
    const std::string with =
        StringRef(without).drop_back().str() + ", " + each.attribute + "}";
    const auto first = opOf(textOf(each.row, without));
    const auto second = opOf(textOf(each.row, with));
    ASSERT_TRUE(first) << importMlir(textOf(each.row, without)).status();
    ASSERT_TRUE(second) << importMlir(textOf(each.row, with)).status();
    EXPECT_TRUE(*first == *second) << with;
  }
}

}  // namespace
}  // namespace indexical::testing

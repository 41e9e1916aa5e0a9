// Modules with unknown sizes, beside themselves with the sizes written in:
//
//   %1 = stablehlo.concatenate %0, %0, dim = 1
//          : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
//   %1 = stablehlo.concatenate %0, %0, dim = 1
//          : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
//
// (a size that follows from others is written in as program/maps/refine.h has
// it). The second is run on random arguments, through its maps. At every op the
// maps of the first, with these sizes and values, must give the same pairs. A
// cover of the first must contain these pairs, and is counted apart.
#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/execute.h"
#include "tests/import/stablehlo/given_sizes.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// The text with `size` wherever a type has an unknown one.
std::string withSizes(std::string text, int64_t size) {
  for (size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == '?' && (text[i - 1] == '<' || text[i - 1] == 'x') &&
        text[i + 1] == 'x')
      text.replace(i, 1, std::to_string(size));
  return text;
}

/// Scalars of 64 bits are the sizes themselves, others 0, which is an index
/// that is always right; lists of indices mostly are.
int64_t randomInteger(const ElementKind &kind, bool isScalar, int64_t size,
                      Random &random) {
  if (kind.isBoolean()) return random.in(0, 1);
  if (isScalar) return kind.bits == 64 ? size : 0;
  return random.in(kind.isUnsigned ? 0 : -1, 5);
}

ArrayValue randomArgument(const ElementKind &kind,
                          llvm::ArrayRef<int64_t> sizes, int64_t size,
                          Random &random) {
  ArrayValue array(kind, sizes);
  for (size_t i = 0; i < array.elements.size(); ++i)
    setValue(
        array, i,
        kind.isInteger()
            ? Scalar::integral(randomInteger(kind, sizes.empty(), size, random))
            : Scalar::floating({random.in(-4000, 4000) / 1000.0,
                                random.in(-4000, 4000) / 1000.0}));
  return array;
}

struct Counts {
  int64_t exact = 0, cover = 0, pairs = 0, values = 0;
  int64_t open = 0;  ///< modules whose sizes do not all follow
};

/// The ops of a module, in the order of its text.
std::vector<mlir::Operation *> opsOf(mlir::ModuleOp module) {
  std::vector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) { ops.push_back(op); });
  return ops;
}

/// Compares what an op reads with what its twin of unknown sizes does.
class Comparison {
 public:
  Comparison(mlir::ModuleOp known, mlir::ModuleOp unknown, Counts &counts)
      : counts_(counts) {
    const auto knownOps = opsOf(known), unknownOps = opsOf(unknown);
    for (size_t i = 0; i < std::min(knownOps.size(), unknownOps.size()); ++i)
      twins_[knownOps[i]] = unknownOps[i];
    auto program = importMlir(unknown, {}, &ops_);
    EXPECT_TRUE(program.ok()) << program.status();
    if (program.ok()) program_ = *std::move(program);
  }

  absl::Status check(mlir::Operation *op, OpReads &reads,
                     const ArrayValues &operands, const ArrayValues &values) {
    std::vector<Index> results;
    for (const ArrayValue &value : values) results.push_back(value.sizes);
    mlir::Operation *twin = twins_.lookup(op);
    if (!twin || twin->getName() != op->getName() || !ops_.count(twin))
      return absl::InternalError("an op has no twin");
    // Bodies are run once for every element.
    if (++visits_[op] > kMostVisits) return absl::OkStatus();
    const Imported at = ops_.lookup(twin);
    const Op &descriptor = program_.modules[at.module]
                               .computations[at.computation]
                               .instructions[at.instruction]
                               .op;
    OpReads twinReads(descriptor);
    for (size_t r = 0; r < results.size(); ++r)
      for (size_t k = 0; k < operands.size(); ++k) {
        MapCounts known, unknown;
        auto a = reads.of(r, k, operands, results, known);
        if (!a.ok()) return a.status();
        auto b = twinReads.of(r, k, operands, results, unknown);
        if (!b.ok()) return b.status();
        if (auto s = compare(**a, **b, unknown.cover > 0); !s.ok()) return s;
        counts_.pairs += unknown.pairs;
      }
    return absl::OkStatus();
  }

 private:
  absl::Status compare(const ElementReads &known, const ElementReads &unknown,
                       bool isCover) {
    ++(isCover ? counts_.cover : counts_.exact);
    for (size_t place = 0; place < known.size(); ++place) {
      if (!isCover && known[place] != unknown[place])
        return absl::InternalError("with unknown sizes it reads otherwise");
      if (!std::includes(unknown[place].begin(), unknown[place].end(),
                         known[place].begin(), known[place].end()))
        return absl::InternalError("with unknown sizes it reads less");
    }
    return absl::OkStatus();
  }

  static constexpr int kMostVisits = 20;

  Counts &counts_;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> twins_;
  llvm::DenseMap<mlir::Operation *, int> visits_;
  Program program_;
  ImportedOps ops_;
};

/// The source of the twin's sizes.
enum class Sizes {
  Written,  ///< every unknown one is the number
  Follow,   ///< those of arguments are; others follow from them
};

/// Returns what is wrong, or "".
std::string executeTwins(const std::string &text, const std::string &name,
                         Sizes sizes, int64_t size, Counts &counts) {
  auto context = makeMlirContext();
  const std::string given =
      sizes == Sizes::Written ? withSizes(text, size) : text;
  auto known = parseMlirModule(*context, {given, 1}, name);
  if (!known.ok()) return std::string(known.status().message());
  if (sizes == Sizes::Follow)
    if (auto s = giveSizes(*known->module, size); !s.ok()) {
      counts.open += absl::IsUnimplemented(s);
      return absl::IsUnimplemented(s) ? "" : std::string(s.message());
    }
  auto unknown = parseMlirModule(*context, {text, 1}, name);
  if (!unknown.ok()) return std::string(unknown.status().message());
  auto main = known->module->lookupSymbol<mlir::FunctionOpInterface>("main");
  if (!main) return "there is no function `main`";
  Random random(size);
  ArrayValues arguments;
  for (mlir::Type type : main.getArgumentTypes()) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    auto kind = tensor
                    ? elementKindOf(tensor.getElementType())
                    : absl::UnimplementedError("an argument of another type");
    if (!kind.ok()) return std::string(kind.status().message());
    arguments.push_back(randomArgument(*kind, tensor.getShape(), size, random));
  }
  ExecutionReport report;
  Executor executor(*known->module, report);
  Comparison comparison(*known->module, *unknown->module, counts);
  executor.observe([&](mlir::Operation *op, OpReads *reads,
                       const ArrayValues &operands,
                       const ArrayValues &results) {
    return reads ? comparison.check(op, *reads, operands, results)
                 : absl::OkStatus();
  });
  auto results = executor.run(std::move(arguments));
  if (!results.ok()) return std::string(results.status().message());
  for (const ArrayValue &result : *results)
    counts.values += result.elements.size();
  return "";
}

/// Modules in which a size is another than those of the arguments.
const char *const kOtherSizes[] = {
    "broadcast_in_dim_poly_dynamic.mlir",
    "concatenate_dynamic.mlir",
    "concatenate_grad_dynamic.mlir",
    "dynamlic_slice_t2.mlir",
    "einsum_4_alt_dynamic.mlir",
    "nanquantile_dynamic.mlir",
    "percentile_dynamic.mlir",
    "re3_dynamic.mlir",
    "reduce_window_min_dynamic.mlir",
    "slice_in_dim_limit_neg_dynamic.mlir",
    "slice_in_dim_stride_2_even_dynamic.mlir",
    "tri_N_poly_M_poly_dynamic.mlir",
};

TEST(ExecuteDynamicTest, EveryFileBesideItselfWithSizes) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  std::map<std::string, std::string> notRun = {
      {"conv_general_dilated_1d_stride_2_even_dynamic.mlir",
       "two window strides for one dimension"},
  };
  Counts counts;
  size_t files = 0, left = 0;
  for (const CorpusFile &file :
       corpusFiles("stablehlo/testdata_dynamic", ".mlir")) {
    const Sizes sizes = llvm::is_contained(kOtherSizes, file.name)
                            ? Sizes::Follow
                            : Sizes::Written;
    std::string wrong;
    for (int64_t size : {4, 2, 7})
      if (wrong.empty())
        wrong = executeTwins(textOf(file), file.name, sizes, size, counts);
    if (notRun.erase(file.name)) {
      EXPECT_NE(wrong, "") << file.name << " is no exception any more";
      ++left;
      continue;
    }
    EXPECT_EQ(wrong, "") << file.name;
    files += wrong.empty();
  }
  std::cout << files << " files run, " << left << " not; " << counts.exact
            << " exact maps, " << counts.cover << " covers, " << counts.pairs
            << " pairs, " << counts.values << " values; " << counts.open
            << " times a size stays unknown\n";
  EXPECT_LE(counts.open, 3);
  EXPECT_GE(files, 132u);
  EXPECT_LE(counts.cover, 9);
  EXPECT_GE(counts.exact, 17700);
  EXPECT_GE(counts.values, 464000);
}

//===-- Modules written for the purpose -----------------------------------===//

void expectTwins(const std::string &text, std::initializer_list<int64_t> sizes,
                 Counts &counts) {
  for (int64_t size : sizes)
    EXPECT_EQ(executeTwins(text, "test.mlir", Sizes::Written, size, counts), "")
        << "with the size " << size << "\n"
        << text;
}

/// Runs a `main` of these lines, whose checks hold.
void expectChecks(const std::string &lines) {
  const std::string text = "func.func @main() {\n" + lines + "return\n}";
  auto context = makeMlirContext();
  auto parsed = parseMlirModule(*context, {text, 1}, "test.mlir");
  ASSERT_TRUE(parsed.ok()) << parsed.status() << "\n" << text;
  ExecutionReport report;
  auto results = Executor(*parsed->module, report).run();
  EXPECT_TRUE(results.ok()) << results.status() << "\n" << text;
  EXPECT_EQ(report.checks, 1);
  for (const std::string &mismatch : report.mismatches)
    ADD_FAILURE() << mismatch << "\n" << text;
}

// A size that is known in the run decides whether a dimension expands.
TEST(ExecuteDynamicTest, DimensionsThatMayExpand) {
  Counts counts;
  auto module = [](const std::string &from, const std::string &attributes) {
    return "func.func @main(%x: tensor<" + from +
           "xf32>) -> tensor<4x3xf32> {\n"
           "%s = stablehlo.constant dense<[4, 3]> : tensor<2xi64>\n"
           "%r = \"stablehlo.dynamic_broadcast_in_dim\"(%x, %s) "
           "{broadcast_dimensions = array<i64: 0, 1>" +
           attributes + "} : (tensor<" + from +
           "xf32>, tensor<2xi64>) -> tensor<4x3xf32>\n"
           "return %r : tensor<4x3xf32>\n}";
  };
  expectTwins(module("?x3", ""), {1, 4}, counts);
  expectTwins(module("4x?", ""), {1, 3}, counts);
  expectTwins(module("?x?", ""), {1}, counts);
  expectTwins(module("?x3", ", known_expanding_dimensions = array<i64: 0>"),
              {1}, counts);
  expectTwins(module("?x3", ", known_nonexpanding_dimensions = array<i64: 0>"),
              {4}, counts);
  expectTwins(module("?x?", ", known_expanding_dimensions = array<i64: 1>"),
              {1}, counts);
  EXPECT_EQ(counts.cover, 0);
  EXPECT_EQ(counts.exact, 16);
}

// Numbers of different dimensions do not trade places on the way.
TEST(ExecuteDynamicTest, NumbersThatAreFollowed) {
  // Lines that compute %A, which is [a, b].
  const std::pair<const char *, const char *> ways[] = {
      {"as they are",
       "%A = stablehlo.constant dense<[@a, @b]> : tensor<2xi32>\n"},
      {"reversed",
       "%A0 = stablehlo.constant dense<[@b, @a]> : tensor<2xi32>\n"
       "%A = stablehlo.reverse %A0, dims = [0] : tensor<2xi32>\n"},
      {"concatenated",
       "%A0 = stablehlo.constant dense<[@a]> : tensor<1xi32>\n"
       "%A1 = stablehlo.constant dense<[@b]> : tensor<1xi32>\n"
       "%A = stablehlo.concatenate %A0, %A1, dim = 0 : (tensor<1xi32>, "
       "tensor<1xi32>) -> tensor<2xi32>\n"},
      {"sliced",
       "%A0 = stablehlo.constant dense<[7, @a, 8, @b]> : tensor<4xi32>\n"
       "%A = stablehlo.slice %A0 [1:4:2] : (tensor<4xi32>) -> "
       "tensor<2xi32>\n"},
      {"transposed",
       "%A0 = stablehlo.constant dense<[[@a, 7], [@b, 8]]> : tensor<2x2xi32>\n"
       "%A1 = stablehlo.transpose %A0, dims = [1, 0] : (tensor<2x2xi32>) -> "
       "tensor<2x2xi32>\n"
       "%A2 = stablehlo.slice %A1 [0:1, 0:2] : (tensor<2x2xi32>) -> "
       "tensor<1x2xi32>\n"
       "%A = stablehlo.reshape %A2 : (tensor<1x2xi32>) -> tensor<2xi32>\n"},
      {"computed",
       "%A0 = stablehlo.constant dense<[@a, @b]> : tensor<2xi32>\n"
       "%A1 = stablehlo.constant dense<[5, 9]> : tensor<2xi32>\n"
       "%A2 = stablehlo.add %A0, %A1 : tensor<2xi32>\n"
       "%A3 = stablehlo.subtract %A2, %A1 : tensor<2xi32>\n"
       "%A4 = stablehlo.reverse %A3, dims = [0] : tensor<2xi32>\n"
       "%A5 = stablehlo.maximum %A4, %A4 : tensor<2xi32>\n"
       "%A = stablehlo.reverse %A5, dims = [0] : tensor<2xi32>\n"},
      {"clamped",
       "%A0 = stablehlo.constant dense<[@a, 99]> : tensor<2xi32>\n"
       "%A1 = stablehlo.constant dense<[-1, 0]> : tensor<2xi32>\n"
       "%A2 = stablehlo.constant dense<[50, @b]> : tensor<2xi32>\n"
       "%A = stablehlo.clamp %A1, %A0, %A2 : tensor<2xi32>\n"},
  };
  auto list = [](std::string way, const std::string &name, int a, int b) {
    const std::pair<const char *, std::string> holes[] = {
        {"%A", "%" + name},
        {"@a", std::to_string(a)},
        {"@b", std::to_string(b)}};
    for (const auto &[hole, text] : holes)
      for (size_t at; (at = way.find(hole)) != std::string::npos;)
        way.replace(at, 2, text);
    return way;
  };
  Counts counts;
  for (const auto &[name, way] : ways) {
    SCOPED_TRACE(name);
    expectChecks(
        "%x = stablehlo.constant dense<[[0, 1, 2, 3, 4], [10, 11, 12, 13, 14], "
        "[20, 21, 22, 23, 24], [30, 31, 32, 33, 34]]> : tensor<4x5xi32>\n" +
        list(way, "from", 1, 0) + list(way, "to", 4, 5) +
        list(way, "by", 2, 3) +
        "%r = stablehlo.real_dynamic_slice %x, %from, %to, %by : "
        "(tensor<4x5xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> "
        "tensor<2x2xi32>\n"
        "check.expect_eq_const %r, dense<[[10, 13], [30, 33]]> : "
        "tensor<2x2xi32>\n");
    expectChecks(
        "%x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>\n"
        "%z = stablehlo.constant dense<0> : tensor<i32>\n" +
        list(way, "low", 1, 0) + list(way, "high", 0, 2) +
        list(way, "between", 0, 1) +
        "%r = stablehlo.dynamic_pad %x, %z, %low, %high, %between : "
        "(tensor<2x2xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, "
        "tensor<2xi32>) -> tensor<3x5xi32>\n"
        "check.expect_eq_const %r, dense<[[0, 0, 0, 0, 0], [1, 0, 2, 0, 0], "
        "[3, 0, 4, 0, 0]]> : tensor<3x5xi32>\n");
    // [1:11:2, 2:18:3]
    expectTwins("func.func @main(%x: tensor<?x20xf32>) -> tensor<5x6xf32> {\n" +
                    list(way, "from", 1, 2) + list(way, "to", 11, 18) +
                    list(way, "by", 2, 3) +
                    "%r = stablehlo.real_dynamic_slice %x, %from, %to, %by : "
                    "(tensor<?x20xf32>, tensor<2xi32>, tensor<2xi32>, "
                    "tensor<2xi32>) -> tensor<5x6xf32>\n"
                    "return %r : tensor<5x6xf32>\n}",
                {12, 11}, counts);
    expectTwins(
        "func.func @main(%x: tensor<?x3xf32>, %z: tensor<f32>) -> "
        "tensor<9x14xf32> {\n" +
            list(way, "low", 1, 2) + list(way, "high", 3, 5) +
            list(way, "between", 1, 2) +
            "%r = stablehlo.dynamic_pad %x, %z, %low, %high, %between "
            ": (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, "
            "tensor<2xi32>, tensor<2xi32>) -> tensor<9x14xf32>\n"
            "return %r : tensor<9x14xf32>\n}",
        {3}, counts);
  }
  EXPECT_EQ(counts.cover, 0);
  EXPECT_GE(counts.exact, 7 * 2 * 4);
}

}  // namespace
}  // namespace indexical::testing

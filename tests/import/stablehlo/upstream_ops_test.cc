// Ops of upstream MLIR, by enumeration: the maps of each family against an
// interpreter, random instances, sizes known and not.
//
// An exact answer is what the interpreter read; a cover contains it. Both
// directions are each other's transposes and have one precision, the pieces of
// output to input are disjoint. What a slice that is inserted and slices that
// are scattered leave of their destination is asked for all small sizes,
// offsets, strides and places, and has to be exact (without
// INDEXICAL_INSTANCES, of slices with two dimensions for a fifteenth, of other
// slices and of places for a third).
//
//   INDEXICAL_SEED=17 INDEXICAL_INSTANCES=1 repeats one instance.
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/ops/op.h"
#include "tests/import/stablehlo/random_upstream.h"
#include "tests/import/stablehlo/upstream_interpreter.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

mlir::MLIRContext &context() {
  static mlir::MLIRContext *made = [] {
    auto *c = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    c->loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                   mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                   mlir::math::MathDialect, mlir::tensor::TensorDialect,
                   mlir::vector::VectorDialect>();
    return c;
  }();
  return *made;
}

mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text, bool verify) {
  mlir::ParserConfig config(&context(), verify);
  return mlir::parseSourceString<mlir::ModuleOp>(text, config);
}

/// The last op before the return.
mlir::Operation *opOf(mlir::ModuleOp module) {
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  return function.getBody().front().getTerminator()->getPrevNode();
}

std::vector<ArrayShape> shapesOfTypes(mlir::TypeRange types) {
  std::vector<ArrayShape> shapes;
  for (mlir::Type type : types) shapes.push_back(shapeOf(type)->array);
  return shapes;
}

std::string textOf(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces()) text += piece.str() + "\n";
  return text + std::string(precisionName(relation.precision()));
}

struct Check {
  const UpstreamFamily &family;
  UpstreamInstance instance;
  mlir::OwningOpRef<mlir::ModuleOp> module, concrete;
  Op op;
  std::vector<ArrayShape> sizes;  ///< of each leaf, this time
  OperandValues values;
  std::vector<Tensor> expected;
  size_t exactPairs = 0, covers = 0;

  /// False: failed.
  bool prepare() {
    static const std::regex unknown("\\?[0-9]+"), known("\\?");
    module = parse(std::regex_replace(instance.text, unknown, "?"), true);
    concrete = parse(std::regex_replace(instance.text, known, ""), false);
    if (!module || !concrete) return false;
    mlir::Operation *mlirOp = opOf(*module), *run = opOf(*concrete);
    const std::vector<mlir::Value> leaves = leavesOf(mlirOp);
    OpShapes own;
    own.operands = shapesOfTypes(mlirOp->getOperandTypes());
    own.results = shapesOfTypes(mlirOp->getResultTypes());
    if (!findMlirOp(mlirOp->getName().getStringRef())) return false;
    auto described = describeOp(mlirOp, own);
    EXPECT_TRUE(described.ok()) << described.status();
    if (!described.ok()) return false;
    op = *std::move(described);
    // The importer adds what the regions of a cover capture.
    op = op.changed([&](OpDraft &whole) {
      for (size_t k = whole->operands.size(); k < leaves.size(); ++k)
        whole->operands.push_back(shapeOf(leaves[k].getType())->array);
    });
    const absl::Status status = verify(op);
    EXPECT_TRUE(status.ok()) << status;
    for (mlir::Value leaf : leavesOf(run))
      sizes.push_back(ArrayShape(ElementType::F32, sizesOf(leaf.getType())));
    give(instance.values);
    // The descriptor stays when the module is gone.
    module = nullptr;
    return status.ok();
  }

  /// Runs the op on what the function's arguments hold.
  void give(const OperandValues &arguments) {
    mlir::Operation *run = opOf(*concrete);
    values.clear();
    for (mlir::Value leaf : leavesOf(run))
      values.push_back(
          arguments[llvm::cast<mlir::BlockArgument>(leaf).getArgNumber()]);
    expected = interpret(run, values);
  }

  void pair(size_t r, size_t k) {
    std::vector<PointPair> reads;
    for (size_t i = 0; i < expected[r].elements.size(); ++i)
      for (const Read &read : expected[r].elements[i])
        if (read.operand == static_cast<int64_t>(k))
          reads.emplace_back(i, read.element);
    auto forward = indexing(op, Direction::OutputToInput, r, k);
    auto backward = indexing(op, Direction::InputToOutput, r, k);
    ASSERT_TRUE(forward.ok()) << forward.status();
    ASSERT_TRUE(backward.ok()) << backward.status();
    EXPECT_EQ(forward->precision(), backward->precision());
    const Index &from = expected[r].sizes;
    const Index to(sizes[k].dimensions.begin(), sizes[k].dimensions.end());
    // A size may be that of a result: their tensors stand behind the operands'.
    std::vector<ArrayShape> tensors(sizes.begin(), sizes.end());
    for (const auto &result : expected)
      tensors.push_back(ArrayShape(ElementType::F32, result.sizes));
    OperandValues elements(values.begin(), values.end());
    elements.resize(tensors.size());
    auto found = pointsWithin(*forward, from, to, {tensors, elements});
    auto turned = pointsWithin(*backward, to, from, {tensors, elements});
    const std::string texts =
        textOf(*forward) + "\n" + textOf(*backward) + "\n";
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << texts;
    ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << texts;
    EXPECT_EQ(turned->pairs, transposed(found->pairs)) << texts;
    if (family.isDisjoint) {
      EXPECT_TRUE(found->disjoint) << texts;
    }
    if (forward->precision() == Precision::Exact) {
      EXPECT_EQ(found->pairs, reads) << texts;
      ++exactPairs;
    } else {
      ++covers;
      EXPECT_TRUE(std::includes(found->pairs.begin(), found->pairs.end(),
                                reads.begin(), reads.end()))
          << texts;
    }
  }
};

class UpstreamOps : public ::testing::TestWithParam<UpstreamFamily> {};

void checkFamily(const UpstreamFamily &family, bool open) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_INSTANCES", 100);
  size_t exact = 0, covers = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    Check check{family, family.make(random, open), {}, {}, {}, {}, {}, {}};
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + check.instance.text);
    ASSERT_TRUE(check.prepare());
    for (size_t r = 0; r < shapesOf(check.op).results.size(); ++r)
      for (size_t k = 0; k < shapesOf(check.op).operands.size(); ++k) {
        SCOPED_TRACE("result " + std::to_string(r) + ", operand " +
                     std::to_string(k));
        check.pair(r, k);
        if (::testing::Test::HasFailure()) return;
      }
    exact += check.exactPairs;
    covers += check.covers;
  }
  EXPECT_GT(exact, 0u);
  ::testing::Test::RecordProperty("exact", static_cast<int>(exact));
  ::testing::Test::RecordProperty("covers", static_cast<int>(covers));
  llvm::outs() << "  " << family.name << ": " << exact << " pairs exact, "
               << covers << " covers\n";
}

TEST_P(UpstreamOps, ReadWhatTheInterpreterReads) {
  checkFamily(GetParam(), false);
}

TEST_P(UpstreamOps, ReadItWhereSizesAreNotKnown) {
  if (GetParam().canBeOpen) checkFamily(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(
    Families, UpstreamOps, ::testing::ValuesIn(upstreamFamilies()),
    [](const ::testing::TestParamInfo<UpstreamFamily> &info) {
      return info.param.name.str();
    });

//===-- All small ones ----------------------------------------------------===//

/// A way along one dimension of a destination.
struct Stride {
  int64_t offset, stride;
};

/// All that keep a slice of so many elements inside of the dimension.
std::vector<Stride> stridesOf(int64_t whole, int64_t size, int64_t most) {
  std::vector<Stride> all;
  for (int64_t offset = 0; offset < whole; ++offset)
    for (int64_t stride = -most; stride <= most; ++stride) {
      const int64_t last = offset + std::max<int64_t>(size - 1, 0) * stride;
      if (last >= 0 && last < whole) all.push_back({offset, stride});
    }
  return all;
}

/// Whether the sizes of the whole and of the slice are unknown.
struct OpenSizes {
  bool whole, slice;
};

constexpr OpenSizes kOpenSizes[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

/// Inserts a slice of these sizes, whose offsets and strides are operands: the
/// destination's maps are exact for each of their values, of which one in
/// `every` is looked at.
void checkInsertSlice(const Index &whole, const Index &slice, OpenSizes open,
                      int64_t mostStride, size_t every, size_t &checked) {
  Random random(1);
  FunctionText t(random, false);
  auto type = [](const Index &sizes, bool isOpen) {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += (isOpen ? "?" : "") + std::to_string(size) + "x";
    return text + "f32>";
  };
  auto listOf = [&](const Index &values, bool areOperands) {
    std::string text;
    for (int64_t value : values)
      text += (text.empty() ? "[" : ", ") +
              (areOperands ? t.index(value) : std::to_string(value));
    return text + "]";
  };
  const std::string from = type(slice, open.slice);
  const std::string into = type(whole, open.whole);
  const std::string source = t.argument(from), dest = t.argument(into);
  const size_t rank = whole.size(), firstOffset = 2;
  const Index some(rank, 0);
  const std::string offsets = listOf(some, true);
  const std::string sizes = listOf(slice, open.slice);
  const size_t firstStride = firstOffset + rank * (open.slice ? 2 : 1);
  const std::string strides = listOf(some, true);
  const UpstreamFamily family{"insert_slice", nullptr};
  Check check{family,
              t.finish("%r = tensor.insert_slice " + source + " into " + dest +
                       offsets + " " + sizes + " " + strides + " : " + from +
                       " into " + into),
              {},
              {},
              {},
              {},
              {},
              {}};
  SCOPED_TRACE(check.instance.text);
  ASSERT_TRUE(check.prepare());
  std::vector<std::vector<Stride>> choices;
  for (size_t k = 0; k < rank; ++k)
    choices.push_back(stridesOf(whole[k], slice[k], mostStride));
  Index counts;
  for (const auto &some : choices) counts.push_back(some.size());
  size_t number = slice[0];  // others of other slices
  forEachIndex(counts, [&](const Index &chosen) {
    if (::testing::Test::HasFailure() || number++ % every != 0) return;
    OperandValues values = check.instance.values;
    std::string shown;
    for (size_t k = 0; k < rank; ++k) {
      const Stride &along = choices[k][chosen[k]];
      values[firstOffset + k] = {along.offset};
      values[firstStride + k] = {along.stride};
      shown += " " + std::to_string(along.offset) + " by " +
               std::to_string(along.stride);
    }
    SCOPED_TRACE("from" + shown);
    check.give(values);
    check.pair(0, 1);
    ++checked;
  });
  EXPECT_EQ(check.covers, 0u);
}

/// One in how many choices the run asks: all, or one in `part`.
size_t oneIn(size_t part) {
  return std::getenv("INDEXICAL_INSTANCES") ? 1 : part;
}

TEST(UpstreamOpsTest, EverySmallSliceInsertedByOpenStrides) {
  size_t checked = 0;
  for (OpenSizes open : kOpenSizes) {
    for (int64_t whole = 1; whole <= 5; ++whole)
      for (int64_t slice = 0; slice <= whole; ++slice)
        checkInsertSlice({whole}, {slice}, open, 4, oneIn(3), checked);
    // Two dimensions take a tenth of a second a slice; they are all open, or
    // none is.
    if (open.whole != open.slice) continue;
    for (int64_t rows = 0; rows <= 3; ++rows)
      for (int64_t columns = 0; columns <= 2; ++columns)
        checkInsertSlice({3, 2}, {rows, columns}, open, 2, oneIn(15), checked);
    if (HasFailure()) return;
  }
  llvm::outs() << "  " << checked << " slices\n";
  EXPECT_GT(checked, oneIn(2) == 1 ? 5000u : 600u);
}

/// Scatters slices of one element along the named dimensions to these places,
/// one for each of the numbers of elements that the dimensions have.
void checkScatter(const Index &whole, const std::vector<bool> &open,
                  const Index &named, size_t count,
                  llvm::ArrayRef<std::vector<int64_t>> choices,
                  size_t &checked) {
  Random random(1);
  FunctionText t(random, false);
  std::string into = "tensor<", from = "tensor<" + std::to_string(count) + "x";
  for (size_t k = 0; k < whole.size(); ++k) {
    const std::string size =
        (open[k] ? "?" : "") + std::to_string(whole[k]) + "x";
    const bool isNamed =
        std::find(named.begin(), named.end(), k) != named.end();
    into += size;
    from += isNamed ? "1x" : size;
  }
  into += "f32>", from += "f32>";
  const std::string indices = "tensor<" + std::to_string(count) + "x" +
                              std::to_string(named.size()) + "xindex>";
  const std::string source = t.argument(from), dest = t.argument(into);
  const std::string at = t.argument(indices, choices[0]);
  const UpstreamFamily family{"tensor_scatter", nullptr};
  Check check{family,
              t.finish("%r = tensor.scatter " + source + " into " + dest + "[" +
                       at + "] scatter_dims(" + t.list(named) + ") unique : (" +
                       from + ", " + into + ", " + indices + ") -> " + into),
              {},
              {},
              {},
              {},
              {},
              {}};
  SCOPED_TRACE(check.instance.text);
  ASSERT_TRUE(check.prepare());
  for (size_t i = 0; i < choices.size(); i += oneIn(3)) {
    const std::vector<int64_t> &places = choices[i];
    SCOPED_TRACE("to " + t.list(places));
    check.give({{}, {}, places});
    check.pair(0, 1);
    ++checked;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(check.covers, 0u);
}

/// Every choice of places along the named dimensions.
void checkScatters(const Index &whole, const std::vector<bool> &open,
                   const Index &named, size_t &checked) {
  std::vector<std::vector<int64_t>> places;
  Index sizes;
  for (int64_t k : named) sizes.push_back(whole[k]);
  forEachIndex(sizes, [&](const Index &index) {
    places.emplace_back(index.begin(), index.end());
  });
  std::vector<std::vector<std::vector<int64_t>>> byCount(places.size() + 1);
  for (uint64_t set = 1; set < uint64_t{1} << places.size(); ++set) {
    std::vector<int64_t> chosen;
    size_t count = 0;
    // In another order than that of the places.
    for (size_t i = places.size(); i-- > 0;)
      if (set >> i & 1) {
        chosen.insert(chosen.end(), places[i].begin(), places[i].end());
        ++count;
      }
    byCount[count].push_back(std::move(chosen));
  }
  for (size_t count = 1; count < byCount.size(); ++count)
    checkScatter(whole, open, named, count, byCount[count], checked);
}

TEST(UpstreamOpsTest, EveryChoiceOfPlacesScatteredTo) {
  size_t checked = 0;
  for (const bool first : {true, false})
    for (const bool second : {true, false}) {
      const std::vector<bool> open = {first, second};
      for (const Index &whole :
           {Index{1, 4}, Index{2, 3}, Index{3, 2}, Index{2, 4}})
        checkScatters(whole, open, {0, 1}, checked);
      // More than 3 slices are one piece.
      checkScatters({8, 2}, open, {0}, checked);
      checkScatters({2, 8}, open, {1}, checked);
      if (HasFailure()) return;
    }
  llvm::outs() << "  " << checked << " choices\n";
  EXPECT_GT(checked, oneIn(2) == 1 ? 3600u : 1200u);
}

}  // namespace
}  // namespace indexical::testing

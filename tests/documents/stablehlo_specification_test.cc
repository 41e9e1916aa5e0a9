// Rules of the specification of StableHLO, for sizes that are not known.
//
// The pairs of elements are computed here, by the definition of the op, at all
// small sizes, and compared with the points of its maps, which know no sizes.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/ops/sizes.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

using Sizes = std::vector<int64_t>;
using Pairs = std::set<PointPair>;

/// An array of which the sizes that are -1 are not known.
ArrayShape shapeOf(const Sizes &sizes) {
  ArrayShape shape(ElementType::F32, {});
  for (int64_t size : sizes) {
    shape.dimensions.push_back(size < 0 ? kDynamicSize : size);
    if (size < 0) shape.dynamic.resize(sizes.size(), false);
  }
  for (size_t k = 0; k < sizes.size(); ++k)
    if (sizes[k] < 0) shape.dynamic[k] = true;
  return shape;
}

int64_t placeOf(const Sizes &index, const Sizes &sizes) {
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

/// The maps between result 0 and an operand are exact, and have these pairs of
/// (result, operand) in a run with these sizes.
void expectPairs(const Op &op, int64_t operand, const std::vector<Sizes> &sizes,
                 const Pairs &pairs, const std::string &what) {
  std::vector<ArrayShape> shapes;
  for (const Sizes &each : sizes) shapes.push_back(shapeOf(each));
  const OperandValues values(shapes.size());
  const std::vector<PointPair> down(pairs.begin(), pairs.end());
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    const bool forward = direction == Direction::OutputToInput;
    auto relation = indexing(op, direction, 0, operand);
    ASSERT_TRUE(relation.ok()) << relation.status() << what;
    EXPECT_EQ(relation->precision(), Precision::Exact) << what;
    const Sizes &from = forward ? sizes.back() : sizes[operand];
    const Sizes &to = forward ? sizes[operand] : sizes.back();
    auto points =
        pointsWithin(*relation, from, to, {shapes, values, 0, /*strict=*/true});
    ASSERT_TRUE(points.ok()) << points.status() << what;
    EXPECT_EQ(points->pairs, forward ? down : transposed(down))
        << (forward ? "output to input" : "input to output") << what;
  }
}

//===-- cholesky ----------------------------------------------------------===//

/// C3 of cholesky: rows and columns are one size, and C1: so are the result's.
TEST(Specification, RowsAndColumnsOfCholeskyAreOneSize) {
  auto op = [](const Sizes &a, const Sizes &result) {
    CholeskyOp op;
    op.operands = {shapeOf(a)};
    op.results = {shapeOf(result)};
    return Op(std::move(op));
  };
  const Op open = op({-1, -1}, {-1, -1});
  const OpSizes sizes(open);
  for (SizeRef ref : {SizeRef{0, 1}, SizeRef{1, 0}, SizeRef{1, 1}})
    EXPECT_TRUE(sizes.areEqual({0, 0}, ref));
  // A size that is known of one is known of all.
  const Op half = op({-1, 4}, {-1, -1});
  EXPECT_EQ(OpSizes(half).value({1, 0}), 4);
  const Op wrong = op({-1, 4}, {3, -1});
  EXPECT_FALSE(OpSizes(wrong).verify().ok());
  // Element (i, j) of the lower factor reads a[p, q], q <= p <= j, and a[i, q].
  for (int64_t n = 0; n <= 4; ++n) {
    Pairs pairs;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j)
        for (int64_t q = 0; q <= j; ++q) {
          pairs.insert({i * n + j, i * n + q});
          for (int64_t p = q; p <= j; ++p) pairs.insert({i * n + j, p * n + q});
        }
    expectPairs(open, 0, {{n, n}, {n, n}}, pairs, ", n = " + std::to_string(n));
  }
}

//===-- convolution -------------------------------------------------------===//

/// A convolution [b, 0, f] x [0, i, o] -> [b, 0, f] with a window of 2.
struct Grouped {
  int64_t groups;
  bool knowsInput, knowsKernelInput, knowsKernelOutput, knowsResult;

  static int64_t ifKnown(bool known, int64_t size) { return known ? size : -1; }

  std::vector<Sizes> sizes(int64_t batch, int64_t length, int64_t input,
                           int64_t output, bool areAll) const {
    auto known = [&](bool flag, int64_t size) {
      return ifKnown(areAll || flag, size);
    };
    return {{batch, length, known(knowsInput, input * groups)},
            {2, known(knowsKernelInput, input),
             known(knowsKernelOutput, output * groups)},
            {batch, length - 1, known(knowsResult, output * groups)}};
  }

  Op op(const std::vector<Sizes> &sizes) const {
    ConvolutionOp op;
    op.inputBatch = 0, op.inputFeature = 2, op.inputSpatial = {1};
    op.kernelSpatial = {0}, op.kernelInputFeature = 1;
    op.kernelOutputFeature = 2;
    op.outputBatch = 0, op.outputFeature = 2, op.outputSpatial = {1};
    op.featureGroups = groups;
    WindowDimension window;
    window.size = 2;
    op.window.push_back(window);
    op.operands = {shapeOf(sizes[0]), shapeOf(sizes[1])};
    op.results = {shapeOf(sizes[2])};
    return Op(std::move(op));
  }
};

/// Output feature f reads the input features of its group, and no others,
/// whatever is known of their numbers.
TEST(Specification, GroupsOfFeaturesThatAreNotKnownAreExact) {
  int cases = 0;
  for (int64_t groups : {1, 2, 3})
    for (int which = 0; which < 16; ++which)
      for (int64_t input : {1, 2, 3})
        for (int64_t output : {1, 2}) {
          const Grouped made = {groups, (which & 1) != 0, (which & 2) != 0,
                                (which & 4) != 0, (which & 8) != 0};
          const auto all = made.sizes(2, 3, input, output, true);
          const Op op = made.op(made.sizes(2, 3, input, output, false));
          ASSERT_TRUE(verify(op).ok()) << verify(op);
          Pairs pairs;
          for (int64_t b = 0; b < 2; ++b)
            for (int64_t x = 0; x < 2; ++x)
              for (int64_t f = 0; f < output * groups; ++f)
                for (int64_t w = 0; w < 2; ++w)
                  for (int64_t s = 0; s < input; ++s)
                    pairs.insert(
                        {placeOf({b, x, f}, all[2]),
                         placeOf({b, x + w, f / output * input + s}, all[0])});
          expectPairs(op, 0, all, pairs,
                      ", groups " + std::to_string(groups) + ", known " +
                          std::to_string(which) + ", input " +
                          std::to_string(input) + ", output " +
                          std::to_string(output));
          ++cases;
        }
  EXPECT_EQ(cases, 3 * 16 * 6);
}

}  // namespace
}  // namespace indexical::testing

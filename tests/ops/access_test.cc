// Accesses, enumerated: both maps against the iteration space itself.
#include "indexical/ops/access.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/ops/families.h"
#include "tests/oracle/oracle.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// A coordinate: constant + sum of coefficient * loop, divided or not, plus the
/// value of an element of operand 1 at one loop.
struct Coordinate {
  int64_t constant = 0;
  std::vector<int64_t> coefficients;
  int64_t divisor = 1, modulus = 0;
  int64_t elementLoop = -1;
};

struct Instance {
  std::vector<int64_t> loops;
  std::vector<Coordinate> result, operand, guards;
  std::vector<int64_t> values;  ///< of operand 1
  std::vector<int64_t> resultSizes, operandSizes;
};

Coordinate randomCoordinate(Random &random, const Instance &in) {
  Coordinate c;
  c.coefficients.resize(in.loops.size());
  const int64_t count = in.loops.size();
  if (random.oneIn(8)) c.constant = random.in(-2, 3);
  if (count == 0) return c;
  if (random.oneIn(3)) {  // digits
    int64_t unit = random.oneIn(4) ? random.in(1, 3) : 1;
    for (int64_t l : random.permutation(count)) {
      c.coefficients[l] = unit;
      unit *= std::max<int64_t>(in.loops[l] + (random.oneIn(4) ? 1 : 0), 1);
      if (random.oneIn(2)) break;
    }
  } else {
    for (int64_t l = 0; l < count; ++l)
      if (random.oneIn(2)) c.coefficients[l] = random.in(-2, 3);
  }
  if (random.oneIn(5)) c.divisor = random.in(2, 3);
  if (random.oneIn(5)) c.modulus = random.in(1, 4);
  if (random.oneIn(5)) c.elementLoop = random.in(0, count - 1);
  return c;
}

Instance randomInstance(Random &random) {
  Instance in;
  for (int64_t l = random.in(0, 3); l > 0; --l)
    in.loops.push_back(random.oneIn(12) ? 0 : random.in(1, 5));
  for (int64_t k = random.in(0, 3); k > 0; --k) {
    in.result.push_back(randomCoordinate(random, in));
    in.resultSizes.push_back(random.in(1, 9));
  }
  for (int64_t k = random.in(0, 3); k > 0; --k) {
    in.operand.push_back(randomCoordinate(random, in));
    in.operandSizes.push_back(random.in(1, 9));
  }
  if (random.oneIn(3)) in.guards.push_back(randomCoordinate(random, in));
  for (int i = 0; i < 5; ++i) in.values.push_back(random.in(-2, 6));
  return in;
}

Expr exprOf(const Coordinate &c, Access &access) {
  Expr e = access.constant(c.constant);
  for (size_t l = 0; l < c.coefficients.size(); ++l)
    e = e + access.loopNumber(l) * c.coefficients[l];
  e = floorDiv(e, c.divisor);
  if (c.modulus) e = mod(e, c.modulus);
  if (c.elementLoop >= 0)
    e = e + access.element({-1, 4}, 1, {access.loopNumber(c.elementLoop)});
  return e;
}

int64_t floorOf(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// Returns the value, or nothing if an element is out of bounds.
std::optional<int64_t> valueOf(const Coordinate &c, const Instance &in,
                               const std::vector<int64_t> &point) {
  int64_t value = c.constant;
  for (size_t l = 0; l < point.size(); ++l)
    value += c.coefficients[l] * point[l];
  value = floorOf(value, c.divisor);
  if (c.modulus) value -= floorOf(value, c.modulus) * c.modulus;
  if (c.elementLoop >= 0) {
    const int64_t element = in.values[point[c.elementLoop]];
    if (element < -1 || element > 4) return std::nullopt;
    value += element;
  }
  return value;
}

std::optional<int64_t> placeOf(const std::vector<Coordinate> &coordinates,
                               const std::vector<int64_t> &sizes,
                               const Instance &in,
                               const std::vector<int64_t> &point) {
  int64_t place = 0;
  for (size_t k = 0; k < coordinates.size(); ++k) {
    const auto value = valueOf(coordinates[k], in, point);
    if (!value || *value < 0 || *value >= sizes[k]) return std::nullopt;
    place = place * sizes[k] + *value;
  }
  return place;
}

std::vector<PointPair> definition(const Instance &in) {
  std::vector<PointPair> pairs;
  int64_t total = 1;
  for (int64_t count : in.loops) total *= count;
  for (int64_t n = 0; n < total; ++n) {
    std::vector<int64_t> point(in.loops.size());
    for (int64_t l = in.loops.size() - 1, rest = n; l >= 0; --l) {
      point[l] = rest % in.loops[l];
      rest /= in.loops[l];
    }
    const auto r = placeOf(in.result, in.resultSizes, in, point);
    const auto o = placeOf(in.operand, in.operandSizes, in, point);
    bool holds = r && o;
    for (const Coordinate &guard : in.guards) {
      const auto value = valueOf(guard, in, point);
      holds = holds && value && *value >= 0 && *value <= 2;
    }
    if (holds) pairs.emplace_back(*r, *o);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

TEST(Access, BothMapsAreTheRelation) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_INSTANCES", 4000);
  size_t points = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Instance in = randomInstance(random);
    CustomOp op;
    op.operands = {ArrayShape(ElementType::F32, in.operandSizes),
                   ArrayShape(ElementType::S32, {5})};
    op.results = {ArrayShape(ElementType::F32, in.resultSizes)};
    op.maps = std::make_shared<FunctionMaps>(
        [&in](const OpShapes &, int64_t, int64_t, AccessList &list) {
          Access &access = list.add();
          for (int64_t loop : in.loops) access.loop({0, loop - 1});
          for (const Coordinate &c : in.result)
            access.result.push_back(exprOf(c, access));
          for (const Coordinate &c : in.operand)
            access.operand.push_back(exprOf(c, access));
          for (const Coordinate &c : in.guards)
            access.constraint(exprOf(c, access), {0, 2});
          return absl::OkStatus();
        });
    const std::vector<ArrayShape> shapes(op.operands.begin(),
                                         op.operands.end());
    const OperandValues values = {{}, in.values};
    const std::vector<PointPair> expected = definition(in);
    points += expected.size();
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput}) {
      const bool forward = direction == Direction::OutputToInput;
      auto relation = indexing(op, direction, 0, 0);
      ASSERT_TRUE(relation.ok())
          << "seed " << seed << ": " << relation.status();
      auto found = pointsOf(
          *relation, forward ? in.resultSizes : in.operandSizes,
          forward ? in.operandSizes : in.resultSizes, {shapes, values});
      std::string text;
      for (const IndexingMap &piece : relation->pieces())
        text += piece.str() + "\n";
      ASSERT_TRUE(found.ok())
          << "seed " << seed << ": " << found.status() << "\n"
          << text;
      EXPECT_EQ(found->pairs, forward ? expected : transposed(expected))
          << "seed " << seed << (forward ? " forward\n" : " backward\n")
          << text;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(points, count);  // not all of them empty
}

//===-- Boxes -------------------------------------------------------------===//

TEST(Access, OutsideOfABox) {
  // 7 x 6, the box from (1, 2), 2 x 3 elements, strides 3 and 1.
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {7, 6})};
  op.results = op.operands;
  op.maps = std::make_shared<FunctionMaps>(
      [](const OpShapes &shapes, int64_t, int64_t, AccessList &list) {
        addOutside(list, 2, [&](Access &access) {
          access.result = access.loopsOver(shapes.results[0]);
          access.operand = access.result;
          return llvm::SmallVector<Stretch, 6>{
              {access.result[0], access.constant(1), access.constant(2),
               access.constant(3)},
              {access.result[1], access.constant(2), access.constant(3),
               access.constant(1)}};
        });
        return absl::OkStatus();
      });
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  ASSERT_TRUE(relation.ok()) << relation.status();
  std::vector<PointPair> expected;
  for (int64_t i = 0; i < 7; ++i)
    for (int64_t j = 0; j < 6; ++j)
      if (!((i == 1 || i == 4) && j >= 2 && j < 5))
        expected.emplace_back(i * 6 + j, i * 6 + j);
  auto found = pointsOf(*relation, {7, 6}, {7, 6}, {{}, {}});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->pairs, expected);
  EXPECT_TRUE(found->disjoint);
}

//===-- Text --------------------------------------------------------------===//

std::string textOf(const CustomOp &op, Direction direction) {
  auto relation = indexing(op, direction, 0, 0);
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text;
  for (const IndexingMap &piece : relation->pieces())
    text += piece.strOneLine();
  return text;
}

// The example of the header.
TEST(Access, Convolution) {
  CustomOp op;
  op.operands = {ArrayShape(ElementType::F32, {9})};
  op.results = {ArrayShape(ElementType::F32, {4})};
  op.maps = std::make_shared<FunctionMaps>(
      [](const OpShapes &, int64_t, int64_t, AccessList &list) {
        Access &access = list.add();
        const Expr l0 = access.loop({0, 3}), l1 = access.loop({0, 2});
        access.result = {l0};
        access.operand = {l0 * 2 + l1};
        return absl::OkStatus();
      });
  EXPECT_EQ(textOf(op, Direction::OutputToInput),
            "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 3], s0 in [0, 2]");
  EXPECT_EQ(textOf(op, Direction::InputToOutput),
            "(d0)[s0] -> ((d0 - s0) floordiv 2), domain: d0 in [0, 8], "
            "s0 in [0, 2], (d0 - s0) mod 2 in [0, 0], d0 - s0 in [0, 6]");
}

}  // namespace
}  // namespace indexical::testing

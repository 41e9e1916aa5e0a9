// The maps of collectives against the oracle, on every member of a group.
//
// A pair is (index of the result, index of the operand and the member whose
// operand it is), for a device at each position. The laws are those of
// ops_test.cc: an exact answer is the oracle's relation, a cover contains it,
// and input to output is the transpose, the members being the same.
//
//   INDEXICAL_OPS_INSTANCES=100000   more instances of each collective
//   INDEXICAL_OPS_SEED=17            other instances
#include "tests/oracle/collectives.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "tests/support/random_maps.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {
namespace {

/// A collective, and how many devices run it.
struct Instance {
  Op op;
  int64_t members;
};

/// More than any index, and any number of members.
constexpr Interval kWindow{0, 31};

using Make = Instance (*)(Random &);

template <typename OpType>
OpType withGroups(int64_t members, Random &random) {
  OpType op;
  op.groupSize = Interval::point(members);
  if (random.oneIn(4)) op.groupSize.lower = 1;
  if (random.oneIn(4)) op.groupSize.upper += random.in(0, 2);
  if (random.oneIn(12)) op.groupSize.upper = Interval::kInfinity;
  return op;
}

Int64s scaled(Int64s sizes, int64_t dimension, int64_t factor) {
  sizes[dimension] *= factor;
  return sizes;
}

/// `leaves` operands, their sizes and those of the results.
void addPairs(OpShapes &op, int64_t leaves, const Int64s &operand,
              const Int64s &result, Random &random) {
  for (int64_t k = 0; k < leaves; ++k) {
    op.operands.push_back(shapeOf(ElementType::F32, operand, random));
    op.results.push_back(shapeOf(ElementType::F32, result, random));
  }
}

Instance makeAllGather(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<AllGatherOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(1, 4), 7, random);
  op.dimension = random.in(0, sizes.size() - 1);
  addPairs(op, random.in(1, 2), sizes, scaled(sizes, op.dimension, members),
           random);
  return {op, members};
}

Instance makeAllReduce(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<AllReduceOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(0, 4), 7, random);
  addPairs(op, random.in(0, 2), sizes, sizes, random);
  return {op, members};
}

Instance makeReduceScatter(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<ReduceScatterOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(1, 4), 7, random);
  op.dimension = random.in(0, sizes.size() - 1);
  addPairs(op, random.in(1, 2), scaled(sizes, op.dimension, members), sizes,
           random);
  return {op, members};
}

Instance makeAllToAll(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<AllToAllOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(1, 3), 7, random);
  op.dimension = random.in(0, sizes.size() - 1);
  const Int64s whole = scaled(sizes, *op.dimension, members);
  addPairs(op, random.in(1, 2), whole, whole, random);
  return {op, members};
}

/// Cut along one dimension, joined along another.
Instance makeReshapingAllToAll(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<AllToAllOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(2, 3), 7, random);
  const auto places = random.permutation(sizes.size());
  op.dimension = places[0];
  op.joined = places[1];
  addPairs(op, random.in(1, 2), scaled(sizes, places[0], members),
           scaled(sizes, places[1], members), random);
  return {op, members};
}

Instance makeTupleAllToAll(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<AllToAllOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(0, 3), 7, random);
  addPairs(op, members, sizes, sizes, random);
  return {op, members};
}

Instance makeBroadcast(Random &random) {
  const int64_t members = random.in(1, 4);
  auto op = withGroups<CollectiveBroadcastOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(0, 4), 7, random);
  addPairs(op, random.in(1, 2), sizes, sizes, random);
  return {op, members};
}

Instance makePermute(Random &random) {
  CollectivePermuteOp op;
  const int64_t members = random.in(1, 5);
  if (random.oneIn(2)) op.deviceCount = members;
  const auto targets = random.permutation(members);
  for (int64_t i = random.in(0, members); i > 0; --i)
    op.pairs.push_back({random.in(0, members - 1), targets[i - 1]});
  const Int64s sizes = sizesOfRank(random.in(0, 3), 7, random);
  addPairs(op, random.in(1, 2), sizes, sizes, random);
  return {op, members};
}

Instance makeRagged(Random &random) {
  const int64_t members = random.in(1, 3);
  auto op = withGroups<RaggedAllToAllOp>(members, random);
  const Int64s sizes = sizesOfRank(random.in(1, 3), 12, random);
  const int64_t updates = random.oneIn(3) ? 2 : 1;
  Int64s resultSizes = sizes;
  resultSizes[0] = randomSize(random);
  op.operands.push_back(shapeOf(ElementType::F32, sizes, random));
  op.operands.push_back(shapeOf(ElementType::F32, resultSizes, random));
  for (int k = 0; k < 4; ++k)
    op.operands.push_back(
        shapeOf(ElementType::S32, {updates * members}, random));
  op.results = {shapeOf(ElementType::F32, resultSizes, random)};
  return {op, members};
}

/// The values of runtime variables on the device at `position`.
class MemberWorld : public World {
 public:
  /// `instance` must have all sizes, even if the op that is asked has not.
  MemberWorld(const Instance &instance, int64_t position,
              llvm::ArrayRef<OperandValues> values)
      : World(0), in(instance), position(position), values(values) {}

  std::optional<int64_t> value(const RuntimeVariable &variable,
                               llvm::ArrayRef<int64_t> index) const override {
    switch (variable.source.kind) {
      case RuntimeSource::Kind::GroupPosition:
      case RuntimeSource::Kind::DeviceId:
        return position;
      case RuntimeSource::Kind::GroupSize:
        return in.members;
      case RuntimeSource::Kind::Size:
        return sizeOf(variable.source);
      default:
        break;
    }
    const auto sizes =
        shapesOf(in.op).operands[variable.source.tensor].dimensions;
    EXPECT_EQ(index.size(), sizes.size() + 1);
    if (!isInside(sizes, index.drop_back())) return std::nullopt;
    return values[index.back()][variable.source.tensor]
                 [rowMajor(sizes, index.drop_back())];
  }

 private:
  int64_t sizeOf(const RuntimeSource &source) const {
    const OpShapes &shapes = shapesOf(in.op);
    const int64_t operands = shapes.operands.size();
    const ArrayShape &shape = source.tensor < operands
                                  ? shapes.operands[source.tensor]
                                  : shapes.results[source.tensor - operands];
    return shape.dimensions[source.dimension];
  }

  const Instance &in;
  int64_t position;
  llvm::ArrayRef<OperandValues> values;
};

class Checker {
 public:
  /// `asked` is the instance's op, of which sizes may not be known.
  Checker(const Instance &instance, const Op &asked,
          llvm::ArrayRef<OperandValues> values)
      : in(instance),
        asked(asked),
        shapes(shapesOf(instance.op)),
        values(values),
        oracle(evaluateMembers(instance.op, instance.members, values)) {}

  void check() {
    ASSERT_TRUE(verify(asked).ok()) << verify(asked);
    for (int64_t p = 0; p < in.members; ++p)
      for (size_t r = 0; r < shapes.results.size(); ++r)
        for (size_t k = 0; k < shapes.operands.size(); ++k) {
          SCOPED_TRACE("position " + std::to_string(p) + ", result " +
                       std::to_string(r) + ", operand " + std::to_string(k));
          checkLeaves(p, r, k);
          if (::testing::Test::HasFailure()) return;
        }
  }

 private:
  /// Returns the oracle's pairs, transposed if `turned`, with the member behind
  /// the second index.
  std::vector<Pair> expected(int64_t p, size_t r, size_t k, bool turned) const {
    std::vector<Pair> pairs;
    const Tensor &result = oracle[p][r];
    const int64_t operands = shapes.operands.size();
    for (size_t e = 0; e < result.elements.size(); ++e)
      for (const Read &read : result.elements[e]) {
        if (read.operand % operands != static_cast<int64_t>(k)) continue;
        Index from = indexAt(result.sizes, e);
        Index to = indexAt(shapes.operands[k].dimensions, read.element);
        if (turned) std::swap(from, to);
        to.push_back(read.operand / operands);
        pairs.emplace_back(from, to);
      }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  void checkLeaves(int64_t p, size_t r, size_t k) {
    Precision precisions[2];
    for (bool turned : {false, true}) {
      auto relation = indexing(
          asked, turned ? Direction::InputToOutput : Direction::OutputToInput,
          r, k);
      ASSERT_TRUE(relation.ok()) << relation.status();
      precisions[turned] = relation->precision();
      ++answers;
      exact += relation->precision() == Precision::Exact;
      std::vector<Pair> pairs, wanted = expected(p, r, k, turned);
      for (const IndexingMap &piece : relation->pieces()) {
        auto some = pairsOf(piece, MemberWorld(in, p, values), kWindow);
        pairs.insert(pairs.end(), some.begin(), some.end());
      }
      std::sort(pairs.begin(), pairs.end());
      ASSERT_TRUE(std::adjacent_find(pairs.begin(), pairs.end()) ==
                  pairs.end());
      if (relation->precision() != Precision::Exact) {
        std::vector<Pair> covered;
        std::set_intersection(pairs.begin(), pairs.end(), wanted.begin(),
                              wanted.end(), std::back_inserter(covered));
        pairs = covered;
      }
      EXPECT_EQ(difference(pairs, wanted), "")
          << (turned ? "input to output" : "output to input")
          << (relation->isEmpty() ? "" : relation->pieces()[0].str());
    }
    EXPECT_EQ(precisions[0], precisions[1]);
  }

  const Instance &in;
  const Op &asked;
  const OpShapes &shapes;
  llvm::ArrayRef<OperandValues> values;
  std::vector<std::vector<Tensor>> oracle;

 public:
  int64_t answers = 0, exact = 0;
};

/// Offsets and sizes that are often right.
std::vector<OperandValues> valuesOf(const Instance &instance, Random &random) {
  std::vector<OperandValues> values;
  for (int64_t m = 0; m < instance.members; ++m) {
    OperandValues &own = values.emplace_back();
    for (const ArrayShape &shape : shapesOf(instance.op).operands) {
      own.emplace_back();
      if (shape.type != ElementType::S32) continue;
      for (int64_t i = countOf(shape.dimensions); i > 0; --i)
        own.back().push_back(random.oneIn(20) ? random.in(-9, 30)
                                              : random.in(0, 4));
    }
  }
  return values;
}

/// Whether some sizes of the ops are unknown, and the least number of exact
/// answers in a hundred.
struct Asked {
  bool isOpen = false;
  int64_t exact = 0;
};

void checkInstances(Make make, Asked asked = {}) {
  const uint64_t instances = fromEnvironment("INDEXICAL_OPS_INSTANCES", 1000);
  const uint64_t first = fromEnvironment("INDEXICAL_OPS_SEED", 1);
  int64_t answers = 0, exact = 0;
  for (uint64_t seed = first; seed < first + instances; ++seed) {
    Random random(seed);
    const Instance instance = make(random);
    const auto values = valuesOf(instance, random);
    const Op op =
        asked.isOpen ? withOpenSizes(instance.op, random) : instance.op;
    SCOPED_TRACE("INDEXICAL_OPS_SEED=" + std::to_string(seed) + "\n  " +
                 describe(instance.op) +
                 (asked.isOpen ? "\n  asked of " + describe(op) : ""));
    Checker checker(instance, op, values);
    checker.check();
    if (::testing::Test::HasFailure()) return;
    answers += checker.answers;
    exact += checker.exact;
  }
  EXPECT_GE(exact * 100, answers * asked.exact);
}

TEST(CollectivesTest, AllGather) { checkInstances(makeAllGather); }
TEST(CollectivesTest, AllReduce) { checkInstances(makeAllReduce); }
TEST(CollectivesTest, ReduceScatter) { checkInstances(makeReduceScatter); }
TEST(CollectivesTest, AllToAll) { checkInstances(makeAllToAll); }
TEST(CollectivesTest, ReshapingAllToAll) {
  checkInstances(makeReshapingAllToAll);
}
TEST(CollectivesTest, AllToAllOfTuples) { checkInstances(makeTupleAllToAll); }
TEST(CollectivesTest, CollectiveBroadcast) { checkInstances(makeBroadcast); }
TEST(CollectivesTest, CollectivePermute) { checkInstances(makePermute); }
TEST(CollectivesTest, RaggedAllToAll) { checkInstances(makeRagged); }

// Whatever sizes an open size stands for. Numbers of members that follow from
// no size are variables too, so that every answer is exact.
TEST(CollectivesTest, OpenAllGather) {
  checkInstances(makeAllGather, {true, 100});
}
TEST(CollectivesTest, OpenAllReduce) {
  checkInstances(makeAllReduce, {true, 100});
}
TEST(CollectivesTest, OpenReduceScatter) {
  checkInstances(makeReduceScatter, {true, 100});
}
TEST(CollectivesTest, OpenAllToAll) {
  checkInstances(makeAllToAll, {true, 100});
}
TEST(CollectivesTest, OpenReshapingAllToAll) {
  checkInstances(makeReshapingAllToAll, {true, 100});
}
TEST(CollectivesTest, OpenAllToAllOfTuples) {
  checkInstances(makeTupleAllToAll, {true, 100});
}

}  // namespace
}  // namespace indexical::testing

// The maps of every op against the oracle, at every point, for random ops.
//
// The laws of ops/op.h: an exact answer is the oracle's relation, a cover
// contains it, pieces are disjoint, and input to output is the inverse of
// output to input, with the same precision.
//
//   INDEXICAL_OPS_INSTANCES=100000   more instances of each family
//   INDEXICAL_OPS_SEED=17            other instances; a failure prints the seed
//                                    that makes it the first one
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/op.h"
#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/simplified.h"
#include "tests/oracle/oracle.h"
#include "tests/support/delegated_op.h"
#include "tests/support/given_attributes.h"
#include "tests/support/random_ops.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

int64_t fromEnvironment(const char *name, int64_t standard) {
  const char *text = std::getenv(name);
  return text ? std::strtoll(text, nullptr, 10) : standard;
}

std::string pointText(const ArrayShape &shape, int64_t place) {
  Index index(shape.rank());
  for (int64_t k = shape.rank() - 1; k >= 0; --k) {
    index[k] = place % shape.dimensions[k];
    place /= shape.dimensions[k];
  }
  std::string text = "(";
  for (int64_t k = 0; k < shape.rank(); ++k)
    absl::StrAppend(&text, k ? ", " : "", index[k]);
  return text + ")";
}

/// The first pair that is in one list and not in the other, as text.
std::string firstDifference(const std::vector<PointPair> &map,
                            const std::vector<PointPair> &oracle,
                            const ArrayShape &from, const ArrayShape &to) {
  std::vector<PointPair> different;
  std::set_symmetric_difference(map.begin(), map.end(), oracle.begin(),
                                oracle.end(), std::back_inserter(different));
  const PointPair &pair = different.front();
  const bool inMap = std::binary_search(map.begin(), map.end(), pair);
  return absl::StrCat(pointText(from, pair.first), " -> ",
                      pointText(to, pair.second), " is only in the ",
                      inMap ? "map" : "oracle", " (", different.size(),
                      " pairs differ)");
}

/// The least precision that the op's answers of these leaves may have.
Precision promisedPrecision(const Op &op, size_t result, size_t operand) {
  if (const auto *cover = op.as<CoverOp>()) return cover->precision;
  if (auto *capturing = op.as<CapturingOp>()) {
    const Op &inner = capturing->inner;
    if (operand < shapesOf(inner).operands.size())
      return promisedPrecision(inner, result, operand);
    return capturing->operands[operand].isScalar() ? Precision::Exact
                                                   : Precision::Cover;
  }
  if (op.is<CallOp>()) return Precision::Cover;
  if (op.is<ConditionalOp>()) return Precision::Cover;
  if (op.is<WhileOp>()) return Precision::Cover;
  if (op.is<ScanOp>()) return Precision::Cover;
  if (const auto *dot = op.as<RaggedDotOp>();
      dot && dot->operands[2].dimensions.back() > RaggedDotOp::kMostGroups)
    return Precision::Cover;
  if (const auto *custom = op.as<CustomOp>())
    return promisedPrecision(delegateOf(*custom), result, operand);
  if (const auto *start = op.as<StartOp>()) {
    const size_t first = start->forwards;
    const Op &inner = start->inner;
    if (result < first || result - first >= shapesOf(inner).results.size())
      return Precision::Exact;
    return promisedPrecision(inner, result - first, operand);
  }
  // Whether an element is overwritten is known at run time only.
  if (const auto *scatter = op.as<ScatterOp>();
      scatter && operand < scatter->results.size()) {
    const size_t n = scatter->results.size(), pair = result * n + operand;
    return result == operand && !scatter->bodyReads.empty() &&
                   scatter->bodyReads[pair] == ScatterOp::BodyRead::Always
               ? Precision::Exact
               : Precision::Cover;
  }
  return Precision::Exact;
}

/// Returns the least precision of an answer if sizes are open.
Precision promisedOfOpenSizes(const Op &op) {
  return op.is<BroadcastingOp>() ? Precision::Exact : Precision::Opaque;
}

/// How many answers there were, and by how much the covers exceed what is read.
struct Tally {
  int64_t answers = 0, covers = 0, covered = 0, read = 0;

  std::string text() const {
    std::string text = absl::StrCat(answers, " answers");
    if (covers > 0)
      absl::StrAppend(&text, ", ", covers, " covers of ", covered,
                      " pairs, of which ", read, " are read");
    return text;
  }
};

/// The parts of an op that are not known.
enum class Unknown {
  Nothing,
  Sizes,       ///< some sizes
  Attributes,  ///< its attributes are operands, and some sizes are not known
};

/// One op with values for its operands, checked pair of leaves by pair. `given`
/// is the same op, which may have attributes as operands, and `asked` that with
/// fewer sizes known; `values` are those of its operands.
class Instance {
 public:
  Instance(const Op &known, const Op &given, const Op &asked, Unknown unknown,
           const OperandValues &values)
      : op(asked),
        openSizes(unknown != Unknown::Nothing),
        values(values),
        known(shapesOf(known)),
        shapes(withShapesOf(this->known, shapesOf(given).operands)),
        oracle(evaluate(known, values)) {
    tensors.assign(shapes.operands.begin(), shapes.operands.end());
    tensors.insert(tensors.end(), shapes.results.begin(), shapes.results.end());
    this->values.resize(tensors.size());
  }

  /// Returns what is wrong, or "" if nothing is.
  std::string check(Tally &tally) const {
    if (absl::Status status = verify(op); !status.ok())
      return absl::StrCat("refused: ", status.ToString());
    for (size_t r = 0; r < shapes.results.size(); ++r)
      for (size_t k = 0; k < shapes.operands.size(); ++k) {
        std::string problem = checkLeaves(r, k, tally);
        if (!problem.empty())
          return absl::StrCat("result ", r, ", operand ", k, ": ", problem);
      }
    return "";
  }

 private:
  std::vector<PointPair> oraclePairs(size_t result, size_t operand) const {
    std::vector<PointPair> pairs;
    // An attribute is read whole by every element.
    if (operand >= known.operands.size()) {
      const int64_t count = countOf(shapes.operands[operand].dimensions);
      for (size_t o = 0; o < oracle[result].elements.size(); ++o)
        for (int64_t i = 0; i < count; ++i) pairs.emplace_back(o, i);
      return pairs;
    }
    for (size_t o = 0; o < oracle[result].elements.size(); ++o)
      for (const Read &read : oracle[result].elements[o])
        if (read.operand == static_cast<int64_t>(operand))
          pairs.emplace_back(o, read.element);
    return pairs;
  }

  std::string checkLeaves(size_t result, size_t operand, Tally &tally) const {
    auto reads = indexing(op, Direction::OutputToInput, result, operand);
    if (!reads.ok()) return reads.status().ToString();
    auto users = indexing(op, Direction::InputToOutput, result, operand);
    if (!users.ok()) return users.status().ToString();
    const std::vector<PointPair> expected = oraclePairs(result, operand);
    const Precision promised = openSizes
                                   ? promisedOfOpenSizes(op)
                                   : promisedPrecision(op, result, operand);
    std::vector<PointPair> down, up;
    std::string problem = checkRelation(
        *reads, expected, shapes.results[result], shapes.operands[operand],
        promised, /*disjoint=*/true, down);
    if (!problem.empty())
      return absl::StrCat("output to input: ", problem, text(*reads));
    problem =
        checkRelation(*users, transposed(expected), shapes.operands[operand],
                      shapes.results[result], promised, /*disjoint=*/false, up);
    if (!problem.empty())
      return absl::StrCat("input to output: ", problem, text(*users));
    if (reads->precision() != users->precision())
      return absl::StrCat("precisions differ", text(*reads), text(*users));
    if (!openSizes && transposed(up) != down)
      return absl::StrCat("the two directions are not each other's transposes",
                          text(*reads), text(*users));
    ++tally.answers;
    if (reads->precision() != Precision::Exact) {
      ++tally.covers;
      tally.covered += down.size();
      tally.read += expected.size();
    }
    return "";
  }

  std::string checkRelation(const IndexingRelation &relation,
                            const std::vector<PointPair> &expected,
                            const ArrayShape &from, const ArrayShape &to,
                            Precision promised, bool disjoint,
                            std::vector<PointPair> &found) const {
    for (const IndexingMap &piece : relation.pieces())
      if (isSimplified(piece) && !isNormal(piece))
        return "marked as canonical, but not in normal form";
    const RuntimeTensors runtime = {tensors, values, 0, /*strict=*/true};
    auto points =
        openSizes
            ? pointsWithin(relation, from.dimensions, to.dimensions, runtime)
            : pointsOf(relation, from.dimensions, to.dimensions, runtime);
    if (!points.ok()) return std::string(points.status().message());
    if (!relation.isEmpty() && relation.precision() < promised)
      return absl::StrCat("the precision is ",
                          precisionName(relation.precision()).str());
    if (disjoint && !points->disjoint) return "pieces overlap";
    found = points->pairs;
    if (relation.precision() != Precision::Exact) {
      std::vector<PointPair> covered;
      std::set_intersection(points->pairs.begin(), points->pairs.end(),
                            expected.begin(), expected.end(),
                            std::back_inserter(covered));
      points->pairs = covered;
    }
    if (points->pairs != expected)
      return firstDifference(points->pairs, expected, from, to);
    if (!openSizes && (from.isEmpty() || to.isEmpty()) && !relation.isEmpty())
      return "pieces for a tensor without elements";
    return "";
  }

  static std::string text(const IndexingRelation &relation) {
    std::string text =
        absl::StrCat("\n  ", precisionName(relation.precision()).str(), ":");
    for (const IndexingMap &piece : relation.pieces())
      absl::StrAppend(&text, "\n    ", piece.strOneLine());
    return text;
  }

  /// The shapes that are known, those of operands that only `asked` has too.
  static OpShapes withShapesOf(const OpShapes &known,
                               const ShapeList &operands) {
    OpShapes shapes = known;
    for (size_t k = known.operands.size(); k < operands.size(); ++k)
      shapes.operands.push_back(operands[k]);
    return shapes;
  }

  const Op &op;
  const bool openSizes;
  OperandValues values;
  const OpShapes &known;
  const OpShapes shapes;
  std::vector<ArrayShape> tensors;
  std::vector<Tensor> oracle;
};

std::string valuesText(const OperandValues &values) {
  std::string text;
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k].empty()) continue;
    absl::StrAppend(&text, "\n  values of operand ", k, ":");
    for (int64_t value : values[k]) absl::StrAppend(&text, " ", value);
  }
  return text;
}

/// Whether maps without bounds can be enumerated.
bool isTiny(const Op &op) {
  auto tiny = [](const ArrayShape &shape) {
    return countOf(shape.dimensions) <= 32;
  };
  return llvm::all_of(shapesOf(op).operands, tiny) &&
         llvm::all_of(shapesOf(op).results, tiny);
}

class OpsTest : public ::testing::TestWithParam<Family> {
 public:
  Op makeFirst() {
    Random random(1);
    return GetParam().make(random);
  }

  /// Checks instances of the family until there are three failures.
  void checkInstances(Unknown unknown) {
    const int64_t instances = fromEnvironment("INDEXICAL_OPS_INSTANCES", 1000);
    const int64_t firstSeed = fromEnvironment("INDEXICAL_OPS_SEED", 1);
    Tally tally;
    for (int64_t seed = firstSeed, failures = 0;
         seed < firstSeed + instances && failures < 3; ++seed) {
      Random random(seed);
      const Op op = GetParam().make(random);
      if (unknown != Unknown::Nothing && !isTiny(op)) continue;
      OperandValues values = randomValues(op, random);
      // Without bounds, arithmetic on the largest numbers has no value.
      if (unknown != Unknown::Nothing)
        for (std::vector<int64_t> &list : values)
          for (int64_t &value : list)
            value = std::clamp<int64_t>(value, -1'000'000, 1'000'000);
      Op given = op;
      if (unknown != Unknown::Nothing) saySizes(op, values);
      if (unknown == Unknown::Attributes) {
        auto operands = withGivenAttributes(op, values);
        if (!operands) continue;
        given = *std::move(operands);
      }
      const Op asked =
          unknown == Unknown::Nothing ? op : withOpenSizes(given, random);
      const std::string problem =
          Instance(op, given, asked, unknown, values).check(tally);
      if (problem.empty()) continue;
      ++failures;
      ADD_FAILURE() << "INDEXICAL_OPS_SEED=" << seed << "\n  " << describe(op)
                    << (unknown == Unknown::Nothing
                            ? ""
                            : "\n  asked of " + describe(asked))
                    << valuesText(values) << "\n  " << problem;
    }
    std::cout << tally.text() << "\n";
  }
};

TEST_P(OpsTest, AgreesWithOracle) { checkInstances(Unknown::Nothing); }

// Whatever sizes an open size stands for, the relation's points are the reads
// (exact), or contain them; none is outside of the tensors.
TEST_P(OpsTest, AgreesWithOracleOfOpenSizes) {
  // Places in memory follow from bounds, of which the oracle knows nothing.
  if (makeFirst().is<BitcastOp>()) return;
  checkInstances(Unknown::Sizes);
}

TEST_P(OpsTest, AgreesWithOracleOfGivenAttributes) {
  checkInstances(Unknown::Attributes);
}

INSTANTIATE_TEST_SUITE_P(Families, OpsTest,
                         ::testing::ValuesIn(families().begin(),
                                             families().end()),
                         [](const ::testing::TestParamInfo<Family> &info) {
                           return info.param.name.str();
                         });

TEST(OpsTest, RefusesNumbersOutOfRange) {
  ReverseOp op;
  op.operands = {ArrayShape(ElementType::F32, {3})};
  op.results = {ArrayShape(ElementType::F32, {3})};
  op.dimensions = {0};
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    EXPECT_TRUE(indexing(op, direction, 0, 0).ok());
    EXPECT_FALSE(indexing(op, direction, 1, 0).ok());
    EXPECT_FALSE(indexing(op, direction, 0, 1).ok());
    EXPECT_FALSE(indexing(op, direction, -1, 0).ok());
    EXPECT_FALSE(indexing(op, direction, 0, -1).ok());
  }
}

}  // namespace
}  // namespace indexical::testing

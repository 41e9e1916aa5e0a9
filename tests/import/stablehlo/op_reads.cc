#include "tests/import/stablehlo/op_reads.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

bool hasOpenSize(const ArrayShape &shape) {
  return shape.hasUnknownSize() || shape.dynamic.any();
}

std::string leavesText(int64_t r, int64_t k) {
  return absl::StrCat("result ", r, ", operand ", k);
}

}  // namespace

absl::StatusOr<const ElementReads *> OpReads::of(
    int64_t r, int64_t k, llvm::ArrayRef<ArrayValue> operands,
    llvm::ArrayRef<Index> resultSizes, MapCounts &counts) {
  Answer &answer = answers_[{r, k}];
  if (answer.isFixed) return &answer.reads;
  answer = Answer();
  if (auto s = evaluate(r, k, operands, resultSizes, counts, answer); !s.ok())
    return s;
  return &answer.reads;
}

absl::Status OpReads::evaluate(int64_t r, int64_t k,
                               llvm::ArrayRef<ArrayValue> operands,
                               llvm::ArrayRef<Index> resultSizes,
                               MapCounts &counts, Answer &answer) const {
  auto down = indexing(op_, Direction::OutputToInput, r, k);
  if (!down.ok()) return down.status();
  auto up = indexing(op_, Direction::InputToOutput, r, k);
  if (!up.ok()) return up.status();
  // Sizes of the run, in the place of those of the type.
  const OpShapes &types = shapesOf(op_);
  std::vector<ArrayShape> shapes(types.operands.begin(), types.operands.end());
  shapes.insert(shapes.end(), types.results.begin(), types.results.end());
  const bool isOpen = llvm::any_of(shapes, hasOpenSize);
  OperandValues values(shapes.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    shapes[i].dimensions = operands[i].sizes;
    values[i] = steering(operands[i]);
  }
  for (size_t i = 0; i < resultSizes.size(); ++i)
    shapes[types.operands.size() + i].dimensions = resultSizes[i];
  const RuntimeTensors tensors = {shapes, values};
  auto points = [&](const IndexingRelation &relation, const Index &from,
                    const Index &to) {
    return isOpen ? pointsWithin(relation, from, to, tensors)
                  : pointsOf(relation, from, to, tensors);
  };
  auto pairs = points(*down, resultSizes[r], operands[k].sizes);
  if (!pairs.ok()) return pairs.status();
  auto users = points(*up, operands[k].sizes, resultSizes[r]);
  if (!users.ok()) return users.status();
  if (transposed(users->pairs) != pairs->pairs)
    return absl::InternalError(
        absl::StrCat("the two directions differ: ", leavesText(r, k)));
  if (!pairs->disjoint)
    return absl::InternalError(
        absl::StrCat("pieces overlap: ", leavesText(r, k)));
  ++(down->precision() == Precision::Exact ? counts.exact : counts.cover);
  counts.pairs += pairs->pairs.size();
  answer.reads.resize(countOf(resultSizes[r]));
  for (const auto &[o, i] : pairs->pairs) answer.reads[o].push_back(i);
  answer.isFixed = !isOpen && llvm::none_of(down->pieces(), [](auto &piece) {
    return !piece.runtime().empty();
  });
  return absl::OkStatus();
}

}  // namespace indexical::testing

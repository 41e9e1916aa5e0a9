#include "indexical/ops/core/rules.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace families {

absl::Status checkSorted(Rule rule, Name name, llvm::ArrayRef<int64_t> values) {
  if (llvm::is_sorted(values)) return absl::OkStatus();
  return Broken(rule) << name << " must be sorted, but is " << values;
}

absl::Status checkUnique(Rule rule, Name name, llvm::ArrayRef<int64_t> values) {
  for (size_t k = 1; k < values.size(); ++k)
    if (llvm::is_contained(values.take_front(k), values[k]))
      return Broken(rule) << name << " must not repeat an entry, but " << values
                          << " has " << values[k] << " twice";
  return absl::OkStatus();
}

absl::Status checkRange(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t high, Name limit, int64_t low) {
  for (int64_t value : values)
    if (value < low || value >= high)
      return Broken(rule) << name << " must be in [" << low << ", " << high
                          << "), " << limit << " being " << high << ", but has "
                          << value;
  return absl::OkStatus();
}

absl::Status checkCount(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t count, Name what) {
  if (static_cast<int64_t>(values.size()) == count) return absl::OkStatus();
  return Broken(rule) << name << " must have " << count << " entries, " << what
                      << ", but " << values << " has " << values.size();
}

absl::Status checkLeast(Rule rule, Name name, llvm::ArrayRef<int64_t> values,
                        int64_t least) {
  for (int64_t value : values)
    if (value < least)
      return Broken(rule) << name << " must be at least " << least
                          << ", but has " << value;
  return absl::OkStatus();
}

absl::Status checkSameShape(Rule rule, Name leftName, const ArrayShape &left,
                            Name rightName, const ArrayShape &right) {
  if (canAgree(left, right)) return absl::OkStatus();
  return Broken(rule) << leftName << " and " << rightName
                      << " must have the same shape, but are " << left
                      << " and " << right;
}

absl::Status checkShape(Rule rule, Name name, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, Name because) {
  bool agree = shape.rank() == static_cast<int64_t>(sizes.size());
  for (int64_t k = 0; agree && k < shape.rank(); ++k)
    agree = canHaveSize(shape, k, sizes[k]);
  if (agree) return absl::OkStatus();
  return Broken(rule) << name << " must have the shape " << sizes << ", "
                      << because << ", but has " << shape;
}

absl::Status checkList(Rule rule, Name name, const ArrayShape &shape,
                       int64_t count, Name what) {
  if (shape.type != ElementType::Unknown && !isInteger(shape.type))
    return Broken(rule) << name << " must hold integers, but is " << shape;
  if (shape.rank() == 1 && canHaveSize(shape, 0, count))
    return absl::OkStatus();
  return Broken(rule) << name << " must have " << count
                      << " entries in one dimension, " << what << ", but is "
                      << shape;
}

absl::Status checkLists(const OpShapes &shapes, int64_t first, Rule lists,
                        Rule rank, llvm::ArrayRef<Name> names) {
  const ArrayShape &operand = shapes.operands[0], &result = shapes.results[0];
  for (size_t i = 0; i < names.size(); ++i)
    INDEXICAL_RETURN_IF_ERROR(checkList(lists, names[i],
                                        shapes.operands[first + i],
                                        operand.rank(), "the rank of operand"));
  if (operand.rank() == result.rank()) return absl::OkStatus();
  return Broken(rank) << "result must have the rank of operand, "
                      << operand.rank() << ", but has " << result.rank();
}

absl::Status checkScalar(Rule rule, Name name, const ArrayShape &shape) {
  if (shape.isScalar()) return absl::OkStatus();
  return Broken(rule) << name << " must have rank 0, but has the shape "
                      << shape;
}

absl::Status checkInputsAndInits(const OpShapes &op, Rule counts, Rule inputs,
                                 Rule inits) {
  const size_t n = op.results.size();
  if (n == 0 || op.operands.size() != 2 * n)
    return Broken(counts)
           << "there must be as many " << Name{"inits", "init_values"}
           << " and results as inputs, and at least one, but there are "
           << op.operands.size() << " operands and " << n << " results";
  const Name operand = {"operand", "inputs"}, init = {"operand", "init_values"};
  for (size_t k = 0; k < n; ++k) {
    absl::Status status = checkSameShape(inputs, operand[0], op.operands[0],
                                         operand[k], op.operands[k]);
    status.Update(checkScalar(inits, init.at(n + k, k), op.operands[n + k]));
    INDEXICAL_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

int64_t fixedSize(const ArrayShape &shape, int64_t k) {
  return isFixed(shape, k) ? shape.dimensions[k] : kDynamicSize;
}

Int64s fixedSizes(const ArrayShape &shape) {
  Int64s sizes;
  for (int64_t k = 0; k < shape.rank(); ++k)
    sizes.push_back(fixedSize(shape, k));
  return sizes;
}

}  // namespace families
}  // namespace indexical

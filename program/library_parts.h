// What calls of libraries are made of: private to program/.
//
// A call has several results and operands, and stands for one op of a pair of
// them: of `(f32[4,8], s8[100]) custom-call(x, w, bias)` result 0 reads x and w
// as a dot does, the bias along a dimension, and result 1 reads nothing.
#ifndef INDEXICAL_PROGRAM_LIBRARY_PARTS_H
#define INDEXICAL_PROGRAM_LIBRARY_PARTS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/Support/JSON.h"

#include "indexical/ops/op_interface.h"
#include "indexical/program/custom_calls.h"

namespace indexical {
namespace library {

/// The ops that a call's leaves stand for: pairs that have none read nothing.
class Parts : public OpInterface {
 public:
  struct Part {
    int64_t result, operand;
    Op op;
    int64_t operandOfOp = 0;
    int64_t resultOfOp = 0;
  };
  void add(Part part) { parts_.push_back(std::move(part)); }

  absl::Status verify(const OpShapes &) const override;
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &, int64_t result, int64_t operand) const override {
    return ask(Direction::OutputToInput, result, operand);
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &, int64_t result, int64_t operand) const override {
    return ask(Direction::InputToOutput, result, operand);
  }

 private:
  absl::StatusOr<IndexingRelation> ask(Direction direction, int64_t result,
                                       int64_t operand) const;

  std::vector<Part> parts_;
};

ShapeList leavesOf(llvm::ArrayRef<const Shape *> shapes);

template <typename T>
T opOf(const ArrayShape &operand, const ArrayShape &result) {
  T op;
  op.operands = {operand};
  op.results = {result};
  for (ShapeList *shapes : {&op.operands, &op.results})
    shapes->mutableAt(0).layout.reset();
  return op;
}

/// Every element of the result reads the operand's of the same index, or, along
/// these dimensions of the result, its own.
Op along(const ArrayShape &operand, const ArrayShape &result,
         llvm::ArrayRef<int64_t> dimensions);
Op identity(const ArrayShape &shape);
Op everything(const ArrayShape &operand, const ArrayShape &result);
/// As far as is known, every element reads all of the operand that has its
/// first `batch` indices.
Op wholeOfBatch(const ArrayShape &operand, const ArrayShape &result,
                int64_t batch);

/// Bytes that a library works in: their contents are nobody's result.
bool isWorkspace(const ArrayShape &shape);

std::optional<Op> custom(const ShapeList &operands, const ShapeList &results,
                         Parts parts);

/// The object in the configuration; XLA wraps it in one of the backend.
std::optional<llvm::json::Object> configurationOf(const CustomCall &call,
                                                  llvm::StringRef wrapped);

// library_convolutions.cc
std::optional<Op> convolution(const CustomCall &call);
std::optional<Op> convolutionGradient(const CustomCall &call);

// library_algorithms.cc
std::optional<Op> batchNorm(const CustomCall &call);
std::optional<Op> cholesky(const CustomCall &call);
std::optional<Op> triangularSolve(const CustomCall &call);
std::optional<Op> sort(const CustomCall &call);
/// Each element reads all of its matrix in the batch, as far as is known.
std::optional<Op> ofMatrices(const CustomCall &call);
/// The same of the last dimension alone.
std::optional<Op> ofRows(const CustomCall &call);

}  // namespace library
}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_LIBRARY_PARTS_H

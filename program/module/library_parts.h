// Parts from which calls of libraries are made: private to program/.
//
// A call has several results and operands, and stands for one op for each pair
// of them. In `(f32[4,8], s8[100]) custom-call(x, w, bias)`, result 0 reads x
// and w as a dot does, and the bias along a dimension; result 1 reads nothing.
#ifndef INDEXICAL_PROGRAM_MODULE_LIBRARY_PARTS_H
#define INDEXICAL_PROGRAM_MODULE_LIBRARY_PARTS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/Support/JSON.h"

#include "indexical/ops/op_interface.h"
#include "indexical/program/module/custom_calls.h"

namespace indexical {
namespace library {

/// The ops that a call's pairs of leaves stand for. A pair without an op reads
/// nothing.
class Parts : public OpInterface {
 public:
  struct PairOp {
    int64_t result, operand;
    Op op;
    int64_t operandOfOp = 0;
    int64_t resultOfOp = 0;
  };
  void add(PairOp part) { parts_.push_back(std::move(part)); }

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

  std::vector<PairOp> parts_;
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

/// Return the op by which an element of the result reads the operand's element
/// whose index is the result's index along these dimensions, for identity() the
/// same index, and for everything() every element.
Op along(const ArrayShape &operand, const ArrayShape &result,
         llvm::ArrayRef<int64_t> dimensions);
Op identity(const ArrayShape &shape);
Op everything(const ArrayShape &operand, const ArrayShape &result);
/// Returns the op by which an element reads every element of the operand that
/// has its first `batch` indices: a cover, for more is not known.
Op wholeOfBatch(const ArrayShape &operand, const ArrayShape &result,
                int64_t batch);

/// Returns whether the array is a list of bytes, as are those that a library
/// works in and whose contents are not a result.
bool isWorkspace(const ArrayShape &shape);

std::optional<Op> custom(const ShapeList &operands, const ShapeList &results,
                         Parts parts);

/// Returns the JSON object under the key `wrapped` of the call's backend
/// configuration, or the whole configuration if it has no such key. Returns
/// nothing if the configuration is not a JSON object.
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
/// Returns an op by which each element reads all of its matrix in the batch, as
/// far as is known.
std::optional<Op> ofMatrices(const CustomCall &call);
/// Returns an op by which each element reads all of its row, the last
/// dimension, as far as is known.
std::optional<Op> ofRows(const CustomCall &call);

}  // namespace library
}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_LIBRARY_PARTS_H

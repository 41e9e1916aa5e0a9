// A custom op with the maps of an op of the library: both must behave alike.
#ifndef INDEXICAL_TESTS_SUPPORT_DELEGATED_OP_H
#define INDEXICAL_TESTS_SUPPORT_DELEGATED_OP_H

#include <memory>
#include <utility>

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical::testing {

class DelegatedOp : public OpInterface {
 public:
  explicit DelegatedOp(Op op) : op(std::move(op)) {}

  absl::Status verify(const OpShapes &shapes) const override {
    return indexical::verify(with(shapes));
  }
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return indexing(with(shapes), Direction::OutputToInput, result, operand);
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return indexing(with(shapes), Direction::InputToOutput, result, operand);
  }

  const Op op;

 private:
  OpDraft with(const OpShapes &shapes) const {
    OpDraft asked(op);
    static_cast<OpShapes &>(*asked) = shapes;
    return asked;
  }
};

inline CustomOp delegated(const Op &op) {
  CustomOp custom;
  static_cast<OpShapes &>(custom) = shapesOf(op);
  custom.maps = std::make_shared<DelegatedOp>(op);
  return custom;
}

/// Returns the op behind a custom op that `delegated` made.
inline const Op &delegateOf(const CustomOp &custom) {
  return static_cast<const DelegatedOp &>(*custom.maps).op;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_DELEGATED_OP_H

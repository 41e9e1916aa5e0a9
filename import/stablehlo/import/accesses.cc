#include "indexical/import/stablehlo/import/accesses.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/region_reads.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"

namespace indexical {

std::optional<std::string> whyNot(mlir::Operation *op, const OpShapes &shapes) {
  auto isScalable = [](mlir::Type type) {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    return vector && vector.isScalable();
  };
  for (mlir::Type type : op->getOperandTypes()) {
    if (llvm::isa<mlir::BaseMemRefType>(type))
      return "it reads memory, which changes without a new value";
    if (isScalable(type))
      return "the size of a scalable vector is known to the machine alone";
  }
  if (llvm::any_of(op->getResultTypes(), isScalable))
    return "the size of a scalable vector is known to the machine alone";
  if (shapes.operands.size() < op->getNumOperands() ||
      shapes.results.size() != op->getNumResults())
    return "an operand or a result is not an array";
  return std::nullopt;
}

bool MixedList::isStatic() const {
  return llvm::none_of(values, mlir::ShapedType::isDynamic);
}

Expr MixedList::at(Access &access, size_t k, Interval bounds) const {
  if (isStatic(k)) return access.constant(values[k]);
  return access.element(bounds, leafOf(k), {});
}

int64_t MixedList::leafCount() const {
  return llvm::count_if(leaves, [](int64_t leaf) { return leaf >= 0; });
}

MixedList mixed(llvm::ArrayRef<int64_t> values, int64_t firstLeaf,
                mlir::Operation *op) {
  MixedList list;
  list.values.assign(values.begin(), values.end());
  list.firstLeaf = firstLeaf;
  int64_t next = firstLeaf;
  for (int64_t &value : list.values) {
    list.leaves.push_back(mlir::ShapedType::isDynamic(value) ? next++ : -1);
    if (list.leaves.back() < 0 || !op || next > op->getNumOperands()) continue;
    if (const auto number = mlir::getConstantIntValue(op->getOperand(next - 1)))
      value = *number;
  }
  return list;
}

SizedMaps::Sizes givenSizes(const OpShapes &shapes, int64_t first) {
  llvm::SmallVector<int64_t, 4> open;
  for (auto [k, size] : llvm::enumerate(shapes.results[0].dimensions))
    if (size == kDynamicSize) open.push_back(k);
  return [open, first](const OpShapes &s, SizeRules &rules) {
    for (auto [n, k] : llvm::enumerate(open)) {
      const int64_t leaf = first + n;
      rules.define({static_cast<int64_t>(s.operands.size()), k},
                   [leaf](SizeContext &sizes) {
                     return sizes.element(leaf, {}, {0, Interval::kInfinity});
                   });
    }
  };
}

namespace {

/// Accesses that were found once for all.
class StoredAccesses : public OpInterface,
                       public SizedMaps,
                       public HasBodyLoops {
 public:
  StoredAccesses(Sizes sizes, std::shared_ptr<const BodyLoops> loops)
      : SizedMaps(std::move(sizes)), HasBodyLoops(std::move(loops)) {}

  std::deque<AccessList> lists;  ///< of result r and operand k: r * count + k
  size_t operandCount = 0;
  absl::Status verify(const OpShapes &shapes) const override {
    if (shapes.operands.size() == operandCount) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "an op and its regions use " + std::to_string(operandCount) +
        " values, not " + std::to_string(shapes.operands.size()));
  }
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return relationOf(lists[result * operandCount + operand],
                      Direction::OutputToInput, shapes.results[result],
                      shapes.operands[operand]);
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return relationOf(lists[result * operandCount + operand],
                      Direction::InputToOutput, shapes.operands[operand],
                      shapes.results[result]);
  }
};

}  // namespace

absl::StatusOr<Op> regionOp(
    mlir::Operation *op, OpShapes shapes,
    llvm::function_ref<absl::Status(const OpShapes &, int64_t, int64_t,
                                    AccessList &)>
        function,
    SizedMaps::Sizes sizes, std::shared_ptr<const BodyLoops> loops) {
  for (mlir::Value value : capturedValues(op)) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOf(value.getType()));
    for (const ArrayShape &leaf : shape.leaves())
      shapes.operands.push_back(leaf);
  }
  auto stored =
      std::make_shared<StoredAccesses>(std::move(sizes), std::move(loops));
  stored->operandCount = shapes.operands.size();
  for (size_t r = 0; r < shapes.results.size(); ++r)
    for (size_t k = 0; k < shapes.operands.size(); ++k)
      INDEXICAL_RETURN_IF_ERROR(
          function(shapes, r, k, stored->lists.emplace_back()));
  CustomOp custom = make<CustomOp>(std::move(shapes));
  custom.maps = std::move(stored);
  return Op(std::move(custom));
}

namespace {

class WithSizes : public OpInterface {
 public:
  explicit WithSizes(Op inner) : inner_(std::move(inner)) {}

  absl::Status verify(const OpShapes &shapes) const override {
    return verifyUse(innerOf(shapes));
  }
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return answer(shapes, Direction::OutputToInput, result, operand);
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return answer(shapes, Direction::InputToOutput, result, operand);
  }

 private:
  OpDraft innerOf(const OpShapes &shapes) const {
    OpDraft inner(inner_);
    inner->operands = {shapes.operands[0]};
    inner->results = shapes.results;
    return inner;
  }

  absl::StatusOr<IndexingRelation> answer(const OpShapes &shapes,
                                          Direction direction, int64_t result,
                                          int64_t operand) const {
    if (operand == 0) return ofInner(shapes, direction, result);
    const FunctionMaps whole(
        [](const OpShapes &s, int64_t r, int64_t k, AccessList &list) {
          list.addEverything(s.results[r], s.operands[k]);
          return absl::OkStatus();
        });
    return direction == Direction::OutputToInput
               ? whole.outputToInput(shapes, result, operand)
               : whole.inputToOutput(shapes, result, operand);
  }

  /// The result stands behind more operands here.
  absl::StatusOr<IndexingRelation> ofInner(const OpShapes &shapes,
                                           Direction direction,
                                           int64_t result) const {
    INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                               indexing(innerOf(shapes), direction, result, 0));
    const int64_t more = shapes.operands.size() - 1;
    auto tensor = [&](int64_t t) { return t == 0 ? t : t + more; };
    return withSources(relation, {tensor, nullptr});
  }

  const Op inner_;
};

}  // namespace

absl::StatusOr<Op> withSizes(Op inner, OpShapes shapes) {
  if (shapes.operands.size() == 1) {
    return inner.changed(
        [&](OpDraft &op) { static_cast<OpShapes &>(*op) = std::move(shapes); });
  }
  CustomOp op = make<CustomOp>(std::move(shapes));
  op.maps = std::make_shared<WithSizes>(std::move(inner));
  return Op(std::move(op));
}

}  // namespace indexical

#include "indexical/program/module/library_parts.h"

#include <memory>

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/access.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace library {

absl::Status Parts::verify(const OpShapes &) const {
  for (const PairOp &part : parts_)
    INDEXICAL_RETURN_IF_ERROR(indexical::verify(part.op));
  return absl::OkStatus();
}

absl::StatusOr<IndexingRelation> Parts::ask(Direction direction, int64_t result,
                                            int64_t operand) const {
  for (const PairOp &part : parts_)
    if (part.result == result && part.operand == operand)
      return indexing(part.op, direction, part.resultOfOp, part.operandOfOp);
  return IndexingRelation();
}

ShapeList leavesOf(llvm::ArrayRef<const Shape *> shapes) {
  if (shapes.size() == 1) return shapes[0]->leaves();
  std::vector<ArrayShape> all;
  for (const Shape *shape : shapes)
    for (const ArrayShape &leaf : shape->leaves()) all.push_back(leaf);
  return all;
}

Op along(const ArrayShape &operand, const ArrayShape &result,
         llvm::ArrayRef<int64_t> dimensions) {
  auto op = opOf<BroadcastOp>(operand, result);
  op.dimensions.assign(dimensions.begin(), dimensions.end());
  return op;
}

Op identity(const ArrayShape &shape) {
  auto op = opOf<ForwardOp>(shape, shape);
  op.reads = {0};
  return op;
}

Op everything(const ArrayShape &operand, const ArrayShape &result) {
  return opOf<ReadAllOp>(operand, result);
}

Op wholeOfBatch(const ArrayShape &operand, const ArrayShape &result,
                int64_t batch) {
  auto op = opOf<CustomOp>(operand, result);
  op.maps = std::make_shared<FunctionMaps>(
      [batch](const OpShapes &shapes, int64_t, int64_t, AccessList &list) {
        Access &access = list.add();
        access.result = access.loopsOver(shapes.results[0]);
        access.operand = access.loopsOver(shapes.operands[0]);
        for (int64_t k = 0; k < batch; ++k)
          access.operand[k] = access.result[k];
        list.weaken(Precision::Cover);
        return absl::OkStatus();
      });
  return Op(std::move(op));
}

bool isWorkspace(const ArrayShape &shape) {
  return shape.rank() == 1 &&
         (shape.type == ElementType::S8 || shape.type == ElementType::U8);
}

std::optional<Op> custom(const ShapeList &operands, const ShapeList &results,
                         Parts parts) {
  CustomOp op;
  op.operands = operands;
  op.results = results;
  auto maps = std::make_shared<Parts>(std::move(parts));
  if (!maps->verify(op).ok()) return std::nullopt;
  op.maps = std::move(maps);
  return Op(op);
}

std::optional<llvm::json::Object> configurationOf(const CustomCall &call,
                                                  llvm::StringRef wrapped) {
  auto parsed = llvm::json::parse(call.backendConfig);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  llvm::json::Object *object = parsed->getAsObject();
  if (!object) return std::nullopt;
  if (llvm::json::Object *inner = object->getObject(wrapped)) return *inner;
  return *object;
}

}  // namespace library
}  // namespace indexical

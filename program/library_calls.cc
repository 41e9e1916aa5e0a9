#include "indexical/program/library_calls.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/ops/op_interface.h"

namespace indexical {
namespace {

namespace json = llvm::json;

constexpr llvm::StringLiteral kIdentity = "the operand, as it is";
constexpr llvm::StringLiteral kGemm =
    "as `dot`; C at the same index, a bias by its column, scales whole; the "
    "workspace reads nothing";

/// Sorted.
constexpr LibraryTarget kTargets[] = {
    {"AssumeGatherIndicesInBound", kIdentity},
    {"MoveToDevice", kIdentity},
    {"MoveToHost", kIdentity},
    {"SPMDFullToShardShape", "the operand, where the shapes are the same"},
    {"SPMDShardToFullShape", "the operand, where the shapes are the same"},
    {"Sharding", kIdentity},
    {"TopK", "as `topk`"},
    {"__cublas$gemm", kGemm},
    {"__cublas$lt$matmul", kGemm},
    {"__cublas$lt$matmul$f8", kGemm},
    {"__cusolver$cholesky",
     "as `cholesky`; the status of a matrix reads all of it, the workspace "
     "nothing"},
    {"annotate_device_placement", kIdentity},
    {"mhlo.topk", "as `topk`"},
};

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

  absl::Status verify(const OpShapes &) const override {
    for (const Part &part : parts_)
      if (auto status = indexical::verify(part.op); !status.ok()) return status;
    return absl::OkStatus();
  }
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
                                       int64_t operand) const {
    for (const Part &part : parts_)
      if (part.result == result && part.operand == operand)
        return indexing(part.op, direction, part.resultOfOp, part.operandOfOp);
    return IndexingRelation();
  }

  std::vector<Part> parts_;
};

ShapeList leavesOf(llvm::ArrayRef<const Shape *> shapes) {
  ShapeList all;
  for (const Shape *shape : shapes)
    for (const ArrayShape &leaf : shape->leaves()) all.push_back(leaf);
  return all;
}

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

/// Bytes that a library works in: their contents are nobody's result.
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

//===-- Configurations ----------------------------------------------------===//

/// The object in the configuration; XLA wraps it in one of the backend.
std::optional<json::Object> configurationOf(const CustomCall &call,
                                            llvm::StringRef wrapped) {
  auto parsed = json::parse(call.backendConfig);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  json::Object *object = parsed->getAsObject();
  if (!object) return std::nullopt;
  if (json::Object *inner = object->getObject(wrapped)) return *inner;
  return *object;
}

/// A list of numbers, which may be written as strings; absent: none.
std::optional<Int64s> numbersOf(const json::Object &object,
                                llvm::StringRef key) {
  Int64s numbers;
  const json::Value *value = object.get(key);
  if (!value) return numbers;
  const json::Array *array = value->getAsArray();
  if (!array) return std::nullopt;
  for (const json::Value &one : *array) {
    int64_t number = 0;
    if (auto integer = one.getAsInteger())
      number = *integer;
    else if (auto text = one.getAsString();
             !text || text->getAsInteger(10, number))
      return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

//===-- Products ----------------------------------------------------------===//

std::optional<Op> gemm(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  const auto configuration = configurationOf(call, "gemm_backend_config");
  if (!configuration || operands.size() < 2 || results.empty())
    return std::nullopt;
  const json::Object *numbers =
      configuration->getObject("dot_dimension_numbers");
  if (!numbers) return std::nullopt;
  const auto lhsBatch = numbersOf(*numbers, "lhs_batch_dimensions");
  const auto rhsBatch = numbersOf(*numbers, "rhs_batch_dimensions");
  const auto lhs = numbersOf(*numbers, "lhs_contracting_dimensions");
  const auto rhs = numbersOf(*numbers, "rhs_contracting_dimensions");
  if (!lhsBatch || !rhsBatch || !lhs || !rhs) return std::nullopt;
  const llvm::StringRef epilogue =
      configuration->getString("epilogue").value_or("DEFAULT");
  const ArrayShape &out = results[0];
  DotOp dot;
  dot.operands = {ArrayShape(operands[0].type, operands[0].dimensions),
                  ArrayShape(operands[1].type, operands[1].dimensions)};
  dot.results = {ArrayShape(out.type, out.dimensions)};
  dot.lhsBatch = *lhsBatch;
  dot.rhsBatch = *rhsBatch;
  dot.lhsContracting = *lhs;
  dot.rhsContracting = *rhs;
  Parts parts;
  for (size_t r = 0; r < results.size(); ++r) {
    const ArrayShape &result = results[r];
    // What an activation is computed of is the product before it; the largest
    // number is one of all.
    const bool isProduct = result.dimensions == out.dimensions &&
                           (r == 0 || epilogue.contains("AUX"));
    const bool isLargest = r > 0 && result.isScalar();
    if (!isProduct && !isLargest) {
      if (r == 0 || !isWorkspace(result)) return std::nullopt;
      continue;
    }
    for (size_t k = 0; k < operands.size(); ++k) {
      const int64_t result64 = r, operand64 = k;
      const ArrayShape &operand = operands[k];
      if (isLargest) {
        parts.add({result64, operand64, everything(operand, result)});
      } else if (k < 2) {
        parts.add({result64, operand64, dot, operand64});
      } else if (operand.dimensions == out.dimensions && !out.isScalar()) {
        parts.add({result64, operand64,
                   identity(ArrayShape(result.type, result.dimensions))});
      } else if (operand.isScalar()) {
        parts.add({result64, operand64, along(operand, result, {})});
      } else if (operand.rank() == 1 && epilogue.contains("BIAS") &&
                 operand.dimensions[0] == out.dimensions.back()) {
        parts.add(
            {result64, operand64, along(operand, result, {out.rank() - 1})});
      } else {
        return std::nullopt;
      }
    }
  }
  return custom(operands, results, std::move(parts));
}

//===-- Others ------------------------------------------------------------===//

std::optional<Op> cholesky(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  const auto configuration = configurationOf(call, "cholesky_options");
  if (!configuration || operands.size() != 1 || results.empty() ||
      results[0].dimensions != operands[0].dimensions || results[0].rank() < 2)
    return std::nullopt;
  auto factor = opOf<CholeskyOp>(operands[0], results[0]);
  factor.lower = configuration->getBoolean("lower").value_or(false);
  Parts parts;
  parts.add({0, 0, factor});
  const int64_t batch = results[0].rank() - 2;
  for (size_t r = 1; r < results.size(); ++r) {
    if (isWorkspace(results[r]) || results[r].type == operands[0].type)
      continue;
    if (results[r].type != ElementType::S32 ||
        llvm::ArrayRef<int64_t>(results[r].dimensions) !=
            llvm::ArrayRef<int64_t>(operands[0].dimensions).take_front(batch))
      return std::nullopt;
    // A status: a reduction of the matrix.
    ReduceOp all;
    const ArrayShape init(operands[0].type, {});
    all.operands = {ArrayShape(operands[0].type, operands[0].dimensions), init};
    all.results = {ArrayShape(operands[0].type, results[r].dimensions)};
    all.dimensions = {batch, batch + 1};
    parts.add({static_cast<int64_t>(r), 0, all});
  }
  return custom(operands, results, std::move(parts));
}

std::optional<Op> topK(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 1 || results.size() != 2 || operands[0].isScalar())
    return std::nullopt;
  TopKOp op;
  op.operands = operands;
  op.results = results;
  op.k = results[0].isScalar() ? -1 : results[0].dimensions.back();
  if (op.k == kDynamicSize || !verify(op).ok()) return std::nullopt;
  return Op(op);
}

std::optional<Op> handedOn(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 1 || results.size() != 1 ||
      operands[0].type != results[0].type ||
      operands[0].dimensions != results[0].dimensions ||
      operands[0].hasUnknownSize())
    return std::nullopt;
  ForwardOp op;
  op.operands = operands;
  op.results = results;
  op.reads = {0};
  return Op(op);
}

}  // namespace

llvm::ArrayRef<LibraryTarget> libraryTargets() { return kTargets; }

std::optional<Op> libraryCall(const CustomCall &call) {
  const auto *target = llvm::find_if(
      kTargets, [&](const LibraryTarget &t) { return t.name == call.target; });
  if (target == std::end(kTargets)) return std::nullopt;
  if (call.target.starts_with("__cublas$")) return gemm(call);
  if (call.target == "__cusolver$cholesky") return cholesky(call);
  if (call.target == "TopK" || call.target == "mhlo.topk") return topK(call);
  return handedOn(call);
}

}  // namespace indexical

#include "indexical/import/stablehlo/lower/elements.h"

#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/dialect/reduction.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "indexical/import/stablehlo/lower/emit_indexing.h"
#include "indexical/import/stablehlo/lower/relations.h"
#include "indexical/import/stablehlo/lower/scalar_ops.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

namespace affine = mlir::affine;
namespace arith = mlir::arith;
using mlir::Value;

/// Each level of ops needs several nested calls.
constexpr int kMostDeep = 2'000;
constexpr int kMostCalls = 64;

absl::Status notLowered(mlir::Operation *op) {
  return absl::UnimplementedError(
      "`" + op->getName().getStringRef().str() +
      "` is not lowered: it neither moves elements nor computes or reduces "
      "them one by one");
}

/// Ops whose results consist of elements of these operands. Other operands
/// choose the elements.
struct MovingOp {
  llvm::StringRef name;
  int operands;            ///< the first ones; -1: all
  bool isForward = false;  ///< result i is operand i
};
constexpr MovingOp kMovingOps[] = {
    {"stablehlo.broadcast", 1},
    {"stablehlo.broadcast_in_dim", 1},
    {"stablehlo.concatenate", -1},
    {"stablehlo.dynamic_broadcast_in_dim", 1},
    {"stablehlo.dynamic_gather", 1},
    {"stablehlo.dynamic_pad", 2},
    {"stablehlo.dynamic_reshape", 1},
    {"stablehlo.dynamic_slice", 1},
    {"stablehlo.dynamic_update_slice", 2},
    {"stablehlo.gather", 1},
    {"stablehlo.optimization_barrier", -1, true},
    {"stablehlo.pad", 2},
    {"stablehlo.real_dynamic_slice", 1},
    {"stablehlo.reshape", 1},
    {"stablehlo.reverse", 1},
    {"stablehlo.slice", 1},
    {"stablehlo.torch_index_select", 1},
    {"stablehlo.transpose", 1},
    {"tensor.cast", 1},
    {"tensor.collapse_shape", 1},
    {"tensor.concat", -1},
    {"tensor.expand_shape", 1},
    {"tensor.extract", 1},
    {"tensor.extract_slice", 1},
    {"tensor.from_elements", -1},
    {"tensor.gather", 1},
    {"tensor.insert_slice", 2},
    {"tensor.reshape", 1},
    {"tensor.splat", 1},
};

const MovingOp *movingOp(mlir::Operation *op) {
  for (const MovingOp &row : kMovingOps)
    if (row.name == op->getName().getStringRef()) return &row;
  return nullptr;
}

mlir::ElementsAttr constantOf(mlir::Operation *op) {
  if (auto own = llvm::dyn_cast<stablehlo::ConstantOp>(op))
    return llvm::dyn_cast<mlir::ElementsAttr>(own.getValue());
  if (auto own = llvm::dyn_cast<arith::ConstantOp>(op))
    return llvm::dyn_cast<mlir::ElementsAttr>(own.getValue());
  return nullptr;
}

}  // namespace

absl::Status ElementEmitter::fail(mlir::Operation *op, absl::Status status) {
  if (!failedAt_) failedAt_ = op;
  return status;
}

void ElementEmitter::addToScope(mlir::ValueRange values,
                                llvm::ArrayRef<Interval> bounds) {
  llvm::append_range(values_, values);
  llvm::append_range(bounds_, bounds);
}

unsigned ElementEmitter::numberInScope(Value value, const Interval &bounds) {
  for (auto [i, known] : llvm::enumerate(values_))
    if (known == value && bounds_[i] == bounds) return i;
  addToScope(value, bounds);
  return values_.size() - 1;
}

ElementEmitter::Result ElementEmitter::at(Value tensor,
                                          const IndexingMap &where) {
  if (auto known = scalars_.lookup(tensor)) return known;
  // A scalar does not depend on the rest of the map.
  if (where.results().empty() && !where.dimensions().empty())
    return at(tensor, IndexingMap());
  const ElementKey key{tensor, frame_ ? frame_->number : 0, where};
  for (const Memo &memo : llvm::reverse(memo_))
    if (auto found = memo.elements.find(key); found != memo.elements.end())
      return found->second;
  mlir::Operation *op = tensor.getDefiningOp();
  if (++elements_ > limits_.mostElements)
    return fail(op, absl::ResourceExhaustedError(
                        "without tensors in between, more than " +
                        std::to_string(limits_.mostElements) +
                        " elements would be computed for one"));
  if (++depth_ > kMostDeep)
    return fail(op, absl::ResourceExhaustedError(
                        "more than " + std::to_string(kMostDeep) +
                        " ops stand behind each other"));
  auto value = compute(tensor, where);
  --depth_;
  if (!value.ok()) return op ? fail(op, value.status()) : value.status();
  memo_.back().elements.try_emplace(key, *value);
  return value;
}

ElementEmitter::Result ElementEmitter::compute(Value tensor,
                                               const IndexingMap &where) {
  if (auto own = llvm::dyn_cast<mlir::BlockArgument>(tensor))
    return argument(own, where);
  auto result = llvm::cast<mlir::OpResult>(tensor);
  mlir::Operation *op = result.getOwner();
  if (auto value = constantOf(op)) return constant(op, value, where);
  if (llvm::isa<arith::ConstantOp>(op)) return b_.clone(*op)->getResult(0);
  if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
    return called(call, result, where);
  if (const MovingOp *row = movingOp(op)) {
    if (row->isForward)
      return at(op->getOperand(result.getResultNumber()), where);
    const unsigned count =
        row->operands < 0 ? op->getNumOperands() : row->operands;
    return moved(result, llvm::to_vector(llvm::seq(0u, count)), where);
  }
  if (auto iota = llvm::dyn_cast<stablehlo::IotaOp>(op))
    return counted(result, iota.getIotaDimension(), where);
  if (auto map = llvm::dyn_cast<stablehlo::MapOp>(op))
    return mapped(map, where);
  if (llvm::isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp>(op))
    return reduced(result, where);
  if (llvm::isa<stablehlo::ScatterOp, mlir::tensor::ScatterOp>(op))
    return scattered(result, where);
  if (llvm::isa<mlir::linalg::LinalgOp>(op)) return structured(result, where);
  if (llvm::isa<mlir::tensor::GenerateOp>(op)) return generated(op, where);
  if (isScalarOp(op)) return scalar(op, where);
  return notLowered(op);
}

ElementEmitter::Result ElementEmitter::argument(mlir::BlockArgument argument,
                                                const IndexingMap &where) {
  if (frame_ && argument.getOwner()->isEntryBlock()) {
    const Frame *frame = frame_;
    frame_ = frame->caller;
    mlir::func::CallOp call = frame->call;
    auto value = at(call.getOperand(argument.getArgNumber()), where);
    frame_ = frame;
    return value;
  }
  Value is = arguments_.lookup(argument);
  if (!is) return absl::UnimplementedError("a block's argument is not lowered");
  if (!llvm::isa<mlir::MemRefType>(is.getType())) return is;
  return load(is, where);
}

bool ElementEmitter::isAffine(const IndexingMap &map,
                              llvm::ArrayRef<FormId> forms) {
  bool isValid = true;
  map.expressions().visitVariables(forms, [&](VariableId id) {
    isValid &= isAffineOperand(b_, values_[id.index]);
  });
  return isValid && llvm::all_of(forms, [&](FormId form) {
           const auto affine = affineExpr(map, form, b_.getContext());
           return affine.ok() && affine->isPureAffine();
         });
}

ElementEmitter::Result ElementEmitter::load(Value memref,
                                            const IndexingMap &where) {
  if (isAffine(where, where.results())) {
    INDEXICAL_ASSIGN_OR_RETURN(mlir::AffineMap map,
                               affineMapOf(where, b_.getContext()));
    Values operands(valuesOf(where));
    affine::canonicalizeMapAndOperands(&map, &operands);
    return affine::AffineLoadOp::create(b_, memref, map, operands).getResult();
  }
  EmitOptions options;
  options.condition = false;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto index,
      emitIndexing(b_, where, valuesOf(where), {}, {}, b_.getLoc(), options));
  return mlir::memref::LoadOp::create(b_, memref, index.results).getResult();
}

ElementEmitter::Result ElementEmitter::indexValue(const IndexingMap &where,
                                                  unsigned result) {
  INDEXICAL_ASSIGN_OR_RETURN(auto only, onlyResults(where, {result}));
  EmitOptions options;
  options.condition = false;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto index,
      emitIndexing(b_, only, valuesOf(where), {}, {}, b_.getLoc(), options));
  return index.results.front();
}

ElementEmitter::Result ElementEmitter::called(mlir::func::CallOp call,
                                              mlir::OpResult result,
                                              const IndexingMap &where) {
  auto function = symbols_.lookupNearestSymbolFrom<mlir::func::FuncOp>(
      call, call.getCalleeAttr());
  if (!function || function.isDeclaration() ||
      !llvm::hasSingleElement(function.getBody()))
    return absl::UnimplementedError("a call of `" + call.getCallee().str() +
                                    "`, which has no body of one block");
  int calls = 0;
  for (const Frame *f = frame_; f; f = f->caller) ++calls;
  if (calls == kMostCalls)
    return absl::ResourceExhaustedError("more than " +
                                        std::to_string(kMostCalls) +
                                        " calls stand in each other");
  auto &frame = frames_[{call, frame_}];
  if (!frame) {
    const int number = frames_.size();
    frame = std::make_unique<Frame>(Frame{frame_, call, number});
  }
  const Frame *outer = frame_;
  frame_ = frame.get();
  mlir::Operation *last = function.getBody().front().getTerminator();
  auto value = at(last->getOperand(result.getResultNumber()), where);
  frame_ = outer;
  return value;
}

absl::StatusOr<const IndexingRelation *> ElementEmitter::exactReads(
    mlir::OpResult result, unsigned operand) {
  auto [found, isNew] = reads_.try_emplace(
      {result.getOwner(), {result.getResultNumber(), operand}});
  if (isNew) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto reads, readsOf(result, result.getOwner()->getOpOperand(operand)));
    if (reads.precision() != Precision::Exact)
      return absl::UnimplementedError(
          "what `" + result.getOwner()->getName().getStringRef().str() +
          "` reads is not known exactly");
    found->second = std::move(reads);
  }
  return &found->second;
}

ElementEmitter::Result ElementEmitter::scalar(mlir::Operation *op,
                                              const IndexingMap &where) {
  Values operands;
  for (unsigned k = 0; k < op->getNumOperands(); ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto reads, exactReads(op->getResult(0), k));
    if (reads->pieces().size() != 1) return notLowered(op);
    INDEXICAL_ASSIGN_OR_RETURN(auto there,
                               compose(where, reads->pieces().front()));
    INDEXICAL_ASSIGN_OR_RETURN(auto value, at(op->getOperand(k), there));
    operands.push_back(value);
  }
  return emitScalar(b_, op, operands);
}

ElementEmitter::Result ElementEmitter::constant(mlir::Operation *op,
                                                mlir::ElementsAttr value,
                                                const IndexingMap &where) {
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense) return notLowered(op);
  INDEXICAL_ASSIGN_OR_RETURN(auto type, scalarType(dense.getElementType()));
  if (dense.getElementType() != type) dense = dense.bitcast(type);
  if (dense.isSplat())
    return arith::ConstantOp::create(
               b_, llvm::cast<mlir::TypedAttr>(
                       dense.getSplatValue<mlir::Attribute>()))
        .getResult();
  auto memref = mlir::MemRefType::get(dense.getType().getShape(), type);
  auto &global = globals_[op];
  if (!global) {
    mlir::OpBuilder apart(b_.getContext());
    global = mlir::memref::GlobalOp::create(
        apart, op->getLoc(), "indexical_constant",
        apart.getStringAttr("private"), memref, dense, /*constant=*/true,
        /*alignment=*/nullptr);
    mlir::SymbolTable(module_).insert(global, module_.getBody()->begin());
  }
  auto name = llvm::cast<mlir::memref::GlobalOp>(global).getSymName();
  return load(mlir::memref::GetGlobalOp::create(b_, memref, name), where);
}

ElementEmitter::Result ElementEmitter::counted(Value result, int64_t dimension,
                                               const IndexingMap &where) {
  INDEXICAL_ASSIGN_OR_RETURN(auto index, indexValue(where, dimension));
  const mlir::Type wide = b_.getI64Type();
  const Value number = arith::IndexCastOp::create(b_, wide, index);
  return emitConvert(b_, number, wide, elementOf(result.getType()));
}

ElementEmitter::Result ElementEmitter::mapped(mlir::Operation *op,
                                              const IndexingMap &where) {
  Values operands;
  for (Value operand : op->getOperands()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value, at(operand, where));
    operands.push_back(value);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto results,
                             runRegion(op->getRegion(0), operands));
  return results.front();
}

}  // namespace indexical

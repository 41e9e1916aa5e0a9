#include "indexical/import/stablehlo/lower/lower_to_affine.h"

#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassRegistry.h"

#include "indexical/import/stablehlo/lower/elements.h"
#include "indexical/import/stablehlo/lower/scalar_ops.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

namespace affine = mlir::affine;
using mlir::func::FuncOp;

/// Returns the memref of a tensor, or another type as it is. Returns an error
/// if a size is unknown, or its elements cannot be lowered.
absl::StatusOr<mlir::Type> loweredType(mlir::Type type) {
  if (!llvm::isa<mlir::ShapedType>(type)) return type;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return absl::UnimplementedError(
        "only tensors whose sizes are known are lowered");
  INDEXICAL_ASSIGN_OR_RETURN(auto element, scalarType(tensor.getElementType()));
  return mlir::MemRefType::get(tensor.getShape(), element);
}

/// The identity of the indices of a shape.
absl::StatusOr<IndexingMap> identityOn(llvm::ArrayRef<int64_t> sizes) {
  IndexingMapBuilder b;
  for (int64_t size : sizes) b.result(b.dimension({0, size - 1}));
  return b.build();
}

class FunctionLowering {
 public:
  FunctionLowering(FuncOp from, const ElementLimits &limits)
      : from_(from), limits_(limits) {}

  /// The new function, in front of the old one and without its name, which
  /// calls still mean. On an error there is none, and `failedAt` is the op.
  absl::StatusOr<FuncOp> run() {
    if (!llvm::hasSingleElement(from_.getBody()))
      return absl::UnimplementedError(
          "only functions of one block are lowered");
    llvm::SmallVector<mlir::Type> types;
    for (mlir::TypeRange each : {mlir::TypeRange(from_.getArgumentTypes()),
                                 mlir::TypeRange(from_.getResultTypes())}) {
      for (mlir::Type type : each) {
        INDEXICAL_ASSIGN_OR_RETURN(auto lowered, loweredType(type));
        types.push_back(lowered);
      }
    }
    for (mlir::Type type : from_.getResultTypes())
      if (!llvm::isa<mlir::ShapedType>(type))
        return absl::UnimplementedError(
            "only results that are tensors are "
            "lowered");
    mlir::OpBuilder builder(from_);
    auto function = FuncOp::create(builder, from_.getLoc(),
                                   (from_.getName() + ".lowered").str(),
                                   builder.getFunctionType(types, {}));
    function.setVisibility(from_.getVisibility());
    mlir::Block *block = function.addEntryBlock();
    auto status = writeBody(function, block);
    if (status.ok()) return function;
    function.erase();
    return status;
  }

  mlir::Operation *failedAt() const { return failedAt_ ? failedAt_ : from_; }

 private:
  absl::Status writeBody(FuncOp function, mlir::Block *block) {
    mlir::ImplicitLocOpBuilder b(from_.getLoc(), from_.getContext());
    b.setInsertionPointToEnd(block);
    auto results = from_.getBody().front().getTerminator()->getOperands();
    for (auto [i, result] : llvm::enumerate(results)) {
      auto memref = function.getArgument(from_.getNumArguments() + i);
      INDEXICAL_RETURN_IF_ERROR(writeResult(b, function, result, memref));
    }
    mlir::func::ReturnOp::create(b);
    return absl::OkStatus();
  }

  absl::Status writeResult(mlir::ImplicitLocOpBuilder &b, FuncOp function,
                           mlir::Value result, mlir::Value memref) {
    const auto sizes =
        llvm::cast<mlir::MemRefType>(memref.getType()).getShape();
    if (llvm::is_contained(sizes, 0)) return absl::OkStatus();
    INDEXICAL_ASSIGN_OR_RETURN(auto where, identityOn(sizes));
    ElementEmitter emitter(b, from_->getParentOfType<mlir::ModuleOp>(),
                           limits_);
    for (mlir::BlockArgument argument : from_.getArguments())
      emitter.setArgument(argument,
                          function.getArgument(argument.getArgNumber()));
    mlir::OpBuilder::InsertionGuard guard(b);
    llvm::SmallVector<mlir::Value> loops;
    if (!sizes.empty()) {
      auto nest = affine::AffineParallelOp::create(
          b, mlir::TypeRange(), llvm::ArrayRef<mlir::arith::AtomicRMWKind>(),
          sizes);
      b.setInsertionPointToStart(nest.getBody());
      llvm::append_range(loops, nest.getIVs());
    }
    llvm::SmallVector<Interval> bounds;
    for (int64_t size : sizes) bounds.push_back({0, size - 1});
    emitter.addToScope(loops, bounds);
    auto value = emitter.at(result, where);
    failedAt_ = emitter.failedAt();
    INDEXICAL_RETURN_IF_ERROR(value.status());
    affine::AffineStoreOp::create(b, *value, memref, loops);
    return absl::OkStatus();
  }

  FuncOp from_;
  const ElementLimits limits_;
  mlir::Operation *failedAt_ = nullptr;
};

class LowerToAffine
    : public mlir::PassWrapper<LowerToAffine,
                               mlir::OperationPass<mlir::ModuleOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToAffine)

  LowerToAffine() = default;
  LowerToAffine(const LowerToAffine &other) : PassWrapper(other) {
    mostElements = other.mostElements;
  }

  llvm::StringRef getArgument() const final {
    return "indexical-lower-to-affine";
  }
  llvm::StringRef getDescription() const final {
    return "turn functions on tensors into loops that read their arguments "
           "directly, through composed maps";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const final {
    registry.insert<affine::AffineDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::math::MathDialect,
                    mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  }

  Option<int64_t> mostElements{
      *this, "most-elements",
      llvm::cl::desc("how many elements the code of one result may compute"),
      llvm::cl::init(ElementLimits().mostElements)};

  void runOnOperation() final {
    ElementLimits limits;
    limits.mostElements = mostElements;
    llvm::SmallVector<std::pair<FuncOp, FuncOp>> lowered;
    for (auto function : llvm::to_vector(getOperation().getOps<FuncOp>())) {
      if (function.isDeclaration() || !hasTensors(function)) continue;
      FunctionLowering lowering(function, limits);
      auto made = lowering.run();
      if (!made.ok()) {
        lowering.failedAt()->emitError()
            << std::string(made.status().message());
        for (auto [from, to] : lowered) to.erase();
        return signalPassFailure();
      }
      lowered.emplace_back(function, *made);
    }
    for (auto [from, to] : lowered) {
      to.setName(from.getName());
      from.erase();
    }
  }

 private:
  static bool hasTensors(FuncOp function) {
    auto isTensor = [](mlir::Type type) {
      return llvm::isa<mlir::TensorType>(type);
    };
    return llvm::any_of(function.getArgumentTypes(), isTensor) ||
           llvm::any_of(function.getResultTypes(), isTensor);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> createLowerToAffinePass() {
  return std::make_unique<LowerToAffine>();
}

void registerLowerToAffinePass() { mlir::PassRegistration<LowerToAffine>(); }

}  // namespace indexical

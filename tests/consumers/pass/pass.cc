// Another project: its dialect, and a pass that asks what results read.
#include "mlir/Pass/Pass.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "ops/op.h"
#include "shift_dialect.h.inc"
#define GET_OP_CLASSES
#include "shift_dialect.cc.inc"
#include "shift_ops.h.inc"
#define GET_OP_CLASSES
#include "shift_ops.cc.inc"

void shift::ShiftDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "shift_ops.cc.inc"
      >();
}

absl::Status shift::RotateOp::describeAccesses(
    const indexical::OpShapes &shapes, int64_t, int64_t,
    indexical::AccessList &list) {
  indexical::Access &access = list.add();
  access.result = access.loopsOver(shapes.results[0]);
  access.operand = {mod(access.result[0] + static_cast<int64_t>(getBy()),
                        shapes.results[0].dimensions[0])};
  return absl::OkStatus();
}

namespace {

struct Reads : mlir::PassWrapper<Reads, mlir::OperationPass<mlir::ModuleOp>> {
  llvm::StringRef getArgument() const final { return "reads"; }
  void runOnOperation() final {
    auto maps = indexical::ModuleMaps::of(getOperation());
    if (!maps.ok()) return signalPassFailure();
    for (auto function : getOperation().getOps<mlir::func::FuncOp>()) {
      mlir::Block &block = function.getBody().front();
      auto reads = (*maps)->between(block.getTerminator()->getOperand(0),
                                    block.getArgument(0));
      if (!reads.ok()) return signalPassFailure();
      for (const indexical::IndexingMap &piece : reads->pieces())
        llvm::outs() << function.getName() << ": " << piece.strOneLine()
                     << "\n";
    }
  }
};

}  // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  indexical::registerDialects(registry);
  registry.insert<shift::ShiftDialect>();
  mlir::PassRegistration<Reads>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, kConsumer, registry));
}

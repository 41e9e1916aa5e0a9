// A dialect of somebody else's, `ring` (ring.td), whose ops say what they read:
//
//   - ring.rotate implements the interface in ODS, by accesses;
//   - ring.mirror knows nothing of it: an external model is attached, and says
//     that it is a reverse.
//
// From then on they are composed with each other and with the ops that the
// library has.
//
//   bazel run //examples:external_dialect

#include <string>

#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

#include "examples/ring_dialect.h.inc"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "indexical/ops/families.h"
#define GET_OP_CLASSES
#include "examples/ring.h.inc"
#include "examples/ring_dialect.cc.inc"
#define GET_OP_CLASSES
#include "examples/ring.cc.inc"

void ring::RingDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "examples/ring.cc.inc"
      >();
}

// Element `i` of the result is element `(i + by) mod size` of the source, along
// the last dimension.
absl::Status ring::RotateOp::describeAccesses(const indexical::OpShapes &shapes,
                                              int64_t result, int64_t operand,
                                              indexical::AccessList &list) {
  const indexical::ArrayShape &shape = shapes.results[result];
  if (shape.rank() == 0 || shape.hasUnknownSize()) {
    list.addEverything(shape, shapes.operands[operand]);
    list.weaken(indexical::Precision::Cover);
    return absl::OkStatus();
  }
  indexical::Access &access = list.add();
  access.result = access.loopsOver(shape);
  access.operand = access.result;
  access.operand.back() =
      mod(access.result.back() + static_cast<int64_t>(getBy()),
          shape.dimensions.back());
  return absl::OkStatus();
}

namespace {

using namespace indexical;

struct MirrorReads
    : ir::ReadsOpInterface::ExternalModel<MirrorReads, ring::MirrorOp> {
  absl::StatusOr<Op> describe(mlir::Operation *, OpShapes shapes) const {
    ReverseOp reverse;
    static_cast<OpShapes &>(reverse) = shapes;
    for (int64_t k = 0; k < shapes.results[0].rank(); ++k)
      reverse.dimensions.push_back(k);
    return Op(reverse);
  }
};

constexpr char kModule[] = R"(
  func.func @main(%x: tensor<2x8xf32>) -> tensor<8x2xf32> {
    %turned = ring.rotate %x by 3 : tensor<2x8xf32>
    %mirrored = ring.mirror %turned : tensor<2x8xf32>
    %into = tensor.empty() : tensor<8x2xf32>
    %r = linalg.transpose ins(%mirrored : tensor<2x8xf32>)
                          outs(%into : tensor<8x2xf32>) permutation = [1, 0]
    return %r : tensor<8x2xf32>
  }
)";

void print(llvm::StringRef what, const IndexingRelation &relation) {
  llvm::outs() << what << " (" << precisionName(relation.precision()) << "):\n";
  for (const IndexingMap &piece : relation.pieces())
    llvm::outs() << "  " << piece.strOneLine() << '\n';
}

absl::Status run() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registry.insert<ring::RingDialect>();
  mlir::MLIRContext context(registry);
  context.loadDialect<ring::RingDialect>();
  ring::MirrorOp::attachInterface<MirrorReads>(context);

  auto module = mlir::parseSourceString<mlir::ModuleOp>(kModule, &context);
  if (!module) return absl::InvalidArgumentError("the module does not parse");
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  mlir::Block &block = function.getBody().front();

  // Queries each op by itself.
  for (mlir::Operation &op : block) {
    if (op.getName().getDialectNamespace() != "ring") continue;
    auto reads = readsOf(op.getResult(0), op.getOpOperand(0));
    if (!reads.ok()) return reads.status();
    print((op.getName().getStringRef() + " reads").str(), *reads);
  }

  // Asks what the returned value reads of the argument.
  auto maps = ModuleMaps::of(*module);
  if (!maps.ok()) return maps.status();
  const mlir::Value returned = block.getTerminator()->getOperand(0);
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    auto relation = (*maps)->between(returned, block.getArgument(0), direction);
    if (!relation.ok()) return relation.status();
    print(direction == Direction::OutputToInput ? "main reads of x"
                                                : "x is read by main",
          *relation);
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (status.ok()) return 0;
  llvm::errs() << "external_dialect: " << std::string(status.message()) << '\n';
  return 1;
}

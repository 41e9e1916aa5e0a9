#include "stablehlo/import/describe.h"

#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"

#include "stablehlo/import/scalar_ops.h"
#include "stablehlo/indexical/indexical.h"

namespace indexical {
namespace {

using Rows = llvm::DenseMap<llvm::StringRef, const MlirOpInfo *>;

const Rows &allRows() {
  static const Rows *rows = [] {
    auto *made = new Rows();
    for (llvm::ArrayRef<MlirOpInfo> table :
         {tensorOps(), linalgOps(), vectorOps(), scalarOps()})
      for (const MlirOpInfo &info : table) made->try_emplace(info.name, &info);
    return made;
  }();
  return *rows;
}

}  // namespace

const MlirOpInfo *findMlirOp(llvm::StringRef name) {
  return allRows().lookup(name);
}

absl::StatusOr<Op> describeOp(mlir::Operation *op, OpShapes shapes) {
  if (auto reads = llvm::dyn_cast<ir::ReadsOpInterface>(op))
    return reads.describe(std::move(shapes));
  const llvm::StringRef name = op->getName().getStringRef();
  if (const MlirOpInfo *info = findMlirOp(name))
    return info->describe(op, std::move(shapes));
  if (isElementwise(op, shapes))
    return Op(make<ElementwiseOp>(std::move(shapes)));
  auto opaque = make<CoverOp>(std::move(shapes));
  opaque.precision = Precision::Opaque;
  opaque.reason = "the op `" + name.str() + "` is not known";
  return Op(std::move(opaque));
}

}  // namespace indexical

#include "indexical/stablehlo/import/describe.h"

#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/stablehlo/import/scalar_ops.h"
#include "indexical/stablehlo/indexical/indexical.h"

namespace indexical {
namespace {

using Rows = llvm::DenseMap<llvm::StringRef, const MlirOpInfo *>;

const Rows &allRows() {
  static const Rows *rows = [] {
    auto *made = new Rows();
    for (llvm::ArrayRef<MlirOpInfo> table :
         {stablehloOps(), funcOps(), tensorOps(), linalgOps(), vectorOps(),
          scalarOps()})
      for (const MlirOpInfo &info : table) made->try_emplace(info.name, &info);
    return made;
  }();
  return *rows;
}

}  // namespace

std::vector<const MlirOpInfo *> mlirOps() {
  std::vector<const MlirOpInfo *> all;
  for (const auto &[name, info] : allRows()) all.push_back(info);
  llvm::sort(all, [](const MlirOpInfo *a, const MlirOpInfo *b) {
    return a->name < b->name;
  });
  return all;
}

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

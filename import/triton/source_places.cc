#include "indexical/import/triton/source_places.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace indexical::triton {

void addFrames(mlir::Location location, llvm::StringRef path,
               llvm::StringRef function,
               std::vector<kernels::SourceFrame> &frames) {
  if (frames.size() >= 64) return;
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    const llvm::StringRef name = file.getFilename().getValue();
    if (name == path || name == "-") return;
    frames.push_back(
        {function.str(), name.str(), file.getLine(), file.getColumn()});
  } else if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) {
    addFrames(named.getChildLoc(), path, named.getName().getValue(), frames);
  } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    addFrames(call.getCallee(), path, function, frames);
    addFrames(call.getCaller(), path, "", frames);
  } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations()) {
      const size_t before = frames.size();
      addFrames(part, path, function, frames);
      if (frames.size() != before) return;
    }
  }
}

Place placeIn(mlir::Location location, llvm::StringRef path, int depth) {
  if (depth > 64) return {};
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location))
    return file.getFilename().getValue() == path
               ? Place{file.getLine(), file.getColumn()}
               : Place();
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location))
    return placeIn(named.getChildLoc(), path, depth + 1);
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    const Place inner = placeIn(call.getCallee(), path, depth + 1);
    return inner.known() ? inner : placeIn(call.getCaller(), path, depth + 1);
  }
  return {};
}

}  // namespace indexical::triton

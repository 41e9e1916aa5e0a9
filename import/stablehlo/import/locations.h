// Locations of MLIR as metadata: the origins of ops.
//
//   loc("model.py":12:3)                             model.py:12
//   loc("jit(f)/add"(…))                             op_name jit(f)/add, and …
//   loc(callsite("dense"("layer.py":80:1) at …))     layer.py:80 in dense, and
//                                                    the frames of … around it
//   loc(fused[…, …])                                 the first that has a place
//
// A name outside all call sites is the op's (JAX writes `jit(f)/add`), and one
// that ends with `:` is its type. A name directly around a place, inside a call
// site, is a function.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOCATIONS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOCATIONS_H

#include <functional>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Location.h"

#include "indexical/program/module/program.h"

namespace indexical {

class Locations {
 public:
  /// Locations are shared, and their graph can have more paths than nodes.
  /// After so many steps the rest is left out.
  static constexpr int kMostSteps = 10'000;

  /// Adds frames to `frames`. `keep` makes a text persist. A place in the
  /// module's own file, `path`, is not used as the origin of an op.
  Locations(StackFrames &frames, llvm::StringRef path,
            std::function<llvm::StringRef(llvm::StringRef)> keep)
      : frames_(frames), path_(path), keep_(std::move(keep)) {}

  Metadata of(mlir::Location location);

 private:
  StackFrames &frames_;
  const llvm::StringRef path_;
  const std::function<llvm::StringRef(llvm::StringRef)> keep_;
  llvm::DenseMap<mlir::Attribute, Metadata> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_LOCATIONS_H

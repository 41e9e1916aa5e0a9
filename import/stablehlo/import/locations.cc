#include "indexical/import/stablehlo/import/locations.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Takes a location apart, the innermost frame first. With a stack of its own:
/// call sites may be nested deep.
class Walk {
 public:
  explicit Walk(StringRef path) : path_(path) {}

  void run(mlir::Location location) {
    open_.push_back({location});
    for (int step = 0; !open_.empty() && step < Locations::kMostSteps; ++step) {
      const Open next = open_.back();
      open_.pop_back();
      visit(next);
    }
  }

  StringRef opName() const { return opName_; }
  const std::vector<StackFrame> &frames() const { return frames_; }

 private:
  struct Open {
    mlir::LocationAttr location;
    StringRef function = "";  ///< around it
    bool isInCall = false;
    /// A fused location: the next of its parts, and the frames before it.
    size_t part = 0, framesBefore = 0;
  };

  void visit(const Open &at) {
    if (auto place = llvm::dyn_cast<mlir::FileLineColRange>(at.location)) {
      if (place.getFilename().getValue() == path_) return;
      StackFrame frame;
      frame.file = place.getFilename().getValue();
      frame.function = at.function;
      frame.line = std::min<unsigned>(place.getStartLine(), INT32_MAX);
      frames_.push_back(frame);
    } else if (auto name = llvm::dyn_cast<mlir::NameLoc>(at.location)) {
      const mlir::Location child = name.getChildLoc();
      Open inner = {child, "", at.isInCall};
      if (llvm::isa<mlir::FileLineColRange>(child) &&
          (at.isInCall || (!opName_.empty() && !opName_.ends_with(":"))))
        inner.function = name.getName().getValue();
      else if (opName_.empty() || opName_.ends_with(":"))
        opName_ = name.getName().getValue();
      open_.push_back(inner);
    } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(at.location)) {
      open_.push_back({call.getCaller(), "", true});
      open_.push_back({call.getCallee(), "", true});
    } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(at.location)) {
      visitFused(at, fused);
    } else if (auto opaque = llvm::dyn_cast<mlir::OpaqueLoc>(at.location)) {
      open_.push_back({opaque.getFallbackLocation(), "", at.isInCall});
    }
  }

  /// Its parts say the same thing: one that has frames is enough.
  void visitFused(const Open &at, mlir::FusedLoc fused) {
    const bool isFirst = at.part == 0;
    if (!isFirst && frames_.size() > at.framesBefore) return;
    if (at.part >= fused.getLocations().size()) return;
    Open rest = at;
    ++rest.part;
    rest.framesBefore = frames_.size();
    open_.push_back(rest);
    open_.push_back({fused.getLocations()[at.part], "", at.isInCall});
  }

  const StringRef path_;
  StringRef opName_;
  std::vector<StackFrame> frames_;
  std::vector<Open> open_;
};

}  // namespace

Metadata Locations::of(mlir::Location location) {
  auto [known, isNew] = known_.try_emplace(location);
  if (!isNew) return known->second;
  Walk walk(path_);
  walk.run(location);
  Metadata metadata;
  metadata.opName = keep_(walk.opName());
  for (StackFrame frame : llvm::reverse(walk.frames())) {
    frame.file = keep_(frame.file);
    frame.function = keep_(frame.function);
    frame.caller = metadata.frame;
    metadata.frame = frames_.add(frame);
  }
  return known->second = metadata;
}

}  // namespace indexical

// Stack frames: where in a user's program instructions come from.
//
//   0  model.py:12 in step
//   1  layer.py:80 in dense, called by 0
//   2  layer.py:81 in dense, called by 0
//
// An instruction names its innermost frame; a frame names the one that called
// it. A module's instructions share their outer frames, so one table holds the
// frames of all. In HLO they come from the tables at a module's head and
// `source_file`, in MLIR from the locations of ops.
//
//   StackFrames frames;
//   int32_t step = frames.add({"model.py", "step", 12});
//   int32_t dense = frames.add({"layer.py", "dense", 80, step});
//   std::string stack;
//   for (const StackFrame &frame : frames.stackFrom(dense))
//     stack += frame.str() + "; ";
//   // "layer.py:80 in dense; model.py:12 in step; "
//
// Law: a caller's number is smaller than that of what it calls, so each stack
// ends.
#ifndef INDEXICAL_PROGRAM_MODULE_STACK_FRAMES_H
#define INDEXICAL_PROGRAM_MODULE_STACK_FRAMES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct StackFrame {
  llvm::StringRef file, function;  ///< the function may be empty
  int32_t line = 0;                ///< 0: not known
  int32_t caller = -1;             ///< a number in the table; -1: none

  /// Returns the file and, if it is known, the line: `layer.py:80`.
  std::string place() const;
  /// Returns the file, the line and the function, as far as they are known:
  /// `layer.py:80 in dense`.
  std::string str() const;
};

/// Returns whether a file belongs to an installed package and not to the author
/// of the model: it is below `site-packages`, `dist-packages` or
/// `lib/python3.11`.
bool isInstalled(llvm::StringRef file);

/// Returns the innermost frame of a file that is not installed, or else the
/// innermost one. Requires a frame.
const StackFrame &ownFrame(llvm::ArrayRef<StackFrame> stack);

class StackFrames {
 public:
  /// No program that runs has more frames: a stack shows the innermost ones.
  static constexpr size_t kMostShown = 1000;

  /// Returns the frame's number; equal frames have one number. Requires that
  /// its caller was added.
  int32_t add(const StackFrame &frame);
  size_t size() const { return frames_.size(); }
  const StackFrame &operator[](int32_t number) const { return frames_[number]; }
  /// Returns the frame and those around it, the innermost first; none for -1.
  llvm::SmallVector<StackFrame, 8> stackFrom(int32_t innermost) const;

 private:
  using Key = std::tuple<llvm::StringRef, llvm::StringRef, int32_t, int32_t>;

  std::vector<StackFrame> frames_;
  llvm::DenseMap<Key, int32_t> numbers_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_STACK_FRAMES_H

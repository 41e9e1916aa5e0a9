#include "indexical/program/module/stack_frames.h"

#include <algorithm>
#include <cassert>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

bool isOfVersion(char c) { return llvm::isDigit(c) || c == '.'; }

}  // namespace

std::string StackFrame::place() const {
  return line > 0 ? file.str() + ":" + std::to_string(line) : file.str();
}

std::string StackFrame::str() const {
  return function.empty() ? place() : place() + " in " + function.str();
}

bool isInstalled(llvm::StringRef file) {
  llvm::StringRef parent, rest = file;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("/\\"), rest.size());
    const llvm::StringRef part = rest.take_front(end);
    if (part == "site-packages" || part == "dist-packages") return true;
    const bool isLibrary = parent == "lib" || parent == "lib64";
    if (isLibrary && part.starts_with("python") &&
        llvm::all_of(part.drop_front(6), isOfVersion))
      return true;
    parent = part;
    rest = rest.drop_front(std::min(end + 1, rest.size()));
  }
  return false;
}

const StackFrame &ownFrame(llvm::ArrayRef<StackFrame> stack) {
  for (const StackFrame &frame : stack)
    if (!isInstalled(frame.file)) return frame;
  return stack.front();
}

int32_t StackFrames::add(const StackFrame &frame) {
  const int32_t next = frames_.size();
  assert(frame.caller < next && "a caller is added before what it calls");
  auto [entry, isNew] = numbers_.try_emplace(
      {frame.file, frame.function, frame.line, frame.caller}, next);
  if (isNew) frames_.push_back(frame);
  return entry->second;
}

llvm::SmallVector<StackFrame, 8> StackFrames::stackFrom(
    int32_t innermost) const {
  llvm::SmallVector<StackFrame, 8> stack;
  for (int32_t at = innermost; at >= 0 && stack.size() < kMostShown;
       at = frames_[at].caller)
    stack.push_back(frames_[at]);
  return stack;
}

}  // namespace indexical

#include "indexical/hlo/written_shapes.h"

#include "llvm/ADT/StringExtras.h"

#include "indexical/hlo/shape_parser.h"

namespace indexical {
namespace {

/// A longer text is read each time: a file without spaces has no end near by.
constexpr size_t kLongest = 128;

/// The text up to a space that an opcode follows, or nothing: a shape that ends
/// there does so wherever it is followed like this.
llvm::StringRef textBeforeOpcode(llvm::StringRef rest) {
  llvm::StringRef near = rest.take_front(kLongest);
  llvm::StringRef text = near.take_until([](char c) { return c == ' '; });
  near = near.drop_front(text.size());
  return near.size() > 1 && llvm::isAlpha(near[1]) ? text : "";
}

}  // namespace

const SharedShape *WrittenShapes::read(Lexer &lexer) {
  lexer.skipSpace();
  const llvm::StringRef text = textBeforeOpcode(lexer.rest());
  if (auto known = known_.find(text); known != known_.end()) {
    lexer.setPosition(text.end());
    return known->second;
  }
  // A tuple ends with its parenthesis, whatever follows.
  const llvm::StringRef rest = lexer.rest();
  const llvm::StringRef begin = rest.take_front(kLongest);
  const bool isTuple = begin.size() == kLongest && begin.front() == '(';
  if (auto last = isTuple ? tuples_.find(begin) : tuples_.end();
      last != tuples_.end() && rest.starts_with(last->second.text)) {
    lexer.setPosition(last->second.text.size() + rest.data());
    return last->second.shape;
  }
  Shape shape;
  if (!parseShape(lexer, shape)) return nullptr;
  const bool isWhole = !text.empty() && lexer.position() == text.end();
  const SharedShape *read = &shapes_.emplace_back(std::move(shape));
  if (isWhole) known_.try_emplace(text, read);
  const llvm::StringRef written(rest.data(), lexer.position() - rest.data());
  if (isTuple && written.size() > kLongest) tuples_[begin] = {written, read};
  return read;
}

}  // namespace indexical

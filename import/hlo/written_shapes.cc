#include "indexical/import/hlo/written_shapes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/shape_parser.h"

namespace indexical {
namespace {

/// A longer text is read each time: a file without spaces has no end near by.
constexpr size_t kLongest = 128;

/// Powers of 2; a short text needs few.
constexpr size_t kFewPlaces = 32, kMostPlaces = 8192;

/// The text up to a space that an opcode follows, or nothing: a shape that ends
/// there does so wherever it is followed like this.
llvm::StringRef textBeforeOpcode(llvm::StringRef rest) {
  llvm::StringRef near = rest.take_front(kLongest);
  llvm::StringRef text = near.take_until([](char c) { return c == ' '; });
  near = near.drop_front(text.size());
  return near.size() > 1 && llvm::isAlpha(near[1]) ? text : "";
}

size_t hashOf(llvm::StringRef text) {
  uint64_t hash = text.size();
  while (!text.empty()) {
    uint64_t word = 0;
    const size_t size = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), size);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
    text = text.drop_front(size);
  }
  return hash;
}

}  // namespace

/// The place that has the text, or that it may take.
WrittenShapes::KnownShape &WrittenShapes::placeOf(llvm::StringRef text) {
  if (shapes_.size() * 2 >= known_.size()) grow();
  const size_t hash = hashOf(text) % known_.size();
  KnownShape &first = known_[hash], &second = known_[hash ^ 1];
  if (first.text == text || !first.shape) return first;
  return second.text == text || !second.shape ? second : first;
}

void WrittenShapes::grow() {
  const size_t size = known_.empty() ? kFewPlaces : known_.size() * 4;
  if (size > kMostPlaces) return;
  const std::vector<KnownShape> before = std::move(known_);
  known_.assign(size, {});
  for (const KnownShape &known : before)
    if (known.shape) placeOf(known.text) = known;
}

const SharedShape *WrittenShapes::read(Lexer &lexer) {
  lexer.skipSpace();
  const llvm::StringRef text = textBeforeOpcode(lexer.rest());
  KnownShape &known = placeOf(text);
  if (known.shape && known.text == text) {
    lexer.setPosition(text.end());
    return known.shape;
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
  if (isWhole) known = {text, read};
  const llvm::StringRef written(rest.data(), lexer.position() - rest.data());
  if (isTuple && written.size() > kLongest) tuples_[begin] = {written, read};
  return read;
}

}  // namespace indexical

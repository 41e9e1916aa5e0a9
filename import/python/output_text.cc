#include "indexical/import/python/output_text.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

/// Returns what a line of a log holds behind its head, or nothing if it is none
/// of output code.
std::optional<StringRef> behindHead(StringRef line) {
  static constexpr StringRef kHeads[] = {
      "[__output_code] ", "[__output_code]", "__output_code: [DEBUG] ",
      "__output_code: [DEBUG]", "torch._inductor.graph: [DEBUG] "};
  for (StringRef head : kHeads)
    if (const size_t at = line.find(head); at != StringRef::npos && at < 200)
      return line.drop_front(at + head.size());
  return std::nullopt;
}

bool beginsCode(StringRef content) { return content.trim() == "Output code:"; }

/// The text between the first `[` behind a word and its `]`, or what follows
/// the word up to the end of the line.
StringRef listBehind(StringRef line, StringRef word) {
  const size_t at = line.find(word);
  if (at == StringRef::npos) return {};
  StringRef rest = line.drop_front(at + word.size()).ltrim();
  if (!rest.consume_front("[")) return rest.rtrim();
  return rest.take_front(rest.find(']')).trim();
}

void append(std::string &list, StringRef item) {
  if (item.empty()) return;
  absl::StrAppend(&list, list.empty() ? "" : ", ", item.str());
}

/// Reads one block of comments.
class CommentReader {
 public:
  void line(StringRef text, uint32_t number) {
    if (made_.first == 0) made_.first = number;
    made_.last = number;
    constexpr StringRef kNodes = "Source Nodes:", kOps = "Original ATen:";
    if (text.contains(kNodes)) {
      isNamed_ = true;
      made_.nodes = listBehind(text, kNodes).str();
    }
    if (text.contains(kOps)) {
      isNamed_ = true;
      made_.ops = listBehind(text, kOps).str();
    }
    // `# y => relu`
    if (const auto [from, to] = text.split(" => "); !to.empty())
      append(mapped_, from.ltrim("# ").trim());
    constexpr StringRef kTarget = "call_function[target=torch.ops.";
    if (const size_t at = text.find(kTarget); at != StringRef::npos)
      append(targets_,
             text.drop_front(at + kTarget.size()).take_until([](char c) {
               return c == ']';
             }));
  }

  /// Adds the block, if it names anything, and begins another.
  void end(std::vector<NodeComment> &into) {
    if (made_.nodes.empty()) made_.nodes = mapped_;
    if (made_.ops.empty()) made_.ops = targets_;
    if (isNamed_) into.push_back(made_);
    *this = CommentReader();
  }

 private:
  NodeComment made_;
  bool isNamed_ = false;
  std::string mapped_, targets_;
};

}  // namespace

std::vector<std::string> outputCodesOf(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  if (llvm::none_of(
          lines, [](StringRef line) { return behindHead(line).has_value(); }))
    return {text.str()};
  std::vector<std::string> codes;
  std::string *code = nullptr;
  for (const auto &[number, line] : llvm::enumerate(lines)) {
    const auto content = behindHead(line);
    if (content && beginsCode(*content)) {
      code = &codes.emplace_back(number + 1, '\n');
      continue;
    }
    if (!code && content && !content->trim().empty())
      code = &codes.emplace_back(number, '\n');
    if (!code) continue;
    if (content && !content->trim().starts_with("Output code written to"))
      code->append(content->rtrim("\r"));
    code->push_back('\n');
  }
  return codes;
}

std::vector<NodeComment> nodeCommentsOf(StringRef text) {
  std::vector<NodeComment> found;
  CommentReader reader;
  uint32_t number = 0;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    text = rest;
    ++number;
    const StringRef content = line.trim();
    if (content.starts_with("#"))
      reader.line(content, number);
    else
      reader.end(found);
  }
  reader.end(found);
  return found;
}

}  // namespace indexical::python

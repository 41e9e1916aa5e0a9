#include "indexical/import/hlo/syntax_pieces.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {
namespace {

using Begin = TextPiece::Begin;

constexpr llvm::StringLiteral kSplit = "// -----";

// The next line that is a split marker, at or after `from`; or npos.
size_t findSplit(llvm::StringRef text, size_t from) {
  while (true) {
    // `find` is slower on a text of 300 MB.
    const void *next = memmem(text.data() + from, text.size() - from,
                              kSplit.data(), kSplit.size());
    if (!next) return llvm::StringRef::npos;
    const size_t found = static_cast<const char *>(next) - text.data();
    size_t line = found;
    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t'))
      --line;
    if (line == 0 || text[line - 1] == '\n') return found;
    from = found + kSplit.size();
  }
}

/// So many pieces for each thread: some are harder than others.
constexpr size_t kPiecesOfJob = 4;

/// Returns what a line seems to begin: a body, or something at top level, or
/// nothing. `before` is the text before the line.
std::optional<Begin> beginOf(llvm::StringRef line, llvm::StringRef before) {
  const bool isIndented = line.consume_front("  ");
  const char first = line.empty() ? '\0' : line.front();
  if (first != '%' && !llvm::isAlpha(first)) return std::nullopt;
  if (isIndented) return Begin::Body;
  if (before.rtrim("\n").ends_with("\n}")) return Begin::TopLevel;
  return std::nullopt;
}

class Cutter {
 public:
  Cutter(llvm::StringRef text, size_t length) : text_(text), length_(length) {}

  std::vector<TextPiece> cut() {
    for (llvm::StringRef part : partsOf(text_)) cut(part);
    return std::move(pieces_);
  }

 private:
  /// Begins a piece at the first character of a line.
  void begin(Begin begin, llvm::StringRef rest) {
    pieces_.push_back({begin, rest, rest.end()});
  }

  void cut(llvm::StringRef part) {
    part.consume_front("\n");
    begin(Begin::Part, part);
    for (size_t at = length_; at + length_ < part.size(); ++at) {
      at = part.find('\n', at);
      if (at >= part.size()) return;
      const llvm::StringRef line = part.drop_front(at + 1);
      const auto found = beginOf(line, part.take_front(at));
      if (!found) continue;
      pieces_.back().end = line.begin();
      begin(*found, line);
      at += length_;
    }
  }

  const llvm::StringRef text_;
  const size_t length_;
  std::vector<TextPiece> pieces_;
};

/// Fills in the lines where pieces begin.
void count(llvm::StringRef text, Crew &crew, std::vector<TextPiece> &pieces) {
  crew.forEach(pieces.size(), [&](size_t i) {
    const char *end =
        i + 1 < pieces.size() ? pieces[i + 1].rest.begin() : text.end();
    pieces[i].lines = std::count(pieces[i].rest.begin(), end, '\n');
  });
  pieces[0].line = 1 + std::count(text.begin(), pieces[0].rest.begin(), '\n');
  for (size_t i = 1; i < pieces.size(); ++i)
    pieces[i].line = pieces[i - 1].line + pieces[i - 1].lines;
}

/// Adds what a piece holds of a computation to what was read of it before.
void append(ComputationSyntax &open, ComputationSyntax rest) {
  const uint32_t operands = open.operands.size();
  const uint32_t attributes = open.attributes.size();
  const int32_t instructions = open.instructions.size();
  for (InstructionSyntax &instruction : rest.instructions) {
    instruction.firstOperand += operands;
    instruction.firstAttribute += attributes;
  }
  for (OperandSyntax &operand : rest.operands)
    if (operand.nested >= 0) operand.nested += instructions;
  llvm::append_range(open.instructions, rest.instructions);
  llvm::append_range(open.operands, rest.operands);
  llvm::append_range(open.attributes, rest.attributes);
}

ComputationSyntax &openOf(PieceSyntax &piece) {
  return piece.modules.back().computations.back();
}

/// Whether it holds nothing but a part of one computation.
bool isOneBody(const PieceSyntax &piece) {
  return piece.modules.size() == 1 &&
         piece.goesOn + 1 == piece.modules[0].computations.size();
}

/// Makes room for what pieces hold of the computation in whose body the first
/// one ends.
void reserve(llvm::MutableArrayRef<PieceSyntax> pieces) {
  size_t instructions = 0, operands = 0, attributes = 0;
  for (PieceSyntax &piece : pieces) {
    const ComputationSyntax &part =
        &piece == &pieces.front()
            ? openOf(piece)
            : piece.modules.front().computations[piece.goesOn];
    instructions += part.instructions.size();
    operands += part.operands.size();
    attributes += part.attributes.size();
    if (&piece != &pieces.front() && !(piece.isOpen && isOneBody(piece))) break;
  }
  ComputationSyntax &open = openOf(pieces.front());
  open.instructions.reserve(instructions);
  open.operands.reserve(operands);
  open.attributes.reserve(attributes);
}

/// Makes the numbers of computations that are attributes' values those of the
/// whole module.
void shiftInline(ModuleSyntax &module, int32_t by) {
  for (ComputationSyntax &computation : module.computations)
    for (AttributeSyntax &attribute : computation.attributes)
      if (attribute.computation >= 0) attribute.computation += by;
}

void join(const TextPiece &piece, PieceSyntax found,
          std::vector<ModuleSyntax> &modules) {
  auto first = found.modules.begin();
  if (piece.begin != Begin::Part) {
    std::vector<ComputationSyntax> &all = modules.back().computations;
    std::vector<ComputationSyntax> &more = first->computations;
    const bool isBody = piece.begin == Begin::Body;
    if (found.hasInline) shiftInline(*first, all.size() - isBody);
    if (isBody) {
      ComputationSyntax open = std::move(all.back());
      all.pop_back();
      append(open, std::move(more[found.goesOn]));
      more[found.goesOn] = std::move(open);
    }
    std::move(more.begin(), more.end(), std::back_inserter(all));
    ++first;
  }
  std::move(first, found.modules.end(), std::back_inserter(modules));
}

/// Whether each piece ends as the next one begins.
bool fitTogether(llvm::ArrayRef<TextPiece> pieces,
                 llvm::ArrayRef<PieceSyntax> found) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool isLast = i + 1 == pieces.size();
    if (isLast || pieces[i + 1].begin == Begin::Part) {
      if (found[i].isOpen || found[i].last != pieces[i].rest.end())
        return false;
    } else if (found[i].isOpen != (pieces[i + 1].begin == Begin::Body) ||
               found[i].last != found[i + 1].first) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool parseSyntaxTogether(Source &source, Crew &crew, size_t leastPiece,
                         std::deque<WrittenShapes> &shapes,
                         std::vector<ModuleSyntax> &modules) {
  const size_t length = std::max(
      leastPiece, source.text().size() / (crew.size() * kPiecesOfJob) + 1);
  std::vector<TextPiece> pieces = Cutter(source.text(), length).cut();
  if (pieces.size() < 2) return false;
  count(source.text(), crew, pieces);
  std::vector<PieceSyntax> found(pieces.size());
  std::vector<Source> sources(pieces.size(), Source(source.text()));
  shapes.resize(pieces.size());
  std::atomic<bool> isWrong{false};
  crew.forEach(pieces.size(), [&](size_t i) {
    if (!isWrong && !parsePiece(sources[i], pieces[i], shapes[i], found[i]))
      isWrong = true;
  });
  if (isWrong || !fitTogether(pieces, found)) return false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool isBody = pieces[i].begin == Begin::Body;
    if (found[i].isOpen && !(isBody && isOneBody(found[i])))
      reserve(llvm::MutableArrayRef(found).drop_front(i));
    join(pieces[i], std::move(found[i]), modules);
    source.warnAsIn(sources[i]);
  }
  endTexts(source.text(), modules);
  return !modules.empty() &&
         llvm::none_of(modules, [](const ModuleSyntax &module) {
           return module.computations.empty();
         });
}

void endTexts(llvm::StringRef text, std::vector<ModuleSyntax> &modules) {
  const char *end = text.end();
  for (ModuleSyntax &module : llvm::reverse(modules)) {
    const char *begin = module.text.begin();
    module.text = llvm::StringRef(begin, end - begin).trim();
    end = begin;
  }
}

// Text behind a marker on its line is part of the comment.
std::vector<llvm::StringRef> partsOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(findSplit(text, begin), text.size());
    llvm::StringRef part = text.slice(begin, end);
    if (begin > 0)
      part = part.drop_front(std::min(part.find('\n'), part.size()));
    parts.push_back(part);
    if (end == text.size()) break;
    begin = end + kSplit.size();
  }
  return parts;
}

}  // namespace indexical

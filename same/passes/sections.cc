// Sections of mlir-opt's --mlir-print-ir-after-all as chains of dumps.

#include <utility>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/same/passes/dump_chain.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr llvm::StringLiteral kHeader = "// -----// IR Dump ";
constexpr llvm::StringLiteral kEnd = " //----- //";

/// `// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //`
struct SectionHeader {
  bool isBefore = false, failed = false;
  std::string pass;  ///< the flag, if it has one: `cse`
};

std::optional<SectionHeader> readHeader(StringRef line) {
  line = line.trim();
  if (!line.consume_front(kHeader) || !line.consume_back(kEnd))
    return std::nullopt;
  SectionHeader header;
  if (line.consume_front("Before "))
    header.isBefore = true;
  else if (!line.consume_front("After "))
    return std::nullopt;
  // The op that the pass ran on comes last, in module scope.
  if (line.ends_with(")"))
    if (const size_t at = line.rfind(" ('"); at != StringRef::npos)
      line = line.take_front(at);
  auto [name, flag] = line.split(" (");
  if (name.consume_back(" Failed")) header.failed = true;
  const bool hasFlag = flag.consume_back(")") && !flag.empty();
  header.pass = (hasFlag ? flag : name).str();
  return header;
}

/// The name of the op that a line begins: `f` of `func.func private @f(…) {`.
StringRef symbolOf(StringRef line) {
  StringRef head = line.take_until([](char c) { return c == '(' || c == '{'; });
  const size_t at = head.find('@');
  if (at == StringRef::npos) return "";
  StringRef name = line.drop_front(at + 1);
  if (name.consume_front("\""))
    return name.take_until([](char c) { return c == '"'; });
  return name.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
  });
}

/// The op that is printed first in a section: its end and its name.
struct PrintedOp {
  size_t size = 0;
  std::string name;
};

/// An op with regions ends at the first brace that begins a line; aliases,
/// which begin with `#`, stand before and behind it.
PrintedOp firstOp(StringRef section) {
  PrintedOp op;
  enum { Searching, Open, Done } state = Searching;
  size_t at = 0;
  while (at < section.size()) {
    size_t end = section.find('\n', at);
    end = end == StringRef::npos ? section.size() : end + 1;
    const StringRef line = section.slice(at, end);
    const StringRef text = line.rtrim();
    const bool isAlias = text.starts_with("#") || text.starts_with("!");
    if (state == Searching) {
      if (!text.empty() && !isAlias && !text.starts_with("//")) {
        const StringRef keyword =
            text.take_until([](char c) { return c == ' ' || c == '('; });
        const StringRef symbol = symbolOf(text);
        op.name = (symbol.empty() ? keyword.trim('"') : symbol).str();
        state = text.ends_with("{") ? Open : Done;
      }
    } else if (state == Open) {
      if (text.starts_with("}")) state = Done;
    } else if (!isAlias && !text.empty()) {
      break;
    }
    at = end;
    if (state == Done && (isAlias || op.size == 0)) op.size = at;
  }
  if (op.size == 0) op.size = at;
  return op;
}

}  // namespace

bool hasSections(StringRef text) {
  return text.starts_with(kHeader) || text.contains(("\n" + kHeader).str());
}

std::vector<DumpChain> chainsOfSections(StringRef text, StringRef file) {
  struct Section {
    SectionHeader header;
    size_t begin = 0, end = 0;  // of what follows the header
    uint32_t linesBefore = 0;
  };
  std::vector<Section> sections;
  uint32_t lines = 0;
  for (size_t at = 0; at < text.size(); ++lines) {
    size_t end = text.find('\n', at);
    end = end == StringRef::npos ? text.size() : end + 1;
    if (auto header = readHeader(text.slice(at, end))) {
      if (!sections.empty()) sections.back().end = at;
      sections.push_back({*std::move(header), end, text.size(), lines + 1});
    }
    at = end;
  }
  llvm::MapVector<StringRef, DumpChain> chains;
  std::vector<std::string> names(sections.size());
  for (auto [number, section] : llvm::enumerate(sections)) {
    if (section.header.failed) continue;
    const StringRef body = text.slice(section.begin, section.end);
    PrintedOp op = firstOp(body);
    if (op.name.empty()) continue;
    names[number] = std::move(op.name);
    DumpChain &chain = chains[names[number]];
    if (section.header.isBefore && !chain.dumps.empty()) continue;
    chain.name = names[number];
    Dump dump;
    dump.file = file.str();
    dump.offset = section.begin;
    dump.size = op.size;
    dump.linesBefore = section.linesBefore;
    if (!section.header.isBefore) dump.pass = section.header.pass;
    chain.dumps.push_back(std::move(dump));
  }
  std::vector<DumpChain> found;
  for (auto &[name, chain] : chains) found.push_back(std::move(chain));
  return found;
}

}  // namespace indexical

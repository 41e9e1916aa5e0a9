#include "indexical/answers/pictures/svg_text.h"

#include "llvm/Support/JSON.h"

namespace indexical {
namespace {

/// The bytes of the character that begins there, of well-formed UTF-8.
size_t lengthAt(llvm::StringRef text, size_t i) {
  const unsigned char lead = text[i];
  const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return std::min(length, text.size() - i);
}

std::string wellFormed(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

bool isAllowed(llvm::StringRef character) {
  const unsigned char lead = character[0];
  if (lead < 0x20) return lead == '\t' || lead == '\n';
  // U+FFFE and U+FFFF.
  return lead != 0x7f && character != "\xef\xbf\xbe" &&
         character != "\xef\xbf\xbf";
}

}  // namespace

std::string xmlText(llvm::StringRef raw) {
  const std::string text = wellFormed(raw);
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const llvm::StringRef character =
        llvm::StringRef(text).substr(i, lengthAt(text, i));
    i += character.size();
    if (!isAllowed(character))
      out += "\xef\xbf\xbd";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "&")
      out += "&amp;";
    else if (character == "\"")
      out += "&quot;";
    else
      out += character;
  }
  return out;
}

size_t charactersOf(llvm::StringRef raw) {
  const std::string text = wellFormed(raw);
  size_t count = 0;
  for (size_t i = 0; i < text.size(); i += lengthAt(text, i)) ++count;
  return count;
}

std::vector<std::string> linesOf(llvm::StringRef raw, size_t width,
                                 size_t most) {
  const std::string text = wellFormed(raw);
  std::vector<std::string> lines;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = begin, count = 0, space = 0;
    while (end < text.size() && count < width) {
      if (text[end] == ' ' && end > begin) space = end;
      end += lengthAt(text, end);
      ++count;
    }
    const bool isLast = end >= text.size();
    if (!isLast && text[end] != ' ' && space > begin) end = space;
    if (lines.size() + 1 == most && !isLast) {
      lines.push_back(text.substr(begin, end - begin) + "…");
      return lines;
    }
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
    while (begin < text.size() && text[begin] == ' ') ++begin;
  }
  return lines;
}

}  // namespace indexical

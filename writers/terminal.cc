#include "indexical/writers/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace indexical {

using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr size_t kNoTerminal = 80;
constexpr size_t kLeast = 20;  ///< narrower ones are not helped by breaks

}  // namespace

size_t columnsOf(const raw_ostream &os) {
  size_t columns = 0;
  if (const char *given = std::getenv("COLUMNS"))
    if (!StringRef(given).getAsInteger(10, columns) && columns > 0)
      return std::max(columns, kLeast);
  winsize size;
  if (os.is_displayed() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0)
    return std::max<size_t>(size.ws_col, kLeast);
  return kNoTerminal;
}

bool wantsColours(const raw_ostream &os) {
  return os.has_colors() && os.colors_enabled();
}

size_t widthOf(StringRef text) {
  const int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

std::string bytesText(int64_t bytes) {
  static constexpr const char *kUnits[] = {"B",  "kB", "MB", "GB",
                                           "TB", "PB", "EB"};
  double value = bytes;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format(unit == 0 ? "%.0f " : "%.1f ", value) << kUnits[unit];
  return text;
}

std::string bytesText(int64_t least, int64_t most) {
  if (least == most) return bytesText(most);
  const std::string from = least == 0 ? "0" : bytesText(least);
  const std::string to = bytesText(most);
  return from == to ? "about " + to : from + " to " + to;
}

std::string printable(StringRef text) {
  std::string out = text.str();
  for (char &c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

void writeToned(StringRef text, Tone tone, bool colours, raw_ostream &os) {
  if (!colours || tone == Tone::Plain || text.empty()) {
    os << text;
    return;
  }
  switch (tone) {
    case Tone::Plain:
      break;
    case Tone::Strong:
      os.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
      break;
    case Tone::Bad:
      os.changeColor(raw_ostream::RED, /*Bold=*/true);
      break;
    case Tone::Good:
      os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
      break;
    case Tone::Faint:
      os.changeColor(raw_ostream::CYAN);
      break;
  }
  os << text;
  os.resetColor();
}

TextFlow::TextFlow(raw_ostream &os, size_t width, size_t indent, size_t begin)
    : os_(os),
      width_(width),
      indent_(indent),
      column_(begin),
      isFresh_(begin == 0),
      isOpen_(begin > 0),
      colours_(wantsColours(os)) {}

void TextFlow::put(StringRef word, Tone tone, size_t space) {
  const size_t width = widthOf(word);
  if (!isFresh_ && column_ + space + width > width_) endLine();
  if (!isOpen_) {
    os_.indent(indent_);
    column_ = indent_;
    isOpen_ = true;
    isFresh_ = true;
  }
  if (!isFresh_) {
    os_.indent(space);
    column_ += space;
  }
  writeToned(word, tone, colours_, os_);
  column_ += width;
  isFresh_ = false;
}

void TextFlow::name(StringRef text, Tone tone) {
  if (!text.empty()) put(printable(text), tone, 2);
}

void TextFlow::words(StringRef text, Tone tone, size_t space) {
  llvm::SmallVector<StringRef, 16> words;
  const std::string clean = printable(text);
  StringRef(clean).split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    put(word, tone, space);
    space = 1;
  }
}

void TextFlow::endLine() {
  if (isOpen_) os_ << '\n';
  isOpen_ = false;
  isFresh_ = true;
}

void writeSentence(llvm::StringRef text, size_t width, llvm::raw_ostream &os) {
  const auto [first, rest] = text.split(' ');
  os << first;
  TextFlow flow(os, width, 2, widthOf(first));
  flow.goOn(rest);
  flow.endLine();
}

std::string rightAligned(llvm::StringRef text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text.str();
}

}  // namespace indexical

#include "indexical/command/reporter.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/own_kind.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::raw_ostream;
using llvm::StringRef;

/// Bytes after the first of a character in UTF-8.
bool isContinuation(char c) { return (c & 0xC0) == 0x80; }

/// Whether the bytes are text: UTF-8 without control characters, but for tabs.
bool isText(StringRef bytes) {
  return llvm::json::isUTF8(bytes) && llvm::none_of(bytes, [](char c) {
           return c != '\t' &&
                  (static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
         });
}

/// Line `number` of the text, counted from 1, without its end.
StringRef lineOf(StringRef text, uint32_t number) {
  for (uint32_t i = 1; i < number; ++i) {
    size_t end = text.find('\n');
    if (end == StringRef::npos) return "";
    text = text.drop_front(end + 1);
  }
  return text.take_until([](char c) { return c == '\n'; }).rtrim('\r');
}

/// The part of a line around a column, and the column in it.
struct Window {
  StringRef text;
  size_t column;
  bool cutBefore, cutAfter;
};

Window windowAround(StringRef line, size_t column) {
  column = std::min(column, line.size());
  size_t begin = 0, end = line.size();
  if (line.size() > Reporter::kWindow) {
    begin = column < Reporter::kWindow / 2 ? 0 : column - Reporter::kWindow / 2;
    begin = std::min(begin, line.size() - Reporter::kWindow);
    end = begin + Reporter::kWindow;
    while (begin < column && isContinuation(line[begin])) ++begin;
    while (end < line.size() && end > column && isContinuation(line[end]))
      --end;
  }
  return {line.slice(begin, end), column - begin, begin > 0, end < line.size()};
}

constexpr char kEllipsis[] = "...";
/// The name in messages about no file.
constexpr char kNoFile[] = "indexical";

}  // namespace

void MessageStream::wrongWords(const std::string &text, StringRef meant) {
  os_ << "indexical: " << text << '\n';
  if (!meant.empty()) os_ << "indexical: did you mean `" << meant << "`?\n";
  keep({"usage", "", {}, text, meant.str()});
}

Reporter::Reporter(MessageStream &to, std::string name, StringRef text,
                   bool isQuiet)
    : to_(to),
      os_(to),
      name_(std::move(name)),
      text_(text),
      colours_(wantsColours(os_)),
      isQuiet_(isQuiet) {}

void Reporter::error(const absl::Status &status) {
  StringRef message(status.message().data(), status.message().size());
  to_.keep(errorOf(status, name_ == kNoFile ? StringRef() : name_));
  report(Kind::Error, placeOf(status).value_or(Place()), message,
         suggestionOf(status), hasOwnKind(status));
}

void Reporter::warning(Place place, StringRef text) {
  report(Kind::Warning, place, text, "");
}

void Reporter::note(Place place, StringRef text) {
  report(Kind::Note, place, text, "");
}

void Reporter::report(Kind kind, Place place, StringRef text,
                      StringRef suggestion, bool hasOwnKind) {
  static constexpr StringRef kWords[] = {"error", "warning", "note"};
  static constexpr raw_ostream::Colors kColours[] = {
      raw_ostream::RED, raw_ostream::MAGENTA, raw_ostream::CYAN};
  if (isQuiet_ && kind != Kind::Error) return;
  if (++counts_[size_t(kind)] > kMostOfAKind) return;
  if (prepare_) prepare_();
  if (colours_) os_.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  os_ << name_ << ':';
  if (place.known()) os_ << place.line << ':' << place.column << ':';
  if (colours_) os_.changeColor(kColours[size_t(kind)], /*Bold=*/true);
  os_ << ' ';
  if (!hasOwnKind) os_ << kWords[size_t(kind)] << ": ";
  if (colours_) os_.resetColor();
  print(text.take_front(kMostText));
  os_ << (text.size() > kMostText ? kEllipsis : "") << '\n';
  if (place.known()) showSource(place);
  if (!suggestion.empty()) {
    os_ << "did you mean `";
    print(suggestion);
    os_ << "`?\n";
  }
}

/// Control characters would do things to a terminal, and bytes that are no text
/// would do so, too: of these it is said which they are.
void Reporter::print(StringRef text) {
  while (!text.empty()) {
    size_t end = text.size();
    llvm::json::isUTF8(text, &end);
    for (char c : text.take_front(end))
      os_ << (c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
                  ? c
                  : ' ');
    text = text.drop_front(end);
    if (text.empty()) return;
    os_ << "\\x" << llvm::toHex(text.take_front(1), /*LowerCase=*/true);
    text = text.drop_front(1);
  }
}

void Reporter::showSource(Place place) {
  StringRef line = lineOf(text_, place.line);
  if (line.empty() || place.column == 0) return;
  Window window = windowAround(line, place.column - 1);
  // Bytes that are no text show nothing.
  if (!isText(window.text)) return;
  std::string indent;
  if (window.cutBefore) {
    os_ << kEllipsis;
    indent.assign(sizeof(kEllipsis) - 1, ' ');
  }
  print(window.text);
  os_ << (window.cutAfter ? kEllipsis : "") << '\n';
  // The caret's line has a character for each that is shown, a tab for a tab.
  for (char c : window.text.take_front(window.column))
    if (!isContinuation(c)) indent += c == '\t' ? '\t' : ' ';
  os_ << indent;
  if (colours_) os_.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os_ << '^';
  if (colours_) os_.resetColor();
  os_ << '\n';
}

void Reporter::finish() {
  static constexpr StringRef kPlurals[] = {"errors", "warnings", "notes"};
  if (std::exchange(finished_, true)) return;
  for (size_t kind = 0; kind < counts_.size(); ++kind)
    if (counts_[kind] > kMostOfAKind)
      os_ << name_ << ": " << counts_[kind] - kMostOfAKind << " more "
          << kPlurals[kind] << " like these\n";
}

}  // namespace indexical

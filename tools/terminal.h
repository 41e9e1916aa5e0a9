// Text for a terminal: how wide it is, what it colours, and lines that are laid
// out for it.
//
//   width 40                         width 80
//     fusion.3  f32[1024,512]          fusion.3  f32[1024,512]  jit(f)/dot
//       jit(f)/dot  would mend         would mend it: rows padded to whole
//       it: rows padded to whole       sectors
//       sectors
//
// A name is never cut, nor broken: where it does not fit it has a line of its
// own, however long that is, so that it can be copied whole. Sentences break
// between words.
#ifndef INDEXICAL_TOOLS_TERMINAL_H
#define INDEXICAL_TOOLS_TERMINAL_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// The columns of the terminal that the stream goes to, else 80; `COLUMNS`, if
/// it is set, says otherwise.
size_t columnsOf(const llvm::raw_ostream &os);

/// Whether colours would be seen, and are wanted: `NO_COLOR` is not set.
bool wantsColours(const llvm::raw_ostream &os);

/// Columns that the text takes.
size_t widthOf(llvm::StringRef text);

/// Returns bytes in powers of a thousand: `29.4 MB`.
std::string bytesText(int64_t bytes);

/// Control characters would do things to a terminal: they become spaces.
std::string printable(llvm::StringRef text);

enum class Tone : uint8_t { Plain, Strong, Bad, Good, Faint };

/// Writes pieces one after another, two spaces apart, in lines of up to `width`
/// columns. The first line goes on at the column `begin`, with what was written
/// there; the others are indented.
class Flow {
 public:
  Flow(llvm::raw_ostream &os, size_t width, size_t indent, size_t begin);

  /// What is never broken.
  void name(llvm::StringRef text, Tone tone = Tone::Plain);
  /// What breaks at its spaces.
  void sentence(llvm::StringRef text, Tone tone = Tone::Plain) {
    words(text, tone, 2);
  }
  /// The rest of a sentence.
  void goOn(llvm::StringRef text) { words(text, Tone::Plain, 1); }
  /// The beginning of one, right at `begin`.
  void goOnWith(llvm::StringRef text) { words(text, Tone::Plain, 0); }
  /// Ends the line, if there is something on it; more goes to the next one.
  void endLine();

 private:
  void words(llvm::StringRef text, Tone tone, size_t space);
  void put(llvm::StringRef word, Tone tone, size_t space);

  llvm::raw_ostream &os_;
  const size_t width_, indent_;
  size_t column_;
  bool isFresh_;  ///< nothing stands on the line behind its indent
  bool isOpen_;   ///< something was written on the line, if only its margin
  const bool colours_;
};

/// Writes a paragraph: its first word stands at the margin, and lines after the
/// first one are indented by two.
void writeSentence(llvm::StringRef text, size_t width, llvm::raw_ostream &os);

/// Returns the text with spaces in front, so that it ends at column `width`. A
/// text that is wider stays as it is.
std::string rightAligned(llvm::StringRef text, size_t width);

/// The text in that tone, where the stream has colours.
void writeToned(llvm::StringRef text, Tone tone, bool colours,
                llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TERMINAL_H

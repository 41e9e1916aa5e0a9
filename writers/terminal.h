// Text for a terminal: its width, its colours, and the layout of lines.
//
//   width 40                         width 80
//     fusion.3  f32[1024,512]          fusion.3  f32[1024,512]  jit(f)/dot
//       jit(f)/dot  would mend         would mend it: rows padded to whole
//       it: rows padded to whole       sectors
//       sectors
//
// A name is never cut or broken: if it does not fit, it has a line of its own,
// however long, so that it can be copied whole. Sentences break between words.
#ifndef INDEXICAL_WRITERS_TERMINAL_H
#define INDEXICAL_WRITERS_TERMINAL_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// Returns `COLUMNS` if it is set, else the columns of the terminal that the
/// stream goes to, else 80. Returns at least 20.
size_t columnsOf(const llvm::raw_ostream &os);

/// Returns whether the stream shows colours, and they are not turned off.
bool wantsColours(const llvm::raw_ostream &os);

/// A stream with colours that hands on to another one, whatever that one has.
/// The other stream must outlive it.
class ColouredStream : public llvm::raw_ostream {
 public:
  explicit ColouredStream(llvm::raw_ostream &to)
      : raw_ostream(/*unbuffered=*/true), to_(to) {
    enable_colors(true);
  }
  bool has_colors() const override { return true; }
  bool is_displayed() const override { return to_.is_displayed(); }

 private:
  void write_impl(const char *text, size_t size) override {
    to_.write(text, size);
  }
  uint64_t current_pos() const override { return to_.tell(); }

  llvm::raw_ostream &to_;
};

/// Returns the number of columns that the text takes.
size_t widthOf(llvm::StringRef text);

/// Returns bytes in powers of a thousand: `29.4 MB`.
std::string bytesText(int64_t bytes);
/// Returns bounds of a number of bytes: `0 to 4.2 MB`, or `4.2 MB` if both are
/// one number.
std::string bytesText(int64_t least, int64_t most);

/// Returns the text with control characters, which could affect a terminal,
/// replaced by spaces.
std::string printable(llvm::StringRef text);

enum class Tone : uint8_t { Plain, Strong, Bad, Good, Faint };

/// Writes pieces one after another, two spaces apart, in lines of up to `width`
/// columns. The first line continues the text that was written up to column
/// `begin`; the other lines are indented.
class TextFlow {
 public:
  TextFlow(llvm::raw_ostream &os, size_t width, size_t indent, size_t begin);

  /// Writes a text that is never broken.
  void name(llvm::StringRef text, Tone tone = Tone::Plain);
  /// Writes a text that may break at its spaces.
  void sentence(llvm::StringRef text, Tone tone = Tone::Plain) {
    words(text, tone, 2);
  }
  /// Writes the rest of a sentence.
  void goOn(llvm::StringRef text) { words(text, Tone::Plain, 1); }
  /// Writes the beginning of a sentence, directly at `begin`.
  void goOnWith(llvm::StringRef text) { words(text, Tone::Plain, 0); }
  /// Ends the line if it is not empty. More text goes to the next line.
  void endLine();

 private:
  void words(llvm::StringRef text, Tone tone, size_t space);
  void put(llvm::StringRef word, Tone tone, size_t space);

  llvm::raw_ostream &os_;
  const size_t width_, indent_;
  size_t column_;
  bool isFresh_;  ///< the line has only its indent
  bool isOpen_;   ///< the line has something, if only its margin
  const bool colours_;
};

/// Writes a paragraph. Its first word is at the margin, and lines after the
/// first one are indented by two.
void writeSentence(llvm::StringRef text, size_t width, llvm::raw_ostream &os);

/// Returns the text with spaces in front, so that it ends at column `width`. A
/// wider text stays as it is.
std::string rightAligned(llvm::StringRef text, size_t width);

/// Writes the text, in that tone if `colours` is true.
void writeToned(llvm::StringRef text, Tone tone, bool colours,
                llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_TERMINAL_H

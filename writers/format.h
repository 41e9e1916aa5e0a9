// The formats of results, one record each.
//
//   text       every command
//   json       commands whose result has a structure: one document an input
//   jsonl      the same commands: one line for each item
//   csv        commands whose result is a table
//   html       commands whose result is a page of its own
//   svg        commands whose result is a picture
//   mtx        commands whose result is a sparse matrix
//   attribute  commands that print maps
//   xla        commands that make maps of maps
//   man        help
//
// A record names what a command has to offer for it, and makes its writer. A
// new format is one file here, and its line in format.cc.
#ifndef INDEXICAL_WRITERS_FORMAT_H
#define INDEXICAL_WRITERS_FORMAT_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/schema.h"
#include "indexical/writers/result.h"
#include "indexical/writers/resume.h"

namespace indexical {

/// The forms in which a command's result can be written.
enum class Offer : uint8_t {
  Text,
  Maps,
  XlaMaps,
  Structure,
  Table,
  Picture,
  Matrix,
  Page,
  Manual
};

/// Writes results, one after another. If there are several inputs, each result
/// stands under the name of its file.
class Writer {
 public:
  virtual ~Writer() = default;
  /// `file` is nothing if there is only one input.
  virtual void write(Result &result, std::optional<llvm::StringRef> file) = 0;
  /// Writes the error of one of several inputs. Its message is reported
  /// already.
  virtual void failed(llvm::StringRef file, const absl::Status &status);
  /// Called after the last of several inputs.
  virtual void finish(size_t files, size_t failed);
  /// Appends `text`, which another writer of this kind wrote for the next
  /// input.
  virtual void add(const Writer &part, llvm::StringRef text);
  /// Called in place of `finish` if the call ended before the last input.
  virtual void endEarly() {}
  /// Continues an earlier output: its results, for the first inputs, stay.
  virtual void resume(const Resumed &) {}
};

/// Kinds of pages: those with a script of their own (page/), and one of
/// sections that results write themselves.
enum class PageKind : uint8_t { Kernels, Instructions, Sections };

struct WriterOptions {
  llvm::raw_ostream &os;
  llvm::ArrayRef<llvm::StringRef> columns;  ///< of a table
  PageKind page = PageKind::Kernels;
  /// The key of an input's name, if there are several: `file`, `chain`.
  llvm::StringRef inputKey = "file";
};

struct Format {
  llvm::StringRef name;
  Offer needs;
  bool isForPeople;
  std::unique_ptr<Writer> (*make)(const WriterOptions &options);
};

/// Returns all formats. The first is the default.
llvm::ArrayRef<Format> formats();

std::unique_ptr<Writer> makeTextWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeAttributeWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeXlaWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeManualWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeJsonWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeJsonLinesWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeCsvWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeSvgWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeMatrixWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeHtmlWriter(const WriterOptions &options);
/// The page of PageKind::Sections.
std::unique_ptr<Writer> makeSectionsPageWriter(const WriterOptions &options);

/// Gives the members that begin every document and line: `schema`, `version`,
/// and, if there are several inputs, the name of the input under `inputKey`.
void writeSchema(ValueSink &to, std::optional<llvm::StringRef> file,
                 llvm::StringRef inputKey = "file");

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_FORMAT_H

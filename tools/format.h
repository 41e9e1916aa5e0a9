// The formats of results, one record each.
//
//   text       every command
//   json       commands whose result has a structure: one document an input
//   jsonl      likewise: a line an item
//   csv        commands whose result is a table
//   html       commands whose result is a page of its own
//   svg        commands whose result is a picture
//   attribute  commands that print maps
//   man        help
//
// A record names what a command has to offer for it, and makes its writer: to
// add a format is one file in tools/writers, and its line in format.cc.
#ifndef INDEXICAL_TOOLS_FORMAT_H
#define INDEXICAL_TOOLS_FORMAT_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/result.h"
#include "indexical/tools/resume.h"
#include "indexical/version.h"

namespace indexical {

inline constexpr char kSchema[] = "indexical/1";

/// What a command's result can show itself as.
enum class Offer : uint8_t {
  Text,
  Maps,
  Structure,
  Table,
  Picture,
  Page,
  Manual
};

/// Writes results, one after another. Where there are several inputs each
/// stands under the name of its file.
class Writer {
 public:
  virtual ~Writer() = default;
  /// `file` is nothing where there is one input.
  virtual void write(Result &result, std::optional<llvm::StringRef> file) = 0;
  /// One of several inputs is wrong; its message was reported.
  virtual void failed(llvm::StringRef file, const absl::Status &status);
  /// After the last one, of several inputs.
  virtual void finish(size_t files, size_t failed);
  /// Takes over `text`, which another writer of the kind has written of the
  /// input that comes next.
  virtual void add(const Writer &part, llvm::StringRef text);
  /// Instead of `finish`, where the call was ended before the last input.
  virtual void endEarly() {}
  /// What was written before, of inputs that come first, stays.
  virtual void resume(const Resumed &) {}
};

/// Pages: those with a script of their own (tools/page), and one of sections
/// that results write themselves.
enum class PageKind : uint8_t { Kernels, Instructions, Sections };

struct WriterOptions {
  llvm::raw_ostream &os;
  llvm::ArrayRef<llvm::StringRef> columns;  ///< of a table
  PageKind page = PageKind::Kernels;
  /// The key under which each of several inputs is named: `file`, `chain`.
  llvm::StringRef inputKey = "file";
};

struct Format {
  llvm::StringRef name;
  Offer needs;
  bool isForPeople;
  std::unique_ptr<Writer> (*make)(const WriterOptions &options);
};

/// All of them, the first the default.
llvm::ArrayRef<Format> formats();

std::unique_ptr<Writer> makeTextWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeAttributeWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeManualWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeJsonWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeJsonLinesWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeCsvWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeSvgWriter(const WriterOptions &options);
std::unique_ptr<Writer> makeHtmlWriter(const WriterOptions &options);
/// The page of PageKind::Sections.
std::unique_ptr<Writer> makeSectionsPageWriter(const WriterOptions &options);

/// The string as a JSON value; bytes that are not UTF-8 are replaced.
llvm::json::Value jsonString(llvm::StringRef text);
/// A member that is a list of numbers.
void writeNumbers(llvm::json::OStream &json, llvm::StringRef name,
                  llvm::ArrayRef<int64_t> numbers);

/// The members that begin every document and line: `schema`, `version`, and
/// `file` where there are several, under the key of inputs.
void writeSchema(llvm::json::OStream &json, std::optional<llvm::StringRef> file,
                 llvm::StringRef inputKey = "file");
/// `{"schema": …, "file": …, "error": {"line": …, "column": …, "message": …}}`
void writeErrorDocument(llvm::raw_ostream &os, llvm::StringRef file,
                        const absl::Status &status,
                        llvm::StringRef inputKey = "file");

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FORMAT_H

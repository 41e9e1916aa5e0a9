// A header line, then a line a row (RFC 4180, but for line ends, which are \n).
//
//   module,kernel,access,operand,bytes
//   0,fusion.3,read,0,4096
//
// A cell is the member of that name, as JSON writes it, strings without their
// quotes; a member that a row does not have leaves its cell empty.

#include <cassert>
#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/writers/format.h"
#include "indexical/writers/string_stream.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

void writeText(StringRef text, llvm::raw_ostream &os) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text) {
    if (c == '"') os << '"';
    os << c;
  }
  os << '"';
}

void writeCell(const json::Value &value, llvm::raw_ostream &os) {
  if (value.getAsNull()) return;
  if (auto text = value.getAsString()) return writeText(*text, os);
  // As many digits as were written, and not those of the nearest double.
  if (auto number = value.getAsNumber(); number && !value.getAsInteger()) {
    os << llvm::format("%.10g", *number);
    return;
  }
  std::string text;
  llvm::raw_string_ostream(text) << value;
  writeText(text, os);
}

class CsvWriter : public Writer {
 public:
  explicit CsvWriter(const WriterOptions &options)
      : os_(options.os), columns_(options.columns) {}

  void write(Result &result, std::optional<StringRef> file) override {
    if (!begun_) {
      llvm::ListSeparator comma(",");
      if (file) os_ << comma << "file";
      for (StringRef column : columns_) os_ << comma << column;
      os_ << '\n';
      begun_ = true;
    }
    result.rows([&](Members members) { writeRow(members, file); });
  }

  void add(const Writer &, StringRef text) override {
    os_ << (std::exchange(begun_, true) ? text.split('\n').second : text);
  }

 private:
  void writeRow(Members members, std::optional<StringRef> file) {
    std::string text;
    {
      StringStream os(text);
      json::OStream json(os);
      json.object([&] { members(json); });
    }
    auto row = json::parse(text);
    if (!row) return llvm::consumeError(row.takeError());
    json::Object &cells = *row->getAsObject();
    llvm::ListSeparator comma(",");
    if (file) {
      os_ << comma;
      writeText(*file, os_);
    }
    for (StringRef column : columns_) {
      os_ << comma;
      if (json::Value *cell = cells.get(column)) {
        writeCell(*cell, os_);
        cells.erase(column);
      }
    }
    os_ << '\n';
    assert(cells.empty() && "a member has no column");
  }

  llvm::raw_ostream &os_;
  const llvm::ArrayRef<StringRef> columns_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Writer> makeCsvWriter(const WriterOptions &options) {
  return std::make_unique<CsvWriter>(options);
}

}  // namespace indexical

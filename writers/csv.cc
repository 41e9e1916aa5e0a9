// A header line, then a line a row (RFC 4180, but for line ends, which are \n).
//
//   module,kernel,access,operand,bytes
//   0,fusion.3,read,0,4096
//
// A cell is the member of that name, as JSON writes it, strings without their
// quotes; a member that a row does not have leaves its cell empty.

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"

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

/// The text of a number. It has as many digits as were written, and not those
/// of the nearest double.
std::string numberText(StringRef digits) {
  // A whole number can be past 64 bits.
  if (digits.find_first_not_of("-0123456789") == StringRef::npos)
    return digits.str();
  double number = 0;
  if (digits.getAsDouble(number)) return digits.str();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.10g", number);
  return text;
}

/// The cells of one row. A value that is no scalar is JSON.
class Cells : public ValueSink {
 public:
  explicit Cells(llvm::ArrayRef<StringRef> columns) : cells_(columns.size()) {
    for (size_t c = 0; c < columns.size(); ++c) numbers_[columns[c]] = c;
  }

  /// Returns the cells, and begins a new row.
  std::vector<std::string> take() {
    return std::exchange(cells_, std::vector<std::string>(cells_.size()));
  }

  void key(StringRef name) override {
    if (json_) return json_->key(name);
    const auto found = numbers_.find(name);
    assert(found != numbers_.end() && "a key has no column");
    cell_ = &cells_[found->second];
  }
  void integer(int64_t number) override {
    if (json_) return json_->integer(number);
    *cell_ = std::to_string(number);
  }
  void number(StringRef digits) override {
    if (json_) return json_->number(digits);
    *cell_ = numberText(digits);
  }
  void boolean(bool value) override {
    if (json_) return json_->boolean(value);
    *cell_ = value ? "true" : "false";
  }
  void text(StringRef text) override {
    if (json_) return json_->text(text);
    *cell_ = json::isUTF8(text) ? text.str() : json::fixUTF8(text);
  }
  void null() override {
    if (json_) json_->null();
  }
  void written(StringRef text) override {
    if (json_) return json_->written(text);
    *cell_ = text.str();
  }
  void beginList() override {
    begin();
    json_->beginList();
  }
  void endList() override {
    json_->endList();
    end();
  }
  void beginObject() override {
    begin();
    json_->beginObject();
  }
  void endObject() override {
    json_->endObject();
    end();
  }

 private:
  void begin() {
    if (depth_++ > 0) return;
    json_.emplace(*cell_);
  }
  void end() {
    if (--depth_ > 0) return;
    json_.reset();
  }

  llvm::StringMap<size_t> numbers_;  ///< of the columns
  std::vector<std::string> cells_;
  std::string *cell_ = nullptr;  ///< of the key
  unsigned depth_ = 0;           ///< of lists and objects
  std::optional<JsonTextSink> json_;
};

class CsvWriter : public Writer {
 public:
  explicit CsvWriter(const WriterOptions &options)
      : os_(options.os),
        columns_(options.columns),
        inputKey_(options.inputKey) {}

  void write(Result &result, std::optional<StringRef> file) override {
    if (!begun_) {
      llvm::ListSeparator comma(",");
      if (file) os_ << comma << inputKey_;
      for (StringRef column : columns_) os_ << comma << column;
      os_ << '\n';
      begun_ = true;
    }
    Cells cells(columns_);
    result.rows([&](WriteRow writeRow) {
      writeRow(cells);
      llvm::ListSeparator comma(",");
      if (file) {
        os_ << comma;
        writeText(*file, os_);
      }
      for (const std::string &cell : cells.take()) {
        os_ << comma;
        writeText(cell, os_);
      }
      os_ << '\n';
    });
  }

  void add(const Writer &, StringRef text) override {
    os_ << (std::exchange(begun_, true) ? text.split('\n').second : text);
  }

 private:
  llvm::raw_ostream &os_;
  const llvm::ArrayRef<StringRef> columns_;
  const StringRef inputKey_;  ///< the first column, if there are several
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Writer> makeCsvWriter(const WriterOptions &options) {
  return std::make_unique<CsvWriter>(options);
}

}  // namespace indexical

// Lines of a file descriptor, which come one by one.
#ifndef INDEXICAL_COMMAND_MCP_LINES_H
#define INDEXICAL_COMMAND_MCP_LINES_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"

namespace indexical {

class LineReader {
 public:
  enum class Got : uint8_t { Line, TooLong, End };
  static constexpr size_t kMostBytes = size_t{16} << 20;

  LineReader(int file, const Stop &stop) : file_(file), stop_(stop) {}

  /// Reads the next line, without its end. A line of more than kMostBytes is
  /// passed over. Text after the last end of a line is a line, too.
  Got next(std::string &line);

 private:
  bool fill();

  const int file_;
  const Stop &stop_;
  std::string buffer_;
  size_t begin_ = 0;
  bool isAtEnd_ = false;
};

/// Returns whether lists and objects of the text nest deeper than `most`. A
/// reader of JSON calls itself for each of them.
bool nestsDeeper(llvm::StringRef text, size_t most);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_MCP_LINES_H

#include "indexical/command/mcp/lines.h"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace indexical {

bool LineReader::fill() {
  // A signal may come to another thread, and then interrupts no read here.
  constexpr int kMilliseconds = 500;
  char bytes[1 << 16];
  while (!isAtEnd_) {
    struct pollfd ready = {file_, POLLIN, 0};
    if (poll(&ready, 1, kMilliseconds) == 0) {
      isAtEnd_ = stop_.isReached();
      continue;
    }
    const ssize_t got = read(file_, bytes, sizeof(bytes));
    if (got > 0) {
      buffer_.erase(0, begin_);
      begin_ = 0;
      buffer_.append(bytes, static_cast<size_t>(got));
      return true;
    }
    isAtEnd_ = got == 0 || errno != EINTR || stop_.isReached();
  }
  return false;
}

LineReader::Got LineReader::next(std::string &line) {
  line.clear();
  bool isTooLong = false;
  while (true) {
    const size_t end = buffer_.find('\n', begin_);
    const bool isWhole = end != std::string::npos;
    const size_t stop = isWhole ? end : buffer_.size();
    isTooLong |= line.size() + (stop - begin_) > kMostBytes;
    if (isTooLong)
      line.clear();
    else
      line.append(buffer_, begin_, stop - begin_);
    begin_ = isWhole ? end + 1 : stop;
    if (isWhole) break;
    if (fill()) continue;
    if (line.empty() && !isTooLong) return Got::End;
    break;
  }
  return isTooLong ? Got::TooLong : Got::Line;
}

bool nestsDeeper(llvm::StringRef text, size_t most) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '{' || c == '[') {
      if (++depth > most) return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace indexical

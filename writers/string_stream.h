// A stream that writes to a string, through a buffer.
//
//   StringStream os(text)    one llvm::json::OStream on it writes "d0": 4
//   text                     {"d0":4}, from the end of the stream's life on
//
// JSON is written character by character, and LLVM's own stream adds each to
// the string by a call, which takes a third of the time of a report.
#ifndef INDEXICAL_WRITERS_STRING_STREAM_H
#define INDEXICAL_WRITERS_STRING_STREAM_H

#include <string>

#include "llvm/Support/raw_ostream.h"

namespace indexical {

class StringStream : public llvm::raw_string_ostream {
 public:
  explicit StringStream(std::string &text) : raw_string_ostream(text) {
    SetBuffer(buffer_, sizeof(buffer_));
  }
  ~StringStream() override { flush(); }

 private:
  char buffer_[512];
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_STRING_STREAM_H

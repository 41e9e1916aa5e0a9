// A stream that writes to a string, through a buffer.
//
//   StringStream os(text)    os << "d0 in [0, " << 4 << ']'
//   text                     d0 in [0, 4], from the end of the stream's life on
//
// Maps are written in pieces of a few characters, and LLVM's own stream adds
// each to the string by a call.
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

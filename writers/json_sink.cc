#include "indexical/writers/json_sink.h"

#include "llvm/Support/raw_ostream.h"

namespace indexical {

void JsonTextSink::text(llvm::StringRef text) {
  begin();
  if (isPlainJson(text)) {
    ((text_ += '"').append(text.data(), text.size()) += '"');
    return;
  }
  llvm::raw_string_ostream(text_) << jsonString(text);
}

}  // namespace indexical

#include "indexical/writers/json_sink.h"

#include "llvm/Support/JSON.h"

namespace indexical {

void JsonTextSink::text(llvm::StringRef text) {
  namespace json = llvm::json;
  begin();
  if (isPlainJson(text))
    ((text_ += '"').append(text.data(), text.size()) += '"');
  else
    llvm::raw_string_ostream(text_)
        << (json::isUTF8(text) ? json::Value(text)
                               : json::Value(json::fixUTF8(text)));
  if (text_.size() >= most_) flush();
}

}  // namespace indexical

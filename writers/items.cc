#include "indexical/writers/items.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "indexical/answers/ordered.h"
#include "indexical/writers/json_sink.h"

namespace indexical {
namespace {

/// With fewer items, the work is done before a thread has started.
constexpr size_t kFewItems = 200;

}  // namespace

void writeItems(size_t count, const ListItem &like, size_t jobs,
                llvm::function_ref<void(size_t item, ValueSink &)> give,
                Structure &to) {
  ListItem item = like;
  if (jobs == 1 || count < kFewItems || !to.takesTexts()) {
    for (size_t k = 0; k < count; ++k) {
      auto members = [&](ValueSink &sink) { give(k, sink); };
      item.members = members;
      to.item(item);
    }
    return;
  }
  // A text for each item would be asked of, and given back to, the memory of
  // several threads.
  constexpr size_t kTogether = 16;
  struct Texts {
    std::string all;
    std::vector<size_t> ends;  // of each item in it
  };
  std::vector<uint32_t> owners;
  for (size_t k = 0; k < count; k += kTogether)
    owners.push_back(k / kTogether % jobs);
  inOrder<Texts>(
      owners,
      [&](size_t, size_t part) {
        const size_t first = part * kTogether;
        Texts texts;
        for (size_t k = first; k < std::min(first + kTogether, count); ++k) {
          JsonTextSink sink(texts.all);
          sink.beginObject();
          give(k, sink);
          sink.endObject();
          texts.ends.push_back(texts.all.size());
        }
        return texts;
      },
      [&](size_t, const Texts &texts) {
        size_t begin = 0;
        for (size_t end : texts.ends) {
          item.written = llvm::StringRef(texts.all).slice(begin, end);
          to.item(item);
          begin = end;
        }
        return true;
      });
}

}  // namespace indexical

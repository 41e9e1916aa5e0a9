#include "indexical/same/partitioned/manual_text.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

using llvm::StringRef;

std::string manualAxesOf(StringRef sharding,
                         const std::vector<std::string> &manual) {
  std::string text;
  while (!sharding.empty()) {
    const size_t open = sharding.find('{');
    const size_t close = sharding.find('}', open);
    if (open == StringRef::npos || close == StringRef::npos) break;
    text += sharding.take_front(open + 1).str();
    StringRef axes = sharding.slice(open + 1, close);
    bool isFirst = true;
    while (!axes.empty()) {
      auto [axis, rest] = axes.split(',');
      axes = rest;
      axis = axis.trim();
      const StringRef name =
          axis.drop_front(axis.starts_with("\"")).take_until([](char c) {
            return c == '"';
          });
      if (axis != "?" && !llvm::is_contained(manual, name)) continue;
      text += (isFirst ? "" : ", ") + axis.str();
      isFirst = false;
    }
    text += "}";
    sharding = sharding.drop_front(close + 1);
  }
  return text + sharding.str();
}

StringRef attributeOf(StringRef configuration, StringRef name) {
  const size_t at = configuration.find(name.str() + "=");
  if (at == StringRef::npos) return "";
  return configuration.substr(at + name.size() + 1)
      .take_until([](char c) { return c == ';'; })
      .trim();
}

std::vector<std::string> shardingsIn(StringRef text) {
  std::vector<std::string> all;
  text = text.substr(text.find('['));
  text.consume_front("[");
  int64_t depth = 0;
  size_t begin = 0;
  for (auto [i, c] : llvm::enumerate(text)) {
    if (c == '<' && depth++ == 0) begin = i;
    if (c == '>' && --depth == 0)
      all.push_back("#sdy.sharding" + text.slice(begin, i + 1).str());
    if (depth < 0) break;
  }
  return all;
}

std::vector<std::string> namesIn(StringRef text) {
  std::vector<std::string> names;
  for (size_t open = text.find('"'); open != StringRef::npos;) {
    const size_t close = text.find('"', open + 1);
    if (close == StringRef::npos) break;
    names.push_back(text.slice(open + 1, close).str());
    open = text.find('"', close + 1);
  }
  return names;
}

}  // namespace indexical

#include "indexical/writers/values.h"

#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"

namespace indexical {

namespace json = llvm::json;

void writeValues(const ValueEquality &values, llvm::raw_ostream &os) {
  for (const LeafValue &leaf : values.leaves) {
    if (leaf.isEqual) continue;
    os << "result " << leaf.result << ": ";
    if (!leaf.reason.empty())
      os << leaf.reason << '\n';
    else
      os << "first: " << leaf.terms[0] << ", second: " << leaf.terms[1] << '\n';
  }
}

void writeValues(const ValueEquality &values, json::OStream &json) {
  if (values.isEqual) return;
  json.attributeArray("values", [&] {
    for (const LeafValue &leaf : values.leaves) {
      if (leaf.isEqual) continue;
      json.object([&] {
        json.attribute("result", int64_t{leaf.result});
        if (!leaf.reason.empty())
          json.attribute("reason", jsonString(leaf.reason));
        for (int side : {0, 1})
          if (!leaf.terms[side].empty())
            json.attribute(kSides[side], jsonString(leaf.terms[side]));
      });
    }
  });
}

}  // namespace indexical

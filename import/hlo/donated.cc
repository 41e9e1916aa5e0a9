#include "indexical/import/hlo/donated.h"

#include <functional>
#include <optional>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Returns the text behind `key={`, up to the brace that closes it.
StringRef inBraces(StringRef header, StringRef key) {
  const size_t at = header.find((llvm::Twine(", ") + key + "={").str());
  if (at == StringRef::npos) return "";
  StringRef rest = header.drop_front(at + key.size() + 4);
  int depth = 1;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '{') ++depth;
    if (rest[i] == '}' && --depth == 0) return rest.take_front(i);
  }
  return "";
}

/// An element of a parameter: `(1, {0,2}`.
struct Element {
  int64_t parameter = 0;
  llvm::SmallVector<int64_t, 4> path;
};

std::optional<Element> takeElement(StringRef &text) {
  Element element;
  text = text.ltrim();
  if (text.consumeInteger(10, element.parameter)) return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front(",")) return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front("{")) return std::nullopt;
  while (true) {
    text = text.ltrim(" ,");
    if (text.consume_front("}")) return element;
    int64_t number = 0;
    if (text.consumeInteger(10, number)) return std::nullopt;
    element.path.push_back(number);
  }
}

void addLeaves(const Computation &entry, const Element &element,
               DonatedLeaves &leaves) {
  if (element.parameter < 0 ||
      element.parameter >= static_cast<int64_t>(entry.parameters.size()))
    return;
  const Shape *shape =
      &*entry.instructions[entry.parameters[element.parameter]].shape;
  int64_t first = 0;
  for (const int64_t number : element.path) {
    if (number < 0 || number >= static_cast<int64_t>(shape->elements.size()))
      return;
    for (int64_t k = 0; k < number; ++k)
      first += shape->elements[k].leafCount();
    shape = &shape->elements[number];
  }
  for (int64_t leaf = 0; leaf < shape->leafCount(); ++leaf)
    leaves.insert({element.parameter, first + leaf});
}

}  // namespace

DonatedLeaves donatedLeaves(const Module &module) {
  DonatedLeaves leaves;
  const StringRef text = module.text;
  // Another language's module has its name elsewhere.
  const std::less<const char *> isBefore;
  const bool isOfText = !module.name.empty() &&
                        !isBefore(module.name.begin(), text.begin()) &&
                        !isBefore(text.end(), module.name.end());
  if (!isOfText || !module.hasHeader || module.entry < 0) return leaves;
  const Computation &entry = module.computations[module.entry];
  const StringRef header =
      text.drop_front(module.name.end() - text.begin()).take_until([](char c) {
        return c == '\n';
      });
  for (const StringRef key : {"input_output_alias", "buffer_donor"}) {
    StringRef rest = inBraces(header, key);
    while (true) {
      const size_t at = rest.find('(');
      if (at == StringRef::npos) break;
      rest = rest.drop_front(at + 1);
      if (const auto element = takeElement(rest))
        addLeaves(entry, *element, leaves);
    }
  }
  return leaves;
}

}  // namespace indexical

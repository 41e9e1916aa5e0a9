#include "tests/import/stablehlo/random_upstream.h"

#include <ostream>

namespace indexical::testing {
namespace {

std::string shaped(const char *kind, const std::vector<std::string> &sizes,
                   llvm::StringRef element) {
  std::string text = std::string(kind) + "<";
  for (const std::string &size : sizes) text += size + "x";
  return text + element.str() + ">";
}

}  // namespace

void PrintTo(const UpstreamFamily &family, std::ostream *os) {
  *os << family.name.str();
}

std::string FunctionText::tensor(const Index &sizes, llvm::StringRef element) {
  std::vector<std::string> texts;
  for (int64_t size : sizes) texts.push_back(this->size(size));
  return shaped("tensor", texts, element);
}

std::string FunctionText::size(int64_t size) {
  return (open && random.oneIn(2) ? "?" : "") + std::to_string(size);
}

std::string FunctionText::vector(const Index &sizes, llvm::StringRef element) {
  std::vector<std::string> texts;
  for (int64_t size : sizes) texts.push_back(std::to_string(size));
  return shaped("vector", texts, element);
}

std::string FunctionText::argument(const std::string &type,
                                   std::vector<int64_t> values) {
  types_.push_back(type);
  values_.push_back(std::move(values));
  return "%a" + std::to_string(types_.size() - 1);
}

std::string FunctionText::mixedIndex(int64_t value) {
  return random.oneIn(2) ? index(value) : std::to_string(value);
}

std::string FunctionText::mixedList(const Index &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "[" : ", ") + mixedIndex(value);
  return text.empty() ? "[]" : text + "]";
}

std::string FunctionText::list(llvm::ArrayRef<int64_t> values) const {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "[" : ", ") + std::to_string(value);
  return text.empty() ? "[]" : text + "]";
}

UpstreamInstance FunctionText::finish(const std::string &body) {
  std::string text = "func.func @f(";
  for (size_t k = 0; k < types_.size(); ++k)
    text += (k ? ", %a" : "%a") + std::to_string(k) + ": " + types_[k];
  return {text + ") {\n  " + body + "\n  return\n}\n", values_};
}

Index FunctionText::sizes(int64_t rank, int64_t least, int64_t most) {
  Index made;
  for (int64_t k = 0; k < rank; ++k) made.push_back(random.in(least, most));
  return made;
}

std::vector<UpstreamFamily> upstreamFamilies() {
  std::vector<UpstreamFamily> all;
  for (llvm::ArrayRef<UpstreamFamily> some :
       {tensorFamilies(), linalgFamilies(), vectorFamilies()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace indexical::testing

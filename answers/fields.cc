#include "indexical/answers/fields.h"

#include <algorithm>

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

using llvm::StringRef;

std::string decimal(double number, int decimals) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", decimals, number);
  if (!StringRef(text).contains('.')) return text;
  return StringRef(text).rtrim('0').rtrim('.').str();
}

void KeyValue::number(double number) {
  std::string digits;
  llvm::raw_string_ostream(digits) << llvm::format("%.17g", number);
  begin().number(digits);
}

std::vector<StringRef> inOrder(llvm::ArrayRef<Columns> columns) {
  Columns all;
  for (const Columns &each : columns)
    all.insert(all.end(), each.begin(), each.end());
  std::sort(all.begin(), all.end());
  // A read and a write have keys of one name.
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<StringRef> names;
  for (const auto &[place, name] : all) names.push_back(name);
  return names;
}

namespace {

std::string cell(StringRef text) {
  return text.empty() ? " |" : " " + text.str() + " |";
}

std::string tableOf(const Described &answer) {
  const bool hasUnits = llvm::any_of(answer.keys, [](const KeyWords &key) {
    return !StringRef(key.unit).empty();
  });
  std::string table = "| key | type | absent | meaning |";
  table +=
      hasUnits ? " unit |\n|---|---|---|---|---|\n" : "\n|---|---|---|---|\n";
  for (const KeyWords &key : answer.keys) {
    const bool isIncluded = key.name.empty();
    table += isIncluded ? "| keys of " + std::string(key.type) + " | |"
                        : "| `" + key.name.str() + "` |" + cell(key.type);
    table += cell(key.absent) + cell(key.meaning);
    table += (hasUnits ? cell(key.unit) : "") + "\n";
  }
  return table;
}

}  // namespace

std::string withTables(StringRef page, llvm::ArrayRef<Described> answers) {
  std::string all = page.str();
  for (const Described &answer : answers) {
    const size_t heading = all.find("### " + answer.heading + "\n");
    if (heading == std::string::npos) return "";
    const size_t begin = all.find("\n| key |", heading) + 1;
    if (begin == 0) return "";
    size_t end = begin;
    while (end < all.size() && all[end] == '|') end = all.find('\n', end) + 1;
    all.replace(begin, end - begin, tableOf(answer));
  }
  return all;
}

}  // namespace indexical

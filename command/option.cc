#include "indexical/command/option.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/quantities.h"

namespace indexical {
namespace {

using llvm::StringRef;
using Refusal = std::optional<std::string>;

Option optionOf(StringRef name, StringRef value, StringRef sentence) {
  Option option;
  option.name = name;
  option.value = value;
  option.sentence = sentence.str();
  return option;
}

std::string withoutSigil(StringRef name) {
  name.consume_front("%");
  return name.str();
}

Refusal takeNumbers(StringRef word, int64_t least,
                    std::vector<int64_t> &values) {
  llvm::SmallVector<StringRef, 4> parts;
  word.split(parts, ',');
  for (StringRef part : parts) {
    values.emplace_back();
    if (part.trim().getAsInteger(10, values.back()) || values.back() < least)
      return "numbers of at least " + std::to_string(least) +
             " with `,` between";
  }
  return std::nullopt;
}

}  // namespace

Option formerly(StringRef oldName, Option option) {
  option.oldName = oldName;
  return option;
}

Option flagOption(StringRef name, bool &given, StringRef sentence) {
  Option option = optionOf(name, "", sentence);
  option.take = [&given](StringRef) -> Refusal {
    given = true;
    return std::nullopt;
  };
  return option;
}

Option fileOption(StringRef name, std::string &path, StringRef sentence) {
  Option option = optionOf(name, "FILE", sentence);
  option.names = Names::Files;
  option.byDefault = path;
  option.take = [&path](StringRef word) -> Refusal {
    if (word.empty()) return "the path of a file";
    path = word.str();
    return std::nullopt;
  };
  return option;
}

Option nameOption(StringRef name, Names names, std::string &value,
                  StringRef sentence) {
  Option option = optionOf(name, "NAME", sentence);
  option.names = names;
  option.take = [&value](StringRef word) -> Refusal {
    value = withoutSigil(word);
    return value.empty() ? Refusal("a name") : std::nullopt;
  };
  return option;
}

Option namesOption(StringRef name, Names names,
                   std::vector<std::string> &values, StringRef sentence) {
  Option option = optionOf(name, "NAME", sentence);
  option.names = names;
  option.repeatable = true;
  option.take = [&values](StringRef word) -> Refusal {
    values.push_back(withoutSigil(word));
    return values.back().empty() ? Refusal("a name") : std::nullopt;
  };
  return option;
}

Option countOption(StringRef name, std::optional<size_t> &value, StringRef what,
                   StringRef sentence) {
  Option option = optionOf(name, "N", sentence);
  option.isInteger = true;
  if (value) option.byDefault = std::to_string(*value);
  option.take = [&value, what = what.str()](StringRef word) -> Refusal {
    int64_t number = 0;
    if (word.getAsInteger(10, number) || number < 0) return what;
    value = static_cast<size_t>(number);
    return std::nullopt;
  };
  return option;
}

Option bytesOption(StringRef name, std::optional<int64_t> &bytes,
                   StringRef sentence) {
  Option option = optionOf(name, "BYTES", sentence);
  option.take = [&bytes](StringRef word) -> Refusal {
    bytes = parseBytes(word);
    if (bytes) return std::nullopt;
    return "a number of bytes, as `4096`, `10MB` or `1.5GiB`";
  };
  return option;
}

Option numbersOption(StringRef name, StringRef value, int64_t least,
                     std::vector<int64_t> &values, StringRef sentence) {
  Option option = optionOf(name, value, sentence);
  option.take = [&values, least](StringRef word) {
    return takeNumbers(word, least, values);
  };
  return option;
}

Option indexOption(StringRef name, std::optional<std::vector<int64_t>> &index,
                   StringRef sentence) {
  Option option = optionOf(name, "INDEX", sentence);
  option.take = [&index](StringRef word) -> Refusal {
    index.emplace();
    if (word.consume_front("(") && !word.consume_back(")"))
      return "an index, as `3,5`";
    if (word.empty()) return std::nullopt;
    return takeNumbers(word, 0, *index);
  };
  return option;
}

Option numberListsOption(StringRef name, StringRef value, int64_t least,
                         std::vector<std::vector<int64_t>> &values,
                         StringRef sentence) {
  Option option = optionOf(name, value, sentence);
  option.repeatable = true;
  option.take = [&values, least](StringRef word) {
    return takeNumbers(word, least, values.emplace_back());
  };
  return option;
}

Option extentsOption(StringRef name, StringRef value,
                     std::vector<std::string> &extents, StringRef sentence) {
  Option option = optionOf(name, value, sentence);
  option.take = [&extents](StringRef word) -> Refusal {
    llvm::SmallVector<StringRef, 4> parts;
    word.split(parts, ',');
    for (StringRef part : parts) {
      if (!isTileSize(part.trim()))
        return "numbers of at least 1 and names, as `a,128`";
      extents.push_back(part.trim().str());
    }
    return std::nullopt;
  };
  return option;
}

Option runtimeOption(std::vector<std::pair<std::string, int64_t>> &values,
                     StringRef sentence) {
  Option option = optionOf("runtime", "NAME=VALUE", sentence);
  option.repeatable = true;
  option.take = [&values](StringRef word) -> Refusal {
    auto [name, text] = word.split('=');
    int64_t value = 0;
    if (name.empty() || text.getAsInteger(10, value))
      return "a name and a number, as `rt0=4`";
    values.push_back({withoutSigil(name), value});
    return std::nullopt;
  };
  return option;
}

Option runtimeOption(std::vector<std::pair<std::string, std::string>> &values,
                     StringRef sentence) {
  Option option = optionOf("runtime", "NAME=VALUE", sentence);
  option.repeatable = true;
  option.take = [&values](StringRef word) -> Refusal {
    auto [name, value] = word.split('=');
    if (name.trim().empty() || value.trim().empty())
      return "a name and a value, as `rt0=4` or `rt0=d0 * 7`";
    values.push_back({name.trim().str(), value.trim().str()});
    return std::nullopt;
  };
  return option;
}

}  // namespace indexical

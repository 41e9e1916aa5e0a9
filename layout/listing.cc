#include "indexical/layout/listing.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/parse.h"
#include "indexical/layout/reader.h"

namespace indexical::layouts {

using llvm::StringRef;

namespace {

bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The line without a comment at its end, and without the contents of strings.
std::string codeOf(StringRef line) {
  std::string code = line.str();
  bool isString = false;
  for (size_t i = 0; i < code.size(); ++i) {
    if (isString && code[i] == '\\' && i + 1 < code.size()) {
      code[i] = code[i + 1] = ' ';
      ++i;
    } else if (code[i] == '"') {
      isString = !isString;
    } else if (isString) {
      code[i] = ' ';
    } else if (code[i] == '/' && i + 1 < code.size() && code[i + 1] == '/') {
      code.resize(i);
    }
  }
  return code;
}

/// Returns the place behind the bracket that closes the `<` at `open`, or npos.
size_t endOfAngles(StringRef text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && text[i - 1] != '-' && --depth == 0) return i + 1;
  }
  return StringRef::npos;
}

/// The encodings that names stand for.
class Names {
 public:
  /// Takes `#name = #ttg.kind<{…}>`. Returns false if the line is none.
  bool take(StringRef line) {
    line = line.trim();
    if (!line.consume_front("#")) return false;
    const StringRef name = line.take_while(isNameCharacter);
    line = line.drop_front(name.size()).ltrim();
    if (name.empty() || !line.consume_front("=")) return false;
    texts_[name.str()] = expanded(line.trim());
    return true;
  }
  /// Returns the text with encodings in place of names. The memory's name moves
  /// no element, and stays.
  std::string expanded(StringRef text) const {
    std::string made;
    while (!text.empty()) {
      const size_t at = text.find('#');
      made += text.take_front(at).str();
      if (at == StringRef::npos) break;
      text = text.drop_front(at + 1);
      const StringRef name = text.take_while(isNameCharacter);
      const auto known = texts_.find(name.str());
      const bool isName = !text.drop_front(name.size()).starts_with(".") &&
                          known != texts_.end() &&
                          !StringRef(known->second).ends_with("_memory");
      made += isName ? known->second : "#" + name.str();
      text = text.drop_front(name.size());
    }
    return made;
  }

 private:
  std::map<std::string, std::string> texts_;
};

/// A type in a line, and where it begins.
struct TypeText {
  size_t at = 0;
  std::string text;
};

/// Returns the types of the line that have an encoding. That of a descriptor is
/// no layout of registers.
std::vector<TypeText> typesIn(StringRef code, const Names &names) {
  std::vector<TypeText> all;
  for (size_t at = 0; (at = code.find('<', at)) != StringRef::npos;) {
    StringRef word = code.take_front(at);
    word = word.take_back(word.size() -
                          (word.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                 "0123456789_!.") +
                           1));
    const size_t end = endOfAngles(code, at);
    if (end == StringRef::npos) return all;
    const StringRef inside = code.slice(at, end);
    const bool isMemory = word.ends_with(".memdesc");
    // `-> <16x64xf16, #shared, #smem>` is short for a memory.
    const bool isShort =
        word.empty() && at + 1 < code.size() && llvm::isDigit(code[at + 1]);
    if (word.ends_with(".tensordesc")) {
      at = end;
      continue;
    }
    if ((word == "tensor" || isMemory || isShort) && inside.contains('#')) {
      const std::string kind =
          isShort ? "!ttg.memdesc" : word.substr(word.find('!') + 1).str();
      const std::string prefix = isMemory ? "!" + kind : kind;
      all.push_back({at - word.size(), prefix + names.expanded(inside)});
      at = end;
      continue;
    }
    ++at;
  }
  return all;
}

constexpr StringRef kMoves[] = {"convert_layout", "local_load", "local_store",
                                "local_alloc", "async_copy_global_to_local"};

/// Returns the op of the line that moves elements, with its place.
std::pair<StringRef, size_t> moveIn(StringRef line) {
  for (StringRef dialect : {"ttg.", "triton_gpu."})
    for (StringRef name : kMoves) {
      const std::string op = dialect.str() + name.str();
      const size_t at = line.find(op);
      if (at == StringRef::npos || (at > 0 && isNameCharacter(line[at - 1])) ||
          (at + op.size() < line.size() &&
           isNameCharacter(line[at + op.size()])))
        continue;
      return {line.substr(at, op.size()), at};
    }
  return {};
}

/// How many brackets a text opens and does not close.
int openBrackets(StringRef text) {
  int open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("([{<").contains(text[i])) ++open;
    if (StringRef(")]}").contains(text[i]) ||
        (text[i] == '>' && (i == 0 || text[i - 1] != '-')))
      --open;
  }
  return open;
}

/// A text of one layout, or of the name of an encoding, in a list.
struct Entry {
  std::string text;
  size_t line = 0, lines = 1;  ///< from 0 on
};

bool isBases(StringRef text) {
  return text.starts_with("- ") &&
         text.drop_front(2).ltrim().find_first_of("=") != StringRef::npos;
}

/// Returns the entry that begins in that line: it ends where brackets are
/// closed, and a list of bases with `where`.
Entry entryAt(llvm::ArrayRef<StringRef> lines, size_t first) {
  Entry made{lines[first].str(), first, 1};
  const bool isOfBases = isBases(lines[first].trim()) ||
                         (lines[first].trim().starts_with("- ") &&
                          lines[first].contains(" is a size 1 dimension"));
  const auto goesOn = [&] {
    if (isOfBases && !StringRef(made.text).contains("where")) return true;
    const StringRef text = StringRef(made.text).rtrim();
    return openBrackets(text) > 0 || text.ends_with(",") || text.ends_with(":");
  };
  while (goesOn() && first + made.lines < lines.size()) {
    made.text += "\n" + lines[first + made.lines].str();
    ++made.lines;
  }
  return made;
}

bool isComment(StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with("//") || line.starts_with("# ") ||
         line == "#";
}

/// Returns the status with its place in the file that the entry is in.
absl::Status inFile(const absl::Status &status, const Entry &entry) {
  Place place = placeOf(status).value_or(Place{1, 1});
  place.line += static_cast<uint32_t>(entry.line);
  return errorAt(place, std::string(status.message()), suggestionOf(status));
}

llvm::SmallVector<StringRef, 16> linesOf(StringRef text) {
  llvm::SmallVector<StringRef, 16> lines;
  text.split(lines, '\n');
  return lines;
}

bool lineBeginsLayout(StringRef line) {
  line = line.trim();
  if (line.starts_with("Sw<") || line.starts_with("S<") ||
      line.starts_with("tensor<") || line.starts_with("!") || isBases(line) ||
      (line.starts_with("- ") && line.contains(" is a size 1 dimension")))
    return true;
  if (line.starts_with("#"))
    return line.contains("= #tt") || line.contains("= #triton_gpu.");
  const StringRef word = line.take_while(isNameCharacter);
  const StringRef behind = line.drop_front(word.size());
  if (behind.starts_with("(") && isOperation(word)) return true;
  if (behind.starts_with("[") && bitsOfType(word)) return true;
  // A shape: numbers in brackets alone.
  const StringRef shape = line.take_while(
      [](char c) { return StringRef("(),_0123456789 ").contains(c); });
  const StringRef rest = line.drop_front(shape.size());
  return shape.find_first_of("0123456789") != StringRef::npos &&
         (rest.empty() || rest.starts_with(":") || rest.starts_with("o ") ||
          rest.starts_with("as "));
}

}  // namespace

bool isTtgir(StringRef text) {
  return text.contains("tt.func") || text.contains("ttg.num-warps");
}

Listing listTtgir(StringRef text) {
  Listing listing;
  Names names;
  std::map<std::string, size_t> known;
  uint32_t number = 0;
  for (StringRef line : linesOf(text)) {
    ++number;
    const std::string code = codeOf(line);
    if (names.take(code)) continue;
    const auto [op, opAt] = moveIn(line);
    std::vector<size_t> moved;
    for (TypeText &type : typesIn(code, names)) {
      auto [at, isNew] = known.emplace(type.text, listing.layouts.size());
      if (isNew) {
        auto layout = parseLayout(type.text);
        listing.layouts.push_back(
            {type.text,
             {number, static_cast<uint32_t>(type.at) + 1},
             1,
             layout.ok() ? std::move(layout)
                         : absl::StatusOr<Layout>(absl::InvalidArgumentError(
                               layout.status().message()))});
      } else {
        ++listing.layouts[at->second].times;
      }
      if (!op.empty() && type.at > opAt) moved.push_back(at->second);
    }
    if (moved.size() >= 2)
      listing.moves.push_back({op.str(),
                               {number, static_cast<uint32_t>(opAt) + 1},
                               moved.front(),
                               moved.back()});
  }
  return listing;
}

Listing listLayouts(StringRef text) {
  Listing listing;
  Names names;
  const auto lines = linesOf(text);
  for (size_t i = 0; i < lines.size();) {
    if (isComment(lines[i])) {
      ++i;
      continue;
    }
    const Entry entry = entryAt(lines, i);
    i += entry.lines;
    if (names.take(entry.text)) continue;
    const std::string whole = names.expanded(entry.text);
    auto layout = parseLayout(whole);
    const uint32_t column = static_cast<uint32_t>(
        entry.text.size() - StringRef(entry.text).ltrim().size());
    listing.layouts.push_back(
        {StringRef(whole).trim().str(),
         {static_cast<uint32_t>(entry.line) + 1, column + 1},
         1,
         layout.ok() ? std::move(layout)
                     : absl::StatusOr<Layout>(inFile(layout.status(), entry))});
  }
  return listing;
}

bool beginsLayout(StringRef text) {
  for (StringRef line : linesOf(text))
    if (!isComment(line)) return lineBeginsLayout(line);
  return false;
}

absl::StatusOr<std::vector<IndexingMap>> mapsOrLayouts(StringRef text) {
  const auto lines = linesOf(text);
  if (!llvm::any_of(lines, [](StringRef line) {
        return !isComment(line) && lineBeginsLayout(line);
      }))
    return parseMaps(text);
  // Each layout becomes a map in its own lines.
  Names names;
  std::string maps;
  for (size_t i = 0; i < lines.size();) {
    if (isComment(lines[i]) || !lineBeginsLayout(lines[i])) {
      absl::StrAppend(&maps, lines[i].str(), "\n");
      ++i;
      continue;
    }
    const Entry entry = entryAt(lines, i);
    i += entry.lines;
    if (!names.take(entry.text)) {
      const auto layout = parseLayout(names.expanded(entry.text));
      if (!layout.ok()) return inFile(layout.status(), entry);
      const auto map = print(*layout, Notation::Map);
      if (!map)
        return inFile(absl::InvalidArgumentError(
                          "a number on the way to the map leaves 64 bits"),
                      entry);
      absl::StrAppend(&maps, *map);
    }
    maps.append(entry.lines, '\n');
  }
  return parseMaps(maps);
}

}  // namespace indexical::layouts

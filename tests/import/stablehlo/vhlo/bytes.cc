#include "tests/import/stablehlo/vhlo/bytes.h"

namespace indexical::testing {

namespace {

enum Section {
  kString = 0,
  kDialect = 1,
  kAttributesAndTypes = 2,
  kOffsets = 3,
  kOps = 4,
  kDialectVersions = 7,
  kProperties = 8,
};

std::string littleEndian(uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

}  // namespace

std::string varint(uint64_t value) {
  for (unsigned bytes = 1; bytes <= 8; ++bytes)
    if (value >> (7 * bytes) == 0)
      return littleEndian((value << 1 | 1) << (bytes - 1), bytes);
  return std::string(1, '\0') + littleEndian(value, 8);
}

std::string signedVarint(int64_t value) {
  return varint(static_cast<uint64_t>(value) << 1 ^
                static_cast<uint64_t>(value < 0 ? -1 : 0));
}

std::string section(unsigned id, const std::string &data) {
  return std::string(1, static_cast<char>(id)) + varint(data.size()) + data;
}

size_t Container::addString(const std::string &text) {
  return strings_.add(text);
}
size_t Container::addDialect(const std::string &name) {
  addString(name);
  return dialects_.add(name);
}
size_t Container::addAttribute(const std::string &dialect,
                               const std::string &data) {
  return attributes_.add({addDialect(dialect), data, false});
}
size_t Container::addType(const std::string &dialect, const std::string &data) {
  return types_.add({addDialect(dialect), data, false});
}
size_t Container::addPrintedAttribute(const std::string &text) {
  return attributes_.add({addDialect("builtin"), text + '\0', true});
}
size_t Container::addPrintedType(const std::string &text) {
  return types_.add({addDialect("builtin"), text + '\0', true});
}
size_t Container::addOp(const std::string &dialect, const std::string &name) {
  addString(name);
  return ops_.add({addDialect(dialect), name});
}
size_t Container::addProperties(const std::string &data) {
  return properties_.add(data);
}
void Container::setVersion(const std::string &dialect,
                           const std::string &data) {
  addDialect(dialect);
  versions_[dialect] = data;
}

// Names of dialects, and the ops that each of them has here.
std::string Container::dialects() {
  std::string text = varint(dialects_.all.size());
  for (const std::string &name : dialects_.all) {
    auto version = versions_.find(name);
    const bool hasVersion = version != versions_.end() && version_ >= 1;
    const size_t index = addString(name);
    text += varint(version_ >= 1 ? index << 1 | hasVersion : index);
    if (hasVersion) text += section(kDialectVersions, version->second);
  }
  if (version_ >= 4) text += varint(ops_.all.size());
  // One group an op: ops are numbered in the order in which they stand here.
  for (const auto &[dialect, name] : ops_.all) {
    const size_t index = addString(name);
    text += varint(dialect) + varint(1) +
            varint(version_ >= 5 ? index << 1 | 1 : index);
  }
  return text;
}

// Returns the entries' sizes. Neighbours of one dialect form a group.
std::string Container::groups(const std::vector<Entry> &entries) {
  std::string text;
  for (size_t i = 0; i < entries.size();) {
    size_t end = i;
    while (end < entries.size() && entries[end].dialect == entries[i].dialect)
      ++end;
    text += varint(entries[i].dialect) + varint(end - i);
    for (; i < end; ++i)
      text += varint(entries[i].data.size() << 1 | !entries[i].isPrinted);
  }
  return text;
}

std::string Container::finish(const std::string &ops) {
  const std::string dialectNames = dialects();
  std::string lengths, characters;
  for (const std::string &each : strings_.all) {
    lengths = varint(each.size() + 1) + lengths;
    characters += each + '\0';
  }
  std::string entries;
  for (const Entry &each : attributes_.all) entries += each.data;
  for (const Entry &each : types_.all) entries += each.data;
  std::string properties = varint(properties_.all.size());
  for (const std::string &each : properties_.all)
    properties += varint(each.size()) + each;
  std::string file = "ML\xefR" + varint(version_) + producer_ + '\0';
  file += section(kString, varint(strings_.all.size()) + lengths + characters);
  file += section(kDialect, dialectNames);
  file += section(kAttributesAndTypes, entries);
  file += section(kOffsets, varint(attributes_.all.size()) +
                                varint(types_.all.size()) +
                                groups(attributes_.all) + groups(types_.all));
  file += section(kOps, ops);
  if (version_ >= 5) file += section(kProperties, properties);
  return file;
}

}  // namespace indexical::testing

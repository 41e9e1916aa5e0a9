#include "tests/support/xspace.h"

#include <algorithm>
#include <cstdlib>

namespace indexical::testing {

namespace {

uint64_t varint(const std::string &bytes, size_t &at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    if (at >= bytes.size()) std::abort();
    const uint64_t byte = static_cast<unsigned char>(bytes[at++]);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}

void addVarint(uint64_t value, std::string &to) {
  for (; value >= 128; value >>= 7)
    to += static_cast<char>(128 | (value & 127));
  to += static_cast<char>(value);
}

using namespace xspace;

Stat statIn(const std::string &bytes) {
  Stat stat;
  for (const WireField &field : fieldsOf(bytes))
    if (field.number == 1)
      stat.id = field.value;
    else
      stat.value = field;
  return stat;
}

std::string bytesOf(const Stat &stat) {
  std::vector<WireField> fields = {numberField(1, stat.id)};
  if (stat.value.number != 0) fields.push_back(stat.value);
  return testing::bytesOf(fields);
}

Event eventIn(const std::string &bytes) {
  Event event;
  for (const WireField &field : fieldsOf(bytes)) switch (field.number) {
      case 1:
        event.metadata = field.value;
        break;
      case 2:
        event.offset = field.value;
        break;
      case 3:
        event.duration = field.value;
        break;
      case 4:
        event.stats.push_back(statIn(field.bytes));
        break;
      case 5:
        event.occurrences = field.value;
        break;
    }
  return event;
}

std::string bytesOf(const Event &event) {
  std::vector<WireField> fields = {numberField(1, event.metadata)};
  if (event.offset) fields.push_back(numberField(2, *event.offset));
  if (event.occurrences) fields.push_back(numberField(5, *event.occurrences));
  if (event.duration != 0) fields.push_back(numberField(3, event.duration));
  for (const Stat &stat : event.stats)
    fields.push_back(bytesField(4, bytesOf(stat)));
  return testing::bytesOf(fields);
}

Line lineIn(const std::string &bytes) {
  Line line;
  for (const WireField &field : fieldsOf(bytes)) switch (field.number) {
      case 1:
        line.id = field.value;
        break;
      case 2:
        line.name = field.bytes;
        break;
      case 3:
        line.timestamp = field.value;
        break;
      case 4:
        line.events.push_back(eventIn(field.bytes));
        break;
    }
  return line;
}

std::string bytesOf(const Line &line) {
  std::vector<WireField> fields = {numberField(1, line.id),
                                   bytesField(2, line.name)};
  for (const Event &event : line.events)
    fields.push_back(bytesField(4, bytesOf(event)));
  fields.push_back(numberField(3, line.timestamp));
  return testing::bytesOf(fields);
}

std::pair<int64_t, std::string> entryIn(const std::string &bytes) {
  std::pair<int64_t, std::string> entry;
  for (const WireField &field : fieldsOf(bytes))
    if (field.number == 1)
      entry.first = field.value;
    else
      entry.second = field.bytes;
  return entry;
}

std::string entryOf(int64_t key, const std::vector<WireField> &value) {
  return testing::bytesOf(
      {numberField(1, key), bytesField(2, testing::bytesOf(value))});
}

Plane planeIn(const std::string &bytes) {
  Plane plane;
  for (const WireField &field : fieldsOf(bytes)) switch (field.number) {
      case 1:
        plane.id = field.value;
        break;
      case 2:
        plane.name = field.bytes;
        break;
      case 3:
        plane.lines.push_back(lineIn(field.bytes));
        break;
      case 4: {
        const auto [key, value] = entryIn(field.bytes);
        EventName name;
        for (const WireField &of : fieldsOf(value))
          if (of.number == 2)
            name.name = of.bytes;
          else if (of.number == 5)
            name.stats.push_back(statIn(of.bytes));
        plane.events.push_back({key, name});
        break;
      }
      case 5: {
        const auto [key, value] = entryIn(field.bytes);
        std::string name;
        for (const WireField &of : fieldsOf(value))
          if (of.number == 2) name = of.bytes;
        plane.statNames.push_back({key, name});
        break;
      }
      case 6:
        plane.stats.push_back(statIn(field.bytes));
        break;
    }
  return plane;
}

std::string bytesOf(const Plane &plane, Metadata metadata) {
  std::vector<WireField> names, lines;
  for (const auto &[key, event] : plane.events) {
    std::vector<WireField> value = {numberField(1, key),
                                    bytesField(2, event.name)};
    for (const Stat &stat : event.stats)
      value.push_back(bytesField(5, bytesOf(stat)));
    names.push_back(bytesField(4, entryOf(key, value)));
  }
  for (const auto &[key, name] : plane.statNames)
    names.push_back(bytesField(
        5, entryOf(key, {numberField(1, key), bytesField(2, name)})));
  for (const Line &line : plane.lines)
    lines.push_back(bytesField(3, bytesOf(line)));
  std::vector<WireField> fields;
  if (plane.id != 0) fields.push_back(numberField(1, plane.id));
  fields.push_back(bytesField(2, plane.name));
  auto &first = metadata == Metadata::First ? names : lines;
  auto &last = metadata == Metadata::First ? lines : names;
  fields.insert(fields.end(), first.begin(), first.end());
  fields.insert(fields.end(), last.begin(), last.end());
  for (const Stat &stat : plane.stats)
    fields.push_back(bytesField(6, bytesOf(stat)));
  return testing::bytesOf(fields);
}

}  // namespace

std::vector<WireField> fieldsOf(const std::string &bytes) {
  std::vector<WireField> fields;
  size_t at = 0;
  while (at < bytes.size()) {
    const uint64_t tag = varint(bytes, at);
    WireField field;
    field.number = static_cast<uint32_t>(tag >> 3);
    field.kind = static_cast<int>(tag & 7);
    size_t size = 0;
    if (field.kind == 0)
      field.value = varint(bytes, at);
    else if (field.kind == 1)
      size = 8;
    else if (field.kind == 2)
      size = varint(bytes, at);
    else
      std::abort();
    if (size > bytes.size() - at) std::abort();
    field.bytes = bytes.substr(at, size);
    at += size;
    fields.push_back(field);
  }
  return fields;
}

std::string bytesOf(const std::vector<WireField> &fields) {
  std::string bytes;
  for (const WireField &field : fields) {
    addVarint(uint64_t{field.number} << 3 | field.kind, bytes);
    if (field.kind == 0) addVarint(field.value, bytes);
    if (field.kind == 2) addVarint(field.bytes.size(), bytes);
    bytes += field.bytes;
  }
  return bytes;
}

WireField numberField(uint32_t number, uint64_t value) {
  return {number, 0, value, ""};
}
WireField bytesField(uint32_t number, std::string bytes) {
  return {number, 2, 0, std::move(bytes)};
}

namespace xspace {

int64_t Plane::statNumber(const std::string &stat) {
  int64_t free = 1;
  for (const auto &[key, name] : statNames) {
    if (name == stat) return key;
    free = std::max(free, key + 1);
  }
  statNames.push_back({free, stat});
  return free;
}

std::string Plane::nameOf(const Stat &stat) const {
  for (const auto &[key, name] : statNames)
    if (key == stat.id) return name;
  return "";
}

std::string Plane::textOf(const Stat &stat) const {
  if (stat.value.number != 7) return stat.value.bytes;
  for (const auto &[key, name] : statNames)
    if (key == static_cast<int64_t>(stat.value.value)) return name;
  return "";
}

bool Plane::has(const Event &event, const std::string &stat) const {
  for (const Stat &each : event.stats)
    if (nameOf(each) == stat) return true;
  return false;
}

Plane &Space::plane(const std::string &name) {
  for (Plane &plane : planes)
    if (plane.name == name) return plane;
  planes.emplace_back().name = name;
  return planes.back();
}

}  // namespace xspace

Space spaceOf(const std::string &bytes) {
  Space space;
  for (const WireField &field : fieldsOf(bytes)) switch (field.number) {
      case 1:
        space.planes.push_back(planeIn(field.bytes));
        break;
      case 2:
        space.errors.push_back(field.bytes);
        break;
      case 3:
        space.warnings.push_back(field.bytes);
        break;
      case 4:
        space.hosts.push_back(field.bytes);
        break;
    }
  return space;
}

std::string bytesOf(const Space &space, Metadata metadata) {
  std::vector<WireField> fields;
  for (const Plane &plane : space.planes)
    fields.push_back(bytesField(1, bytesOf(plane, metadata)));
  for (const std::string &text : space.errors)
    fields.push_back(bytesField(2, text));
  for (const std::string &text : space.warnings)
    fields.push_back(bytesField(3, text));
  for (const std::string &text : space.hosts)
    fields.push_back(bytesField(4, text));
  return bytesOf(fields);
}

}  // namespace indexical::testing

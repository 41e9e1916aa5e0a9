#include "indexical/hlo/proto/wire.h"

namespace indexical {

bool WireMessage::parse(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    uint64_t tag = 0;
    if (!takeVarint(bytes, tag)) return false;
    const uint64_t number = tag >> 3;
    if (number == 0 || number >= (uint64_t{1} << 29)) return false;
    Field field{static_cast<uint32_t>(number), static_cast<Kind>(tag & 7), 0,
                llvm::StringRef()};
    uint64_t size = 0;
    switch (field.kind) {
      case Kind::Varint:
        if (!takeVarint(bytes, field.value)) return false;
        break;
      case Kind::Fixed64:
      case Kind::Fixed32:
        size = field.kind == Kind::Fixed64 ? 8 : 4;
        if (bytes.size() < size) return false;
        std::memcpy(&field.value, bytes.data(), size);
        bytes = bytes.drop_front(size);
        break;
      case Kind::Bytes:
        if (!takeVarint(bytes, size) || size > bytes.size()) return false;
        field.bytes = bytes.take_front(size);
        bytes = bytes.drop_front(size);
        break;
      default:
        return false;
    }
    fields_.push_back(field);
  }
  return true;
}

std::vector<int64_t> WireMessage::integers(uint32_t number) const {
  std::vector<int64_t> values;
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (field.kind == Kind::Varint) values.push_back(field.value);
    llvm::StringRef packed = field.bytes;
    uint64_t value = 0;
    while (!packed.empty()) {
      if (!takeVarint(packed, value)) return {};
      values.push_back(value);
    }
  }
  return values;
}

std::vector<uint64_t> WireMessage::fixed(uint32_t number,
                                         unsigned bytes) const {
  std::vector<uint64_t> values;
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (field.kind != Kind::Bytes) values.push_back(field.value);
    llvm::StringRef packed = field.bytes;
    for (; packed.size() >= bytes; packed = packed.drop_front(bytes)) {
      uint64_t value = 0;
      std::memcpy(&value, packed.data(), bytes);
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace indexical

#include "indexical/import/hlo/proto/wire.h"

#include <cstring>

namespace indexical {

bool WireMessage::parse(llvm::StringRef bytes) {
  WireFields fields(bytes);
  while (fields.next() && !fields.isDamaged())
    fields_.push_back(
        {fields.number(), fields.kind(), fields.value(), fields.bytes()});
  return !fields.isDamaged();
}

std::vector<int64_t> WireMessage::integers(uint32_t number) const {
  std::vector<int64_t> values;
  for (const Field &field : fields_) {
    if (field.number != number) continue;
    if (field.kind == WireKind::Number) values.push_back(field.value);
    uint64_t value = 0;
    for (const char *at = field.bytes.begin(); at != field.bytes.end();) {
      if (!takeNumber(at, field.bytes.end(), value)) return {};
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
    if (field.kind != WireKind::Bytes) values.push_back(field.value);
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

// Messages of protocol buffers, with their fields as a list.
//
//   08 96 01            field 1, a number: 150
//   12 03 61 62 63      field 2, three bytes: "abc", or a message, or numbers
//
// A message is a list of fields. The number of a field says what it means, and
// the reader of the message knows the numbers. Fields that it does not read are
// passed over, so that a field of a later version of the format is not an
// error. The text of an instruction names its unknown fields (known_fields.h).
// No code is generated. Names are views of the bytes.
#ifndef INDEXICAL_IMPORT_HLO_PROTO_WIRE_H
#define INDEXICAL_IMPORT_HLO_PROTO_WIRE_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/wire/fields.h"

namespace indexical {

/// The deepest nesting that is read: of messages, shapes and shardings.
constexpr unsigned kDeepestMessage = 100;

class WireMessage {
 public:
  struct Field {
    uint32_t number;
    WireKind kind;
    uint64_t value;  ///< of a number
    llvm::StringRef bytes;
  };

  WireMessage() = default;
  /// Reads a message. It is not valid (isValid) if the bytes are not a message.
  explicit WireMessage(llvm::StringRef bytes) { isValid_ = parse(bytes); }

  bool isValid() const { return isValid_; }
  llvm::ArrayRef<Field> fields() const { return fields_; }

  bool has(uint32_t number) const { return last(number) != nullptr; }
  int64_t integer(uint32_t number, int64_t absent = 0) const {
    const Field *field = last(number);
    return field && field->kind != WireKind::Bytes ? field->value : absent;
  }
  bool flag(uint32_t number) const { return integer(number) != 0; }
  llvm::StringRef bytes(uint32_t number) const {
    const Field *field = last(number);
    return field ? field->bytes : llvm::StringRef();
  }
  /// Returns the message in the field, or an empty one if the field is absent.
  WireMessage message(uint32_t number) const {
    return WireMessage(bytes(number));
  }
  /// Calls `visit` with each value of a repeated field of bytes or messages.
  void each(uint32_t number,
            llvm::function_ref<void(llvm::StringRef)> visit) const {
    for (const Field &field : fields_)
      if (field.number == number && field.kind == WireKind::Bytes)
        visit(field.bytes);
  }
  size_t count(uint32_t number) const {
    size_t count = 0;
    each(number, [&](llvm::StringRef) { ++count; });
    return count;
  }
  /// Returns the values of a repeated number, packed or not. Returns none if
  /// packed bytes are damaged.
  std::vector<int64_t> integers(uint32_t number) const;
  /// Returns the values of a repeated number of 4 or 8 bytes each, as their
  /// bits.
  std::vector<uint64_t> fixed(uint32_t number, unsigned bytes) const;

 private:
  bool parse(llvm::StringRef bytes);
  const Field *last(uint32_t number) const {
    for (size_t i = fields_.size(); i-- > 0;)
      if (fields_[i].number == number) return &fields_[i];
    return nullptr;
  }

  llvm::SmallVector<Field, 8> fields_;
  bool isValid_ = true;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_PROTO_WIRE_H

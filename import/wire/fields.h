// The fields of a message of protocol buffers, one after another.
//
//   08 96 01            field 1, a number: 150
//   12 03 61 62 63      field 2, three bytes: "abc", or a message, or numbers
//
//   next()   number 1, value 150
//   next()   number 2, the bytes "abc"
//   next()   false: isDamaged() says whether the message ends here
//
// Nothing is copied and nothing is kept: a message of 200 MB costs no memory
// beside itself. A field that is longer than the rest of the message is the
// last one, with the bytes that are there, and the message is damaged. The
// reader knows no format: its caller knows what the numbers mean.
#ifndef INDEXICAL_IMPORT_WIRE_FIELDS_H
#define INDEXICAL_IMPORT_WIRE_FIELDS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// How a field is written.
enum class WireKind : uint8_t {
  Number = 0,   ///< seven bits a byte, at most ten bytes
  Fixed64 = 1,  ///< eight bytes
  Bytes = 2,    ///< a length, and so many bytes
  Fixed32 = 5,  ///< four bytes
};

/// Takes a number from the bytes in front of `end`, seven bits a byte. Returns
/// false and takes nothing if it does not end within ten bytes.
inline bool takeNumber(const char *&at, const char *end, uint64_t &value) {
  // Most numbers have one byte.
  if (at != end && static_cast<int8_t>(*at) >= 0) {
    value = static_cast<uint8_t>(*at++);
    return true;
  }
  value = 0;
  const char *next = at;
  for (unsigned shift = 0; shift < 70 && next != end; shift += 7) {
    const uint64_t byte = static_cast<uint8_t>(*next++);
    value |= (byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    at = next;
    return true;
  }
  return false;
}

class WireFields {
 public:
  explicit WireFields(llvm::StringRef message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  /// Goes to the next field. Returns false at the end, and if the bytes are not
  /// a field.
  bool next() {
    if (at_ == end_ || damaged_) return false;
    uint64_t tag = 0;
    if (!take(tag)) return fail();
    if ((tag >> 3) == 0 || (tag >> 3) > kMostNumber) return fail();
    number_ = static_cast<uint32_t>(tag >> 3);
    kind_ = static_cast<WireKind>(tag & 7);
    switch (kind_) {
      case WireKind::Number:
        bytes_ = {};
        return take(value_) || fail();
      case WireKind::Fixed64:
        return takeFixed(8);
      case WireKind::Fixed32:
        return takeFixed(4);
      case WireKind::Bytes: {
        uint64_t size = 0;
        if (!take(size)) return fail();
        const size_t left = end_ - at_;
        if (size > left) {
          missing_ = size - left;
          size = left;
          damaged_ = true;
        }
        bytes_ = llvm::StringRef(at_, size);
        at_ += size;
        value_ = 0;
        return true;
      }
    }
    return fail();
  }

  uint32_t number() const { return number_; }
  WireKind kind() const { return kind_; }
  bool isBytes() const { return kind_ == WireKind::Bytes; }
  /// Returns the bits of a number, or 0 for a field of bytes.
  uint64_t value() const { return value_; }
  int64_t integer() const { return static_cast<int64_t>(value_); }
  /// Returns the bytes of a field of bytes, or none for a number.
  llvm::StringRef bytes() const { return bytes_; }

  /// Returns whether the message ends in the middle of a field, or goes on with
  /// bytes that are not a field.
  bool isDamaged() const { return damaged_; }
  /// Returns the number of bytes that are missing from the last field, or 0 if
  /// it is whole.
  uint64_t missing() const { return missing_; }
  /// Returns the first byte that was not taken.
  const char *position() const { return at_; }

 private:
  static constexpr uint64_t kMostNumber = (uint64_t{1} << 29) - 1;

  bool fail() {
    damaged_ = true;
    return false;
  }
  bool take(uint64_t &value) { return takeNumber(at_, end_, value); }
  bool takeFixed(size_t size) {
    if (static_cast<size_t>(end_ - at_) < size) return fail();
    value_ = 0;
    std::memcpy(&value_, at_, size);
    at_ += size;
    bytes_ = {};
    return true;
  }

  const char *at_;
  const char *end_;
  llvm::StringRef bytes_;
  uint64_t value_ = 0, missing_ = 0;
  uint32_t number_ = 0;
  WireKind kind_ = WireKind::Number;
  bool damaged_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_WIRE_FIELDS_H

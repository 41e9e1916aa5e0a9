#include "indexical/import/hlo/proto/literal_text.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/literal.h"
#include "indexical/import/hlo/proto/values.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// How the elements of a type lie in a LiteralProto.
enum class Stored {
  Varints,  ///< one number an element
  Fixed,    ///< numbers of 4 or 8 bytes
  Bytes,    ///< `bits / 8` bytes an element; below 8 bits one byte, whose low
            ///< bits count
};

enum class Written { Truth, Signed, Unsigned, Float };

struct ElementForm {
  int64_t type;    ///< a PrimitiveType
  uint32_t field;  ///< of LiteralProto
  Stored stored;
  Written written;
  unsigned bits;       ///< of one part
  unsigned parts = 1;  ///< 2: a complex number
  const llvm::fltSemantics &(*semantics)() = nullptr;
};

using llvm::APFloat;

constexpr ElementForm kForms[] = {
    {1, 2, Stored::Varints, Written::Truth, 1},      // pred
    {2, 15, Stored::Bytes, Written::Signed, 8},      // s8
    {3, 17, Stored::Bytes, Written::Signed, 16},     // s16
    {4, 4, Stored::Varints, Written::Signed, 32},    // s32
    {5, 5, Stored::Varints, Written::Signed, 64},    // s64
    {6, 3, Stored::Bytes, Written::Unsigned, 8},     // u8
    {7, 16, Stored::Bytes, Written::Unsigned, 16},   // u16
    {8, 6, Stored::Varints, Written::Unsigned, 32},  // u32
    {9, 7, Stored::Varints, Written::Unsigned, 64},  // u64
    {21, 21, Stored::Bytes, Written::Signed, 4},     // s4
    {22, 22, Stored::Bytes, Written::Unsigned, 4},   // u4
    {26, 26, Stored::Bytes, Written::Signed, 2},     // s2
    {27, 27, Stored::Bytes, Written::Unsigned, 2},   // u2
    {30, 30, Stored::Bytes, Written::Signed, 1},     // s1
    {31, 31, Stored::Bytes, Written::Unsigned, 1},   // u1
    {10, 11, Stored::Bytes, Written::Float, 16, 1, APFloat::IEEEhalf},
    {11, 8, Stored::Fixed, Written::Float, 32, 1, APFloat::IEEEsingle},
    {12, 9, Stored::Fixed, Written::Float, 64, 1, APFloat::IEEEdouble},
    {15, 12, Stored::Fixed, Written::Float, 32, 2, APFloat::IEEEsingle},
    {16, 13, Stored::Bytes, Written::Float, 16, 1, APFloat::BFloat},
    {18, 18, Stored::Fixed, Written::Float, 64, 2, APFloat::IEEEdouble},
    {19, 19, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E5M2},
    {20, 20, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E4M3FN},
    {23, 23, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E4M3B11FNUZ},
    {24, 24, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E5M2FNUZ},
    {25, 25, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E4M3FNUZ},
    {28, 28, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E4M3},
    {29, 29, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E3M4},
    {32, 32, Stored::Bytes, Written::Float, 4, 1, APFloat::Float4E2M1FN},
    {33, 33, Stored::Bytes, Written::Float, 8, 1, APFloat::Float8E8M0FNU},
};

const ElementForm *formOf(int64_t type) {
  for (const ElementForm &form : kForms)
    if (form.type == type) return &form;
  return nullptr;
}

/// The bits of each part of each element.
std::vector<uint64_t> partsOf(const WireMessage &literal,
                              const ElementForm &form) {
  if (form.stored == Stored::Fixed)
    return literal.fixed(form.field, form.bits / 8);
  std::vector<uint64_t> parts;
  if (form.stored == Stored::Varints) {
    const std::vector<int64_t> values = literal.integers(form.field);
    parts.assign(values.begin(), values.end());
    return parts;
  }
  const size_t size = llvm::divideCeil(form.bits, 8u);
  llvm::StringRef bytes = literal.bytes(form.field);
  for (; bytes.size() >= size; bytes = bytes.drop_front(size)) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), size);
    parts.push_back(value & llvm::maskTrailingOnes<uint64_t>(form.bits));
  }
  return parts;
}

/// Writes digits that read back as these bits.
void writeFloat(uint64_t bits, const llvm::fltSemantics &type,
                llvm::raw_ostream &os) {
  const APFloat value(type, llvm::APInt(APFloat::getSizeInBits(type), bits));
  if (value.isNaN()) {
    os << (value.isNegative() ? "-nan" : "nan");
  } else if (value.isInfinity()) {
    os << (value.isNegative() ? "-inf" : "inf");
  } else {
    llvm::SmallString<32> digits;
    value.toString(digits);
    os << digits;
  }
}

void writePart(uint64_t bits, const ElementForm &form, llvm::raw_ostream &os) {
  switch (form.written) {
    case Written::Truth:
      os << (bits ? "true" : "false");
      return;
    case Written::Signed:
      os << llvm::SignExtend64(bits, form.bits);
      return;
    case Written::Unsigned:
      os << bits;
      return;
    case Written::Float:
      writeFloat(bits, form.semantics(), os);
      return;
  }
}

/// Writes the elements of an array, a list for each dimension.
class ArrayWriter {
 public:
  ArrayWriter(const ElementForm &form, std::vector<uint64_t> parts,
              std::vector<int64_t> sizes, std::vector<int64_t> written,
              llvm::raw_ostream &os)
      : form_(form),
        parts_(std::move(parts)),
        sizes_(std::move(sizes)),
        written_(std::move(written)),
        strides_(sizes_.size() + 1, form.parts),
        os_(os) {
    for (size_t d = sizes_.size(); d-- > 0;)
      strides_[d] = strides_[d + 1] * sizes_[d];
  }

  void write() {
    // Nothing can be written in lists of lists if an outer one is empty.
    if (parts_.empty() && !sizes_.empty())
      os_ << (sizes_[0] == 0 ? "{}" : "{...}");
    else
      writeLevel(0, 0);
  }

 private:
  void writeLevel(size_t level, size_t first) {
    if (level == sizes_.size()) {
      if (form_.parts > 1) os_ << '(';
      llvm::ListSeparator comma;
      for (size_t part = 0; part < form_.parts; ++part) {
        os_ << comma;
        writePart(parts_[first + part], form_, os_);
      }
      if (form_.parts > 1) os_ << ')';
      return;
    }
    os_ << '{';
    llvm::ListSeparator comma;
    for (int64_t i = 0; i < written_[level]; ++i) {
      os_ << comma;
      writeLevel(level + 1, first + i * strides_[level + 1]);
    }
    os_ << '}';
  }

  const ElementForm &form_;
  const std::vector<uint64_t> parts_;
  const std::vector<int64_t> sizes_, written_;
  std::vector<size_t> strides_;
  llvm::raw_ostream &os_;
};

/// How many elements of each dimension are there: all, or as many as its
/// dynamic size says.
absl::StatusOr<std::vector<int64_t>> writtenSizes(const WireMessage &literal) {
  const WireMessage shape = literal.message(1);
  std::vector<int64_t> sizes = shape.integers(3);
  const std::vector<int64_t> isDynamic = shape.integers(6);
  const std::vector<int64_t> given = literal.integers(34);
  for (size_t d = 0; d < sizes.size() && d < given.size(); ++d) {
    if (d >= isDynamic.size() || !isDynamic[d]) continue;
    if (given[d] < 0 || given[d] > sizes[d])
      return absl::InvalidArgumentError(
          "dimension " + std::to_string(d) + " of a literal has the size " +
          std::to_string(given[d]) + ", which is not within its bound " +
          std::to_string(sizes[d]));
    sizes[d] = given[d];
  }
  return sizes;
}

absl::Status writeArray(const WireMessage &literal, llvm::raw_ostream &os) {
  const WireMessage shape = literal.message(1);
  std::vector<int64_t> sizes = shape.integers(3);
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || llvm::MulOverflow(count, size, count))
      return absl::InvalidArgumentError("a literal has no such size");
  const ElementForm *form = formOf(shape.integer(2));
  if (!literal.isValid() || !form || count > kKeptLiteralElements) {
    os << "{...}";
    return absl::OkStatus();
  }
  if (sizes.size() > kDeepestMessage)
    return absl::InvalidArgumentError("a literal is nested too deep");
  std::vector<uint64_t> parts = partsOf(literal, *form);
  if (parts.size() != static_cast<size_t>(count) * form->parts)
    return absl::InvalidArgumentError(
        "a literal has " + std::to_string(parts.size() / form->parts) +
        " elements, and its shape " + std::to_string(count));
  INDEXICAL_ASSIGN_OR_RETURN(auto written, writtenSizes(literal));
  ArrayWriter(*form, std::move(parts), std::move(sizes), std::move(written), os)
      .write();
  return absl::OkStatus();
}

absl::Status writeLiteral(const WireMessage &literal, llvm::raw_ostream &os,
                          unsigned depth) {
  const int64_t type = literal.message(1).integer(2);
  if (type == PrimitiveType::kToken) {
    os << "token[]";
    return absl::OkStatus();
  }
  if (type != PrimitiveType::kTuple) return writeArray(literal, os);
  if (depth > kDeepestMessage)
    return absl::InvalidArgumentError("a literal is nested too deep");
  absl::Status status = absl::OkStatus();
  os << '(';
  llvm::ListSeparator comma;
  literal.each(10, [&](llvm::StringRef element) {
    if (!status.ok()) return;
    os << comma;
    status = writeLiteral(WireMessage(element), os, depth + 1);
  });
  os << ')';
  return status;
}

}  // namespace

absl::Status writeLiteral(const WireMessage &literal, llvm::raw_ostream &os) {
  return writeLiteral(literal, os, 0);
}

}  // namespace indexical

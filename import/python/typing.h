// Types of Triton's language, and the rules for the types of operations.
//
//   i32 + f16             f16: a float is above an integer
//   f16 + bf16            f32
//   i8 * 2                i8: a constant of a lower or equal kind keeps the
//                         type of the tensor
//   u8 * i32              i32
//   max of i8             i32 is compared
//
// Source: triton/language/semantic.py (3.x), which Triton's documentation calls
// "Type Promotion".
#ifndef INDEXICAL_IMPORT_PYTHON_TYPING_H
#define INDEXICAL_IMPORT_PYTHON_TYPING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace indexical::python {

enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F8E4M3FN,    ///< float8e4nv
  F8E5M2,      ///< float8e5
  F8E4M3FNUZ,  ///< float8e4b8
  F8E5M2FNUZ,  ///< float8e5b16
  F8E4M3B15,   ///< float8e4b15
  F16,
  BF16,
  F32,
  F64,
};

bool isFloat(Element element);
bool isSigned(Element element);  ///< of integers; one bit is signed
int bitsOf(Element element);
/// Return MLIR's name (`i32`, `f16`) and Triton's name (`uint32`, `fp16`).
llvm::StringRef irName(Element element);
llvm::StringRef tritonName(Element element);
/// Returns the element of a name in `triton.language` (`float16`), or
/// std::nullopt.
std::optional<Element> elementOfName(llvm::StringRef name);

using Shape = llvm::SmallVector<int64_t, 4>;

enum class Form : uint8_t { Plain, Pointer, BlockPointer, Descriptor };

/// The type of a scalar or of a block's elements.
struct ValueType {
  Form form = Form::Plain;
  Element element = Element::I32;  ///< or a pointer's element
  Shape block;                     ///< of a block pointer or a descriptor

  bool isPlain() const { return form == Form::Plain; }
  bool isInteger() const { return isPlain() && !isFloat(element); }
  bool isFloating() const { return isPlain() && isFloat(element); }
  bool is(Element of) const { return isPlain() && element == of; }
  bool operator==(const ValueType &o) const {
    return form == o.form && element == o.element && block == o.block;
  }
  bool operator!=(const ValueType &o) const { return !(*this == o); }
  std::string ir() const;   ///< as MLIR has it
  std::string str() const;  ///< as Triton's signatures have it: `*fp16`
};

inline ValueType plain(Element element) { return {Form::Plain, element, {}}; }
inline ValueType pointerTo(Element element) {
  return {Form::Pointer, element, {}};
}

/// Returns the type of a signature (`*fp16`, `i32`, `*ki8`), or std::nullopt.
std::optional<ValueType> typeOfSignature(llvm::StringRef text);

/// Returns `16x32xf16`, or `f16` without sides.
std::string sidesText(llvm::ArrayRef<int64_t> shape,
                      const std::string &element);
/// Returns `tensor<16x32xf16>`, or `f16` without sides.
std::string tensorText(llvm::ArrayRef<int64_t> shape, const ValueType &type);
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Returns the common type of two integer types, by C's rule.
Element wider(Element a, Element b);

/// An operand of a promotion. The type of a constant is that of its tensor.
struct Promoted {
  Element element;
  bool isConstant = false;
};
/// Returns the type in which an operation is done, or std::nullopt if there is
/// no such type. `divides`: whether it is `/`, `//` or `%`, which are never
/// done in f16 or bf16, nor with mixed signs.
std::optional<Element> promote(Promoted a, Promoted b, bool divides);

/// Returns the broadcast shape of both, whose sides are equal or 1, with
/// missing sides in front; std::nullopt if there is none.
std::optional<Shape> broadcastShape(llvm::ArrayRef<int64_t> a,
                                    llvm::ArrayRef<int64_t> b);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_TYPING_H

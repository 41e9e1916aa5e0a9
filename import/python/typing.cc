#include "indexical/import/python/typing.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

struct ElementRow {
  Element element;
  StringRef ir, triton, name;  ///< of MLIR, of signatures, of `tl`
  int bits;
  char kind;  ///< `f`, `s` or `u`
};

constexpr ElementRow kElements[] = {
    {Element::I1, "i1", "i1", "int1", 1, 's'},
    {Element::I8, "i8", "i8", "int8", 8, 's'},
    {Element::I16, "i16", "i16", "int16", 16, 's'},
    {Element::I32, "i32", "i32", "int32", 32, 's'},
    {Element::I64, "i64", "i64", "int64", 64, 's'},
    {Element::U8, "i8", "u8", "uint8", 8, 'u'},
    {Element::U16, "i16", "u16", "uint16", 16, 'u'},
    {Element::U32, "i32", "u32", "uint32", 32, 'u'},
    {Element::U64, "i64", "u64", "uint64", 64, 'u'},
    {Element::F8E4M3FN, "f8E4M3FN", "fp8e4nv", "float8e4nv", 8, 'f'},
    {Element::F8E5M2, "f8E5M2", "fp8e5", "float8e5", 8, 'f'},
    {Element::F8E4M3FNUZ, "f8E4M3FNUZ", "fp8e4b8", "float8e4b8", 8, 'f'},
    {Element::F8E5M2FNUZ, "f8E5M2FNUZ", "fp8e5b16", "float8e5b16", 8, 'f'},
    {Element::F8E4M3B15, "f8E4M3B11FNUZ", "fp8e4b15", "float8e4b15", 8, 'f'},
    {Element::F16, "f16", "fp16", "float16", 16, 'f'},
    {Element::BF16, "bf16", "bf16", "bfloat16", 16, 'f'},
    {Element::F32, "f32", "fp32", "float32", 32, 'f'},
    {Element::F64, "f64", "fp64", "float64", 64, 'f'},
};

const ElementRow &rowOf(Element element) {
  return kElements[static_cast<size_t>(element)];
}

/// bool < int < float.
int kindOf(Element element) {
  if (isFloat(element)) return 2;
  return element == Element::I1 ? 0 : 1;
}

}  // namespace

bool isFloat(Element element) { return rowOf(element).kind == 'f'; }
bool isSigned(Element element) { return rowOf(element).kind == 's'; }
int bitsOf(Element element) { return rowOf(element).bits; }
StringRef irName(Element element) { return rowOf(element).ir; }
StringRef tritonName(Element element) { return rowOf(element).triton; }

std::optional<Element> elementOfName(StringRef name) {
  for (const ElementRow &row : kElements)
    if (row.name == name) return row.element;
  return std::nullopt;
}

std::string sidesText(llvm::ArrayRef<int64_t> shape,
                      const std::string &element) {
  std::string text;
  for (int64_t side : shape) absl::StrAppend(&text, side, "x");
  return text + element;
}

std::string tensorText(llvm::ArrayRef<int64_t> shape, const ValueType &type) {
  if (shape.empty()) return type.ir();
  return absl::StrCat("tensor<", sidesText(shape, type.ir()), ">");
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
}

std::string ValueType::ir() const {
  const std::string name = irName(element).str();
  switch (form) {
    case Form::Plain:
      return name;
    case Form::Pointer:
      return absl::StrCat("!tt.ptr<", name, ">");
    case Form::BlockPointer:
      return absl::StrCat("!tt.ptr<tensor<", sidesText(block, name), ">>");
    case Form::Descriptor:
      break;
  }
  return absl::StrCat("!tt.tensordesc<tensor<", sidesText(block, name), ">>");
}

std::string ValueType::str() const {
  const std::string name = tritonName(element).str();
  switch (form) {
    case Form::Plain:
      return name;
    case Form::Pointer:
      return "*" + name;
    case Form::BlockPointer:
      return absl::StrCat("block pointer of ", name, shapeText(block));
    case Form::Descriptor:
      break;
  }
  return absl::StrCat("tensordesc<", name, shapeText(block), ">");
}

std::optional<ValueType> typeOfSignature(StringRef text) {
  text = text.trim();
  if (text.consume_front("tensordesc<") && text.consume_back(">")) {
    const auto [name, rest] = text.split('[');
    const auto of = typeOfSignature(name);
    if (!of || !of->isPlain()) return std::nullopt;
    ValueType made{Form::Descriptor, of->element, {}};
    llvm::SmallVector<StringRef, 4> sides;
    rest.split(']').first.split(sides, ',');
    for (StringRef side : sides) {
      int64_t size = 0;
      if (side.trim().getAsInteger(10, size) || size < 1) return std::nullopt;
      made.block.push_back(size);
    }
    return made;
  }
  const bool isPointer = text.consume_front("*");
  if (isPointer) text.consume_front("k");
  text = text.trim();
  // Short names that people use for torch's.
  static constexpr std::pair<StringRef, StringRef> kShort[] = {
      {"f16", "fp16"}, {"f32", "fp32"}, {"f64", "fp64"},
      {"int1", "i1"},  {"B", "i1"},     {"bool", "i1"}};
  for (const auto &[from, to] : kShort)
    if (text == from) text = to;
  for (const ElementRow &row : kElements)
    if (row.triton == text || row.name == text)
      return isPointer ? pointerTo(row.element) : plain(row.element);
  return std::nullopt;
}

Element wider(Element a, Element b) {
  const int bitsA = bitsOf(a), bitsB = bitsOf(b);
  if (isSigned(a) == isSigned(b)) return bitsA > bitsB ? a : b;
  if (!isSigned(a)) return bitsA >= bitsB ? a : b;
  return bitsB >= bitsA ? b : a;
}

std::optional<Element> promote(Promoted a, Promoted b, bool divides) {
  Element x = a.element, y = b.element;
  if (a.isConstant != b.isConstant) {
    const Element constant = a.isConstant ? x : y,
                  tensor = a.isConstant ? y : x;
    if (kindOf(constant) <= kindOf(tensor)) {
      // A division by a constant is done in f32, too.
      if (divides && (tensor == Element::F16 || tensor == Element::BF16))
        return Element::F32;
      return tensor;
    }
  }
  auto either = [&](Element of) { return x == of || y == of; };
  if (either(Element::F64)) return Element::F64;
  if (either(Element::F32)) return Element::F32;
  if (either(Element::F16)) return divides ? Element::F32 : Element::F16;
  if (x == Element::BF16 && y == Element::BF16)
    return divides ? Element::F32 : Element::BF16;
  if (either(Element::BF16)) return Element::F32;
  if (isFloat(x) && isFloat(y)) return x == y ? x : Element::F16;
  if (isFloat(x) || isFloat(y)) return std::nullopt;
  if (divides && isSigned(x) != isSigned(y)) return std::nullopt;
  return wider(x, y);
}

std::optional<Shape> broadcastShape(llvm::ArrayRef<int64_t> a,
                                    llvm::ArrayRef<int64_t> b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (size_t k = 0; k < result.size(); ++k) {
    auto sideOf = [&](llvm::ArrayRef<int64_t> shape) {
      const size_t missing = result.size() - shape.size();
      return k < missing ? int64_t{1} : shape[k - missing];
    };
    const int64_t x = sideOf(a), y = sideOf(b);
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[k] = x == 1 ? y : x;
  }
  return result;
}

}  // namespace indexical::python

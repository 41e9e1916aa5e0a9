// Ops, constants, casts and shapes.
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::DynamicAPInt;
using llvm::StringRef;

Value Lowering::refuseAt(Place place, RefusalKind kind, std::string message) {
  if (!refusal) refusal = Refusal{kind, place, std::move(message)};
  return {};
}

Value Lowering::refuse(RefusalKind kind, std::string message) {
  return refuseAt(here(), kind, std::move(message));
}

Value Lowering::refuseCall(std::string message) {
  if (isRefused()) return {};
  refuse(RefusalKind::Type, std::move(message));
  refusal->isOfTypes = false;
  return {};
}

Place Lowering::here() const {
  for (const Frame &frame : llvm::reverse(frames_))
    if (!frame.isPrelude) return frame.at;
  return {};
}

std::string Lowering::newName() { return absl::StrCat("%", ++names_); }

/// The places of the frames, the innermost first, as an alias.
std::string Lowering::location() {
  std::string text;
  int around = 0;
  for (const Frame &frame : llvm::reverse(frames_)) {
    if (frame.isPrelude || !frame.at.known()) continue;
    const std::string each =
        absl::StrCat("\"", frame.function.str(), "\"(\"", path_,
                     "\":", frame.at.line, ":", frame.at.column, ")");
    if (text.empty()) {
      text = each;
    } else {
      // callsite(a at callsite(b at c))
      absl::StrAppend(&text, " at callsite(", each);
      ++around;
    }
  }
  if (text.empty()) return "";
  if (around > 0) {
    // The last one is called from nowhere.
    const size_t last = text.rfind(" at callsite(");
    text.replace(last, std::string(" at callsite(").size(), " at ");
    text = absl::StrCat("callsite(", text, std::string(around, ')'));
  }
  const auto [found, isNew] =
      locations_.try_emplace(text, static_cast<int>(locations_.size()));
  return absl::StrCat(" loc(#loc", found->second, ")");
}

void Lowering::emit(const std::string &text, const std::string &name) {
  if (isRefused()) return;
  if (!out_) {
    refuse(RefusalKind::Name, "this is not a constant");
    return;
  }
  if (++ops_ > kMostOps) {
    refuse(RefusalKind::Limit, "the kernel has more than 200000 ops");
    return;
  }
  if (isForgotten_) return;
  if (!name.empty()) absl::StrAppend(out_, name, " = ");
  absl::StrAppend(out_, text, location(), "\n");
}

Value Lowering::op(const std::string &text, ValueType type, Shape shape) {
  if (isRefused()) return {};
  std::string name = newName();
  emit(text, name);
  return Value::tensor(std::move(type), std::move(shape), std::move(name));
}

std::string Lowering::region(llvm::function_ref<void()> body) {
  std::string text;
  std::string *outer = out_;
  out_ = &text;
  body();
  out_ = outer;
  return text;
}

//===-- Constants ---------------------------------------------------------===//

namespace {

const llvm::fltSemantics &semanticsOf(Element element) {
  switch (element) {
    case Element::F8E4M3FN:
      return llvm::APFloat::Float8E4M3FN();
    case Element::F8E5M2:
      return llvm::APFloat::Float8E5M2();
    case Element::F8E4M3FNUZ:
      return llvm::APFloat::Float8E4M3FNUZ();
    case Element::F8E5M2FNUZ:
      return llvm::APFloat::Float8E5M2FNUZ();
    case Element::F8E4M3B15:
      return llvm::APFloat::Float8E4M3B11FNUZ();
    case Element::F16:
      return llvm::APFloat::IEEEhalf();
    case Element::BF16:
      return llvm::APFloat::BFloat();
    case Element::F32:
      return llvm::APFloat::IEEEsingle();
    default:
      return llvm::APFloat::IEEEdouble();
  }
}

/// A float as MLIR writes it: digits if these give it, else its bits.
std::string floatText(double number, Element element) {
  // Triton passes floats of 32 bits, even where an element has fewer.
  const double passed =
      element == Element::F64 ? number : static_cast<float>(number);
  llvm::APFloat value(passed);
  bool loses = false;
  value.convert(semanticsOf(element), llvm::APFloat::rmNearestTiesToEven,
                &loses);
  if (value.isFinite() && bitsOf(element) > 8) {
    const std::string digits = absl::StrFormat("%.6e", passed);
    llvm::APFloat again(semanticsOf(element), digits);
    if (again.bitwiseIsEqual(value)) return digits;
  }
  llvm::SmallString<20> bits;
  value.bitcastToAPInt().toString(bits, 16, /*Signed=*/false,
                                  /*formatAsCLiteral=*/false);
  const size_t digits = (bitsOf(element) + 3) / 4;
  return absl::StrCat("0x", std::string(digits - bits.size(), '0'),
                      std::string(bits));
}

std::string integerText(uint64_t bits, Element element) {
  const int size = bitsOf(element);
  if (size == 1) return bits & 1 ? "true" : "false";
  if (size == 64) return absl::StrCat(static_cast<int64_t>(bits));
  const int shift = 64 - size;
  return absl::StrCat(static_cast<int64_t>(bits << shift) >> shift);
}

}  // namespace

Value Lowering::constant(int64_t number, Element element, Shape shape) {
  return constant(Value::whole(number), element, std::move(shape));
}

Value Lowering::constant(const Value &number, Element element, Shape shape) {
  std::string text;
  if (isFloat(element)) {
    text = floatText(realOf(number), element);
  } else if (number.is(ValueKind::Float)) {
    if (!std::isfinite(number.number))
      return refuse(RefusalKind::Type, "a float that is not an integer");
    text = integerText(
        static_cast<uint64_t>(static_cast<int64_t>(number.number)), element);
  } else {
    text = element == Element::I1
               ? (isTrue(number) ? "true" : "false")
               : integerText(lowBits(number.integer), element);
  }
  const ValueType type = plain(element);
  if (!shape.empty())
    text = absl::StrCat("arith.constant dense<", text,
                        "> : ", tensorText(shape, type));
  else if (element == Element::I1)
    text = absl::StrCat("arith.constant ", text);
  else
    text = absl::StrCat("arith.constant ", text, " : ", type.ir());
  return op(text, type, std::move(shape));
}

std::optional<Element> Lowering::elementOf(const Value &number) {
  if (number.is(ValueKind::Bool)) return Element::I1;
  if (number.is(ValueKind::Float)) {
    const double size = std::fabs(number.number);
    const bool fits = size == 0 || std::isinf(size) || std::isnan(size) ||
                      (size >= std::ldexp(1.0, -126) &&
                       size <= std::numeric_limits<float>::max());
    return fits ? Element::F32 : Element::F64;
  }
  const DynamicAPInt &value = number.integer;
  const DynamicAPInt two32(int64_t{1} << 32);
  if (value >= -(int64_t{1} << 31) && value < (int64_t{1} << 31))
    return Element::I32;
  if (value >= 0 && value < two32) return Element::U32;
  if (smallOf(value)) return Element::I64;
  if (value >= 0 && value < two32 * two32) return Element::U64;
  refuse(RefusalKind::Type, "an integer of more than 64 bits is not a tensor");
  return std::nullopt;
}

Value Lowering::tensorOf(const Value &value) {
  if (value.isTensor() || isRefused()) return value;
  if (!value.isNumber())
    return refuse(RefusalKind::Type,
                  absl::StrCat(wordsOf(value), " is not a tensor"));
  const auto element = elementOf(value);
  return element ? constant(value, *element) : Value();
}

//===-- Casts -------------------------------------------------------------===//

Value Lowering::cast(const Value &value, ValueType type, StringRef rounding) {
  if (isRefused() || !value.isTensor()) return value;
  const ValueType &from = value.type;
  if (from == type) return value;
  auto converted = [&](StringRef name, const Value &of, const char *arrow) {
    return op(absl::StrCat(name.str(), " ", of.text, " : ", of.ir(), arrow,
                           tensorText(of.shape, type)),
              type, of.shape);
  };
  if (!from.isPlain() || !type.isPlain()) {
    const bool arePlain =
        from.form <= Form::Pointer && type.form <= Form::Pointer;
    if (from.form == Form::Pointer && type.form == Form::Pointer)
      return converted("tt.bitcast", value, " -> ");
    if (arePlain && type.isInteger() && bitsOf(type.element) == 64)
      return converted("tt.ptr_to_int", value, " -> ");
    if (arePlain && from.isInteger() && bitsOf(from.element) == 64)
      return converted("tt.int_to_ptr", value, " -> ");
    return refuse(RefusalKind::Type,
                  absl::StrCat("a cast from ", from.str(), " to ", type.str()));
  }
  const int bits = bitsOf(from.element), to = bitsOf(type.element);
  if (from.isFloating() && type.isFloating()) {
    if (bits == 8 || to == 8 || (!rounding.empty() && rounding != "rtne")) {
      std::string text = absl::StrCat("tt.fp_to_fp ", value.text);
      if (to < bits)
        absl::StrAppend(
            &text, ", rounding = ", rounding.empty() ? "rtne" : rounding.str());
      return op(absl::StrCat(text, " : ", value.ir(), " -> ",
                             tensorText(value.shape, type)),
                type, value.shape);
    }
    // Halves go to other types by f32.
    if (bits == 16 && !type.is(Element::F32))
      return cast(cast(value, plain(Element::F32)), type);
    return converted(bits > to ? "arith.truncf" : "arith.extf", value, " to ");
  }
  if (type.is(Element::I1))
    return compare("!=", value, constant(0, from.element, value.shape));
  if (from.isInteger() && type.isInteger()) {
    if (bits == to) return Value::tensor(type, value.shape, value.text);
    if (bits > to) return converted("arith.trunci", value, " to ");
    const bool extends = isSigned(from.element) && bits > 1;
    return converted(extends ? "arith.extsi" : "arith.extui", value, " to ");
  }
  if (from.isFloating()) {
    const Value wide = bits < 32 ? cast(value, plain(Element::F32)) : value;
    return converted(isSigned(type.element) ? "arith.fptosi" : "arith.fptoui",
                     wide, " to ");
  }
  const bool isPositive = bits == 1 || !isSigned(from.element);
  return converted(isPositive ? "arith.uitofp" : "arith.sitofp", value, " to ");
}

Value Lowering::bitcast(const Value &value, const ValueType &type) {
  if (isRefused() || value.type == type) return value;
  if (!value.type.isPlain() || !type.isPlain()) return cast(value, type);
  if (bitsOf(value.type.element) != bitsOf(type.element))
    return refuse(RefusalKind::Type,
                  absl::StrCat("the bits of ", value.type.str(), " as ",
                               type.str(), ": their numbers differ"));
  if (value.type.isInteger() && type.isInteger())
    return Value::tensor(type, value.shape, value.text);
  return op(absl::StrCat("tt.bitcast ", value.text, " : ", value.ir(), " -> ",
                         tensorText(value.shape, type)),
            type, value.shape);
}

//===-- Shapes ------------------------------------------------------------===//

Value Lowering::splat(const Value &value, const Shape &shape) {
  if (shape.empty()) return value;
  return op(absl::StrCat("tt.splat ", value.text, " : ", value.ir(), " -> ",
                         tensorText(shape, value.type)),
            value.type, shape);
}

Value Lowering::expand(const Value &value, int64_t axis) {
  if (isRefused()) return {};
  if (value.shape.empty()) return splat(value, {1});
  Shape shape = value.shape;
  shape.insert(shape.begin() + axis, 1);
  return op(absl::StrCat("tt.expand_dims ", value.text, " {axis = ", axis,
                         " : i32} : ", value.ir(), " -> ",
                         tensorText(shape, value.type)),
            value.type, shape);
}

Value Lowering::broadcastTo(const Value &value, const Shape &shape) {
  if (isRefused() || value.shape == shape) return value;
  if (value.shape.empty()) return splat(value, shape);
  const auto both = broadcastShape(value.shape, shape);
  if (!both || *both != shape)
    return refuse(RefusalKind::Shape,
                  absl::StrCat("a block ", shapeText(value.shape),
                               " does not broadcast to ", shapeText(shape)));
  Value made = value;
  while (made.shape.size() < shape.size()) made = expand(made, 0);
  if (isRefused() || made.shape == shape) return made;
  return op(absl::StrCat("tt.broadcast ", made.text, " : ", made.ir(), " -> ",
                         tensorText(shape, made.type)),
            made.type, shape);
}

bool Lowering::broadcast(Value &a, Value &b) {
  if (isRefused()) return false;
  if (a.shape == b.shape) return true;
  const auto shape = broadcastShape(a.shape, b.shape);
  if (!shape) {
    refuse(RefusalKind::Shape,
           absl::StrCat("blocks ", shapeText(a.shape), " and ",
                        shapeText(b.shape), " do not broadcast"));
    return false;
  }
  int64_t count = 1;
  for (int64_t side : *shape) count *= side;
  if (count > 1 << 20) {
    refuse(RefusalKind::Triton,
           absl::StrCat("a block ", shapeText(*shape),
                        " has more than 1048576 elements"));
    return false;
  }
  a = broadcastTo(a, *shape);
  b = broadcastTo(b, *shape);
  return !isRefused();
}

}  // namespace indexical::python

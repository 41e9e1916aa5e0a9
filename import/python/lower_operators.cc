// Operators on tensors, and on constants and tensors.
#include "absl/strings/str_cat.h"

#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::DynamicAPInt;
using llvm::StringRef;

namespace {

/// Whether a constant is within an integer's range.
bool fits(const DynamicAPInt &value, Element element) {
  const int bits = bitsOf(element);
  if (element == Element::I1) return value >= 0 && value <= 1;
  DynamicAPInt half(int64_t{1} << (bits - 1 > 62 ? 62 : bits - 1));
  if (bits == 64) half = half * DynamicAPInt(2);
  if (isSigned(element)) return value >= -half && value < half;
  return value >= 0 && value < half * DynamicAPInt(2);
}

}  // namespace

bool Lowering::promote(Value &a, Value &b, Divides divides, Pointers pointers) {
  if (isRefused()) return false;
  for (const Value *each : {&a, &b})
    if (!each->isTensor() && !each->isNumber()) {
      refuse(RefusalKind::Type, absl::StrCat("an operand is ", wordsOf(*each)));
      return false;
    }
  const bool isPointerA = a.isTensor() && !a.type.isPlain();
  const bool isPointerB = b.isTensor() && !b.type.isPlain();
  if (isPointerA || isPointerB) {
    const Value x = tensorOf(a), y = tensorOf(b);
    if (isRefused()) return false;
    const bool arePlain =
        x.type.form <= Form::Pointer && y.type.form <= Form::Pointer;
    const bool mixes = (isPointerA && isPointerB && x.type != y.type) ||
                       x.type.isFloating() || y.type.isFloating();
    if (pointers == Pointers::Refused || !arePlain || mixes) {
      refuse(RefusalKind::Type,
             absl::StrCat("operands of ", x.type.str(), " and ", y.type.str()));
      return false;
    }
    a = x;
    b = y;
    return broadcast(a, b);
  }
  const auto elementA =
      a.isTensor() ? std::optional<Element>(a.type.element) : elementOf(a);
  const auto elementB =
      b.isTensor() ? std::optional<Element>(b.type.element) : elementOf(b);
  if (!elementA || !elementB) return false;
  const auto element =
      python::promote({*elementA, !a.isTensor()}, {*elementB, !b.isTensor()},
                      divides == Divides::Yes);
  if (!element) {
    refuse(RefusalKind::Type,
           absl::StrCat("operands of ", tritonName(*elementA).str(), " and ",
                        tritonName(*elementB).str()));
    return false;
  }
  for (Value *each : {&a, &b}) {
    if (each->isTensor()) {
      *each = cast(*each, plain(*element));
      continue;
    }
    if (!isFloat(*element) && !fits(each->integer, *element)) {
      refuse(RefusalKind::Type, absl::StrCat("the constant ", wordsOf(*each),
                                             " is out of the range of ",
                                             tritonName(*element).str()));
      return false;
    }
    *each = constant(*each, *element);
  }
  return broadcast(a, b);
}

Value Lowering::pointerSum(StringRef sign, Value a, Value b) {
  const bool areBoth = !a.type.isPlain() && !b.type.isPlain();
  if (areBoth || (sign == "-" && !b.type.isPlain()))
    return refuse(RefusalKind::Type, "pointers are not added");
  if (!b.type.isPlain()) std::swap(a, b);
  if (sign == "-") b = binary("-", constant(0, b.type.element, b.shape), b);
  if (isRefused()) return {};
  if (b.type.is(Element::I1))
    return refuse(RefusalKind::Unsupported, "an offset of one bit");
  // Unsigned offsets are widened without their sign; what is taken away is a
  // negative number.
  if (sign == "+" && !isSigned(b.type.element) && bitsOf(b.type.element) < 64)
    b = cast(b, plain(Element::I64));
  return op(absl::StrCat("tt.addptr ", a.text, ", ", b.text, " : ", a.ir(),
                         ", ", b.ir()),
            a.type, a.shape);
}

Value Lowering::binary(StringRef sign, Value a, Value b) {
  if (isRefused()) return {};
  if (!a.isTensor() && !b.isTensor()) return take(constantBinary(sign, a, b));
  const bool isSum = sign == "+" || sign == "-";
  const bool divides = sign == "/" || sign == "//" || sign == "%";
  if (sign == "**") return refuse(RefusalKind::Unsupported, "`**` of a tensor");
  if (sign == "@")
    return refuse(RefusalKind::Unsupported, "`@`; tl.dot is a product");
  if (!promote(a, b, divides ? Divides::Yes : Divides::No,
               isSum ? Pointers::Allowed : Pointers::Refused))
    return {};
  if (!a.type.isPlain() || !b.type.isPlain()) return pointerSum(sign, a, b);
  const bool isReal = a.type.isFloating();
  const bool isSigned = !isReal && python::isSigned(a.type.element);
  auto made = [&](const std::string &name) {
    return op(absl::StrCat(name, " ", a.text, ", ", b.text, " : ", a.ir()),
              a.type, a.shape);
  };
  const char *suffix = isReal ? "f" : "i";
  if (sign == "+") return made(absl::StrCat("arith.add", suffix));
  if (sign == "-") return made(absl::StrCat("arith.sub", suffix));
  if (sign == "*") return made(absl::StrCat("arith.mul", suffix));
  if (sign == "/") {
    if (!isReal) {
      a = cast(a, plain(Element::F32));
      b = cast(b, plain(Element::F32));
    }
    return made("arith.divf");
  }
  if (isReal && sign != "%")
    return refuse(RefusalKind::Type,
                  absl::StrCat("`", sign.str(), "` of floats"));
  if (isReal) return made("arith.remf");
  if (sign == "//") return made(isSigned ? "arith.divsi" : "arith.divui");
  if (sign == "%") return made(isSigned ? "arith.remsi" : "arith.remui");
  if (sign == "&") return made("arith.andi");
  if (sign == "|") return made("arith.ori");
  if (sign == "^") return made("arith.xori");
  if (sign == "<<") return made("arith.shli");
  return made(isSigned ? "arith.shrsi" : "arith.shrui");
}

Value Lowering::compare(StringRef sign, Value a, Value b) {
  if (isRefused()) return {};
  const bool isIdentity = sign == "is" || sign == "is not";
  if (isIdentity && (a.isTensor() || b.isTensor()))
    return Value::boolean(sign == "is not");
  if (!a.isTensor() && !b.isTensor()) return take(constantCompare(sign, a, b));
  const bool isEquality = sign == "==" || sign == "!=";
  for (const Value *each : {&a, &b})
    if (isEquality && !each->isTensor() && !each->isNumber())
      return Value::boolean(sign == "!=");
  if (!promote(a, b, Divides::No, Pointers::Refused)) return {};
  struct Predicate {
    StringRef sign, real, integer;
  };
  static constexpr Predicate kPredicates[] = {
      {"==", "oeq", "eq"}, {"!=", "une", "ne"}, {"<", "olt", "lt"},
      {"<=", "ole", "le"}, {">", "ogt", "gt"},  {">=", "oge", "ge"}};
  for (const Predicate &row : kPredicates) {
    if (row.sign != sign) continue;
    std::string text;
    if (a.type.isFloating())
      text = absl::StrCat("arith.cmpf ", row.real.str());
    else
      text = absl::StrCat("arith.cmpi ",
                          isEquality                 ? ""
                          : isSigned(a.type.element) ? "s"
                                                     : "u",
                          row.integer.str());
    return op(absl::StrCat(text, ", ", a.text, ", ", b.text, " : ", a.ir()),
              plain(Element::I1), a.shape);
  }
  return refuse(RefusalKind::Unsupported,
                absl::StrCat("`", sign.str(), "` of a tensor"));
}

Value Lowering::negate(const Value &of) {
  if (isRefused()) return {};
  if (!of.isTensor()) return take(constantUnary("-", of));
  if (!of.type.isPlain()) return refuse(RefusalKind::Type, "`-` of a pointer");
  if (of.type.isFloating())
    return op(absl::StrCat("arith.negf ", of.text, " : ", of.ir()), of.type,
              of.shape);
  return binary("-", constant(0, of.type.element, of.shape), of);
}

Value Lowering::logicalNot(const Value &of) {
  if (isRefused()) return {};
  if (!of.isTensor()) return Value::boolean(!isTrue(of));
  if (!of.type.is(Element::I1))
    return refuse(RefusalKind::Type,
                  absl::StrCat("`not` of ", wordsOf(of), ", which is not i1"));
  return binary("^", of, constant(1, Element::I1, of.shape));
}

Value Lowering::minMax(StringRef word, Value a, Value b, bool propagatesNan) {
  for (Value *each : {&a, &b}) {
    *each = tensorOf(*each);
    if (each->isTensor() && each->type.is(Element::BF16))
      *each = cast(*each, plain(Element::F32));
  }
  if (!promote(a, b, Divides::No, Pointers::Refused)) return {};
  std::string name = absl::StrCat("arith.", word.str());
  if (a.type.isFloating())
    absl::StrAppend(&name, propagatesNan ? "imumf" : "numf");
  else
    absl::StrAppend(&name, isSigned(a.type.element) ? "si" : "ui");
  return op(absl::StrCat(name, " ", a.text, ", ", b.text, " : ", a.ir()),
            a.type, a.shape);
}

Value Lowering::select(Value condition, Value a, Value b) {
  condition = tensorOf(condition);
  if (isRefused()) return {};
  if (!condition.type.isPlain())
    return refuse(RefusalKind::Type, "a pointer is not a condition");
  condition = cast(condition, plain(Element::I1));
  if (!promote(a, b, Divides::No, Pointers::Allowed)) return {};
  if (!condition.shape.empty()) {
    if (!broadcast(condition, a) || !broadcast(a, b) ||
        !broadcast(condition, a))
      return {};
  } else if (!a.shape.empty()) {
    condition = splat(condition, a.shape);
  }
  std::string types = a.ir();
  if (!a.shape.empty()) types = absl::StrCat(condition.ir(), ", ", types);
  return op(absl::StrCat("arith.select ", condition.text, ", ", a.text, ", ",
                         b.text, " : ", types),
            a.type, a.shape);
}

}  // namespace indexical::python

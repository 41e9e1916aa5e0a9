// Functions of values: choices, products and functions of one float.
#include "absl/strings/str_cat.h"

#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

bool propagates(const Value &option) {
  return option.is(ValueKind::String) && option.text == "ALL";
}

}  // namespace

Value Lowering::where(const Arguments &args) {
  return select(args[0], args[1], args[2]);
}

Value Lowering::minimum(const Arguments &args) {
  return minMax("min", args[0], args[1], propagates(args[2]));
}

Value Lowering::maximum(const Arguments &args) {
  return minMax("max", args[0], args[1], propagates(args[2]));
}

Value Lowering::clamp(const Arguments &args) {
  Value x = tensorOf(args[0]), least = tensorOf(args[1]),
        most = tensorOf(args[2]);
  for (Value *each : {&x, &least, &most})
    if (each->isTensor() && each->type.is(Element::BF16))
      *each = cast(*each, plain(Element::F32));
  if (!promote(least, most, Divides::No, Pointers::Refused) ||
      !promote(x, least, Divides::No, Pointers::Refused) ||
      !promote(x, most, Divides::No, Pointers::Refused))
    return {};
  least = broadcastTo(cast(least, x.type), x.shape);
  if (isRefused()) return {};
  if (!x.type.isFloating())
    return refuse(RefusalKind::Type, "`tl.clamp` of integers");
  return op(absl::StrCat("tt.clampf ", x.text, ", ", least.text, ", ",
                         most.text, ", propagateNan = ",
                         propagates(args[3]) ? "all" : "none", " : ", x.ir()),
            x.type, x.shape);
}

Value Lowering::absolute(const Arguments &args) {
  const Value x = tensorOf(args[0]);
  if (isRefused()) return {};
  if (x.type.isFloating())
    return op(absl::StrCat("math.absf ", x.text, " : ", x.ir()), x.type,
              x.shape);
  if (!x.type.isInteger())
    return refuse(RefusalKind::Type, "`tl.abs` of a pointer");
  if (!isSigned(x.type.element)) return x;
  return op(absl::StrCat("math.absi ", x.text, " : ", x.ir()), x.type, x.shape);
}

Value Lowering::fusedProduct(const Arguments &args) {
  Value x = args[0], y = args[1], z = args[2];
  if (!promote(x, y, Divides::No, Pointers::Refused) ||
      !promote(z, x, Divides::No, Pointers::Refused) ||
      !promote(z, y, Divides::No, Pointers::Refused))
    return {};
  x = broadcastTo(cast(x, z.type), z.shape);
  if (isRefused()) return {};
  if (!z.type.isFloating())
    return refuse(RefusalKind::Type, "`tl.fma` of integers");
  return op(absl::StrCat("math.fma ", x.text, ", ", y.text, ", ", z.text, " : ",
                         z.ir()),
            z.type, z.shape);
}

Value Lowering::quotient(const Arguments &args) {
  Value x = tensorOf(args[0]), y = tensorOf(args[1]);
  if (isRefused()) return {};
  if (!x.type.isFloating() || !y.type.isFloating())
    return refuse(RefusalKind::Type, "`tl.fdiv` of integers");
  if (!promote(x, y, Divides::Yes, Pointers::Refused)) return {};
  return op(absl::StrCat("arith.divf ", x.text, ", ", y.text, " : ", x.ir()),
            x.type, x.shape);
}

Value Lowering::preciseQuotient(const Arguments &args) {
  Value x = tensorOf(args[0]), y = tensorOf(args[1]);
  if (!promote(x, y, Divides::No, Pointers::Refused)) return {};
  if (!x.type.is(Element::F32))
    return refuse(RefusalKind::Type, "`tl.div_rn` of a value that is not fp32");
  return op(
      absl::StrCat("tt.precise_divf ", x.text, ", ", y.text, " : ", x.ir()),
      x.type, x.shape);
}

Value Lowering::preciseRoot(const Arguments &args) {
  const Value x = tensorOf(args[0]);
  if (isRefused()) return {};
  if (!x.type.is(Element::F32))
    return refuse(RefusalKind::Type,
                  "`tl.sqrt_rn` of a value that is not fp32");
  return op(absl::StrCat("tt.precise_sqrt ", x.text, " : ", x.ir()), x.type,
            x.shape);
}

Value Lowering::highProduct(const Arguments &args) {
  Value x = tensorOf(args[0]), y = tensorOf(args[1]);
  if (!promote(x, y, Divides::No, Pointers::Refused)) return {};
  if (!x.type.isInteger() || bitsOf(x.type.element) < 32)
    return refuse(RefusalKind::Type,
                  "`tl.umulhi` of integers of 32 or 64 bits");
  return op(absl::StrCat("tt.mulhiui ", x.text, ", ", y.text, " : ", x.ir()),
            x.type, x.shape);
}

Value Lowering::math(StringRef name, const Value &of) {
  const Value x = tensorOf(of);
  if (isRefused()) return {};
  const bool rounds = name == "math.floor" || name == "math.ceil";
  const bool isTaken =
      x.type.isFloating() && (rounds || bitsOf(x.type.element) >= 32);
  if (!isTaken)
    return refuse(RefusalKind::Type,
                  absl::StrCat("`tl.", name.drop_front(5).str(), "` of ",
                               x.type.str(), "; it is one of fp32 or fp64"));
  return op(absl::StrCat(name.str(), " ", x.text, " : ", x.ir()), x.type,
            x.shape);
}

Value Lowering::dot(const Arguments &args) {
  const Value &a = args[0], &b = args[1];
  if (!a.isTensor() || !b.isTensor() || !a.type.isPlain() ||
      !b.type.isPlain() || a.shape.size() != b.shape.size() ||
      (a.shape.size() != 2 && a.shape.size() != 3))
    return refuse(RefusalKind::Shape,
                  absl::StrCat("a dot of ", wordsOf(a), " and ", wordsOf(b)));
  const size_t rank = a.shape.size();
  const int bits = bitsOf(a.type.element);
  const bool areSmall = a.type.isFloating() && b.type.isFloating() &&
                        bits == 8 && bitsOf(b.type.element) == 8;
  if (a.type != b.type && !areSmall)
    return refuse(RefusalKind::Type, absl::StrCat("a dot of ", a.type.str(),
                                                  " and ", b.type.str()));
  if (a.type.isInteger() && bits != 8)
    return refuse(RefusalKind::Type, absl::StrCat("a dot of ", a.type.str()));
  const int64_t inner = a.shape[rank - 1];
  if (inner != b.shape[rank - 2] || (rank == 3 && a.shape[0] != b.shape[0]))
    return refuse(RefusalKind::Shape,
                  absl::StrCat("a dot of ", shapeText(a.shape), " and ",
                               shapeText(b.shape)));
  const int64_t least = bits == 8 ? 32 : 16;
  if (inner < least)
    return refuse(
        RefusalKind::Triton,
        absl::StrCat("a dot over ", inner, " elements of ", a.type.str(),
                     "; it is over ", least, " or more"));
  Element element = Element::F32;
  if (a.type.isInteger())
    element = Element::I32;
  else if (a.type.is(Element::F64))
    element = Element::F64;
  else if (!a.type.is(Element::F32) && !a.type.is(Element::BF16) &&
           args[6].is(ValueKind::Type) && args[6].type.is(Element::F16))
    element = Element::F16;
  if (args[6].is(ValueKind::Type) && args[6].type.is(Element::BF16))
    return refuse(RefusalKind::Type, "a dot with results of bf16");
  Shape shape(a.shape.begin(), a.shape.end() - 1);
  shape.push_back(b.shape[rank - 1]);
  Value sum = args[2];
  if (sum.isNone()) {
    sum = constant(0, element, shape);
  } else if (!sum.isTensor() || sum.shape != shape || !sum.type.is(element)) {
    return refuse(RefusalKind::Type,
                  absl::StrCat("a dot adds to ", wordsOf(sum),
                               ", and its result is a block ", shapeText(shape),
                               " of ", tritonName(element).str()));
  }
  std::string precision = "tf32";
  if (args[3].is(ValueKind::String)) {
    precision = StringRef(args[3].text).lower();
    if (precision != "tf32" && precision != "ieee" && precision != "tf32x3" &&
        precision != "bf16x3" && precision != "bf16x6")
      return refuse(RefusalKind::Type,
                    absl::StrCat("the precision ", wordsOf(args[3])));
  } else if (!args[4].isNone() && !isTrue(args[4])) {
    precision = "ieee";
  }
  return op(absl::StrCat("tt.dot ", a.text, ", ", b.text, ", ", sum.text,
                         ", inputPrecision = ", precision, " : ", a.ir(), " * ",
                         b.ir(), " -> ", sum.ir()),
            sum.type, shape);
}

}  // namespace indexical::python

#include "indexical/import/stablehlo/lower/scalar_ops.h"

#include <string>

#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/dialect/elementwise.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using mlir::Type;
using mlir::Value;

/// One element of one op.
struct Call {
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  mlir::ValueRange operands;
  Type element;  ///< of the first operand, with its sign

  Value x() const { return operands[0]; }
  Value y() const { return operands[1]; }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(element); }
  bool isBoolean() const { return element.isInteger(1); }
  bool isUnsigned() const { return isUnsignedElement(element); }
  unsigned width() const { return element.getIntOrFloatBitWidth(); }

  Value integer(const llvm::APInt &value) const {
    auto type = b.getIntegerType(value.getBitWidth());
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }
  Value integer(int64_t value) const {
    return integer(llvm::APInt(width(), value, /*isSigned=*/true,
                               /*implicitTrunc=*/true));
  }
  Value real(double value) const {
    return arith::ConstantOp::create(b, b.getFloatAttr(element, value));
  }
  Value compare(CmpIPredicate predicate, Value a, Value c) const {
    return arith::CmpIOp::create(b, predicate, a, c);
  }
  Value compare(CmpFPredicate predicate, Value a, Value c) const {
    return arith::CmpFOp::create(b, predicate, a, c);
  }
  Value choose(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, condition, yes, no);
  }
};

/// Returns the element, or null for other types.
using Function = Value (*)(const Call &);

//===-- Pieces of the table -----------------------------------------------===//

template <typename FloatOp>
Value floating(const Call &c) {
  return c.isFloat() ? FloatOp::create(c.b, c.x()).getResult() : Value();
}
template <typename FloatOp>
Value floating2(const Call &c) {
  return c.isFloat() ? FloatOp::create(c.b, c.x(), c.y()).getResult() : Value();
}
template <typename IntegerOp>
Value integral(const Call &c) {
  return c.isFloat() ? Value() : IntegerOp::create(c.b, c.x()).getResult();
}
template <typename IntegerOp>
Value integral2(const Call &c) {
  return c.isFloat() ? Value()
                     : IntegerOp::create(c.b, c.x(), c.y()).getResult();
}
/// Different ops for floats, integers, and booleans, which are no numbers.
template <typename FloatOp, typename IntegerOp, typename BooleanOp>
Value either(const Call &c) {
  if (c.isFloat()) return FloatOp::create(c.b, c.x(), c.y());
  if (c.isBoolean()) return BooleanOp::create(c.b, c.x(), c.y());
  return IntegerOp::create(c.b, c.x(), c.y());
}
template <typename FloatOp, typename SignedOp, typename UnsignedOp>
Value bySign(const Call &c) {
  if (c.isFloat()) return FloatOp::create(c.b, c.x(), c.y());
  if (c.isUnsigned()) return UnsignedOp::create(c.b, c.x(), c.y());
  return SignedOp::create(c.b, c.x(), c.y());
}

constexpr Function kMaximum =
    bySign<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>;
constexpr Function kMinimum =
    bySign<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>;

//===-- Integers ----------------------------------------------------------===//

Value isZero(const Call &c, Value value) {
  return c.compare(CmpIPredicate::eq, value, c.integer(0));
}

/// Whether a division of signed integers overflows: the least one by -1.
Value overflows(const Call &c) {
  const Value least = c.integer(llvm::APInt::getSignedMinValue(c.width()));
  return arith::AndIOp::create(
      c.b, c.compare(CmpIPredicate::eq, c.x(), least),
      c.compare(CmpIPredicate::eq, c.y(), c.integer(-1)));
}

/// Returns the divisor, or 1 if the op must not divide by it.
Value safeDivisor(const Call &c) {
  Value avoid = isZero(c, c.y());
  if (!c.isUnsigned()) avoid = arith::OrIOp::create(c.b, avoid, overflows(c));
  return c.choose(avoid, c.integer(1), c.y());
}

Value divide(const Call &c) {
  if (c.isFloat()) return arith::DivFOp::create(c.b, c.x(), c.y());
  const Value by = safeDivisor(c);
  const Value quotient =
      c.isUnsigned() ? arith::DivUIOp::create(c.b, c.x(), by).getResult()
                     : arith::DivSIOp::create(c.b, c.x(), by).getResult();
  return c.choose(isZero(c, c.y()), c.integer(-1), quotient);
}

Value remainder(const Call &c) {
  if (c.isFloat()) return arith::RemFOp::create(c.b, c.x(), c.y());
  const Value by = safeDivisor(c);
  const Value rest = c.isUnsigned()
                         ? arith::RemUIOp::create(c.b, c.x(), by).getResult()
                         : arith::RemSIOp::create(c.b, c.x(), by).getResult();
  return c.choose(isZero(c, c.y()), c.x(), rest);
}

/// Returns a shift, or its result if the shift is the width or more.
template <typename ShiftOp>
Value shift(const Call &c) {
  if (c.isFloat()) return Value();
  const Value width = c.integer(c.width());
  const Value last = c.integer(c.width() - 1);
  const Value isFar = c.compare(CmpIPredicate::uge, c.y(), width);
  const Value by = c.choose(isFar, last, c.y());
  const Value shifted = ShiftOp::create(c.b, c.x(), by);
  if (std::is_same_v<ShiftOp, arith::ShRSIOp>) return shifted;
  return c.choose(isFar, c.integer(0), shifted);
}

Value logicalNot(const Call &c) {
  return c.isFloat()
             ? Value()
             : arith::XOrIOp::create(c.b, c.x(), c.integer(-1)).getResult();
}

Value negate(const Call &c) {
  if (c.isFloat()) return arith::NegFOp::create(c.b, c.x());
  return arith::SubIOp::create(c.b, c.integer(0), c.x());
}

Value absolute(const Call &c) {
  if (c.isFloat()) return math::AbsFOp::create(c.b, c.x());
  if (c.isUnsigned()) return c.x();
  return math::AbsIOp::create(c.b, c.x());
}

Value sign(const Call &c) {
  if (c.isFloat()) {
    const Value one = math::CopySignOp::create(c.b, c.real(1), c.x());
    // A zero and NaN are their own signs.
    return c.choose(c.compare(CmpFPredicate::ONE, c.x(), c.real(0)), one,
                    c.x());
  }
  const Value one =
      c.isUnsigned()
          ? c.integer(1)
          : c.choose(c.compare(CmpIPredicate::slt, c.x(), c.integer(0)),
                     c.integer(-1), c.integer(1));
  return c.choose(isZero(c, c.x()), c.integer(0), one);
}

Value power(const Call &c) {
  if (c.isFloat()) return math::PowFOp::create(c.b, c.x(), c.y());
  return c.isUnsigned() ? Value()
                        : math::IPowIOp::create(c.b, c.x(), c.y()).getResult();
}

//===-- Floats ------------------------------------------------------------===//

Value logistic(const Call &c) {
  if (!c.isFloat()) return Value();
  const Value grown =
      math::ExpOp::create(c.b, arith::NegFOp::create(c.b, c.x()).getResult());
  const Value sum = arith::AddFOp::create(c.b, c.real(1), grown);
  return arith::DivFOp::create(c.b, c.real(1), sum);
}

Value isFinite(const Call &c) {
  if (!c.isFloat()) return Value();
  const Value size = math::AbsFOp::create(c.b, c.x());
  return c.compare(CmpFPredicate::OLT, size,
                   c.real(std::numeric_limits<double>::infinity()));
}

//===-- Comparisons -------------------------------------------------------===//

/// Integers in the order of the floats: -NaN, -inf, …, -0, 0, …, inf, NaN.
Value totalOrder(const Call &c, Value value) {
  const Value bits =
      arith::BitcastOp::create(c.b, c.b.getIntegerType(c.width()), value);
  const Value sign =
      arith::ShRSIOp::create(c.b, bits, c.integer(c.width() - 1));
  const Value flipped = arith::ShRUIOp::create(c.b, sign, c.integer(1));
  return arith::XOrIOp::create(c.b, bits, flipped);
}

Value compare(const Call &c) {
  using Direction = stablehlo::ComparisonDirection;
  auto op = llvm::cast<stablehlo::CompareOp>(c.op);
  const Direction direction = op.getComparisonDirection();
  auto pick = [&](auto eq, auto ne, auto ge, auto gt, auto le, auto lt) {
    switch (direction) {
      case Direction::EQ:
        return eq;
      case Direction::NE:
        return ne;
      case Direction::GE:
        return ge;
      case Direction::GT:
        return gt;
      case Direction::LE:
        return le;
      case Direction::LT:
        return lt;
    }
    return eq;
  };
  const bool isTotal =
      op.getCompareType() == stablehlo::ComparisonType::TOTALORDER;
  if (c.isFloat() && !isTotal)
    return c.compare(
        pick(CmpFPredicate::OEQ, CmpFPredicate::UNE, CmpFPredicate::OGE,
             CmpFPredicate::OGT, CmpFPredicate::OLE, CmpFPredicate::OLT),
        c.x(), c.y());
  const auto predicate =
      c.isUnsigned()
          ? pick(CmpIPredicate::eq, CmpIPredicate::ne, CmpIPredicate::uge,
                 CmpIPredicate::ugt, CmpIPredicate::ule, CmpIPredicate::ult)
          : pick(CmpIPredicate::eq, CmpIPredicate::ne, CmpIPredicate::sge,
                 CmpIPredicate::sgt, CmpIPredicate::sle, CmpIPredicate::slt);
  if (!c.isFloat()) return c.compare(predicate, c.x(), c.y());
  return c.compare(predicate, totalOrder(c, c.x()), totalOrder(c, c.y()));
}

Value select(const Call &c) { return c.choose(c.x(), c.y(), c.operands[2]); }

/// min(max(x, lower), upper), even if lower > upper.
Value clamp(const Call &c) {
  const Value raised[] = {c.operands[1], c.operands[0]};
  const Value bounded[] = {kMaximum({c.b, c.op, raised, c.element}),
                           c.operands[2]};
  return kMinimum({c.b, c.op, bounded, c.element});
}

//===-- Conversions -------------------------------------------------------===//

/// Returns the nearest integer towards zero, or the nearest end of the range.
Value floatToInteger(const Call &c, mlir::IntegerType to, bool isUnsigned) {
  const unsigned width = to.getWidth();
  const llvm::APInt least = isUnsigned ? llvm::APInt::getZero(width)
                                       : llvm::APInt::getSignedMinValue(width);
  const llvm::APInt most = isUnsigned ? llvm::APInt::getMaxValue(width)
                                      : llvm::APInt::getSignedMaxValue(width);
  const double above =
      isUnsigned ? std::ldexp(1.0, width) : std::ldexp(1.0, width - 1);
  Value whole = isUnsigned
                    ? arith::FPToUIOp::create(c.b, to, c.x()).getResult()
                    : arith::FPToSIOp::create(c.b, to, c.x()).getResult();
  // A value past the ends is replaced, since its conversion is poison. A format
  // whose greatest number is below the end has infinity for it.
  whole = c.choose(c.compare(CmpFPredicate::OGE, c.x(), c.real(above)),
                   c.integer(most), whole);
  const double below = isUnsigned ? 0.0 : -above;
  whole = c.choose(c.compare(CmpFPredicate::OLE, c.x(), c.real(below)),
                   c.integer(least), whole);
  return c.choose(c.compare(CmpFPredicate::UNO, c.x(), c.x()),
                  c.integer(llvm::APInt::getZero(width)), whole);
}

Value floatToFloat(const Call &c, mlir::FloatType to) {
  Value value = c.x();
  unsigned width = c.width();
  // Of two different formats of one width, neither contains the other.
  if (width == to.getWidth() && width < 32) {
    value = arith::ExtFOp::create(c.b, c.b.getF32Type(), value);
    width = 32;
  }
  if (width < to.getWidth()) return arith::ExtFOp::create(c.b, to, value);
  if (width > to.getWidth()) return arith::TruncFOp::create(c.b, to, value);
  return Value();
}

Value integerToInteger(const Call &c, mlir::IntegerType to) {
  if (to.getWidth() < c.width()) return arith::TruncIOp::create(c.b, to, c.x());
  if (to.getWidth() == c.width()) return c.x();
  if (c.isUnsigned()) return arith::ExtUIOp::create(c.b, to, c.x());
  return arith::ExtSIOp::create(c.b, to, c.x());
}

/// Returns null for other types.
Value convert(const Call &c, Type to, Type toScalar) {
  if (toScalar == c.x().getType() && isUnsignedElement(to) == c.isUnsigned())
    return c.x();
  if (to.isInteger(1))
    return c.isFloat() ? c.compare(CmpFPredicate::UNE, c.x(), c.real(0))
                       : c.compare(CmpIPredicate::ne, c.x(), c.integer(0));
  auto integer = llvm::dyn_cast<mlir::IntegerType>(toScalar);
  auto real = llvm::dyn_cast<mlir::FloatType>(toScalar);
  if (c.isFloat() && integer)
    return floatToInteger(c, integer, isUnsignedElement(to));
  if (c.isFloat() && real) return floatToFloat(c, real);
  if (!llvm::isa<mlir::IntegerType>(c.x().getType())) return Value();
  if (integer) return integerToInteger(c, integer);
  if (real && c.isUnsigned()) return arith::UIToFPOp::create(c.b, real, c.x());
  if (real) return arith::SIToFPOp::create(c.b, real, c.x());
  return Value();
}

Value convertOp(const Call &c) {
  const Type to = elementOf(c.op->getResult(0).getType());
  auto scalar = scalarType(to);
  return scalar.ok() ? convert(c, to, *scalar) : Value();
}

Value bitcastOp(const Call &c) {
  auto to = scalarType(elementOf(c.op->getResult(0).getType()));
  if (!to.ok() || to->getIntOrFloatBitWidth() != c.width()) return Value();
  if (*to == c.x().getType()) return c.x();
  return arith::BitcastOp::create(c.b, *to, c.x());
}

const llvm::StringMap<Function> &functions() {
  static const auto &table = *new llvm::StringMap<Function>{
      {"abs", absolute},
      {"add", either<arith::AddFOp, arith::AddIOp, arith::OrIOp>},
      {"and", integral2<arith::AndIOp>},
      {"atan2", floating2<math::Atan2Op>},
      {"bitcast_convert", bitcastOp},
      {"cbrt", floating<math::CbrtOp>},
      {"ceil", floating<math::CeilOp>},
      {"clamp", clamp},
      {"compare", compare},
      {"convert", convertOp},
      {"cosine", floating<math::CosOp>},
      {"count_leading_zeros", integral<math::CountLeadingZerosOp>},
      {"divide", divide},
      {"exponential", floating<math::ExpOp>},
      {"exponential_minus_one", floating<math::ExpM1Op>},
      {"floor", floating<math::FloorOp>},
      {"is_finite", isFinite},
      {"log", floating<math::LogOp>},
      {"log_plus_one", floating<math::Log1pOp>},
      {"logistic", logistic},
      {"maximum", kMaximum},
      {"minimum", kMinimum},
      {"multiply", either<arith::MulFOp, arith::MulIOp, arith::AndIOp>},
      {"negate", negate},
      {"not", logicalNot},
      {"or", integral2<arith::OrIOp>},
      {"popcnt", integral<math::CtPopOp>},
      {"power", power},
      {"remainder", remainder},
      {"round_nearest_afz", floating<math::RoundOp>},
      {"round_nearest_even", floating<math::RoundEvenOp>},
      {"rsqrt", floating<math::RsqrtOp>},
      {"select", select},
      {"shift_left", shift<arith::ShLIOp>},
      {"shift_right_arithmetic", shift<arith::ShRSIOp>},
      {"shift_right_logical", shift<arith::ShRUIOp>},
      {"sign", sign},
      {"sine", floating<math::SinOp>},
      {"sqrt", floating<math::SqrtOp>},
      {"subtract", either<arith::SubFOp, arith::SubIOp, arith::SubIOp>},
      {"tan", floating<math::TanOp>},
      {"tanh", floating<math::TanhOp>},
      {"xor", integral2<arith::XOrIOp>},
  };
  return table;
}

Function functionOf(mlir::Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  return name.consume_front("stablehlo.") ? functions().lookup(name) : nullptr;
}

/// Returns the op itself on scalars, for an elementwise op on tensors.
Value onScalars(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                mlir::ValueRange operands) {
  mlir::OperationState state(b.getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(elementOf(op->getResult(0).getType()));
  state.addAttributes(op->getAttrs());
  return b.create(state)->getResult(0);
}

absl::Status notComputed(mlir::Operation *op) {
  std::string types;
  for (Type type : op->getOperandTypes()) {
    llvm::raw_string_ostream out(types);
    out << (types.empty() ? "" : ", ") << elementOf(type);
  }
  return absl::UnimplementedError("`" + op->getName().getStringRef().str() +
                                  "` is not lowered for elements of " + types);
}

}  // namespace

mlir::Type elementOf(mlir::Type type) {
  return mlir::getElementTypeOrSelf(type);
}

bool isUnsignedElement(mlir::Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

absl::StatusOr<mlir::Type> scalarType(mlir::Type elementType) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(elementType))
    return mlir::IntegerType::get(integer.getContext(), integer.getWidth());
  if (llvm::isa<mlir::FloatType, mlir::IndexType>(elementType))
    return elementType;
  std::string text;
  llvm::raw_string_ostream(text) << elementType;
  return absl::UnimplementedError("elements of type `" + text +
                                  "` are not lowered");
}

bool isScalarOp(mlir::Operation *op) {
  return functionOf(op) ||
         (mlir::OpTrait::hasElementwiseMappableTraits(op) &&
          op->getNumResults() == 1 && op->getNumRegions() == 0);
}

absl::StatusOr<mlir::Value> emitScalar(mlir::ImplicitLocOpBuilder &b,
                                       mlir::Operation *op,
                                       mlir::ValueRange operands) {
  Function function = functionOf(op);
  if (!function) return onScalars(b, op, operands);
  for (Type type : op->getOperandTypes())
    INDEXICAL_RETURN_IF_ERROR(scalarType(elementOf(type)).status());
  // The second operand of `select` has the element type, but no function uses
  // it.
  const Call call{b, op, operands, elementOf(op->getOperand(0).getType())};
  if (Value value = function(call)) return value;
  return notComputed(op);
}

absl::StatusOr<mlir::Value> emitConvert(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Value value, mlir::Type from,
                                        mlir::Type to) {
  INDEXICAL_ASSIGN_OR_RETURN(auto scalar, scalarType(to));
  const mlir::Value operands[] = {value};
  if (Value converted = convert({b, nullptr, operands, from}, to, scalar))
    return converted;
  return absl::UnimplementedError("a conversion is not lowered");
}

}  // namespace indexical

#include "indexical/import/triton/value_ops.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::Operation;

namespace {

using Named = std::pair<StringRef, StringRef>;

/// Ops that HLO has under another name, for all of their types.
constexpr Named kOps[] = {
    {"arith.addf", "add"},
    {"arith.subf", "subtract"},
    {"arith.mulf", "multiply"},
    {"arith.divf", "divide"},
    {"arith.remf", "remainder"},
    {"arith.negf", "negate"},
    {"arith.maximumf", "maximum"},
    {"arith.minimumf", "minimum"},
    {"arith.addi", "add"},
    {"arith.subi", "subtract"},
    {"arith.muli", "multiply"},
    {"arith.andi", "and"},
    {"arith.ori", "or"},
    {"arith.xori", "xor"},
    {"arith.maxsi", "maximum"},
    {"arith.minsi", "minimum"},
    {"arith.select", "select"},
    {"arith.extf", "convert"},
    {"math.absf", "abs"},
    {"math.atan2", "atan2"},
    {"math.cbrt", "cbrt"},
    {"math.ceil", "ceil"},
    {"math.cos", "cosine"},
    {"math.erf", "erf"},
    {"math.exp", "exponential"},
    {"math.expm1", "exponential-minus-one"},
    {"math.exp2", "exp2"},
    {"math.floor", "floor"},
    {"math.log", "log"},
    {"math.log1p", "log-plus-one"},
    {"math.powf", "power"},
    {"math.round", "round-nearest-afz"},
    {"math.roundeven", "round-nearest-even"},
    {"math.rsqrt", "rsqrt"},
    {"math.sin", "sine"},
    {"math.sqrt", "sqrt"},
    {"math.tan", "tan"},
    {"math.tanh", "tanh"},
    {"tt.precise_divf", "divide"},
    {"tt.precise_sqrt", "sqrt"},
};

/// Functions of CUDA's library, without the `f` of those of single floats.
constexpr Named kFunctions[] = {
    {"atan2", "atan2"},
    {"cbrt", "cbrt"},
    {"ceil", "ceil"},
    {"cos", "cosine"},
    {"erf", "erf"},
    {"exp", "exponential"},
    {"expm1", "exponential-minus-one"},
    {"fabs", "abs"},
    {"floor", "floor"},
    {"fmod", "remainder"},
    {"log", "log"},
    {"log1p", "log-plus-one"},
    {"pow", "power"},
    {"rint", "round-nearest-even"},
    {"round", "round-nearest-afz"},
    {"rsqrt", "rsqrt"},
    {"sin", "sine"},
    {"sqrt", "sqrt"},
    {"tan", "tan"},
    {"tanh", "tanh"},
    {"exp2", "exp2"},
};

template <size_t count>
StringRef lookUp(const Named (&table)[count], StringRef name) {
  for (const auto &[from, to] : table)
    if (from == name) return to;
  return "";
}

StringRef directionOf(Operation &op) {
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) {
    using Is = mlir::arith::CmpFPredicate;
    switch (compare.getPredicate()) {
      case Is::OEQ:
        return "EQ";
      case Is::UNE:
        return "NE";
      case Is::OLT:
        return "LT";
      case Is::OLE:
        return "LE";
      case Is::OGT:
        return "GT";
      case Is::OGE:
        return "GE";
      case Is::UNO:
        return compare.getLhs() == compare.getRhs() ? "NE" : "";
      case Is::ORD:
        return compare.getLhs() == compare.getRhs() ? "EQ" : "";
      default:
        return "";
    }
  }
  using Is = mlir::arith::CmpIPredicate;
  auto compare = llvm::cast<mlir::arith::CmpIOp>(op);
  // A bit of one is -1 to a signed comparison, and 1 to HLO.
  const bool isBit = bitsOf(compare.getLhs().getType()) == 1;
  switch (compare.getPredicate()) {
    case Is::eq:
      return "EQ";
    case Is::ne:
      return "NE";
    case Is::slt:
      return isBit ? "" : "LT";
    case Is::sle:
      return isBit ? "" : "LE";
    case Is::sgt:
      return isBit ? "" : "GT";
    case Is::sge:
      return isBit ? "" : "GE";
    default:
      return "";
  }
}

/// Ops whose numbers HLO takes by their type, and an op that is not defined for
/// all of its operands: the value that they have where they have one.
constexpr Named kOfSigns[] = {
    {"arith.divsi", "signed divide"},
    {"arith.remsi", "signed remainder"},
    {"arith.divui", "unsigned divide"},
    {"arith.remui", "unsigned remainder"},
    {"arith.maxui", "unsigned maximum"},
    {"arith.minui", "unsigned minimum"},
    {"arith.shli", "shift-left"},
    {"arith.shrsi", "shift-right-arithmetic"},
    {"arith.shrui", "shift-right-logical"},
};

StringRef unsignedOrder(mlir::arith::CmpIPredicate predicate) {
  using Is = mlir::arith::CmpIPredicate;
  switch (predicate) {
    case Is::ult:
      return "unsigned LT";
    case Is::ule:
      return "unsigned LE";
    case Is::ugt:
      return "unsigned GT";
    case Is::uge:
      return "unsigned GE";
    default:
      return "";
  }
}

/// The name of an op that HLO does not have, with what it says of itself.
ValueOp foreign(Operation &op) {
  std::string name = op.getName().getStringRef().str();
  for (const mlir::NamedAttribute &each : op.getAttrs()) {
    if (each.getName() == "fastmath") continue;
    llvm::raw_string_ostream stream(name);
    stream << ' ' << each.getName().getValue() << '=' << each.getValue();
  }
  return {std::move(name), true};
}

ValueOp named(Operation &op, StringRef name) {
  return name.empty() ? foreign(op) : ValueOp{name.str(), false};
}

bool roundsToNearest(Operation &op) {
  for (StringRef key : {"roundingmode", "rounding", "fp_to_fp.rounding"}) {
    const mlir::Attribute mode = op.getAttr(key);
    if (!mode) continue;
    if (const auto number = integerOf(mode)) return *number == 1;  // RTNE
    std::string text;
    llvm::raw_string_ostream(text) << mode;
    return StringRef(text).contains("rtne") ||
           StringRef(text).contains("to_nearest_even");
  }
  return true;
}

}  // namespace

std::string valueTypeOf(mlir::Type type) {
  type = elementOf(type);
  if (type.isInteger(1)) return "pred";
  if (type.isIndex()) return "s64";
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type)) {
    const unsigned bits = integer.getWidth();
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return "s" + std::to_string(bits);
    return "";
  }
  if (type.isF64()) return "f64";
  if (type.isF32()) return "f32";
  if (type.isF16()) return "f16";
  if (type.isBF16()) return "bf16";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  for (char &c : text) c = llvm::toLower(c);
  return StringRef(text).starts_with("f8") ? text : "";
}

bool isFree(StringRef name) {
  for (StringRef free : {"add", "multiply", "maximum", "minimum", "and", "or"})
    if (name == free) return true;
  return name.starts_with("arith.maxnumf") || name.starts_with("arith.minnumf");
}

std::vector<std::string> excludingFlags(Operation &op) {
  std::vector<std::string> names;
  using Flags = mlir::arith::IntegerOverflowFlags;
  const auto flags =
      op.getAttrOfType<mlir::arith::IntegerOverflowFlagsAttr>("overflowFlags");
  auto has = [&](Flags flag) {
    return flags && mlir::arith::bitEnumContainsAny(flags.getValue(), flag);
  };
  if (has(Flags::nsw)) names.push_back("nsw");
  if (has(Flags::nuw)) names.push_back("nuw");
  if (op.hasAttr("isExact")) names.push_back("exact");
  return names;
}

bool mayBePoison(Operation &op) { return !excludingFlags(op).empty(); }

std::string precisionOf(Operation &op) {
  const mlir::Attribute precision = op.getAttr("inputPrecision");
  if (const auto word = llvm::dyn_cast_or_null<mlir::StringAttr>(precision))
    return word.getValue().str();
  const auto number =
      precision ? integerOf(precision) : std::optional<int64_t>();
  constexpr const char *kWords[] = {"tf32", "tf32x3", "ieee", "bf16x3",
                                    "bf16x6"};
  if (number && *number >= 0 && *number < 5) return kWords[*number];
  if (precision) return "other";
  const auto allows = op.getAttrOfType<mlir::BoolAttr>("allowTF32");
  return allows && allows.getValue() ? "tf32" : "ieee";
}

bool hasFastMath(Operation &op) {
  const auto flags =
      op.getAttrOfType<mlir::arith::FastMathFlagsAttr>("fastmath");
  return flags && flags.getValue() != mlir::arith::FastMathFlags::none;
}

std::optional<ValueOp> valueOpOf(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  if (op.getNumResults() != 1 || op.getNumOperands() == 0) return std::nullopt;
  const mlir::Type type = op.getResult(0).getType();
  const bool isBit = bitsOf(type) == 1 && isInteger(type);
  if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
    if (const StringRef order = unsignedOrder(compare.getPredicate());
        !order.empty())
      return ValueOp{order.str(), true};
  if (const StringRef sign = lookUp(kOfSigns, name); !sign.empty())
    return ValueOp{sign.str(), true};
  if (llvm::isa<mlir::arith::CmpFOp, mlir::arith::CmpIOp>(op))
    return named(op, directionOf(op));
  if (name == "arith.truncf")
    return roundsToNearest(op) ? ValueOp{"convert", false} : foreign(op);
  if (name == "tt.fp_to_fp") {
    const bool widens =
        elementOf(type).getIntOrFloatBitWidth() >
        elementOf(op.getOperand(0).getType()).getIntOrFloatBitWidth();
    const bool isKnown = op.getNumOperands() == 1 && !valueTypeOf(type).empty();
    return isKnown && (widens || roundsToNearest(op))
               ? ValueOp{"convert", false}
               : foreign(op);
  }
  const mlir::Type from = op.getOperand(0).getType();
  const bool isFromBit = isInteger(from) && bitsOf(from) == 1;
  if (name == "arith.sitofp" || name == "arith.extsi")
    return isFromBit ? foreign(op) : ValueOp{"convert", false};
  if (name == "arith.uitofp" || name == "arith.extui")
    return isFromBit ? ValueOp{"convert", false}
                     : ValueOp{"unsigned convert", true};
  if (name == "arith.trunci")
    return isBit ? ValueOp{"lowest bit", true} : ValueOp{"convert", false};
  if (name == "tt.clampf") {
    // propagateNan = all
    const auto nan = op.getAttr("propagateNan");
    const auto number = nan ? integerOf(nan) : std::nullopt;
    std::string text;
    if (nan) llvm::raw_string_ostream(text) << nan;
    const bool passes = (number && *number == 0xFFFF) || text == "all" ||
                        StringRef(text).contains("\"all\"");
    return passes ? ValueOp{"clampf", true} : foreign(op);
  }
  if (name == "tt.extern_elementwise") {
    const auto pure = op.getAttrOfType<mlir::BoolAttr>("pure");
    const auto symbol = op.getAttrOfType<mlir::StringAttr>("symbol");
    if (!pure || !pure.getValue() || !symbol) return std::nullopt;
    StringRef function = symbol.getValue();
    if (!function.consume_front("__nv_")) return foreign(op);
    StringRef found = lookUp(kFunctions, function);
    if (found.empty() && function.consume_back("f"))
      found = lookUp(kFunctions, function);
    return named(op, found);
  }
  // On bits a sum is an exclusive or, and the order is another.
  if (isBit && (name == "arith.addi" || name == "arith.subi"))
    return ValueOp{"xor", false};
  if (isBit && name == "arith.muli") return ValueOp{"and", false};
  if (isBit && (name == "arith.maxsi" || name == "arith.minsi"))
    return foreign(op);
  if (const StringRef found = lookUp(kOps, name); !found.empty())
    return named(op, found);
  if ((name.starts_with("arith.") || name.starts_with("math.")) &&
      name != "arith.constant" && op.getNumRegions() == 0)
    return foreign(op);
  return std::nullopt;
}

}  // namespace indexical::triton

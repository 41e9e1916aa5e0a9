#include "indexical/import/llvm/value_ops.h"

#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/llvm/contraction.h"
#include "indexical/import/llvm/defined_ops.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;
using llvm::Type;
using llvm::Value;

namespace {

using Named = std::pair<StringRef, StringRef>;

/// Intrinsics that HLO has under another name, without the types behind them.
constexpr Named kIntrinsics[] = {
    {"llvm.fabs", "abs"},
    {"llvm.floor", "floor"},
    {"llvm.ceil", "ceil"},
    {"llvm.rint", "round-nearest-even"},
    {"llvm.nearbyint", "round-nearest-even"},
    {"llvm.roundeven", "round-nearest-even"},
    {"llvm.round", "round-nearest-afz"},
    {"llvm.sqrt", "sqrt"},
    {"llvm.exp", "exponential"},
    {"llvm.exp2", "exp2"},
    {"llvm.log", "log"},
    {"llvm.sin", "sine"},
    {"llvm.cos", "cosine"},
    {"llvm.tan", "tan"},
    {"llvm.tanh", "tanh"},
    {"llvm.pow", "power"},
    {"llvm.maximum", "maximum"},
    {"llvm.minimum", "minimum"},
    {"llvm.smax", "maximum"},
    {"llvm.smin", "minimum"},
    {"llvm.fptosi.sat", "convert"},
    {"llvm.nvvm.fabs", "abs"},
    {"llvm.nvvm.fmax.nan", "maximum"},
    {"llvm.nvvm.fmin.nan", "minimum"},
    {"llvm.nvvm.sqrt.rn", "sqrt"},
    {"llvm.nvvm.div.rn", "divide"},
    {"llvm.nvvm.div.full", "divide"},
    {"llvm.nvvm.add.rn", "add"},
    {"llvm.nvvm.mul.rn", "multiply"},
    {"llvm.nvvm.rsqrt.approx", "rsqrt"},
    {"llvm.nvvm.tanh.approx", "tanh"},
};

/// Intrinsics that HLO does not have, or has for types of one sign.
constexpr Named kForeign[] = {
    {"llvm.maxnum", "arith.maxnumf"},    {"llvm.minnum", "arith.minnumf"},
    {"llvm.nvvm.fmax", "arith.maxnumf"}, {"llvm.nvvm.fmin", "arith.minnumf"},
    {"llvm.umax", "unsigned maximum"},   {"llvm.umin", "unsigned minimum"},
};

/// Functions of CUDA's library, without the `f` of those of single floats.
constexpr Named kFunctions[] = {
    {"__nv_atan2", "atan2"},        {"__nv_cbrt", "cbrt"},
    {"__nv_cos", "cosine"},         {"__nv_erf", "erf"},
    {"__nv_exp", "exponential"},    {"__nv_expm1", "exponential-minus-one"},
    {"__nv_fmod", "remainder"},     {"__nv_log", "log"},
    {"__nv_log1p", "log-plus-one"}, {"__nv_pow", "power"},
    {"__nv_rsqrt", "rsqrt"},        {"__nv_sin", "sine"},
    {"__nv_sqrt", "sqrt"},          {"__nv_tan", "tan"},
    {"__nv_tanh", "tanh"},
};

template <size_t count>
StringRef lookUp(const Named (&table)[count], StringRef name) {
  for (const auto &[from, to] : table)
    if (from == name) return to;
  return "";
}

/// Whether the value is that number, as a float of 32 bits.
bool isSingle(const Value *value, uint32_t bits) {
  const auto *constant = dyn_cast<llvm::ConstantFP>(value);
  return constant && constant->getType()->isFloatTy() &&
         constant->getValueAPF().bitcastToAPInt() == bits;
}

constexpr uint32_t kLog2OfE = 0x3FB8AA3B, kLogOf2 = 0x3F317218;

/// Returns what a product has beside that number, or null.
const Value *factorBeside(const Value *value, uint32_t bits) {
  const auto *product = dyn_cast<llvm::BinaryOperator>(value);
  if (!product || product->getOpcode() != llvm::Instruction::FMul ||
      !obstacleOf(*product).empty())
    return nullptr;
  for (unsigned k : {0U, 1U})
    if (isSingle(product->getOperand(k), bits))
      return product->getOperand(1 - k);
  return nullptr;
}

const llvm::CallInst *callOf(const Value *value, StringRef name) {
  const auto *call = dyn_cast<llvm::CallInst>(value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == name ? call : nullptr;
}

StringRef directionOf(llvm::CmpInst::Predicate predicate, bool &isNegated) {
  using Is = llvm::CmpInst::Predicate;
  switch (predicate) {
    case Is::FCMP_OEQ:
    case Is::ICMP_EQ:
      return "EQ";
    case Is::FCMP_UNE:
    case Is::ICMP_NE:
      return "NE";
    case Is::FCMP_OLT:
    case Is::ICMP_SLT:
      return "LT";
    case Is::FCMP_OLE:
    case Is::ICMP_SLE:
      return "LE";
    case Is::FCMP_OGT:
    case Is::ICMP_SGT:
      return "GT";
    case Is::FCMP_OGE:
    case Is::ICMP_SGE:
      return "GE";
    default:
      break;
  }
  isNegated = true;
  switch (predicate) {
    case Is::FCMP_ULT:
      return "GE";
    case Is::FCMP_ULE:
      return "GT";
    case Is::FCMP_UGT:
      return "LE";
    case Is::FCMP_UGE:
      return "LT";
    default:
      isNegated = false;
      return "";
  }
}

StringRef unsignedOrder(llvm::CmpInst::Predicate predicate) {
  using Is = llvm::CmpInst::Predicate;
  switch (predicate) {
    case Is::ICMP_ULT:
      return "unsigned LT";
    case Is::ICMP_ULE:
      return "unsigned LE";
    case Is::ICMP_UGT:
      return "unsigned GT";
    case Is::ICMP_UGE:
      return "unsigned GE";
    default:
      return "";
  }
}

class OpFinder {
 public:
  OpFinder(const llvm::Instruction &at, int64_t bit) : at_(at) {
    op_.type = valueTypeOf(at.getType()->getScalarType());
    const int64_t own = bitsOfName(op_.type);
    isKnown_ = own > 0 && bit % own == 0;
    if (isKnown_) element_ = bit / own;
  }

  std::optional<ValueOp> find() {
    if (!isKnown_) return std::nullopt;
    if (const auto *op = dyn_cast<llvm::BinaryOperator>(&at_))
      return binary(*op);
    if (at_.getOpcode() == llvm::Instruction::FNeg)
      return named("negate", {at_.getOperand(0)});
    if (const auto *cast = dyn_cast<llvm::CastInst>(&at_))
      return converted(*cast);
    if (const auto *compare = dyn_cast<llvm::CmpInst>(&at_))
      return compared(*compare);
    if (const auto *select = dyn_cast<llvm::SelectInst>(&at_))
      return named("select", {select->getCondition(), select->getTrueValue(),
                              select->getFalseValue()});
    if (const auto *call = dyn_cast<llvm::CallInst>(&at_)) return called(*call);
    return std::nullopt;
  }

 private:
  bool takes(const Value *value) {
    ValueOp::Operand operand;
    operand.value = value;
    operand.type = valueTypeOf(value->getType()->getScalarType());
    if (operand.type.empty()) return false;
    if (value->getType()->isVectorTy())
      operand.bit = element_ * bitsOfName(operand.type);
    op_.operands.push_back(std::move(operand));
    return true;
  }

  std::optional<ValueOp> named(StringRef name,
                               llvm::ArrayRef<const Value *> operands,
                               bool isForeign = false) {
    op_.name = name.str();
    op_.isForeign = isForeign;
    for (const Value *value : operands)
      if (!takes(value)) return std::nullopt;
    return op_;
  }

  std::optional<ValueOp> binary(const llvm::BinaryOperator &op) {
    using Is = llvm::Instruction;
    const Value *a = op.getOperand(0), *b = op.getOperand(1);
    const bool isBit = op_.type == "pred";
    auto plain = [&](StringRef name) { return named(name, {a, b}); };
    auto foreign = [&](StringRef name) { return named(name, {a, b}, true); };
    switch (op.getOpcode()) {
      case Is::FAdd:
        return plain("add");
      case Is::FSub:
        return plain("subtract");
      case Is::FMul:
        for (const auto &[x, y] : {std::pair(a, b), std::pair(b, a)})
          if (isSingle(y, kLogOf2))
            for (StringRef known :
                 {"llvm.nvvm.lg2.approx.f", "llvm.nvvm.lg2.approx.f32"})
              if (const auto *log = callOf(x, known))
                return named("log", {log->getArgOperand(0)});
        return plain("multiply");
      case Is::FDiv:
        return plain("divide");
      case Is::FRem:
        return plain("remainder");
      // On bits a sum is an exclusive or.
      case Is::Add:
        return plain(isBit ? "xor" : "add");
      case Is::Sub:
        return plain(isBit ? "xor" : "subtract");
      case Is::Mul:
        return plain(isBit ? "and" : "multiply");
      case Is::And:
        return plain("and");
      case Is::Or:
        return plain("or");
      case Is::Xor:
        return plain("xor");
      case Is::Shl:
        return foreign("shift-left");
      case Is::LShr:
        return foreign("shift-right-logical");
      case Is::AShr:
        return foreign("shift-right-arithmetic");
      case Is::SDiv:
        return foreign("signed divide");
      case Is::SRem:
        return foreign("signed remainder");
      case Is::UDiv:
        return foreign("unsigned divide");
      case Is::URem:
        return foreign("unsigned remainder");
      default:
        return std::nullopt;
    }
  }

  std::optional<ValueOp> converted(const llvm::CastInst &cast) {
    using Is = llvm::Instruction;
    const Value *from = cast.getOperand(0);
    const bool isFromBit = from->getType()->getScalarType()->isIntegerTy(1);
    switch (cast.getOpcode()) {
      case Is::FPExt:
      case Is::FPTrunc:
        return named("convert", {from});
      case Is::SIToFP:
      case Is::SExt:
        if (isFromBit) return named(cast.getOpcodeName(), {from}, true);
        return named("convert", {from});
      case Is::UIToFP:
      case Is::ZExt:
        if (isFromBit) return named("convert", {from});
        return named("unsigned convert", {from}, true);
      case Is::Trunc:
        if (op_.type == "pred") return named("lowest bit", {from}, true);
        return named("convert", {from});
      case Is::FPToSI:
      case Is::FPToUI:
        return named(cast.getOpcodeName(), {from}, true);
      default:
        return std::nullopt;
    }
  }

  std::optional<ValueOp> compared(const llvm::CmpInst &compare) {
    const Value *a = compare.getOperand(0), *b = compare.getOperand(1);
    const auto predicate = compare.getPredicate();
    if (predicate == llvm::CmpInst::FCMP_UNO ||
        predicate == llvm::CmpInst::FCMP_ORD) {
      const auto *number = dyn_cast<llvm::ConstantFP>(b);
      if (a == b || (number && !number->isNaN()))
        return named(predicate == llvm::CmpInst::FCMP_UNO ? "NE" : "EQ",
                     {a, a});
      return std::nullopt;
    }
    if (const StringRef order = unsignedOrder(predicate); !order.empty())
      return named(order, {a, b}, true);
    const StringRef direction = directionOf(predicate, op_.isNegated);
    // A bit of one is -1 to a signed comparison, and 1 to HLO.
    const bool isBit = a->getType()->getScalarType()->isIntegerTy(1);
    if (direction.empty() || (isBit && direction != "EQ" && direction != "NE"))
      return std::nullopt;
    return named(direction, {a, b});
  }

  std::optional<ValueOp> called(const llvm::CallInst &call) {
    llvm::SmallVector<const Value *, 4> operands;
    for (const llvm::Use &each : call.args()) operands.push_back(each);
    if (const auto *code = dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
      StringRef text = code->getAsmString();
      text = text.trim(" \t\n;");
      if (operands.size() != 1) return std::nullopt;
      for (StringRef known :
           {"cvt.f32.bf16 $0, $1", "cvt.f32.f16 $0, $1",
            "cvt.rn.bf16.f32 $0, $1", "cvt.rn.f16.f32 $0, $1"}) {
        if (text != known) continue;
        // The types of registers are those of the text.
        const StringRef types = known.split(' ').first;
        const StringRef from = types.rsplit('.').second;
        const StringRef to = types.rsplit('.').first.rsplit('.').second;
        if (op_.type != to || valueTypeOf(operands[0]->getType()) != from)
          return std::nullopt;
        return named("convert", operands);
      }
      return std::nullopt;
    }
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee) return std::nullopt;
    const StringRef full = callee->getName();
    if (full == "llvm.nvvm.ex2.approx.f" ||
        full == "llvm.nvvm.ex2.approx.f32") {
      if (const Value *power = factorBeside(operands[0], kLog2OfE))
        return named("exponential", {power});
      return named("exp2", operands);
    }
    if (!callee->isIntrinsic()) {
      StringRef found = lookUp(kFunctions, full);
      StringRef single = full;
      if (found.empty() && single.consume_back("f"))
        found = lookUp(kFunctions, single);
      if (found.empty() || call.mayReadOrWriteMemory()) return std::nullopt;
      return named(found, operands);
    }
    if (call.mayReadOrWriteMemory()) return std::nullopt;
    // The types stand behind the name: `llvm.fabs.f32`, `llvm.nvvm.fabs.f`.
    StringRef name = full;
    const bool isOfNvidia = name.starts_with("llvm.nvvm.");
    while (name.contains('.')) {
      if (const StringRef found = lookUp(kIntrinsics, name); !found.empty())
        return named(found, operands);
      if (const StringRef found = lookUp(kForeign, name); !found.empty())
        return named(found, operands, true);
      const StringRef last = name.rsplit('.').second;
      // `.ftz`, `.sat` and the like are other functions.
      const bool isType = (isOfNvidia && (last == "f" || last == "d")) ||
                          (last.size() > 1 && llvm::isDigit(last.back()));
      if (!isType) break;
      name = name.rsplit('.').first;
    }
    for (const Value *operand : operands)
      if (valueTypeOf(operand->getType()->getScalarType()).empty())
        return std::nullopt;
    const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&call);
    if (!intrinsic || call.isConvergent() || !callee->doesNotAccessMemory())
      return std::nullopt;
    return named(full, operands, true);
  }

  const llvm::Instruction &at_;
  ValueOp op_;
  int64_t element_ = 0;
  bool isKnown_ = false;
};

}  // namespace

std::string valueTypeOf(const Type *type) {
  if (type->isIntegerTy(1)) return "pred";
  if (type->isIntegerTy()) {
    const unsigned bits = type->getIntegerBitWidth();
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64)
      return "s" + std::to_string(bits);
    return "";
  }
  if (type->isDoubleTy()) return "f64";
  if (type->isFloatTy()) return "f32";
  if (type->isHalfTy()) return "f16";
  if (type->isBFloatTy()) return "bf16";
  return "";
}

int64_t bitsOfName(StringRef type) {
  if (type == "pred") return 1;
  int64_t bits = 0;
  type = type.drop_while([](char c) { return !llvm::isDigit(c); });
  type.consumeInteger(10, bits);
  return bits;
}

std::optional<ValueOp> valueOpOf(const llvm::Instruction &at, int64_t bit) {
  return OpFinder(at, bit).find();
}

std::string obstacleOfFloats(const llvm::Instruction &at) {
  const auto *op = dyn_cast<llvm::FPMathOperator>(&at);
  if (!op || !op->getFastMathFlags().any()) return "";
  llvm::FastMathFlags others = op->getFastMathFlags();
  others.setAllowContract(false);
  if (others.any()) return "the op lets its compiler use other laws";
  if (mayBeFused(at))
    return "`contract` lets the compiler fuse this op with another one, which "
           "clang's -ffp-contract=off forbids";
  return "";
}

std::string obstacleOf(const llvm::Instruction &at) {
  if (std::string why = obstacleOfFloats(at); !why.empty()) return why;
  return excludingFlags(at).empty()
             ? ""
             : "the op takes its numbers not to overflow";
}

bool isFreeOp(const ValueOp &op) {
  if (op.operands.size() != 2 || op.isNegated) return false;
  if (op.isForeign)
    return op.name == "arith.maxnumf" || op.name == "arith.minnumf";
  for (StringRef free : {"add", "multiply", "maximum", "minimum", "and", "or"})
    if (op.name == free) return true;
  return false;
}

const Value *withoutCasts(const Value *value) {
  while (const auto *cast = dyn_cast<llvm::BitCastOperator>(value))
    value = cast->getOperand(0);
  return value;
}

}  // namespace indexical::compiled

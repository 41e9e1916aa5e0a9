#include "indexical/import/stablehlo/dialect/tosa.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

#include "indexical/import/stablehlo/dialect/tosa_text.h"
#include "indexical/import/stablehlo/text/foreign_ops.h"

namespace indexical {
namespace {

using llvm::StringRef;
using mlir::RankedTensorType;

//===-- Element by element ------------------------------------------------===//

enum class Of : uint8_t { Floats, Integers, Numbers, Bits, Bools };

// Whether the op is known of these elements. A number of one bit is a bool.
bool fits(Of of, mlir::Type element) {
  const bool isFloat = llvm::isa<mlir::FloatType>(element);
  const bool isBool = element.isInteger(1);
  switch (of) {
    case Of::Floats:
      return isFloat;
    case Of::Integers:
      return !isFloat && !isBool;
    case Of::Numbers:
      return !isBool;
    case Of::Bits:
      return !isFloat;
    case Of::Bools:
      return isBool;
  }
  return false;
}

struct ElementwiseRow {
  StringRef name;     // of TOSA, without its dialect
  StringRef written;  // the op that computes the same
  size_t operands;
  Of of;
};

constexpr ElementwiseRow kElementwise[] = {
    {"abs", "stablehlo.abs", 1, Of::Numbers},
    {"add", "stablehlo.add", 2, Of::Numbers},
    {"bitwise_and", "stablehlo.and", 2, Of::Bits},
    {"bitwise_not", "stablehlo.not", 1, Of::Bits},
    {"bitwise_or", "stablehlo.or", 2, Of::Bits},
    {"bitwise_xor", "stablehlo.xor", 2, Of::Bits},
    {"ceil", "stablehlo.ceil", 1, Of::Floats},
    {"clz", "stablehlo.count_leading_zeros", 1, Of::Integers},
    {"cos", "stablehlo.cosine", 1, Of::Floats},
    {"div", "stablehlo.divide", 2, Of::Integers},
    {"erf", "chlo.erf", 1, Of::Floats},
    {"exp", "stablehlo.exponential", 1, Of::Floats},
    {"floor", "stablehlo.floor", 1, Of::Floats},
    {"intdiv", "stablehlo.divide", 2, Of::Integers},
    {"log", "stablehlo.log", 1, Of::Floats},
    {"logical_and", "stablehlo.and", 2, Of::Bools},
    {"logical_left_shift", "stablehlo.shift_left", 2, Of::Integers},
    {"logical_not", "stablehlo.not", 1, Of::Bools},
    {"logical_or", "stablehlo.or", 2, Of::Bools},
    {"logical_right_shift", "stablehlo.shift_right_logical", 2, Of::Integers},
    {"logical_xor", "stablehlo.xor", 2, Of::Bools},
    {"maximum", "stablehlo.maximum", 2, Of::Numbers},
    {"minimum", "stablehlo.minimum", 2, Of::Numbers},
    {"pow", "stablehlo.power", 2, Of::Floats},
    {"rsqrt", "stablehlo.rsqrt", 1, Of::Floats},
    {"sigmoid", "stablehlo.logistic", 1, Of::Floats},
    {"sin", "stablehlo.sine", 1, Of::Floats},
    {"sub", "stablehlo.subtract", 2, Of::Numbers},
    {"tanh", "stablehlo.tanh", 1, Of::Floats},
};

// Returns the operands with the sizes of the result. One operand may have open
// sizes: nothing is broadcast.
std::optional<std::vector<std::string>> broadcastOperands(TosaText &t,
                                                          size_t operands) {
  const RankedTensorType result = t.result();
  if (!result || t.count() < operands) return std::nullopt;
  std::vector<std::string> values;
  for (size_t k = 0; k < operands; ++k) {
    const RankedTensorType type = t.typeOf(k);
    if (!type) return std::nullopt;
    if (operands == 1 && type.getShape() == result.getShape()) {
      values.push_back(t.operand(k));
      continue;
    }
    auto value = t.broadcast(t.operand(k), type, result.getShape());
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
  }
  return values;
}

WrittenTosa writeElementwise(TosaText &t, const ElementwiseRow &row) {
  const RankedTensorType result = t.result();
  if (!result || t.count() != row.operands ||
      !fits(row.of, result.getElementType()) || !t.keepsNan())
    return std::nullopt;
  for (size_t k = 0; k < row.operands; ++k)
    if (!t.typeOf(k) || t.typeOf(k).getElementType() != result.getElementType())
      return std::nullopt;
  const auto values = broadcastOperands(t, row.operands);
  if (!values) return std::nullopt;
  if (row.operands == 1 && row.written.starts_with("chlo."))
    return t.line(row.written + " " + (*values)[0] + " : " + strOf(result) +
                  " -> " + strOf(result));
  return t.line(row.written + " " + llvm::join(*values, ", ") + " : " +
                strOf(result));
}

WrittenTosa writeArithmeticShift(TosaText &t) {
  auto round = llvm::dyn_cast_or_null<mlir::BoolAttr>(t.attribute("round"));
  if (!round || round.getValue()) return std::nullopt;
  return writeElementwise(
      t, {t.name(), "stablehlo.shift_right_arithmetic", 2, Of::Integers});
}

// Without a shift. The result may be wider than the factors.
WrittenTosa writeMultiplication(TosaText &t) {
  const RankedTensorType result = t.result();
  if (!result || t.count() < 2 || t.count() > 3 ||
      (t.attribute("shift") ? t.integer("shift") != 0 : !t.isZeroOrAbsent(2)))
    return std::nullopt;
  const mlir::Type element = result.getElementType();
  auto values = broadcastOperands(t, 2);
  if (!values || element.isInteger(1)) return std::nullopt;
  for (size_t k = 0; k < 2; ++k) {
    const mlir::Type own = t.typeOf(k).getElementType();
    if (own == element) continue;
    if (own.isInteger(1) || !own.isSignlessInteger() ||
        !element.isSignlessInteger() ||
        own.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
      return std::nullopt;
    const auto from = RankedTensorType::get(result.getShape(), own);
    (*values)[k] = t.line("stablehlo.convert " + (*values)[k] + " : (" +
                          strOf(from) + ") -> " + strOf(result));
  }
  return t.line("stablehlo.multiply " + llvm::join(*values, ", ") + " : " +
                strOf(result));
}

// Between zero points, which are 0 here, the difference is cut to the type: the
// lowest integer becomes the highest. The form without them wraps.
WrittenTosa writeNegation(TosaText &t) {
  const RankedTensorType result = t.result();
  if (!result || t.count() < 1 || t.typeOf(0) != result ||
      !fits(Of::Numbers, result.getElementType()) || !t.isZeroOrAbsent(1) ||
      !t.isZeroOrAbsent(2) || t.attribute("quantization_info"))
    return std::nullopt;
  std::string value = t.operand(0);
  if (t.count() > 1 && !llvm::isa<mlir::FloatType>(result.getElementType())) {
    if (!result.hasStaticShape()) return std::nullopt;
    const unsigned bits = result.getElementType().getIntOrFloatBitWidth();
    const std::string least = t.constant(mlir::DenseElementsAttr::get(
        result, llvm::APInt::getSignedMinValue(bits) + 1));
    value = t.line("stablehlo.maximum " + value + ", " + least + " : " +
                   strOf(result));
  }
  return t.line("stablehlo.negate " + value + " : " + strOf(result));
}

WrittenTosa writeReciprocal(TosaText &t) {
  const RankedTensorType result = t.result();
  if (!t.isStatic(1) || t.typeOf(0) != result ||
      !fits(Of::Floats, result.getElementType()))
    return std::nullopt;
  const std::string one = t.splat(result, 1);
  return t.line("stablehlo.divide " + one + ", %a0 : " + strOf(result));
}

WrittenTosa writeComparison(TosaText &t) {
  const RankedTensorType result = t.result();
  if (!result || t.count() != 2 || !t.typeOf(0) || !t.typeOf(1))
    return std::nullopt;
  const mlir::Type element = t.typeOf(0).getElementType();
  if (t.typeOf(1).getElementType() != element || element.isInteger(1) ||
      !result.getElementType().isInteger(1))
    return std::nullopt;
  const auto values = broadcastOperands(t, 2);
  if (!values) return std::nullopt;
  const std::string type =
      strOf(RankedTensorType::get(result.getShape(), element));
  const char *direction = t.name() == "equal"     ? "EQ"
                          : t.name() == "greater" ? "GT"
                                                  : "GE";
  return t.line(llvm::Twine("stablehlo.compare ") + direction + ", " +
                llvm::join(*values, ", ") +
                (llvm::isa<mlir::FloatType>(element) ? ", FLOAT" : ", SIGNED") +
                " : (" + type + ", " + type + ") -> " + strOf(result));
}

WrittenTosa writeSelect(TosaText &t) {
  const RankedTensorType result = t.result();
  if (t.count() != 3 || !t.isStatic(3) ||
      !t.typeOf(0).getElementType().isInteger(1) ||
      t.typeOf(1).getElementType() != result.getElementType() ||
      t.typeOf(2).getElementType() != result.getElementType())
    return std::nullopt;
  const auto values = broadcastOperands(t, 3);
  if (!values) return std::nullopt;
  const auto asked =
      RankedTensorType::get(result.getShape(), t.typeOf(0).getElementType());
  return t.line("stablehlo.select " + llvm::join(*values, ", ") + " : " +
                strOf(asked) + ", " + strOf(result));
}

// Returns a limit of a clamp in the elements' type, from the first of the
// attributes that the op has and that is of their kind.
mlir::DenseElementsAttr limitOf(TosaText &t,
                                std::initializer_list<StringRef> names) {
  const RankedTensorType type = t.result();
  const mlir::Type element = type.getElementType();
  llvm::SmallVector<mlir::Attribute, 3> all;
  for (StringRef name : names) all.push_back(t.attribute(name));
  for (mlir::Attribute own : all) {
    if (auto number = llvm::dyn_cast_or_null<mlir::FloatAttr>(own)) {
      auto floats = llvm::dyn_cast<mlir::FloatType>(element);
      if (!floats) continue;
      llvm::APFloat value = number.getValue();
      bool losesInfo = false;
      value.convert(floats.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      if (losesInfo) return {};
      return mlir::DenseElementsAttr::get(type, value);
    }
    if (auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(own)) {
      if (!element.isSignlessInteger()) continue;
      const unsigned bits = element.getIntOrFloatBitWidth();
      if (number.getValue().getSignificantBits() > bits) return {};
      return mlir::DenseElementsAttr::get(type,
                                          number.getValue().sextOrTrunc(bits));
    }
  }
  return {};
}

WrittenTosa writeClamp(TosaText &t) {
  const RankedTensorType result = t.result();
  if (!t.isStatic(1) || t.typeOf(0) != result || !t.keepsNan() ||
      result.getElementType().isInteger(1))
    return std::nullopt;
  const auto least = limitOf(t, {"min_val", "min_fp", "min_int"});
  const auto most = limitOf(t, {"max_val", "max_fp", "max_int"});
  if (!least || !most) return std::nullopt;
  const std::string high = t.constant(most), low = t.constant(least);
  const std::string type = strOf(result);
  const std::string cut =
      t.line("stablehlo.minimum %a0, " + high + " : " + type);
  return t.line("stablehlo.maximum " + cut + ", " + low + " : " + type);
}

//===-- Constants and movement --------------------------------------------===//

// `values` is today's form, which has a describer of its own.
WrittenTosa writeConstant(TosaText &t) {
  auto value =
      llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(t.attribute("value"));
  if (!value || t.attribute("values") || !t.result() ||
      value.getType() != t.result())
    return std::nullopt;
  return t.constant(value);
}

// Returns `(T, U) -> R`.
std::string functionType(TosaText &t, size_t operands) {
  std::string text = "(";
  for (size_t k = 0; k < operands; ++k)
    text += (k ? ", " : "") + strOf(t.typeOf(k));
  return text + ") -> " + strOf(t.result());
}

// Returns the dimension that `axis` names.
std::optional<int64_t> axisOf(TosaText &t) {
  const auto axis = t.integer("axis");
  if (!axis || *axis < 0 || !t.typeOf(0) || *axis >= t.typeOf(0).getRank())
    return std::nullopt;
  return axis;
}

WrittenTosa writeConcatenation(TosaText &t) {
  const auto axis = axisOf(t);
  if (!t.result() || !axis) return std::nullopt;
  std::string values;
  for (size_t k = 0; k < t.count(); ++k) {
    if (!t.typeOf(k)) return std::nullopt;
    values += (k ? ", " : "") + t.operand(k);
  }
  return t.line("stablehlo.concatenate " + values + ", dim = " +
                std::to_string(*axis) + " : " + functionType(t, t.count()));
}

WrittenTosa writeReverse(TosaText &t) {
  const auto axis = axisOf(t);
  if (!axis || t.count() != 1 || t.typeOf(0) != t.result()) return std::nullopt;
  return t.line("stablehlo.reverse %a0, dims = [" + std::to_string(*axis) +
                "] : " + strOf(t.result()));
}

WrittenTosa writeTranspose(TosaText &t) {
  const auto dimensions = t.integers("perms", 1);
  if (!t.result() || !t.typeOf(0) || !dimensions) return std::nullopt;
  return t.line("stablehlo.transpose %a0, dims = [" + listOf(*dimensions) +
                "] : " + functionType(t, 1));
}

WrittenTosa writeReshape(TosaText &t) {
  if (!t.isStatic(1)) return std::nullopt;
  const auto sizes = t.integers("new_shape", 1);
  if (!sizes || sizes->size() != static_cast<size_t>(t.result().getRank()))
    return std::nullopt;
  for (auto [size, own] : llvm::zip(*sizes, t.result().getShape()))
    if (size != own && size != -1) return std::nullopt;
  return t.reshape("%a0", t.typeOf(0), t.result());
}

WrittenTosa writeSlice(TosaText &t) {
  if (!t.isStatic(1)) return std::nullopt;
  const auto starts = t.integers("start", 1), sizes = t.integers("size", 2);
  const auto rank = static_cast<size_t>(t.result().getRank());
  if (!starts || !sizes || starts->size() != rank || sizes->size() != rank ||
      t.typeOf(0).getRank() != t.result().getRank() || rank == 0)
    return std::nullopt;
  std::string parts;
  for (size_t k = 0; k < rank; ++k) {
    const int64_t start = (*starts)[k], size = t.result().getDimSize(k);
    if (start < 0 || ((*sizes)[k] != size && (*sizes)[k] != -1))
      return std::nullopt;
    if ((*sizes)[k] == -1 && start + size != t.typeOf(0).getDimSize(k))
      return std::nullopt;
    parts += (k ? ", " : "") + std::to_string(start) + ":" +
             std::to_string(start + size);
  }
  return t.line("stablehlo.slice %a0 [" + parts + "] : " + functionType(t, 1));
}

// Each dimension is one of copies in front of one of elements.
WrittenTosa writeTile(TosaText &t) {
  if (!t.isStatic(1)) return std::nullopt;
  const auto copies = t.integers("multiples", 1);
  const RankedTensorType from = t.typeOf(0), to = t.result();
  if (!copies || from.getRank() != to.getRank() ||
      copies->size() != static_cast<size_t>(to.getRank()))
    return std::nullopt;
  TosaSizes apart, dimensions;
  for (int64_t k = 0; k < to.getRank(); ++k) {
    const int64_t size = from.getDimSize(k);
    const int64_t own = (*copies)[k];
    if (size == 0 || to.getDimSize(k) % size != 0 ||
        (own != -1 && own != to.getDimSize(k) / size))
      return std::nullopt;
    apart.push_back(to.getDimSize(k) / size);
    dimensions.push_back(apart.size());
    apart.push_back(size);
  }
  const auto type = RankedTensorType::get(apart, to.getElementType());
  const std::string all =
      t.line("stablehlo.broadcast_in_dim %a0, dims = [" + listOf(dimensions) +
             "] : (" + strOf(from) + ") -> " + strOf(type));
  return t.reshape(all, type, to);
}

WrittenTosa writePadding(TosaText &t) {
  if (!t.isStatic(1) || t.count() > 3 || t.attribute("quantization_info") ||
      t.attribute("input_zp"))
    return std::nullopt;
  const auto numbers = t.integers("padding", 1);
  const auto rank = static_cast<size_t>(t.result().getRank());
  if (!numbers || numbers->size() != 2 * rank) return std::nullopt;
  TosaSizes low, high;
  for (size_t k = 0; k < 2 * rank; ++k) {
    if ((*numbers)[k] < 0) return std::nullopt;
    (k % 2 ? high : low).push_back((*numbers)[k]);
  }
  const auto scalar = RankedTensorType::get({}, t.result().getElementType());
  std::string with = t.count() > 2 ? t.operand(2) : "";
  if (t.count() > 2) {
    if (!t.typeOf(2) || t.typeOf(2).getElementType() != scalar.getElementType())
      return std::nullopt;
    if (t.typeOf(2) != scalar) {
      if (!t.typeOf(2).hasStaticShape() || t.typeOf(2).getNumElements() != 1)
        return std::nullopt;
      with = t.reshape(with, t.typeOf(2), scalar);
    }
  } else if (t.attribute("pad_const")) {
    return std::nullopt;
  } else {
    with = t.splat(scalar, 0);
  }
  return t.line("stablehlo.pad %a0, " + with + ", low = [" + listOf(low) +
                "], high = [" + listOf(high) + "], interior = [" +
                listOf(TosaSizes(rank, 0)) + "] : (" + strOf(t.typeOf(0)) +
                ", " + strOf(scalar) + ") -> " + strOf(t.result()));
}

// Each of N tables of K rows gives the rows that its list names.
WrittenTosa writeGather(TosaText &t) {
  if (t.count() != 2 || !t.isStatic(2)) return std::nullopt;
  const RankedTensorType table = t.typeOf(0), list = t.typeOf(1);
  if (table.getRank() != 3 || list.getRank() != 2 ||
      t.result().getRank() != 3 || !list.getElementType().isSignlessInteger() ||
      list.getElementType().isInteger(1))
    return std::nullopt;
  return t.line(
      "\"stablehlo.gather\"(%a0, %a1) {dimension_numbers = "
      "#stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], "
      "operand_batching_dims = [0], start_indices_batching_dims = [0], "
      "start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: "
      "1, 1, " +
      std::to_string(table.getDimSize(2)) +
      ">, indices_are_sorted = false} : " + functionType(t, 2));
}

//===-- The table ---------------------------------------------------------===//

using Writer = WrittenTosa (*)(TosaText &);

const llvm::StringMap<Writer> &writers() {
  static const auto *all = new llvm::StringMap<Writer>{
      {"arithmetic_right_shift", writeArithmeticShift},
      {"avg_pool2d", writeTosaPool},
      {"clamp", writeClamp},
      {"concat", writeConcatenation},
      {"const", writeConstant},
      {"conv2d", writeTosaConvolution},
      {"conv3d", writeTosaConvolution},
      {"depthwise_conv2d", writeTosaConvolution},
      {"equal", writeComparison},
      {"fully_connected", writeTosaProduct},
      {"gather", writeGather},
      {"greater", writeComparison},
      {"greater_equal", writeComparison},
      {"matmul", writeTosaProduct},
      {"max_pool2d", writeTosaPool},
      {"mul", writeMultiplication},
      {"negate", writeNegation},
      {"pad", writePadding},
      {"reciprocal", writeReciprocal},
      {"reduce_all", writeTosaReduction},
      {"reduce_any", writeTosaReduction},
      {"reduce_max", writeTosaReduction},
      {"reduce_min", writeTosaReduction},
      {"reduce_prod", writeTosaReduction},
      {"reduce_product", writeTosaReduction},
      {"reduce_sum", writeTosaReduction},
      {"reshape", writeReshape},
      {"reverse", writeReverse},
      {"select", writeSelect},
      {"slice", writeSlice},
      {"tile", writeTile},
      {"transpose", writeTranspose},
  };
  return *all;
}

WrittenTosa written(TosaText &t) {
  for (const ElementwiseRow &row : kElementwise)
    if (row.name == t.name()) return writeElementwise(t, row);
  const auto found = writers().find(t.name());
  if (found == writers().end()) return std::nullopt;
  return found->second(t);
}

// Returns the function that the text is; null if it breaks a rule of an op.
mlir::OwningOpRef<mlir::ModuleOp> parsedText(mlir::MLIRContext &context,
                                             const std::string &text) {
  const mlir::ScopedDiagnosticHandler silent(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

// Returns the op in the place of `op`, or null. Adds all that are new.
mlir::Operation *replacement(mlir::Operation *op,
                             llvm::SmallVectorImpl<mlir::Operation *> &added) {
  TosaText text(op);
  const WrittenTosa value = written(text);
  if (!value || op->getNumResults() != 1 || !text.areAllAsked())
    return nullptr;
  auto module = parsedText(*op->getContext(), text.function(*value));
  if (!module) return nullptr;
  mlir::Region &body = module->getBody()->front().getRegion(0);
  mlir::IRMapping values;
  values.map(body.getArguments(), op->getOperands());
  mlir::OpBuilder builder(op);
  for (mlir::Operation &each : body.front().without_terminator()) {
    mlir::Operation *copy = builder.clone(each, values);
    copy->walk([&](mlir::Operation *inner) { inner->setLoc(op->getLoc()); });
    added.push_back(copy);
  }
  return values.lookup(body.front().getTerminator()->getOperand(0))
      .getDefiningOp();
}

}  // namespace

void writeTosa(MlirModule &parsed) {
  for (auto &each : parsed.state->getOpDefs()) {
    mlir::Operation *op = each.op;
    if (op->getName().getDialectNamespace() != "tosa" || !op->getBlock() ||
        op->hasAttr(kForeignText))
      continue;
    llvm::SmallVector<mlir::Operation *> added;
    mlir::Operation *value = replacement(op, added);
    if (!value) continue;
    for (mlir::Operation *one : added)
      parsed.written[one] = {op, /*hasName=*/one == value};
    parsed.replace(op, value->getResult(0));
    each.op = value;
  }
}

}  // namespace indexical

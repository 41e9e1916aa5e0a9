#include "indexical/import/stablehlo/dialect/tosa_text.h"

#include <algorithm>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace indexical {

using llvm::StringRef;

std::string strOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

std::string listOf(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

namespace {

mlir::RankedTensorType plain(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || tensor.getEncoding()) return {};
  const mlir::Type element = tensor.getElementType();
  if (!llvm::isa<mlir::FloatType>(element) && !element.isSignlessInteger())
    return {};
  return tensor;
}

std::optional<TosaSizes> integersOf(mlir::Attribute attribute) {
  TosaSizes numbers;
  if (auto list = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(attribute)) {
    numbers.append(list.asArrayRef().begin(), list.asArrayRef().end());
    return numbers;
  }
  if (auto list = llvm::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(attribute)) {
    numbers.append(list.asArrayRef().begin(), list.asArrayRef().end());
    return numbers;
  }
  if (auto list =
          llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute)) {
    for (const llvm::APInt &each : list.getValues<llvm::APInt>()) {
      if (each.getSignificantBits() > 63) return std::nullopt;
      numbers.push_back(each.getSExtValue());
    }
    return numbers;
  }
  auto list = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
  if (!list) return std::nullopt;
  for (mlir::Attribute each : list) {
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(each);
    if (!number || number.getValue().getSignificantBits() > 63)
      return std::nullopt;
    numbers.push_back(number.getValue().getSExtValue());
  }
  return numbers;
}

// Returns the numbers of a constant of any dialect that a file writes here.
mlir::DenseElementsAttr constantOf(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() > 0) return {};
  const StringRef name = op->getName().getStringRef();
  if (name != "arith.constant" && name != "stablehlo.constant" &&
      name != "tosa.const" && name != "tosa.const_shape")
    return {};
  for (StringRef key : {"values", "value"})
    if (auto list =
            llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(op->getAttr(key)))
      return list;
  return {};
}

}  // namespace

//===-- What the op says --------------------------------------------------===//

StringRef TosaText::name() const {
  StringRef name = op_->getName().getStringRef();
  name.consume_front("tosa.");
  return name;
}

mlir::RankedTensorType TosaText::typeOf(size_t k) const {
  return k < count() ? plain(op_->getOperand(k).getType())
                     : mlir::RankedTensorType();
}

mlir::RankedTensorType TosaText::result() const {
  return op_->getNumResults() == 1 ? plain(op_->getResult(0).getType())
                                   : mlir::RankedTensorType();
}

bool TosaText::isStatic(size_t operands) const {
  if (!result() || !result().hasStaticShape()) return false;
  for (size_t k = 0; k < operands; ++k)
    if (!typeOf(k) || !typeOf(k).hasStaticShape()) return false;
  return true;
}

std::optional<int64_t> TosaText::integer(StringRef name) const {
  auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute(name));
  if (!number || number.getValue().getSignificantBits() > 63)
    return std::nullopt;
  return number.getValue().getSExtValue();
}

std::optional<TosaSizes> TosaText::integers(
    StringRef name, std::optional<size_t> operand) const {
  if (const mlir::Attribute own = attribute(name)) return integersOf(own);
  if (!operand || *operand >= count()) return std::nullopt;
  return integersOf(constantOf(op_->getOperand(*operand)));
}

bool TosaText::isZeroOrAbsent(size_t operand) const {
  if (operand >= count()) return true;
  const mlir::DenseElementsAttr list = constantOf(op_->getOperand(operand));
  if (!list) return false;
  if (llvm::isa<mlir::FloatType>(list.getElementType()))
    return llvm::all_of(list.getValues<llvm::APFloat>(),
                        [](const llvm::APFloat &each) {
                          return each.isZero() && !each.isNegative();
                        });
  return llvm::isa<mlir::DenseIntElementsAttr>(list) &&
         llvm::all_of(list.getValues<llvm::APInt>(),
                      [](const llvm::APInt &each) { return each.isZero(); });
}

bool TosaText::keepsNan() const {
  const mlir::Attribute mode = attribute("nan_mode");
  if (!mode) return true;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << mode;
  return StringRef(text).contains("PROPAGATE");
}

bool TosaText::areAllAsked() const {
  return llvm::all_of(op_->getAttrs(), [&](mlir::NamedAttribute each) {
    const StringRef name = each.getName();
    // `foo.bar` is of another dialect, which this op means nothing to.
    if (asked_.contains(name) || name.contains('.')) return true;
    const mlir::Attribute value = each.getValue();
    if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(value))
      return !flag.getValue();
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(value);
    return name.ends_with("_zp") && number && number.getValue().isZero();
  });
}

//===-- What is written ---------------------------------------------------===//

std::string TosaText::line(const llvm::Twine &op) {
  const std::string name = "%t" + std::to_string(lineCount_++);
  lines_ += "  " + name + " = " + op.str() + "\n";
  return name;
}

std::string TosaText::constant(mlir::DenseElementsAttr value) {
  std::string text = "arith.constant ";
  llvm::raw_string_ostream os(text);
  os << value;
  return line(text);
}

std::string TosaText::splat(mlir::RankedTensorType type, double value) {
  const mlir::Type element = type.getElementType();
  if (auto floats = llvm::dyn_cast<mlir::FloatType>(element)) {
    llvm::APFloat number(value);
    bool losesInfo = false;
    number.convert(floats.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return constant(mlir::DenseElementsAttr::get(type, number));
  }
  return constant(mlir::DenseElementsAttr::get(
      type, llvm::APInt(element.getIntOrFloatBitWidth(),
                        static_cast<uint64_t>(static_cast<int64_t>(value)),
                        /*isSigned=*/true, /*implicitTrunc=*/true)));
}

std::optional<std::string> TosaText::broadcast(const std::string &value,
                                               mlir::RankedTensorType from,
                                               llvm::ArrayRef<int64_t> to) {
  const auto rank = static_cast<int64_t>(to.size());
  const int64_t before = rank - from.getRank();
  auto isOpen = [](int64_t size) { return size < 0; };
  if (before < 0 || !from.hasStaticShape() || llvm::any_of(to, isOpen))
    return std::nullopt;
  if (from.getShape() == to) return value;
  TosaSizes dimensions;
  for (int64_t k = 0; k < from.getRank(); ++k) {
    const int64_t size = from.getDimSize(k);
    if (size != 1 && size != to[before + k]) return std::nullopt;
    dimensions.push_back(before + k);
  }
  const auto type = mlir::RankedTensorType::get(to, from.getElementType());
  return line("stablehlo.broadcast_in_dim " + value + ", dims = [" +
              listOf(dimensions) + "] : (" + strOf(from) + ") -> " +
              strOf(type));
}

std::string TosaText::reshape(const std::string &value,
                              mlir::RankedTensorType from,
                              mlir::RankedTensorType to) {
  return line("stablehlo.reshape " + value + " : (" + strOf(from) + ") -> " +
              strOf(to));
}

std::string TosaText::function(StringRef value) const {
  std::string text = "func.func @f(";
  for (size_t k = 0; k < count(); ++k)
    text += (k ? ", " : "") + operand(k) + ": " +
            strOf(op_->getOperand(k).getType());
  const std::string type = strOf(op_->getResult(0).getType());
  return text + ") -> " + type + " {\n" + lines_ + "  return " + value.str() +
         " : " + type + "\n}\n";
}

}  // namespace indexical

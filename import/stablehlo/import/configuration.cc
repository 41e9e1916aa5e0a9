#include "indexical/import/stablehlo/import/configuration.h"

#include <atomic>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/import/memory_forms.h"
#include "indexical/import/stablehlo/import/sharding_text.h"
#include "indexical/import/stablehlo/text/foreign_ops.h"
#include "indexical/ops/families.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Returns whether a value is empty, false, or the default of its enumeration.
/// A list of precisions is if all of its entries are.
bool isEmptyOrDefault(mlir::Attribute value) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
    return text.getValue().empty();
  if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(value))
    return !flag.getValue();
  if (auto entries = llvm::dyn_cast<mlir::DictionaryAttr>(value))
    return entries.empty();
  if (auto table = llvm::dyn_cast<mlir::DenseElementsAttr>(value))
    return table.getNumElements() == 0;
  if (auto type = llvm::dyn_cast<stablehlo::ComparisonTypeAttr>(value))
    return type.getValue() == stablehlo::ComparisonType::NOTYPE;
  if (auto precision = llvm::dyn_cast<stablehlo::PrecisionAttr>(value))
    return precision.getValue() == stablehlo::Precision::DEFAULT;
  if (auto accuracy = llvm::dyn_cast<stablehlo::ResultAccuracyAttr>(value))
    return accuracy.getMode().getValue() ==
           stablehlo::ResultAccuracyMode::DEFAULT;
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(value))
    return llvm::all_of(list, [](mlir::Attribute entry) {
      return llvm::isa<stablehlo::PrecisionAttr>(entry) &&
             isEmptyOrDefault(entry);
    });
  return false;
}

/// Returns whether StableHLO takes an op without this attribute for the same
/// op. An artifact writes every default, and a text leaves most of them out.
/// All optional flags of StableHLO are false by default.
bool isDefaultOfStablehlo(mlir::NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
      number && !llvm::isa<mlir::BoolAttr>(number))
    return (name == "api_version" && number.getValue() == 1) ||
           (name == "version" && number.getValue() == 0);
  return isEmptyOrDefault(attribute.getValue());
}

/// Describes a channel. Its number is only a name: a collective runs over
/// partitions if it is positive, and over replicas otherwise. For a transfer,
/// the channel's type says whether it is to or from the host.
void describeChannel(mlir::Operation *op, llvm::function_ref<void()> begin,
                     llvm::raw_ostream &os) {
  const auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  if (!channel) return;
  const StringRef name = op->getName().getStringRef();
  const bool isTransfer = name == "stablehlo.send" || name == "stablehlo.recv";
  if (!isTransfer && channel.getHandle() <= 0) return;
  begin();
  os << "channel";
  if (isTransfer) os << " type=" << channel.getType();
}

/// Returns whether an op of arith or math has the flag that says nothing.
bool isDefaultOfArith(mlir::Attribute value) {
  if (auto flags = llvm::dyn_cast<mlir::arith::IntegerOverflowFlagsAttr>(value))
    return flags.getValue() == mlir::arith::IntegerOverflowFlags::none;
  if (auto flags = llvm::dyn_cast<mlir::arith::FastMathFlagsAttr>(value))
    return flags.getValue() == mlir::arith::FastMathFlags::none;
  return false;
}

/// Returns whether the value is what the table takes an attribute of that name
/// for: a function's name, a channel's number.
bool isAsUsual(mlir::NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  const mlir::Attribute value = attribute.getValue();
  if (name == "callee" || name == "decomposition")
    return llvm::isa<mlir::SymbolRefAttr>(value);
  if (name == "called_computations") {
    auto list = llvm::dyn_cast<mlir::ArrayAttr>(value);
    return list && llvm::all_of(list, llvm::IsaPred<mlir::SymbolRefAttr>);
  }
  if (name == "channel_handle")
    return llvm::isa<stablehlo::ChannelHandleAttr>(value);
  return true;
}

/// Returns the entries that count, in order of their names; "" for none.
std::string entriesOf(mlir::DictionaryAttr entries) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (mlir::NamedAttribute entry : entries) {
    if (isLeftOutEntry(entry.getName())) continue;
    os << (text.empty() ? "{" : ", ") << entry.getName().getValue() << " = "
       << entry.getValue();
  }
  return text.empty() ? text : text + "}";
}

//===-- What names stand for ----------------------------------------------===//

std::string digestOf(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
}

/// Returns what the resources in an attribute or a type are, in order. A key
/// says nothing. A resource is its data, and one whose data is not in the file
/// is like no other.
template <typename T>
std::string resourcesIn(T value) {
  static std::atomic<int64_t> unknown{0};
  std::string text;
  value.walk([&](mlir::DenseResourceElementsAttr resource) {
    const auto *blob = resource.getRawHandle().getBlob();
    text += " resource ";
    if (blob && !blob->getData().empty())
      text += digestOf({blob->getData().data(), blob->getData().size()});
    else
      text += std::to_string(unknown++);
  });
  return text;
}

/// The properties of an op that is not registered, which are no attributes of
/// it; null if there are none.
mlir::Attribute propertiesOf(mlir::Operation *op) {
  return op->isRegistered() ? mlir::Attribute()
                            : op->getPropertiesAsAttribute();
}

/// Returns the whole text of an op, with what its resources are.
std::string wholeTextOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags().printGenericOpForm().useLocalScope());
  op->walk([&](mlir::Operation *inner) {
    os << resourcesIn(mlir::Attribute(inner->getAttrDictionary()));
    if (const auto properties = propertiesOf(inner))
      os << resourcesIn(properties);
  });
  return text;
}

using Symbols = llvm::SetVector<mlir::Operation *>;

void addSymbols(mlir::Attribute value, mlir::Operation *at, Symbols &symbols) {
  value.walk([&](mlir::SymbolRefAttr name) {
    mlir::Operation *found =
        mlir::SymbolTable::lookupNearestSymbolFrom(at, name);
    if (found) symbols.insert(found);
  });
}

/// Returns what the symbols are that the attribute names, and those that these
/// name: two modules may have other ones by the same name. "" for none.
std::string symbolsIn(mlir::Attribute value, mlir::Operation *op) {
  Symbols symbols;
  addSymbols(value, op, symbols);
  std::string text;
  for (size_t k = 0; k < symbols.size(); ++k) {
    mlir::Operation *symbol = symbols[k];
    text += wholeTextOf(symbol);
    symbol->walk([&](mlir::Operation *inner) {
      addSymbols(inner->getAttrDictionary(), inner, symbols);
      if (const auto properties = propertiesOf(inner))
        addSymbols(properties, inner, symbols);
    });
  }
  return text.empty() ? text : " symbols " + digestOf(text);
}

std::string textOf(mlir::NamedAttribute attribute, mlir::Operation *op) {
  // Two meshes may have one name, in two modules.
  if (op->getName().getDialectNamespace() == "sdy")
    return attributeTextOf(attribute.getValue(), op);
  if (attribute.getName() == "mhlo.frontend_attributes")
    if (auto entries =
            llvm::dyn_cast<mlir::DictionaryAttr>(attribute.getValue()))
      return entriesOf(entries);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << attribute.getValue() << resourcesIn(attribute.getValue())
     << symbolsIn(attribute.getValue(), op);
  return text;
}

/// Returns the types that an op names which nothing else is known of: all that
/// they say counts.
std::string wholeTypesOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const auto own = mlir::FunctionType::get(
      op->getContext(), op->getOperandTypes(), op->getResultTypes());
  os << "types=" << own << resourcesIn(mlir::Type(own));
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      for (mlir::BlockArgument argument : block.getArguments())
        os << ' ' << argument.getType();
  return text;
}

/// TOSA rounds to the nearest integer, where HLO's `convert` cuts off.
bool roundsToInteger(mlir::Operation *op) {
  return op->getName().getStringRef() == "tosa.cast" &&
         llvm::isa<mlir::FloatType>(
             mlir::getElementTypeOrSelf(op->getOperand(0))) &&
         !llvm::isa<mlir::FloatType>(
             mlir::getElementTypeOrSelf(op->getResult(0)));
}

void listElementTypes(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &all) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    for (mlir::Type element : tuple.getTypes()) listElementTypes(element, all);
  } else if (auto future = llvm::dyn_cast<stablehlo::FutureType>(type)) {
    for (mlir::Type element : future.getTypes()) listElementTypes(element, all);
  } else {
    all.push_back(mlir::getElementTypeOrSelf(type));
  }
}

/// Whether `ElementType` has all that the type says.
bool isInTable(mlir::Type type) {
  return !llvm::isa<mlir::quant::QuantizedType>(type) &&
         elementTypeOf(type) != ElementType::Unknown;
}

/// Whether the op moves elements of one type, so that the result has that type.
bool keepsElementType(mlir::Operation *op, OpView described) {
  return op->getNumOperands() > 0 && op->getNumResults() == 1 &&
         described.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp,
                           ReshapeOp, DynamicReshapeOp, ConcatenateOp, PadOp,
                           DynamicSliceOp, DynamicUpdateSliceOp, GatherOp>() &&
         mlir::getElementTypeOrSelf(op->getOperand(0)) ==
             mlir::getElementTypeOrSelf(op->getResult(0));
}

}  // namespace

std::string elementTypesOf(mlir::TypeRange types) {
  llvm::SmallVector<mlir::Type, 4> all;
  for (mlir::Type type : types) listElementTypes(type, all);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (mlir::Type type : all) {
    if (isInTable(type) || llvm::isa<stablehlo::TokenType>(type)) continue;
    os << (text.empty() ? kElementTypes : llvm::StringLiteral(","));
    os << type;
  }
  return text;
}

StringRef comparisonOf(mlir::Operation *op) {
  using mlir::arith::CmpIPredicate;
  auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op);
  // A number of one bit is 0 or -1, where HLO's pred is 0 or 1.
  if (!compare || mlir::getElementTypeOrSelf(compare.getLhs()).isInteger(1) ||
      op->getDiscardableAttrs().begin() != op->getDiscardableAttrs().end())
    return "";
  switch (compare.getPredicate()) {
    case CmpIPredicate::eq:
      return "EQ";
    case CmpIPredicate::ne:
      return "NE";
    case CmpIPredicate::slt:
      return "LT";
    case CmpIPredicate::sle:
      return "LE";
    case CmpIPredicate::sgt:
      return "GT";
    case CmpIPredicate::sge:
      return "GE";
    default:
      return "";
  }
}

std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Its maps are its own, and it equals no other op. What it computes is said
  // by its name and attributes, unless a region says more. A pad's region is
  // called, and the rest of it are attributes.
  if (described.is<CustomOp>() && op->getNumRegions() &&
      op->getName().getStringRef() != "tensor.pad")
    return "";
  auto begin = [&] {
    if (!text.empty()) os << ';';
  };
  if (const StringRef direction = comparisonOf(op); !direction.empty())
    return ("direction=" + direction).str();
  const StringRef opName = op->getName().getStringRef();
  if (roundsToInteger(op) || &kind == kindOf<ElementwiseOp>() ||
      &kind == kindOf<BroadcastingOp>() || &kind == kindOf<NullaryOp>() ||
      &kind == kindOf<CoverOp>() || &kind == kindOf<CoverOp>("unknown") ||
      described.is<CustomOp>())
    os << opName;
  describeChannel(op, begin, os);
  const StringRef dialect = op->getName().getDialectNamespace();
  const DescribedOp whole = {Language::Mlir, opName, described, kind};
  for (mlir::NamedAttribute attribute : op->getAttrs()) {
    const StringRef name = attribute.getName();
    if (dialect == "stablehlo" && isDefaultOfStablehlo(attribute)) continue;
    if (isDefaultOfArith(attribute.getValue()) || isHeld(whole, name) ||
        (isLeftOut(whole, name) && isAsUsual(attribute)))
      continue;
    const std::string value = textOf(attribute, op);
    if (value.empty()) continue;
    begin();
    os << name << '=' << value;
  }
  if (const auto properties = propertiesOf(op)) {
    begin();
    os << "properties=" << properties << resourcesIn(properties)
       << symbolsIn(properties, op);
  }
  // A literal that is not known is its resource.
  const auto *literal = described.as<ConstantOp>();
  if (literal && !literal->isKnown)
    if (const auto value = op->getAttr("value"))
      if (const std::string resource = resourcesIn(value); !resource.empty()) {
        begin();
        os << "value=" << resource;
      }
  if (&kind == kindOf<CoverOp>("unknown")) {
    begin();
    os << wholeTypesOf(op);
    // A shape is no array that an element could be read of: which one it is
    // says nothing here, so the op is like no other.
    static std::atomic<int64_t> ofShapes{0};
    if (llvm::any_of(op->getOperandTypes(), [](mlir::Type type) {
          return type.getDialect().getNamespace() == "shape";
        }))
      os << " of shape " << ofShapes++;
    return text;
  }
  if (typesFollow(described) || keepsElementType(op, described)) return text;
  const std::string types = elementTypesOf(op->getResultTypes());
  if (types.empty()) return text;
  begin();
  os << types;
  return text;
}

//===-- Effects -----------------------------------------------------------===//

std::string digestOfModule(mlir::Operation *module) {
  return digestOf(wholeTextOf(module));
}

bool isUnknownEffect(mlir::Operation *op) {
  return !op->isRegistered() && !op->hasSuccessors() &&
         (op->getNumOperands() == 0 || op->getNumResults() == 0) &&
         (op->getNextNode() || op->getNumResults() > 0);
}

bool mayBeForEffects(mlir::Operation &call) {
  auto isValue = [](mlir::Type type) {
    return llvm::isa<mlir::RankedTensorType, mlir::VectorType, mlir::FloatType,
                     mlir::IntegerType, mlir::IndexType, mlir::ComplexType>(
        type);
  };
  return call.getNumOperands() == 0 || call.getNumResults() == 0 ||
         !llvm::all_of(call.getOperandTypes(), isValue) ||
         !llvm::all_of(call.getResultTypes(), isValue);
}

bool mayHaveEffects(mlir::Operation *op, bool areUnknownPure) {
  auto isMemory = [](mlir::Type type) {
    return llvm::isa<mlir::BaseMemRefType>(type);
  };
  if (op->isRegistered()) {
    const bool saysEffects =
        llvm::isa<mlir::MemoryEffectOpInterface>(op) ||
        op->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
        llvm::any_of(op->getOperandTypes(), isMemory);
    return saysEffects && !mlir::isMemoryEffectFree(op) &&
           (!findMlirOp(op->getName().getStringRef()) ||
            llvm::any_of(op->getOperandTypes(), isMemory));
  }
  if (op->getName().getStringRef() == kOverlaidMemory) return false;
  // What was passed over may hold regions that nobody has looked into.
  if (!areUnknownPure || isUnknownEffect(op) || op->hasAttr(kForeignText) ||
      llvm::any_of(op->getOperandTypes(), isMemory))
    return true;
  for (mlir::Region &region : op->getRegions()) {
    // Which block follows is no value of the region.
    if (!region.empty() && !region.hasOneBlock()) return true;
    for (mlir::Operation &inner : region.getOps())
      if (llvm::isa<mlir::CallOpInterface>(inner) ||
          (inner.getNextNode() && inner.getNumResults() == 0) ||
          mayHaveEffects(&inner, areUnknownPure))
        return true;
  }
  return false;
}

}  // namespace indexical

// Types and attributes, each as the list of numbers in the description of
// VHLO's bytecode says.
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/stablehlo/dialect/stablehlo.h"
#include "tests/stablehlo/vhlo/artifact.h"

namespace indexical::testing {

namespace {

template <typename Thing>
std::string printOf(Thing thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

std::string places(llvm::ArrayRef<size_t> all) {
  std::string text = varint(all.size());
  for (size_t place : all) text += varint(place);
  return text;
}

std::string signedNumbers(llvm::ArrayRef<int64_t> all) {
  std::string text = varint(all.size());
  for (int64_t each : all) text += signedVarint(each);
  return text;
}

// One element, where `data` is `count` times the same.
std::string once(const std::string &data, size_t count) {
  if (count == 0 || data.size() % count != 0) return data;
  const size_t size = data.size() / count;
  for (size_t i = size; i < data.size(); ++i)
    if (data[i] != data[i - size]) return data;
  return data.substr(0, size);
}

// The number of a type that has nothing else; -1 for others.
int plainCode(mlir::Type type) {
  static const std::map<std::string, int> kCodes = {
      {"i1", 0},
      {"bf16", 2},
      {"f16", 3},
      {"f32", 4},
      {"f64", 5},
      {"f8E4M3FN", 6},
      {"f8E5M2", 7},
      {"index", 9},
      {"i4", 10},
      {"i8", 11},
      {"i16", 12},
      {"i32", 13},
      {"i64", 14},
      {"ui4", 15},
      {"ui8", 16},
      {"ui16", 17},
      {"ui32", 18},
      {"ui64", 19},
      {"!stablehlo.token", 22},
      {"!shape.witness", 26},
      {"f8E4M3FNUZ", 27},
      {"f8E5M2FNUZ", 28},
      {"f8E4M3B11FNUZ", 29},
      {"i2", 31},
      {"ui2", 32},
      {"tf32", 33},
      {"none", 34},
      {"f8E3M4", 35},
      {"f8E4M3", 36},
      {"f4E2M1FN", 37},
      {"f6E2M3FN", 38},
      {"f6E3M2FN", 39},
      {"f8E8M0FNU", 40},
  };
  auto found = kCodes.find(printOf(type));
  return found == kCodes.end() ? -1 : found->second;
}

}  // namespace

// MLIR prints it as `u8` or `i8`, whatever it was given.
size_t ValueWriter::storage(mlir::quant::QuantizedType given) {
  return type(mlir::IntegerType::get(
      given.getContext(), given.getStorageTypeIntegralWidth(),
      given.isSigned() ? mlir::IntegerType::Signless
                       : mlir::IntegerType::Unsigned));
}

//===-- Types -------------------------------------------------------------===//

size_t ValueWriter::type(mlir::Type given) {
  auto add = [&](unsigned code, const std::string &data) {
    return out_.addType("vhlo", varint(code) + data);
  };
  auto types = [&](llvm::ArrayRef<mlir::Type> all) {
    std::vector<size_t> each;
    for (mlir::Type one : all) each.push_back(type(one));
    return places(each);
  };
  if (int code = plainCode(given); code >= 0) return add(code, "");
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(given))
    return add(1, varint(type(complex.getElementType())));
  if (auto function = llvm::dyn_cast<mlir::FunctionType>(given))
    return add(8, types(function.getInputs()) + types(function.getResults()));
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(given))
    return add(23, types(tuple.getTypes()));
  if (auto unranked = llvm::dyn_cast<mlir::UnrankedTensorType>(given))
    return add(25, varint(type(unranked.getElementType())));
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(given)) {
    std::string shape = signedNumbers(tensor.getShape()) +
                        varint(type(tensor.getElementType()));
    if (!tensor.getEncoding()) return add(20, shape);
    return add(21, varint(attribute(tensor.getEncoding())) + shape);
  }
  if (auto quant = llvm::dyn_cast<mlir::quant::UniformQuantizedType>(given))
    return add(24, varint(quant.getFlags()) + varint(storage(quant)) +
                       varint(type(quant.getExpressedType())) +
                       number(quant.getScale()) +
                       signedVarint(quant.getZeroPoint()) +
                       signedVarint(quant.getStorageTypeMin()) +
                       signedVarint(quant.getStorageTypeMax()));
  if (auto quant =
          llvm::dyn_cast<mlir::quant::UniformQuantizedPerAxisType>(given)) {
    std::string scales = varint(quant.getScales().size());
    for (double scale : quant.getScales()) scales += number(scale);
    return add(30, varint(quant.getFlags()) + varint(storage(quant)) +
                       varint(type(quant.getExpressedType())) +
                       varint(quant.getQuantizedDimension()) + scales +
                       signedNumbers(quant.getZeroPoints()) +
                       signedVarint(quant.getStorageTypeMin()) +
                       signedVarint(quant.getStorageTypeMax()));
  }
  if (isMixed_) return out_.addPrintedType(printOf(given));
  refuse("the type " + printOf(given));
  return add(34, "");
}

//===-- Numbers -----------------------------------------------------------===//

// A byte alone; a word with a sign; or several words, and how many.
std::string ValueWriter::bits(const llvm::APInt &value) {
  const unsigned width = value.getBitWidth();
  if (width <= 8)
    return std::string(1, static_cast<char>(value.getZExtValue()));
  if (width <= 64)
    return signedVarint(static_cast<int64_t>(value.getZExtValue()));
  std::string text = varint(value.getActiveWords());
  for (unsigned i = 0; i < value.getActiveWords(); ++i)
    text += signedVarint(static_cast<int64_t>(value.getRawData()[i]));
  return text;
}

std::string ValueWriter::number(double value) {
  return bits(llvm::APFloat(value).bitcastToAPInt());
}

//===-- Attributes --------------------------------------------------------===//

size_t ValueWriter::enumeration(unsigned code, uint64_t value) {
  return out_.addAttribute("vhlo", varint(code) + varint(value));
}
size_t ValueWriter::boolean(bool value) { return enumeration(2, value); }
size_t ValueWriter::text(llvm::StringRef value) {
  return enumeration(14, out_.addString(value.str()));
}
size_t ValueWriter::noType() {
  return enumeration(17, out_.addType("vhlo", varint(34)));
}
size_t ValueWriter::integer(int64_t value) {
  return out_.addAttribute(
      "vhlo", varint(9) + varint(out_.addType("vhlo", varint(14))) +
                  signedVarint(value));
}
size_t ValueWriter::list(llvm::ArrayRef<size_t> elements) {
  return out_.addAttribute("vhlo", varint(1) + places(elements));
}

// Elements lie one behind the other, a truth value in one bit; where all are
// the same, there is one of them.
size_t ValueWriter::tensor(mlir::DenseIntOrFPElementsAttr value) {
  std::string data;
  if (value.getNumElements() == 0) {
    // Nothing.
  } else if (value.getElementType().isInteger(1)) {
    if (value.isSplat()) {
      data = value.getSplatValue<bool>() ? '\xff' : '\0';
    } else {
      data.assign((value.getNumElements() + 7) / 8, '\0');
      for (const auto &[i, bit] : llvm::enumerate(value.getValues<bool>()))
        data[i / 8] = static_cast<char>(data[i / 8] | bit << (i % 8));
      auto bits = value.getValues<bool>();
      if (llvm::all_equal(bits)) data = *bits.begin() ? '\xff' : '\0';
    }
  } else {
    data.assign(value.getRawData().begin(), value.getRawData().end());
    if (!value.isSplat()) data = once(data, value.getNumElements());
  }
  return out_.addAttribute("vhlo", varint(15) + varint(type(value.getType())) +
                                       varint(data.size()) + data);
}

size_t ValueWriter::numbers(llvm::ArrayRef<int64_t> values) {
  std::string data;
  for (int64_t value : values)
    data.append(reinterpret_cast<const char *>(&value), sizeof value);
  data = once(data, values.size());
  size_t type = out_.addType(
      "vhlo", varint(20) +
                  signedNumbers({static_cast<int64_t>(values.size())}) +
                  varint(out_.addType("vhlo", varint(14))));
  return out_.addAttribute(
      "vhlo", varint(15) + varint(type) + varint(data.size()) + data);
}

size_t ValueWriter::dictionary(mlir::DictionaryAttr value) {
  std::string data = varint(value.size());
  for (mlir::NamedAttribute each : value)
    data += varint(text(each.getName().getValue())) +
            varint(attribute(each.getValue()));
  return out_.addAttribute("vhlo", varint(6) + data);
}

size_t ValueWriter::attribute(mlir::Attribute value) {
  using namespace stablehlo;
  auto add = [&](unsigned code, const std::string &data) {
    return out_.addAttribute("vhlo", varint(code) + data);
  };
  auto number = [](auto each) {
    return static_cast<uint64_t>(each.getValue());
  };
  auto of = [&](auto each) -> size_t {
    // Resources lie elsewhere in a file.
    if (isMixed_ && !llvm::isa<mlir::DenseResourceElementsAttr>(each))
      return printed(each);
    refuse("the attribute " + printOf(each));
    return boolean(false);
  };
  return llvm::TypeSwitch<mlir::Attribute, size_t>(value)
      .Case([&](mlir::StringAttr each) { return text(each.getValue()); })
      .Case([&](mlir::FlatSymbolRefAttr each) { return text(each.getValue()); })
      .Case([&](mlir::BoolAttr each) { return boolean(each.getValue()); })
      .Case([&](mlir::IntegerAttr each) {
        return add(9, varint(type(each.getType())) + bits(each.getValue()));
      })
      .Case([&](mlir::FloatAttr each) {
        return add(8, varint(type(each.getType())) +
                          bits(each.getValue().bitcastToAPInt()));
      })
      .Case([&](mlir::ArrayAttr each) {
        std::vector<size_t> elements;
        for (mlir::Attribute one : each) elements.push_back(attribute(one));
        return list(elements);
      })
      .Case([&](mlir::DictionaryAttr each) { return dictionary(each); })
      .Case([&](mlir::TypeAttr each) {
        return add(17, varint(type(each.getValue())));
      })
      .Case([&](mlir::DenseIntOrFPElementsAttr each) { return tensor(each); })
      .Case([&](mlir::DenseI64ArrayAttr each) {
        return numbers(each.asArrayRef());
      })
      .Case([&](mlir::DenseBoolArrayAttr each) {
        return tensor(llvm::cast<mlir::DenseIntOrFPElementsAttr>(
            mlir::DenseElementsAttr::get(
                mlir::RankedTensorType::get(
                    {each.size()},
                    mlir::IntegerType::get(each.getContext(), 1)),
                each.asArrayRef())));
      })
      .Case([&](ComparisonDirectionAttr each) {
        return enumeration(3, number(each));
      })
      .Case(
          [&](ComparisonTypeAttr each) { return enumeration(4, number(each)); })
      .Case([&](FftTypeAttr each) { return enumeration(7, number(each)); })
      .Case([&](OutputOperandAliasAttr each) {
        return add(10, signedNumbers(each.getOutputTupleIndices()) +
                           signedVarint(each.getOperandIndex()) +
                           signedNumbers(each.getOperandTupleIndices()));
      })
      .Case([&](PrecisionAttr each) { return enumeration(11, number(each)); })
      .Case(
          [&](RngAlgorithmAttr each) { return enumeration(12, number(each)); })
      .Case([&](RngDistributionAttr each) {
        return enumeration(13, number(each));
      })
      .Case([&](TransposeAttr each) { return enumeration(16, number(each)); })
      .Case([&](BoundsAttr each) {
        return add(18, signedNumbers(each.getBounds()));
      })
      .Case([&](ResultAccuracyAttr each) {
        return add(20, bits(each.getAtol().bitcastToAPInt()) +
                           bits(each.getRtol().bitcastToAPInt()) +
                           signedVarint(each.getUlps()) +
                           varint(enumeration(19, number(each.getMode()))));
      })
      .Default(of);
}

//===-- MLIR's own --------------------------------------------------------===//

size_t ValueWriter::builtinText(llvm::StringRef value) {
  return out_.addAttribute("builtin",
                           varint(2) + varint(out_.addString(value.str())));
}

size_t ValueWriter::printed(mlir::Attribute value) {
  return out_.addPrintedAttribute(printOf(value));
}

size_t ValueWriter::location(mlir::Location location) {
  if (!hasPlaces_ || llvm::isa<mlir::UnknownLoc>(location))
    return out_.addAttribute("builtin", varint(15));
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location))
    return out_.addAttribute(
        "builtin", varint(11) +
                       varint(builtinText(file.getFilename().getValue())) +
                       varint(file.getLine()) + varint(file.getColumn()));
  return printed(location);
}

}  // namespace indexical::testing

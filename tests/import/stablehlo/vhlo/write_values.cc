// Types and attributes, with the numbers of numbers.h.
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "tests/import/stablehlo/vhlo/artifact.h"
#include "tests/import/stablehlo/vhlo/numbers.h"

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

// Returns one element if `data` is `count` times the same, or all of `data`.
std::string once(const std::string &data, size_t count) {
  if (count == 0 || data.size() % count != 0) return data;
  const size_t size = data.size() / count;
  for (size_t i = size; i < data.size(); ++i)
    if (data[i] != data[i - size]) return data;
  return data.substr(0, size);
}

// The number of a type that has nothing else; none for others.
std::optional<unsigned> plainNumber(mlir::Type type) {
  const std::string name = printOf(type);
  for (const VhloNumber &each : vhloTypes())
    if (each.isPlain && each.name == name) return each.number;
  return std::nullopt;
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
  auto add = [&](llvm::StringRef name, const std::string &data) {
    return out_.addType("vhlo", varint(typeNumber(name)) + data);
  };
  auto types = [&](llvm::ArrayRef<mlir::Type> all) {
    std::vector<size_t> each;
    for (mlir::Type one : all) each.push_back(type(one));
    return places(each);
  };
  if (auto number = plainNumber(given))
    return out_.addType("vhlo", varint(*number));
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(given))
    return add("complex", varint(type(complex.getElementType())));
  if (auto function = llvm::dyn_cast<mlir::FunctionType>(given))
    return add("func",
               types(function.getInputs()) + types(function.getResults()));
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(given))
    return add("tuple", types(tuple.getTypes()));
  if (auto unranked = llvm::dyn_cast<mlir::UnrankedTensorType>(given))
    return add("unranked_tensor", varint(type(unranked.getElementType())));
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(given)) {
    std::string shape = signedNumbers(tensor.getShape()) +
                        varint(type(tensor.getElementType()));
    if (!tensor.getEncoding()) return add("tensor", shape);
    return add("tensor with encoding",
               varint(attribute(tensor.getEncoding())) + shape);
  }
  if (auto quant = llvm::dyn_cast<mlir::quant::UniformQuantizedType>(given))
    return add("quant", varint(quant.getFlags()) + varint(storage(quant)) +
                            varint(type(quant.getExpressedType())) +
                            number(quant.getScale()) +
                            signedVarint(quant.getZeroPoint()) +
                            signedVarint(quant.getStorageTypeMin()) +
                            signedVarint(quant.getStorageTypeMax()));
  if (auto quant =
          llvm::dyn_cast<mlir::quant::UniformQuantizedPerAxisType>(given)) {
    std::string scales = varint(quant.getScales().size());
    for (double scale : quant.getScales()) scales += number(scale);
    return add("quant_per_axis",
               varint(quant.getFlags()) + varint(storage(quant)) +
                   varint(type(quant.getExpressedType())) +
                   varint(quant.getQuantizedDimension()) +
                   signedVarint(quant.getStorageTypeMin()) +
                   signedVarint(quant.getStorageTypeMax()) + scales +
                   signedNumbers(quant.getZeroPoints()));
  }
  if (auto buffer = llvm::dyn_cast<mlir::MemRefType>(given);
      buffer && buffer.getLayout().isIdentity() && !buffer.getMemorySpace())
    return add("buffer", signedNumbers(buffer.getShape()) +
                             varint(type(buffer.getElementType())));
  if (auto future = llvm::dyn_cast<stablehlo::FutureType>(given))
    return add("future", types(future.getTypes()));
  if (isMixed_) return out_.addPrintedType(printOf(given));
  refuse("the type " + printOf(given));
  return add("none", "");
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

size_t ValueWriter::numbered(llvm::StringRef name, uint64_t value) {
  return out_.addAttribute("vhlo",
                           varint(attributeNumber(name)) + varint(value));
}
size_t ValueWriter::enumeration(llvm::StringRef name, llvm::StringRef value) {
  return numbered(name, valueNumber(name, value));
}
size_t ValueWriter::apiVersion(int64_t value) {
  return numbered("api_version", value);
}
size_t ValueWriter::boolean(bool value) { return numbered("bool", value); }
size_t ValueWriter::text(llvm::StringRef value) {
  return numbered("string", out_.addString(value.str()));
}
size_t ValueWriter::noType() {
  return numbered("type", out_.addType("vhlo", varint(typeNumber("none"))));
}
size_t ValueWriter::integer(int64_t value) {
  return out_.addAttribute(
      "vhlo", varint(attributeNumber("integer")) +
                  varint(out_.addType("vhlo", varint(typeNumber("i64")))) +
                  signedVarint(value));
}
size_t ValueWriter::list(llvm::ArrayRef<size_t> elements) {
  return out_.addAttribute("vhlo",
                           varint(attributeNumber("array")) + places(elements));
}

size_t ValueWriter::blob(size_t type, const std::string &data) {
  return out_.addAttribute("vhlo", varint(attributeNumber("tensor")) +
                                       varint(type) + varint(data.size()) +
                                       data);
}

// Elements lie one behind the other, a truth value in one bit. If all are the
// same, one is written.
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
  return blob(type(value.getType()), data);
}

size_t ValueWriter::numbers(llvm::ArrayRef<int64_t> values) {
  std::string data;
  for (int64_t value : values)
    data.append(reinterpret_cast<const char *>(&value), sizeof value);
  data = once(data, values.size());
  return blob(
      out_.addType("vhlo",
                   varint(typeNumber("tensor")) +
                       signedNumbers({static_cast<int64_t>(values.size())}) +
                       varint(out_.addType("vhlo", varint(typeNumber("i64"))))),
      data);
}

size_t ValueWriter::dictionary(mlir::DictionaryAttr value) {
  std::string data = varint(value.size());
  for (mlir::NamedAttribute each : value)
    data += varint(text(each.getName().getValue())) +
            varint(attribute(each.getValue()));
  return out_.addAttribute("vhlo", varint(attributeNumber("dict")) + data);
}

size_t ValueWriter::attribute(mlir::Attribute value) {
  using namespace stablehlo;
  auto add = [&](llvm::StringRef name, const std::string &data) {
    return out_.addAttribute("vhlo", varint(attributeNumber(name)) + data);
  };
  auto choice = [&](llvm::StringRef name, llvm::StringRef value) {
    return enumeration(name, value);
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
        return add("integer",
                   varint(type(each.getType())) + bits(each.getValue()));
      })
      .Case([&](mlir::FloatAttr each) {
        return add("float", varint(type(each.getType())) +
                                bits(each.getValue().bitcastToAPInt()));
      })
      .Case([&](mlir::ArrayAttr each) {
        std::vector<size_t> elements;
        for (mlir::Attribute one : each) elements.push_back(attribute(one));
        return list(elements);
      })
      .Case([&](mlir::DictionaryAttr each) { return dictionary(each); })
      .Case([&](mlir::TypeAttr each) {
        return add("type", varint(type(each.getValue())));
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
        return choice("comparison_direction",
                      stringifyComparisonDirection(each.getValue()));
      })
      .Case([&](ComparisonTypeAttr each) {
        return choice("comparison_type",
                      stringifyComparisonType(each.getValue()));
      })
      .Case([&](FftTypeAttr each) {
        return choice("fft_type", stringifyFftType(each.getValue()));
      })
      .Case([&](OutputOperandAliasAttr each) {
        return add("output_operand_alias",
                   signedNumbers(each.getOutputTupleIndices()) +
                       signedVarint(each.getOperandIndex()) +
                       signedNumbers(each.getOperandTupleIndices()));
      })
      .Case([&](PrecisionAttr each) {
        return choice("precision", stringifyPrecision(each.getValue()));
      })
      .Case([&](RngAlgorithmAttr each) {
        return choice("rng_algorithm", stringifyRngAlgorithm(each.getValue()));
      })
      .Case([&](RngDistributionAttr each) {
        return choice("rng_distribution",
                      stringifyRngDistribution(each.getValue()));
      })
      .Case([&](TransposeAttr each) {
        return choice("transpose", stringifyTranspose(each.getValue()));
      })
      .Case([&](BoundsAttr each) {
        return add("type_extensions", signedNumbers(each.getBounds()));
      })
      .Case([&](ResultAccuracyAttr each) {
        return add("result_accuracy",
                   bits(each.getAtol().bitcastToAPInt()) +
                       bits(each.getRtol().bitcastToAPInt()) +
                       signedVarint(each.getUlps()) +
                       varint(choice("result_accuracy_mode",
                                     stringifyResultAccuracyMode(
                                         each.getMode().getValue()))));
      })
      .Case([&](SubAxisInfoAttr each) {
        return add("sub_axis_info", signedVarint(each.getPreSize()) +
                                        signedVarint(each.getSize()));
      })
      .Case([&](AxisRefAttr each) {
        std::string data = varint(text(each.getName()));
        if (auto part = each.getSubAxisInfo())
          return add("axis_ref", data + varint(1) + varint(attribute(part)));
        return add("axis_ref", data + varint(0));
      })
      .Case([&](ReplicaGroupMeshAxesAttr each) {
        return add("replica_group_mesh_axes",
                   varint(attribute(each.getMesh())) +
                       varint(attribute(each.getAxes())));
      })
      .Case([&](MeshAxisAttr each) {
        return add("mesh_axis",
                   varint(text(each.getName())) + signedVarint(each.getSize()));
      })
      .Case([&](MeshAttr each) {
        mlir::Attribute devices = each.getDeviceIds();
        return add("mesh",
                   varint(attribute(each.getAxes())) +
                       varint(devices ? attribute(devices) << 1 | 1 : 0));
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

#include "tests/import/stablehlo/lower/random_tensors.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "tests/import/stablehlo/lower/tensor_writer.h"

namespace indexical::testing {

std::string joined(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}
std::string list(llvm::ArrayRef<int64_t> values) {
  return "[" + joined(values) + "]";
}
std::string array(llvm::ArrayRef<int64_t> values) {
  return values.empty() ? "array<i64>" : "array<i64: " + joined(values) + ">";
}

IntegerKind kindOf(const NumberTensor &type) {
  if (type.isFloat()) return {};
  return {type.width(), type.isUnsigned(), type.element == "i1"};
}

int64_t wrapped(const NumberTensor &type, Wide value) {
  return wrapped(value, kindOf(type));
}

TensorProgram TensorWriter::run() {
  TensorProgram program;
  program.name = name_;
  std::string parameters;
  for (int64_t count = random_.in(1, 3), p = 0; p < count; ++p) {
    NumberTensor value = randomTensor();
    parameters += (p ? ", %" : "%") + std::to_string(values_.size()) + ": " +
                  value.type();
    program.arguments.push_back(value);
    values_.push_back(std::move(value));
  }
  const size_t wanted = values_.size() + random_.in(2, 9);
  while (values_.size() < wanted) addOp();
  std::string names, types;
  for (int64_t count = random_.in(1, 2), r = 0; r < count; ++r) {
    const size_t i = values_.size() - 1 - (r ? random_.in(0, 2) : 0);
    names += (r ? ", %" : "%") + std::to_string(i);
    types += (r ? ", " : "") + values_[i].type();
    program.results.push_back(values_[i]);
  }
  program.text = helpers_ + "func.func @" + name_ + "(" + parameters +
                 ") -> (" + types + ") {\n" + body_ + "  return " + names +
                 " : " + types + "\n}\n";
  return program;
}

void TensorWriter::addOp() {
  using Op = void (TensorWriter::*)();
  static const Op kOps[] = {
      &TensorWriter::unary,         &TensorWriter::binary,
      &TensorWriter::binary,        &TensorWriter::compare,
      &TensorWriter::select,        &TensorWriter::convert,
      &TensorWriter::iota,          &TensorWriter::literal,
      &TensorWriter::transpose,     &TensorWriter::reshape,
      &TensorWriter::reverse,       &TensorWriter::slice,
      &TensorWriter::pad,           &TensorWriter::pad,
      &TensorWriter::broadcast,     &TensorWriter::concatenate,
      &TensorWriter::dynamicSlice,  &TensorWriter::dynamicUpdateSlice,
      &TensorWriter::gather,        &TensorWriter::scatter,
      &TensorWriter::tensorScatter, &TensorWriter::reduce,
      &TensorWriter::reduceWindow,  &TensorWriter::twoReductions,
      &TensorWriter::call,          &TensorWriter::matmul,
      &TensorWriter::generic,       &TensorWriter::insertSlice,
      &TensorWriter::upstream};
  (this->*kOps[random_.in(0, std::size(kOps) - 1)])();
}

int NumberTensor::width() const {
  return std::atoi(element.c_str() + element.find_first_of("0123456789"));
}

std::string NumberTensor::signless() const {
  return element[0] == 'u' ? element.substr(1) : element;
}

std::string NumberTensor::type() const {
  std::string text = "tensor<";
  for (int64_t size : sizes) text += std::to_string(size) + "x";
  return text + element + ">";
}

std::string NumberTensor::memref() const {
  std::string text = "memref<";
  for (int64_t size : sizes) text += std::to_string(size) + "x";
  return text + signless() + ">";
}

std::string NumberTensor::dense() const {
  std::vector<std::string> parts;
  for (int64_t n : numbers)
    parts.push_back(element == "i1"
                        ? (n ? "true" : "false")
                        : std::to_string(n) + (isFloat() ? ".0" : ""));
  for (size_t k = sizes.size(); k-- > 0;) {
    std::vector<std::string> outer;
    for (size_t i = 0; i < parts.size(); i += sizes[k]) {
      std::string one;
      for (int64_t j = 0; j < sizes[k]; ++j)
        one += (j ? ", " : "[") + parts[i + j];
      outer.push_back(one + "]");
    }
    parts = std::move(outer);
  }
  return "dense<" + parts.front() + ">";
}

TensorProgram randomTensorProgram(Random &random, const std::string &name) {
  return TensorWriter(random, name).run();
}

}  // namespace indexical::testing

// Random functions on tensors, and their results.
//
//   Random random(17);
//   TensorProgram program = randomTensorProgram(random, "p0");
//
//   program.text       func.func @p0(%0: tensor<2x3xi32>, …) -> … { … }
//   program.arguments  values of %0, …
//   program.results    what it returns for them
//
// Every op is written and computed at once, from its definition, one element at
// a time. Nothing here knows a map. Integers wrap. Floats hold small integers
// only, so that the order of additions does not matter.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RANDOM_TENSORS_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RANDOM_TENSORS_H

#include <string>
#include <vector>

#include "tests/oracle/tensor.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// Elements in row major order. Those of floats are integers, too.
struct NumberTensor {
  std::string element;  ///< i1, i8, ui8, i32, i64, f32, f64
  Index sizes;
  std::vector<int64_t> numbers;

  bool isFloat() const { return element[0] == 'f'; }
  bool isUnsigned() const { return element[0] == 'u' || element == "i1"; }
  int width() const;
  /// `tensor<2x3xi32>`, or a memref of elements without a sign.
  std::string type() const;
  std::string memref() const;
  std::string signless() const;
  /// `dense<[[1, 2], [3, 4]]>`
  std::string dense() const;
};

struct TensorProgram {
  std::string name;
  std::string text;
  std::vector<NumberTensor> arguments, results;
};

TensorProgram randomTensorProgram(Random &random, const std::string &name);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_RANDOM_TENSORS_H

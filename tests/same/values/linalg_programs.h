// Random programs of linalg for tests: as their authors write them, and as
// passes rewrite them, with their numbers.
//
//   r[i, j] = x[i, j] + 2 * y[j, i]
//     written as a linalg.generic, or as one on tiles of rows in an scf.for,
//     the last of which may be smaller, or with vectors
//
// run() shares no code with the library.
#ifndef INDEXICAL_TESTS_SAME_VALUES_LINALG_PROGRAMS_H
#define INDEXICAL_TESTS_SAME_VALUES_LINALG_PROGRAMS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

struct LinalgTensor {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> numbers;
  int64_t &at(int64_t i, int64_t j) { return numbers[i * columns + j]; }
  int64_t at(int64_t i, int64_t j) const { return numbers[i * columns + j]; }
};

/// One step: r[i, j] = a (+, *, max) b with b turned or not, times a number; or
/// r[i, 0] the sum of a row of a. What a step takes are numbers of tensors.
struct LinalgStep {
  enum class Kind { Combine, SumRows, Product } kind = Kind::Combine;
  size_t a = 0, b = 0;
  std::string op = "arith.addi";
  int64_t times = 1;
  bool isTurned = false;
  // How it is written: 0 plain, 1 a loop over rows, 2 threads, 3 loops in each
  // other, 4 interchanged, 5 affine, 6 and 7 vectors, 8 a loop whose last tile
  // may be smaller, 9 the same with ops of linalg.
  int form = 0;
  int64_t beyond = 0;  ///< so much larger is a vector than the tensor
  int64_t tile = 1, tileColumns = 1;
  // A mistake in how it is written.
  int64_t shift = 0;  ///< of the slice that a tile reads
};

struct LinalgProgram {
  int64_t size = 4;
  std::vector<LinalgStep> steps;
};

/// Returns the text of the program's module.
std::string textOf(const LinalgProgram &program);
/// Returns what the program computes of two tensors of its size.
LinalgTensor run(const LinalgProgram &program, const LinalgTensor &x,
                 const LinalgTensor &y);

LinalgProgram randomLinalgProgram(Random &random);
/// Returns the same program, written in another way.
LinalgProgram rewritten(LinalgProgram program, Random &random);
/// Makes one mistake.
void mutate(LinalgProgram &program, Random &random);
LinalgTensor randomTensor(int64_t size, Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_VALUES_LINALG_PROGRAMS_H

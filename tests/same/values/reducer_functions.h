// Functions of tuples of numbers, as text of HLO and run on numbers: what
// reductions run.
//
//   Function f = randomFunction(random);
//   f.text()           "f { … }", of the scalars a0, a1, …, b0, b1, …
//   f.run({1}, {2})    the tuple that it returns
#ifndef INDEXICAL_TESTS_SAME_VALUES_REDUCER_FUNCTIONS_H
#define INDEXICAL_TESTS_SAME_VALUES_REDUCER_FUNCTIONS_H

#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

/// Returns HLO's name of a type: 's' is s8, 'p' pred, 'f' f32.
std::string nameOf(char type);
/// Returns the number as HLO writes it.
std::string textOf(char type, double number);
/// Whether two numbers are the same: all NaN are, and both zeros if
/// `isAnyZero`.
bool areOne(double a, double b, bool isAnyZero);

/// A function of two tuples.
struct Function {
  struct Node {
    char type;
    std::string op, more;
    std::vector<int> of;
    double number = 0;  ///< of a constant; the number of a parameter
  };
  std::string types;  ///< of the values
  std::vector<Node> nodes;
  std::vector<int> results;
  bool isAnyZero = false;  ///< of two zeros, either is the result

  int add(char type, std::string op, std::vector<int> of, std::string more = "",
          double number = 0) {
    isAnyZero |=
        type == 'f' && (op == "add" || op == "maximum" || op == "minimum");
    nodes.push_back(
        {type, std::move(op), std::move(more), std::move(of), number});
    return static_cast<int>(nodes.size()) - 1;
  }
  explicit Function(std::string of) : types(std::move(of)) {
    for (size_t k = 0; k < 2 * types.size(); ++k)
      add(types[k % types.size()], "parameter", {}, "", static_cast<double>(k));
  }
  int a(size_t k) const { return static_cast<int>(k); }
  int b(size_t k) const { return static_cast<int>(types.size() + k); }
  int compare(int x, int y, const std::string &direction) {
    return add('p', "compare", {x, y}, ", direction=" + direction);
  }

  std::string text() const;
  using Tuple = std::vector<double>;
  Tuple run(const Tuple &first, const Tuple &second) const;
};

/// Returns a function: one op a value, any expressions, Horner's rule, choices
/// of pairs, products of complex numbers and of affine functions, and those
/// that return the first or the last tuple.
Function randomFunction(Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_VALUES_REDUCER_FUNCTIONS_H

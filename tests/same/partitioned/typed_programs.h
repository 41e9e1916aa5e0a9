// Random programs of all types with their partitioned forms: rows are cut over
// devices, and the last device may have padding.
//
//   WHOLE  x = u8[5,3] parameter(0)          r = reduce rows by maximum
//   LOCAL  x = u8[3,3] parameter(0)          m = x, but 0 where padding is
//          p = reduce rows by maximum        r = all-reduce of p by maximum
//
// Integers wrap, floats round. Ops have called functions, types and attributes,
// and a mutant has others: another comparator, a conversion that goes through a
// narrow type, another mask…
#ifndef TESTS_SHARDING_TYPED_PROGRAMS_H
#define TESTS_SHARDING_TYPED_PROGRAMS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

/// One instruction on arrays of rows x columns.
struct TypedStep {
  std::string op;  // of HLO, or a word of typed_programs.cc
  std::string type;
  std::vector<size_t> in;
  int64_t rows = 1, columns = 1;
  std::string function;        // that it calls; a direction; a kind
  int64_t number = 0;          // of a constant, a mask, a table
  bool isNeutral = false;      // the number is the function's neutral one
  std::string via;             // the type through which it converts
  bool isCut = false;          // of a parameter
  std::vector<int64_t> order;  // of devices, of dimensions
};

struct TypedProgram {
  std::vector<TypedStep> steps;
  int64_t devices = 1;  // 1: the whole
  bool isCut = false;   // the result
};

struct TypedPrograms {
  TypedProgram whole, local;
  int64_t devices = 2;
};

TypedPrograms randomTyped(Random &random);
/// Returns the functions by which the tests fold the type. Sums of bf16 depend
/// on their order.
std::vector<std::string> typedFoldsOf(const std::string &type);
/// Changes one function, type, attribute or number. Returns false if it finds
/// nothing to change.
bool mutate(TypedProgram &program, Random &random);
/// Returns the text of HLO; `devices` is the number of those of the parts.
std::string textOf(const TypedProgram &program, int64_t devices);

/// An element: `integer` of an integer type, `real` of a float.
struct TypedNumber {
  int64_t integer = 0;
  double real = 0;
};
using TypedArray = std::vector<TypedNumber>;

bool isFloatType(const std::string &type);
/// Returns the integer of the type that equals `value` modulo 2^bits.
int64_t wrappedTo(int64_t value, const std::string &type);
/// Returns the number that changes nothing in a fold by the function.
TypedNumber neutralOf(const std::string &function, const std::string &type);
TypedNumber randomTypedNumber(const std::string &type, int run, Random &random);
/// Returns the arrays of the last step on each device, given those of each
/// parameter.
std::vector<TypedArray> numbersOf(
    const TypedProgram &program,
    const std::vector<std::vector<TypedArray>> &parameters);

}  // namespace indexical::testing

#endif  // TESTS_SHARDING_TYPED_PROGRAMS_H

// Functions of scalars that ops run, for numbers.
//
//   (a, b) -> a < b               of a sort
//   (a, i, b, j) -> a < b ? (a, i) : (b, j)     of a reduction of two values
//
// Each result is an element of the arguments: a parameter of that number, at
// (). It stands in a table of its own, which knows no laws of floats. So the
// result is exactly what the function says.
//
// Law (tests/same/values/tuple_enemies.py): numbers are those of an
// interpreter that shares no code.
#ifndef INDEXICAL_SAME_VALUES_SCALAR_FUNCTIONS_H
#define INDEXICAL_SAME_VALUES_SCALAR_FUNCTIONS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

// How the text of an op begins that stands for tuples in a term. It is a tuple,
// a value of one, a reduction of tuples in any order (the second: of their
// set), or of elements in their order.
inline constexpr llvm::StringLiteral kTuple = "a tuple", kPart = "part ",
                                     kTogether = "reduced together ",
                                     kSet = "reduced together as a set ",
                                     kInOrder = "reduced in order ";

class ScalarFunctions {
 public:
  ScalarFunctions() : table_(FloatLaws::None) {}

  /// Returns the number of the argument that a parameter is; nothing if the
  /// results do not need it.
  using ArgumentOf = llvm::function_ref<std::optional<size_t>(size_t)>;
  /// Notes these results of a function under a name, if they are known.
  void define(const std::string &name, const Computation &function,
              llvm::ArrayRef<size_t> results, ArgumentOf argumentOf);
  /// Returns the results, in the order in which they were asked for; null if
  /// they are not known.
  const std::vector<ElementId> *find(const std::string &name) const;
  const ElementTable &table() const { return table_; }

  /// Returns the name of the function that a reduction of tuples, or in order,
  /// or a sort runs in a term.
  static std::string nameOf(const Element &element);

 private:
  ElementTable table_;
  std::map<std::string, std::vector<ElementId>> functions_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SCALAR_FUNCTIONS_H

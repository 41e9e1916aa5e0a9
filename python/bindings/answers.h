// Results of the library as values of Python: the small classes of the results
// of maps and relations.
#ifndef INDEXICAL_PYTHON_BINDINGS_ANSWERS_H
#define INDEXICAL_PYTHON_BINDINGS_ANSWERS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/interval.h"
#include "pybind11/pybind11.h"

namespace indexical {

/// A variable, or the bounds of an expression; an open side is None.
struct NamedBounds {
  std::string name;
  Interval bounds;
};

/// The three figures of a map or relation. A figure that was not found is None.
struct Counts {
  std::optional<Count> domain;
  Count image, pairs;
};

/// Returns an integer of Python, or None.
pybind11::object pythonInt(const std::optional<llvm::DynamicAPInt> &value);
/// Returns the value of an integer of Python. Throws a TypeError if it is not
/// an integer, and an OverflowError if it does not fit into 64 bits.
int64_t integerOf(pybind11::handle value);
/// Returns a tuple of integers.
pybind11::tuple pythonIndex(llvm::ArrayRef<int64_t> index);

/// Returns exact options with the given limit of operations, if there is one.
ExactOptions exactOptions(std::optional<int64_t> operations);

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_ANSWERS_H

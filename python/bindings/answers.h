// Answers of the library as values of Python: the small classes that maps and
// relations hand out.
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

/// The three figures of a map or relation; what was not found is None.
struct Counts {
  std::optional<Count> domain;
  Count image, pairs;
};

/// An integer as Python has it.
pybind11::object pythonInt(const std::optional<llvm::DynamicAPInt> &value);
/// A TypeError where it is no integer, an OverflowError past 64 bits.
int64_t integerOf(pybind11::handle value);
/// A tuple of integers.
pybind11::tuple pythonIndex(llvm::ArrayRef<int64_t> index);

/// What `operations` asks for, if it is given.
ExactOptions exactOptions(std::optional<int64_t> operations);

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_ANSWERS_H

// The inputs of calls: programs, texts, bytes of files, and paths.
#ifndef INDEXICAL_PYTHON_BINDINGS_INPUTS_H
#define INDEXICAL_PYTHON_BINDINGS_INPUTS_H

#include <vector>

#include "indexical/answers/inputs/input.h"
#include "pybind11/pybind11.h"

namespace indexical {

/// Returns the inputs that the sources are: of a program its own, of bytes that
/// of a file, of a path the file, or the files of a folder as `report` takes
/// them. Other texts are maps.
std::vector<Input> inputsOf(const pybind11::args &sources);

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_INPUTS_H

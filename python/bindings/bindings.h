// The parts of the module `_indexical`, in the order in which they are made:
// each may use the classes of those before it.
#ifndef INDEXICAL_PYTHON_BINDINGS_BINDINGS_H
#define INDEXICAL_PYTHON_BINDINGS_BINDINGS_H

#include "pybind11/pybind11.h"

namespace indexical {

void bindErrors(pybind11::module_ &module);
void bindAnswers(pybind11::module_ &module);
void bindMap(pybind11::module_ &module);
void bindRelation(pybind11::module_ &module);
void bindLayouts(pybind11::module_ &module);
void bindShardings(pybind11::module_ &module);
void bindProgram(pybind11::module_ &module);
void bindQuestions(pybind11::module_ &module);
void bindReports(pybind11::module_ &module);
void bindPictures(pybind11::module_ &module);
void bindCalls(pybind11::module_ &module);

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_BINDINGS_H

#include "indexical/version.h"
#include "pybind11/pybind11.h"
#include "python/bindings/bindings.h"

PYBIND11_MODULE(_indexical, module) {
  module.doc() = "Exact indexing maps of HLO and StableHLO.";
  // Signatures stand in _indexical.pyi, once.
  pybind11::options options;
  options.disable_enum_members_docstring();
  module.attr("__version__") = indexical::kVersion;
  indexical::bindErrors(module);
  indexical::bindAnswers(module);
  indexical::bindMap(module);
  indexical::bindRelation(module);
  indexical::bindShardings(module);
  indexical::bindProgram(module);
  indexical::bindCalls(module);
}

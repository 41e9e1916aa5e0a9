#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/version.h"
#include "pybind11/pybind11.h"
#include "python/bindings/bindings.h"
#include <dlfcn.h>

namespace {

/// The program that reads bytecode, which is installed beside this module.
std::string readerBesideModule() {
  static const char here = 0;
  Dl_info module;
  if (!dladdr(&here, &module) || !module.dli_fname) return "";
  llvm::SmallString<256> path(module.dli_fname);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "_read_bytecode");
  return path.str().str();
}

}  // namespace

PYBIND11_MODULE(_indexical, module) {
  module.doc() = "Exact indexing maps of HLO and StableHLO.";
  // Signatures stand in _indexical.pyi, once.
  pybind11::options options;
  options.disable_enum_members_docstring();
  module.attr("__version__") = indexical::kVersion;
  indexical::setReaderProgram({readerBesideModule(), {}});
  indexical::bindErrors(module);
  indexical::bindAnswers(module);
  indexical::bindMap(module);
  indexical::bindRelation(module);
  indexical::bindLayouts(module);
  indexical::bindShardings(module);
  indexical::bindProgram(module);
  indexical::bindQuestions(module);
  indexical::bindReports(module);
  indexical::bindPictures(module);
  indexical::bindCalls(module);
}

// The keys and values of an answer as objects of Python (answers/fields.h).
//
//   writeKeys(move, PythonSink(dictionary))    {"kind": "copy", "vector": 1}
//
// Dictionaries, lists, integers, floats, strings, True, False and None: what
// Python reads of the JSON of the same answer. Python's lock is held.
#ifndef INDEXICAL_PYTHON_BINDINGS_PYTHON_SINK_H
#define INDEXICAL_PYTHON_BINDINGS_PYTHON_SINK_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/schema.h"
#include "indexical/version.h"
#include "pybind11/pybind11.h"

namespace indexical {

/// Returns the text; bytes that are not UTF-8 are replaced.
pybind11::str pythonText(llvm::StringRef text);

class PythonSink : public ValueSink {
 public:
  /// Keys and values go into that dictionary.
  explicit PythonSink(pybind11::dict into) { open_.push_back(std::move(into)); }

  void key(llvm::StringRef name) override;
  void integer(int64_t number) override { put(pybind11::int_(number)); }
  void number(llvm::StringRef digits) override;
  void boolean(bool value) override { put(pybind11::bool_(value)); }
  void text(llvm::StringRef text) override { put(pythonText(text)); }
  void null() override { put(pybind11::none()); }
  /// For a result that takes texts (Structure::takesTexts), which none is that
  /// is bound.
  void written(llvm::StringRef text) override;
  void beginList() override { open(pybind11::list()); }
  void endList() override { open_.pop_back(); }
  void beginObject() override { open(pybind11::dict()); }
  void endObject() override { open_.pop_back(); }

 private:
  void put(const pybind11::object &value);
  void open(pybind11::object value) {
    put(value);
    open_.push_back(std::move(value));
  }

  std::vector<pybind11::object> open_;      ///< dictionaries and lists
  pybind11::object key_;                    ///< of the value that follows
  llvm::StringMap<pybind11::object> keys_;  ///< each is made once
};

/// Returns the keys that begin every document.
pybind11::dict documentHead();

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_PYTHON_SINK_H

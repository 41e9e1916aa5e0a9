// The result of `--values`, for people and for tools.
//
//   result 0: first: multiply(x[i, j], y[i, j]), second: add(x[i, j], y[i, j])
//
//   "values": [{"result": 0, "first": "multiply(…)", "second": "add(…)"}]
#ifndef INDEXICAL_WRITERS_VALUES_H
#define INDEXICAL_WRITERS_VALUES_H

#include <optional>
#include <vector>

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/values/module_values.h"

namespace indexical {

/// Writes a line for each result whose values are not known to be equal.
void writeValues(const ValueEquality &values, llvm::raw_ostream &os);
/// Writes these results as the member `values` of an open object, or nothing if
/// all values are equal.
void writeValues(const ValueEquality &values, llvm::json::OStream &json);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_VALUES_H

// Names for what a witness gives values to: sizes and elements of parameters,
// as the first of two modules names them.
//
//   size 0 of x           a dimension of a parameter
//   size 0 of t leaf 1    of an array of a tuple
//   n                     a scalar
//   n(1, 0)               an element of an array
//   t leaf 1(0)           of an array of a tuple
#ifndef INDEXICAL_SAME_EQUALITY_PARAMETER_NAMES_H
#define INDEXICAL_SAME_EQUALITY_PARAMETER_NAMES_H

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/check/witness.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the name of a parameter's array leaf: `x`, or `t leaf 1` if the
/// parameter is a tuple.
std::string leafName(const Computation &entry, int32_t parameter, LeafId leaf);
/// Returns the name of a size of that leaf.
std::string sizeName(const Computation &entry, int32_t parameter, LeafId leaf,
                     int64_t dimension);
/// Returns the name of an element of a leaf of that name. `index` is a number
/// or an expression for each dimension.
std::string elementName(const std::string &leaf,
                        llvm::ArrayRef<std::string> index);
/// Names the arrays of a witness's inputs.
void nameInputs(const Computation &entry, Witness &witness);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_PARAMETER_NAMES_H

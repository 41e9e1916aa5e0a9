// The numbers of VHLO's bytecode, by name: the tests' own table.
//
//   typeNumber("f8E4M3")                       35
//   attributeNumber("tensor")                  15
//   valueNumber("comparison_direction", "GT")  3
//
// It was copied by hand from StableHLO's definitions, and checked byte by byte
// against 176 artifacts that StableHLO and JAX wrote. The reader has a table of
// its own (import/stablehlo/vhlo/encoding.h), which nothing here includes: a
// number that is wrong in one of the two tables is seen.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_NUMBERS_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_NUMBERS_H

#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical::testing {

struct VhloNumber {
  llvm::StringLiteral name;
  unsigned number;
  bool isPlain = false;  ///< nothing follows the number
};

/// Types. A plain one has the name that MLIR prints.
llvm::ArrayRef<VhloNumber> vhloTypes();
/// Attributes that are written today.
llvm::ArrayRef<VhloNumber> vhloAttributes();
/// The values of an attribute that is an enumeration.
llvm::ArrayRef<VhloNumber> vhloValues(llvm::StringRef attribute);

/// The number of a name that is in the table.
unsigned typeNumber(llvm::StringRef name);
unsigned attributeNumber(llvm::StringRef name);
unsigned valueNumber(llvm::StringRef attribute, llvm::StringRef value);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_NUMBERS_H

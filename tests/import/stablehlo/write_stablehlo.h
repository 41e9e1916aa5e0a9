// Descriptors and programs as StableHLO text, in generic form.
//
//   TransposeOp: f32[2,3] -> f32[3,2], permutation {1, 0}
//     "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>}
//        : (tensor<2x3xf32>) -> (tensor<3x2xf32>)
//
// A program's fusions and calls become func.call. Branches, loops and steps are
// written in place, as regions. A branch then captures its arguments, through
// any number of regions.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_WRITE_STABLEHLO_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_WRITE_STABLEHLO_H

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"

namespace indexical::testing {

/// `tensor<2x3xf32>`, with `?` and bounds.
std::string typeText(const ArrayShape &shape);
/// Like typeText above, for tuples too.
std::string typeText(const Shape &shape);

/// The parts of an op's text: `name`, its attributes in braces, its regions in
/// parentheses (both may be empty).
struct WrittenOp {
  std::string name, attributes, regions;
  /// `%r = "name"(%a, %b) (regions) {attributes} : (types) -> (types)`
  std::string line(const std::string &result,
                   llvm::ArrayRef<std::string> operands,
                   const std::string &operandTypes,
                   const std::string &resultTypes) const;
};

/// Returns the op's parts, or nothing if StableHLO does not have the op. Bodies
/// have the shapes' element types. A scatter's body reads what the descriptor
/// says.
std::optional<WrittenOp> written(const Op &op);

/// Returns the op with element types that StableHLO allows for it.
Op withPlainTypes(Op op);

/// Returns a function `@main` of the op alone, or nothing if the op cannot be
/// written.
std::optional<std::string> functionText(const Op &op);

/// Returns the module, with its entry as `@main`, or nothing if it has an op
/// that cannot be written.
std::optional<std::string> moduleText(const Module &module);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_WRITE_STABLEHLO_H

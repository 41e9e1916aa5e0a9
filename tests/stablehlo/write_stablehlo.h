// Descriptors and programs as StableHLO text, in generic form.
//
//   TransposeOp: f32[2,3] -> f32[3,2], permutation {1, 0}
//     "stablehlo.transpose"(%a0) {permutation = array<i64: 1, 0>}
//        : (tensor<2x3xf32>) -> (tensor<3x2xf32>)
//
// A program's fusions and calls become func.call; branches, loops and steps are
// written where they stand, as regions: what a branch was handed it captures
// then, through as many regions as there are.
#ifndef INDEXICAL_TESTS_STABLEHLO_WRITE_STABLEHLO_H
#define INDEXICAL_TESTS_STABLEHLO_WRITE_STABLEHLO_H

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/program.h"

namespace indexical::testing {

/// `tensor<2x3xf32>`, with `?` and bounds.
std::string typeText(const ArrayShape &shape);
/// A tuple's too.
std::string typeText(const Shape &shape);

/// What stands between the operands and the types: `name`, its attributes in
/// braces, its regions in parentheses (both may be empty).
struct WrittenOp {
  std::string name, attributes, regions;
  /// `%r = "name"(%a, %b) (regions) {attributes} : (types) -> (types)`
  std::string line(const std::string &result,
                   llvm::ArrayRef<std::string> operands,
                   const std::string &operandTypes,
                   const std::string &resultTypes) const;
};

/// Nothing for what StableHLO does not have. Bodies are of the shapes' element
/// types; a scatter's reads what the descriptor says.
std::optional<WrittenOp> written(const Op &op);

/// The same op with element types that StableHLO lets it have.
Op withPlainTypes(Op op);

/// A function `@main` of the op alone; nothing where the op cannot be written.
std::optional<std::string> functionText(const Op &op);

/// The module, its entry as `@main`. Nothing where it has an op that cannot be
/// written.
std::optional<std::string> moduleText(const Module &module);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_STABLEHLO_WRITE_STABLEHLO_H

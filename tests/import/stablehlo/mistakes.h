// Mistakes, put into modules of MLIR at random.
//
//   func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//     %y = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
//
//   in the text      … stablehlo.reverse %x, dims = [-1] : tensor<4xf32>
//                    … stablehlo.reverse %x, dims = ] : tensor<4xf32>
//                    every 4 another size: tensor<0xf32>, tensor<?xf32>
//   in the module    "stablehlo.reverse"(%x) : (tensor<4xf32>) -> …,
//                    an attribute, operand, result or block that is missing,
//                    twice there, or another
//
// A seed always gives the same mistakes.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_MISTAKES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_MISTAKES_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/BuiltinOps.h"

#include "tests/support/random.h"

namespace indexical::testing {

/// Returns the parts of the corpus' modules that are small enough to be read
/// often.
std::vector<std::string> smallCorpusParts();

/// Returns the text with one to three mistakes. A character, a token or a
/// number is missing, there twice, or replaced.
std::string withMistakes(std::string text, Random &random);

/// Returns the text with one size replaced by another wherever it stands in a
/// type, or everywhere.
std::string withOtherSize(std::string text, Random &random);

/// Returns the text, in generic form, with one op's name replaced by one of
/// `names`.
std::string withOtherOp(std::string text, llvm::ArrayRef<std::string> names,
                        Random &random);

/// Puts one to three mistakes into the ops of a module. The module can then
/// only be printed in generic form.
void addMistakes(mlir::ModuleOp module, Random &random);

/// Returns the module in generic form, whatever is wrong with it.
std::string genericForm(mlir::ModuleOp module);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_MISTAKES_H

// Facts that a reading of a text has learned for the next one: the types of
// results about which an op's own text says nothing; private to import/triton.
//
//   %n = ttx.later %a, %b : T, U      2:8, result 0
//   scf.yield %n : !ttg.async.token   has this type
//
// tolerant_parse.h says who learns.
#ifndef INDEXICAL_IMPORT_TRITON_OP_HINTS_H
#define INDEXICAL_IMPORT_TRITON_OP_HINTS_H

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Types.h"

namespace indexical::triton {

struct OpHints {
  using LineAndColumn = std::pair<unsigned, unsigned>;
  /// The types of results, by the place of their op's name and their number.
  std::map<std::pair<LineAndColumn, size_t>, mlir::Type> results;
  /// The types that another op of the name has, for an unknown op.
  std::map<std::pair<std::string, size_t>, mlir::Type> ofName;
  /// The ops of this reading that may have other types than those given.
  std::set<LineAndColumn> guessed;

  /// Puts what is known in place of the types of an op's results, and notes
  /// that they are a guess.
  void apply(mlir::OpAsmParser &parser, llvm::StringRef name,
             llvm::SmallVectorImpl<mlir::Type> &types);
};

/// Returns the hints that belong to the context, which makeTritonContext made.
OpHints &hintsOf(mlir::MLIRContext &context);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_OP_HINTS_H

// The text of ops that compute what one op of TOSA does: private to tosa*.cc.
//
//   op       tosa.reciprocal of a tensor<4xf32>
//   splat    %t0 = arith.constant dense<1.000000e+00> : tensor<4xf32>
//   line     %t1 = stablehlo.divide %t0, %a0 : tensor<4xf32>
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_TEXT_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_TEXT_H

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace indexical {

using TosaSizes = llvm::SmallVector<int64_t, 6>;

std::string strOf(mlir::Type type);
/// Returns `1, 2`.
std::string listOf(llvm::ArrayRef<int64_t> numbers);

class TosaText {
 public:
  explicit TosaText(mlir::Operation *op) : op_(op) {}

  //===-- What the op says ------------------------------------------------===//

  llvm::StringRef name() const;  ///< without `tosa.`
  size_t count() const { return op_->getNumOperands(); }
  std::string operand(size_t k) const { return "%a" + std::to_string(k); }
  /// Return the type of an operand or of the only result; null if it is not
  /// a tensor, or says more than sizes and a plain type of elements.
  mlir::RankedTensorType typeOf(size_t k) const;
  mlir::RankedTensorType result() const;
  /// Returns whether the op has one result, and it and the first operands are
  /// such tensors, of sizes that are all known.
  bool isStatic(size_t operands) const;
  mlir::Attribute attribute(llvm::StringRef name) const {
    asked_.insert(name);
    return op_->getAttr(name);
  }
  /// Returns whether each attribute of the op that may change its result was
  /// asked for. A zero point of an older form may, unless it is 0.
  bool areAllAsked() const;
  std::optional<int64_t> integer(llvm::StringRef name) const;
  /// Returns the integers of an attribute; of the constant that the operand is,
  /// if there is none of that name.
  std::optional<TosaSizes> integers(llvm::StringRef name,
                                    std::optional<size_t> operand = {}) const;
  /// Returns whether an operand, if there is such, is a constant of zeros.
  bool isZeroOrAbsent(size_t operand) const;
  /// Returns whether a NaN among the operands is the result.
  bool keepsNan() const;

  //===-- What is written -------------------------------------------------===//

  /// Adds `%t4 = …`, and returns `%t4`.
  std::string line(const llvm::Twine &op);
  std::string constant(mlir::DenseElementsAttr value);
  /// Returns a constant of one number everywhere, rounded to the type.
  std::string splat(mlir::RankedTensorType type, double value);
  /// Returns the value broadcast along trailing dimensions; nothing if the
  /// sizes do not allow it, or are open.
  std::optional<std::string> broadcast(const std::string &value,
                                       mlir::RankedTensorType from,
                                       llvm::ArrayRef<int64_t> to);
  std::string reshape(const std::string &value, mlir::RankedTensorType from,
                      mlir::RankedTensorType to);

  /// Returns a function of the op's operands that gives the value.
  std::string function(llvm::StringRef value) const;

 private:
  mlir::Operation *op_;
  mutable llvm::StringSet<> asked_;
  std::string lines_;
  int lineCount_ = 0;
};

/// A value, or nothing if the op says what no row knows.
using WrittenTosa = std::optional<std::string>;

// tosa_products.cc
WrittenTosa writeTosaReduction(TosaText &t);
WrittenTosa writeTosaPool(TosaText &t);
WrittenTosa writeTosaConvolution(TosaText &t);
WrittenTosa writeTosaProduct(TosaText &t);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_TOSA_TEXT_H

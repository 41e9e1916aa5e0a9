// Attributes of an op of VHLO, and their form in StableHLO.
//
//   {"callee", kSymbol}               "f"               @f
//   {"sym_visibility", kUnlessEmpty}  ""                nothing
//   {"permutation", kNumbers}         dense<[1, 0]>     array<i64: 1, 0>
//   {"offset_dims", kPart}            dense<2>          in #stablehlo.gather<…>
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_FIELDS_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_FIELDS_H

#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

namespace indexical::vhlo {

enum As {
  kSame,         ///< it stays as it was read
  kInt32,        ///< an integer of 32 bits; its default is written with 64
  kNumbers,      ///< a list of integers, array<i64: …>
  kFlags,        ///< a list of truth values, array<i1: …>
  kSymbol,       ///< the name of a function, @f
  kSymbols,      ///< a list of these
  kUnit,         ///< true is an attribute without a value, false is left out
  kUnlessEmpty,  ///< "", [] and tensors without elements are left out
  kAccuracy,     ///< the default accuracy is left out
  kPart,         ///< the row assembles it with others
};

struct Field {
  llvm::StringLiteral name;
  As as = kSame;
};

/// Returns the attribute of the field in StableHLO, or null if StableHLO leaves
/// it out.
absl::StatusOr<mlir::Attribute> convertField(mlir::Attribute value, As as);

/// The fields of one op, read as parts of an attribute. The first missing or
/// wrong part is remembered, and reads as empty.
class Parts {
 public:
  explicit Parts(mlir::Operation *op) : op(op) {}

  llvm::SmallVector<int64_t> numbers(llvm::StringRef name);
  int64_t number(llvm::StringRef name);
  bool flag(llvm::StringRef name);
  mlir::Type type(llvm::StringRef name);
  bool has(llvm::StringRef name) const { return op->hasAttr(name); }

  mlir::MLIRContext *context() const { return op->getContext(); }
  const absl::Status &status() const { return wrong; }

 private:
  template <typename Value>
  Value of(llvm::StringRef name, llvm::StringRef kind,
           std::optional<Value> read(mlir::Attribute));

  mlir::Operation *op;
  absl::Status wrong;
};

/// Adds the attribute that the parts make to `attributes`.
using Assemble = void (*)(Parts &parts, mlir::NamedAttrList &attributes);

void assembleChannel(Parts &parts, mlir::NamedAttrList &attributes);
void assembleTransfer(Parts &parts, mlir::NamedAttrList &attributes);
void assembleConvolution(Parts &parts, mlir::NamedAttrList &attributes);
void assembleDot(Parts &parts, mlir::NamedAttrList &attributes);
void assembleGather(Parts &parts, mlir::NamedAttrList &attributes);
void assembleScatter(Parts &parts, mlir::NamedAttrList &attributes);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_FIELDS_H

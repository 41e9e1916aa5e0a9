// The text of attributes that are named lists and numbers, in any order:
//
//   #stablehlo.gather<offset_dims = [3, 4], index_vector_dim = 3>
//
//   llvm::SmallVector<int64_t> offset;
//   int64_t vector = 0;
//   return parseFields(
//       parser, {{"offset_dims", &offset}, {"index_vector_dim", &vector}});
//
// A field may be absent: its list is then empty, its number 0. A name that is
// not one of them, or that comes twice, is an error at its place.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_FIELDS_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_FIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/OpImplementation.h"

namespace indexical::stablehlo {

struct Field {
  Field(llvm::StringRef name, llvm::SmallVectorImpl<int64_t> *list)
      : name(name), list(list) {}
  Field(llvm::StringRef name, int64_t *number) : name(name), number(number) {}

  llvm::StringRef name;
  llvm::SmallVectorImpl<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};

/// Reads `name = value, …>`: fields in any order, and the bracket behind them.
mlir::ParseResult parseFieldsToClose(mlir::AsmParser &parser,
                                     llvm::ArrayRef<Field> fields);

/// Reads `<name = value, …>`: fields in any order, in brackets.
mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields);

/// Prints `name = value` of each, separated by commas; empty lists are left
/// out.
class FieldPrinter {
 public:
  explicit FieldPrinter(mlir::AsmPrinter &printer) : printer(printer) {}
  FieldPrinter &list(llvm::StringRef name, llvm::ArrayRef<int64_t> numbers);
  FieldPrinter &number(llvm::StringRef name, int64_t number);

 private:
  void name(llvm::StringRef name);
  mlir::AsmPrinter &printer;
  bool first = true;
};

/// Read and print `[1, 2]`.
mlir::ParseResult parseBracketed(mlir::AsmParser &parser,
                                 llvm::SmallVectorImpl<int64_t> &numbers);
void printBracketed(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> numbers);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_FIELDS_H

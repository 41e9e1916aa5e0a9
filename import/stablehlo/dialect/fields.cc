#include "indexical/import/stablehlo/dialect/fields.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical::stablehlo {

mlir::ParseResult parseBracketed(mlir::AsmParser &parser,
                                 llvm::SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(
      mlir::AsmParser::Delimiter::Square, [&]() -> mlir::ParseResult {
        return parser.parseInteger(numbers.emplace_back());
      });
}

void printBracketed(mlir::AsmPrinter &printer,
                    llvm::ArrayRef<int64_t> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer.getStream());
  printer << ']';
}

// `name = value` of one of the fields.
static mlir::ParseResult parseField(mlir::AsmParser &parser,
                                    llvm::ArrayRef<Field> fields,
                                    llvm::SmallSet<llvm::StringRef, 8> &seen) {
  llvm::SMLoc place = parser.getCurrentLocation();
  llvm::StringRef name;
  if (parser.parseKeyword(&name)) return mlir::failure();
  const Field *field = llvm::find_if(
      fields, [&](const Field &field) { return field.name == name; });
  if (field == fields.end()) {
    mlir::InFlightDiagnostic error = parser.emitError(place);
    error << "`" << name << "` is not one of the names expected here: ";
    llvm::interleaveComma(fields, error, [&](const Field &each) {
      error << '`' << each.name << '`';
    });
    return error;
  }
  if (!seen.insert(field->name).second)
    return parser.emitError(place) << "`" << name << "` is given twice";
  if (parser.parseEqual()) return mlir::failure();
  if (field->list) return parseBracketed(parser, *field->list);
  return parser.parseInteger(*field->number);
}

mlir::ParseResult parseFieldsToClose(mlir::AsmParser &parser,
                                     llvm::ArrayRef<Field> fields) {
  llvm::SmallSet<llvm::StringRef, 8> seen;
  while (failed(parser.parseOptionalGreater())) {
    if (parseField(parser, fields, seen)) return mlir::failure();
    // Some files have a comma after the last field too.
    if (failed(parser.parseOptionalComma())) return parser.parseGreater();
  }
  return mlir::success();
}

mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields) {
  return mlir::failure(parser.parseLess() ||
                       parseFieldsToClose(parser, fields));
}

void FieldPrinter::name(llvm::StringRef name) {
  if (!first) printer << ", ";
  first = false;
  printer << name << " = ";
}

FieldPrinter &FieldPrinter::list(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> numbers) {
  if (numbers.empty()) return *this;
  this->name(name);
  printBracketed(printer, numbers);
  return *this;
}

FieldPrinter &FieldPrinter::number(llvm::StringRef name, int64_t number) {
  this->name(name);
  printer << number;
  return *this;
}

}  // namespace indexical::stablehlo

#include "stablehlo/dialect/fields.h"

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

mlir::ParseResult parseFieldList(mlir::AsmParser &parser,
                                 llvm::ArrayRef<Field> fields) {
  llvm::SmallSet<llvm::StringRef, 8> seen;
  auto parseField = [&]() -> mlir::ParseResult {
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
  };
  return parser.parseCommaSeparatedList(parseField);
}

mlir::ParseResult parseFields(mlir::AsmParser &parser,
                              llvm::ArrayRef<Field> fields) {
  if (parser.parseLess()) return mlir::failure();
  if (mlir::succeeded(parser.parseOptionalGreater())) return mlir::success();
  if (parseFieldList(parser, fields)) return mlir::failure();
  return parser.parseGreater();
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

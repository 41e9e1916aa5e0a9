#include "indexical/import/stablehlo/dialect/text.h"

#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace indexical {

using llvm::StringRef;
using mlir::failure;
using mlir::succeeded;
using mlir::success;

namespace {

// Collects the text of tokens.
class Reader {
 public:
  explicit Reader(mlir::OpAsmParser &parser) : parser(parser) {}

  // Reads the next bracket if it is one of these; else returns false.
  bool open(StringRef openers = "<[{") {
    if (openers.contains('<') && take(parser.parseOptionalLess(), "<"))
      closers.push_back('>');
    else if (openers.contains('[') && take(parser.parseOptionalLSquare(), "["))
      closers.push_back(']');
    else if (openers.contains('{') && take(parser.parseOptionalLBrace(), "{"))
      closers.push_back('}');
    else
      return false;
    return true;
  }

  mlir::ParseResult readToClose() {
    while (!closers.empty()) {
      if (open()) continue;
      if (take(parser.parseOptionalLParen(), "(")) {
        closers.push_back(')');
      } else if (close()) {
        closers.pop_back();
      } else if (readToken()) {
        return parser.emitError(parser.getCurrentLocation())
               << "expected `" << std::string(1, closers.back())
               << "`, or what may stand before it";
      }
    }
    return success();
  }

  std::string text;

 private:
  bool take(mlir::ParseResult result, StringRef token) {
    if (!succeeded(result)) return false;
    text += token;
    return true;
  }

  bool close() {
    switch (closers.back()) {
      case '>':
        return take(parser.parseOptionalGreater(), ">");
      case ']':
        return take(parser.parseOptionalRSquare(), "]");
      case '}':
        return take(parser.parseOptionalRBrace(), "}");
      default:
        return take(parser.parseOptionalRParen(), ")");
    }
  }

  mlir::ParseResult readToken() {
    std::string string;
    mlir::StringAttr symbol;
    StringRef word;
    int64_t number = 0;
    if (take(parser.parseOptionalComma(), ", ") ||
        take(parser.parseOptionalEqual(), "=") ||
        take(parser.parseOptionalColon(), ":") ||
        take(parser.parseOptionalArrow(), "->") ||
        take(parser.parseOptionalQuestion(), "?") ||
        take(parser.parseOptionalStar(), "*"))
      return success();
    if (succeeded(parser.parseOptionalString(&string))) {
      llvm::raw_string_ostream out(text);
      out << '"';
      llvm::printEscapedString(string, out);
      out << '"';
      return success();
    }
    if (succeeded(parser.parseOptionalSymbolName(symbol))) {
      text += "@" + symbol.getValue().str();
      return success();
    }
    mlir::OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      text += std::to_string(number);
      return *isNumber;
    }
    if (mlir::failed(parser.parseOptionalKeyword(&word))) return failure();
    text += word;
    return success();
  }

  mlir::OpAsmParser &parser;
  llvm::SmallVector<char> closers;
};

}  // namespace

mlir::ParseResult parseText(mlir::OpAsmParser &parser, StringRef openers,
                            StringRef dialect, StringRef name,
                            mlir::Attribute &attribute) {
  Reader reader(parser);
  if (!reader.open(openers)) return success();
  if (reader.readToClose()) return failure();
  std::string text = reader.text;
  if (text.front() != '<') text = "<" + text + ">";
  attribute = mlir::OpaqueAttr::get(parser.getBuilder().getStringAttr(dialect),
                                    name.str() + text,
                                    parser.getBuilder().getNoneType());
  return success();
}

void printText(mlir::OpAsmPrinter &printer, StringRef name,
               mlir::Attribute attribute) {
  auto opaque = llvm::dyn_cast<mlir::OpaqueAttr>(attribute);
  StringRef text = opaque ? opaque.getAttrData() : "";
  if (!text.consume_front(name)) {
    printer << attribute;
    return;
  }
  if (text.starts_with("<[") || text.starts_with("<{"))
    text = text.drop_front().drop_back();
  printer << text;
}

void printRegionWithArguments(mlir::OpAsmPrinter &printer,
                              mlir::Region &region) {
  printer << " (";
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](mlir::BlockArgument argument) {
                          printer.printRegionArgument(argument);
                        });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

}  // namespace indexical

#include "indexical/import/stablehlo/import/sharding_text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/dialect/sdy.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Replaces the meshes `@name` in the text by their contents, if the module has
/// them.
std::string withMeshes(std::string text, mlir::Operation *from) {
  std::string result;
  StringRef rest = text;
  char quote = '\0';
  while (!rest.empty()) {
    const char c = rest.front();
    if (c == '"') quote = quote ? '\0' : c;
    if (c != '@' || quote) {
      result += c;
      rest = rest.drop_front();
      continue;
    }
    StringRef name = rest.drop_front();
    size_t length;
    if (name.consume_front("\"")) {
      name = name.take_until([](char d) { return d == '"'; });
      length = name.size() + 3;
    } else {
      name = name.take_while([](char d) {
        return llvm::isAlnum(d) || d == '_' || d == '.' || d == '$' || d == '-';
      });
      length = name.size() + 1;
    }
    auto mesh = mlir::SymbolTable::lookupNearestSymbolFrom<sdy::MeshOp>(
        from, mlir::StringAttr::get(from->getContext(), name));
    if (mesh && mesh.getMeshAttr()) {
      std::string printed;
      llvm::raw_string_ostream os(printed);
      os << mesh.getMeshAttr();
      StringRef body = printed;
      body.consume_front("#sdy.");
      result += body;
    } else {
      result += rest.take_front(length);
    }
    rest = rest.drop_front(length);
  }
  return result;
}

std::string textOf(mlir::Attribute attribute, mlir::Operation *from) {
  if (!attribute) return "";
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return text.getValue().str();
  return attributeTextOf(attribute, from);
}

}  // namespace

std::string attributeTextOf(mlir::Attribute attribute, mlir::Operation *op) {
  std::string printed;
  llvm::raw_string_ostream os(printed);
  os << attribute;
  return withMeshes(std::move(printed), op);
}

std::string shardingTextOf(mlir::Operation *op) {
  if (auto sharding = op->getAttrOfType<mlir::StringAttr>("mhlo.sharding"))
    return sharding.getValue().str();
  if (std::string said = textOf(op->getAttr("sdy.sharding"), op); !said.empty())
    return said;
  // A constraint or a reshard says what its result is.
  if (op->getName().getDialectNamespace() != "sdy") return "";
  for (const char *name : {"sharding", "out_sharding"})
    if (mlir::Attribute attribute = op->getAttr(name))
      return textOf(attribute, op);
  return "";
}

std::string argumentShardingText(mlir::FunctionOpInterface function,
                                 unsigned argument) {
  // A function may have more block arguments than arguments.
  if (argument >= function.getNumArguments()) return "";
  for (const char *name : {"mhlo.sharding", "sdy.sharding"})
    if (auto attribute = function.getArgAttr(argument, name))
      return textOf(attribute, function);
  return "";
}

std::string resultShardingText(mlir::FunctionOpInterface function) {
  std::string texts;
  for (unsigned k = 0; k < function.getNumResults(); ++k) {
    std::string text;
    for (const char *name : {"mhlo.sharding", "sdy.sharding"})
      if (auto attribute = function.getResultAttr(k, name))
        if (text.empty()) text = textOf(attribute, function);
    if (text.empty()) return "";
    if (k) texts += ", ";
    texts += text;
  }
  return texts;
}

}  // namespace indexical

#include "indexical/import/stablehlo/vhlo/rename.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/import/stablehlo/vhlo/dialect.h"
#include "indexical/import/stablehlo/vhlo/ops.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::vhlo {

namespace {

using llvm::StringRef;
using mlir::Attribute;
using mlir::Operation;

//===-- What is wrong, and where ------------------------------------------===//

// Returns `transpose_v1` of `vhlo.transpose_v1`, or "" for an op of another
// dialect.
StringRef vhloName(StringRef name) {
  return name.consume_front("vhlo.") ? name : "";
}

std::string placeOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (Operation *each = op; each; each = each->getParentOp())
    if (auto name = each->getAttrOfType<mlir::StringAttr>(
            mlir::SymbolTable::getSymbolAttrName());
        name && each != op) {
      out << " in `@" << name.getValue() << "`";
      break;
    }
  op->getLoc()->walk([&](mlir::Location location) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(location);
    if (!file) return mlir::WalkResult::advance();
    out << ", made at " << file.getFilename().getValue() << ":"
        << file.getLine() << ":" << file.getColumn();
    return mlir::WalkResult::interrupt();
  });
  return text;
}

absl::Status refuse(Operation *op, const llvm::Twine &why) {
  return errorAt(
      {}, ("`" + op->getName().getStringRef() + "`" + placeOf(op) + ": " + why)
              .str());
}

// Returns an error that lists the known versions of the op.
absl::Status refuseVersion(Operation *op) {
  StringRef name = vhloName(op->getName().getStringRef()).rsplit("_v").first;
  std::string known;
  for (const Row &row : rows())
    for (unsigned version = row.first; version <= row.last; ++version)
      if (row.name == name)
        known += (known.empty() ? "" : ", ") + std::to_string(version);
  if (known.empty())
    return refuse(op, "VHLO has no such op that is known here");
  return refuse(op, "this version of the op is not known here, but " + known);
}

//===-- One op ------------------------------------------------------------===//

// Returns the attributes of the op by its row, and those that are not VHLO's.
absl::StatusOr<mlir::NamedAttrList> attributesOf(Operation *op,
                                                 const Row &row) {
  mlir::NamedAttrList attributes(op->getAttrDictionary());
  for (const Field &field : row.fields) {
    Attribute value = attributes.erase(field.name);
    if (!value) return refuse(op, "`" + field.name + "` is missing");
    absl::StatusOr<Attribute> converted = convertField(value, field.as);
    if (!converted.ok())
      return refuse(op, "`" + field.name +
                            "`: " + std::string(converted.status().message()));
    if (*converted) attributes.set(field.name, *converted);
  }
  // A custom call gives all layouts or none.
  auto isNone = [&](StringRef name) {
    auto list =
        llvm::dyn_cast_if_present<mlir::ArrayAttr>(attributes.get(name));
    return list && list.empty();
  };
  if (row.name == "custom_call" && isNone("operand_layouts") &&
      isNone("result_layouts")) {
    attributes.erase("operand_layouts");
    attributes.erase("result_layouts");
  }
  if (!row.assemble) return attributes;
  Parts parts(op);
  row.assemble(parts, attributes);
  if (!parts.status().ok())
    return refuse(op, std::string(parts.status().message()));
  return attributes;
}

bool isFunction(Operation *op) {
  return op && (op->getName().getStringRef() == "vhlo.func_v1" ||
                op->getName().getStringRef() == "func.func");
}

std::string targetOf(Operation *op, const Row &row) {
  if (row.name == "return" && isFunction(op->getParentOp()))
    return "func.return";
  return row.target.empty() ? ("stablehlo." + row.name).str()
                            : row.target.str();
}

absl::Status rename(Operation *op) {
  const Row *row = findRow(vhloName(op->getName().getStringRef()));
  if (!row) return refuseVersion(op);
  if (op->getNumSuccessors() != 0)
    return refuse(op, "no op of VHLO has a successor");
  INDEXICAL_ASSIGN_OR_RETURN(mlir::NamedAttrList attributes,
                             attributesOf(op, *row));
  mlir::OperationState state(op->getLoc(), targetOf(op, *row));
  std::string wrong;
  {
    mlir::ScopedDiagnosticHandler handler(op->getContext(),
                                          [&](mlir::Diagnostic &diagnostic) {
                                            wrong = diagnostic.str();
                                            return mlir::success();
                                          });
    auto note = [&] { return mlir::emitError(op->getLoc()); };
    if (mlir::failed(state.name.verifyInherentAttrs(attributes, note)))
      return refuse(op, wrong);
  }
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.attributes = attributes;
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *renamed = Operation::create(state);
  op->getBlock()->getOperations().insert(op->getIterator(), renamed);
  op->replaceAllUsesWith(renamed);
  op->erase();
  return absl::OkStatus();
}

// Removes casts from VHLO's types to MLIR's, between VHLO and other dialects:
// both are the same types here. A cast of its own result, which a graph region
// may have, has no other value to replace it: it stays, and is refused later as
// an unknown op.
void removeCasts(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::UnrealizedConversionCastOp> casts;
  module.walk([&](mlir::UnrealizedConversionCastOp cast) {
    if (cast.getOperandTypes() == cast.getResultTypes()) casts.push_back(cast);
  });
  for (mlir::UnrealizedConversionCastOp cast : casts) {
    if (llvm::is_contained(cast->getOperands(), cast->getResult(0))) continue;
    cast->replaceAllUsesWith(cast->getOperands());
    cast->erase();
  }
}

//===-- What an artifact says of itself -----------------------------------===//

// Whether the text is the name of an op, `dot_general_v2`, as in the strings.
bool looksLikeOp(StringRef text) {
  auto [name, version] = text.rsplit("_v");
  return !name.empty() && !version.empty() &&
         llvm::all_of(version, llvm::isDigit) && llvm::all_of(name, [](char c) {
           return llvm::isLower(c) || llvm::isDigit(c) || c == '_' || c == '-';
         });
}

// Returns the program that wrote the bytecode, such as `StableHLO_v1.9.3`, or
// "" if the bytecode does not say. The name stands after the magic number and
// the version, a number of MLIR's variable length.
StringRef producerOf(StringRef bytecode) {
  bytecode = bytecode.drop_front(std::min<size_t>(4, bytecode.size()));
  if (bytecode.empty()) return "";
  unsigned char head = bytecode.front();
  size_t length = head == 0 ? 9 : llvm::countr_zero(head) + 1;
  return bytecode.drop_front(std::min(length, bytecode.size()))
      .take_until([](char c) { return c == '\0'; });
}

}  // namespace

void registerVhlo(mlir::MLIRContext &context) {
  mlir::DialectRegistry registry;
  registry.insert<VhloDialect>();
  context.appendDialectRegistry(registry);
}

absl::Status renameVhlo(mlir::ModuleOp module) {
  llvm::SmallVector<Operation *> ops;
  // Inner ops first, since a `return` looks at the op around it.
  module.walk([&](Operation *op) {
    if (!vhloName(op->getName().getStringRef()).empty()) ops.push_back(op);
  });
  if (ops.empty()) return absl::OkStatus();
  for (Operation *op : ops) INDEXICAL_RETURN_IF_ERROR(rename(op));
  removeCasts(module);
  return absl::OkStatus();
}

std::string whatIsStrange(StringRef bytecode) {
  StringRef producer = producerOf(bytecode);
  if (!producer.starts_with("StableHLO_v")) return "";
  std::string unknown;
  for (StringRef rest = bytecode; !rest.empty();) {
    auto [text, behind] = rest.split('\0');
    rest = behind;
    if (looksLikeOp(text) && !findRow(text))
      unknown += (unknown.empty() ? "`vhlo." : ", `vhlo.") + text.str() + "`";
  }
  std::string words = "; " + producer.str() + " wrote this artifact";
  if (!unknown.empty())
    words += ", which names what is not known here: " + unknown;
  return words;
}

}  // namespace indexical::vhlo

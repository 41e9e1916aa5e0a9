#include "indexical/import/stablehlo/import/custom_call.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/configuration.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/library_calls.h"

namespace indexical {
namespace {

/// Returns the value of a string attribute, the text of any other attribute, or
/// "" for null.
std::string textOf(mlir::Attribute attribute) {
  if (!attribute) return "";
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return text.getValue().str();
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

/// Returns the `backend_config`, or JAX's dictionary if that is empty: JAX then
/// writes the dictionary beside an empty string.
mlir::Attribute configurationOf(mlir::Operation *op) {
  const mlir::Attribute own = op->getAttr("backend_config");
  return textOf(own).empty() ? op->getAttr("mhlo.backend_config") : own;
}

}  // namespace

std::string backendConfigOf(mlir::Operation *op) {
  const mlir::Attribute attribute = configurationOf(op);
  const std::string text = textOf(attribute);
  if (text.empty() || !llvm::isa<mlir::StringAttr>(attribute)) return text;
  return "\"" + absl::CEscape(absl::string_view(text.data(), text.size())) +
         "\"";
}

/// Returns the descriptor that the builder, or the library if that is null,
/// makes of an op under that name.
static absl::StatusOr<std::optional<Op>> made(
    mlir::Operation *op, llvm::StringRef target, const Shape &result,
    const CustomCallBuilder *builder) {
  std::vector<Shape> operands;
  for (mlir::Type type : op->getOperandTypes()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOf(type));
    operands.push_back(std::move(shape));
  }
  std::vector<const Shape *> pointers;
  for (const Shape &shape : operands) pointers.push_back(&shape);
  std::deque<std::string> texts;
  auto attribute = [&](llvm::StringRef key) -> llvm::StringRef {
    return texts.emplace_back(textOf(op->getAttr(key)));
  };
  const CustomCall call = {target, pointers, result,
                           textOf(configurationOf(op)), attribute};
  auto known =
      builder ? std::make_optional((*builder)(call)) : libraryCall(call);
  if (!known) return std::nullopt;
  if (!known->ok()) return known->status();
  return std::make_optional(**std::move(known));
}

absl::StatusOr<std::optional<Op>> describeRegistered(
    mlir::Operation *op, const Shape &result, const CustomCallBuilder *builder,
    const OpShapes &shapes) {
  const std::string target = textOf(op->getAttr("call_target_name"));
  if (!builder && llvm::none_of(libraryTargets(), [&](const LibraryTarget &t) {
        return t.name == target;
      }))
    return std::nullopt;
  auto known = made(op, target, result, builder);
  if (!known.ok())
    return absl::InvalidArgumentError("custom call to `" + target + "`: " +
                                      std::string(known.status().message()));
  if (!*known) return std::nullopt;
  return std::make_optional((*known)->changed([&](OpDraft &draft) {
    static_cast<OpShapes &>(*draft) = shapes;
    draft->opKind = kindOf<CoverOp>("custom-call");
    draft->configuration = configurationOf(op, **known, *draft->opKind);
  }));
}

//===-- Ops that the library does not know --------------------------------===//

/// Whether an attribute of the op, or of the module around it, declares it
/// elementwise.
static absl::StatusOr<bool> saysElementwise(mlir::Operation *op) {
  constexpr llvm::StringLiteral kName = "indexical.elementwise";
  if (mlir::Attribute own = op->getAttr(kName)) {
    if (llvm::isa<mlir::UnitAttr>(own)) return true;
    return absl::InvalidArgumentError(
        "`indexical.elementwise` of an op has no value, but is " + textOf(own));
  }
  auto module = op->getParentOfType<mlir::ModuleOp>();
  mlir::Attribute list = module ? module->getAttr(kName) : mlir::Attribute();
  if (!list) return false;
  auto names = llvm::dyn_cast<mlir::ArrayAttr>(list);
  if (!names || !llvm::all_of(names, llvm::IsaPred<mlir::StringAttr>))
    return absl::InvalidArgumentError(
        "`indexical.elementwise` of a module is a list of ops, as "
        "[\"bitops.popcount\"], but is " +
        textOf(list));
  return llvm::any_of(names.getAsRange<mlir::StringAttr>(),
                      [&](mlir::StringAttr name) {
                        return name.getValue() == op->getName().getStringRef();
                      });
}

absl::StatusOr<std::optional<Op>> describeDefined(
    mlir::Operation *op, const Shape &result,
    const CustomCallRegistry *registry, const OpShapes &shapes) {
  const llvm::StringRef name = op->getName().getStringRef();
  if (findMlirOp(name) || llvm::isa<ir::ReadsOpInterface>(op))
    return std::nullopt;
  std::optional<Op> defined;
  if (const auto *builder = registry ? registry->find(name) : nullptr) {
    INDEXICAL_ASSIGN_OR_RETURN(defined, made(op, name, result, builder));
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(auto isSaid, saysElementwise(op));
    if (isSaid) defined = Op(ElementwiseOp());
  }
  if (!defined) return std::nullopt;
  return std::make_optional(defined->changed([&](OpDraft &draft) {
    static_cast<OpShapes &>(*draft) = shapes;
    // The kind is one of this library's, but the op is not.
    draft->configuration =
        configurationOf(op, *defined, *kindOf<CoverOp>("unknown"));
  }));
}

}  // namespace indexical

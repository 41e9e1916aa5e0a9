#include "indexical/stablehlo/import/custom_call.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/program/library_calls.h"
#include "indexical/stablehlo/describe/shapes.h"
#include "indexical/stablehlo/import/configuration.h"

namespace indexical {
namespace {

/// What a string holds, the text of any other attribute, "" for null.
std::string textOf(mlir::Attribute attribute) {
  if (!attribute) return "";
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return text.getValue().str();
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

}  // namespace

absl::StatusOr<std::optional<Op>> describeRegistered(
    mlir::Operation *op, const Shape &result, const CustomCallBuilder *builder,
    const OpShapes &shapes) {
  const std::string target = textOf(op->getAttr("call_target_name"));
  if (!builder && llvm::none_of(libraryTargets(), [&](const LibraryTarget &t) {
        return t.name == target;
      }))
    return std::nullopt;
  std::vector<Shape> operands;
  for (mlir::Type type : op->getOperandTypes()) {
    auto shape = shapeOf(type);
    if (!shape.ok()) return shape.status();
    operands.push_back(*std::move(shape));
  }
  std::vector<const Shape *> pointers;
  for (const Shape &shape : operands) pointers.push_back(&shape);
  std::deque<std::string> texts;
  auto attribute = [&](llvm::StringRef key) -> llvm::StringRef {
    return texts.emplace_back(textOf(op->getAttr(key)));
  };
  // JAX writes a dictionary beside it.
  std::string configuration = textOf(op->getAttr("backend_config"));
  if (configuration.empty())
    configuration = textOf(op->getAttr("mhlo.backend_config"));
  const CustomCall call = {target, pointers, result, std::move(configuration),
                           attribute};
  absl::StatusOr<Op> made = Op::none();
  if (builder)
    made = (*builder)(call);
  else if (auto known = libraryCall(call))
    made = *std::move(known);
  else
    return std::nullopt;
  if (!made.ok())
    return absl::InvalidArgumentError("custom call to `" + target + "`: " +
                                      std::string(made.status().message()));
  Op described = made->changed([&](OpDraft &draft) {
    static_cast<OpShapes &>(*draft) = shapes;
    draft->opKind = kindOf<CoverOp>("custom-call");
    draft->configuration = configurationOf(op, *made, *draft->opKind);
  });
  return std::optional<Op>(std::move(described));
}

}  // namespace indexical

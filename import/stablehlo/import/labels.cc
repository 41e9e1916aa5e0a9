#include "indexical/import/stablehlo/import/labels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParserState.h"

namespace indexical {

using llvm::StringRef;

Labels::Labels(const MlirModule &parsed)
    : module_(*parsed.module), parsed_(&parsed) {
  if (!parsed.state) return;
  for (const auto &block : parsed.state->getBlockDefs())
    for (auto [k, argument] : llvm::enumerate(block.arguments))
      if (argument.loc.isValid())
        arguments_[block.block->getArgument(k)] = argument.loc;
}

/// `%sum` or `%sum:2` as the name `sum`.
Label Labels::in(llvm::SMRange range) const {
  Label label;
  label.place = parsed_->placeOf(range.Start);
  StringRef text = parsed_->textOf(range);
  text.consume_front("%");
  label.name = text.split(':').first.str();
  return label;
}

Label Labels::of(mlir::Operation *op) {
  Label label;
  bool hasName = true;
  for (mlir::Operation *at = op;
       parsed_ && parsed_->state && at && !label.place.known();
       at = at->getParentOp()) {
    mlir::Operation *original = at;
    if (const auto written = parsed_->written.find(at);
        written != parsed_->written.end()) {
      original = written->second.original;
      hasName &= at != op || written->second.hasName;
    }
    const auto *definition = parsed_->state->getOpDef(original);
    if (!definition) continue;
    if (at == op && hasName && !definition->resultGroups.empty())
      label = in(definition->resultGroups[0].definition.loc);
    label.place = parsed_->placeOf(definition->loc.Start);
  }
  if (label.name.empty() && hasName && op->getNumResults() > 0)
    label.name = numbered(op->getResult(0));
  return label;
}

Label Labels::of(mlir::BlockArgument argument) {
  Label label;
  if (auto found = arguments_.find(argument); found != arguments_.end())
    label = in(found->second);
  if (label.name.empty()) label.name = numbered(argument);
  return label;
}

std::string Labels::numbered(mlir::Value value) {
  if (!numbers_) numbers_ = std::make_unique<mlir::AsmState>(module_);
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, *numbers_);
  StringRef name = text;
  name.consume_front("%");
  return name.split('#').first.str();
}

}  // namespace indexical

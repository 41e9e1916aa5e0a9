#include "indexical/import/triton/subtiles.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using mlir::Block;
using mlir::Operation;
using mlir::Value;

namespace {

// Regions in regions multiply.
constexpr size_t kMostOps = 100'000;

/// The parts of an op, each a block that ends with what it yields.
struct Parts {
  Block *setup = nullptr, *tile = nullptr, *teardown = nullptr;
  mlir::ValueRange inputs;
  llvm::SmallVector<mlir::DenseI32ArrayAttr> mappings;
};

/// Returns the region's block, or null if it is not one block with an end.
Block *blockOf(mlir::Region &region) {
  if (!region.hasOneBlock() || region.front().empty()) return nullptr;
  const llvm::StringRef end = region.front().back().getName().getStringRef();
  return end.ends_with(".subtiled_region_yield") ? &region.front() : nullptr;
}

bool areAlike(mlir::TypeRange a, mlir::TypeRange b) {
  return llvm::equal(a, b);
}

/// Whether a tile's arguments are those values of the setup. An argument may be
/// left for the part's number.
bool fits(Block &tile, mlir::DenseI32ArrayAttr mapping,
          mlir::ValueRange values) {
  const size_t count = tile.getNumArguments(), taken = mapping.size();
  if (taken != count && !(taken + 1 == count &&
                          tile.getArgument(count - 1).getType().isInteger(32)))
    return false;
  for (auto [k, number] : llvm::enumerate(mapping.asArrayRef()))
    if (number < 0 || static_cast<size_t>(number) >= values.size() ||
        values[number].getType() != tile.getArgument(k).getType())
      return false;
  return true;
}

/// Returns nothing if the op is not as subtiles.h says.
std::optional<Parts> partsOf(Operation *op) {
  Parts parts;
  auto mappings = op->getAttrOfType<mlir::ArrayAttr>(kTileMappings);
  if (!mappings) mappings = op->getAttrOfType<mlir::ArrayAttr>("tileMappings");
  const auto regions = op->getRegions();
  if (!mappings || regions.size() < 2 || regions.size() > 3)
    return std::nullopt;
  parts.setup = blockOf(regions[0]);
  parts.tile = blockOf(regions[1]);
  if (regions.size() == 3) parts.teardown = blockOf(regions[2]);
  if (!parts.setup || !parts.tile || (regions.size() == 3 && !parts.teardown))
    return std::nullopt;
  size_t inputs = op->getNumOperands();
  if (const auto count = integerOf(op->getAttr(kSubtileInputs)))
    inputs = static_cast<size_t>(*count);
  else if (const auto segments = op->getAttrOfType<mlir::DenseI32ArrayAttr>(
               "operandSegmentSizes");
           segments && !segments.empty() && segments[0] >= 0)
    inputs = static_cast<size_t>(segments[0]);
  if (inputs > op->getNumOperands()) return std::nullopt;
  parts.inputs = op->getOperands().take_front(inputs);
  const mlir::ValueRange values = parts.setup->back().getOperands();
  if (!areAlike(parts.setup->getArgumentTypes(), parts.inputs.getTypes()))
    return std::nullopt;
  for (mlir::Attribute each : mappings) {
    const auto mapping = llvm::dyn_cast<mlir::DenseI32ArrayAttr>(each);
    if (!mapping || !fits(*parts.tile, mapping, values)) return std::nullopt;
    parts.mappings.push_back(mapping);
  }
  const mlir::TypeRange made =
      parts.teardown ? mlir::TypeRange(parts.teardown->back().getOperands())
                     : mlir::TypeRange();
  if (!areAlike(made, op->getResultTypes()) ||
      (parts.teardown && parts.teardown->getNumArguments() > 0))
    return std::nullopt;
  return parts;
}

size_t opsIn(Block &block) {
  size_t count = 0;
  block.walk([&](Operation *) { ++count; });
  return count;
}

}  // namespace

WrittenSubtiles::WrittenSubtiles(mlir::ModuleOp module) {
  llvm::SmallVector<Operation *> all;
  module->walk<mlir::WalkOrder::PostOrder>([&](Operation *op) {
    if (op->getName().getStringRef().ends_with(".subtiled_region"))
      all.push_back(op);
  });
  if (all.empty()) return;
  module->getContext()->getOrLoadDialect<mlir::arith::ArithDialect>();
  for (Operation *op : all) write(op);
}

WrittenSubtiles::~WrittenSubtiles() {
  for (Operation *op : llvm::reverse(removed_)) op->destroy();
}

void WrittenSubtiles::write(Operation *op) {
  const auto parts = partsOf(op);
  if (!parts) return;
  const size_t grown = opsIn(*parts->setup) +
                       opsIn(*parts->tile) * parts->mappings.size() +
                       (parts->teardown ? opsIn(*parts->teardown) : 0);
  if (ops_ + grown > kMostOps) return;
  ops_ += grown;
  // A copy of a copy has the first one's original.
  const auto copyBody = [&](Block &body, mlir::IRMapping &mapping) {
    // The end is of an op that MLIR does not know for one.
    for (Operation &inner :
         llvm::make_range(body.begin(), std::prev(body.end())))
      op->getBlock()->getOperations().insert(op->getIterator(),
                                             inner.clone(mapping));
    for (const auto &[from, to] : mapping.getOperationMap())
      originals_.try_emplace(to, originalOf(from));
  };
  const auto yielded = [](Block &body, const mlir::IRMapping &mapping) {
    llvm::SmallVector<Value> values;
    for (Value value : body.back().getOperands())
      values.push_back(mapping.lookupOrDefault(value));
    return values;
  };
  mlir::IRMapping outer;
  outer.map(parts->setup->getArguments(), parts->inputs);
  copyBody(*parts->setup, outer);
  const llvm::SmallVector<Value> made = yielded(*parts->setup, outer);
  mlir::OpBuilder builder(op);
  for (auto [number, mapping] : llvm::enumerate(parts->mappings)) {
    mlir::IRMapping own;
    for (auto [k, value] : llvm::enumerate(mapping.asArrayRef()))
      own.map(parts->tile->getArgument(k), made[value]);
    if (const size_t k = mapping.size(); k < parts->tile->getNumArguments())
      own.map(parts->tile->getArgument(k),
              mlir::arith::ConstantOp::create(
                  builder, op->getLoc(),
                  builder.getI32IntegerAttr(static_cast<int32_t>(number)))
                  .getResult());
    copyBody(*parts->tile, own);
  }
  if (parts->teardown) {
    mlir::IRMapping own;
    copyBody(*parts->teardown, own);
    op->replaceAllUsesWith(yielded(*parts->teardown, own));
  }
  op->remove();
  op->dropAllReferences();
  removed_.push_back(op);
}

}  // namespace indexical::triton

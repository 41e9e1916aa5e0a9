// Elements of tensors whose sizes are open.
//
//   %0 = arith.addf %x, %y : tensor<?xf32>
//   element (i), i in [0, inf]    add(x[i], y[i])
//
// An element is a function of its index, which has no upper bound here: what
// holds at all indices holds at those that the tensor has. That both modules
// have as many is another question (open_sizes.h). An op of whole arrays, and a
// reduction of an open number of elements, are terms of the whole program.
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/moved_operands.h"

namespace indexical {
namespace {

/// Whether only a bound of a size is known. HLO's ops on such sizes say what
/// stands behind the size, too.
bool hasBounded(const OpShapes &shapes) {
  for (const ShapeList *list : {&shapes.operands, &shapes.results})
    for (const ArrayShape &shape : *list)
      if (shape.dynamic.any()) return true;
  return false;
}

}  // namespace

bool ElementTerms::isFollowedWithOpenSizes(
    const Instruction &instruction) const {
  const Op &op = instruction.op;
  const OpShapes &shapes = shapesOf(op);
  if (hasBounded(shapes)) return false;
  if (isCopy(op)) return true;
  if (op.is<CallOp>()) return isInlined(op);
  if (const auto *size = op.as<NullaryOp>()) return size->sizeOf.has_value();
  if (op.is<ElementwiseOp>())
    return instruction.called.empty() && shapes.results.size() == 1;
  if (!movedOperands(module_, instruction).empty()) return true;
  const auto *custom = op.as<CustomOp>();
  return custom && dynamic_cast<const HasBodyLoops *>(custom->maps.get()) &&
         instruction.called.size() == 1;
}

OpenSizes *ElementTerms::openSizes(Site site) {
  if (site.frame != 0) return nullptr;
  if (!openSizes_) openSizes_.emplace(module_, entry_, numbers_);
  return &*openSizes_;
}

std::optional<SizeSum> ElementTerms::sizeOfResult(LeafId result,
                                                  int64_t dimension) {
  const Site root = rootSite(result);
  return openSizes(root)->of({root.instruction, root.leaf}, dimension);
}

std::vector<std::pair<SaidNumber, SizeSum>> ElementTerms::forcedSizes() {
  return openSizes(rootSite(LeafId(0)))->forced();
}

std::optional<ElementId> ElementTerms::sizeOf(Site site, int64_t dimension) {
  const Site origin = originOf(site);
  OpenSizes *sizes = openSizes(origin);
  if (!sizes || origin.instruction < 0) return std::nullopt;
  const auto sum = sizes->of({origin.instruction, origin.leaf}, dimension);
  if (!sum) return std::nullopt;
  return numberOf(*sum);
}

std::optional<ElementId> ElementTerms::ofOwnSize(Site site, int64_t tensor,
                                                 int64_t dimension) {
  const auto operands = computation(site).operandLeaves(site.instruction);
  if (tensor < 0) return std::nullopt;
  if (static_cast<size_t>(tensor) >= operands.size()) {
    const auto leaf = tensor - static_cast<int64_t>(operands.size());
    return sizeOf({site.frame, site.instruction, LeafId(leaf)}, dimension);
  }
  const OperandLeaf &leaf = operands[tensor];
  if (leaf.instruction < 0) return std::nullopt;
  return sizeOf({site.frame, leaf.instruction, leaf.result}, dimension);
}

ElementId ElementTerms::numberOf(const SizeSum &sum) {
  const ElementType type = ElementType::S64;
  auto constant = [&](int64_t value) {
    const auto word = static_cast<uint64_t>(value);
    std::string bytes;
    for (int k = 0; k < 64; k += 8) bytes += static_cast<char>(word >> k);
    return table_.literal(type, bytes);
  };
  const Op plus = elementwiseOp("add", {type, type}, type),
           times = elementwiseOp("multiply", {type, type}, type);
  ElementId all = constant(sum.constant);
  for (const auto &[said, by] : sum.terms) {
    Element parameter;
    parameter.kind = Element::Kind::Parameter;
    parameter.number = said.parameter;
    parameter.leaf = said.leaf;
    ElementId array = table_.intern(std::move(parameter));
    IndexingMapBuilder builder;
    if (said.dimension < 0) {
      for (int64_t i : said.index) builder.result(builder.constant(i));
    } else {
      // A size is a number that the array has beside its elements.
      NullaryOp op;
      op.operands = {ArrayShape(type, {})};
      op.results = {ArrayShape(type, {})};
      op.sizeOf = said.dimension;
      Element size;
      size.kind = Element::Kind::Computed;
      size.op = Op(std::move(op));
      size.operands = {array};
      array = table_.intern(std::move(size));
    }
    const auto map = builder.build();
    if (!map.ok()) return unknown();
    const ElementId one = table_.read(array, type, *map);
    all = table_.apply(plus, {all, table_.apply(times, {one, constant(by)})});
  }
  return all;
}

}  // namespace indexical

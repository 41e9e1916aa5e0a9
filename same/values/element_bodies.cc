// Elements of ops that are loops around a body of scalars.
//
//   linalg.generic … ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>)
//     places (l0, l1) of %x, (l0) of %z; body (a, b): b + exponential(a)
//   element (i):  add over s0 in [0, 5] of exponential(x[i, s0]), begun with
//                 z[i]
//
// Within the body a scalar is an array over the index of the iteration: the
// argument a is x at the place of %x, and `linalg.index 0` is l0. A value that
// is defined around the body is the same in each iteration.
//
// Loops that are not in the index of a result reduce it. The body is then what
// it was before, and an op that commutes, of something without it.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// How the loops give the index of a result.
struct Nest {
  /// For each loop its coordinate in the index, with the reduced loops behind.
  std::vector<size_t> places;
  std::vector<int64_t> reduced;  ///< their sizes
};

/// Returns nothing if some coordinate is not a loop by itself.
std::optional<Nest> nestOf(const BodyLoops &loops, const IndexingMap &place) {
  const size_t rank = place.results().size();
  std::vector<std::optional<size_t>> at(loops.sizes.size());
  for (auto [coordinate, form] : llvm::enumerate(place.results())) {
    const auto &pool = place.expressions();
    const auto terms = pool.terms(form);
    // A loop of one iteration is 0.
    if (pool.constant(form) == 0 && terms.empty()) continue;
    if (pool.constant(form) != 0 || terms.size() != 1 ||
        terms[0].coefficient != 1)
      return std::nullopt;
    const Atom &atom = pool.atom(terms[0].atom);
    if (atom.kind != AtomKind::Variable || at[atom.variable().index])
      return std::nullopt;
    at[atom.variable().index] = coordinate;
  }
  Nest nest;
  for (auto [loop, coordinate] : llvm::enumerate(at)) {
    if (!coordinate) {
      coordinate = rank + nest.reduced.size();
      nest.reduced.push_back(loops.sizes[loop]);
    }
    nest.places.push_back(*coordinate);
  }
  return nest;
}

/// Returns the map of the first loops, as many as the result has dimensions, to
/// its index.
IndexingMap placeOfResult(const BodyLoops &loops, const ArrayShape &result) {
  IndexingMapBuilder builder;
  llvm::SmallVector<Expr, 6> all;
  for (int64_t size : loops.sizes)
    all.push_back(builder.dimension(indicesBelow(size)));
  for (int64_t k = 0; k < result.rank(); ++k) builder.result(all[k]);
  auto place = builder.build();
  return place.ok() ? *std::move(place) : IndexingMap::knownEmpty();
}

/// A value of a body.
struct BodyValue {
  InstructionId instruction;
  LeafId leaf;
};

BodyValue operandOf(const Computation &body, InstructionId i, size_t k) {
  const OperandLeaf leaf = body.operandLeaf(i, LeafId(k));
  const InstructionLeaf origin =
      originOf(body, InstructionLeaf{leaf.instruction, leaf.result});
  return {origin.instruction, origin.leaf};
}

/// Returns which parameters the value depends on.
std::vector<bool> parametersOf(const Computation &body, InstructionId from) {
  std::vector<bool> found(body.parameters.size());
  std::vector<bool> seen(body.instructions.size());
  std::vector<InstructionId> stack{from};
  while (!stack.empty()) {
    const InstructionId at = stack.back();
    stack.pop_back();
    if (at < 0 || seen[at]) continue;
    seen[at] = true;
    const Instruction &instruction = body.instructions[at];
    if (instruction.parameterNumber >= 0)
      found[instruction.parameterNumber] = true;
    for (InstructionId operand : instruction.operands) stack.push_back(operand);
  }
  return found;
}

/// Whether the value depends on what an iteration before made of a result, but
/// for result `own`. Nobody knows here what that is.
bool dependsOnOthers(const Computation &body, const BodyLoops &loops,
                     InstructionId from, size_t own) {
  const std::vector<bool> parameters = parametersOf(body, from);
  for (size_t p = loops.inputs; p < loops.places.size(); ++p)
    if (p != own && parameters[p]) return true;
  return false;
}

}  // namespace

namespace {

/// Whether a loop runs as often as nobody knows.
bool isOpen(llvm::ArrayRef<int64_t> sizes) {
  return llvm::is_contained(sizes, kDynamicSize);
}

/// Returns the loops with the sizes that operands of these shapes have, as far
/// as these are known; nothing if arithmetic leaves 64 bits.
std::optional<BodyLoops> sized(const BodyLoops &loops, const OpShapes &shapes) {
  BodyLoops made = loops;
  for (auto [size, extent] : llvm::zip(made.sizes, made.extents)) {
    if (size != kDynamicSize) continue;
    const auto count = static_cast<int64_t>(shapes.operands.size());
    if (extent.leaf < 0 || extent.leaf >= count) continue;
    const ArrayShape &shape = shapes.operands[extent.leaf];
    if (extent.dimension >= shape.rank()) return std::nullopt;
    size = sizeIfFixed(shape, extent.dimension).value_or(kDynamicSize);
  }
  IndexingMapBuilder builder;
  for (int64_t size : made.sizes)
    builder.result(builder.dimension(indicesBelow(size)));
  const auto all = builder.build();
  if (!all.ok()) return std::nullopt;
  for (IndexingMap &place : made.places) {
    auto bounded = compose(*all, place);
    if (!bounded.ok()) return std::nullopt;
    place = *std::move(bounded);
  }
  return made;
}

}  // namespace

const BodyLoops *ElementTerms::loopsOf(const Op &op) {
  const auto *custom = op.as<CustomOp>();
  const auto *maps =
      custom ? dynamic_cast<const HasBodyLoops *>(custom->maps.get()) : nullptr;
  const BodyLoops *loops = maps ? maps->bodyLoops() : nullptr;
  if (!loops || !isOpen(loops->sizes)) return loops;
  auto [found, isNew] = sizedLoops_.try_emplace(op);
  if (isNew) found->second = sized(*loops, shapesOf(op));
  return found->second ? &*found->second : nullptr;
}

bool ElementTerms::isOfNumbers(llvm::ArrayRef<ElementId> operands,
                               const IndexingMap &map) {
  return llvm::all_of(operands, [&](ElementId id) {
    return table_.integerOf(id) || integerAt(id, map);
  });
}

/// Returns the frame of the body, whose parameters are these sites.
int32_t ElementTerms::frameOfBody(Site site, const BodyLoops &loops,
                                  llvm::ArrayRef<Site> parameters) {
  const auto key = std::make_tuple(site.frame, site.instruction, int32_t(0));
  auto known = callees_.find(key);
  if (known == callees_.end()) {
    Frame made;
    made.computation = instruction(site).called[0].computation;
    made.calls = frames_[site.frame].calls;
    made.caller = site.frame;
    made.arguments.assign(parameters.begin(), parameters.end());
    made.isTrip = made.isLifted = true;
    made.loops = &loops;
    frames_.push_back(std::move(made));
    known =
        callees_.emplace(key, static_cast<int32_t>(frames_.size()) - 1).first;
  }
  return known->second;
}

/// An element that a body makes of its index, and of what is around the body.
ElementId ElementTerms::generatedAt(Site site, const BodyLoops &loops,
                                    const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const ComputationId called = i.called[0].computation;
  if (called < 0 || module_.computations[called].root < 0)
    return arrayAt(site, map);
  const Computation &body = module_.computations[called];
  const std::vector<Site> operands = operandSites(site);
  const auto indices = static_cast<size_t>(loops.indices);
  const size_t count = body.parameters.size();
  const size_t captured = count < indices ? 0 : count - indices;
  if (count < indices || captured != static_cast<size_t>(i.captured) ||
      captured > operands.size() || map.results().size() != indices)
    return arrayAt(site, map);
  // What the body captures stands behind the other operands.
  std::vector<Site> parameters(indices, Site{site.frame, {}, LeafId(0)});
  parameters.insert(parameters.end(), operands.end() - captured,
                    operands.end());
  const int32_t frame = frameOfBody(site, loops, parameters);
  const BodyValue root = operandOf(body, body.root, 0);
  const ElementId id = elementAt({frame, root.instruction, root.leaf}, map);
  const bool isKnown =
      id == kParts || table_[id].kind != Element::Kind::Unknown;
  return isKnown ? id : arrayAt(site, map);
}

ElementId ElementTerms::bodyAt(Site site, const BodyLoops &loops,
                               const IndexingMap &map) {
  const Instruction &i = instruction(site);
  if (loops.indices > 0) return generatedAt(site, loops, map);
  const size_t out = loops.inputs + site.leaf;
  const ComputationId called = i.called[0].computation;
  if (called < 0 || out >= loops.places.size() ||
      llvm::is_contained(loops.sizes, 0))
    return arrayAt(site, map);
  const Computation &body = module_.computations[called];
  const std::vector<Site> operands = operandSites(site);
  // The parameters are the operands.
  if (body.parameters.size() != operands.size() ||
      body.parameters.size() < loops.places.size() || body.root < 0)
    return arrayAt(site, map);
  const auto nest = nestOf(loops, loops.places[out]);
  const ArrayShape result = shapeOf(site);
  if (!nest || isOpen(nest->reduced)) return arrayAt(site, map);
  std::vector<int64_t> all(result.dimensions.begin(), result.dimensions.end());
  llvm::append_range(all, nest->reduced);
  const auto index = picked(all, nest->places);
  if (!index.ok()) return arrayAt(site, map);
  const int32_t frame = frameOfBody(site, loops, operands);
  const BodyValue root = operandOf(body, body.root, site.leaf);
  const bool runsOnce =
      llvm::all_of(nest->reduced, [](int64_t size) { return size == 1; });
  auto behindIndex = [&](const IndexingMap &from, const BodyValue &value) {
    auto iteration = compose(from, *index);
    return iteration.ok()
               ? elementAt({frame, value.instruction, value.leaf}, *iteration)
               : unknown();
  };
  ElementId id = unknown();
  if (runsOnce) {
    if (dependsOnOthers(body, loops, root.instruction, out))
      return arrayAt(site, map);
    // The index of a loop of one iteration is 0.
    std::vector<size_t> order(nest->reduced.size());
    for (auto [k, place] : llvm::enumerate(order)) place = k;
    const auto added =
        withNewVariables(result.dimensions, nest->reduced, order);
    auto from = added.ok() ? compose(map, *added) : added;
    if (!from.ok()) return arrayAt(site, map);
    id = behindIndex(*from, root);
  } else {
    if (isBelowLevels()) return wholeAt(site, map);
    const Instruction &last = body.instructions[root.instruction];
    const InstructionId before = body.parameters[out];
    std::optional<BodyValue> added;
    if (last.parameterNumber < 0 && last.operands.size() == 2 &&
        reducesInAnyOrder(last.op) && last.called.empty())
      for (size_t k : {0, 1})
        if (operandOf(body, root.instruction, k).instruction == before)
          added = operandOf(body, root.instruction, 1 - k);
    // `own` is none: the rest does not depend on what was before, either.
    if (!added || dependsOnOthers(body, loops, added->instruction,
                                  /*own=*/loops.places.size()))
      return arrayAt(site, map);
    const ElementId init = operandAt(site, out, map);
    if (init == kParts) return kParts;
    id = reduceOver(
        scalarOp(last.op), result, nest->reduced, map, init,
        [&](const IndexingMap &inner) { return behindIndex(inner, *added); });
  }
  const bool isKnown =
      id == kParts || table_[id].kind != Element::Kind::Unknown;
  return isKnown ? id : arrayAt(site, map);
}

/// The same where the loops' two ops stand for a body.
ElementId ElementTerms::combinedAt(Site site, const BodyLoops &loops,
                                   const IndexingMap &map) {
  const ArrayShape result = shapeOf(site);
  const size_t before = loops.inputs;
  const bool hasBefore = loops.places.size() > before;
  if (llvm::is_contained(loops.sizes, 0)) return arrayAt(site, map);
  if (isBelowLevels()) return wholeAt(site, map);
  // Without an operand, the place of what was before is that of the result.
  const auto nest = nestOf(
      loops, hasBefore ? loops.places[before] : placeOfResult(loops, result));
  if (!nest || isOpen(nest->reduced)) return arrayAt(site, map);
  std::vector<int64_t> all(result.dimensions.begin(), result.dimensions.end());
  llvm::append_range(all, nest->reduced);
  const auto index = picked(all, nest->places);
  if (!index.ok()) return arrayAt(site, map);
  std::optional<ElementId> init;
  if (hasBefore) {
    init = operandAt(site, before, map);
    if (*init == kParts) return kParts;
  }
  const ElementId id = reduceOver(
      scalarOp(*loops.combine), result, nest->reduced, map, init,
      [&](const IndexingMap &inner) {
        llvm::SmallVector<ElementId, 2> inputs;
        for (size_t k = 0; k < before; ++k) {
          auto iteration = compose(inner, *index);
          if (iteration.ok()) iteration = compose(*iteration, loops.places[k]);
          if (!iteration.ok()) return unknown();
          inputs.push_back(operandAt(site, k, *iteration));
          if (inputs.back() == kParts) return ElementId(kParts);
        }
        return loops.product ? table_.apply(scalarOp(*loops.product), inputs)
                             : inputs[0];
      });
  const bool isKnown =
      id == kParts || table_[id].kind != Element::Kind::Unknown;
  return isKnown ? id : arrayAt(site, map);
}

/// An element of a computation of scalars in an iteration. What is not scalars
/// is the same in all of them.
ElementId ElementTerms::liftedAt(Site site, const IndexingMap &iteration) {
  const Instruction &i = instruction(site);
  const Op &op = i.op;
  if (i.parameterNumber >= 0)
    return frames_[site.frame].loops ? bodyArgumentAt(site, iteration)
                                     : parameterAt(site, iteration);
  if (!shapeOf(site).isScalar() || hasEffects(op)) return unknown();
  if (const auto *forward = op.as<ForwardOp>()) {
    const int64_t from = forward->reads[site.leaf];
    return from >= 0 && isForwarded(op, site.leaf, from)
               ? operandAt(site, from, iteration)
               : unknown();
  }
  if (isCopy(op)) return operandAt(site, 0, iteration);
  if (op.is<CallOp>() && isInlined(op)) return callAt(site, iteration);
  if (const auto *literal = op.as<ConstantOp>())
    return literal->isKnown ? literalAt(op, iteration)
                            : knownAt(site, iteration);
  const OpShapes &shapes = shapesOf(op);
  const auto isScalar = [](const ArrayShape &shape) {
    return shape.isScalar();
  };
  if (op.is<ElementwiseOp>() && i.called.empty())
    return shapes.results.size() == 1 && llvm::all_of(shapes.operands, isScalar)
               ? elementwiseAt(site, iteration)
               : unknown();
  if (traitsOf(op).elements == ElementRule::Extracted)
    return extractedAt(site, iteration);
  llvm::StringRef text = op.descriptor().configuration;
  if (op.kind().name != "linalg.index" || !frames_[site.frame].loops)
    return unknown();
  size_t loop = 0;
  if (!text.consume_front("dim=") || text.consumeInteger(10, loop))
    return unknown();
  return iterationIndex(loop, shapes.results[0].type, iteration);
}

/// Returns the index of a loop in an iteration.
ElementId ElementTerms::iterationIndex(size_t loop, ElementType type,
                                       const IndexingMap &iteration) {
  if (loop >= iteration.results().size()) return unknown();
  auto number = withBody(iteration, [&](IndexingMapBuilder &, MapBody &body) {
    body.results = {body.results[loop]};
  });
  if (number.ok()) number = simplify(*number);
  if (!number.ok()) return unknown();
  return table_.index(type, *number);
}

ElementId ElementTerms::bodyArgumentAt(Site site,
                                       const IndexingMap &iteration) {
  const Frame &frame = frames_[site.frame];
  const size_t number = instruction(site).parameterNumber;
  if (number >= frame.arguments.size()) return unknown();
  if (number < static_cast<size_t>(frame.loops->indices))
    return iterationIndex(number, shapeOf(site).type, iteration);
  const Site argument = frame.arguments[number];
  if (argument.instruction < 0) return unknown();
  if (number >= frame.loops->places.size()) {
    // It is defined around the body: an element of an array that is asked for,
    // or a scalar.
    return elementAt(argument, shapeOf(site).isScalar()
                                   ? withoutResults(iteration)
                                   : iteration);
  }
  const auto place = compose(iteration, frame.loops->places[number]);
  return place.ok() ? elementAt(argument, *place) : unknown();
}

/// `tensor.extract` in a body: its indices are scalars of the iteration.
ElementId ElementTerms::extractedAt(Site site, const IndexingMap &iteration) {
  const auto &relation = relationOf(instruction(site).op, 0, 0);
  if (!relation || relation->pieces().size() != 1) return unknown();
  const IndexingMap piece = relation->pieces()[0];
  parts_.clear();
  const auto behind =
      composed(site, withoutResults(iteration), piece, &iteration);
  if (!behind) return unknown();
  if (!parts_.empty()) return kParts;
  return operandAt(site, 0, *behind);
}

}  // namespace indexical

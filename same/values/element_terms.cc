#include "indexical/same/values/element_terms.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/identity.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/equality/integer_literal.h"
#include "indexical/same/values/moved_operands.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Calls in calls of more levels, and ops of more operands, are arrays.
constexpr size_t kMostDeep = 2'000;
constexpr size_t kMostOperands = 64;
// The cost of a step, in operations of the meter.
constexpr int64_t kStep = 20;

/// Whether the term is a leaf of integers, all of which are real numbers.
bool isOfIntegers(const ValueTerm &term) {
  if (term.kind == ValueTerm::Kind::Sum) return true;
  if (!term.op || term.leaf < 0) return false;
  const ShapeList &results = shapesOf(term.op).results;
  if (term.leaf >= static_cast<int64_t>(results.size())) return false;
  const ElementType type = results[term.leaf].type;
  return isInteger(type) || type == ElementType::Pred;
}

/// Whether the term is real if its operands and functions are.
bool mayBeReal(const ValueTerm &term) {
  using Kind = ValueTerm::Kind;
  if (isOfIntegers(term)) return true;
  switch (term.kind) {
    case Kind::Nothing:
    case Kind::Parameter:
    case Kind::Argument:
    case Kind::Order:
    case Kind::Move:
    case Kind::Tuple:
      return true;
    case Kind::Function:
      return term.text.empty();
    case Kind::Op: {
      const auto *literal = term.op.as<ConstantOp>();
      return literal ? hasRealNumbers(*literal) : keepsRealNumbers(term.op);
    }
    default:
      return false;
  }
}

}  // namespace

size_t ElementTerms::KeyHash::operator()(const Key &key) const {
  return llvm::hash_combine(key.frame, int32_t{key.instruction},
                            int64_t{key.leaf}, key.level, key.map.hash());
}

ElementTerms::ElementTerms(const Module &module, ElementTable &table,
                           TermTable &arrays, llvm::ArrayRef<int32_t> numbers,
                           int levels, Meter &meter, const Budget &budget,
                           std::optional<ComputationId> entry)
    : module_(module),
      entry_(entry.value_or(module.entry)),
      table_(table),
      arrays_(arrays),
      numbers_(numbers.begin(), numbers.end()),
      meter_(meter),
      budget_(budget),
      levels_(levels) {
  frames_.emplace_back().computation = entry_;
}

std::optional<ElementId> ElementTerms::at(Site site,
                                          const IndexingMap &region) {
  parts_.clear();
  const ElementId id = elementAt(site, region);
  if (id != kParts) return id;
  if (!addRest(parts_, region)) return unknown();
  return std::nullopt;
}

std::optional<TermId> ElementTerms::arrayOf(LeafId result) {
  const Computation &entry = module_.computations[entry_];
  return terms().valueOf({entry_, entry.root, result, {}});
}

const Instruction &ElementTerms::instruction(Site site) const {
  return computation(site).instructions[site.instruction];
}

const ArrayShape &ElementTerms::shapeOf(Site site) const {
  return shapesOf(instruction(site).op).results[site.leaf];
}

ElementId ElementTerms::elementAt(Site site, const IndexingMap &map) {
  if (map.isKnownEmpty()) return ElementTable::kNothing;
  if (!meter_.spend(kStep) || !hasStack(kStackOfQuestion)) return unknown();
  Key key{site.frame, site.instruction, site.leaf, level_, map};
  if (auto known = memo_.find(key); known != memo_.end()) return known->second;
  passesOn_ = false;
  const ElementId id = compute(site, map);
  if (id != kParts)
    memo_.emplace(std::move(key), id);
  else if (!std::exchange(passesOn_, false))
    splitSite_ = site;
  return id;
}

/// The way that an op is followed on.
ElementId ElementTerms::compute(Site site, const IndexingMap &map) {
  const Instruction &i = instruction(site);
  const Op &op = i.op;
  if (frames_[site.frame].isLifted) return liftedAt(site, map);
  if (i.parameterNumber >= 0) return parameterAt(site, map);
  if (const auto *forward = op.as<ForwardOp>()) {
    const int64_t from = forward->reads[site.leaf];
    return from >= 0 && isForwarded(op, site.leaf, from)
               ? passedOn(operandAt(site, from, map))
               : knownAt(site, map);
  }
  if (hasEffects(op) ||
      (hasOpenSizes(shapesOf(op)) && !isFollowedWithOpenSizes(i)))
    return knownAt(site, map);
  if (isCopy(op)) return passedOn(operandAt(site, 0, map));
  if (op.is<CallOp>() && isInlined(op)) return callAt(site, map);
  if (const auto *literal = op.as<ConstantOp>())
    return literal->isKnown ? literalAt(op, map) : knownAt(site, map);
  if (const auto *size = op.as<NullaryOp>(); size && size->sizeOf)
    return sizeAt(site, *size, map);
  if (op.is<IotaOp>() && i.operands.empty() && isPlain(op))
    return indexAt(site, map);
  if (op.is<ElementwiseOp>() && i.called.empty())
    return elementwiseAt(site, map);
  if (op.is<ElementwiseOp>() && op.kind().name == "map")
    return mappedAt(site, map);
  if (op.is<BitcastConvertOp>()) return bitsAt(site, map);
  if (!movedOperands(module_, i).empty()) return movedAt(site, map);
  if (const BodyLoops *loops = loopsOf(op)) {
    if (loops->isCombined()) return combinedAt(site, *loops, map);
    if (i.called.size() == 1) return bodyAt(site, *loops, map);
  }
  if (op.is<WhileOp>()) return loopAt(site, map);
  if (op.is<ConditionalOp>()) return branchesAt(site, map);
  if (op.is<SortOp>()) return sortedAt(site, map);
  if (op.is<ScatterOp>()) return scatteredAt(site, map);
  if (op.isOneOf<ReduceOp, ReduceWindowOp>() && !isPlain(op))
    return arrayAt(site, map);
  const bool isReduction =
      op.isOneOf<ReduceOp, DotOp, ReduceWindowOp, ConvolutionOp>();
  if (isReduction && isBelowLevels()) return wholeAt(site, map);
  if (isReduction) {
    const ElementId id = op.is<ReduceOp>()         ? reducedAt(site, map)
                         : op.is<DotOp>()          ? contractedAt(site, map)
                         : op.is<ReduceWindowOp>() ? windowAt(site, map)
                                                   : convolvedAt(site, map);
    const bool isKnown =
        id == kParts || table_[id].kind != Element::Kind::Unknown;
    return isKnown ? id : knownAt(site, map);
  }
  return arrayAt(site, map);
}

ElementId ElementTerms::operandAt(Site site, size_t operand,
                                  const IndexingMap &map) {
  const OperandLeaf leaf =
      computation(site).operandLeaf(site.instruction, LeafId(operand));
  if (leaf.instruction < 0) return unknown();
  return elementAt({site.frame, leaf.instruction, leaf.result}, map);
}

ElementId ElementTerms::parameterAt(Site site, const IndexingMap &map) {
  if (frames_[site.frame].caller < 0) {
    const int32_t number = instruction(site).parameterNumber;
    Element parameter;
    parameter.kind = Element::Kind::Parameter;
    parameter.number = numbers_.empty() ? number : numbers_[number];
    parameter.leaf = site.leaf;
    return table_.read(table_.intern(std::move(parameter)), shapeOf(site).type,
                       map);
  }
  const auto argument = argumentOf(site);
  return argument ? elementAt(*argument, map) : unknown();
}

llvm::ArrayRef<size_t> ElementTerms::firstLeavesOf(
    ComputationId computation) const {
  auto [known, isNew] = firstLeaves_.try_emplace(computation);
  if (!isNew) return known->second;
  const Computation &own = module_.computations[computation];
  size_t first = 0;
  for (InstructionId i : own.parameters) {
    known->second.push_back(first);
    first += shapesOf(own.instructions[i].op).results.size();
  }
  return known->second;
}

std::optional<ElementTerms::Site> ElementTerms::argumentOf(Site site) const {
  const Frame &frame = frames_[site.frame];
  const size_t first =
      firstLeavesOf(frame.computation)[instruction(site).parameterNumber] +
      static_cast<size_t>(site.leaf);
  if (first >= frame.arguments.size()) return std::nullopt;
  const Site argument = frame.arguments[first];
  if (argument.instruction < 0) return std::nullopt;
  return argument;
}

std::vector<ElementTerms::Site> ElementTerms::operandSites(Site site) const {
  std::vector<Site> sites;
  for (const OperandLeaf &leaf :
       computation(site).operandLeaves(site.instruction))
    sites.push_back({site.frame, leaf.instruction, leaf.result});
  return sites;
}

std::optional<int32_t> ElementTerms::newFrame(Site caller, const Callee &callee,
                                              llvm::ArrayRef<Site> operands) {
  const Frame &frame = frames_[caller.frame];
  if (frame.calls.size() >= kMostDeep) return std::nullopt;
  Frame made;
  made.computation = callee.computation;
  made.calls = frame.calls;
  made.calls.push_back({frame.computation, caller.instruction, callee.called});
  made.caller = caller.frame;
  made.isTrip = frame.isTrip;
  made.isLifted = frame.isLifted;
  const auto leaves =
      module_.computations[frame.computation].operandLeaves(caller.instruction);
  for (int64_t leaf : argumentLeaves(module_.computations[callee.computation],
                                     callee.arguments, leaves)) {
    const bool isKnown =
        leaf >= 0 && leaf < static_cast<int64_t>(operands.size());
    made.arguments.push_back(isKnown ? operands[leaf]
                                     : Site{caller.frame, {}, LeafId(0)});
  }
  frames_.push_back(std::move(made));
  return static_cast<int32_t>(frames_.size()) - 1;
}

std::optional<int32_t> ElementTerms::frameOfCall(Site site) {
  const auto callee = calleeOfCall(instruction(site));
  if (!callee) return std::nullopt;
  const auto key =
      std::make_tuple(site.frame, site.instruction, callee->called);
  auto known = callees_.find(key);
  if (known == callees_.end()) {
    const auto frame = newFrame(site, *callee, operandSites(site));
    if (!frame) return std::nullopt;
    known = callees_.emplace(key, *frame).first;
  }
  return known->second;
}

ElementId ElementTerms::callAt(Site site, const IndexingMap &map) {
  const auto frame = frameOfCall(site);
  if (!frame) return knownAt(site, map);
  const InstructionId root =
      module_.computations[frames_[*frame].computation].root;
  return elementAt({*frame, root, site.leaf}, map);
}

ElementId ElementTerms::elementwiseAt(Site site, const IndexingMap &map) {
  const Op &op = instruction(site).op;
  const OpShapes &shapes = shapesOf(op);
  if (shapes.results.size() != 1) return arrayAt(site, map);
  llvm::SmallVector<ElementId, 4> operands;
  for (size_t k = 0; k < shapes.operands.size(); ++k) {
    const bool isScalar = shapes.operands[k].isScalar() &&
                          !map.results().empty() &&
                          !frames_[site.frame].isLifted;
    const ElementId operand =
        operandAt(site, k, isScalar ? withoutResults(map) : map);
    if (operand == kParts) return kParts;
    operands.push_back(operand);
  }
  auto [scalar, isNew] = scalars_.try_emplace(op, Op::none());
  if (isNew) scalar->second = scalarOp(op);
  if (const auto made = ofIndices(scalar->second, operands, map)) return *made;
  // That a number does not leave its type is a promise, which it keeps.
  if (!isPlain(op) && computesItsKind(op) && isOfNumbers(operands, map)) {
    const Op plain = scalar->second.changed(
        [](OpDraft &draft) { draft->configuration.clear(); });
    if (const auto made = ofIndices(plain, operands, map)) return *made;
    return table_.apply(plain, operands);
  }
  table_.takeLost();
  const ElementId made = table_.apply(scalar->second, operands);
  if (std::string law = table_.takeLost(); !law.empty()) {
    const Instruction &i = instruction(site);
    Lost lost;
    lost.law = std::move(law);
    lost.computation = computation(site).name.str();
    lost.instruction = i.name.str();
    lost.opcode = i.opcode.str();
    lost.line = static_cast<int32_t>(i.place.line);
    const auto stays = table_.parametersOf({made});
    for (const ParameterLeaf &read : table_.parametersOf(operands))
      if (!stays.count(read)) lost.parameters.push_back(read);
    lost_.insert(std::move(lost));
  }
  return made;
}

ElementId ElementTerms::literalAt(const Op &op, const IndexingMap &map) {
  const auto &literal = op.get<ConstantOp>();
  const ArrayShape &shape = literal.results[0];
  const size_t bytes = (bitsOf(shape.type) + 7) / 8;
  if (literal.bits.size() == bytes && bytes > 0 && isPlain(op))
    return table_.literal(shape.type, literal.bits);
  if (readsTables_ && isPlain(op))
    if (const auto index = tableAt(literal, map)) return *index;
  Element list;
  list.kind = Element::Kind::List;
  list.op = valueOp(op);
  return table_.read(table_.intern(std::move(list)), shape.type, map);
}

ElementId ElementTerms::sizeAt(Site site, const NullaryOp &size,
                               const IndexingMap &map) {
  const ShapeList &operands = shapesOf(instruction(site).op).operands;
  const ArrayShape &result = shapeOf(site);
  if (operands.empty() || !isInteger(result.type) ||
      !isPlain(instruction(site).op))
    return arrayAt(site, map);
  const bool isOne = *size.sizeOf >= 0 && *size.sizeOf < operands[0].rank();
  if (isOne ? !sizeIfFixed(operands[0], *size.sizeOf)
            : hasOpenSize(operands[0])) {
    const OperandLeaf leaf =
        computation(site).operandLeaf(site.instruction, LeafId(0));
    const bool isAsked = isOne && result.isScalar() && leaf.instruction >= 0 &&
                         result.type == ElementType::S64;
    const auto number =
        isAsked ? sizeOf({site.frame, leaf.instruction, leaf.result},
                         *size.sizeOf)
                : std::nullopt;
    return number ? *number : arrayAt(site, map);
  }
  std::vector<int64_t> sizes;
  for (auto [k, own] : llvm::enumerate(operands[0].dimensions))
    if (*size.sizeOf == NullaryOp::kAllSizes ||
        *size.sizeOf == static_cast<int64_t>(k))
      sizes.push_back(own);
  return literalAt(integerLiteral(result, sizes), map);
}

ElementId ElementTerms::indexAt(Site site, const IndexingMap &map) {
  const auto &iota = instruction(site).op.get<IotaOp>();
  auto index = withBody(map, [&](IndexingMapBuilder &, MapBody &body) {
    body.results = {body.results[iota.dimension]};
  });
  if (index.ok()) index = simplify(*index);
  if (!index.ok()) return unknown();
  return table_.index(iota.results[0].type, *index);
}

//===-- Arrays ------------------------------------------------------------===//

IndexingMap ElementTerms::regionOf(const ArrayShape &shape) {
  auto region = simplify(identityOf(shape));
  return region.ok() ? *std::move(region) : IndexingMap::knownEmpty();
}

/// Returns the element of the leaf at all of its indices.
std::optional<ElementId> ElementTerms::wholeArray(Site site) {
  // Elements do not say how many there are.
  if (hasOpenSize(shapeOf(site))) return std::nullopt;
  const auto key = std::make_tuple(site.frame, site.instruction, site.leaf);
  if (auto known = wholes_.find(key); known != wholes_.end())
    return known->second;
  std::vector<IndexingMap> parts = std::move(parts_);
  const int level = std::exchange(level_, 0);
  Pieces pieces;
  const bool known = inPieces(
      regionOf(shapeOf(site)), /*outer=*/0,
      [&](const IndexingMap &region) { return elementAt(site, region); },
      parts_, meter_, pieces);
  parts_ = std::move(parts);
  level_ = level;
  if (!known) return std::nullopt;
  const ElementId id = table_.cases(shapeOf(site).type, pieces);
  wholes_[key] = id;
  return id;
}

/// Returns an element of the array, which is followed separately.
ElementId ElementTerms::wholeAt(Site site, const IndexingMap &map) {
  const auto whole = wholeArray(site);
  if (!whole) return knownAt(site, map);
  if (table_[*whole].kind == Element::Kind::Literal) return *whole;
  return table_.read(*whole, shapeOf(site).type, map);
}

/// An op of whole arrays.
ElementId ElementTerms::arrayAt(Site site, const IndexingMap &map) {
  // Arrays are terms of the whole program, which knows loops as functions.
  if (frames_[site.frame].isTrip) return unknown();
  if (hasOpenSizes(shapesOf(instruction(site).op))) return knownAt(site, map);
  const auto known = terms().valueOf(
      {frames_[site.frame].computation, InstructionId(site.instruction),
       LeafId(site.leaf), frames_[site.frame].calls});
  if (!known) return unknown();
  const ValueTerm &term = arrays_[*known];
  const auto leaves = computation(site).operandLeaves(site.instruction);
  // An op that is like no other has a number.
  if (term.kind != ValueTerm::Kind::Op || term.number >= 0 ||
      term.leaf != site.leaf || term.op != valueOp(instruction(site).op) ||
      leaves.size() > kMostOperands ||
      leaves.size() != arrays_.operandsOf(term).size())
    return knownAt(site, map);
  Element made;
  made.kind = Element::Kind::Computed;
  made.op = term.op;
  const bool isReal =
      keepsRealNumbers(term.op) &&
      llvm::all_of(term.steering, [&](TermId f) { return isOfRealNumbers(f); });
  if (!isReal) made.number = Element::kNotReal;
  made.leaf = term.leaf;
  made.functions = term.steering;
  made.text = term.text;
  for (const OperandLeaf &leaf : leaves) {
    const auto whole = wholeArray({site.frame, leaf.instruction, leaf.result});
    if (!whole) return knownAt(site, map);
    made.operands.push_back(*whole);
  }
  return table_.read(table_.intern(std::move(made)), shapeOf(site).type, map);
}

/// Whether the term, or the function, is known to give real numbers of real
/// ones.
bool ElementTerms::isOfRealNumbers(TermId id) {
  std::vector<TermId> stack{id};
  while (!stack.empty()) {
    const TermId at = stack.back();
    stack.pop_back();
    if (!seenReal_.insert(at).second) continue;
    const ValueTerm &term = arrays_[at];
    if (!mayBeReal(term)) {
      // Terms above it may have been seen.
      seenReal_.clear();
      return false;
    }
    if (isOfIntegers(term)) continue;
    stack.insert(stack.end(), term.operands.begin(), term.operands.end());
    stack.insert(stack.end(), term.steering.begin(), term.steering.end());
  }
  return true;
}

ProgramTerms &ElementTerms::terms() {
  if (!terms_)
    terms_.emplace(module_, arrays_, numbers_, budget_, inFileOrder_, entry_);
  return *terms_;
}

/// Returns the element of the array as a term of program/, or an unknown one.
ElementId ElementTerms::knownAt(Site site, const IndexingMap &map) {
  if (frames_[site.frame].isTrip) return unknown();
  const auto known = terms().valueOf(
      {frames_[site.frame].computation, InstructionId(site.instruction),
       LeafId(site.leaf), frames_[site.frame].calls});
  if (!known) return unknown();
  Element array;
  array.kind = Element::Kind::Known;
  array.number = *known;
  if (!isOfRealNumbers(*known)) array.leaf = 1;
  return table_.read(table_.intern(std::move(array)), shapeOf(site).type, map);
}

}  // namespace indexical

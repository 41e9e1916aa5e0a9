#include "indexical/same/equality/side.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/values/elements_at.h"
#include "indexical/program/values/known_values.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/shapes.h"
#include "indexical/same/equality/obstacle.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The most instructions that a search for a way, or for an obstacle, looks at.
constexpr int64_t kMostSteps = 2000;
constexpr int32_t kMostDeep = 50;
// A way ends where more pieces say what is read along it.
constexpr size_t kMostPiecesOfWay = 64;
// An instruction of more operands is not asked what it reads of each.
constexpr size_t kMostOperands = 64;

/// Whether it passes a value on, element by element: it moves elements, or
/// converts them to a type that has all of their values.
bool movesValues(const ValueTerm &term) {
  if (term.kind != ValueTerm::Kind::Op || term.operands.size() != 1)
    return false;
  const Op &op = term.op;
  if (!isPlain(op)) return false;
  if (const auto *elementwise = op.as<ElementwiseOp>())
    return elementwise->keepsValues() &&
           holdsAll(elementwise->results[0].type,
                    elementwise->operands[0].type);
  const OpShapes &shapes = shapesOf(op);
  return shapes.operands[0].type == shapes.results[0].type &&
         op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                    BitcastOp>();
}

bool hasPairs(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return false;
  auto decision = isEmpty(*relation);
  return decision.ok() && decision->answer != Answer::Yes;
}

/// Whether the relation reads the element, at any index.
bool readsElement(const IndexingRelation &relation,
                  llvm::ArrayRef<int64_t> element) {
  IndexingMapBuilder b;
  for (int64_t e : element) b.dimension(Interval::point(e));
  auto there = b.build();
  return there.ok() && hasPairs(compose(relation, IndexingRelation(*there)));
}

}  // namespace

MovedTerm movedFrom(const TermTable &table, MovedTerm element,
                    IndexBounds bounds, IndexingMapBuilder &builder) {
  while (true) {
    const ValueTerm &term = table[element.term];
    if (term.kind == ValueTerm::Kind::Move) {
      const IndexingMap &map = table.mapOf(element.term);
      auto replace = [&](VariableId id) {
        return element.index[id.index].form();
      };
      ExpressionImport import(map.expressions(), builder.pool(), replace);
      llvm::SmallVector<Expr, 4> moved;
      for (FormId form : map.results())
        moved.push_back(builder.expression(import(form)));
      element = {term.operands[0], std::move(moved)};
      continue;
    }
    const auto *parts = term.op.as<ConcatenateOp>();
    if (parts && term.kind == ValueTerm::Kind::Op && isPlain(term.op)) {
      const Interval along = FormBounds(
          builder.pool(), bounds)(element.index[parts->dimension].form());
      const auto part = partAt(*parts, element.index, along);
      if (!part) return element;
      element = {term.operands[part->operand], part->index};
      continue;
    }
    if (!movesValues(term)) return element;
    auto moved = movedIndex(term.op, element.index, builder.pool());
    if (!moved) return element;
    element = {term.operands[0], *std::move(moved)};
  }
}

Side::Side(const Module &module, int32_t number, TermTable &table,
           llvm::ArrayRef<int32_t> parameters, const Budget &budget,
           bool inFileOrder)
    : module_(module),
      number_(number),
      table_(table),
      maps_(module, /*prover=*/nullptr, budget),
      terms_(module, table, parameters, budget, inFileOrder),
      loops_(module),
      lists_(entry()) {
  for (auto [parameter, i] : llvm::enumerate(entry().parameters)) {
    const ShapeList shapes = entry().instructions[i].shape.leaves();
    for (size_t leaf = 0; leaf < shapes.size(); ++leaf)
      parameters_.push_back(
          {static_cast<int32_t>(parameter), LeafId(leaf), shapes[leaf]});
  }
}

//===-- What both have ----------------------------------------------------===//

void Side::walk(LeafId result, llvm::function_ref<bool(Leaf)> visit,
                LoopLeaves *loops) {
  std::set<std::pair<InstructionId, LeafId>> seen;
  std::vector<Leaf> stack{{module_.entry, entry().root, result}};
  while (!stack.empty()) {
    const Leaf leaf = stack.back();
    stack.pop_back();
    if (!seen.insert({leaf.instruction, leaf.leaf}).second || !visit(leaf))
      continue;
    const Instruction &i = entry().instructions[leaf.instruction];
    if (i.parameterNumber >= 0) continue;
    if (const auto *forward = i.op.as<ForwardOp>()) {
      if (forward->reads[leaf.leaf] < 0) continue;
      const OperandLeaf operand =
          lists_.leaf(leaf.instruction, LeafId(forward->reads[leaf.leaf]));
      stack.push_back({module_.entry, operand.instruction, operand.result});
      continue;
    }
    std::optional<llvm::ArrayRef<int64_t>> few;
    if (loops) few = loops->of(module_.entry, leaf.instruction, leaf.leaf);
    auto push = [&](const OperandLeaf &operand) {
      stack.push_back({module_.entry, operand.instruction, operand.result});
    };
    if (few)
      for (int64_t number : *few)
        push(lists_.leaf(leaf.instruction, LeafId(number)));
    else
      llvm::for_each(lists_.of(leaf.instruction), push);
    for (const Leaf &source :
         maps_.sizeSources(module_.entry, leaf.instruction))
      stack.push_back(source);
  }
}

std::vector<TermId> Side::parametersBelow(LeafId result) {
  auto termOf = [&](InstructionLeaf leaf) { return terms_.of(leaf).reads; };
  if (!below_) below_.emplace(module_, loops_, maps_, termOf);
  if (auto known = below_->of({entry().root, result})) return *std::move(known);
  std::vector<TermId> terms;
  walk(
      result,
      [&](Leaf leaf) {
        if (entry().instructions[leaf.instruction].parameterNumber >= 0)
          terms.push_back(termOf({leaf.instruction, leaf.leaf}));
        return true;
      },
      &loops_);
  llvm::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

std::set<TermId> Side::below(LeafId result) {
  std::set<TermId> terms;
  walk(result, [&](Leaf leaf) {
    const TermId reads = terms_.of({leaf.instruction, leaf.leaf}).reads;
    if (reads == TermTable::kNothing) return false;
    terms.insert(reads);
    return true;
  });
  return terms;
}

SharedLeaves Side::frontier(LeafId result, const std::set<TermId> &terms) {
  SharedLeaves frontier;
  walk(result, [&](Leaf leaf) {
    const TermId reads = terms_.of({leaf.instruction, leaf.leaf}).reads;
    if (reads == TermTable::kNothing) return false;
    if (!terms.count(reads)) return true;
    frontier[reads].push_back(leaf);
    return false;
  });
  return frontier;
}

bool Side::isExact(Leaf leaf) {
  const Instruction &i =
      module_.computations[leaf.computation].instructions[leaf.instruction];
  const size_t operands = shapesOf(i.op).operands.size();
  if (operands > kMostOperands) return false;
  return llvm::all_of(llvm::seq<size_t>(operands), [&](size_t k) {
    auto own = maps_.instruction(leaf, LeafId(k), Direction::OutputToInput);
    return own.ok() && own->precision() == Precision::Exact;
  });
}

//===-- What is read ------------------------------------------------------===//

absl::StatusOr<std::map<TermId, IndexingRelation>> Side::reads(
    LeafId result, const SharedLeaves &leaves) {
  std::vector<Leaf> ends;
  for (const auto &[term, same] : leaves)
    ends.insert(ends.end(), same.begin(), same.end());
  INDEXICAL_ASSIGN_OR_RETURN(
      auto relations, maps_.until({module_.entry, entry().root, result}, ends));
  std::map<TermId, IndexingRelation> reads;
  size_t next = 0;
  for (const auto &[term, same] : leaves)
    for (size_t k = 0; k < same.size(); ++k)
      reads[term].unite(relations[next++]);
  return reads;
}

absl::StatusOr<IndexingRelation> Side::traced(
    const IndexingRelation &relation) {
  IndexingRelation traced;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, trace(piece));
    traced.unite(IndexingRelation(std::move(map)));
  }
  traced.weaken(relation.precision());
  return traced;
}

/// A collective is known by what it does with its group, not by its operands.
TermId Side::collectiveOf(int64_t value) {
  const Value &named = maps_.value(value);
  const Instruction &i =
      module_.computations[named.computation].instructions[named.instruction];
  const Op &op = innermost(i.op);
  ValueTerm term;
  term.text = "collective " + op.kind().name.str() + " " +
              op.descriptor().configuration + " of " +
              std::to_string(module_.replicaCount) + " " +
              std::to_string(module_.partitionCount);
  if (const auto *permute = op.as<CollectivePermuteOp>())
    for (const auto &pair : permute->pairs)
      term.text +=
          " " + std::to_string(pair.source) + "-" + std::to_string(pair.target);
  return table_.intern(std::move(term));
}

/// Returns the map with one source for sizes that are known to be equal, and
/// with numbers in place of sizes that are known to be these.
absl::StatusOr<IndexingMap> Side::withKnownSizes(IndexingMap map) const {
  if (sizes_.empty()) return map;
  auto sizeOf = [](const RuntimeVariable &v) {
    return KnownSizes::Size(v.source.tensor, v.source.dimension);
  };
  auto isSize = [](const RuntimeVariable &v) {
    return v.source.kind == RuntimeSource::Kind::Size && v.source.count < 0;
  };
  auto isNumber = [&](const RuntimeVariable &v) {
    return isSize(v) && sizes_.numbers.count(sizeOf(v));
  };
  while (true) {
    const auto found = llvm::find_if(map.runtime(), isNumber);
    if (found == map.runtime().end()) break;
    const int64_t size = sizes_.numbers.at(sizeOf(*found));
    const Interval bounds = found->bounds;
    auto number = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
      if (!bounds.contains(size)) b.setKnownEmpty();
      return b.constant(size);
    };
    INDEXICAL_ASSIGN_OR_RETURN(
        map, replaceRuntime(map, found - map.runtime().begin(), number));
  }
  return withRuntime(map, [&](IndexingMapBuilder &, RuntimeVariable &v) {
    if (!isSize(v)) return;
    auto other = sizes_.others.find(sizeOf(v));
    if (other == sizes_.others.end()) return;
    std::tie(v.source.tensor, v.source.dimension) = other->second;
  });
}

std::vector<ForcedSize> Side::forcedSizes() const {
  if (llvm::none_of(parameters_, [](const EntryLeaf &leaf) {
        return hasOpenSize(leaf.shape);
      }))
    return {};
  // A number for each leaf of an instruction, and back.
  constexpr int64_t kMostLeaves = int64_t{1} << 20;
  auto number = [](InstructionLeaf leaf) {
    return leaf.instruction * kMostLeaves + leaf.leaf;
  };
  ProgramShapes shapes(entry(), number);
  auto leafOf = [&](int64_t tensor) -> std::optional<size_t> {
    for (auto [p, leaf] : llvm::enumerate(parameters_))
      if (number({entry().parameters[leaf.parameter], leaf.leaf}) == tensor)
        return p;
    return std::nullopt;
  };
  std::vector<ForcedSize> forced;
  for (auto [p, leaf] : llvm::enumerate(parameters_))
    for (int64_t k = 0; k < leaf.shape.rank(); ++k) {
      const InstructionId i = entry().parameters[leaf.parameter];
      const auto form = shapes.size({i, leaf.leaf}, k);
      if (!form) continue;
      ForcedSize size;
      size.size = {p, k};
      if (shapes.table().isConstant(*form)) {
        size.number = shapes.table().constant(*form);
      } else if (const auto id = shapes.table().asVariable(*form)) {
        const RuntimeSource &source = shapes.variable(id->index).source;
        if (source.kind != RuntimeSource::Kind::Size || source.count >= 0)
          continue;
        const auto of = leafOf(source.tensor - SizeFacts::kOutside);
        if (!of || (*of == p && source.dimension == k)) continue;
        size.other = ParameterSize{*of, source.dimension};
      } else {
        continue;
      }
      forced.push_back(size);
    }
  return forced;
}

/// Returns the map with terms for its sources. Elements are followed to the
/// terms that they are moved from.
absl::StatusOr<IndexingMap> Side::trace(const IndexingMap &map) {
  auto termOf = [&](int64_t value) -> int64_t {
    const auto known = terms_.valueOf(maps_.value(value));
    const TermId term = known ? *known : table_.unknown();
    unknownSources_.emplace(term, value);
    return term;
  };
  auto collective = [&](int64_t value) -> int64_t {
    return collectiveOf(value);
  };
  auto bounds = [&](VariableId id) {
    return id.kind == VariableKind::Runtime ? Interval::all()
                                            : map.variable(id).bounds;
  };
  auto follow = [&](IndexingMapBuilder &b, RuntimeVariable &variable) {
    if (variable.source.kind != RuntimeSource::Kind::Element) return;
    const TermId first = variable.source.tensor;
    MovedTerm element{first, {}};
    for (FormId form : variable.elementIndex())
      element.index.push_back(b.expression(form));
    element = movedFrom(table_, std::move(element), bounds, b);
    llvm::SmallVector<FormId, 2> index;
    for (Expr expression : element.index) index.push_back(expression.form());
    for (FormId member : variable.members()) index.push_back(member);
    variable.index.assign(index.begin(), index.end());
    variable.source.tensor = element.term;
    unknownSources_.emplace(element.term, unknownSources_.at(first));
  };
  auto traced = withRuntime(withSources(map, {termOf, collective}), follow);
  if (traced.ok()) traced = withKnownSizes(*traced);
  INDEXICAL_RETURN_IF_ERROR(traced.status());
  SimplifyOptions options;
  options.rename = true;
  return simplify(*traced, options);
}

//===-- Doubts ------------------------------------------------------------===//

Doubt Side::doubtOf(const IndexingRelation &relation) const {
  if (relation.precision() == Precision::Opaque) return Doubt::UnknownOp;
  if (relation.precision() == Precision::Cover) return Doubt::Cover;
  for (const IndexingMap &piece : relation.pieces()) {
    if (!piece.collectives().empty()) return Doubt::Collective;
    for (const RuntimeVariable &v : piece.runtime()) {
      using Kind = RuntimeSource::Kind;
      if (v.source.kind == Kind::None) continue;
      const bool isValue =
          v.source.kind == Kind::Element || v.source.kind == Kind::Size;
      if (!isValue || !v.collectives.empty()) return Doubt::Collective;
      if (table_[v.source.tensor].kind != ValueTerm::Kind::Parameter)
        return Doubt::UnknownSource;
    }
  }
  return Doubt::None;
}

EqualityObstacle equalityObstacleAt(const Module &in, int32_t module,
                                    ComputationId computation,
                                    InstructionId instruction,
                                    std::string reason) {
  const Computation &of = in.computations[computation];
  const Instruction &at = of.instructions[instruction];
  const auto line = static_cast<int32_t>(at.place.line);
  return {module,          of.name.str(), at.name.str(),
          at.opcode.str(), line,          std::move(reason)};
}

EqualityObstacle Side::at(ComputationId computation, InstructionId instruction,
                          std::string reason) {
  return equalityObstacleAt(module_, number_, computation, instruction,
                            std::move(reason));
}

std::optional<EqualityObstacle> Side::inexactAt(ComputationId c,
                                                InstructionId i, LeafId result,
                                                int32_t depth, int64_t &steps) {
  const Instruction &instruction = module_.computations[c].instructions[i];
  const Op &op = innermost(instruction.op);
  const int64_t operands = shapesOf(instruction.op).operands.size();
  bool exact = true;
  for (int64_t k = 0; k < operands && exact && ++steps < kMostSteps; ++k) {
    auto own =
        maps_.instruction({c, i, result}, LeafId(k), Direction::OutputToInput);
    exact = own.ok() && own->precision() == Precision::Exact;
  }
  if (exact) return std::nullopt;
  if (op.is<CallOp>() && depth < kMostDeep)
    if (const auto callee = calleeOfCall(instruction))
      if (auto inside = inexactIn(callee->computation, depth + 1, steps))
        return inside;
  if (!instruction.called.empty()) {
    std::vector<Leaf> ends;
    for (const OperandLeaf &leaf : module_.computations[c].operandLeaves(i))
      ends.push_back({c, leaf.instruction, leaf.result});
    if (auto limit = maps_.limitUntil({c, i, result}, ends))
      return at(limit->computation, limit->instruction, reasonOf(limit->kind));
  }
  std::string reason;
  if (const auto *cover = op.as<CoverOp>()) reason = cover->reason;
  if (reason.empty()) reason = op.kind().traits.note.str();
  if (reason.empty() || traitsOf(op).precision == Precision::Exact)
    reason = "what it reads is known only as a cover";
  return at(c, i, std::move(reason));
}

std::optional<EqualityObstacle> Side::inexactIn(ComputationId c, int32_t depth,
                                                int64_t &steps) {
  const Computation &computation = module_.computations[c];
  std::vector<bool> needed(computation.instructions.size(), false);
  if (computation.root < 0) return std::nullopt;
  needed[computation.root] = true;
  const InstructionOrder order = computation.postOrder();
  for (InstructionId i : llvm::reverse(order)) {
    if (!needed[i]) continue;
    for (InstructionId operand : computation.instructions[i].operands)
      needed[operand] = true;
    const int64_t results =
        shapesOf(computation.instructions[i].op).results.size();
    if (computation.instructions[i].op.is<ForwardOp>()) continue;
    for (int64_t r = 0; r < results && steps < kMostSteps; ++r)
      if (auto found = inexactAt(c, i, LeafId(r), depth, steps)) return found;
  }
  return std::nullopt;
}

EqualityObstacle Side::because(LeafId result, const SharedLeaves &leaves,
                               Doubt doubt) {
  if (doubt == Doubt::UnknownSource || doubt == Doubt::Collective)
    if (auto relations = reads(result, leaves); relations.ok())
      for (const auto &[term, relation] : *relations) {
        const auto own = traced(relation);
        if (!own.ok()) continue;
        for (const IndexingMap &piece : own->pieces())
          for (const RuntimeVariable &v : piece.runtime()) {
            if ((v.source.kind != RuntimeSource::Kind::Element &&
                 v.source.kind != RuntimeSource::Kind::Size) ||
                table_[v.source.tensor].kind == ValueTerm::Kind::Parameter)
              continue;
            auto found = unknownSources_.find(v.source.tensor);
            if (found == unknownSources_.end()) continue;
            const Value &value = maps_.value(found->second);
            return at(value.computation, value.instruction,
                      "an index is computed by it");
          }
      }
  std::set<std::pair<InstructionId, LeafId>> ends;
  for (const auto &[term, same] : leaves)
    for (const Leaf &leaf : same) ends.insert({leaf.instruction, leaf.leaf});
  std::optional<EqualityObstacle> found;
  int64_t steps = 0;
  walk(result, [&](Leaf leaf) {
    if (found || ends.count({leaf.instruction, leaf.leaf}) ||
        steps >= kMostSteps ||
        terms_.of({leaf.instruction, leaf.leaf}).reads == TermTable::kNothing)
      return false;
    const Op &op = entry().instructions[leaf.instruction].op;
    const bool collective =
        innermost(op)
            .isOneOf<AllGatherOp, AllReduceOp, ReduceScatterOp, AllToAllOp,
                     CollectiveBroadcastOp, CollectivePermuteOp,
                     RaggedAllToAllOp>();
    if (doubt == Doubt::Collective && collective)
      found =
          at(module_.entry, leaf.instruction, "the element is read through it");
    else if (!op.is<ForwardOp>())
      found = inexactAt(module_.entry, leaf.instruction, leaf.leaf, 0, steps);
    return !found;
  });
  if (found) return *found;
  if (doubt != Doubt::Cover) return at(module_.entry, entry().root, "");
  std::vector<Leaf> all;
  for (const auto &[term, same] : leaves)
    all.insert(all.end(), same.begin(), same.end());
  const auto limit =
      maps_.limitUntil({module_.entry, entry().root, result}, all);
  if (limit)
    return at(limit->computation, limit->instruction, reasonOf(limit->kind));
  return at(module_.entry, entry().root, "");
}

//===-- Ways --------------------------------------------------------------===//

/// Searches depth first, along operands of which something is read at the
/// index.
bool Side::wayFrom(InstructionLeaf leaf, const EntryLeaf &to,
                   const IndexingRelation &soFar, const PairWitness *reads,
                   std::vector<std::string> &names, int64_t &steps) {
  if (++steps > kMostSteps || soFar.pieces().size() > kMostPiecesOfWay)
    return false;
  const Instruction &i = entry().instructions[leaf.instruction];
  names.push_back(i.name.str());
  if (entry().parameters[to.parameter] == leaf.instruction &&
      leaf.leaf == to.leaf) {
    if (!reads || readsElement(soFar, reads->element)) return true;
  } else {
    auto operands = entry().operandLeaves(leaf.instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
      auto step =
          maps_.instruction({module_.entry, leaf.instruction, leaf.leaf},
                            LeafId(k), Direction::OutputToInput);
      if (step.ok()) step = maps_.withKnownValues(*step);
      if (!step.ok()) continue;
      auto next = compose(soFar, *step);
      // Updates at unknown places double the pieces.
      if (next.ok()) steps += next->pieces().size();
      if (next.ok() && hasPairs(next) &&
          wayFrom({operands[k].instruction, operands[k].result}, to, *next,
                  reads, names, steps))
        return true;
    }
  }
  names.pop_back();
  return false;
}

std::vector<std::string> Side::way(LeafId result, const EntryLeaf &to,
                                   const PairWitness *reads) {
  IndexingMapBuilder b;
  const ArrayShape shape = results()[result];
  for (auto [i, size] : llvm::enumerate(shape.dimensions)) {
    Interval bounds = size == kDynamicSize ? Interval{0, Interval::kInfinity}
                                           : Interval{0, size - 1};
    if (reads) bounds = bounds.intersect(Interval::point(reads->index[i]));
    b.result(b.dimension(bounds));
  }
  std::vector<std::string> names;
  auto start = b.build();
  int64_t steps = 0;
  if (start.ok())
    wayFrom({entry().root, result}, to, IndexingRelation(*start), reads, names,
            steps);
  return names;
}

}  // namespace indexical

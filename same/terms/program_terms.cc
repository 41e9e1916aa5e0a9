#include "indexical/same/terms/program_terms.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/ops/alike_pairs.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Calls are looked into as long as the entry does not become larger than so
// many times the module plus an allowance: calls of calls can double it.
constexpr int64_t kMostCopies = 8;
constexpr int64_t kInlinedAllowance = 100'000;
constexpr int64_t kEndless = int64_t{1} << 40;

/// Returns the maps of a user's op as text: they are all that is known of it.
std::string textOfMaps(const Op &op, int64_t result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t k = 0; k < shapesOf(op).operands.size(); ++k) {
    auto relation = indexing(op, Direction::OutputToInput, result, k);
    os << "|";
    if (!relation.ok()) continue;
    os << precisionName(relation->precision());
    for (const IndexingMap &piece : relation->pieces()) {
      os << piece.strOneLine() << ";";
      for (const RuntimeVariable &rt : piece.runtime()) {
        os << static_cast<int>(rt.source.kind) << " " << rt.source.tensor << " "
           << rt.source.dimension << (rt.clamped ? "c" : "") << ":";
        for (FormId form : rt.index) os << piece.str(form) << ",";
      }
    }
  }
  return text;
}

/// Returns the op if the instruction passes one leaf of its operands on,
/// unchanged.
const ForwardOp *elementOf(const Instruction &instruction) {
  const auto *op = instruction.op.as<ForwardOp>();
  return op && op->results.size() == 1 && op->reads[0] >= 0 &&
                 isForwarded(instruction.op, 0, op->reads[0])
             ? op
             : nullptr;
}

std::string numbersOf(llvm::ArrayRef<int32_t> numbers) {
  std::string text;
  for (int32_t number : numbers) text += std::to_string(number) + ",";
  return text;
}

}  // namespace

ProgramTerms::ProgramTerms(const Module &module, TermTable &table,
                           llvm::ArrayRef<int32_t> numbers,
                           const Budget &budget, bool inFileOrder,
                           std::optional<ComputationId> entry)
    : module_(module),
      table_(table),
      budget_(budget),
      inFileOrder_(inFileOrder),
      givesNew_(module, [](const Instruction &each) {
        return hasEffects(innermost(each.op));
      }) {
  const int64_t most = [&] {
    int64_t size = 0;
    for (const Computation &c : module.computations)
      size += c.instructions.size();
    return size;
  }() * kMostCopies + kInlinedAllowance;
  nameLiterals();
  const ComputationId begin = entry.value_or(module.entry);
  inlines_ = inlinedSize(begin) <= most;
  std::vector<Terms> arguments;
  for (const auto &[parameter, leaf] :
       parameterLeaves(module.computations[begin])) {
    ValueTerm term;
    term.kind = ValueTerm::Kind::Parameter;
    term.number = numbers.empty() ? parameter : numbers[parameter];
    term.leaf = leaf;
    const TermId id = table_.intern(std::move(term));
    arguments.push_back({id, id});
  }
  entry_ = solve(begin, std::move(arguments), pathOf(-1, begin, -1));
}

const Instruction &ProgramTerms::at(Site site) const {
  return module_.computations[instances_[site.instance].computation]
      .instructions[site.instruction];
}

//===-- Instances ---------------------------------------------------------===//

int64_t ProgramTerms::inlinedSize(ComputationId c) {
  auto [entry, isNew] = sizes_.try_emplace(c, kEndless);
  if (!isNew) return entry->second;
  if (open_.size() > kMostDeep) return kEndless;
  open_.insert(c);
  int64_t size = 0;
  for (const Instruction &i : module_.computations[c].instructions) {
    ++size;
    const Op &op = innermost(i.op);
    if (!op.isOneOf<CallOp, ConditionalOp>()) continue;
    for (ComputationId callee : calleesOf(i))
      size = std::min(kEndless, size + inlinedSize(callee));
  }
  open_.erase(c);
  return sizes_[c] = size;
}

int64_t ProgramTerms::pathOf(int64_t parent, int32_t at, int32_t called) {
  return paths_.try_emplace(std::make_tuple(parent, at, called), paths_.size())
      .first->second;
}

/// Returns the instance of the computation, with its symbols numbered.
size_t ProgramTerms::solve(ComputationId c, std::vector<Terms> arguments,
                           int64_t path) {
  Memo memo;
  std::swap(memo, memo_);
  const bool saw = std::exchange(sawSymbols_, false);
  size_t solved = instantiate(c, arguments, path);
  if (sawSymbols_) {
    numberSymbols(solved);
    memo_.clear();
    solved = instantiate(c, std::move(arguments), path);
  }
  sawSymbols_ = saw;
  std::swap(memo, memo_);
  return solved;
}

size_t ProgramTerms::instantiate(ComputationId c, std::vector<Terms> arguments,
                                 int64_t path, llvm::ArrayRef<TermId> before) {
  const bool pure = !givesNew_.has(c);
  if (pure) {
    auto found = memo_.find({c, arguments});
    if (found != memo_.end()) return found->second;
  }
  const Computation &computation = module_.computations[c];
  const size_t number = instances_.size();
  Instance &made = instances_.emplace_back();
  made.computation = c;
  made.path = path;
  made.before.assign(before.begin(), before.end());
  made.arguments = std::move(arguments);
  made.leaves.resize(computation.instructions.size());
  made.orders.resize(computation.instructions.size(), 0);
  size_t first = 0;  // argument of the parameter: there may be thousands
  for (InstructionId parameter : computation.parameters) {
    if (parameter < 0) continue;
    const size_t count =
        shapesOf(computation.instructions[parameter].op).results.size();
    for (size_t a = first; a < std::min(first + count, made.arguments.size());
         ++a)
      made.leaves[parameter].push_back(made.arguments[a]);
    first += count;
  }
  open_.insert(c);
  const InstructionOrder order =
      pure ? computation.postOrder() : effectsIn(c).order;
  for (InstructionId i : order) {
    if (!budget_.check().ok()) break;
    evaluate({number, i});
  }
  open_.erase(c);
  // An instruction on a cycle has no place in the order.
  for (size_t i = 0; i < made.leaves.size(); ++i)
    while (made.leaves[i].size() <
           shapesOf(computation.instructions[i].op).results.size()) {
      const TermId unknown = table_.unknown();
      made.leaves[i].push_back({unknown, unknown});
    }
  if (pure) memo_.emplace(std::make_pair(c, made.arguments), number);
  return number;
}

/// Returns the instance of the callee with its arguments at this place.
size_t ProgramTerms::calleeAt(Site site, const Callee &callee,
                              llvm::ArrayRef<Terms> operands) {
  const auto leaves =
      module_.computations[instances_[site.instance].computation].operandLeaves(
          site.instruction);
  return calleeAt(site, callee, operands, leaves);
}

size_t ProgramTerms::calleeAt(Site site, const Callee &callee,
                              llvm::ArrayRef<Terms> operands,
                              llvm::ArrayRef<OperandLeaf> leaves) {
  std::vector<Terms> arguments;
  for (int64_t leaf : argumentLeaves(module_.computations[callee.computation],
                                     callee.arguments, leaves)) {
    if (leaf >= 0) {
      arguments.push_back(operands[leaf]);
    } else {
      const TermId unknown = table_.unknown();
      arguments.push_back({unknown, unknown});
    }
  }
  const int64_t path =
      pathOf(instances_[site.instance].path, site.instruction, callee.called);
  llvm::SmallVector<TermId, 4> before;
  if (givesNew_.has(callee.computation)) addBefore(site, before);
  const size_t instance =
      instantiate(callee.computation, std::move(arguments), path, before);
  instances_[site.instance].callees[{site.instruction, callee.called}] =
      instance;
  return instance;
}

std::optional<TermId> ProgramTerms::valueOf(const Value &value) const {
  size_t instance = entry_;
  for (const CallSite &call : value.calls) {
    const auto &callees = instances_[instance].callees;
    auto found = callees.find({call.instruction, call.called});
    if (found == callees.end() ||
        instances_[instance].computation != call.computation)
      return std::nullopt;
    instance = found->second;
  }
  if (instances_[instance].computation != value.computation)
    return std::nullopt;
  return instances_[instance].leaves[value.instruction][value.result].value;
}

//===-- Instructions ------------------------------------------------------===//

void ProgramTerms::evaluate(Site site) {
  Instance &instance = instances_[site.instance];
  const Computation &computation = module_.computations[instance.computation];
  const Instruction &instruction = computation.instructions[site.instruction];
  Leaves leaves;
  if (instruction.parameterNumber >= 0) {
    leaves =
        instance.leaves[computation.parameters[instruction.parameterNumber]];
  } else if (const auto *element = elementOf(instruction)) {
    // It takes one of a tuple's thousands.
    const OperandLeaf leaf =
        computation.operandLeaf(site.instruction, LeafId(element->reads[0]));
    leaves.push_back(instance.leaves[leaf.instruction][leaf.result]);
  } else {
    llvm::SmallVector<Terms, 8> operands;
    for (const OperandLeaf &leaf : computation.operandLeaves(site.instruction))
      operands.push_back(instance.leaves[leaf.instruction][leaf.result]);
    leaves = resultsOf(site, instruction.op, operands);
  }
  instances_[site.instance].leaves[site.instruction] = std::move(leaves);
  if (isExecution(site))
    instances_[site.instance].executions[site.instruction] = executionOf(site);
  instances_[site.instance].orders[site.instruction] = orderOf(site);
}

ProgramTerms::Leaves ProgramTerms::resultsOf(Site site, const Op &op,
                                             llvm::ArrayRef<Terms> operands) {
  const size_t count = shapesOf(op).results.size();
  Leaves results;
  if (const auto *forward = op.as<ForwardOp>()) {
    Leaves others;
    for (size_t r = 0; r < count; ++r) {
      const int64_t from = forward->reads[r];
      if (from >= 0 && isForwarded(op, r, from)) {
        results.push_back(operands[from]);
        continue;
      }
      if (others.empty()) others = resultsOfOp(site, op, operands);
      results.push_back(others[r]);
    }
    return results;
  }
  if (const auto *start = op.as<StartOp>()) {
    const Leaves inner = resultsOf(site, start->inner, operands);
    for (size_t r = 0; r < count; ++r) {
      const int64_t n = static_cast<int64_t>(r) - start->forwards;
      if (n < 0)
        results.push_back(operands[r]);
      else if (n < static_cast<int64_t>(inner.size()))
        results.push_back(inner[n]);
      else
        results.push_back({TermTable::kNothing, TermTable::kNothing});
    }
    return results;
  }
  if (isCopy(op)) return {operands[0]};
  const Instruction &instruction = at(site);
  if (inlines_ && op.is<CallOp>() && isInlined(op)) {
    const auto callee = calleeOfCall(instruction);
    if (callee && !open_.count(callee->computation) &&
        open_.size() < kMostDeep) {
      const size_t called = calleeAt(site, *callee, operands);
      const InstructionId root = module_.computations[callee->computation].root;
      return instances_[called].leaves[root];
    }
  }
  if (inlines_ && op.is<ConditionalOp>() && isPlain(op))
    return resultsOfBranches(site, op, operands);
  if (op.is<WhileOp>() && isPlain(op)) {
    const llvm::SmallBitVector kept = keptByLoop(site, count);
    results = resultsOfOp(site, op, operands, kept);
    for (unsigned r : kept.set_bits()) results[r] = operands[r];
    return results;
  }
  return resultsOfOp(site, op, operands);
}

/// Returns the leaves that the body of a loop passes on unchanged.
llvm::SmallBitVector ProgramTerms::keptByLoop(Site site, size_t count) const {
  llvm::SmallBitVector kept(count);
  const auto body = calleeOf(at(site), CallRole::Body);
  if (!body) return kept;
  const Computation &inside = module_.computations[body->computation];
  const auto leaves =
      module_.computations[instances_[site.instance].computation].operandLeaves(
          site.instruction);
  const auto arguments = argumentLeaves(inside, body->arguments, leaves);
  const auto parameters = parameterLeaves(inside);
  std::map<std::pair<int32_t, LeafId>, int64_t> argumentOf;
  for (size_t k = 0; k < parameters.size(); ++k)
    argumentOf[{parameters[k].parameter, parameters[k].leaf}] = arguments[k];
  OperandLeafLists lists(inside);
  for (size_t r = 0; r < count; ++r) {
    const InstructionLeaf origin = lists.originOf({inside.root, LeafId(r)});
    const auto argument = argumentOf.find(
        {inside.instructions[origin.instruction].parameterNumber, origin.leaf});
    kept[r] = argument != argumentOf.end() &&
              argument->second == static_cast<int64_t>(r);
  }
  return kept;
}

/// Returns the results of the branches, of which operand 0 chooses one.
ProgramTerms::Leaves ProgramTerms::resultsOfBranches(
    Site site, const Op &op, llvm::ArrayRef<Terms> operands) {
  const Instruction &instruction = at(site);
  llvm::SmallVector<size_t, 4> branches;
  // Once: each of a thousand branches has an operand.
  const auto leaves =
      module_.computations[instances_[site.instance].computation].operandLeaves(
          site.instruction);
  for (auto [k, called] : llvm::enumerate(instruction.called)) {
    if (called.role != CallRole::Branch) continue;
    if (called.computation < 0 || open_.count(called.computation) ||
        open_.size() >= kMostDeep)
      return resultsOfOp(site, op, operands);
    branches.push_back(calleeAt(
        site,
        Callee{called.computation, static_cast<int32_t>(k), called.arguments},
        operands, leaves));
  }
  const size_t count = shapesOf(op).results.size();
  // The op has the types alone: its arguments are those of the branches.
  const Op chosen = valueOp(op.changed(
      [](OpDraft &draft) { draft->operands = {draft->operands[0]}; }));
  Leaves results;
  for (size_t r = 0; r < count; ++r) {
    ValueTerm value;
    value.kind = ValueTerm::Kind::Op;
    value.op = chosen;
    value.leaf = 0;
    value.text = "branch of " + shapesOf(op).results[r].str();
    value.operands.push_back(operands[0].value);
    llvm::SmallVector<TermId, 4> parts;
    bool same = true;
    for (size_t branch : branches) {
      const Instance &inside = instances_[branch];
      const InstructionId root = module_.computations[inside.computation].root;
      const Terms given = inside.leaves[root][r];
      value.operands.push_back(given.value);
      parts.push_back(given.reads);
      same &= given.value == value.operands[1];
    }
    parts.push_back(splat(shapesOf(op).results[r], operands[0].reads));
    // If all branches have the same value, the choice does not matter.
    const TermId id =
        same && !branches.empty() ? value.operands[1] : table_.intern(value);
    if (hasOpenSizes(shapesOf(op))) {
      ValueTerm reads = table_[id];
      reads.kind = ValueTerm::Kind::Reads;
      reads.steering.assign(1, id);
      reads.operands.assign(parts.begin(), parts.end());
      results.push_back({id, table_.intern(std::move(reads))});
    } else {
      results.push_back({id, table_.unionOf(std::move(parts))});
    }
  }
  return results;
}

/// Returns what an op is, of the operands and of the functions that it calls.
ValueTerm ProgramTerms::opTerm(Site site, const Op &op,
                               llvm::ArrayRef<TermId> operands) {
  const Instruction &instruction = at(site);
  ValueTerm term;
  term.kind = ValueTerm::Kind::Op;
  const auto *custom = op.as<CustomOp>();
  if (custom && op.descriptor().configuration.empty()) {
    // It is not known what the op computes: its value is like no other.
    term.text =
        "custom " + std::to_string(pathOf(instances_[site.instance].path,
                                          site.instruction, -2));
    term.number = table_[table_.unknown()].number;
  }
  term.op = valueOp(op);
  if (custom) term.text += instruction.opcode;
  term.operands.assign(operands.begin(), operands.end());
  if (commutes(op) && operands[1] < operands[0])
    std::swap(term.operands[0], term.operands[1]);
  term.steering = functionsOf(instruction);
  for (const CalledComputation &called : instruction.called)
    term.text += std::to_string(static_cast<int>(called.role)) + ":" +
                 numbersOf(called.arguments) + ";";
  return term;
}

/// Returns the terms of the results that are not `kept`; those of kept results
/// mean nothing.
ProgramTerms::Leaves ProgramTerms::resultsOfOp(
    Site site, const Op &op, llvm::ArrayRef<Terms> operands,
    const llvm::SmallBitVector &kept) {
  const Instruction &instruction = at(site);
  const size_t count = shapesOf(op).results.size();
  llvm::SmallVector<Terms, 8> ordered(operands.begin(), operands.end());
  if (commutes(op) && ordered[1] < ordered[0])
    std::swap(ordered[0], ordered[1]);
  auto valuesOf = [](llvm::ArrayRef<Terms> terms) {
    return llvm::map_to_vector(terms, [](const Terms &t) { return t.value; });
  };
  ValueTerm term = isSymbol(instruction, op)
                       ? symbolTerm(site, op, valuesOf(ordered))
                       : opTerm(site, op, valuesOf(ordered));
  term.operands = table_.shared(term.operands, count);
  const OperandReads read = operandReads(ordered, count);
  const bool areAlike = hasAlikePairs(op) && !hasOpenSizes(shapesOf(op)) &&
                        term.kind == ValueTerm::Kind::Op;
  Leaves results;
  for (size_t r = 0; r < count; ++r) {
    if (r < kept.size() && kept[r]) {
      results.emplace_back();
      continue;
    }
    term.leaf = r;
    TermId value = table_.intern(term);
    if (r == 0 && term.kind == ValueTerm::Kind::Op)
      value = valueByElements(op, valuesOf(operands)).value_or(value);
    results.push_back({value, areAlike && r > 0 ? results[0].reads
                                                : readsOf(term, op, read)});
  }
  return results;
}

/// Returns the scalar's reads, at every index of the shape.
TermId ProgramTerms::splat(const ArrayShape &shape, TermId scalar) {
  if (shape.isScalar() || scalar == TermTable::kNothing) return scalar;
  const auto &relation = relationOf(splatOp(shape), 0, 0);
  if (relation) return table_.through(*relation, shape, scalar);
  ValueTerm splat;
  splat.kind = ValueTerm::Kind::Reads;
  splat.op = splatOp(shape);
  splat.leaf = 0;
  splat.operands = {scalar};
  return table_.intern(std::move(splat));
}

/// Returns the simplified relation, or nothing if it is not exact or has
/// runtime variables or collectives.
const std::optional<IndexingRelation> &ProgramTerms::relationOf(
    const Op &op, int64_t result, int64_t operand) {
  auto [entry, isNew] = relations_[op].try_emplace({result, operand});
  if (!isNew) return entry->second;
  auto own = indexing(op, Direction::OutputToInput, result, operand);
  if (!own.ok() || own->precision() != Precision::Exact) return entry->second;
  SimplifyOptions options;
  options.rename = true;
  IndexingRelation simple;
  for (const IndexingMap &piece : own->pieces()) {
    if (!piece.runtime().empty() || !piece.collectives().empty())
      return entry->second;
    auto map = simplify(piece, options);
    if (!map.ok()) return entry->second;
    simple.add(*std::move(map));
  }
  entry->second = std::move(simple);
  return entry->second;
}

/// Returns what a result reads of all operands, by their maps, or nothing if
/// one of the operands is not known by a map alone. An op with alike pairs has
/// no open sizes.
std::optional<TermId> ProgramTerms::readsByMaps(
    const Op &op, int64_t result, llvm::ArrayRef<Terms> operands) {
  llvm::SmallVector<TermId, 4> parts;
  const ArrayShape &shape = shapesOf(op).results[result];
  for (auto [k, operand] : llvm::enumerate(operands)) {
    if (operand.reads == TermTable::kNothing) continue;
    const auto [alike, from] = alikePair(op, result, k);
    const auto &relation = relationOf(op, alike, from);
    if (!relation) return std::nullopt;
    parts.push_back(table_.through(*relation, shape, operand.reads));
  }
  return table_.unionOf(std::move(parts));
}

ProgramTerms::OperandReads ProgramTerms::operandReads(
    llvm::ArrayRef<Terms> operands, size_t results) {
  OperandReads read;
  read.operands = operands;
  const auto reads =
      llvm::map_to_vector(operands, [](const Terms &t) { return t.reads; });
  read.areNothing =
      llvm::all_of(reads, [](TermId id) { return id == TermTable::kNothing; });
  if (!read.areNothing) read.shared = table_.shared(reads, results);
  return read;
}

/// Returns the reads of a leaf that has this value.
TermId ProgramTerms::readsOf(const ValueTerm &value, const Op &op,
                             const OperandReads &read) {
  if (read.areNothing) return TermTable::kNothing;
  const llvm::ArrayRef<Terms> operands = read.operands;
  const bool isSymbol = value.kind == ValueTerm::Kind::Symbol;
  const auto steering = isSymbol ? std::nullopt : steeringOperands(op);
  const OpShapes &shapes = shapesOf(op);
  if (op.is<ElementwiseOp>() && steering) {
    llvm::SmallVector<TermId, 4> parts;
    for (auto [k, operand] : llvm::enumerate(operands))
      parts.push_back(shapes.operands[k].isScalar()
                          ? splat(shapes.results[0], operand.reads)
                          : operand.reads);
    return table_.unionOf(std::move(parts));
  }
  const bool byMaps =
      steering && steering->first == steering->second && !isCollective(op);
  if (byMaps || (op.is<CustomOp>() && !isSymbol && !hasOpenSizes(shapes)))
    if (auto reads =
            readsByMaps(byMaps ? readsOp(op) : op, value.leaf, operands))
      return *reads;
  ValueTerm reads;
  reads.kind = ValueTerm::Kind::Reads;
  reads.op = readsOp(op);
  reads.leaf = value.leaf;
  reads.operands = read.shared;
  if (!steering) {
    // Any operand may steer, so all of the value does.
    reads.steering = value.steering;
    reads.number = value.number;
    reads.text = value.text;
    reads.steering.append(value.operands.begin(), value.operands.end());
  } else {
    for (size_t k = steering->first; k < steering->second; ++k)
      reads.steering.push_back(operands[k].value);
  }
  if (op.is<CustomOp>()) reads.text += textOfMaps(op, value.leaf);
  return table_.intern(std::move(reads));
}

}  // namespace indexical

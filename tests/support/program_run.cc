#include "tests/support/program_run.h"

#include <algorithm>
#include <utility>

#include "gtest/gtest.h"

#include "tests/support/element_values.h"
#include "tests/support/integer_arithmetic.h"

namespace indexical::testing {
namespace {

int64_t inType(int64_t value, ElementType type) {
  return isInteger(type) ? wrapped(value, type) : value;
}

/// Returns a value that depends only on the op, the element and the values `of`
/// that the element reads.
int64_t anyValue(const Op &op, int64_t result, int64_t element,
                 std::vector<int64_t> of) {
  const llvm::StringRef kind = op.kind().name;
  if (kind == "add" || kind == "multiply") std::sort(of.begin(), of.end());
  uint64_t hash = result * 31 + element * 7;
  auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  for (char c : kind) mix(c);
  for (char c : op.descriptor().configuration) mix(c);
  for (int64_t value : of) mix(value);
  return inType(static_cast<int64_t>((hash >> 20) % 9) - 2,
                shapesOf(op).results[result].type);
}

}  // namespace

ProgramRun::ProgramRun(const Module &module, int32_t computation,
                       Random &random)
    : module(module), number(computation) {
  std::vector<std::vector<Values>> arguments;
  const Computation &c = module.computations[computation];
  for (int32_t parameter : c.parameters) {
    arguments.emplace_back();
    for (const ArrayShape &leaf : c.instructions[parameter].shape.leaves()) {
      arguments.back().emplace_back();
      for (int64_t i = countOf(leaf.dimensions); i > 0; --i)
        arguments.back().back().push_back(inType(random.in(-3, 6), leaf.type));
    }
  }
  run(std::move(arguments));
}

ProgramRun::ProgramRun(const Module &module, int32_t computation,
                       std::vector<std::vector<Values>> arguments)
    : module(module), number(computation) {
  run(std::move(arguments));
}

void ProgramRun::run(std::vector<std::vector<Values>> arguments) {
  reads.resize(computation().instructions.size());
  values.resize(computation().instructions.size());
  for (InstructionId i : computation().postOrder())
    runInstruction(i, arguments);
}

void ProgramRun::runInstruction(
    InstructionId i, const std::vector<std::vector<Values>> &arguments) {
  const Instruction &instruction = computation().instructions[i];
  const auto shapes = instruction.shape.leaves();
  for (const ArrayShape &shape : shapes)
    reads[i].emplace_back(countOf(shape.dimensions));
  if (instruction.parameterNumber >= 0) {
    values[i] = arguments[instruction.parameterNumber];
    return;
  }
  values[i].resize(shapes.size());
  runOp(i, instruction.op, 0);
}

/// Fills in the reads and values of the instruction's results that are `op`'s,
/// which begin with `firstResult`.
void ProgramRun::runOp(InstructionId i, const Op &op, int64_t firstResult) {
  const Instruction &instruction = computation().instructions[i];
  const int32_t arguments = instruction.operands.size();
  if (auto *start = op.as<StartOp>()) return runStart(i, *start, firstResult);
  if (op.is<CallOp>()) return runCallee(i, 0, {0, arguments}, firstResult);
  if (op.is<ConditionalOp>()) return runConditional(i, firstResult);
  if (op.is<WhileOp>()) return runWhile(i, firstResult);
  if (auto *scan = op.as<ScanOp>()) return runScan(i, *scan, firstResult);
  OperandValues operands;
  for (const OperandLeaf &leaf : computation().operandLeaves(i))
    operands.push_back(values[leaf.instruction][leaf.result]);
  std::vector<Tensor> results = evaluate(op, operands);
  for (size_t n = 0; n < results.size(); ++n) {
    const size_t r = n + firstResult;
    values[i][r].clear();
    for (size_t e = 0; e < results[n].elements.size(); ++e) {
      reads[i][r][e] = results[n].elements[e];
      if (auto value = decidedValue(op, n, e, reads[i][r][e], operands)) {
        values[i][r].push_back(*value);
        continue;
      }
      // An op that computes gives any value that follows from its operands. An
      // op with side effects gives a value of its own.
      std::vector<int64_t> of;
      for (const Read &read : reads[i][r][e])
        of.push_back(operands[read.operand][read.element]);
      int64_t value = anyValue(op, n, e, of);
      if (traitsOf(op).hasSideEffects)
        value = inType(static_cast<int64_t>((e * 7 + i * 5) % 9) - 2,
                       shapesOf(op).results[n].type);
      values[i][r].push_back(value);
    }
    if (!counts_) continue;
    for (Reads &element : reads[i][r])
      element.erase(std::remove_if(element.begin(), element.end(),
                                   [&](const Read &read) {
                                     return !counts_(op, n, read.operand);
                                   }),
                    element.end());
  }
}

/// Fills in the operands, then the results, then the context, which reads
/// nothing.
void ProgramRun::runStart(InstructionId i, const StartOp &op,
                          int64_t firstResult) {
  const auto leaves = computation().operandLeaves(i);
  for (int64_t k = 0; k < op.forwards; ++k) {
    const size_t r = firstResult + k;
    values[i][r] = values[leaves[k].instruction][leaves[k].result];
    for (size_t e = 0; e < reads[i][r].size(); ++e)
      reads[i][r][e] = {{k, static_cast<int64_t>(e)}};
  }
  runOp(i, op.inner, firstResult + op.forwards);
  for (size_t r = 0; r < values[i].size(); ++r)
    values[i][r].resize(reads[i][r].size(), 3);
}

/// Adds the reads of all branches. The branch that is chosen gives the values.
void ProgramRun::runConditional(InstructionId i, int64_t firstResult) {
  const Instruction &instruction = computation().instructions[i];
  const int32_t choice = instruction.operands[0];
  const int64_t branches = instruction.called.size();
  const int64_t value = values[choice][0][0];
  int64_t taken = value >= 0 && value < branches ? value : branches - 1;
  if (computation().instructions[choice].shape->array.type == ElementType::Pred)
    taken = value != 0 ? 0 : 1;
  std::vector<Values> chosen;
  for (int32_t b = 0; b < branches; ++b) {
    runCallee(i, b, {b + 1, 1}, firstResult);
    if (b == taken) chosen = values[i];
  }
  values[i] = chosen;
  if (counts_) return;  // a choice is no number that changes a little
  for (std::vector<Reads> &leaf : reads[i])
    for (Reads &element : leaf) element.push_back({0, 0});
}

/// Runs a computation that the instruction calls on some of its operands, and
/// adds the reads of the results.
void ProgramRun::runCallee(InstructionId i, int32_t calledNumber,
                           CallArguments passed, int64_t firstResult) {
  const Instruction &instruction = computation().instructions[i];
  std::vector<std::vector<Values>> arguments;
  for (int32_t k = 0; k < passed.count; ++k)
    arguments.push_back(values[instruction.operands[passed.first + k]]);
  const int32_t callee = instruction.called[calledNumber].computation;
  auto &call = calls[{i, calledNumber}];
  call.reset(new ProgramRun(module, callee, std::move(arguments)));
  const Computation &called = module.computations[callee];
  const auto &results = call->values[called.root];
  std::copy(results.begin(), results.end(), values[i].begin() + firstResult);
  const auto leaves = computation().operandLeaves(i);
  for (size_t l = 0; l < leaves.size(); ++l) {
    const int32_t argument = leaves[l].operand - passed.first;
    if (argument < 0 || argument >= passed.count) continue;
    const Leaf parameter{called.parameters[argument], leaves[l].result};
    for (size_t r = 0; r < results.size(); ++r) {
      const Leaf root{called.root, static_cast<int64_t>(r)};
      for (const auto &[from, to] : call->pairs(root, parameter))
        reads[i][firstResult + r][rowMajor(call->sizesOf(root), from)]
            .push_back({static_cast<int64_t>(l),
                        rowMajor(call->sizesOf(parameter), to)});
    }
  }
}

llvm::ArrayRef<int64_t> ProgramRun::sizesOf(Leaf leaf) const {
  const Instruction &instruction = computation().instructions[leaf.instruction];
  return shapesOf(instruction.op).results[leaf.leaf].dimensions;
}

std::vector<Pair> ProgramRun::pairs(Leaf from, Leaf to) const {
  const llvm::ArrayRef<int64_t> toSizes = sizesOf(to);
  const size_t count = countOf(toSizes);
  // below[i][leaf][element]: which elements of `to` it depends on.
  using Set = std::vector<bool>;
  std::vector<std::vector<std::vector<Set>>> below(reads.size());
  for (InstructionId i : computation().postOrder()) {
    const auto leaves = computation().operandLeaves(i);
    for (size_t r = 0; r < reads[i].size(); ++r) {
      below[i].emplace_back(reads[i][r].size(), Set(count, false));
      for (size_t e = 0; e < reads[i][r].size(); ++e) {
        Set &set = below[i][r][e];
        if (i == to.instruction) {
          if (static_cast<int64_t>(r) == to.leaf) set[e] = true;
          continue;
        }
        for (const Read &read : reads[i][r][e]) {
          const OperandLeaf &leaf = leaves[read.operand];
          const Set &other = below[leaf.instruction][leaf.result][read.element];
          for (size_t k = 0; k < count; ++k)
            if (other[k]) set[k] = true;
        }
      }
    }
  }
  std::vector<Pair> pairs;
  const auto &sets = below[from.instruction][from.leaf];
  for (size_t e = 0; e < sets.size(); ++e)
    for (size_t k = 0; k < count; ++k)
      if (sets[e][k])
        pairs.emplace_back(indexAt(sizesOf(from), e), indexAt(toSizes, k));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<Pair> ProgramRun::pairs(Leaf from, int64_t operandLeaf) const {
  const OperandLeaf leaf =
      computation().operandLeaves(InstructionId(from.instruction))[operandLeaf];
  std::vector<Pair> pairs;
  const auto &elements = reads[from.instruction][from.leaf];
  for (size_t e = 0; e < elements.size(); ++e)
    for (const Read &read : elements[e])
      if (read.operand == operandLeaf)
        pairs.emplace_back(
            indexAt(sizesOf(from), e),
            indexAt(sizesOf({leaf.instruction, leaf.result}), read.element));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

const ProgramRun::Values &ProgramRun::valuesOf(const Value &value) const {
  const ProgramRun *run = this;
  for (const CallSite &site : value.calls) {
    EXPECT_EQ(site.computation, run->number);
    run = run->calls.at({site.instruction, site.called}).get();
  }
  EXPECT_EQ(value.computation, run->number);
  return run->values[value.instruction][value.result];
}

const ArrayShape &ProgramRun::shapeOf(const Value &value) const {
  const Instruction &instruction =
      module.computations[value.computation].instructions[value.instruction];
  return shapesOf(instruction.op).results[value.result];
}

std::optional<int64_t> RunWorld::element(int64_t tensor,
                                         llvm::ArrayRef<int64_t> index) const {
  const Value &value = maps.value(tensor);
  llvm::ArrayRef<int64_t> sizes = run.shapeOf(value).dimensions;
  EXPECT_EQ(sizes.size(), index.size()) << "a source index of another rank";
  if (sizes.size() != index.size() || !isInside(sizes, index))
    return std::nullopt;
  return run.valuesOf(value)[rowMajor(sizes, index)];
}

std::vector<Pair> pairsOf(const IndexingRelation &relation,
                          const World &world) {
  std::vector<Pair> all;
  for (const IndexingMap &piece : relation.pieces()) {
    std::vector<Pair> pairs = pairsOf(piece, world);
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace indexical::testing

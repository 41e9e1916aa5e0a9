// Runs loops: a while as often as its condition says, or any small number of
// times if that is not known; a scan step by step.
#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/support/program_run.h"

namespace indexical::testing {
namespace {

// The most trips that are run of a loop whose trips are not known. The reads of
// fewer trips count too.
constexpr int kTrips = 4;
// The same of one whose trips are known.
constexpr int kKnownTrips = 64;

/// Returns the parameter's leaf (parameter number, leaf) that reaches this leaf
/// unchanged through tuples, copies, calls and loops, or nothing.
std::optional<std::pair<int32_t, int64_t>> passedOn(const Module &module,
                                                    ComputationId c,
                                                    InstructionId i,
                                                    int64_t leaf) {
  const Computation &computation = module.computations[c];
  const Instruction &instruction = computation.instructions[i];
  if (instruction.parameterNumber >= 0)
    return std::make_pair(instruction.parameterNumber, leaf);
  const auto leaves = computation.operandLeaves(i);
  auto operand = [&](int64_t number) {
    return passedOn(module, c, leaves[number].instruction,
                    leaves[number].result);
  };
  // Returns the caller's operand leaf that reaches the called computation's
  // root leaf unchanged, or -1.
  auto through = [&](int32_t called, int64_t rootLeaf) -> int64_t {
    const ComputationId callee = instruction.called[called].computation;
    auto from =
        passedOn(module, callee, module.computations[callee].root, rootLeaf);
    for (size_t l = 0; from && l < leaves.size(); ++l)
      if (leaves[l].operand == from->first && leaves[l].result == from->second)
        return l;
    return -1;
  };
  const Op *op = &instruction.op;
  if (auto *start = op->as<StartOp>()) {
    if (leaf < start->forwards) return operand(leaf);
    leaf -= start->forwards;
    op = &start->inner;
    if (leaf >= static_cast<int64_t>(shapesOf(*op).results.size()))
      return std::nullopt;
  }
  int64_t from = -1;
  if (auto *forward = op->as<ForwardOp>())
    from = forward->reads[leaf];
  else if (instruction.opcode == "copy")
    from = leaf;
  else if (op->is<CallOp>())
    from = through(0, leaf);
  else if (op->is<WhileOp>())
    for (size_t k = 0; k < instruction.called.size(); ++k)
      if (instruction.called[k].role == CallRole::Body &&
          through(k, leaf) == leaf)
        from = leaf;
  if (from < 0) return std::nullopt;
  return operand(from);
}

Index without(Index index, int64_t dimension) {
  index.erase(index.begin() + dimension);
  return index;
}

}  // namespace

ProgramRun::LeafReads ProgramRun::through(
    int64_t rootLeaf, llvm::ArrayRef<LeafReads> arguments) const {
  const Leaf root{computation().root, rootLeaf};
  LeafReads result(countOf(sizesOf(root)));
  size_t next = 0;
  for (int32_t parameter : computation().parameters) {
    const int64_t count =
        computation().instructions[parameter].shape.leafCount();
    for (int64_t l = 0; l < count; ++l, ++next) {
      const Leaf leaf{parameter, l};
      for (const auto &[from, to] : pairs(root, leaf))
        unite(result[rowMajor(sizesOf(root), from)],
              arguments[next][rowMajor(sizesOf(leaf), to)]);
    }
  }
  for (Reads &reads : result) normalize(reads);
  return result;
}

bool ProgramRun::isKnown(InstructionId i, const Reads &all) const {
  const auto leaves = computation().operandLeaves(i);
  return llvm::all_of(all, [&](const Read &read) {
    const OperandLeaf &leaf = leaves[read.operand];
    return computation().instructions[leaf.instruction].parameterNumber < 0 &&
           isKnown(leaf.instruction,
                   reads[leaf.instruction][leaf.result][read.element]);
  });
}

/// Every number of trips is possible, unless numbers decide each condition. A
/// leaf that changes depends on everything that decides the number of trips.
void ProgramRun::runWhile(InstructionId i, int64_t firstResult) {
  const Instruction &instruction = computation().instructions[i];
  ComputationId body, condition;
  for (size_t k = 0; k < instruction.called.size(); ++k) {
    const CalledComputation &called = instruction.called[k];
    if (called.role == CallRole::Body) body = called.computation;
    if (called.role == CallRole::Condition) condition = called.computation;
  }
  const auto leaves = computation().operandLeaves(i);
  std::vector<LeafReads> state(leaves.size());
  std::vector<std::vector<Values>> arguments;
  for (int32_t operand : instruction.operands)
    arguments.push_back(values[operand]);
  for (size_t l = 0; l < leaves.size(); ++l) {
    const auto sizes = sizesOf({leaves[l].instruction, leaves[l].result});
    for (int64_t e = 0; e < countOf(sizes); ++e)
      state[l].push_back({{static_cast<int64_t>(l), e}});
  }
  Reads control;
  bool isKnownLoop = true;
  const InstructionId root = module.computations[body].root;
  for (int trip = 0;; ++trip) {
    const ProgramRun test(module, condition, arguments);
    unite(control, test.through(0, state)[0]);
    isKnownLoop &= isKnown(i, control);
    const bool ends =
        isKnownLoop &&
        test.values[module.computations[condition].root][0][0] == 0;
    size_t l = 0;
    for (const std::vector<Values> &argument : arguments)
      for (const Values &leaf : argument) {
        values[i][firstResult + l] = leaf;
        for (size_t e = 0; e < state[l].size(); ++e) {
          Reads &all = reads[i][firstResult + l][e];
          if (ends) all.clear();
          unite(all, state[l][e]);
        }
        ++l;
      }
    if (ends || trip == (isKnownLoop ? kKnownTrips : kTrips)) break;
    const ProgramRun step(module, body, arguments);
    std::vector<LeafReads> next;
    for (size_t k = 0; k < leaves.size(); ++k)
      next.push_back(step.through(k, state));
    state = std::move(next);
    // One operand is the whole state; several are its elements.
    auto results = step.values[root].begin();
    for (std::vector<Values> &argument : arguments)
      for (Values &leaf : argument) leaf = *results++;
  }
  normalize(control);
  for (size_t l = 0; l < leaves.size(); ++l) {
    const auto from = passedOn(module, body, root, l);
    const bool kept = from && from->first == leaves[l].operand &&
                      from->second == leaves[l].result;
    for (Reads &element : reads[i][firstResult + l]) {
      if (!kept) unite(element, control);
      normalize(element);
    }
  }
}

void ProgramRun::runScan(InstructionId i, const ScanOp &op,
                         int64_t firstResult) {
  const Instruction &instruction = computation().instructions[i];
  const ComputationId callee = instruction.called[0].computation;
  const size_t inputs = op.operands.size() - op.carries;
  const size_t outputs = op.results.size() - op.carries;
  std::vector<LeafReads> carried(op.carries);
  std::vector<Values> carriedValues(op.carries);
  for (int64_t c = 0; c < op.carries; ++c) {
    const int64_t operand = inputs + c;
    carriedValues[c] = values[instruction.operands[operand]][0];
    for (size_t e = 0; e < carriedValues[c].size(); ++e)
      carried[c].push_back({{operand, static_cast<int64_t>(e)}});
  }
  for (size_t r = 0; r < outputs; ++r)
    values[i][firstResult + r].resize(countOf(op.results[r].dimensions));
  const int64_t steps = op.operands[0].dimensions[op.dimension];
  for (int64_t t = 0; t < steps; ++t) {
    const int64_t at = op.reverse ? steps - 1 - t : t;
    std::vector<LeafReads> arguments;
    std::vector<std::vector<Values>> argumentValues;
    for (size_t k = 0; k < inputs; ++k) {
      const llvm::ArrayRef<int64_t> sizes = op.operands[k].dimensions;
      LeafReads slice;
      Values sliceValues;
      forEachIndex(sizes, [&](const Index &index) {
        if (index[op.dimension] != at) return;
        const int64_t e = rowMajor(sizes, index);
        slice.push_back({{static_cast<int64_t>(k), e}});
        sliceValues.push_back(values[instruction.operands[k]][0][e]);
      });
      arguments.push_back(std::move(slice));
      argumentValues.push_back({std::move(sliceValues)});
    }
    for (int64_t c = 0; c < op.carries; ++c) {
      arguments.push_back(carried[c]);
      argumentValues.push_back({carriedValues[c]});
    }
    const ProgramRun step(module, callee, std::move(argumentValues));
    const auto &stepValues = step.values[module.computations[callee].root];
    for (size_t r = 0; r < outputs; ++r) {
      const llvm::ArrayRef<int64_t> sizes = op.results[r].dimensions;
      Index sliceSizes =
          without(Index(sizes.begin(), sizes.end()), op.dimension);
      const LeafReads slice = step.through(r, arguments);
      forEachIndex(sizes, [&](const Index &index) {
        if (index[op.dimension] != at) return;
        const int64_t e = rowMajor(sizes, index);
        const int64_t s = rowMajor(sliceSizes, without(index, op.dimension));
        reads[i][firstResult + r][e] = slice[s];
        values[i][firstResult + r][e] = stepValues[r][s];
      });
    }
    std::vector<LeafReads> next;
    for (int64_t c = 0; c < op.carries; ++c) {
      next.push_back(step.through(outputs + c, arguments));
      carriedValues[c] = stepValues[outputs + c];
    }
    carried = std::move(next);
  }
  for (int64_t c = 0; c < op.carries; ++c) {
    reads[i][firstResult + outputs + c] = carried[c];
    values[i][firstResult + outputs + c] = carriedValues[c];
  }
}

}  // namespace indexical::testing

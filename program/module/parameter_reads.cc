#include "indexical/program/module/parameter_reads.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// The most steps for a computation that is applied: these are small, and a
/// module may apply a large one many times.
constexpr int64_t kMostReadSteps = 4000;

using Row = llvm::SmallVector<ParameterRead, 4>;

/// Whether a result leaf reads an operand leaf, by the op alone.
ParameterRead readOf(const Op &op, int64_t result, int64_t operand) {
  auto relation = indexing(op, Direction::OutputToInput, result, operand);
  if (!relation.ok()) return ParameterRead::Maybe;
  if (relation->isEmpty()) return ParameterRead::Never;
  const OpShapes &shapes = shapesOf(op);
  if (relation->precision() != Precision::Exact ||
      !shapes.results[result].isScalar() ||
      !shapes.operands[operand].isScalar())
    return ParameterRead::Maybe;
  for (const IndexingMap &piece : relation->pieces())
    if (piece.constraints().empty() && piece.runtime().empty())
      return ParameterRead::Always;
  return ParameterRead::Maybe;
}

class Reader {
 public:
  explicit Reader(const Module &module) : module_(module) {}

  std::optional<ParameterReads> read(ComputationId number) {
    const Computation &computation = module_.computations[number];
    std::vector<int64_t> first;  // of each parameter, its first leaf
    int64_t leaves = 0;
    for (InstructionId parameter : computation.parameters) {
      first.push_back(leaves);
      leaves += resultsOf(computation.instructions[parameter]);
    }
    if (!spend(computation.instructions.size() + leaves)) return std::nullopt;
    std::vector<ParameterReads> known(computation.instructions.size());
    for (InstructionId i : computation.postOrder()) {
      const Instruction &instruction = computation.instructions[i];
      if (!spend(resultsOf(instruction) * leaves)) return std::nullopt;
      known[i].assign(resultsOf(instruction),
                      Row(leaves, ParameterRead::Never));
      if (instruction.parameterNumber >= 0) {
        for (size_t r = 0; r < known[i].size(); ++r)
          known[i][r][first[instruction.parameterNumber] + r] =
              ParameterRead::Always;
      } else if (!readOperands(computation, i, known)) {
        return std::nullopt;
      }
    }
    return std::move(known[computation.root]);
  }

 private:
  bool spend(int64_t steps) { return (stepsLeft_ -= steps) >= 0; }

  static int64_t resultsOf(const Instruction &instruction) {
    return shapesOf(instruction.op).results.size();
  }

  /// Returns how the callee reads operand leaf `k`; `numbers` says which
  /// operand leaves its parameters are.
  static ParameterRead inCallee(const Row &row, llvm::ArrayRef<int64_t> numbers,
                                int64_t k) {
    const auto *found = llvm::find(numbers, k);
    return found == numbers.end() ? ParameterRead::Never
                                  : row[found - numbers.begin()];
  }

  /// Adds to a result what the operands that it reads have read.
  bool readOperands(const Computation &computation, InstructionId i,
                    std::vector<ParameterReads> &known) {
    const Instruction &instruction = computation.instructions[i];
    const auto operands = computation.operandLeaves(i);
    std::optional<ParameterReads> callee;
    std::vector<int64_t> numbers;  // of its parameters' leaves
    if (auto called = calleeOfCall(instruction);
        called && instruction.op.is<CallOp>()) {
      callee = read(called->computation);
      if (!callee) return false;
      numbers = argumentLeaves(module_.computations[called->computation],
                               called->arguments, operands);
    }
    for (size_t r = 0; r < known[i].size(); ++r)
      for (size_t k = 0; k < operands.size(); ++k) {
        Row &row = known[i][r];
        if (!spend(1 + row.size())) return false;
        const ParameterRead here = callee ? inCallee((*callee)[r], numbers, k)
                                          : readOf(instruction.op, r, k);
        const Row &before = known[operands[k].instruction][operands[k].result];
        for (size_t p = 0; p < row.size(); ++p)
          row[p] = std::max(row[p], std::min(here, before[p]));
      }
    return true;
  }

  const Module &module_;
  int64_t stepsLeft_ = kMostReadSteps;
};

}  // namespace

std::optional<ParameterReads> parameterReads(const Module &module,
                                             ComputationId computation) {
  return Reader(module).read(computation);
}

llvm::SmallVector<ScatterOp::BodyRead, 1> scatterReads(
    const Module &module, ComputationId computation, size_t inputs) {
  using BodyRead = ScatterOp::BodyRead;
  llvm::SmallVector<BodyRead, 1> all;
  const auto reads = parameterReads(module, computation);
  if (!reads || reads->size() != inputs) return all;
  for (const auto &row : *reads) {
    if (row.size() < inputs) return {};
    for (size_t k = 0; k < inputs; ++k)
      all.push_back(row[k] == ParameterRead::Always  ? BodyRead::Always
                    : row[k] == ParameterRead::Maybe ? BodyRead::Maybe
                                                     : BodyRead::Never);
  }
  return all;
}

}  // namespace indexical

#include "indexical/cost/live/live_arrays.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/ops/address.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/program/values/effects.h"

namespace indexical {
namespace {

/// Fusions in calls in loops; deeper ones are no compiler's.
constexpr int kMostDepth = 64;

/// The arrays of one computation, by the values that they are.
class Arrays {
 public:
  Arrays(const Module &module, const Computation &of)
      : module_(module), own_(of) {
    first_.push_back(0);
    for (const Instruction &each : own_.instructions)
      first_.push_back(first_.back() + each.shape.leafCount());
    parent_.resize(first_.back());
    std::iota(parent_.begin(), parent_.end(), 0);
    lastReader_.assign(first_.back(), -1);
    for (size_t i = 0; i < own_.instructions.size(); ++i)
      for (const OperandLeaf &leaf : readUntil(InstructionId(i)))
        lastReader_[numberOf({leaf.instruction, leaf.result})] =
            static_cast<int64_t>(i);
    for (size_t i = 0; i < own_.instructions.size(); ++i)
      joinOperands(InstructionId(i));
  }

  /// Returns the values that are read until an instruction at least: its
  /// operands, and for a done those of its start.
  std::vector<OperandLeaf> readUntil(InstructionId i) const {
    std::vector<OperandLeaf> read;
    auto add = [&](InstructionId reader) {
      for (const OperandLeaf &leaf : own_.operandLeaves(reader))
        if (leaf.instruction >= 0) read.push_back(leaf);
    };
    add(i);
    if (const auto start = startOf(own_, i)) add(*start);
    return read;
  }

  size_t size() const { return parent_.size(); }
  int64_t numberOf(InstructionLeaf value) const {
    return first_[value.instruction] + int64_t{value.leaf};
  }
  /// Returns the number that stands for the value's array: of its first value.
  int64_t arrayOf(int64_t value) const {
    while (parent_[value] != value) value = parent_[value];
    return value;
  }
  InstructionLeaf valueOf(int64_t number) const {
    const auto behind = std::upper_bound(first_.begin(), first_.end(), number);
    const int64_t i = behind - first_.begin() - 1;
    return {InstructionId(i), LeafId(number - first_[i])};
  }

 private:
  void join(int64_t a, int64_t b) {
    a = arrayOf(a), b = arrayOf(b);
    if (a == b) return;
    // The earlier one stands for both.
    parent_[std::max(a, b)] = std::min(a, b);
    lastReader_[std::min(a, b)] = std::max(lastReader_[a], lastReader_[b]);
  }

  void joinOperands(InstructionId i) {
    const Instruction &instruction = own_.instructions[i];
    if (instruction.parameterNumber >= 0) return;
    const int64_t results = instruction.shape.leafCount();
    for (LeafId r; r < results; ++r) {
      const int64_t operand = sameAs(instruction, r);
      if (operand < 0) continue;
      const OperandLeaf from = own_.operandLeaf(i, LeafId(operand));
      if (from.instruction < 0) continue;
      const int64_t array = arrayOf(numberOf({from.instruction, from.result}));
      // An op cannot overwrite what another one reads later.
      const bool isView =
          instruction.op.isOneOf<ForwardOp, BitcastOp, StartOp>();
      if (isView || lastReader_[array] <= int64_t{i})
        join(numberOf({i, r}), array);
    }
  }

  /// Returns the operand leaf whose array the result is, or -1.
  int64_t sameAs(const Instruction &instruction, LeafId result) const {
    const Op &op = instruction.op;
    if (const auto *forward = op.as<ForwardOp>()) {
      // The first results of `copy-start` are the copy, in its own memory.
      const auto copied = static_cast<int64_t>(forward->operands.size());
      if (instruction.opcode == "copy-start" && result < copied) return -1;
      return forward->reads[result];
    }
    if (const auto *start = op.as<StartOp>())
      return result < start->forwards ? int64_t{result} : -1;
    if (op.is<BitcastOp>()) return 0;
    if (op.is<WhileOp>()) return int64_t{result};
    return updatedOperand(module_, instruction, result);
  }

  const Module &module_;
  const Computation &own_;
  std::vector<int64_t> first_;   // of each instruction's values
  std::vector<int64_t> parent_;  // earlier values
  /// The last instruction that is given the array, of the value that stands for
  /// it.
  std::vector<int64_t> lastReader_;
};

/// Finds peaks, callees first. Nothing is found if a size is not known.
class Finder {
 public:
  explicit Finder(const Module &module) : module_(module) {}

  /// Who has the arrays of a computation's parameters and results.
  enum class Role : uint8_t {
    Entry,      ///< it has all of them
    Callee,     ///< its caller has: they do not count
    Condition,  ///< its caller has the parameters; the result is its own
  };

  std::optional<LivePeak> peakOf(ComputationId c, Role role, int depth) {
    if (c < 0 || depth == kMostDepth) return std::nullopt;
    if (const auto known = peaks_.find({c, role}); known != peaks_.end())
      return known->second;
    auto peak = findPeak(c, role, depth);
    peaks_[{c, role}] = peak;
    return peak;
  }

 private:
  struct Life {
    int64_t bytes = 0, begin = -1, end = -1;  ///< instructions, both included
    bool counts = true;
  };

  std::optional<std::vector<Life>> livesOf(ComputationId c, Role role,
                                           const Arrays &arrays) const {
    const Computation &own = module_.computations[c];
    const int64_t last = static_cast<int64_t>(own.instructions.size()) - 1;
    std::vector<Life> lives(arrays.size());
    for (size_t n = 0; n < own.instructions.size(); ++n) {
      const InstructionId i(n);
      const Instruction &instruction = own.instructions[i];
      const auto leaves = instruction.shape->leaves();
      const bool isAlways =
          instruction.parameterNumber >= 0 || instruction.op.is<ConstantOp>();
      for (LeafId l; l < static_cast<int64_t>(leaves.size()); ++l) {
        const auto bytes = storedBytes(leaves[l]);
        if (!bytes) return std::nullopt;
        Life &life = lives[arrays.arrayOf(arrays.numberOf({i, l}))];
        // A bitcast may see less of the array.
        life.bytes = std::max(life.bytes, *bytes);
        if (life.begin < 0) life.begin = isAlways ? 0 : int64_t(n);
        life.end = std::max(life.end, isAlways ? last : int64_t(n));
        if (role != Role::Entry && instruction.parameterNumber >= 0)
          life.counts = false;
        if (i == own.root) {
          life.end = last;
          if (role == Role::Callee) life.counts = false;
        }
      }
      // To pass a value on is not to read it.
      if (!startOf(own, i) && instruction.op.isOneOf<ForwardOp, BitcastOp>())
        continue;
      for (const OperandLeaf &leaf : arrays.readUntil(i)) {
        Life &life = lives[arrays.arrayOf(
            arrays.numberOf({leaf.instruction, leaf.result}))];
        life.end = std::max(life.end, int64_t(n));
      }
    }
    return lives;
  }

  /// Returns the peak inside of what an instruction runs; no bytes if it runs
  /// nothing. Nothing if it is not known.
  std::optional<LivePeak> inside(const Instruction &instruction, int depth) {
    LivePeak most;
    const bool runs =
        instruction.op.is<WhileOp>() || instruction.op.is<ConditionalOp>() ||
        (instruction.op.is<CallOp>() && instruction.opcode != "fusion");
    if (!runs) return most;
    for (const CalledComputation &called : instruction.called) {
      const bool decides = called.role == CallRole::Condition;
      const auto peak =
          peakOf(called.computation, decides ? Role::Condition : Role::Callee,
                 depth + 1);
      if (!peak) return std::nullopt;
      if (peak->bytes > most.bytes) most = *peak;
    }
    return most;
  }

  std::optional<LivePeak> findPeak(ComputationId c, Role role, int depth) {
    const Computation &own = module_.computations[c];
    const Arrays arrays(module_, own);
    const auto lives = livesOf(c, role, arrays);
    if (!lives) return std::nullopt;
    const size_t count = own.instructions.size();
    // No sum of some of the arrays is more than that of all.
    int64_t whole = 0;
    for (const Life &life : *lives)
      if (llvm::AddOverflow(whole, life.bytes, whole)) return std::nullopt;
    std::vector<int64_t> change(count + 1, 0);
    for (const Life &life : *lives) {
      if (!life.counts || life.begin < 0) continue;
      change[life.begin] += life.bytes;
      change[life.end + 1] -= life.bytes;
    }
    LivePeak peak;
    peak.computation = c;
    peak.bytes = -1;
    LivePeak insidePeak;
    int64_t bytes = 0, at = 0;
    for (size_t n = 0; n < count; ++n) {
      bytes += change[n];
      auto of = inside(own.instructions[n], depth);
      if (!of) return std::nullopt;
      int64_t most = 0;
      if (llvm::AddOverflow(bytes, of->bytes, most)) return std::nullopt;
      if (most <= peak.bytes) continue;
      peak.bytes = most;
      at = static_cast<int64_t>(n);
      insidePeak = *std::move(of);
    }
    peak.at = InstructionId(at);
    for (size_t a = 0; a < lives->size(); ++a) {
      const Life &life = (*lives)[a];
      if (life.counts && life.begin >= 0 && life.begin <= at &&
          at <= life.end && life.bytes > 0)
        peak.arrays.push_back({c, arrays.valueOf(a), life.bytes});
    }
    if (insidePeak.bytes > 0) {
      peak.computation = insidePeak.computation;
      peak.at = insidePeak.at;
      peak.arrays.insert(peak.arrays.end(), insidePeak.arrays.begin(),
                         insidePeak.arrays.end());
    }
    peak.bytes = std::max<int64_t>(0, peak.bytes);
    llvm::stable_sort(peak.arrays, [](const LiveArray &a, const LiveArray &b) {
      return a.bytes > b.bytes;
    });
    return peak;
  }

  const Module &module_;
  std::map<std::pair<ComputationId, Role>, std::optional<LivePeak>> peaks_;
};

}  // namespace

std::optional<int64_t> storedBytes(const ArrayShape &shape) {
  const auto elements = storedElements(shape);
  const int64_t bits = storedBits(shape);
  int64_t all = 0;
  if (!elements || bits == 0 || llvm::MulOverflow(*elements, bits, all))
    return std::nullopt;
  return all / 8 + (all % 8 != 0);
}

std::optional<LivePeak> livePeakOf(const Module &module) {
  if (!module.isScheduled || module.entry < 0) return std::nullopt;
  return Finder(module).peakOf(module.entry, Finder::Role::Entry, 0);
}

}  // namespace indexical

#include "indexical/same/values/same_layers.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/values/effects.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/program/values/term_table.h"
#include "indexical/same/equality/entry_parameters.h"
#include "indexical/same/terms/program_terms.h"

namespace indexical {
namespace {

// The steps of a question about one pair of values: all pairs are tried with
// few before one is with more. The steps of all questions.
constexpr int64_t kFewOperations = 50'000, kManyOperations = 500'000;
constexpr int64_t kOperationsOfAll = 20'000'000;
// Pairs that a round tries, values of the first module with which one of the
// second is tried, and rounds.
constexpr int kMostPairsOfRound = 48, kMostPartners = 4, kMostRounds = 1024;

Computation &entryOf(Module &module) {
  return module.computations[module.entry];
}

bool mayBeNew(const Instruction &of) {
  if (of.parameterNumber >= 0 || of.terminator || !of.shape->isArray())
    return false;
  const ArrayShape &shape = of.shape->array;
  return llvm::none_of(shape.dimensions,
                       [](int64_t size) { return size <= 0; }) &&
         shape.dynamic.none();
}

bool haveOneShape(const Instruction &one, const Instruction &other) {
  const ArrayShape &a = one.shape->array, &b = other.shape->array;
  return a.type == b.type && a.dimensions == b.dimensions;
}

/// Whether an op only moves the elements of its one operand.
bool isMove(const Instruction &of) {
  return of.operands.size() == 1 && of.shape->isArray() &&
         (of.opcode == "copy" ||
          of.op.isOneOf<ReshapeOp, TransposeOp, BitcastOp, BroadcastOp, SliceOp,
                        ReverseOp>());
}

/// Whether an element of the result is a function of many of the operands'.
bool readsMany(const Instruction &of) {
  return !of.called.empty() ||
         !of.op.isOneOf<ElementwiseOp, ReshapeOp, TransposeOp, BitcastOp,
                        BroadcastOp, SliceOp, PadOp, ReverseOp, ForwardOp,
                        ConstantOp, IotaOp, NullaryOp>();
}

/// Returns what the root depends on, operands first.
InstructionOrder orderOf(const Computation &computation) {
  std::vector<bool> isNeeded(computation.instructions.size());
  std::vector<InstructionId> open{computation.root};
  while (!open.empty()) {
    const InstructionId i = open.back();
    open.pop_back();
    if (isNeeded[i]) continue;
    isNeeded[i] = true;
    llvm::append_range(open, computation.instructions[i].operands);
  }
  InstructionOrder order = computation.postOrder();
  llvm::erase_if(order, [&](InstructionId i) { return !isNeeded[i]; });
  return order;
}

class Layers {
 public:
  Layers(const Module &first, const Module &second, const ValueOptions &values,
         const EqualityOptions &options)
      : sides_{first, second}, values_(values), options_(options) {
    for (int side : {0, 1}) order_[side] = orderOf(entryOf(sides_[side]));
    options_.progress = nullptr;
    left_ = options.operationsOr(kOperationsOfAll);
    for (int side : {0, 1})
      for (InstructionId p : entryOf(sides_[side]).parameters)
        isKept_[side].insert(p);
  }

  std::optional<LayersEquality> run();

 private:
  /// Finds the values of both modules that are the same as they are written.
  bool match();
  /// Makes new arrays of the last of these on each way.
  void cutLast();
  /// Returns the values that are not the same as written, but for those that
  /// only move one that is.
  std::vector<InstructionId> open(int side) const;
  /// Makes a new array of one pair of values that are not the same as written.
  bool cutNext();
  bool cutNext(int64_t operations);
  bool areEqual(InstructionId first, InstructionId second, int64_t operations,
                bool &isReal);
  void replace(InstructionId first, InstructionId second, bool isReal);
  /// Returns whether the value is known to be a real number at each index.
  bool isReal(InstructionId i);
  std::optional<InstructionId> parting(int side) const;

  Module sides_[2];
  const ValueOptions values_;
  EqualityOptions options_;
  InstructionOrder order_[2];
  int64_t left_ = 0;
  /// By instruction: one of the other module's that is the same, or -1.
  std::vector<InstructionId> same_[2];
  std::vector<bool> isDeep_[2];
  std::set<InstructionId> isKept_[2];  ///< parameters, and new arrays
  std::set<std::tuple<InstructionId, InstructionId, int64_t>> tried_;
  std::set<std::string> laws_;
  bool ordersUpdates_ = false;
  bool losesReads_ = false;
  int made_ = 0;
};

bool Layers::match() {
  TermTable table;
  const std::vector<int32_t> numbers[] = {{}, numbersBy(options_.parameters)};
  std::unordered_map<TermId, InstructionId> found[2];
  std::vector<TermId> values[2];
  for (int side : {0, 1}) {
    const Computation &entry = entryOf(sides_[side]);
    const ProgramTerms terms(sides_[side], table, numbers[side], options_);
    if (!options_.check().ok()) return false;
    const size_t count = entry.instructions.size();
    values[side].assign(count, -1);
    same_[side].assign(count, InstructionId(-1));
    isDeep_[side].assign(count, false);
    for (InstructionId i : order_[side]) {
      const Instruction &of = entry.instructions[i];
      isDeep_[side][i] = !isKept_[side].count(i) &&
                         (readsMany(of) ||
                          llvm::any_of(of.operands, [&](InstructionId operand) {
                            return bool(isDeep_[side][operand]);
                          }));
      if (!of.shape->isArray()) continue;
      values[side][i] = terms.of({i, LeafId(0)}).value;
      found[side].try_emplace(values[side][i], i);
    }
  }
  for (int side : {0, 1})
    for (InstructionId i : order_[side]) {
      const auto other = found[1 - side].find(values[side][i]);
      if (values[side][i] >= 0 && other != found[1 - side].end() &&
          haveOneShape(entryOf(sides_[side]).instructions[i],
                       entryOf(sides_[1 - side]).instructions[other->second]))
        same_[side][i] = other->second;
    }
  return true;
}

bool Layers::isReal(InstructionId i) {
  const Computation &entry = entryOf(sides_[1]);
  std::vector<InstructionId> open{i};
  std::set<InstructionId> seen;
  while (!open.empty()) {
    const InstructionId at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const Instruction &of = entry.instructions[at];
    const auto *literal = of.op.as<ConstantOp>();
    if (of.parameterNumber >= 0 ||
        (of.shape->isArray() && isInteger(of.shape->array.type)))
      continue;
    if (literal ? !hasRealNumbers(*literal)
                : !of.called.empty() || of.operands.empty() ||
                      !keepsRealNumbers(of.op))
      return false;
    llvm::append_range(open, of.operands);
  }
  return true;
}

void Layers::replace(InstructionId first, InstructionId second, bool isReal) {
  const std::string name = "a value of both, " + std::to_string(made_++);
  for (int side : {0, 1}) {
    const InstructionId i = side == 0 ? first : second;
    Computation &entry = entryOf(sides_[side]);
    Instruction &of = entry.instructions[i];
    const ArrayShape shape(of.shape->array.type, of.shape->array.dimensions);
    of.operands.clear();
    of.elements.clear();
    of.called.clear();
    of.captured = 0;
    if (isReal) {
      NullaryOp op;
      op.opKind = kindOf<NullaryOp>("parameter");
      op.parameter = entry.parameters.size();
      op.results = {shape};
      of.op = Op(op);
      of.parameterNumber = op.parameter;
      entry.parameters.push_back(i);
    } else {
      of.op = opOfName(name, {}, {shape});
    }
    isKept_[side].insert(i);
    order_[side] = orderOf(entry);
  }
  if (isReal && !options_.parameters.empty())
    options_.parameters.push_back(options_.parameters.size());
}

void Layers::cutLast() {
  // A value is the last on its way if something that is not the same reads it.
  // What only moves its elements is no new array: two of one value would have
  // nothing to do with each other.
  std::set<InstructionId> last;
  for (int side : {0, 1}) {
    const Computation &entry = entryOf(sides_[side]);
    for (InstructionId i : order_[side]) {
      if (same_[side][i] >= 0) continue;
      for (InstructionId operand : entry.instructions[i].operands) {
        if (same_[side][operand] < 0) continue;
        while (isMove(entry.instructions[operand]) &&
               same_[side][entry.instructions[operand].operands[0]] >= 0)
          operand = entry.instructions[operand].operands[0];
        last.insert(side == 1 ? operand : same_[0][operand]);
      }
    }
  }
  for (InstructionId i : last) {
    const InstructionId first = same_[1][i];
    if (!isDeep_[1][i] || isKept_[0].count(first) || isKept_[1].count(i) ||
        !mayBeNew(entryOf(sides_[0]).instructions[first]) ||
        !mayBeNew(entryOf(sides_[1]).instructions[i]))
      continue;
    replace(first, i, isReal(i));
  }
}

bool Layers::areEqual(InstructionId first, InstructionId second,
                      int64_t operations, bool &isReal) {
  EqualityOptions options = options_;
  options.operations = operations = std::min(left_, operations);
  ValueOptions values = values_;
  values.onlyEqual = true;
  values.explains = values.asksSolver = false;
  const InstructionId roots[] = {entryOf(sides_[0]).root,
                                 entryOf(sides_[1]).root};
  entryOf(sides_[0]).root = first;
  entryOf(sides_[1]).root = second;
  const auto made = compareValues(sides_[0], sides_[1], values, options);
  for (int side : {0, 1}) entryOf(sides_[side]).root = roots[side];
  // A question that is not answered takes all of its steps.
  left_ -= made.ok() && !made->isSpent ? operations / 8 : operations;
  if (!made.ok() || !made->isEqual) return false;
  laws_.insert(made->laws.begin(), made->laws.end());
  ordersUpdates_ |= made->ordersUpdates;
  losesReads_ |= made->losesReads;
  isReal = made->leaves[0].isReal;
  return true;
}

std::vector<InstructionId> Layers::open(int side) const {
  const Computation &entry = sides_[side].computations[sides_[side].entry];
  std::vector<InstructionId> found;
  for (InstructionId i : order_[side]) {
    const Instruction &of = entry.instructions[i];
    if (same_[side][i] < 0 && !isKept_[side].count(i) && mayBeNew(of) &&
        !of.operands.empty() &&
        !(isMove(of) && same_[side][of.operands[0]] >= 0))
      found.push_back(i);
  }
  return found;
}

bool Layers::cutNext() {
  return cutNext(kFewOperations) || cutNext(kManyOperations);
}

bool Layers::cutNext(int64_t operations) {
  const Computation &entry = entryOf(sides_[1]), &other = entryOf(sides_[0]);
  const std::vector<InstructionId> firsts = open(0), seconds = open(1);
  int pairs = 0;
  for (InstructionId i : seconds) {
    const Instruction &of = entry.instructions[i];
    // Values of the same op first.
    std::vector<InstructionId> partners;
    for (bool isOfOp : {true, false})
      for (InstructionId k : firsts) {
        const Instruction &by = other.instructions[k];
        if (partners.size() < kMostPartners &&
            (by.opcode == of.opcode) == isOfOp && haveOneShape(by, of))
          partners.push_back(k);
      }
    for (InstructionId k : partners) {
      if (left_ <= 0 || pairs >= kMostPairsOfRound || !options_.check().ok())
        return false;
      if (!tried_.insert({k, i, operations}).second) continue;
      ++pairs;
      bool isReal = false;
      if (!areEqual(k, i, operations, isReal)) continue;
      replace(k, i, isReal);
      tried_.clear();
      return true;
    }
  }
  return false;
}

std::optional<InstructionId> Layers::parting(int side) const {
  const Computation &entry = sides_[side].computations[sides_[side].entry];
  for (InstructionId i : order_[side])
    if (same_[side][i] < 0 && !entry.instructions[i].operands.empty() &&
        llvm::all_of(entry.instructions[i].operands, [&](InstructionId k) {
          return same_[side][k] >= 0 || entry.instructions[k].operands.empty();
        }))
      return i;
  return std::nullopt;
}

std::optional<LayersEquality> Layers::run() {
  for (const Module &side : sides_)
    if (computationsThatVary(side).has(side.entry)) return std::nullopt;
  for (int round = 0; round < kMostRounds; ++round) {
    if (!match()) return std::nullopt;
    cutLast();
    if (!cutNext()) break;
  }
  if (made_ == 0) return std::nullopt;
  LayersEquality all;
  for (int side : {0, 1}) all.partings[side] = parting(side);
  EqualityOptions options = options_;
  options.operations =
      std::min(options_.operationsOr(2 * kManyOperations), 2 * kManyOperations);
  auto made = compareValues(sides_[0], sides_[1], values_, options);
  if (!made.ok()) return std::nullopt;
  made->laws.insert(laws_.begin(), laws_.end());
  made->ordersUpdates |= ordersUpdates_;
  made->losesReads |= losesReads_;
  all.equality = *std::move(made);
  return all;
}

}  // namespace

std::optional<LayersEquality> compareByLayers(const Module &first,
                                              const Module &second,
                                              const ValueOptions &values,
                                              const EqualityOptions &options) {
  return Layers(first, second, values, options).run();
}

}  // namespace indexical

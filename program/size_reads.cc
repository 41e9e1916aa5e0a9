// The reads of an instruction that names a size.
//
//   y = f32[<=4] set-dimension-size(z, n), dimensions={0}
//   g = s32[] get-dimension-size(y), dimensions={0}      () -> () of n
//
// A size is no element, so that the maps of g itself read nothing of y. A way
// through g reads the element of n from which the size of y was set. Sizes of
// parameters are not set by the computation, and read nothing. The sizes of
// operands are not followed into a call, a branch or a loop: if it names any
// size, its results read all elements from which these sizes were set, as a
// cover.
//
// Law (tests/program/dynamic_program_test.cc): a result that changes with the
// element from which a size was set reads that element.
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/state.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether the op may give a size that its type does not say: of one dimension
/// of operand 0, or of all.
bool namesSize(const Instruction &instruction) {
  if (shapesOf(instruction.op).operands.empty() ||
      !hasOpenSize(shapesOf(instruction.op).operands[0]))
    return false;
  if (const auto *size = instruction.op.as<NullaryOp>())
    return size->sizeOf.has_value();
  // A dimension that is computed.
  return instruction.op.is<CustomOp>() && (instruction.opcode == "tensor.dim" ||
                                           instruction.opcode == "shape.dim");
}

/// Returns the instruction, and all from which it is made.
std::vector<bool> madeFrom(const Computation &computation, int32_t user) {
  std::vector<bool> below(computation.instructions.size(), false);
  std::vector<int32_t> waiting{user};
  below[user] = true;
  while (!waiting.empty()) {
    const Instruction &next = computation.instructions[waiting.back()];
    waiting.pop_back();
    for (int32_t operand : next.operands)
      if (!below[operand]) {
        below[operand] = true;
        waiting.push_back(operand);
      }
  }
  return below;
}

Interval indicesOf(const ArrayShape &shape, int64_t k) {
  const int64_t size = shape.dimensions[k];
  return {0, size == kDynamicSize ? Interval::kInfinity : size - 1};
}

}  // namespace

/// Whether the computation, or one that it calls, names a size.
bool ProgramIndexing::State::namesSizes(ComputationId c) {
  auto [known, isNew] = namingSizes.try_emplace(c, false);
  if (!isNew) return known->second;
  bool names = false;
  for (const Instruction &instruction : module.computations[c].instructions) {
    names |= namesSize(instruction);
    for (const CalledComputation &called : instruction.called)
      if (!names && called.computation >= 0)
        names = namesSizes(called.computation);
  }
  return namingSizes[c] = names;
}

/// Returns the sizes of operands that the instruction names, each with the
/// elements from which it is made.
std::vector<SizeRead> ProgramIndexing::State::findSizeReads(ComputationId c,
                                                            InstructionId i) {
  const Instruction &instruction = module.computations[c].instructions[i];
  const ShapeList &operands = shapesOf(instruction.op).operands;
  std::vector<SizeRead> reads;
  std::vector<bool> below;
  auto add = [&](int64_t operand, int64_t k, SizeRead::Place place) {
    if (below.empty()) below = madeFrom(module.computations[c], i);
    const OperandLeaf leaf = graph.operandLeaf(c, i, operand);
    const auto sources =
        programShapesOf(c).sourcesOf({leaf.instruction, leaf.result}, k, below);
    for (const ProgramShapes::Element &element : sources.elements)
      reads.push_back({place, k, element.leaf, element.index});
    for (const InstructionLeaf &whole : sources.wholes)
      reads.push_back({SizeRead::Place::Anywhere, k, whole, std::nullopt});
  };
  if (namesSize(instruction)) {
    const auto *size = instruction.op.as<NullaryOp>();
    const bool isList = size && *size->sizeOf == NullaryOp::kAllSizes;
    for (int64_t k = 0; k < operands[0].rank(); ++k)
      if (!size)
        add(0, k, SizeRead::Place::Anywhere);
      else if (isList || *size->sizeOf == k)
        add(0, k, isList ? SizeRead::Place::Listed : SizeRead::Place::Scalar);
    return reads;
  }
  const bool isNamed =
      llvm::any_of(instruction.called, [&](const CalledComputation &called) {
        return called.computation >= 0 && namesSizes(called.computation);
      });
  for (size_t l = 0; isNamed && l < operands.size(); ++l)
    for (int64_t k = 0; hasOpenSize(operands[l]) && k < operands[l].rank(); ++k)
      add(l, k, SizeRead::Place::Anywhere);
  return reads;
}

const std::vector<SizeRead> &ProgramIndexing::State::sizeReadsOf(
    ComputationId c, InstructionId i) {
  const auto &all = allSizeReads(c).reads;
  const auto found = all.find(i);
  return found == all.end() ? noSizeReads : found->second;
}

const SizeReads &ProgramIndexing::State::allSizeReads(ComputationId c) {
  auto [known, isNew] = sizeReads.try_emplace(c);
  if (!isNew || !namesSizes(c)) return known->second;
  SizeReads all;
  const auto &instructions = module.computations[c].instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    std::vector<SizeRead> own = findSizeReads(c, InstructionId(i));
    for (size_t n = 0; n < own.size(); ++n)
      all.users[{own[n].leaf.instruction, own[n].leaf.leaf}].push_back(
          {static_cast<int32_t>(i), n});
    if (!own.empty()) all.reads.emplace(i, std::move(own));
  }
  return sizeReads[c] = std::move(all);
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::sizeEdge(
    ComputationId c, InstructionId i, Direction direction, int64_t result,
    const SizeRead &read) {
  const auto &instructions = module.computations[c].instructions;
  const ArrayShape &shape = shapesOf(instructions[i].op).results[result];
  const ArrayShape &source =
      shapesOf(instructions[read.leaf.instruction].op).results[read.leaf.leaf];
  const bool isBackward = direction == Direction::OutputToInput;
  const ArrayShape &from = isBackward ? shape : source;
  const ArrayShape &to = isBackward ? source : shape;
  // Returns the only index of a dimension, in either tensor, if there is one.
  auto only = [&](const ArrayShape &in, int64_t k) -> std::optional<int64_t> {
    if (&in == &source && read.index) return (*read.index)[k];
    if (&in == &shape && read.place == SizeRead::Place::Listed)
      return read.dimension;
    return std::nullopt;
  };
  IndexingMapBuilder b;
  for (int64_t k = 0; k < from.rank(); ++k) {
    const auto index = only(from, k);
    b.dimension(index ? Interval::point(*index) : indicesOf(from, k));
  }
  for (int64_t k = 0; k < to.rank(); ++k) {
    const auto index = only(to, k);
    b.result(index ? b.constant(*index) : b.range(indicesOf(to, k)));
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  INDEXICAL_ASSIGN_OR_RETURN(auto simple, simplify(map));
  IndexingRelation relation;
  if (!simple.isKnownEmpty()) relation.add(std::move(simple));
  if (read.place == SizeRead::Place::Anywhere || !read.index)
    relation.weaken(Precision::Cover);
  return relation;
}

/// Like step (passes.cc), for an element from which a size was set.
absl::Status ProgramIndexing::State::stepToSize(
    ComputationId c, const Reached &before, InstructionId i,
    Direction direction, int64_t result, const SizeRead &read, Reached &into) {
  const auto &instructions = module.computations[c].instructions;
  auto relation = sizeEdge(c, i, direction, result, read);
  if (!relation.ok())
    return withPlace(relation.status(), instructions[i].place);
  const int32_t from =
      direction == Direction::OutputToInput ? i : read.leaf.instruction;
  const int64_t leaf =
      direction == Direction::OutputToInput ? result : read.leaf.leaf;
  return addThrough(c, i, before, *relation,
                    shapesOf(instructions[from].op).results[leaf], direction,
                    into);
}

std::vector<Leaf> ProgramIndexing::sizeSources(ComputationId computation,
                                               InstructionId instruction) {
  std::vector<Leaf> leaves;
  for (const SizeRead &read : state_->sizeReadsOf(computation, instruction))
    leaves.push_back({computation, InstructionId(read.leaf.instruction),
                      LeafId(read.leaf.leaf)});
  return leaves;
}

}  // namespace indexical

#include "indexical/program/maps/size_reads.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/box.h"
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

}  // namespace

/// Whether the computation, or one that it calls, names a size.
bool NamedSizes::namesSizes(ComputationId c) {
  auto [known, isNew] = naming_.try_emplace(c, false);
  if (!isNew) return known->second;
  bool names = false;
  for (const Instruction &instruction : graph_.computation(c).instructions) {
    names |= namesSize(instruction);
    for (const CalledComputation &called : instruction.called)
      if (!names && called.computation >= 0)
        names = namesSizes(called.computation);
  }
  return naming_[c] = names;
}

std::vector<SizeRead> NamedSizes::findReads(ComputationId c, InstructionId i) {
  const Instruction &instruction = graph_.instruction(c, i);
  const ShapeList &operands = shapesOf(instruction.op).operands;
  std::vector<SizeRead> reads;
  std::vector<bool> below;
  auto add = [&](LeafId operand, int64_t k, SizeRead::Readers readers) {
    if (below.empty()) below = graph_.below(c, i);
    const OperandLeaf leaf = graph_.operandLeaf(c, i, operand);
    const auto sources =
        facts_.shapesOf(c).sourcesOf({leaf.instruction, leaf.result}, k, below);
    for (const ProgramShapes::Element &element : sources.elements)
      reads.push_back({readers, k, element.leaf, element.index});
    for (const InstructionLeaf &whole : sources.wholes)
      reads.push_back({SizeRead::Readers::Anywhere, k, whole, std::nullopt});
  };
  if (namesSize(instruction)) {
    const auto *size = instruction.op.as<NullaryOp>();
    const bool isList = size && *size->sizeOf == NullaryOp::kAllSizes;
    for (int64_t k = 0; k < operands[0].rank(); ++k)
      if (!size)
        add(LeafId(0), k, SizeRead::Readers::Anywhere);
      else if (isList || *size->sizeOf == k)
        add(LeafId(0), k,
            isList ? SizeRead::Readers::Listed : SizeRead::Readers::Scalar);
    return reads;
  }
  const bool isNamed =
      llvm::any_of(instruction.called, [&](const CalledComputation &called) {
        return called.computation >= 0 && namesSizes(called.computation);
      });
  for (LeafId l; isNamed && l < static_cast<int64_t>(operands.size()); ++l)
    for (int64_t k = 0; hasOpenSize(operands[l]) && k < operands[l].rank(); ++k)
      add(l, k, SizeRead::Readers::Anywhere);
  return reads;
}

const std::vector<SizeRead> &NamedSizes::readsOf(ComputationId c,
                                                 InstructionId i) {
  const auto &all = allReadsOf(c).reads;
  const auto found = all.find(i);
  return found == all.end() ? none_ : found->second;
}

const SizeReads &NamedSizes::allReadsOf(ComputationId c) {
  auto [known, isNew] = reads_.try_emplace(c);
  if (!isNew || !namesSizes(c)) return known->second;
  SizeReads all;
  const auto &instructions = graph_.computation(c).instructions;
  const int32_t count = instructions.size();
  for (InstructionId i(0); i < count; ++i) {
    std::vector<SizeRead> own = findReads(c, i);
    for (size_t n = 0; n < own.size(); ++n)
      all.users[own[n].leaf].push_back({i, n});
    if (!own.empty()) all.reads.emplace(i, std::move(own));
  }
  return reads_[c] = std::move(all);
}

absl::StatusOr<IndexingRelation> sizeEdge(const ProgramGraph &graph,
                                          ComputationId c, InstructionId i,
                                          Direction direction, LeafId result,
                                          const SizeRead &read) {
  const ArrayShape &shape = graph.shape(c, i, result);
  const ArrayShape &source =
      graph.shape(c, read.leaf.instruction, read.leaf.leaf);
  const bool isBackward = direction == Direction::OutputToInput;
  const ArrayShape &from = isBackward ? shape : source;
  const ArrayShape &to = isBackward ? source : shape;
  // Returns the only index of a dimension, in either tensor, if there is one.
  auto only = [&](const ArrayShape &in, int64_t k) -> std::optional<int64_t> {
    if (&in == &source && read.index) return (*read.index)[k];
    if (&in == &shape && read.readers == SizeRead::Readers::Listed)
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
  if (read.readers == SizeRead::Readers::Anywhere || !read.index)
    relation.weaken(Precision::Cover);
  return relation;
}

}  // namespace indexical

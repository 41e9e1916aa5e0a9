#include "indexical/same/kernel/fusion_ways.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/same/values/laws.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// The most ops between an index and the parameter that has it.
constexpr int kMostMoves = 64;

/// Whether the op passes elements on, or converts them.
bool movesElements(llvm::StringRef opcode) {
  opcode.consume_front("stablehlo.");
  for (const llvm::StringRef each :
       {"bitcast", "broadcast", "broadcast_in_dim", "convert", "copy",
        "reshape", "reverse", "slice", "transpose"})
    if (opcode == each) return true;
  return false;
}

}  // namespace

FusionWays::FusionWays(const Module &module, ComputationId computation,
                       const Parameters &parameters, const Budget &budget)
    : maps_(module, /*prover=*/nullptr, budget),
      budget_(budget),
      number_(computation),
      computation_(module.computations[computation]),
      parameters_(parameters) {}

absl::StatusOr<std::vector<Use>> FusionWays::uses() {
  std::vector<Use> all;
  const auto &root = computation_.instructions[computation_.root];
  const size_t leaves = shapesOf(root.op).results.size();
  for (LeafId leaf; leaf < static_cast<int64_t>(leaves); ++leaf) {
    ways_.clear();
    const ArrayShape &shape = shapesOf(root.op).results[leaf];
    IndexingMapBuilder b;
    for (int64_t size : shape.dimensions) b.result(b.dimension({0, size - 1}));
    INDEXICAL_ASSIGN_OR_RETURN(auto identity, b.build());
    ways_[{computation_.root, leaf}].push_back({identity, computation_.root});
    INDEXICAL_RETURN_IF_ERROR(follow());
    for (const auto &[at, parameter] : parameters_)
      for (const Way &way : ways_[at])
        all.push_back({parameter, leaf, way.map,
                       computation_.instructions[way.reader].name.str()});
  }
  return all;
}

absl::Status FusionWays::follow() {
  std::vector<InstructionId> order;
  for (InstructionId i : computation_.postOrder()) order.push_back(i);
  for (InstructionId i : llvm::reverse(order)) {
    if (computation_.instructions[i].parameterNumber >= 0) continue;
    for (const LeafPair &pair : maps_.pairsOf(number_, i)) {
      const auto found = ways_.find({i, pair.result});
      if (found == ways_.end()) continue;
      const std::vector<Way> here = found->second;
      INDEXICAL_ASSIGN_OR_RETURN(
          auto step, maps_.instruction({number_, i, pair.result}, pair.leaf,
                                       Direction::OutputToInput));
      if (step.precision() != Precision::Exact)
        return absl::UnimplementedError(
            absl::StrCat("what `", computation_.instructions[i].name.str(),
                         "` reads is not known exactly"));
      const OperandLeaf to = computation_.operandLeaf(i, pair.leaf);
      INDEXICAL_RETURN_IF_ERROR(budget_.check());
      for (const Way &way : here)
        for (const IndexingMap &piece : step.pieces())
          INDEXICAL_RETURN_IF_ERROR(
              add({to.instruction, to.result}, way.map, piece, i));
    }
  }
  return absl::OkStatus();
}

absl::Status FusionWays::add(std::pair<InstructionId, LeafId> at,
                             const IndexingMap &way, const IndexingMap &piece,
                             InstructionId reader) {
  INDEXICAL_ASSIGN_OR_RETURN(auto whole, compose(way, piece));
  if (whole.isKnownEmpty()) return absl::OkStatus();
  std::vector<Way> &known = ways_[at];
  if (llvm::none_of(known, [&](const Way &w) { return w.map == whole; }))
    known.push_back({std::move(whole), reader});
  if (known.size() > kMostWays)
    return absl::UnimplementedError("the fusion has too many ways to read");
  return absl::OkStatus();
}

/// Returns the map of an op that passes elements on, and where they come from.
std::optional<IndexingMap> FusionWays::step(InstructionId at, LeafId result,
                                            OperandLeaf &to) {
  std::optional<LeafId> from;
  for (const LeafPair &pair : maps_.pairsOf(number_, at)) {
    if (!(pair.result == result)) continue;
    if (from) return std::nullopt;
    from = pair.leaf;
  }
  if (!from) return std::nullopt;
  const auto step =
      maps_.instruction({number_, at, result}, *from, Direction::OutputToInput);
  if (!step.ok() || step->precision() != Precision::Exact ||
      step->pieces().size() != 1)
    return std::nullopt;
  const IndexingMap &map = step->pieces()[0];
  if (!map.runtime().empty() || !map.ranges().empty()) return std::nullopt;
  to = computation_.operandLeaf(at, *from);
  return map;
}

std::optional<OpenIndex> FusionWays::indexOf(const IndexingMap &map,
                                             const RuntimeVariable &variable,
                                             int64_t &parameter) {
  if (variable.source.kind != RuntimeSource::Kind::Element ||
      variable.source.tensor < 0 || !variable.collectives.empty())
    return std::nullopt;
  Value value = maps_.value(variable.source.tensor);
  if (value.computation != number_ || !value.calls.empty()) return std::nullopt;
  OpenIndex index;
  index.bounds = variable.bounds;
  index.isClamped = variable.clamped;
  auto position = positionOf(map, variable.index);
  if (!position) return std::nullopt;
  const auto typeOf = [&](InstructionId at, LeafId leaf) {
    return shapesOf(computation_.instructions[at].op).results[leaf].type;
  };
  for (int steps = 0; steps < kMostMoves; ++steps) {
    const ElementType type = typeOf(value.instruction, value.result);
    if (classOf(type) != kIntegers) return std::nullopt;
    index.types.insert(index.types.begin(), type);
    const auto found = parameters_.find({value.instruction, value.result});
    if (found != parameters_.end()) {
      const ArrayShape &shape =
          shapesOf(computation_.instructions[value.instruction].op)
              .results[value.result];
      const auto address = addressMap(shape);
      auto number = address.ok() ? compose(*position, *address) : address;
      if (number.ok()) number = simplify(*number);
      if (!number.ok() || !number->ranges().empty()) return std::nullopt;
      parameter = found->second;
      index.bits = bitsOf(type);
      index.position = *std::move(number);
      return index;
    }
    const Instruction &at = computation_.instructions[value.instruction];
    OperandLeaf to;
    const std::string name = at.opcode.str();
    if (!movesElements(name)) return std::nullopt;
    const auto moved = step(value.instruction, value.result, to);
    if (!moved) return std::nullopt;
    // A bitcast takes the same bytes for another type.
    llvm::StringRef opcode = name;
    opcode.consume_front("stablehlo.");
    if (opcode != "convert" && typeOf(to.instruction, to.result) != type)
      return std::nullopt;
    auto next = compose(*position, *moved);
    if (!next.ok()) return std::nullopt;
    position = *std::move(next);
    value.instruction = to.instruction;
    value.result = to.result;
  }
  return std::nullopt;
}

}  // namespace indexical::kernels

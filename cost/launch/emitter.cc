#include "indexical/cost/launch/emitter.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/launch_sizes.h"
#include "indexical/ops/algorithms/sort.h"
#include "indexical/ops/elementwise/elementwise.h"
#include "indexical/ops/indexed/dynamic_slice.h"
#include "indexical/ops/indexed/dynamic_update_slice.h"
#include "indexical/ops/indexed/scatter.h"
#include "indexical/ops/movement/bitcast.h"
#include "indexical/ops/movement/concatenate.h"
#include "indexical/program/module/callees.h"

namespace indexical {

llvm::StringRef nameOf(Emitter emitter) {
  static constexpr llvm::StringLiteral kNames[] = {"loop",
                                                   "concatenate",
                                                   "dynamic_update_slice",
                                                   "transpose",
                                                   "packed_transpose",
                                                   "row_reduction",
                                                   "multi_row_reduction",
                                                   "column_reduction",
                                                   "small_column_reduction",
                                                   "scatter",
                                                   "scatter_by_indices",
                                                   "sort",
                                                   "memcpy",
                                                   "triton",
                                                   "library",
                                                   "unknown"};
  static_assert(std::size(kNames) == size_t(Emitter::Unknown) + 1);
  return kNames[size_t(emitter)];
}

bool isTiling(Emitter emitter) {
  return emitter >= Emitter::Transpose &&
         emitter <= Emitter::SmallColumnReduction;
}

namespace {

// More operands are a loop's.
constexpr size_t kMostConcatenated = 4;

EmitterChoice only(Emitter emitter, std::string reason) {
  EmitterChoice choice;
  choice.emitter = emitter;
  choice.reason = std::move(reason);
  return choice;
}

//===-- What is not looked into -------------------------------------------===//

/// Returns why no launch can be found for arrays of these shapes; empty if one
/// can.
std::string obstacleIn(llvm::ArrayRef<ArrayShape> shapes) {
  for (const ArrayShape &shape : shapes) {
    if (shape.layout && !shape.layout->tiles.empty())
      return "tiled layouts are no GPU's: " + shape.str(/*withLayout=*/true);
    if (shape.hasUnknownSize())
      return "a size of " + shape.str() + " is not known";
    if (bitsOf(shape.type) == 0)
      return "the size of an element of " + shape.str() + " is not known";
    if (!shape.elementCount())
      return "the number of elements of " + shape.str() + " leaves 64 bits";
  }
  return "";
}

std::optional<EmitterChoice> notLookedInto(const FusionBody &body) {
  std::string reason = obstacleIn(body.operands());
  if (reason.empty()) reason = obstacleIn(body.results());
  if (reason.empty() && body.isFusion())
    for (InstructionId i : body.instructions()) {
      reason = obstacleIn(shapesOf(body.at(i).op).results);
      if (!reason.empty()) break;
    }
  if (!reason.empty()) return only(Emitter::Unknown, reason);
  if (body.results().empty())
    return only(Emitter::Unknown, "there is no result");
  for (const ArrayShape &shape : body.results())
    if (shape.isEmpty())
      return only(Emitter::Unknown, shape.str() + " has no element");
  return std::nullopt;
}

/// Ops whose work is a library's, or several kernels'.
std::optional<EmitterChoice> alone(const FusionBody &body) {
  if (body.isFusion()) return std::nullopt;
  const Op &op = body.kernel().op;
  if (op.is<SortOp>()) return only(Emitter::Sort, "a sort is several kernels");
  if (op.is<ScatterOp>()) return std::nullopt;
  if (traitsOf(op).role == KernelRole::Bytes)
    return only(Emitter::Library, "a library's kernel");
  return std::nullopt;
}

std::optional<EmitterChoice> byConfig(const FusionBody &body) {
  const FusionConfig config = readFusionConfig(body.kernel().backendConfig);
  const llvm::StringRef kind = config.kind;
  if (kind == "__custom_fusion" || kind == "__cudnn$fusion")
    return only(Emitter::Library, "a library's kernel");
  if (!kind.starts_with("__triton")) return std::nullopt;
  EmitterChoice choice;
  choice.emitter = Emitter::Triton;
  if (config.hasTiles)
    choice.triton = config.triton;
  else
    choice.reason = "the dump has no block_level_fusion_config";
  return choice;
}

//===-- Reductions and transposes -----------------------------------------===//

int64_t elementsOf(const FusionBody &body, const BodyRoot &root) {
  return *shapesOf(body.at(root.instruction).op)
              .results[root.results[0].leaf]
              .elementCount();
}

std::optional<EmitterChoice> reduction(const FusionBody &body,
                                       llvm::ArrayRef<InstructionId> heroes,
                                       const Device &device) {
  std::vector<std::optional<TiledReduction>> found;
  std::optional<TiledReduction> first;
  for (auto [root, hero] : llvm::zip(body.roots(), heroes)) {
    found.push_back(body.contains(hero)
                        ? tiledReduction(body.at(hero), hero,
                                         hero != root.instruction, device)
                        : std::nullopt);
    if (!first) first = found.back();
  }
  if (!first) return std::nullopt;
  const int64_t elements =
      *shapesOf(body.at(first->instruction).op).operands[0].elementCount();
  EmitterChoice choice;
  for (size_t r = 0; r < heroes.size(); ++r) {
    if (found[r]) {
      if (!found[r]->agrees(*first)) return std::nullopt;
      if (llvm::none_of(choice.reductions, [&](const TiledReduction &of) {
            return of.instruction == found[r]->instruction;
          }))
        choice.reductions.push_back(*found[r]);
    } else if (elementsOf(body, body.roots()[r]) != elements) {
      return std::nullopt;
    }
    choice.heroes.push_back({heroes[r], found[r].has_value()});
  }
  choice.emitter = reductionEmitter(body, choice, device);
  return choice;
}

std::optional<EmitterChoice> transpose(const FusionBody &body,
                                       llvm::ArrayRef<InstructionId> heroes) {
  std::vector<std::optional<TiledTranspose>> found;
  std::optional<TiledTranspose> first;
  for (InstructionId hero : heroes) {
    found.push_back(body.contains(hero) ? tiledTranspose(body.at(hero), hero)
                                        : std::nullopt);
    if (!first) first = found.back();
  }
  if (!first) return std::nullopt;
  const ArrayShape &input =
      shapesOf(body.at(first->instruction).op).operands[0];
  EmitterChoice choice;
  choice.emitter =
      first->packed ? Emitter::PackedTranspose : Emitter::Transpose;
  for (size_t r = 0; r < heroes.size(); ++r) {
    if (found[r]) {
      if (!found[r]->agrees(*first)) return std::nullopt;
      if (llvm::none_of(choice.transposes, [&](const TiledTranspose &of) {
            return of.instruction == found[r]->instruction;
          }))
        choice.transposes.push_back(*found[r]);
    } else {
      const BodyRoot &root = body.roots()[r];
      const ArrayShape &shape =
          shapesOf(body.at(root.instruction).op).results[root.results[0].leaf];
      if (!liesAs(input, shape)) return std::nullopt;
    }
    choice.heroes.push_back({heroes[r], found[r].has_value()});
  }
  return choice;
}

//===-- Loops -------------------------------------------------------------===//

/// Users in the body of a value inside or outside of it.
std::vector<InstructionId> usersOf(const FusionBody &body,
                                   InstructionId value) {
  std::vector<InstructionId> users;
  for (InstructionId i : body.instructions())
    if (i != value && llvm::is_contained(body.at(i).operands, value))
      users.push_back(i);
  return users;
}

/// Returns the update behind at most one bitcast; -1 if there is none.
InstructionId updateBehind(const FusionBody &body, InstructionId root) {
  if (!body.contains(root)) return {};
  if (body.at(root).op.is<BitcastOp>() && body.isFusion()) {
    const InstructionId behind = body.at(root).operands[0];
    if (!body.contains(behind) || body.users(behind).size() != 1) return {};
    root = behind;
  }
  return body.at(root).op.is<DynamicUpdateSliceOp>() ? root : InstructionId();
}

/// Returns whether the other readers of the updated operand read only the
/// elements that are updated, each at its own place.
bool isReadInPlace(const FusionBody &body, InstructionId operand,
                   InstructionId update) {
  const Instruction &updating = body.at(update);
  std::set<InstructionId> seen;
  std::vector<InstructionId> next = {operand};
  while (!next.empty()) {
    const InstructionId i = next.back();
    next.pop_back();
    for (InstructionId user : usersOf(body, i)) {
      if (!seen.insert(user).second) continue;
      const Instruction &of = body.at(user);
      if (of.op.is<DynamicUpdateSliceOp>()) {
        if (user == update || of.operands[0] != i) continue;
        return false;
      }
      if (of.op.is<DynamicSliceOp>()) {
        const bool sameStart = llvm::ArrayRef(of.operands).drop_front(1) ==
                               llvm::ArrayRef(updating.operands).drop_front(2);
        if (sameStart && shapesOf(of.op).results[0].dimensions ==
                             shapesOf(updating.op).operands[1].dimensions)
          continue;
        return false;
      }
      if (!of.op.is<ElementwiseOp>() && !of.op.is<BitcastOp>()) return false;
      next.push_back(user);
    }
  }
  return true;
}

bool areUpdatesInPlace(const FusionBody &body) {
  const ArrayShape *shape = nullptr;
  for (const BodyRoot &root : body.roots()) {
    const InstructionId update = updateBehind(body, root.instruction);
    if (update < 0) return false;
    const ArrayShape &updated = shapesOf(body.at(update).op).operands[1];
    if (shape && shape->dimensions != updated.dimensions) return false;
    shape = &updated;
    InstructionId operand = body.at(update).operands[0];
    if (body.contains(operand) && body.at(operand).op.is<BitcastOp>())
      operand = body.at(operand).operands[0];
    if (body.contains(operand) || !isReadInPlace(body, operand, update))
      return false;
  }
  return true;
}

bool areCopies(const FusionBody &body) {
  return llvm::all_of(body.roots(), [&](const BodyRoot &root) {
    if (!body.contains(root.instruction)) return true;
    const Instruction &of = body.at(root.instruction);
    return &of.op.kind() == kindOf<ElementwiseOp>("copy") &&
           !body.contains(of.operands[0]) &&
           isBitcastOf(shapesOf(of.op).operands[0], shapesOf(of.op).results[0]);
  });
}

EmitterChoice loop(const FusionBody &body) {
  EmitterChoice choice;
  choice.emitter = Emitter::Loop;
  for (const BodyRoot &root : body.roots())
    choice.heroes.push_back({root.instruction, false});
  return choice;
}

}  // namespace

EmitterChoice chooseEmitter(const FusionBody &body, const Device &device) {
  if (auto choice = notLookedInto(body)) return *choice;
  if (auto choice = alone(body)) return *choice;
  if (body.isFusion())
    if (auto choice = byConfig(body)) return *choice;
  std::vector<InstructionId> heroes;
  for (const BodyRoot &root : body.roots())
    heroes.push_back(heroOf(body, root.instruction));
  if (auto choice = reduction(body, heroes, device)) return *choice;
  if (auto choice = transpose(body, heroes)) return *choice;
  EmitterChoice choice = loop(body);
  if (body.roots().size() == 1 && body.contains(heroes[0])) {
    const InstructionId root = body.roots()[0].instruction;
    if (body.at(root).op.is<ScatterOp>()) {
      choice.emitter = scatterEmitter(body, root, device, choice.reason);
      return choice;
    }
    if (body.at(root).op.is<SortOp>())
      return only(Emitter::Sort, "a sort is several kernels");
    if (body.at(heroes[0]).op.is<ConcatenateOp>() &&
        body.at(heroes[0]).operands.size() <= kMostConcatenated) {
      choice.emitter = Emitter::Concatenate;
      choice.heroes = {{heroes[0], true}};
      return choice;
    }
  }
  if (areCopies(body))
    return only(Emitter::Memcpy, "a device-to-device memcpy, not a kernel");
  if (areUpdatesInPlace(body)) {
    choice.emitter = Emitter::DynamicUpdateSlice;
    for (auto [hero, root] : llvm::zip(choice.heroes, body.roots()))
      hero = {updateBehind(body, root.instruction), true};
  }
  return choice;
}

}  // namespace indexical

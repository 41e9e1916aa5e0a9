#include "indexical/cost/tiles/tile_space.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/tile_steps.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

std::vector<TileExtent> extentsOf(llvm::ArrayRef<int64_t> numbers) {
  std::vector<TileExtent> extents;
  for (int64_t number : numbers) extents.push_back(TileExtent::of(number));
  return extents;
}

std::optional<InstructionId> named(const Computation &computation,
                                   llvm::StringRef name) {
  for (auto [i, each] : llvm::enumerate(computation.instructions))
    if (each.name == name) return InstructionId(i);
  return std::nullopt;
}

/// Results are told apart by their sizes alone.
bool isOneShape(llvm::ArrayRef<ArrayShape> results) {
  return llvm::all_of(results, [&](const ArrayShape &shape) {
    return shape.dimensions == results[0].dimensions;
  });
}

}  // namespace

TileSpace TileSpace::of(const ProgramIndexing &maps,
                        llvm::StringRef instruction) {
  const Module &module = maps.module();
  const Computation &entry = module.computations[module.entry];
  const auto found = instruction.empty()
                         ? std::optional<InstructionId>(entry.root)
                         : named(entry, instruction);
  TileSpace space = of(module, module.entry, found.value_or(entry.root));
  if (!found) {
    space.found_ = absl::NotFoundError("the entry has no instruction `" +
                                       instruction.str() + "`");
    space.update();
  }
  return space;
}

TileSpace TileSpace::of(const Module &module, ComputationId computation,
                        InstructionId instruction) {
  TileSpace space;
  space.module_ = &module;
  space.computation_ = computation;
  space.instruction_ = instruction;
  space.update();
  return space;
}

TileSpace &TileSpace::sizes(std::vector<TileExtent> sizes) {
  sizes_.push_back(std::move(sizes));
  update();
  return *this;
}

TileSpace &TileSpace::sizes(std::initializer_list<int64_t> numbers) {
  return sizes(extentsOf(numbers));
}

TileSpace &TileSpace::strides(std::vector<TileExtent> strides) {
  strides_.push_back(std::move(strides));
  update();
  return *this;
}

TileSpace &TileSpace::strides(std::initializer_list<int64_t> numbers) {
  return strides(extentsOf(numbers));
}

TileSpace &TileSpace::step(llvm::StringRef instruction, int64_t dimension,
                           int64_t size) {
  if (size == 0) size = -1;  // an error
  asked_.push_back({instruction.str(), dimension, size});
  update();
  return *this;
}

TileSpace &TileSpace::stepAny(size_t most) {
  const Computation &computation = module_->computations[computation_];
  std::vector<bool> isRead(computation.instructions.size(), false);
  std::vector<InstructionId> open{instruction_};
  isRead[instruction_] = true;
  while (!open.empty()) {
    const InstructionId at = open.back();
    open.pop_back();
    for (const OperandLeaf &leaf : computation.operandLeaves(at))
      if (!isRead[leaf.instruction]) {
        isRead[leaf.instruction] = true;
        open.push_back(leaf.instruction);
      }
  }
  // Products first, those near the results before those behind them.
  for (const bool ofProducts : {true, false})
    for (size_t i = computation.instructions.size(); i-- > 0;) {
      const Instruction &each = computation.instructions[i];
      if (!isRead[i] || each.parameterNumber >= 0 ||
          matrixOf(each.op).has_value() != ofProducts)
        continue;
      for (auto [d, extent] : llvm::enumerate(summedExtents(each.op)))
        if (extent > 1 && most > 0) {
          --most;
          asked_.push_back({each.name.str(), static_cast<int64_t>(d), 0});
        }
    }
  update();
  return *this;
}

TileSpace TileSpace::with(llvm::ArrayRef<int64_t> symbols) const {
  TileSpace space = *this;
  const auto names = tile_.symbols();
  for (auto *extents : {&space.tile_.sizes, &space.tile_.strides})
    for (TileExtent &extent : *extents)
      if (extent.isSymbol())
        extent = TileExtent::of(
            symbols[llvm::find(names, extent.name) - names.begin()]);
  return space;
}

TileSpace TileSpace::withFirstResult() const {
  TileSpace space = *this;
  space.roots_.resize(1);
  space.roots_[0].leaves.resize(1);
  return space;
}

TileSpace TileSpace::withSteps(llvm::ArrayRef<int64_t> sizes) const {
  TileSpace space = *this;
  const size_t first = tile_.shape.size() - steps_.size();
  for (size_t s = 0; s < steps_.size(); ++s) {
    space.steps_[s].size = std::min(sizes[s], steps_[s].extent);
    space.tile_.sizes[first + s] = TileExtent::of(space.steps_[s].size);
  }
  return space;
}

absl::Status TileSpace::ofLeaves(llvm::ArrayRef<LeafId> leaves,
                                 const RootTile &tile) {
  const Instruction &root =
      module_->computations[computation_].instructions[instruction_];
  const auto &results = shapesOf(root.op).results;
  for (LeafId leaf : leaves) {
    if (leaf < 0 || leaf >= static_cast<int64_t>(results.size()))
      return errorAt(root.place, "`" + root.name.str() + "` has no result " +
                                     std::to_string(leaf));
    if (llvm::ArrayRef<int64_t>(tile.shape) !=
        llvm::ArrayRef<int64_t>(results[leaf].dimensions))
      return errorAt(root.place, "the tile is one of another shape than " +
                                     results[leaf].str());
  }
  INDEXICAL_RETURN_IF_ERROR(tile.verify());
  roots_ = {TileRoot{{leaves.begin(), leaves.end()}, 0, tile.shape.size()}};
  tile_ = tile;
  status_ = absl::OkStatus();
  return status_;
}

void TileSpace::update() {
  roots_.clear();
  steps_.clear();
  tile_ = {};
  status_ = found_;
  if (status_.ok()) status_ = layOut();
  if (status_.ok()) status_ = addSteps();
  if (status_.ok()) status_ = tile_.verify();
}

/// Gives each result its dimensions, sizes and strides.
absl::Status TileSpace::layOut() {
  const Instruction &root =
      module_->computations[computation_].instructions[instruction_];
  const auto &results = shapesOf(root.op).results;
  const std::string name = "`" + root.name.str() + "`";
  if (results.empty()) return errorAt(root.place, name + " has no array");
  const bool isShared =
      sizes_.empty() || (sizes_.size() == 1 && isOneShape(results));
  leavesOut_ = isShared && !isOneShape(results);
  const size_t count = isShared ? 1 : results.size();
  if (sizes_.size() == 1 && count > 1)
    return errorAt(root.place,
                   name + " has " + std::to_string(count) +
                       " results of several shapes: give the tile of each, "
                       "with `;` between them");
  for (auto [lists, what] :
       {std::pair(&sizes_, "tiles"), std::pair(&strides_, "strides")})
    if (!lists->empty() && lists->size() != count)
      return errorAt(root.place,
                     name + " has " + std::to_string(results.size()) +
                         " results, and there are " +
                         std::to_string(lists->size()) + " " + what);
  for (size_t r = 0; r < count; ++r) {
    const ArrayShape &shape = results[r];
    TileRoot &own = roots_.emplace_back();
    own.first = tile_.shape.size();
    own.rank = shape.dimensions.size();
    for (size_t leaf = r; leaf < (isShared ? results.size() : r + 1); ++leaf)
      if (results[leaf].dimensions == shape.dimensions)
        own.leaves.push_back(LeafId(leaf));
    for (auto [lists, option] :
         {std::pair(&sizes_, "tile"), std::pair(&strides_, "strides")})
      if (!lists->empty() && (*lists)[r].size() != own.rank)
        return errorAt(root.place, name + " is " + shape.str() + ", and --" +
                                       option + " has not " +
                                       std::to_string(own.rank) +
                                       " entries but " +
                                       std::to_string((*lists)[r].size()) +
                                       ": one for each dimension");
    for (size_t k = 0; k < own.rank; ++k) {
      const size_t number = tile_.shape.size();
      tile_.shape.push_back(shape.dimensions[k]);
      tile_.sizes.push_back(
          sizes_.empty() ? TileExtent::symbol("t" + std::to_string(number))
                         : sizes_[r][k]);
      if (!strides_.empty()) tile_.strides.push_back(strides_[r][k]);
    }
  }
  return absl::OkStatus();
}

absl::Status TileSpace::addSteps() {
  const Computation &computation = module_->computations[computation_];
  const Instruction &root = computation.instructions[instruction_];
  for (const AskedStep &asked : asked_) {
    std::optional<InstructionId> at;
    if (!asked.instruction.empty()) {
      at = named(computation, asked.instruction);
      if (!at)
        return errorAt(root.place, "no instruction `" + asked.instruction +
                                       "` for --steps");
    } else {
      size_t dimensions = 0;
      for (auto [i, each] : llvm::enumerate(computation.instructions)) {
        const size_t own = summedExtents(each.op).size();
        dimensions += own;
        if (own > 0) at = InstructionId(i);
      }
      if (dimensions != 1)
        return errorAt(root.place,
                       "a step for which instruction? `" +
                           computation.name.str() + "` has " +
                           std::to_string(dimensions) +
                           " dimensions that are summed up: name one, as "
                           "--steps=dot:0=64");
    }
    const Instruction &of = computation.instructions[*at];
    const auto extents = summedExtents(of.op);
    if (asked.dimension < 0 ||
        asked.dimension >= static_cast<int64_t>(extents.size()))
      return errorAt(of.place, "`" + of.name.str() + "` has " +
                                   std::to_string(extents.size()) +
                                   " dimensions that are summed up, and no " +
                                   std::to_string(asked.dimension));
    const int64_t extent = extents[asked.dimension];
    if (extent == kDynamicSize)
      return errorAt(of.place, "the size of dimension " +
                                   std::to_string(asked.dimension) + " that `" +
                                   of.name.str() + "` sums up is not known");
    if (asked.size < 0)
      return errorAt(of.place,
                     "steps are at least 1, not " + std::to_string(asked.size));
    for (const TileStep &known : steps_)
      if (known.instruction == *at && known.dimension == asked.dimension)
        return errorAt(of.place, "two steps of dimension " +
                                     std::to_string(asked.dimension) + " of `" +
                                     of.name.str() + "`");
    const int64_t size = std::min(asked.size, std::max<int64_t>(1, extent));
    steps_.push_back({*at, asked.dimension, extent, size});
    tile_.shape.push_back(extent);
    tile_.sizes.push_back(
        size > 0 ? TileExtent::of(size)
                 : TileExtent::symbol("step " + std::to_string(steps_.size())));
    if (!tile_.strides.empty()) tile_.strides.push_back(TileExtent::of(1));
    ++tile_.stepCount;
  }
  return absl::OkStatus();
}

}  // namespace indexical

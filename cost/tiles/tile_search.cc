#include "indexical/cost/tiles/tile_search.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/cost/tiles/tile_counts.h"
#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/cost/tiles/tile_order.h"
#include "indexical/cost/tiles/tile_steps.h"
#include "indexical/cost/tiles/tile_ways.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"

namespace indexical {

namespace {

/// Reads of a parameter are counted in few operations, or not at all.
constexpr int64_t kOperationsForReads = 20'000;

class SizeSearch {
 public:
  SizeSearch(ProgramIndexing &maps, const TileSpace &space,
             const TileSearchOptions &options)
      : maps_(maps),
        space_(space),
        computation_(maps.module().computations[space.computation()]),
        root_(space.instruction()),
        tile_(space.tile()),
        options_(options),
        firstStep_(tile_.shape.size() - space.steps().size()),
        meter_(options, TileSearchOptions::kUsualOperations),
        counter_(tile_.shape, space.steps().size(), meter_),
        ways_(tile_, meter_) {}

  absl::StatusOr<TileSearch> run() {
    INDEXICAL_RETURN_IF_ERROR(addTiles());
    addParameters();
    std::vector<std::vector<int64_t>> choices;
    for (const std::string &name : ways_.symbols())
      choices.push_back(isStep(name) ? stepsOf(extentOf(name))
                                     : options_.choice.sizesOf(extentOf(name)));
    // The last symbol changes fastest.
    std::vector<size_t> at(ways_.symbols().size(), 0);
    while (true) {
      std::vector<int64_t> values;
      for (size_t s = 0; s < at.size(); ++s)
        values.push_back(choices[s][at[s]]);
      if (meter_.spend(1 + ways_.size())) {
        INDEXICAL_RETURN_IF_ERROR(tryThese(values));
      } else {
        all_.untried = boundedSum(all_.untried, 1);
      }
      size_t s = at.size();
      while (s > 0 && ++at[s - 1] == choices[s - 1].size()) at[--s] = 0;
      if (s == 0) break;
      if (meter_.left() < 0) {
        all_.untried = boundedSum(all_.untried, restOf(at, choices));
        break;
      }
    }
    INDEXICAL_RETURN_IF_ERROR(options_.check());
    sortAll();
    all_.tiles = ways_.take();
    return std::move(all_);
  }

 private:
  /// A leaf of a parameter.
  struct Parameter {
    InstructionId instruction;
    const ArrayShape *shape;
    llvm::SmallVector<size_t, 2> ways;
    std::optional<int64_t> reads;
  };

  static int64_t restOf(llvm::ArrayRef<size_t> at,
                        llvm::ArrayRef<std::vector<int64_t>> choices) {
    int64_t before = 0, all = 1;
    for (size_t s = 0; s < at.size(); ++s) {
      before = boundedSum(boundedProduct(before, choices[s].size()), at[s]);
      all = boundedProduct(all, choices[s].size());
    }
    return all - before;
  }

  bool isStep(llvm::StringRef name) const {
    for (size_t k = firstStep_; k < tile_.sizes.size(); ++k)
      if (tile_.sizes[k].isSymbol() && tile_.sizes[k].name == name) return true;
    return false;
  }

  /// Returns the steps that are tried: powers of two, and the whole dimension.
  static std::vector<int64_t> stepsOf(int64_t extent) {
    constexpr int64_t kLeast = 16, kMost = 512;
    std::vector<int64_t> steps;
    for (int64_t size = kLeast; size <= kMost && size < extent; size *= 2)
      steps.push_back(size);
    steps.push_back(std::max<int64_t>(1, extent));
    return steps;
  }

  /// Returns the loops in which a tile is read, by their bits.
  uint64_t loopsOf(const InstructionTile &tile) const {
    uint64_t loops = 0;
    for (auto [s, step] : llvm::enumerate(space_.steps()))
      if (tile.way.contains(step.instruction) || step.instruction == root_)
        loops |= uint64_t{1} << s;
    return loops;
  }

  int64_t extentOf(llvm::StringRef name) const {
    int64_t extent = Interval::kInfinity;
    for (size_t k = 0; k < tile_.shape.size(); ++k)
      if (tile_.sizes[k].name == name)
        extent = std::min(extent, tile_.shape[k]);
    return extent;
  }

  absl::Status addTiles() {
    return forTilesBehind(maps_, space_,
                          [&](LeafId leaf, std::vector<InstructionTile> tiles) {
                            for (InstructionTile &each : tiles)
                              addTile(std::move(each), leaf);
                          });
  }

  /// Instructions that are read by equal maps have equal tiles. A parameter
  /// keeps a way of its own, and has one for each leaf of the root.
  void addTile(InstructionTile tile, LeafId rootLeaf) {
    const Instruction &own = computation_.instructions[tile.instruction];
    const InstructionId instruction = tile.instruction;
    const LeafId leaf = tile.leaf;
    const uint64_t loops = loopsOf(tile);
    const size_t way = ways_.add(std::move(tile));
    if (own.parameterNumber >= 0) {
      parameterWays_[{instruction, leaf}].push_back({rootLeaf, way});
      loops_[{int32_t(instruction), way}] |= loops;
    } else if (!summedExtents(own.op).empty() || own.op.is<TransposeOp>()) {
      inside_.push_back({instruction, way, loops});
    }
  }

  void addParameters() {
    UtilizationOptions options;
    options.exact = ExactOptions(options_);
    options.exact.operations = options_.operationsOr(kOperationsForReads);
    options.mostPoints = 0;
    options.readsOnly = true;
    std::map<Ways, std::optional<int64_t>> reads;
    for (const auto &[leaf, ways] : parameterWays_) {
      Parameter parameter;
      parameter.shape = &shapesOf(computation_.instructions[leaf.first].op)
                             .results[leaf.second];
      std::map<LeafId, IndexingRelation> relations;
      for (const auto &[rootLeaf, way] : ways) {
        relations[rootLeaf].add(ways_.tileOf(way).map);
        if (!llvm::is_contained(parameter.ways, way))
          parameter.ways.push_back(way);
      }
      // Parameters that are read in the same ways have equal shapes, too.
      auto [known, isNew] = reads.try_emplace(ways);
      // Members' elements have no number of reads.
      const bool hasMembers = llvm::any_of(ways, [&](const auto &of) {
        return !ways_.tileOf(of.second).map.members().empty();
      });
      if (isNew && !hasMembers) {
        std::vector<IndexingRelation> all;
        for (auto &[rootLeaf, relation] : relations)
          all.push_back(std::move(relation));
        auto footprint =
            footprintOf(all, *parameter.shape, Share::whole(), options);
        if (footprint.ok()) known->second = footprint->reads;
      }
      parameter.instruction = leaf.first;
      parameter.reads = known->second;
      parameters_.push_back(std::move(parameter));
    }
  }

  absl::Status tryThese(llvm::ArrayRef<int64_t> values) {
    for (size_t way = 0; way < ways_.size(); ++way) {
      INDEXICAL_ASSIGN_OR_RETURN(auto verdict, ways_.judge(way, values));
      if (verdict->exact) continue;
      leaveOut(way, *verdict->tile, values);
      return absl::OkStatus();
    }
    return keep(values);
  }

  /// Returns the sizes of the tile, and of a turn of each loop behind them.
  llvm::SmallVector<int64_t, 4> sizesOf(llvm::ArrayRef<int64_t> values) const {
    llvm::SmallVector<int64_t, 4> sizes;
    for (auto [size, extent] :
         llvm::zip_equal(ways_.rootFor(values).sizes, tile_.shape))
      sizes.push_back(std::min(size.value, std::max<int64_t>(1, extent)));
    return sizes;
  }

  void leaveOut(size_t way, const SymbolicTile &tile,
                llvm::ArrayRef<int64_t> values) {
    const SymbolicTile::Reason &reason = *tile.reason();
    for (LeftOut &known : all_.leftOut)
      if (known.tile == way && known.reason.kind == reason.kind &&
          known.reason.dimension == reason.dimension &&
          known.reason.expression() == reason.expression()) {
        ++known.count;
        return;
      }
    const InstructionTile &first = ways_.tileOf(way);
    LeftOut added;
    added.tile = way;
    added.behind = first.lostAt;
    if (added.behind < 0)
      added.behind = first.way.empty() ? root_ : first.way.back();
    added.reason = reason;
    added.count = 1;
    added.example = sizesOf(values);
    added.example.resize(firstStep_);
    all_.leftOut.push_back(std::move(added));
  }

  absl::Status keep(llvm::ArrayRef<int64_t> values) {
    FoundSizes found;
    const llvm::SmallVector<int64_t, 4> sizes = sizesOf(values);
    found.sizes.assign(sizes.begin(), sizes.begin() + firstStep_);
    found.steps.assign(sizes.begin() + firstStep_, sizes.end());
    found.blocks = 1;
    for (auto [size, extent] : llvm::zip(found.sizes, tile_.shape))
      found.blocks = boundedProduct(
          found.blocks, ceilDiv(std::max<int64_t>(1, extent), size));
    std::optional<int64_t> reads = 0, loaded = 0;
    TileWork work;
    Padding padding;
    for (const Parameter &parameter : parameters_) {
      std::vector<TileWay> ways;
      for (size_t way : parameter.ways) {
        INDEXICAL_ASSIGN_OR_RETURN(auto verdict, ways_.judge(way, values));
        TileWay &added =
            ways.emplace_back(*verdict->tile, verdict->id, verdict->symbols);
        added.loops = loops_.lookup({int32_t(parameter.instruction), way});
        INDEXICAL_RETURN_IF_ERROR(
            addLoads(work, padding, parameter, added, sizes));
      }
      const BlockReads of =
          counter_.count(ways, sizes, ways_.axesOf(parameter.ways[0]));
      found.elements = boundedSum(found.elements, of.elements);
      found.bytes =
          boundedSum(found.bytes, bytesOf(of.elements, *parameter.shape));
      found.shared =
          boundedSum(found.shared, bytesOf(of.held, *parameter.shape));
      found.isCounted &= of.isCounted;
      loaded = loaded && of.loaded
                   ? std::optional(boundedSum(*loaded, *of.loaded))
                   : std::nullopt;
      work.operandBytes +=
          std::min(bytesOf(of.elements, *parameter.shape),
                   bytesOf(elementsOf(*parameter.shape), *parameter.shape));
      reads = reads && parameter.reads
                  ? std::optional(boundedSum(*reads, *parameter.reads))
                  : std::nullopt;
    }
    if (reads && found.isCounted && found.elements > 0 && !hasLoops())
      found.reuse = static_cast<double>(*reads) / found.elements;
    if (loaded && found.isCounted && hasLoops())
      found.reloaded = *loaded - found.elements;
    INDEXICAL_RETURN_IF_ERROR(addInside(work, values, sizes));
    found.fits = !options_.sharedBytes || found.shared <= options_.sharedBytes;
    found.fills = found.blocks >= options_.cores;
    if (options_.device) addTime(found, work, padding);
    all_.found.push_back(std::move(found));
    return absl::OkStatus();
  }

  //===-- Times -----------------------------------------------------------===//

  bool hasLoops() const { return !space_.steps().empty(); }

  /// How often the loops turn.
  double turnsOf(uint64_t loops, llvm::ArrayRef<int64_t> sizes) const {
    double turns = 1;
    for (size_t k = firstStep_; k < sizes.size(); ++k)
      if (loops >> (k - firstStep_) & 1)
        turns *= ceilDiv(std::max<int64_t>(1, tile_.shape[k]), sizes[k]);
    return turns;
  }

  static int64_t elementsOf(const ArrayShape &shape) {
    int64_t elements = 1;
    for (int64_t size : shape.dimensions)
      elements = boundedProduct(elements, std::max<int64_t>(0, size));
    return elements;
  }

  /// Elements of tiles, and what they are with axes of powers of two.
  struct Padding {
    double elements = 0, padded = 0;

    void add(llvm::ArrayRef<int64_t> sizes) {
      double own = 1, rounded = 1;
      for (int64_t size : sizes) {
        own *= std::max<int64_t>(1, size);
        rounded *= static_cast<double>(llvm::PowerOf2Ceil(
            static_cast<uint64_t>(std::max<int64_t>(1, size))));
      }
      elements += own;
      padded += rounded;
    }
  };

  /// Returns the sizes of the first tile in a tensor; nothing if they leave 64
  /// bits.
  static std::optional<llvm::SmallVector<int64_t, 4>> firstSizes(
      const SymbolicTile &tile, llvm::ArrayRef<int64_t> symbols,
      llvm::ArrayRef<int64_t> shape) {
    const llvm::SmallVector<int64_t, 8> origin(tile.map().dimensions().size(),
                                               0);
    llvm::SmallVector<int64_t, 8> runtime;
    for (const RuntimeVariable &variable : tile.map().runtime())
      runtime.push_back(variable.bounds.hasLower() ? variable.bounds.lower : 0);
    const auto at = tile.at(origin, symbols, runtime);
    if (!at) return std::nullopt;
    llvm::SmallVector<int64_t, 4> sizes;
    for (auto [size, extent] : llvm::zip(at->sizes, shape))
      sizes.push_back(std::clamp<int64_t>(size, 0, extent));
    return sizes;
  }

  /// Adds what a way loads. Equal tiles of a parameter in the same loops are
  /// one load.
  absl::Status addLoads(TileWork &work, Padding &padding,
                        const Parameter &parameter, const TileWay &way,
                        llvm::ArrayRef<int64_t> sizes) {
    const auto own =
        firstSizes(*way.tile, way.symbols, ways_.axesOf(parameter.ways[0]));
    if (!own) return absl::OkStatus();
    int64_t elements = 1;
    for (int64_t size : *own) elements = boundedProduct(elements, size);
    const int64_t bytes = bytesOf(elements, *parameter.shape);
    padding.add(*own);
    if (way.loops == 0) {
      work.heldBytes = boundedSum(work.heldBytes, bytes);
      return absl::OkStatus();
    }
    const double turns = turnsOf(way.loops, sizes);
    work.turns = std::max(work.turns, turns);
    work.turnBytes += bytes * turns;  // of the block, until all are known
    work.stageBytes = boundedSum(work.stageBytes, bytes);
    return absl::OkStatus();
  }

  /// Adds products, and tiles that are held on the way.
  absl::Status addInside(TileWork &work, llvm::ArrayRef<int64_t> values,
                         llvm::ArrayRef<int64_t> sizes) {
    work.turnBytes /= std::max(1.0, work.turns);
    if (!options_.device || !hasLoops()) return absl::OkStatus();
    for (const Inside &inside : inside_) {
      INDEXICAL_ASSIGN_OR_RETURN(auto verdict, ways_.judge(inside.way, values));
      const auto own = firstSizes(*verdict->tile, verdict->symbols,
                                  ways_.axesOf(inside.way));
      if (!own) continue;
      const Op &op = computation_.instructions[inside.instruction].op;
      int64_t elements = 1;
      for (int64_t size : *own) elements = boundedProduct(elements, size);
      const ArrayShape &shape = shapesOf(op).results[0];
      if (op.is<TransposeOp>()) {
        work.heldBytes = boundedSum(work.heldBytes, bytesOf(elements, shape));
        continue;
      }
      work.accumulators = boundedSum(work.accumulators, elements);
      if (const auto product = productOf(inside, op, *own, elements, sizes))
        work.products.push_back(*product);
    }
    return absl::OkStatus();
  }

  struct Inside {
    InstructionId instruction;
    size_t way;
    uint64_t loops;  ///< around it
  };

  std::optional<TileProduct> productOf(const Inside &inside, const Op &op,
                                       llvm::ArrayRef<int64_t> own,
                                       int64_t elements,
                                       llvm::ArrayRef<int64_t> sizes) const {
    const auto matrix = matrixOf(op);
    if (!matrix) return std::nullopt;
    TileProduct product;
    uint64_t loops = inside.loops;
    product.k = 1;
    const auto extents = summedExtents(op);
    for (auto [d, extent] : llvm::enumerate(extents)) {
      int64_t size = extent;
      for (auto [s, step] : llvm::enumerate(space_.steps()))
        if (step.instruction == inside.instruction &&
            step.dimension == static_cast<int64_t>(d)) {
          size = sizes[firstStep_ + s];
          loops |= uint64_t{1} << s;
        }
      product.k = boundedProduct(product.k, std::max<int64_t>(1, size));
    }
    product.m = product.n = 1;
    for (auto [k, size] : llvm::enumerate(own)) {
      if (k < matrix->batch) continue;
      int64_t &side = k < matrix->batch + matrix->rows ? product.m : product.n;
      side = boundedProduct(side, std::max<int64_t>(1, size));
    }
    product.count = static_cast<double>(std::max<int64_t>(1, elements)) /
                    product.m / product.n;
    product.bits = storedBits(shapesOf(op).operands[0]);
    product.turns = turnsOf(loops, sizes);
    return product;
  }

  void addTime(FoundSizes &found, TileWork &work, Padding &padding) const {
    const TileDevice &device = *options_.device;
    for (const TileRoot &root : space_.roots()) {
      padding.add(llvm::ArrayRef(found.sizes).slice(root.first, root.rank));
      for (LeafId leaf : root.leaves) {
        const ArrayShape &shape =
            shapesOf(computation_.instructions[root_].op).results[leaf];
        work.resultBytes += bytesOf(elementsOf(shape), shape);
      }
    }
    if (padding.elements > 0) found.padded = padding.padded / padding.elements;
    if (!hasLoops()) {
      found.microseconds =
          timeOfReads(found.bytes, work.operandBytes, work.resultBytes, device);
      return;
    }
    work.blocks = found.blocks;
    const TileTime time = timeOf(work, device);
    found.stages = time.stages;
    found.shared = time.shared;
    found.accumulators = work.accumulators;
    found.fits = time.fits;
    if (time.fits) found.microseconds = time.microseconds;
  }

  static int64_t bytesOf(int64_t elements, const ArrayShape &shape) {
    const int64_t bits = storedBits(shape);
    return bits % 8 ? ceilDiv(boundedProduct(elements, bits), 8)
                    : boundedProduct(elements, bits / 8);
  }

  void sortAll() {
    const bool hasProducts = llvm::any_of(inside_, [&](const Inside &inside) {
      return matrixOf(computation_.instructions[inside.instruction].op)
          .has_value();
    });
    sortSizes(all_.found, space_.steps(),
              !hasLoops() || !options_.device ? SizeOrder::Bytes
              : hasProducts                   ? SizeOrder::Time
                                              : SizeOrder::WholeRows);
    llvm::stable_sort(all_.leftOut, [](const LeftOut &a, const LeftOut &b) {
      return a.count > b.count;
    });
  }

  ProgramIndexing &maps_;
  const TileSpace &space_;
  const Computation &computation_;
  const InstructionId root_;
  const RootTile &tile_;
  const TileSearchOptions &options_;
  const size_t firstStep_;  ///< of the dimensions
  Meter meter_;
  BlockCounter counter_;
  TileSearch all_;
  TileWays ways_;
  /// The root's leaves, and the ways from them.
  using Ways = std::vector<std::pair<LeafId, size_t>>;
  std::map<std::pair<InstructionId, LeafId>, Ways> parameterWays_;  // of a leaf
  llvm::DenseMap<std::pair<int32_t, size_t>, uint64_t> loops_;
  std::vector<Inside> inside_;
  std::vector<Parameter> parameters_;
};

}  // namespace

absl::StatusOr<TileSearch> searchTiles(ProgramIndexing &maps,
                                       const TileSpace &space,
                                       const TileSearchOptions &options) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return searchTiles(maps, space, options); });
  INDEXICAL_RETURN_IF_ERROR(space.status());
  if (llvm::any_of(space.tile().strides,
                   [](const TileExtent &stride) { return stride.isSymbol(); }))
    return absl::InvalidArgumentError(
        "sizes are searched, and strides are numbers");
  const Instruction &instruction = maps.module()
                                       .computations[space.computation()]
                                       .instructions[space.instruction()];
  if (llvm::any_of(shapesOf(instruction.op).results, hasOpenSize))
    return errorAt(instruction.place,
                   "a size of `" + instruction.name.str() +
                       "` is not known, and so are not the tiles that fit; "
                       "give the sizes of the parameters");
  return SizeSearch(maps, space, options).run();
}

absl::StatusOr<TileSearch> searchTiles(ProgramIndexing &maps,
                                       ComputationId computation,
                                       InstructionId root, const RootTile &tile,
                                       const TileSearchOptions &options) {
  TileSpace space = TileSpace::of(maps.module(), computation, root);
  space.sizes(std::vector<TileExtent>(tile.sizes.begin(), tile.sizes.end()));
  if (!tile.strides.empty())
    space.strides(
        std::vector<TileExtent>(tile.strides.begin(), tile.strides.end()));
  return searchTiles(maps, space, options);
}

}  // namespace indexical

#include "indexical/answers/tiles/tiles.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/alike_pairs.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// The instruction whose tiles are requested.
struct AskedTile {
  const Module *module;
  ComputationId computation;
  InstructionId instruction;
  TileSpace space;

  const Computation &where() const { return module->computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
};

std::vector<TileExtent> extentsOf(const std::vector<std::string> &words) {
  std::vector<TileExtent> extents;
  for (const std::string &word : words) {
    int64_t value = 0;
    if (StringRef(word).getAsInteger(10, value))
      extents.push_back(TileExtent::symbol(word));
    else
      extents.push_back(TileExtent::of(value));
  }
  return extents;
}

absl::StatusOr<TileSpace> spaceOf(const TileQuestion &question,
                                  const AskedTile &asked) {
  TileSpace space =
      TileSpace::of(*asked.module, asked.computation, asked.instruction);
  // A scalar's tile has no sizes.
  const bool isGiven = !question.sizes.empty() || !question.otherSizes.empty();
  if (isGiven) space.sizes(extentsOf(question.sizes));
  for (const auto &sizes : question.otherSizes) space.sizes(extentsOf(sizes));
  if (!question.strides.empty() || !question.otherStrides.empty())
    space.strides(extentsOf(question.strides));
  for (const auto &strides : question.otherStrides)
    space.strides(extentsOf(strides));
  for (const StepQuestion &step : question.steps)
    space.step(step.instruction, step.dimension, step.size);
  INDEXICAL_RETURN_IF_ERROR(space.status());
  return space;
}

/// Returns a text of a tile without its map: maps may differ in when they read
/// (a pad's value, and a broadcast's). Returns "" if a map names a value of the
/// program.
std::string textOf(const InstructionTile &each) {
  if (each.map.visibleRuntimeCount() > 0) return "";
  const SymbolicTile &tile = each.tile;
  std::string text = tile.isExact() ? "exact" : "box";
  text += std::to_string(each.root) + ";" + std::to_string(tile.memberCount());
  // Offsets, sizes and strides, of members too; or whether a scalar is read.
  for (FormId form : tile.map().results()) text += "," + tile.str(form);
  for (int64_t collective : each.map.collectives())
    text += ";" + std::to_string(collective);
  text += ";";
  for (const Constraint &condition : tile.conditions())
    text += tile.str(condition) + ",";
  if (tile.isExact()) return text;
  return text + (tile.isLeast() ? ";" : ";least;") +
         std::to_string(each.lostAt) + "," +
         std::to_string(tile.reason()->dimension) + "," +
         tile.reason()->expression() + "," + tile.reason()->member();
}

/// Tiles, of which none says what another one does.
class DistinctTiles {
 public:
  explicit DistinctTiles(InstructionId root) : root_(root) {}

  /// Adds the tile. Returns its number, or that of one that says the same.
  size_t add(InstructionTile each) {
    // The root's own results are one entry, and so is what two of them read.
    const LeafId leaf = each.instruction == root_ ? LeafId(-1) : each.leaf;
    OfLeaf &others = known_[{each.instruction, leaf}];
    for (size_t other : others.numbers)
      if (tiles[other].map == each.map) return other;
    for (; others.written < others.numbers.size(); ++others.written) {
      const size_t other = others.numbers[others.written];
      others.texts.emplace(textOf(tiles[other]), other);
    }
    if (others.written > 0)
      if (const std::string text = textOf(each); !text.empty())
        if (const auto known = others.texts.find(text);
            known != others.texts.end())
          return known->second;
    others.numbers.push_back(tiles.size());
    tiles.push_back(std::move(each));
    return tiles.size() - 1;
  }

  /// Adds the tiles of one leaf of the root, each of which is behind one in
  /// front of it.
  void addAll(std::vector<InstructionTile> ofLeaf) {
    std::vector<size_t> numbers;
    numbers.reserve(ofLeaf.size());
    for (InstructionTile &each : ofLeaf) {
      if (each.behind >= 0)
        each.behind = static_cast<int32_t>(numbers[each.behind]);
      numbers.push_back(add(std::move(each)));
    }
  }

  std::deque<InstructionTile> tiles;  ///< a vector would copy them to grow

 private:
  struct OfLeaf {
    std::vector<size_t> numbers;
    /// The first `written` of them by what they say.
    std::map<std::string, size_t> texts;
    size_t written = 0;
  };

  const InstructionId root_;
  std::map<std::pair<InstructionId, LeafId>, OfLeaf> known_;
};

absl::StatusOr<AskedTile> find(const TileQuestion &question,
                               const Program &program, const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named,
      findInstruction(program, question.computation, question.instruction));
  if (named.inOthers)
    ask.messages.note({}, "several modules have it; the first one's is meant");
  AskedTile asked{
      &program.modules[named.module], named.computation, named.instruction, {}};
  INDEXICAL_ASSIGN_OR_RETURN(asked.space, spaceOf(question, asked));
  if (asked.space.leavesOut())
    ask.messages.note(asked.root().place,
                      "`" + asked.root().name.str() +
                          "` has results of several shapes, and only those of "
                          "the first one's have a tile: give each its own, "
                          "with `;` between them");
  return asked;
}

/// Returns the runtime variables that the cases name.
std::vector<uint32_t> namedIn(llvm::ArrayRef<RunCase> cases) {
  std::vector<uint32_t> named;
  for (const RunCase &one : cases) llvm::append_range(named, one.runtime);
  return named;
}

/// Returns FoundTile::values.
std::vector<std::string> valuesOf(const ProgramIndexing &maps,
                                  const IndexingMap &map) {
  using Kind = RuntimeSource::Kind;
  std::vector<std::string> values;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    const Kind kind = variable.source.kind;
    if (kind == Kind::None || kind == Kind::Size) continue;
    std::string text = map.nameOf({VariableKind::Runtime, i}) + " = ";
    if (kind == Kind::GroupPosition) text += "position in the group of ";
    if (kind == Kind::GroupSize) text += "size of the group of ";
    if (kind == Kind::DeviceId) text += "device number in ";
    text +=
        instructionOf(maps.module(), maps.value(variable.source.tensor)).name;
    std::vector<std::string> index;
    for (FormId form : variable.elementIndex()) index.push_back(map.str(form));
    if (!index.empty())
      text += "[" + llvm::join(index, ", ") + "], d the offsets";
    if (variable.clamped) text += ", clamped to " + variable.bounds.str();
    values.push_back(std::move(text));
  }
  return values;
}

/// Returns the number of members of a collective's groups, 0 if it varies or is
/// not known.
int64_t groupOf(const ProgramIndexing &maps, int64_t collective) {
  const Op &op = instructionOf(maps.module(), maps.value(collective)).op;
  auto sizeOf = [](const CollectiveShapes *shapes) {
    return shapes && shapes->groupSize.isPoint() ? shapes->groupSize.lower : 0;
  };
  for (const CollectiveShapes *shapes :
       {static_cast<const CollectiveShapes *>(op.as<AllGatherOp>()),
        static_cast<const CollectiveShapes *>(op.as<AllReduceOp>()),
        static_cast<const CollectiveShapes *>(op.as<ReduceScatterOp>()),
        static_cast<const CollectiveShapes *>(op.as<AllToAllOp>()),
        static_cast<const CollectiveShapes *>(op.as<CollectiveBroadcastOp>())})
    if (shapes) return sizeOf(shapes);
  return 0;
}

FoundTile withWords(InstructionTile tile, const TileSpace &space,
                    const ProgramIndexing &maps) {
  FoundTile found;
  static_cast<InstructionTile &>(found) = std::move(tile);
  found.cases = casesOf(found.map);
  found.openSizes = openSizesOf(found.tile.map(), maps, namedIn(found.cases));
  found.values = valuesOf(maps, found.map);
  for (int64_t collective : found.map.collectives())
    found.groups.push_back(groupOf(maps, collective));
  if (found.tile.rank() > 0)
    if (auto mask = maskOf(found, space.tile()); mask.ok())
      found.mask = *std::move(mask);
  return found;
}

/// Calls the work with each step, on up to `jobs` threads if there are many.
void forEach(size_t jobs, size_t steps,
             llvm::function_ref<void(size_t step)> work) {
  constexpr size_t kFew = 16;
  if (jobs > 1 && steps >= kFew)
    return inParallel(jobs, steps, [&](size_t, size_t step) { work(step); });
  for (size_t step = 0; step < steps; ++step) work(step);
}

/// Sets the alternatives of tiles, those of equal maps found once.
absl::Status addAlternatives(const RootTile &root, size_t jobs,
                             std::vector<FoundTile> &tiles) {
  constexpr size_t kMostMaps = 64;
  // The first tile of each map, and for each tile the number of its map.
  std::vector<const FoundTile *> firsts;
  std::vector<size_t> numbers;
  for (const FoundTile &each : tiles) {
    size_t number = kMostMaps;
    if (!each.tile.conditions().empty()) {
      number = llvm::find_if(firsts,
                             [&](const FoundTile *first) {
                               return first->map == each.map &&
                                      first->shape == each.shape;
                             }) -
               firsts.begin();
      if (number == firsts.size() && number < kMostMaps)
        firsts.push_back(&each);
    }
    numbers.push_back(number);
  }
  std::vector<absl::StatusOr<std::vector<SizeCase>>> cases(firsts.size());
  forEach(jobs, firsts.size(),
          [&](size_t k) { cases[k] = alternativesOf(*firsts[k], root); });
  for (auto [each, number] : llvm::zip_equal(tiles, numbers)) {
    if (number == kMostMaps) continue;
    INDEXICAL_ASSIGN_OR_RETURN(each.anyOf, cases[number]);
  }
  return absl::OkStatus();
}

/// Returns whether a tile of these sizes reads more than one operand of a
/// concatenate.
absl::StatusOr<bool> readsSeveralOperands(const Computation &computation,
                                          llvm::ArrayRef<InstructionTile> tiles,
                                          const RootTile &root,
                                          llvm::ArrayRef<int64_t> symbols) {
  for (const InstructionTile &each : tiles) {
    const auto *op =
        computation.instructions[each.instruction].op.as<ConcatenateOp>();
    if (!op) continue;
    llvm::SmallVector<int64_t, 4> parts;
    for (const ArrayShape &operand : op->operands)
      parts.push_back(operand.dimensions[op->dimension]);
    INDEXICAL_ASSIGN_OR_RETURN(
        const bool crosses,
        crossesParts(each, root, symbols, op->dimension, parts));
    if (crosses) return true;
  }
  return false;
}

/// Returns the tiles that the question is about, equal ones once.
absl::StatusOr<std::vector<ForwardTile>> tilesFor(ProgramIndexing &maps,
                                                  const TileSpace &space,
                                                  bool forward, size_t jobs) {
  if (forward) return tilesForward(maps, space, jobs);
  // Results that read alike have equal tiles.
  const Op &op = maps.module()
                     .computations[space.computation()]
                     .instructions[space.instruction()]
                     .op;
  const bool areAlike =
      space.isOneTile() && hasAlikePairs(op) && !hasOpenSizes(shapesOf(op));
  const TileSpace asked = areAlike ? space.withFirstResult() : space;
  DistinctTiles distinct(space.instruction());
  INDEXICAL_RETURN_IF_ERROR(forTilesBehind(
      maps, asked,
      [&](LeafId, std::vector<InstructionTile> tiles) {
        distinct.addAll(std::move(tiles));
      },
      jobs));
  std::vector<ForwardTile> all;
  all.reserve(distinct.tiles.size());
  for (InstructionTile &each : distinct.tiles)
    all.push_back({std::move(each), std::nullopt});
  return all;
}

/// Leaves out the paths from the tile on with which they have too many names.
void leaveOutPaths(Tiles &all, const Ask &ask) {
  size_t names = 0;
  bool areTooMany = false;
  for (auto [number, tile] : llvm::enumerate(all.tiles)) {
    const size_t own = tile.way.size();
    if (own == 0) continue;
    names += own;
    if (names > kMostPathNames && !areTooMany) {
      areTooMany = true;
      ask.messages.warning(
          all.root->place,
          "the paths to the tiles have more than " +
              std::to_string(kMostPathNames) + " names: from tile " +
              std::to_string(number) +
              " on, `behind` says in place of a path which tile leads to it");
    }
    tile.isPathLeftOut = areTooMany;
  }
}

}  // namespace

absl::StatusOr<Tiles> tilesOf(const Program &program,
                              const TileQuestion &question, const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(AskedTile asked, find(question, program, ask));
  Tiles all;
  all.module = asked.module;
  all.computation = &asked.where();
  all.root = &asked.root();
  all.forward = question.forward;
  all.space = std::move(asked.space);
  all.tile = all.space.tile();
  all.maps = std::make_shared<ProgramIndexing>(*asked.module,
                                               /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto tiles, tilesFor(*all.maps, all.space, question.forward, ask.jobs));
  const size_t symbols = all.tile.symbols().size();
  for (const std::vector<int64_t> &values : question.candidates)
    if (values.size() != symbols)
      return errorAt(all.root->place, "--try has " +
                                          std::to_string(values.size()) +
                                          " values, and the tile " +
                                          std::to_string(symbols) + " symbols");
  all.candidates = question.candidates;
  // Without candidates there is nothing to hold against the tiles.
  std::vector<InstructionTile> plain;
  if (!all.candidates.empty()) plain.assign(tiles.begin(), tiles.end());
  INDEXICAL_ASSIGN_OR_RETURN(all.fitting,
                             sizesThatFit(plain, all.tile, all.candidates));
  if (question.oneOperand) {
    std::vector<size_t> alone;
    for (size_t number : all.fitting) {
      INDEXICAL_ASSIGN_OR_RETURN(
          const bool several,
          readsSeveralOperands(*all.computation, plain, all.tile,
                               all.candidates[number]));
      if (!several) alone.push_back(number);
    }
    all.fitting = std::move(alone);
  }
  all.tiles.resize(tiles.size());
  forEach(ask.jobs, tiles.size(), [&](size_t k) {
    const std::optional<bool> complete = tiles[k].complete;
    all.tiles[k] = withWords(std::move(tiles[k]), all.space, *all.maps);
    all.tiles[k].complete = complete;
  });
  INDEXICAL_RETURN_IF_ERROR(addAlternatives(all.tile, ask.jobs, all.tiles));
  leaveOutPaths(all, ask);
  return all;
}

namespace {

TileDevice deviceOf(const Device &device, int64_t sharedBytes) {
  TileDevice made;
  made.cores = device.cores;
  made.megahertz = device.megahertz;
  made.gigabytes = device.gigabytes;
  made.products64 = device.products.bits64;
  made.products32 = device.products.bits32;
  made.products16 = device.products.bits16;
  made.products8 = device.products.bits8;
  made.readShare = device.rates.readShare;
  made.writeShare = device.rates.writeShare;
  made.productShare = device.rates.productShare;
  made.launchMicroseconds = device.rates.launchMicroseconds;
  made.cacheBytes = device.cacheBytes;
  made.blockShared = sharedBytes;
  made.coreShared = std::max(sharedBytes, device.blocks.coreShared);
  made.registers = device.blocks.registers;
  made.fewRows = device.blocks.fewRows;
  made.fewRowsShare = device.blocks.fewRowsShare;
  return made;
}

}  // namespace

absl::StatusOr<TileSizes> tileSizesOf(const Program &program,
                                      const TileQuestion &question,
                                      const TileSearchQuestion &search,
                                      const Ask &ask) {
  // Loops whose steps are searched; those of others are whole.
  constexpr size_t kMostLoops = 2;
  INDEXICAL_ASSIGN_OR_RETURN(AskedTile asked, find(question, program, ask));
  if (question.steps.empty()) asked.space.stepAny(kMostLoops);
  INDEXICAL_RETURN_IF_ERROR(asked.space.status());
  TileSizes all{&asked.where(), asked.instruction, search, {}, asked.space};
  TileSearchOptions how(ask.budget);
  how.choice = search.choice;
  how.sharedBytes = all.sharedBytes();
  how.cores = search.device->cores;
  how.device = deviceOf(*search.device, all.sharedBytes());
  ProgramIndexing maps(*asked.module, /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(all.search, searchTiles(maps, asked.space, how));
  return all;
}

}  // namespace indexical

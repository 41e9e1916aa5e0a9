#include "indexical/answers/tiles/tiles.h"

#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/alike_pairs.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// The instruction whose tiles are requested.
struct AskedTile {
  const Module *module;
  ComputationId computation;
  InstructionId instruction;
  RootTile tile;

  const Computation &where() const { return module->computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
};

absl::StatusOr<RootTile> rootTileOf(const TileQuestion &question,
                                    const Instruction &root,
                                    const ArrayShape &shape) {
  RootTile tile;
  tile.shape.assign(shape.dimensions.begin(), shape.dimensions.end());
  if (question.sizes.empty())
    for (size_t k = 0; k < tile.shape.size(); ++k)
      tile.sizes.push_back(TileExtent::symbol("t" + std::to_string(k)));
  auto extentsOf = [](const std::vector<std::string> &words) {
    llvm::SmallVector<TileExtent, 4> extents;
    for (const std::string &word : words) {
      int64_t value = 0;
      if (StringRef(word).getAsInteger(10, value))
        extents.push_back(TileExtent::symbol(word));
      else
        extents.push_back(TileExtent::of(value));
    }
    return extents;
  };
  if (!question.sizes.empty()) tile.sizes = extentsOf(question.sizes);
  tile.strides = extentsOf(question.strides);
  for (auto [extents, option] :
       {std::pair(&tile.sizes, "tile"), std::pair(&tile.strides, "strides")})
    if (extents->size() != tile.shape.size() &&
        (extents == &tile.sizes || !extents->empty()))
      return errorAt(root.place, "`" + root.name.str() + "` is " + shape.str() +
                                     ", and --" + option + " has not " +
                                     std::to_string(tile.shape.size()) +
                                     " entries but " +
                                     std::to_string(extents->size()) +
                                     ": one for each dimension");
  return tile;
}

/// Returns a text of a tile without its map: maps may differ in when they read
/// (a pad's value, and a broadcast's). Returns "" if a map names a value of the
/// program.
std::string textOf(const InstructionTile &each) {
  if (each.map.visibleRuntimeCount() > 0) return "";
  const SymbolicTile &tile = each.tile;
  std::string text = tile.isExact() ? "exact" : "box";
  for (llvm::ArrayRef<FormId> forms :
       {tile.offsets(), tile.sizes(), tile.strides()}) {
    text += ";";
    for (FormId form : forms) text += tile.str(form) + ",";
  }
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

  void add(InstructionTile each) {
    // The root's own results are one entry, and so is what two of them read.
    const LeafId leaf = each.instruction == root_ ? LeafId(-1) : each.leaf;
    OfLeaf &others = known_[{each.instruction, leaf}];
    auto isSame = [&](size_t other) { return tiles[other].map == each.map; };
    if (llvm::any_of(others.numbers, isSame)) return;
    for (; others.written < others.numbers.size(); ++others.written)
      others.texts.insert(textOf(tiles[others.numbers[others.written]]));
    if (others.written > 0)
      if (const std::string text = textOf(each);
          !text.empty() && others.texts.count(text))
        return;
    others.numbers.push_back(tiles.size());
    tiles.push_back(std::move(each));
  }

  std::vector<InstructionTile> tiles;

 private:
  struct OfLeaf {
    std::vector<size_t> numbers;
    std::set<std::string> texts;  ///< of the first `written` of them
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
  const auto leaves = asked.root().shape.leaves();
  if (leaves.empty())
    return errorAt(asked.root().place,
                   "`" + asked.root().name.str() + "` has no array");
  INDEXICAL_ASSIGN_OR_RETURN(asked.tile,
                             rootTileOf(question, asked.root(), leaves[0]));
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

FoundTile withWords(InstructionTile tile, const ProgramIndexing &maps) {
  FoundTile found{std::move(tile), {}, {}, {}};
  found.cases = casesOf(found.map);
  found.openSizes = openSizesOf(found.tile.map(), maps, namedIn(found.cases));
  found.values = valuesOf(maps, found.map);
  return found;
}

}  // namespace

absl::StatusOr<Tiles> tilesOf(const Program &program,
                              const TileQuestion &question, const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(AskedTile asked, find(question, program, ask));
  const Module &module = *asked.module;
  Tiles all;
  all.module = &module;
  all.computation = &asked.where();
  all.root = &asked.root();
  all.tile = std::move(asked.tile);
  const auto leaves = all.root->shape.leaves();
  ProgramIndexing maps(module, /*prover=*/nullptr, ask.budget);
  std::vector<LeafId> alike;  // leaves of the first one's sizes
  for (LeafId leaf; leaf < static_cast<int64_t>(leaves.size()); ++leaf)
    if (leaves[leaf].dimensions == leaves[0].dimensions) alike.push_back(leaf);
  const Op &op = all.root->op;
  if (hasAlikePairs(op) && !hasOpenSizes(shapesOf(op))) alike.resize(1);
  DistinctTiles distinct(asked.instruction);
  INDEXICAL_RETURN_IF_ERROR(
      forTilesOf(maps, asked.computation, asked.instruction, alike, all.tile,
                 [&](LeafId, std::vector<InstructionTile> tiles) {
                   for (InstructionTile &each : tiles)
                     distinct.add(std::move(each));
                 }));
  const size_t symbols = all.tile.symbols().size();
  for (const std::vector<int64_t> &values : question.candidates)
    if (values.size() != symbols)
      return errorAt(all.root->place, "--try has " +
                                          std::to_string(values.size()) +
                                          " values, and the tile " +
                                          std::to_string(symbols) + " symbols");
  all.candidates = question.candidates;
  all.fitting = sizesThatFit(distinct.tiles, all.candidates);
  for (InstructionTile &each : distinct.tiles)
    all.tiles.push_back(withWords(std::move(each), maps));
  return all;
}

absl::StatusOr<TileSizes> tileSizesOf(const Program &program,
                                      const TileQuestion &question,
                                      const TileSearchQuestion &search,
                                      const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const AskedTile asked,
                             find(question, program, ask));
  TileSearchOptions how(ask.budget);
  how.choice = search.choice;
  how.sharedBytes = search.sharedBytes();
  how.cores = search.device->cores;
  ProgramIndexing maps(*asked.module, /*prover=*/nullptr, ask.budget);
  TileSizes all{&asked.where(), asked.instruction, search, {}};
  INDEXICAL_ASSIGN_OR_RETURN(
      all.search,
      searchTiles(maps, asked.computation, asked.instruction, asked.tile, how));
  return all;
}

}  // namespace indexical

#include "indexical/analysis/tiles/tile.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/answers/tiles/keys.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/tile_search_options.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/alike_pairs.h"
#include "indexical/ops/sizes.h"
#include "indexical/writers/open_sizes.h"
#include "indexical/writers/tile_search.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

struct TileOptions {
  std::string computation, instruction;     ///< empty: not given
  std::vector<std::string> sizes, strides;  ///< numbers and names
  std::vector<std::vector<int64_t>> candidates;
  TileSearchAsk search;
  ReadOptions readAs;
};

/// The instruction whose tiles are requested.
struct AskedTile {
  const Module *module;
  ComputationId computation;
  InstructionId instruction;
  RootTile tile;

  const Computation &where() const { return module->computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
};

/// The answer to one call.
struct TileReport {
  const Computation *computation;
  const Instruction *root;
  RootTile tile;
  std::vector<InstructionTile> tiles;
  std::vector<std::vector<int64_t>> candidates;  ///< of --try
  std::vector<size_t> fitting;                   ///< their numbers

  /// The runtime variables' sources, by number.
  std::map<int64_t, Value> sources;
  std::map<int64_t, std::string> sourceNames;
  const Module *module;

  StringRef nameOf(InstructionId i) const {
    return computation->instructions[i].name;
  }
};

std::string nameOf(const Module &module, const Value &value) {
  return module.computations[value.computation]
      .instructions[value.instruction]
      .name.str();
}

absl::StatusOr<RootTile> rootTileOf(const TileOptions &options,
                                    const Instruction &root,
                                    const ArrayShape &shape) {
  RootTile tile;
  tile.shape.assign(shape.dimensions.begin(), shape.dimensions.end());
  if (options.sizes.empty())
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
  if (!options.sizes.empty()) tile.sizes = extentsOf(options.sizes);
  tile.strides = extentsOf(options.strides);
  for (auto [extents, option] :
       {std::pair(&tile.sizes, "tile"), std::pair(&tile.strides, "strides")})
    if (extents->size() != tile.shape.size() &&
        (extents == &tile.sizes || !extents->empty()))
      return errorAt(root.place, "`" + root.name.str() + "` is " + shape.str() +
                                     ", and --" + option + " has not " +
                                     std::to_string(tile.shape.size()) +
                                     " entries but " +
                                     std::to_string(extents->size()));
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

/// The tiles of an instruction's leaf, of which none says what another does.
struct DifferentTiles {
  std::vector<size_t> numbers;
  std::set<std::string> texts;  ///< of the first `written` of them
  size_t written = 0;
};

absl::StatusOr<AskedTile> find(const TileOptions &options,
                               const Program &program, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named,
      findInstruction(program, options.computation, options.instruction));
  if (named.inOthers)
    call.reporter().note({},
                         "several modules have it; the first one's is meant");
  AskedTile asked{
      &program.modules[named.module], named.computation, named.instruction, {}};
  const auto leaves = asked.root().shape.leaves();
  if (leaves.empty())
    return errorAt(asked.root().place,
                   "`" + asked.root().name.str() + "` has no array");
  INDEXICAL_ASSIGN_OR_RETURN(asked.tile,
                             rootTileOf(options, asked.root(), leaves[0]));
  return asked;
}

absl::StatusOr<TileReport> answer(const TileOptions &options, AskedTile asked,
                                  Call &call) {
  const Module &module = *asked.module;
  TileReport all;
  all.module = &module;
  all.computation = &asked.where();
  all.root = &asked.root();
  all.tile = std::move(asked.tile);
  const auto leaves = all.root->shape.leaves();
  ProgramIndexing maps(module, /*prover=*/nullptr, call.budget());
  std::vector<LeafId> alike;  // leaves of the first one's sizes
  for (LeafId leaf; leaf < static_cast<int64_t>(leaves.size()); ++leaf)
    if (leaves[leaf].dimensions == leaves[0].dimensions) alike.push_back(leaf);
  const Op &op = all.root->op;
  if (hasAlikePairs(op) && !hasOpenSizes(shapesOf(op))) alike.resize(1);
  // By instruction and leaf. The root's own results are one entry, and so is
  // what two of them read.
  std::map<std::pair<InstructionId, LeafId>, DifferentTiles> known;
  auto take = [&](LeafId, std::vector<InstructionTile> tiles) {
    for (InstructionTile &each : tiles) {
      const LeafId leaf =
          each.instruction == asked.instruction ? LeafId(-1) : each.leaf;
      DifferentTiles &others = known[{each.instruction, leaf}];
      auto isSame = [&](size_t other) {
        return all.tiles[other].map == each.map;
      };
      if (llvm::any_of(others.numbers, isSame)) continue;
      for (; others.written < others.numbers.size(); ++others.written)
        others.texts.insert(textOf(all.tiles[others.numbers[others.written]]));
      if (others.written > 0)
        if (const std::string text = textOf(each);
            !text.empty() && others.texts.count(text))
          continue;
      others.numbers.push_back(all.tiles.size());
      all.tiles.push_back(std::move(each));
    }
  };
  INDEXICAL_RETURN_IF_ERROR(forTilesOf(
      maps, asked.computation, asked.instruction, alike, all.tile, take));
  for (const InstructionTile &each : all.tiles)
    for (const IndexingMap *map : {&each.map, &each.tile.map()})
      for (const RuntimeVariable &variable : map->runtime()) {
        if (variable.source.kind == RuntimeSource::Kind::None) continue;
        const int64_t tensor = variable.source.tensor;
        all.sources[tensor] = maps.value(tensor);
        all.sourceNames[tensor] = nameOf(module, maps.value(tensor));
      }
  const size_t symbols = all.tile.symbols().size();
  for (const std::vector<int64_t> &values : options.candidates) {
    if (values.size() != symbols)
      return errorAt(all.root->place, "--try has " +
                                          std::to_string(values.size()) +
                                          " values, and the tile " +
                                          std::to_string(symbols) + " symbols");
    all.candidates.push_back(values);
  }
  all.fitting = sizesThatFit(all.tiles, all.candidates);
  return all;
}

//===-- Values of the run -------------------------------------------------===//

/// Returns the runtime variables that the cases name.
std::vector<uint32_t> namedIn(llvm::ArrayRef<RunCase> cases) {
  std::vector<uint32_t> named;
  for (const RunCase &one : cases) llvm::append_range(named, one.runtime);
  return named;
}

/// Returns what the runtime variables are that are no sizes: `rt0 = start[d0],
/// d the offsets, clamped to [0, 12]`, or `rt0 = position in the group of g`.
std::vector<std::string> valuesOf(const TileReport &all,
                                  const InstructionTile &each) {
  using Kind = RuntimeSource::Kind;
  const IndexingMap &map = each.map;
  std::vector<std::string> values;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    const Kind kind = variable.source.kind;
    if (kind == Kind::None || kind == Kind::Size) continue;
    std::string text = map.nameOf({VariableKind::Runtime, i}) + " = ";
    if (kind == Kind::GroupPosition) text += "position in the group of ";
    if (kind == Kind::GroupSize) text += "size of the group of ";
    if (kind == Kind::DeviceId) text += "device number in ";
    text += all.sourceNames.at(variable.source.tensor);
    std::vector<std::string> index;
    for (FormId form : variable.elementIndex()) index.push_back(map.str(form));
    if (!index.empty())
      text += "[" + llvm::join(index, ", ") + "], d the offsets";
    if (variable.clamped) text += ", clamped to " + variable.bounds.str();
    values.push_back(std::move(text));
  }
  return values;
}

//===-- JSON --------------------------------------------------------------===//

void writeStrings(json::OStream &json, StringRef name, const SymbolicTile &tile,
                  llvm::ArrayRef<FormId> forms) {
  json.attributeArray(name, [&] {
    for (FormId form : forms) json.value(tile.str(form));
  });
}

void writeTile(const TileReport &all, const InstructionTile &each,
               json::OStream &json) {
  const SymbolicTile &tile = each.tile;
  json.attribute("instruction", jsonString(all.nameOf(each.instruction)));
  if (each.leaf > 0) json.attribute("result", int64_t{each.leaf});
  json.attributeArray("path", [&] {
    for (InstructionId i : each.path) json.value(jsonString(all.nameOf(i)));
  });
  json.attribute("exact", tile.isExact());
  writeStrings(json, "offsets", tile, tile.offsets());
  writeStrings(json, "sizes", tile, tile.sizes());
  writeStrings(json, "strides", tile, tile.strides());
  json.attributeArray("conditions", [&] {
    for (const Constraint &condition : tile.conditions())
      json.value(tile.str(condition));
  });
  const auto cases = casesOf(each.map);
  if (!cases.empty())
    json.attributeArray("case", [&] {
      for (const RunCase &one : cases) json.value(one.text);
    });
  writeOpenSizes(json, *all.module, tile.map(), all.sources, namedIn(cases));
  if (const auto values = valuesOf(all, each); !values.empty())
    json.attributeArray("values", [&] {
      for (const std::string &value : values) json.value(jsonString(value));
    });
  if (tile.isExact()) return;
  if (!tile.isLeast()) json.attribute("least", false);
  json.attributeObject("reason", [&] {
    json.attribute("instruction",
                   each.lostAt < 0
                       ? json::Value(nullptr)
                       : json::Value(jsonString(all.nameOf(each.lostAt))));
    const int64_t dimension = tile.reason()->dimension;
    json.attribute("dimension", dimension < 0 ? json::Value(nullptr)
                                              : json::Value(dimension));
    json.attribute("expression", tile.reason()->expression());
    if (const std::string member = tile.reason()->member(); !member.empty())
      json.attribute("member", member);
  });
}

void writeFits(const TileReport &all, json::OStream &json) {
  if (all.candidates.empty()) return;
  json.attributeArray("fits", [&] {
    for (size_t i : all.fitting)
      json.array([&] {
        for (int64_t value : all.candidates[i]) json.value(value);
      });
  });
}

//===-- Text --------------------------------------------------------------===//

void writeList(llvm::raw_ostream &os, StringRef name, const SymbolicTile &tile,
               llvm::ArrayRef<FormId> forms) {
  os << "    " << name << " (";
  llvm::ListSeparator separator;
  for (FormId form : forms) os << separator << tile.str(form);
  os << ")\n";
}

void writeRuntime(const TileReport &all, const InstructionTile &each,
                  llvm::raw_ostream &os) {
  writeOpenSizes(os, *all.module, each.tile.map(), all.sources,
                 namedIn(casesOf(each.map)));
  for (const std::string &value : valuesOf(all, each))
    os << "    where " << value << '\n';
}

void writeText(const TileReport &all, llvm::raw_ostream &os) {
  os << "tile (";
  llvm::ListSeparator separator;
  for (const TileExtent &size : all.tile.sizes) {
    os << separator;
    if (size.isSymbol())
      os << size.name;
    else
      os << size.value;
  }
  os << ") of " << all.root->name << " = " << all.root->shape.leaves()[0].str()
     << '\n';
  for (const InstructionTile &each : all.tiles) {
    const SymbolicTile &tile = each.tile;
    os << "\n  " << all.nameOf(each.instruction);
    if (each.leaf > 0) os << " leaf " << each.leaf;
    llvm::ListSeparator through(", ");
    if (!each.path.empty()) os << ", through ";
    for (InstructionId i : each.path) os << through << all.nameOf(i);
    if (tile.isExact()) {
      os << (tile.conditions().empty() ? ": exact\n" : ": exact where\n");
      for (const Constraint &condition : tile.conditions())
        os << "      " << tile.str(condition) << '\n';
    } else if (tile.rank() == 0 && each.isMapExact) {
      os << ": some tiles may not read it";
      if (each.lostAt >= 0) os << "; behind " << all.nameOf(each.lostAt);
      os << '\n';
    } else {
      os << (tile.isLeast() ? ": least box" : ": a box");
      if (each.lostAt >= 0) os << "; behind " << all.nameOf(each.lostAt);
      if (tile.reason()->dimension >= 0)
        os << ", dimension " << tile.reason()->dimension;
      if (const std::string blamed = tile.reason()->expression();
          !blamed.empty())
        os << ": " << blamed;
      if (const std::string member = tile.reason()->member(); !member.empty())
        os << ", of member " << member << "; other members read nothing";
      os << '\n';
    }
    for (const RunCase &one : casesOf(each.map))
      os << "    if      " << one.text << '\n';
    if (tile.rank() == 0) {
      writeRuntime(all, each, os);
      continue;
    }
    writeList(os, "offsets", tile, tile.offsets());
    writeList(os, "sizes  ", tile, tile.sizes());
    writeList(os, "strides", tile, tile.strides());
    writeRuntime(all, each, os);
  }
  if (all.candidates.empty()) return;
  os << "\n  all exact for";
  llvm::ListSeparator next(";");
  for (size_t i : all.fitting) {
    os << next;
    llvm::ListSeparator comma(",");
    os << ' ';
    for (int64_t value : all.candidates[i]) os << comma << value;
  }
  os << (all.fitting.empty() ? " none of them\n" : "\n");
}

class TileResult : public Result {
 public:
  explicit TileResult(const TileReport &all) : all_(all) {}

  void text(llvm::raw_ostream &os, TextStyle) override { writeText(all_, os); }

  void structure(Structure &to) override {
    auto root = [&](json::OStream &json) {
      json.attribute("root", jsonString(all_.root->name));
    };
    to.head(root);
    to.beginList("tiles");
    for (const InstructionTile &each : all_.tiles) {
      auto members = [&](json::OStream &json) { writeTile(all_, each, json); };
      to.item({"tile", members, root});
    }
    to.endList();
    to.head([&](json::OStream &json) { writeFits(all_, json); });
  }

 private:
  const TileReport &all_;
};

absl::StatusOr<int> search(const TileOptions &options, const AskedTile &asked,
                           Call &call) {
  TileSearchOptions how(call.budget());
  how.choice = options.search.choice;
  how.sharedBytes = options.search.sharedBytes();
  how.cores = options.search.device->cores;
  ProgramIndexing maps(*asked.module, /*prover=*/nullptr, call.budget());
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto found,
      searchTiles(maps, asked.computation, asked.instruction, asked.tile, how));
  TileSearchResult result(found, asked.where(), asked.instruction,
                          options.search);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

absl::StatusOr<int> tile(const TileOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  INDEXICAL_ASSIGN_OR_RETURN(auto asked, find(options, program, call));
  if (options.search.search) return search(options, asked, call);
  INDEXICAL_ASSIGN_OR_RETURN(const auto all,
                             answer(options, std::move(asked), call));
  TileResult result(all);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeTile() {
  auto asked = std::make_shared<TileOptions>();
  Command tile;
  tile.name = "tile";
  tile.sentence =
      "what a tile of a computation's root is in every instruction behind it, "
      "and for which sizes";
  tile.example =
      "echo 'f { p = f32[12,4] parameter(0)\n"
      "          ROOT r = f32[4,12] reshape(p) }' |\n"
      "  indexical tile --tile=2,b --try=4 --try=6 --try=12";
  tile.offers = {Offer::Text, Offer::Structure, Offer::Table};
  tile.columns = tileSearchColumns();
  tile.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "The instruction whose tile it is (default: the root)"),
      extentsOption("tile", "SIZES", asked->sizes,
                    "Sizes of the tile, one a dimension: numbers, and names "
                    "for any size (default: t0,t1,…)"),
      extentsOption("strides", "STRIDES", asked->strides,
                    "Strides of the tile, numbers and names (default: 1)"),
      numberListsOption("try", "VALUES", 1, asked->candidates,
                        "Values of the names, in order: tell whether all tiles "
                        "are exact for them"),
  };
  for (Option &option : tileSearchOptions(asked->search))
    tile.options.push_back(std::move(option));
  addReadOptions(tile, asked->readAs);
  tile.check = [asked,
                settings = tile.settings]() -> std::optional<std::string> {
    if (asked->search.search) {
      if (!asked->candidates.empty())
        return "--search tries sizes of its own, without --try";
      int64_t value = 0;
      for (const std::string &stride : asked->strides)
        if (!llvm::to_integer(stride, value, 10))
          return "--search takes --strides that are numbers";
      return std::nullopt;
    }
    if (asked->search.isAsked())
      return "--sizes, --shared and --top belong to --search";
    if (settings->format->needs == Offer::Table)
      return "`tile` has a table with --search alone; use --format=json";
    return std::nullopt;
  };
  tile.run = [asked](Call &call) { return indexical::tile(*asked, call); };
  return tile;
}

}  // namespace indexical

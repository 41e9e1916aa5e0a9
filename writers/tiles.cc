#include "indexical/writers/tiles.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/tiles/keys.h"
#include "indexical/writers/format.h"
#include "indexical/writers/items.h"
#include "indexical/writers/open_sizes.h"

namespace indexical {

using llvm::StringRef;

namespace {

void writeList(llvm::raw_ostream &os, StringRef name, const SymbolicTile &tile,
               llvm::ArrayRef<FormId> forms) {
  os << "    " << name << " (";
  llvm::ListSeparator separator;
  for (FormId form : forms) os << separator << tile.str(form);
  os << ")\n";
}

void writeRuntime(const Module &module, const FoundTile &each,
                  llvm::raw_ostream &os) {
  writeOpenSizes(os, module, each.openSizes);
  for (const std::string &value : each.values)
    os << "    where " << value << '\n';
}

/// Whether the tile is that of one turn of a loop.
bool isInLoop(const Tiles &all, const FoundTile &each) {
  const size_t first = all.tile.shape.size() - all.space.steps().size();
  bool isIn = false;
  const IndexingMap &map = each.tile.map();
  map.expressions().visitVariables(map.results(), [&](VariableId id) {
    isIn |= id.kind == VariableKind::Dimension && id.index >= first;
  });
  return isIn;
}

/// Writes `tile (128, 256) of d = bf16[4096,4096], k0 in steps of 64 of 4096
/// (d)`.
void writeHead(const Tiles &all, llvm::raw_ostream &os) {
  const auto &results = shapesOf(all.root->op).results;
  for (const TileRoot &root : all.space.roots()) {
    const size_t number = &root - all.space.roots().data();
    os << "tile (";
    llvm::ListSeparator separator;
    for (size_t k = root.first; k < root.first + root.rank; ++k) {
      const TileExtent &size = all.tile.sizes[k];
      os << separator;
      if (size.isSymbol())
        os << size.name;
      else
        os << size.value;
    }
    os << ") of " << all.root->name;
    if (!all.space.isOneTile()) os << " result " << number;
    os << " = " << results[root.leaves[0]].str();
    if (number + 1 < all.space.roots().size()) os << '\n';
  }
  for (auto [number, step] : llvm::enumerate(all.space.steps()))
    os << ", k" << number << " in steps of " << step.size << " of "
       << step.extent << " (" << all.nameOf(step.instruction) << ")";
  if (all.forward) os << ", and what reads it";
  os << '\n';
}

/// Writes `members o0 floordiv 64`, or `members (0, 4), strides (…)`.
void writeMembers(const Tiles &all, const FoundTile &each,
                  llvm::raw_ostream &os) {
  const SymbolicTile &tile = each.tile;
  const ExpressionTable &table = tile.map().expressions();
  for (size_t m = 0; m < tile.memberCount(); ++m) {
    const FormId size = tile.memberSizes()[m];
    os << "    members " << tile.str(tile.memberOffsets()[m]);
    if (!table.isConstant(size, 1)) os << ", " << tile.str(size) << " of them";
    if (!table.isConstant(tile.memberStrides()[m], 1))
      os << ", stride " << tile.str(tile.memberStrides()[m]);
    if (each.groups[m] > 0) os << ", of " << each.groups[m];
    const Value &value = all.maps->value(each.map.collectives()[m]);
    os << " (" << instructionOf(*all.module, value).name << ")\n";
  }
}

void writeVerdict(const Tiles &all, const FoundTile &each,
                  llvm::raw_ostream &os) {
  const SymbolicTile &tile = each.tile;
  if (tile.isExact()) {
    os << ": exact";
    if (const auto isRead = tile.isRead())
      os << ", read where " << tile.str(*isRead) << " is 1";
    if (isInLoop(all, each)) os << ", each step";
    if (each.complete) os << (*each.complete ? ", complete" : ", not complete");
    os << (tile.conditions().empty() ? "\n" : " where\n");
    for (const Constraint &condition : tile.conditions())
      os << "      " << tile.str(condition) << '\n';
    for (const SizeCase &one :
         llvm::drop_begin(each.anyOf, !each.anyOf.empty())) {
      os << "    or ";
      llvm::ListSeparator both(" and ");
      for (const std::string &text : one.texts(all.tile)) os << both << text;
      os << '\n';
    }
    return;
  }
  if (tile.rank() == 0 && tile.memberCount() == 0 && each.isMapExact) {
    os << ": some tiles may not read it";
    if (each.lostAt >= 0) os << "; behind " << all.nameOf(each.lostAt);
    os << '\n';
    return;
  }
  os << (tile.isLeast() ? ": least box" : ": a box");
  if (each.lostAt >= 0) os << "; behind " << all.nameOf(each.lostAt);
  if (tile.reason()->dimension >= 0)
    os << ", dimension " << tile.reason()->dimension;
  if (const std::string blamed = tile.reason()->expression(); !blamed.empty())
    os << ": " << blamed;
  if (const std::string member = tile.reason()->member(); !member.empty())
    os << ", of member " << member << "; other members read nothing";
  if (each.complete) os << (*each.complete ? ", complete" : ", not complete");
  os << '\n';
}

/// Writes `full (2, 6) in [(0, 0), (5, 6))` if the mask cuts anything.
void writeMask(const FoundTile &each, llvm::raw_ostream &os) {
  if (!each.mask) return;
  const SymbolicTile &tile = each.tile;
  const TileMask &mask = *each.mask;
  bool isCut = false;
  for (size_t k = 0; k < tile.rank(); ++k)
    isCut |= mask.str(mask.full()[k]) != tile.str(tile.sizes()[k]);
  if (!isCut) return;
  for (auto [name, forms] :
       {std::pair("full   ", mask.full()), std::pair("begins ", mask.begins()),
        std::pair("ends   ", mask.ends())}) {
    os << "    " << name << " (";
    llvm::ListSeparator separator;
    for (FormId form : forms) os << separator << mask.str(form);
    os << ")\n";
  }
}

void writeText(const Tiles &all, llvm::raw_ostream &os) {
  writeHead(all, os);
  for (const FoundTile &each : all.tiles) {
    const SymbolicTile &tile = each.tile;
    os << "\n  " << all.nameOf(each.instruction);
    if (each.leaf > 0) os << " leaf " << each.leaf;
    if (!all.space.isOneTile()) os << ", of result " << each.root;
    llvm::ListSeparator through(", ");
    if (each.isPathLeftOut) {
      os << ", behind " << all.nameOf(each.way.back());
    } else if (!each.way.empty()) {
      os << ", through ";
      for (InstructionId i : each.way.instructions())
        os << through << all.nameOf(i);
    }
    writeVerdict(all, each, os);
    for (const RunCase &one : each.cases)
      os << "    if      " << one.text << '\n';
    writeMembers(all, each, os);
    if (tile.rank() == 0) {
      writeRuntime(*all.module, each, os);
      continue;
    }
    writeList(os, "offsets", tile, tile.offsets());
    writeList(os, "sizes  ", tile, tile.sizes());
    writeList(os, "strides", tile, tile.strides());
    writeMask(each, os);
    writeRuntime(*all.module, each, os);
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

}  // namespace

void TilesResult::text(llvm::raw_ostream &os, TextStyle) {
  writeText(found_, os);
}

void TilesResult::structure(Structure &to) {
  // The list of tiles stands between other keys.
  const llvm::ArrayRef<Key<Tiles>> keys = keysOf<Tiles>().keys;
  const size_t list =
      llvm::find_if(keys,
                    [](const Key<Tiles> &key) { return key.name == "tiles"; }) -
      keys.begin();
  auto write = [&](llvm::ArrayRef<Key<Tiles>> some) {
    to.head([&](ValueSink &sink) { writeKeys(found_, sink, some); });
  };
  auto root = [&](ValueSink &sink) {
    KeyValue(sink, "root").text(found_.root->name);
  };
  write(keys.take_front(list));
  to.beginList("tiles");
  ListItem item{"tile"};
  item.context = root;
  item.place = found_.root;
  writeItems(
      found_.tiles.size(), item, jobs_,
      [&](size_t k, ValueSink &sink) {
        writeKeys(TileEntry{found_, found_.tiles[k]}, sink);
      },
      to);
  to.endList();
  write(keys.drop_front(list));
}

}  // namespace indexical

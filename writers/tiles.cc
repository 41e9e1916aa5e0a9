#include "indexical/writers/tiles.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/tiles/keys.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"
#include "indexical/writers/open_sizes.h"

namespace indexical {

namespace json = llvm::json;
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

void writeText(const Tiles &all, llvm::raw_ostream &os) {
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
  for (const FoundTile &each : all.tiles) {
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
    for (const RunCase &one : each.cases)
      os << "    if      " << one.text << '\n';
    if (tile.rank() == 0) {
      writeRuntime(*all.module, each, os);
      continue;
    }
    writeList(os, "offsets", tile, tile.offsets());
    writeList(os, "sizes  ", tile, tile.sizes());
    writeList(os, "strides", tile, tile.strides());
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
    to.head([&](json::OStream &json) {
      JsonSink sink(json);
      writeKeys(found_, sink, some);
    });
  };
  auto root = [&](json::OStream &json) {
    json.attribute("root", jsonString(found_.root->name));
  };
  write(keys.take_front(list));
  to.beginList("tiles");
  for (const FoundTile &each : found_.tiles) {
    auto members = [&](json::OStream &json) {
      writeJson(TileEntry{found_, each}, json);
    };
    to.item({"tile", members, root});
  }
  to.endList();
  write(keys.drop_front(list));
}

}  // namespace indexical

#include "indexical/cost/launch/triton_config.h"

#include <optional>

#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

/// Returns the text behind `key:`, which may stand in quotation marks; nothing
/// if there is no such key.
std::optional<llvm::StringRef> behindKey(llvm::StringRef text,
                                         llvm::StringRef key) {
  for (size_t at = text.find(key); at != llvm::StringRef::npos;
       at = text.find(key, at + 1)) {
    llvm::StringRef rest = text.drop_front(at + key.size());
    const bool startsHere =
        at == 0 || !(llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
    rest.consume_front("\"");
    rest = rest.ltrim();
    if (startsHere && rest.consume_front(":")) return rest.ltrim();
  }
  return std::nullopt;
}

/// Returns the text between the bracket at the beginning and its partner; empty
/// if there is no partner.
llvm::StringRef bracketed(llvm::StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return text.slice(1, i);
  }
  return "";
}

std::optional<int64_t> number(llvm::StringRef text) {
  text = text.ltrim(" \t\n\"");
  int64_t value = 0;
  if (text.consumeInteger(10, value)) return std::nullopt;
  return value;
}

llvm::SmallVector<int64_t, 4> numbers(llvm::StringRef list) {
  llvm::SmallVector<int64_t, 4> all;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    if (auto value = number(part)) all.push_back(*value);
  return all;
}

/// Older dumps have one list, `output_tile_sizes`.
void readTiles(llvm::StringRef config, FusionConfig &out) {
  if (auto tiles = behindKey(config, "output_tiles")) {
    llvm::StringRef rest = bracketed(*tiles);
    while (auto sizes = behindKey(rest, "sizes")) {
      const llvm::StringRef list = bracketed(*sizes);
      out.triton.tiles.push_back(numbers(list));
      rest = rest.drop_front(list.end() - rest.begin());
    }
  } else if (auto sizes = behindKey(config, "output_tile_sizes")) {
    out.triton.tiles.push_back(numbers(bracketed(*sizes)));
  }
  out.hasTiles = !out.triton.tiles.empty();
  if (auto warps = behindKey(config, "num_warps"))
    if (auto value = number(*warps); value && *value > 0)
      out.triton.warps = *value;
  if (auto tiles = behindKey(config, "num_tiles_per_pid"))
    if (auto value = number(*tiles); value && *value > 0)
      out.triton.tilesOfProgram = *value;
}

}  // namespace

FusionConfig readFusionConfig(llvm::StringRef backendConfig) {
  FusionConfig config;
  if (backendConfig.empty()) return config;
  // A string of JSON has its quotation marks escaped.
  std::string plain;
  for (char c : backendConfig)
    if (c != '\\') plain += c;
  const llvm::StringRef text = plain;
  if (auto kind = behindKey(text, "kind")) {
    llvm::StringRef word = kind->ltrim("\"");
    config.kind = word.take_while([](char c) {
                        return llvm::isAlnum(c) || c == '_' || c == '$';
                      })
                      .str();
  }
  if (auto block = behindKey(text, "block_level_fusion_config"))
    readTiles(*block, config);
  return config;
}

}  // namespace indexical

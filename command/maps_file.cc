#include "indexical/command/maps_file.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/maps/keys.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

// For each question: the points of a tensor of some hundred thousand elements.
constexpr int64_t kProofOperations = 1'000'000;

/// The line of map `number` of a maps file: every map has one arrow, or is
/// `KNOWN EMPTY`, and comments are lines.
Place placeOfMap(StringRef text, size_t number) {
  size_t seen = 0;
  uint32_t lineNumber = 0;
  for (StringRef line : llvm::split(text, '\n')) {
    ++lineNumber;
    StringRef content = line.ltrim();
    if (content.starts_with("# ") || content.starts_with("//")) continue;
    seen += content.count("->") + content.count("KNOWN EMPTY");
    if (seen > number)
      return {lineNumber, uint32_t(content.data() - line.data()) + 1};
  }
  return {};
}

class MapsResult : public Result {
 public:
  /// Nothing stands for a map that is not known.
  using KnownMaps = std::vector<std::optional<IndexingMap>>;
  explicit MapsResult(KnownMaps maps) : maps_(std::move(maps)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override {
    const MapTextStyle ofMaps = style == TextStyle::Attributes
                                    ? MapTextStyle::Attribute
                                    : MapTextStyle::Lines;
    for (auto [i, map] : llvm::enumerate(maps_)) {
      const std::string text = !map ? "UNDEFINED"
                               : style == TextStyle::Xla
                                   ? printMapForXla(*map)
                                   : printMap(*map, ofMaps);
      os << (i == 0 ? "" : "// -----\n") << StringRef(text).rtrim('\n') << '\n';
    }
  }

  void structure(Structure &to) override {
    to.beginList("maps", ItemLayout::OneALine);
    for (auto [number, map] : llvm::enumerate(maps_)) {
      auto index = [number = number](ValueSink &sink) {
        KeyValue(sink, "index").integer(number);
      };
      auto members = [&map = map](ValueSink &sink) {
        writeKeys(map ? MapEntry(*map) : MapEntry::undefined(), sink);
      };
      to.item({"map", members, index});
    }
    to.endList();
  }

 private:
  const KnownMaps maps_;
};

}  // namespace

absl::StatusOr<std::vector<std::optional<IndexingMap>>> readMapsOrUndefined(
    const Input &input) {
  if (StringRef(input.text).contains("UNDEFINED"))
    if (auto maps = parseMapsOrUndefined(input.text);
        maps.ok() && !maps->empty())
      return maps;
  INDEXICAL_ASSIGN_OR_RETURN(const Maps maps, readMaps(input));
  return std::vector<std::optional<IndexingMap>>(maps.begin(), maps.end());
}

absl::Status aboutMap(const absl::Status &status, StringRef text, size_t number,
                      size_t count) {
  if (placeOf(status)) return status;
  std::string message = status.message().empty()
                            ? std::string("this map is wrong")
                            : std::string(status.message());
  if (count > 1) message = "map " + std::to_string(number + 1) + ": " + message;
  return errorAt(placeOfMap(text, number), message, suggestionOf(status));
}

absl::StatusOr<IndexingMap> simplifyProving(const IndexingMap &map,
                                            const Budget &budget,
                                            std::vector<Rewrite> *rewrites) {
  SimplifyOptions options;
  options.budget = budget;
  options.budget.operations = budget.operationsOr(kProofOperations);
  ExactProver prover(ExactProver::ofProofs(options.budget));
  options.prover = &prover;
  options.rewrites = rewrites;
  return simplify(map, options);
}

absl::StatusOr<int> runOnMaps(Call &call, MapsWork work) {
  absl::StatusOr<Maps> maps = readMaps(call.input());
  if (maps.ok()) maps = work(*maps, call.input().text, call.budget());
  INDEXICAL_RETURN_IF_ERROR(maps.status());
  MapsResult result({maps->begin(), maps->end()});
  return call.writeAndEnd(result, kDone);
}

absl::StatusOr<int> runOnEachMap(Call &call, MapsWork work) {
  auto given = readMapsOrUndefined(call.input());
  INDEXICAL_RETURN_IF_ERROR(given.status());
  Maps known;
  for (const auto &map : *given)
    if (map) known.push_back(*map);
  INDEXICAL_ASSIGN_OR_RETURN(const Maps made,
                             work(known, call.input().text, call.budget()));
  MapsResult::KnownMaps all;
  auto next = made.begin();
  for (const auto &map : *given) {
    if (map && next == made.end()) break;  // the work was stopped
    all.push_back(map ? std::optional(*next++) : std::nullopt);
  }
  MapsResult result(std::move(all));
  return call.writeAndEnd(result, kDone);
}

std::vector<Offer> mapsOffers() {
  return {Offer::Text, Offer::Maps, Offer::XlaMaps, Offer::Structure};
}

}  // namespace indexical

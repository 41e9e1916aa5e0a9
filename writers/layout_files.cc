#include "indexical/writers/layout_files.h"

#include <map>

#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {

namespace json = llvm::json;
using layouts::FoundMemory;
using layouts::ListedLayout;
using layouts::ListedMove;
using layouts::Memory;

ListingResult::ListingResult(llvm::ArrayRef<LayoutSource> sources,
                             const LayoutQuestions &asked)
    : asked_(asked) {
  for (const LayoutSource &source : sources) add(source);
}

void ListingResult::add(const LayoutSource &source) {
  const size_t first = layouts_.size();
  for (const ListedLayout &each : source.listing.layouts) {
    Listed &listed = layouts_.emplace_back();
    listed.source = &source;
    listed.layout = &each;
    auto described =
        each.layout.ok()
            ? describeLayout(*each.layout, asked_)
            : absl::StatusOr<DescribedLayout>(each.layout.status());
    if (described.ok())
      listed.described = *std::move(described);
    else
      listed.reason = std::string(described.status().message());
  }
  // An op often moves what another one moves.
  std::map<std::pair<size_t, size_t>,
           std::pair<std::optional<LayoutMove>, std::string>>
      known;
  for (const ListedMove &each : source.listing.moves) {
    Moved moved{&source, &each, first + each.from, first + each.to, {}, {}};
    auto [at, isNew] = known.try_emplace({each.from, each.to});
    if (isNew) {
      const Listed &from = layouts_[moved.from], &to = layouts_[moved.to];
      if (!from.described || !to.described) {
        at->second.second = from.described ? to.reason : from.reason;
      } else {
        auto found = moveBetween(from.described->layout, to.described->layout,
                                 std::nullopt, asked_);
        if (!found.ok())
          at->second.second = std::string(found.status().message());
        else if (*found)
          at->second.first = **found;
        else
          at->second.second = "the layouts are too large";
      }
    }
    moved.found = at->second.first;
    moved.reason = at->second.second;
    moves_.push_back(std::move(moved));
  }
}

namespace {

std::string placeText(const LayoutSource &source, const Place &place) {
  return absl::StrCat(source.name.empty() ? "line " : source.name + ":",
                      place.line);
}

void placeMembers(const LayoutSource &source, const Place &place,
                  json::OStream &json) {
  if (!source.isFile) return;
  if (!source.name.empty()) json.attribute("file", source.name);
  json.attribute("line", place.line);
  json.attribute("column", place.column);
}

}  // namespace

void ListingResult::text(llvm::raw_ostream &os, TextStyle) {
  for (const auto &[number, each] : llvm::enumerate(layouts_)) {
    os << "layout " << number + 1 << ", "
       << placeText(*each.source, each.layout->place);
    if (each.layout->times > 1) os << ", " << each.layout->times << " times";
    os << ": " << each.layout->text << '\n';
    if (each.described)
      writeLayout(*each.described, os);
    else
      os << "not understood: " << each.reason << '\n';
  }
  for (const Moved &each : moves_) {
    os << placeText(*each.source, each.move->place) << ": " << each.move->op
       << ", from layout " << each.from + 1 << " to layout " << each.to + 1
       << '\n';
    if (each.found)
      writeMove(*each.found, os);
    else
      os << "no figures: " << each.reason << '\n';
  }
}

void ListingResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attributeArray("layouts", [&] {
      for (const Listed &each : layouts_) {
        if (!each.described) continue;
        json.object([&] {
          // A type of a TTGIR has the text with its names written out.
          layoutMembers(*each.described, json);
          placeMembers(*each.source, each.layout->place, json);
          json.attribute("times", each.layout->times);
        });
      }
    });
    json.attributeArray("not_understood", [&] {
      for (const Listed &each : layouts_) {
        if (each.described) continue;
        json.object([&] {
          json.attribute("text", each.layout->text);
          placeMembers(*each.source, each.layout->place, json);
          json.attribute("reason", each.reason);
        });
      }
    });
    json.attributeArray("moves", [&] {
      for (const Moved &each : moves_)
        json.object([&] {
          json.attribute("op", each.move->op);
          placeMembers(*each.source, each.move->place, json);
          json.attribute("from", layouts_[each.from].layout->text);
          json.attribute("to", layouts_[each.to].layout->text);
          if (each.found)
            json.attributeObject("move",
                                 [&] { moveMembers(*each.found, json); });
          else
            json.attribute("reason", each.reason);
        });
    });
  });
}

void MemorySearchResult::text(llvm::raw_ostream &os, TextStyle) {
  os << search_.tried << " memories tried\n";
  for (const FoundMemory &each : search_.found) {
    os << each.text << ": " << each.wavefronts << " wavefronts ("
       << each.wavefrontsFewest << " at least), conflicts " << each.conflicts
       << ", " << each.places << " places\n";
    if (!each.encoding.empty()) os << "  " << each.encoding << '\n';
  }
}

void MemorySearchResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attributeArray("layouts", [&] {
      for (const DescribedLayout &each : accesses_)
        json.object([&] { layoutMembers(each, json); });
    });
    json.attributeObject("search", [&] {
      json.attribute("tried", search_.tried);
      json.attributeArray("found", [&] {
        for (const FoundMemory &each : search_.found)
          json.object([&] {
            json.attribute("text", each.text);
            if (!each.encoding.empty())
              json.attribute("encoding", each.encoding);
            json.attribute("places", each.places);
            json.attribute("conflicts", each.conflicts);
            json.attribute("wavefronts", each.wavefronts);
            json.attribute("wavefronts_fewest", each.wavefrontsFewest);
            json.attributeArray("accesses", [&] {
              for (const auto &figures : each.accesses)
                json.object(
                    [&] { accessMembers({Memory::Shared, figures}, json); });
            });
          });
      });
    });
  });
}

}  // namespace indexical

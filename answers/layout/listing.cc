#include "indexical/answers/layout/listing.h"

#include <map>
#include <utility>

#include "indexical/indexing/diagnostic.h"

namespace indexical {

using layouts::ListedLayout;
using layouts::ListedMove;

namespace {

void add(const LayoutSource &source, const LayoutQuestion &question,
         LayoutListing &listing) {
  const size_t first = listing.layouts.size();
  for (const ListedLayout &each : source.listing.layouts) {
    LayoutListing::Listed &listed = listing.layouts.emplace_back();
    listed.source = &source;
    listed.layout = &each;
    auto described =
        each.layout.ok()
            ? describeLayout(*each.layout, question)
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
    LayoutListing::Moved moved{&source,         &each, first + each.from,
                               first + each.to, {},    {}};
    auto [at, isNew] = known.try_emplace({each.from, each.to});
    if (isNew) {
      const LayoutListing::Listed &from = listing.layouts[moved.from],
                                  &to = listing.layouts[moved.to];
      if (!from.described || !to.described) {
        at->second.second = from.described ? to.reason : from.reason;
      } else {
        auto found = moveBetween(from.described->layout, to.described->layout,
                                 std::nullopt, question);
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
    listing.moves.push_back(std::move(moved));
  }
}

}  // namespace

LayoutListing listingOf(llvm::ArrayRef<LayoutSource> sources,
                        const LayoutQuestion &question) {
  LayoutListing listing;
  for (const LayoutSource &source : sources) add(source, question, listing);
  return listing;
}

}  // namespace indexical

#include "indexical/writers/layout.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using layouts::Layout;
using layouts::Notation;
using layouts::Notes;
using layouts::RegisterOrder;

struct LayoutOptions : LayoutQuestion {
  std::string through;    ///< a layout of shared memory; "": none
  bool searches = false;  ///< for a memory without conflicts
  LayoutShown shown;
};

/// `lane=3,register=1`
Option pointOption(std::vector<std::pair<std::string, int64_t>> &at) {
  Option option;
  option.name = "at";
  option.value = "NAME=N,…";
  option.sentence = "The value at this point; inputs that are left out are 0";
  option.take = [&at](llvm::StringRef word) -> std::optional<std::string> {
    for (llvm::StringRef each : llvm::split(word, ',')) {
      const auto [name, text] = each.split('=');
      int64_t number = 0;
      if (name.empty() || text.getAsInteger(10, number))
        return "inputs with numbers, as in lane=3,register=1";
      at.emplace_back(name.trim().str(), number);
    }
    return std::nullopt;
  };
  return option;
}

Option textOption(llvm::StringRef name, llvm::StringRef value,
                  std::string &text, llvm::StringRef sentence) {
  Option option;
  option.name = name;
  option.value = value;
  option.sentence = sentence.str();
  option.take = [&text](llvm::StringRef word) -> std::optional<std::string> {
    text = word.str();
    return std::nullopt;
  };
  return option;
}

/// At most so many memories of a search are shown.
constexpr size_t kMostFound = 8;

absl::StatusOr<int> search(std::vector<DescribedLayout> described,
                           const LayoutOptions &asked, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto found, memoriesFor(std::move(described), kMostFound, asked));
  MemorySearchResult result(found);
  return call.writeAndEnd(result, kDone);
}

/// Lists the layouts of files. One that is wrong is reported; a type of a TTGIR
/// that is not understood is in the list.
absl::StatusOr<int> list(llvm::ArrayRef<LayoutSource> sources,
                         const LayoutOptions &asked, Call &call) {
  int status = kDone;
  for (const LayoutSource &source : sources) {
    if (source.isFile && layouts::isTtgir(source.text)) continue;
    Reporter reporter(call.err(), source.name.empty() ? "<stdin>" : source.name,
                      source.text);
    for (const layouts::ListedLayout &each : source.listing.layouts)
      if (!each.layout.ok()) {
        reporter.error(each.layout.status());
        status = kWrongInput;
      }
  }
  const LayoutListing listing = listingOf(sources, asked);
  ListingResult result(listing);
  return call.writeAndEnd(result, status);
}

absl::StatusOr<int> layoutOfWords(const LayoutOptions &asked,
                                  llvm::ArrayRef<std::string> words,
                                  Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto sources, layoutSources(words));
  const bool isList = llvm::any_of(sources, [](const LayoutSource &source) {
    return source.isFile && (layouts::isTtgir(source.text) ||
                             source.listing.layouts.size() != 1);
  });
  if (isList && asked.searches)
    return absl::InvalidArgumentError(
        "--search takes the accesses as words, or files of one layout");
  if (isList || sources.size() > 2) return list(sources, asked, call);
  std::vector<DescribedLayout> described;
  for (const auto &[number, source] : llvm::enumerate(sources)) {
    Reporter reporter(
        call.err(),
        source.isFile ? source.name : absl::StrCat("layout ", number + 1),
        source.text);
    const auto fail = [&](const absl::Status &status) {
      reporter.error(status);
      return kWrongInput;
    };
    const auto &layout = source.listing.layouts.front().layout;
    if (!layout.ok()) return fail(layout.status());
    auto made = describeLayout(*layout, asked);
    if (!made.ok()) return fail(made.status());
    if (asked.shown.to && !print(*layout, *asked.shown.to, asked.type))
      return fail(absl::InvalidArgumentError(
          "the layout has no equal in that notation"));
    if (asked.shown.wantsTable())
      if (const absl::Status status =
              writeLayoutTable(*layout, asked.shown.view, llvm::nulls());
          !status.ok())
        return fail(status);
    described.push_back(*std::move(made));
  }
  if (asked.searches) return search(std::move(described), asked, call);
  std::optional<Layout> through;
  if (!asked.through.empty()) {
    Reporter reporter(call.err(), "--through", asked.through);
    auto layout = layouts::parseLayout(asked.through);
    if (!layout.ok()) {
      reporter.error(layout.status());
      return kWrongInput;
    }
    through = *std::move(layout);
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto found, comparedLayouts(std::move(described), through, asked));
  int status = kDone;
  if (found.equality && found.equality->answer == Answer::No)
    status = kDifferent;
  if (found.equality && found.equality->answer == Answer::Undecided)
    status = kUndecided;
  LayoutShown shown = asked.shown;
  shown.type = asked.type;
  LayoutResult result(found, shown);
  return call.writeAndEnd(result, status);
}

std::vector<Option> layoutOptions(LayoutOptions &asked) {
  std::vector<Option> options;
  options.push_back(pointOption(asked.at));
  options.push_back(indexOption("element", asked.element,
                                "The holders of this element, or of this "
                                "offset"));
  options.push_back(
      textOption("type", "TYPE", asked.type,
                 "The type of an element, f16, for figures and types"));
  options.push_back(choiceOption<Notes::Memory>(
      "space", "SPACE", asked.space,
      {{"global", Notes::Memory::Global}, {"shared", Notes::Memory::Shared}},
      "The memory that offsets are in (default: what the notation says)"));
  options.push_back(choiceOption<RegisterOrder>(
      "registers", "ORDER", asked.registers,
      {{"any", RegisterOrder::Any}, {"in-order", RegisterOrder::InOrder}},
      "The registers that may make a vector: any, or consecutive ones alone"));
  std::vector<Choice<const Device *>> known;
  for (const Device &device : devices())
    known.push_back({device.name.str(), &device});
  options.push_back(choiceOption<const Device *>(
      "device", "NAME", asked.device, std::move(known),
      "The GPU whose sectors and vectors count"));
  options.push_back(
      textOption("through", "LAYOUT", asked.through,
                 "A layout of shared memory: the figures of a conversion that "
                 "stores to it and loads from it"));
  options.push_back(choiceOption<bool>(
      "search", "GOAL", asked.searches, {{"conflicts", true}},
      "The swizzles and paddings of shared memory with the fewest wavefronts "
      "for the accesses, one layout each"));
  options.push_back(choiceOption<std::optional<Notation>>(
      "to", "NOTATION", asked.shown.to,
      {{"cute", Notation::Cute},
       {"linear", Notation::Linear},
       {"bases", Notation::Bases},
       {"xla", Notation::Xla},
       {"map", Notation::Map}},
      "Print the layout in this notation alone"));
  options.push_back(flagOption("table", asked.shown.table, "Add a table"));
  options.push_back(choiceOption<LayoutView>(
      "view", "VIEW", asked.shown.view,
      {{"elements", LayoutView::Elements}, {"hardware", LayoutView::Hardware}},
      "The contents of the table: elements with their holders, or lanes by "
      "registers"));
  return options;
}

}  // namespace

Command makeLayout() {
  auto asked = std::make_shared<LayoutOptions>();
  Command layout;
  layout.name = "layout";
  layout.words = {"coalesced", "sector", "wavefront"};
  layout.sentence =
      "a layout of CuTe, Triton or XLA, of bases or a map, in one form, and "
      "in all notations that can express it; for two layouts, whether they "
      "are equal and what a conversion takes; for a TTGIR, all of its "
      "layouts and conversions";
  layout.example =
      "indexical layout 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type=f16";
  layout.reads = Reads::Words;
  layout.arguments = "LAYOUT|FILE|@LIST|- [LAYOUT]";
  layout.leastWords = 1;
  layout.mostWords = 2;
  layout.statuses = {{kDifferent, "the two are different"},
                     {kUndecided, "undecided"}};
  layout.offers = {Offer::Text, Offer::Structure};
  layout.options = layoutOptions(*asked);
  layout.runOnWords = [asked](llvm::ArrayRef<std::string> words, Call &call) {
    return layoutOfWords(*asked, words, call);
  };
  return layout;
}

}  // namespace indexical

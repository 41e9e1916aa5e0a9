#include "indexical/writers/layout.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/layout/keys.h"

namespace indexical {

namespace {

std::string joined(llvm::ArrayRef<int64_t> numbers) {
  return absl::StrCat("(", absl::StrJoin(numbers, ", "), ")");
}

void writeFigures(const LayoutAccess &access, llvm::raw_ostream &os) {
  const layouts::AccessFigures &f = access.figures;
  os << "vectors of " << f.vector << ", " << f.accesses << " accesses, ";
  if (access.memory == layouts::Memory::Shared)
    os << f.wavefronts << " wavefronts (" << f.wavefrontsFewest
       << " at least), conflicts " << f.conflicts << '\n';
  else
    os << f.sectors << " sectors (" << f.sectorsFewest << " at least), "
       << f.lines << " lines\n";
}

void writeSpaces(const DescribedLayout &described, llvm::raw_ostream &os) {
  const layouts::Layout &layout = described.layout;
  const char *separator = "";
  for (const layouts::Space &space : layout.inputs()) {
    os << separator << space.name << " in [0, " << space.size - 1 << "]";
    separator = ", ";
  }
  if (layout.inputs().empty()) os << "()";
  os << " -> ";
  separator = "";
  for (auto [space, bounds] : llvm::zip(layout.outputs(), described.bounds)) {
    os << separator << space.name;
    if (space.size != 0)
      os << " of " << space.size;
    else
      os << " in " << bounds.str();
    separator = ", ";
  }
  os << '\n';
}

/// Writes how the element changes from lane to lane.
void writeStrides(const layouts::Layout &layout, llvm::raw_ostream &os) {
  int lane = -1;
  for (const auto &[k, space] : llvm::enumerate(layout.inputs()))
    if (space.name == "lane") lane = static_cast<int>(k);
  if (lane < 0 || !layout.form()) return;
  std::vector<std::pair<int64_t, std::string>> strides;
  for (auto [sum, space] : llvm::zip(*layout.form(), layout.outputs()))
    for (const layouts::Digit &digit : sum.digits)
      if (digit.input == lane)
        strides.push_back(
            {digit.step, absl::StrCat(space.name, " by ", digit.weight, ", ",
                                      digit.size, " times")});
  if (strides.empty()) return;
  llvm::stable_sort(strides, llvm::less_first());
  os << "lane to lane: ";
  os << absl::StrJoin(strides, "; ", [](std::string *to, const auto &each) {
    to->append(each.second);
  }) << '\n';
}

void writeFacts(const layouts::Facts &facts, llvm::raw_ostream &os) {
  if (!facts.image) {
    os << "the number of values was not found\n";
    return;
  }
  if (*facts.oneToOne)
    os << "one to one";
  else
    os << *facts.points << " points, " << *facts.image << " values";
  if (!*facts.oneToOne && facts.copies)
    os << ", each " << *facts.copies << " times";
  if (facts.onto) os << (*facts.onto ? ", onto" : ", not onto");
  os << '\n';
}

void writeLayout(const DescribedLayout &described, llvm::raw_ostream &os) {
  const layouts::Layout &layout = described.layout;
  writeSpaces(described, os);
  if (layout.form()) {
    for (auto [sum, space] : llvm::zip(*layout.form(), layout.outputs()))
      os << "  " << space.name << " = " << printSum(sum, layout.inputs())
         << '\n';
  } else {
    os << "  no form: " << layout.reason() << "\n  " << described.map << '\n';
  }
  writeFacts(described.facts, os);
  if (layout.notes().beyond.value_or(false))
    os << "the inner layout goes beyond the outer one\n";
  if (layout.notes().fills)
    os << (*layout.notes().fills ? "fills all offsets\n" : "leaves gaps\n");
  writeStrides(layout, os);
  if (described.cute) os << "cute: " << *described.cute << '\n';
  if (described.xla) os << "xla: " << *described.xla << '\n';
  if (described.value) os << "value: " << joined(*described.value) << '\n';
  if (described.holders) {
    os << "holders:";
    if (described.holders->empty()) os << " none";
    for (const layouts::Coordinates &holder : *described.holders)
      os << ' ' << joined(holder);
    os << '\n';
  }
  if (described.access) {
    os << nameOf(described.access->memory) << ": ";
    writeFigures(*described.access, os);
  }
}

void writeMove(const LayoutMove &move, llvm::raw_ostream &os) {
  switch (move.kind) {
    case LayoutMove::Kind::Convert: {
      const layouts::Conversion &c = move.conversion;
      os << "convert: " << levelName(c.level);
      if (c.element) os << ", no holder of " << joined(*c.element);
      if (c.moved > 0)
        os << ", " << c.moved << " elements move, " << c.least
           << " at most to a thread";
      os << '\n';
      break;
    }
    case LayoutMove::Kind::Access:
      os << nameOf(move.access->memory) << ": ";
      writeFigures(*move.access, os);
      break;
    case LayoutMove::Kind::Copy:
      os << "copy: runs of " << move.vector << '\n';
      break;
  }
  if (move.store) {
    os << "store: ";
    writeFigures(*move.store, os);
    os << "load: ";
    writeFigures(*move.load, os);
  }
}

std::string placeText(const LayoutSource &source, const Place &place) {
  return absl::StrCat(source.name.empty() ? "line " : source.name + ":",
                      place.line);
}

}  // namespace

void LayoutResult::text(llvm::raw_ostream &os, TextStyle) {
  if (shown_.to) {
    for (const DescribedLayout &each : found_.layouts)
      os << print(each.layout, *shown_.to, shown_.type).value_or("") << '\n';
    return;
  }
  for (const DescribedLayout &each : found_.layouts) {
    writeLayout(each, os);
    if (shown_.wantsTable())
      // The size of the table was checked before.
      (void)writeLayoutTable(each.layout, shown_.view, os);
  }
  if (const auto &equality = found_.equality) {
    os << nameOf(*equality);
    if (equality->point)
      os << ": at " << joined(*equality->point) << " the first has "
         << joined(*equality->first) << ", the second "
         << joined(*equality->second);
    else if (!equality->reason.empty())
      os << ": " << equality->reason;
    os << " (" << equality->engine << ")\n";
  }
  if (found_.move) writeMove(*found_.move, os);
}

void LayoutResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(LayoutsEntry{&found_}, sink); });
}

//===-- Files, and a search -----------------------------------------------===//

void ListingResult::text(llvm::raw_ostream &os, TextStyle) {
  for (const auto &[number, each] : llvm::enumerate(listing_.layouts)) {
    os << "layout " << number + 1 << ", "
       << placeText(*each.source, each.layout->place);
    if (each.layout->times > 1) os << ", " << each.layout->times << " times";
    os << ": " << each.layout->text << '\n';
    if (each.described)
      writeLayout(*each.described, os);
    else
      os << "not understood: " << each.reason << '\n';
  }
  for (const LayoutListing::Moved &each : listing_.moves) {
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
  to.head([&](ValueSink &sink) {
    writeKeys(LayoutsEntry{nullptr, &listing_}, sink);
  });
}

void MemorySearchResult::text(llvm::raw_ostream &os, TextStyle) {
  os << memories_.search.tried << " memories tried\n";
  for (const layouts::FoundMemory &each : memories_.search.found) {
    os << each.text << ": " << each.wavefronts << " wavefronts ("
       << each.wavefrontsFewest << " at least), conflicts " << each.conflicts
       << ", " << each.places << " places\n";
    if (!each.encoding.empty()) os << "  " << each.encoding << '\n';
  }
}

void MemorySearchResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) {
    writeKeys(LayoutsEntry{nullptr, nullptr, &memories_}, sink);
  });
}

}  // namespace indexical

#include "indexical/answers/layout/keys.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

/// Gives the layouts, of a file those that are understood.
void layoutsOf(const LayoutsEntry &of, KeyValue &to) {
  to.items([&](KeyValue &each) {
    if (of.listing)
      for (const LayoutListing::Listed &listed : of.listing->layouts)
        if (listed.described)
          each.object(LayoutEntry{*listed.described, &listed});
    if (of.pair)
      for (const DescribedLayout &layout : of.pair->layouts)
        each.object(LayoutEntry{layout});
    if (of.memories)
      for (const DescribedLayout &layout : of.memories->accesses)
        each.object(LayoutEntry{layout});
  });
}

// A word has no place.
void fileOf(const LayoutSource &source, KeyValue &to) {
  if (source.isFile) to.textIfAny(source.name);
}
void lineOf(const LayoutSource &source, const Place &place, KeyValue &to) {
  if (source.isFile) to.integer(place.line);
}
void columnOf(const LayoutSource &source, const Place &place, KeyValue &to) {
  if (source.isFile) to.integer(place.column);
}

}  // namespace

template <>
KeyList<LayoutsEntry> keysOf<LayoutsEntry>() {
  static constexpr Key<LayoutsEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"layouts", "list of [layouts](#a-layout)", "never",
       "one for each word; for a file, all layouts that it names, each type "
       "of a TTGIR once",
       [](const LayoutsEntry &of, KeyValue &to) { layoutsOf(of, to); }},
      {"not_understood", "list of [texts](#a-layout-that-is-not-understood)",
       "no file with several layouts is given",
       "the layouts of the file that are not understood",
       [](const LayoutsEntry &of, KeyValue &to) {
         if (!of.listing) return;
         to.items([&](KeyValue &each) {
           for (const LayoutListing::Listed &listed : of.listing->layouts)
             if (!listed.described) each.object(UnknownLayoutEntry{&listed});
         });
       }},
      {"moves", "list of [moves](#a-move-in-a-file)",
       "no file with several layouts is given",
       "what a TTGIR converts, loads and stores",
       [](const LayoutsEntry &of, KeyValue &to) {
         if (of.listing)
           to.list(of.listing->moves,
                   [&](const LayoutListing::Moved &move, KeyValue &each) {
                     each.object(ListedMoveEntry{*of.listing, &move});
                   });
       }},
      {"search", "[search](#a-search-for-a-memory)", "`--search` is not given",
       "the memories with the fewest wavefronts",
       [](const LayoutsEntry &of, KeyValue &to) {
         if (of.memories) to.object(of.memories->search);
       }},
      {"equal", "[equality](#two-layouts)",
       "one layout; with `moves` or `search`", "whether they are equal",
       [](const LayoutsEntry &of, KeyValue &to) {
         if (of.pair && of.pair->equality) to.object(*of.pair->equality);
       }},
      {"move", "[move](#a-move-between-layouts)",
       "one layout; with `moves` or `search`; the call does not say whether "
       "they are of registers or of memory, or no element type is known; "
       "their numbers of outputs differ; they are too large",
       "what moving from the first to the second takes",
       [](const LayoutsEntry &of, KeyValue &to) {
         if (of.pair && of.pair->move) to.object(*of.pair->move);
       }},
  };
  return {"What is a layout?", kKeys};
}

template <>
KeyList<LayoutEntry> keysOf<LayoutEntry>() {
  static constexpr Key<LayoutEntry> kKeys[] = {
      {"text", "string",
       "it is the value of an operation, has names, or is a map or bases",
       "its notation as it was given",
       [](const LayoutEntry &of, KeyValue &to) {
         to.textIfAny(of.layout().notes().text);
       }},
      {"map", "string", "an intermediate number leaves 64 bits",
       "the map from inputs to outputs",
       [](const LayoutEntry &of, KeyValue &to) { to.textIfAny(of.of.map); }},
      {"inputs", "list of [spaces](#a-space)", "never", "in order",
       [](const LayoutEntry &of, KeyValue &to) {
         to.list(of.layout().inputs(),
                 [](const layouts::Space &space, KeyValue &each) {
                   each.object(SpaceEntry{space});
                 });
       }},
      {"outputs", "list of [spaces](#a-space)", "never", "in order",
       [](const LayoutEntry &of, KeyValue &to) {
         to.list(
             llvm::zip(of.layout().outputs(), of.of.bounds),
             [](const auto &pair, KeyValue &each) {
               each.object(SpaceEntry{std::get<0>(pair), std::get<1>(pair)});
             });
       }},
      {"form", "list of [sums](#a-sum)", "it has none", "one for each output",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.layout().form())
           to.list(*of.layout().form(),
                   [&](const layouts::Sum &sum, KeyValue &each) {
                     each.object(SumEntry{of.layout(), sum});
                   });
       }},
      {"reason", "string", "it has a form", "why it has none",
       [](const LayoutEntry &of, KeyValue &to) {
         if (!of.layout().form()) to.text(of.layout().reason());
       }},
      {"points", "integer >= 1", "never", "the number of points",
       [](const LayoutEntry &of, KeyValue &to) {
         to.integer(of.of.facts.points);
       }},
      {"image", "integer >= 1",
       "more than 2^22 points, and no form that tells it",
       "the number of different values",
       [](const LayoutEntry &of, KeyValue &to) {
         to.integer(of.of.facts.image);
       }},
      {"one_to_one", "boolean", "with no `image`",
       "whether no two points have one value",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.facts.oneToOne) to.boolean(*of.of.facts.oneToOne);
       }},
      {"onto", "boolean", "with no `image`; an output has no size",
       "whether all values of the outputs' sizes are reached",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.facts.onto) to.boolean(*of.of.facts.onto);
       }},
      {"copies", "integer >= 1",
       "with no `image`; values have different numbers of points",
       "how many points each value has",
       [](const LayoutEntry &of, KeyValue &to) {
         to.integer(of.of.facts.copies);
       }},
      {"cute", "string", "none is equal",
       "as a shape with strides, or a swizzle of one; modes of size 1 have "
       "stride 0",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.cute) to.text(*of.of.cute);
       }},
      {"linear", "string", "none is equal, or no type of an element is known",
       "as a type with a linear encoding of Triton",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.linear) to.text(*of.of.linear);
       }},
      {"xla", "string", "none is equal, or no type of an element is known",
       "as a shape of XLA",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.xla) to.text(*of.of.xla);
       }},
      {"beyond", "boolean", "it is not a composition",
       "whether the inner layout goes past the outer one's size",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.layout().notes().beyond)
           to.boolean(*of.layout().notes().beyond);
       }},
      {"fills", "boolean", "it is not a complement",
       "whether the layout and its complement reach all offsets",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.layout().notes().fills) to.boolean(*of.layout().notes().fills);
       }},
      {"value", "list of integers", "`--at` is not given", "the value there",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.value) to.integers(*of.of.value);
       }},
      {"holders", "list of integers by name", "`--element` is not given",
       "all points that have the value: the number of each input, "
       "`{\"register\": 0, \"lane\": 3}`",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.holders)
           to.list(*of.of.holders, [&](const layouts::Coordinates &holder,
                                       KeyValue &each) {
             each.integersByName(
                 llvm::map_range(of.layout().inputs(),
                                 [](const layouts::Space &space)
                                     -> llvm::StringRef { return space.name; }),
                 holder);
           });
       }},
      {"access", "[access](#an-access-of-a-layout)",
       "it does not go from threads to offsets, or the memory or the type of "
       "an element is not said",
       "its figures",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.of.access) to.object(*of.of.access);
       }},
      {"file", "string", "with no `line`; standard input",
       "the file that names it",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.listed) fileOf(*of.listed->source, to);
       }},
      {"line", "integer >= 1", "it is a word",
       "the line of its first occurrence",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.listed)
           lineOf(*of.listed->source, of.listed->layout->place, to);
       }},
      {"column", "integer >= 1", "with no `line`",
       "the column of its first occurrence",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.listed)
           columnOf(*of.listed->source, of.listed->layout->place, to);
       }},
      {"times", "integer >= 1", "no file with several layouts is given",
       "the number of its occurrences in the file",
       [](const LayoutEntry &of, KeyValue &to) {
         if (of.listed) to.integer(of.listed->layout->times);
       }},
  };
  return {"A layout", kKeys};
}

template <>
KeyList<UnknownLayoutEntry> keysOf<UnknownLayoutEntry>() {
  static constexpr Key<UnknownLayoutEntry> kKeys[] = {
      {"text", "string", "never", "",
       [](const UnknownLayoutEntry &of, KeyValue &to) {
         to.text(of.listed->layout->text);
       }},
      {"file", "string", "with no `line`; standard input",
       "the file that names it",
       [](const UnknownLayoutEntry &of, KeyValue &to) {
         fileOf(*of.listed->source, to);
       }},
      {"line", "integer >= 1", "it is a word",
       "the line of its first occurrence",
       [](const UnknownLayoutEntry &of, KeyValue &to) {
         lineOf(*of.listed->source, of.listed->layout->place, to);
       }},
      {"column", "integer >= 1", "with no `line`",
       "the column of its first occurrence",
       [](const UnknownLayoutEntry &of, KeyValue &to) {
         columnOf(*of.listed->source, of.listed->layout->place, to);
       }},
      {"reason", "string", "never", "",
       [](const UnknownLayoutEntry &of, KeyValue &to) {
         to.text(of.listed->reason);
       }},
  };
  return {"A layout that is not understood", kKeys};
}

template <>
KeyList<ListedMoveEntry> keysOf<ListedMoveEntry>() {
  static constexpr Key<ListedMoveEntry> kKeys[] = {
      {"op", "string", "never", "`ttg.convert_layout`",
       [](const ListedMoveEntry &of, KeyValue &to) {
         to.text(of.moved->move->op);
       }},
      {"file", "string", "standard input", "",
       [](const ListedMoveEntry &of, KeyValue &to) {
         fileOf(*of.moved->source, to);
       }},
      {"line", "integer >= 1", "never", "the place of the op",
       [](const ListedMoveEntry &of, KeyValue &to) {
         lineOf(*of.moved->source, of.moved->move->place, to);
       }},
      {"column", "integer >= 1", "never", "",
       [](const ListedMoveEntry &of, KeyValue &to) {
         columnOf(*of.moved->source, of.moved->move->place, to);
       }},
      {"from", "string", "never", "the type that it takes",
       [](const ListedMoveEntry &of, KeyValue &to) {
         to.text(of.in.layouts[of.moved->from].layout->text);
       }},
      {"to", "string", "never",
       "the type that it makes, or that of the memory to which it stores",
       [](const ListedMoveEntry &of, KeyValue &to) {
         to.text(of.in.layouts[of.moved->to].layout->text);
       }},
      {"move", "[move](#a-move-between-layouts)", "with `reason`",
       "what it takes",
       [](const ListedMoveEntry &of, KeyValue &to) {
         if (of.moved->found) to.object(*of.moved->found);
       }},
      {"reason", "string", "with `move`", "why that is not known",
       [](const ListedMoveEntry &of, KeyValue &to) {
         if (!of.moved->found) to.text(of.moved->reason);
       }},
  };
  return {"A move in a file", kKeys};
}

template <>
KeyList<layouts::MemorySearch> keysOf<layouts::MemorySearch>() {
  static constexpr Key<layouts::MemorySearch> kKeys[] = {
      {"tried", "integer >= 1", "never", "how many memories were tried",
       [](const layouts::MemorySearch &of, KeyValue &to) {
         to.integer(of.tried);
       }},
      {"found", "list of [memories](#a-memory-that-was-found)", "never",
       "the best eight, the best first",
       [](const layouts::MemorySearch &of, KeyValue &to) {
         to.objects(of.found);
       }},
  };
  return {"A search for a memory", kKeys};
}

template <>
KeyList<layouts::FoundMemory> keysOf<layouts::FoundMemory>() {
  static constexpr Key<layouts::FoundMemory> kKeys[] = {
      {"text", "string", "never",
       "in the notation of CuTe, as `--through` reads it",
       [](const layouts::FoundMemory &of, KeyValue &to) { to.text(of.text); }},
      {"encoding", "string", "none is equal", "the encoding of Triton",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.textIfAny(of.encoding);
       }},
      {"places", "integer >= 1", "never",
       "elements that it takes, gaps included",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.integer(of.places);
       }},
      {"conflicts", "integer >= 1", "never", "the worst of all accesses",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.integer(of.conflicts);
       }},
      {"wavefronts", "integer >= 1", "never", "of all accesses together",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.integer(of.wavefronts);
       }},
      {"wavefronts_fewest", "integer >= 1", "never",
       "the fewest of all accesses together",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.integer(of.wavefrontsFewest);
       }},
      {"accesses", "list of [accesses](#an-access-of-a-layout)", "never",
       "of each layout that was asked",
       [](const layouts::FoundMemory &of, KeyValue &to) {
         to.list(of.accesses,
                 [](const layouts::AccessFigures &figures, KeyValue &each) {
                   each.object(LayoutAccess{layouts::Memory::Shared, figures});
                 });
       }},
  };
  return {"A memory that was found", kKeys};
}

template <>
KeyList<SpaceEntry> keysOf<SpaceEntry>() {
  static constexpr Key<SpaceEntry> kKeys[] = {
      {"name", "string", "never", "",
       [](const SpaceEntry &of, KeyValue &to) { to.text(of.space.name); }},
      {"size", "integer >= 1", "an offset", "its values are 0 to size - 1",
       [](const SpaceEntry &of, KeyValue &to) {
         if (of.isSized()) to.integer(of.space.size);
       }},
      {"least", "integer", "there is a size; it was not found",
       "the least value",
       [](const SpaceEntry &of, KeyValue &to) {
         if (!of.isSized() && of.bounds.isFinite()) to.integer(of.bounds.lower);
       }},
      {"greatest", "integer", "there is a size; it was not found",
       "the greatest value",
       [](const SpaceEntry &of, KeyValue &to) {
         if (!of.isSized() && of.bounds.isFinite()) to.integer(of.bounds.upper);
       }},
  };
  return {"A space", kKeys};
}

template <>
KeyList<SumEntry> keysOf<SumEntry>() {
  static constexpr Key<SumEntry> kKeys[] = {
      {"constant", "integer", "never", "",
       [](const SumEntry &of, KeyValue &to) { to.integer(of.sum.constant); }},
      {"digits", "list of [digits](#a-digit)", "never", "by input and step",
       [](const SumEntry &of, KeyValue &to) {
         to.list(of.sum.digits,
                 [&](const layouts::Digit &digit, KeyValue &each) {
                   each.object(DigitEntry{of.layout, digit});
                 });
       }},
      {"parities", "list of [parities](#a-parity)", "never", "by weight",
       [](const SumEntry &of, KeyValue &to) {
         to.list(of.sum.parities,
                 [&](const layouts::Parity &parity, KeyValue &each) {
                   each.object(ParityEntry{of.layout, parity});
                 });
       }},
  };
  return {"A sum", kKeys};
}

template <>
KeyList<DigitEntry> keysOf<DigitEntry>() {
  static constexpr Key<DigitEntry> kKeys[] = {
      {"input", "string", "never",
       "the digit is (input floordiv step) mod size",
       [](const DigitEntry &of, KeyValue &to) {
         to.text(of.layout.inputs()[of.digit.input].name);
       }},
      {"step", "integer >= 1", "never", "",
       [](const DigitEntry &of, KeyValue &to) { to.integer(of.digit.step); }},
      {"size", "integer >= 2", "never", "",
       [](const DigitEntry &of, KeyValue &to) { to.integer(of.digit.size); }},
      {"weight", "integer", "never", "what it is multiplied by",
       [](const DigitEntry &of, KeyValue &to) { to.integer(of.digit.weight); }},
  };
  return {"A digit", kKeys};
}

template <>
KeyList<ParityEntry> keysOf<ParityEntry>() {
  static constexpr Key<ParityEntry> kKeys[] = {
      {"weight", "integer", "never",
       "what the xor of the bits is multiplied by",
       [](const ParityEntry &of, KeyValue &to) {
         to.integer(of.parity.weight);
       }},
      {"bits", "list of [bits](#a-bit)", "never", "two or more",
       [](const ParityEntry &of, KeyValue &to) {
         to.list(of.parity.bits, [&](const auto &bit, KeyValue &each) {
           each.object(BitEntry{of.layout, bit.first, bit.second});
         });
       }},
  };
  return {"A parity", kKeys};
}

template <>
KeyList<BitEntry> keysOf<BitEntry>() {
  static constexpr Key<BitEntry> kKeys[] = {
      {"input", "string", "never", "",
       [](const BitEntry &of, KeyValue &to) {
         to.text(of.layout.inputs()[of.input].name);
       }},
      {"bit", "integer >= 0", "never", "its number; bit 0 is the lowest",
       [](const BitEntry &of, KeyValue &to) { to.integer(of.bit); }},
  };
  return {"A bit", kKeys};
}

std::vector<Described> layoutTables() {
  return {
      described<LayoutsEntry>(),
      described<LayoutEntry>(),
      described<UnknownLayoutEntry>(),
      described<ListedMoveEntry>(),
      described<layouts::MemorySearch>(),
      described<layouts::FoundMemory>(),
      described<SpaceEntry>(),
      described<SumEntry>(),
      described<DigitEntry>(),
      described<ParityEntry>(),
      described<BitEntry>(),
      described<layouts::Equality>(),
      described<LayoutMove>(),
      described<LayoutAccess>(),
  };
}

}  // namespace indexical

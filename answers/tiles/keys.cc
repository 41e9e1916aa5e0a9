#include "indexical/answers/tiles/keys.h"

#include "llvm/ADT/Sequence.h"

#include "indexical/answers/maps/keys.h"

namespace indexical {
namespace {

void expressions(const SymbolicTile &tile, llvm::ArrayRef<FormId> forms,
                 KeyValue &to) {
  to.list(forms,
          [&](FormId form, KeyValue &each) { each.text(tile.str(form)); });
}

/// Gives the names of instructions on the way to a tile.
template <typename Named>
void pathOf(const Named &in, const InstructionTile &tile, KeyValue &to) {
  to.list(tile.way.instructions(),
          [&](InstructionId i, KeyValue &each) { each.text(in.nameOf(i)); });
}

/// Gives one of the mask's lists.
void maskOf(const TileEntry &of,
            llvm::ArrayRef<FormId> (TileMask::*part)() const, KeyValue &to) {
  if (!of.of.mask) return;
  const TileMask &mask = *of.of.mask;
  to.list((mask.*part)(),
          [&](FormId form, KeyValue &each) { each.text(mask.str(form)); });
}

std::string textOf(const TileExtent &extent) {
  return extent.isSymbol() ? extent.name : std::to_string(extent.value);
}

}  // namespace

template <>
KeyList<Tiles> keysOf<Tiles>() {
  static constexpr Key<Tiles> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"root", "string", "never", "the instruction whose tile it is",
       [](const Tiles &of, KeyValue &to) { to.text(of.root->name); }},
      {"direction", "`\"input-to-output\"`", "it is `output-to-input`",
       "the tiles are those of later instructions that read the tile, and not "
       "of what it reads",
       [](const Tiles &of, KeyValue &to) {
         if (of.forward) to.text("input-to-output");
       }},
      {"roots", "list of [results with tiles](#a-result-with-a-tile)",
       "all results have one tile", "the results, each of which has its tile",
       [](const Tiles &of, KeyValue &to) {
         if (of.space.isOneTile()) return;
         const auto &results = shapesOf(of.root->op).results;
         to.list(
             llvm::seq<size_t>(0, of.space.roots().size()),
             [&](size_t number, KeyValue &each) {
               each.object(TileRootEntry{of.space, number, results[number]});
             });
       }},
      {"steps", "list of [steps](#a-step)", "there are none",
       "loops over dimensions that are summed up: the tiles upstream of them "
       "(with `input-to-output`, downstream) are those of one turn",
       [](const Tiles &of, KeyValue &to) {
         if (of.space.steps().empty()) return;
         to.list(
             llvm::seq<size_t>(0, of.space.steps().size()),
             [&](size_t number, KeyValue &each) {
               each.object(TileStepEntry{of.space, number, *of.computation});
             });
       }},
      {"tiles", "list of [tiles](#a-tile)", "never",
       "one for each instruction and each path to it; equal entries are "
       "listed once, under one of their paths",
       nullptr},
      {"fits", "list of lists of integers", "`--try` was not given",
       "those values of `--try` for which all tiles are exact",
       [](const Tiles &of, KeyValue &to) {
         if (of.candidates.empty()) return;
         to.list(of.fitting, [&](size_t number, KeyValue &each) {
           each.integers(of.candidates[number]);
         });
       }},
  };
  return {"Which tiles?", kKeys};
}

template <>
KeyList<TileEntry> keysOf<TileEntry>() {
  static constexpr Key<TileEntry> kKeys[] = {
      {"instruction", "string", "never", "whose tile it is",
       [](const TileEntry &of, KeyValue &to) {
         to.text(of.in.nameOf(of.of.instruction));
       }},
      {"result", "integer >= 1", "it is the first array",
       "which of its arrays it is",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.leaf > 0) to.integer(int64_t{of.of.leaf});
       }},
      {"root_result", "integer >= 0", "all results have one tile",
       "the result of the root whose tile reads it; of equal entries, the "
       "first",
       [](const TileEntry &of, KeyValue &to) {
         if (!of.in.space.isOneTile()) to.integer(int64_t(of.of.root));
       }},
      {"path", "list of strings", "`behind` is there",
       "the instructions between the root and this one, the root's side first",
       [](const TileEntry &of, KeyValue &to) {
         if (!of.of.isPathLeftOut) pathOf(of.in, of.of, to);
       }},
      {"behind", "integer >= 0",
       "the paths up to here have at most 1,000,000 names",
       "in place of the path: the number in `tiles`, from 0, of the tile from "
       "which this one, or an equal one, was found. The path is that tile's "
       "path, followed by that tile's instruction",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.isPathLeftOut) to.integer(int64_t{of.of.behind});
       }},
      {"exact", "boolean", "never",
       "`true`: where the conditions hold, all of this tile is read on the "
       "path, "
       "and what else is read stands in other entries of the instruction, "
       "under "
       "this path or, if they are equal, under another one; names are sizes "
       "from 1 to that of the dimension. An entry that reads nothing at some "
       "offsets, or for some sizes, has a size of 0 there. `false`: it is a "
       "box "
       "around what is read",
       [](const TileEntry &of, KeyValue &to) {
         to.boolean(of.of.tile.isExact());
       }},
      {"offsets", "list of strings", "never",
       "an expression for each dimension",
       [](const TileEntry &of, KeyValue &to) {
         expressions(of.of.tile, of.of.tile.offsets(), to);
       }},
      {"sizes", "list of strings", "never",
       "the size along each dimension, an expression",
       [](const TileEntry &of, KeyValue &to) {
         expressions(of.of.tile, of.of.tile.sizes(), to);
       }},
      {"strides", "list of strings", "never",
       "the distance of neighbours along each dimension, an expression",
       [](const TileEntry &of, KeyValue &to) {
         expressions(of.of.tile, of.of.tile.strides(), to);
       }},
      {"full", "list of strings",
       "a size of the tensor is not known, or it is a scalar",
       "sizes of a tile that is not cut: numbers if those of `--tile` are "
       "numbers, unless they depend on values at run time",
       [](const TileEntry &of, KeyValue &to) {
         maskOf(of, &TileMask::full, to);
       }},
      {"begins", "list of strings", "as `full`",
       "for i below `full`, offset + stride * i is read if and only if it is "
       "at least this and less than `ends`",
       [](const TileEntry &of, KeyValue &to) {
         maskOf(of, &TileMask::begins, to);
       }},
      {"ends", "list of strings", "as `full`", "see `begins`",
       [](const TileEntry &of, KeyValue &to) {
         maskOf(of, &TileMask::ends, to);
       }},
      {"replica", "list of [members of a tile](#members-of-a-tile)",
       "no collective is passed",
       "the members of each collective's group whose elements these are, the "
       "root's side first: these axes of the tile precede the tensor's",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.tile.memberCount() == 0) return;
         to.list(llvm::seq<size_t>(0, of.of.tile.memberCount()),
                 [&](size_t number, KeyValue &each) {
                   each.object(TileMemberEntry{of, number});
                 });
       }},
      {"conditions", "list of strings", "never",
       "constraints on the names and on sizes that are not known; all of them "
       "must hold",
       [](const TileEntry &of, KeyValue &to) {
         to.list(of.of.tile.conditions(),
                 [&](const Constraint &condition, KeyValue &each) {
                   each.text(of.of.tile.str(condition));
                 });
       }},
      {"any_of", "list of lists of strings",
       "`conditions` say all that is known",
       "lists of such constraints: the tile is exact, too, for sizes that meet "
       "all of one list, the first of which is `conditions`. Where "
       "`conditions` "
       "do not hold, the expressions are those of a tile with these numbers",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.anyOf.empty()) return;
         to.list(of.of.anyOf, [&](const SizeCase &one, KeyValue &each) {
           each.texts(one.texts(of.in.tile));
         });
       }},
      {"read", "string", "it is not a scalar, or every tile reads it",
       "1 where a tile of the root reads the scalar, else 0",
       [](const TileEntry &of, KeyValue &to) {
         if (const auto isRead = of.of.tile.isRead())
           to.text(of.of.tile.str(*isRead));
       }},
      {"complete", "boolean",
       "the direction is `output-to-input`, or it is not known",
       "whether these elements read nothing else of the root than the tile, in "
       "each turn of the loops",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.complete) to.boolean(*of.of.complete);
       }},
      {"case", "list of strings",
       "it is read for all sizes and values of the run",
       "the case of the run in which it is read, as constraints on sizes and "
       "on elements that say sizes: all hold, or it is not read. The cases of "
       "one path exclude each other, or are parts of what is read",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.cases.empty()) return;
         to.list(of.of.cases, [](const RunCase &one, KeyValue &each) {
           each.text(one.text);
         });
       }},
      {"open_sizes", "list of [open sizes](#an-open-size)",
       "the expressions and the case name none", "the sizes that are not known",
       [](const TileEntry &of, KeyValue &to) {
         openSizes(*of.in.module, of.of.openSizes, to);
       }},
      {"values", "list of strings", "there are none",
       "the meaning of the other values of the run in the expressions and the "
       "case, as `rt1 = n[0]` or `rt0 = position in the group of g`",
       [](const TileEntry &of, KeyValue &to) {
         if (!of.of.values.empty()) to.texts(of.of.values);
       }},
      {"runtime", "list of [runtime variables](#a-runtime-variable)",
       "there are none",
       "the values of the run that the expressions may name; the index of an "
       "element is one of the root's",
       [](const TileEntry &of, KeyValue &to) {
         const size_t count = of.of.map.visibleRuntimeCount();
         if (count == 0) return;
         const MapEntry map(of.of.map, of.in.maps.get());
         to.list(llvm::seq<uint32_t>(0, count),
                 [&](uint32_t i, KeyValue &each) {
                   each.object(RuntimeVariableEntry{map, i});
                 });
       }},
      {"least", "`false`", "the tile is exact, or the least box",
       "a smaller box may suffice",
       [](const TileEntry &of, KeyValue &to) {
         to.ifFalse(of.of.tile.isExact() || of.of.tile.isLeast());
       }},
      {"reason", "[reason](#the-reason-of-a-box)", "the tile is exact",
       "why there is only a box; conditions that no sizes meet do not make a "
       "tile",
       [](const TileEntry &of, KeyValue &to) {
         if (of.of.tile.isExact()) return;
         BoxReasonEntry reason{std::nullopt, *of.of.tile.reason()};
         if (of.of.lostAt >= 0) reason.instruction = of.in.nameOf(of.of.lostAt);
         to.object(reason);
       }},
  };
  return {"A tile", kKeys};
}

template <>
KeyList<TileRootEntry> keysOf<TileRootEntry>() {
  static constexpr Key<TileRootEntry> kKeys[] = {
      {"result", "integer >= 0", "never", "which of the root's arrays it is",
       [](const TileRootEntry &of, KeyValue &to) {
         to.integer(int64_t(of.number));
       }},
      {"shape", "string", "never", "its shape",
       [](const TileRootEntry &of, KeyValue &to) { to.text(of.shape.str()); }},
      {"offsets", "list of strings", "never",
       "the names of its offsets, one for each dimension",
       [](const TileRootEntry &of, KeyValue &to) {
         to.list(llvm::seq<size_t>(0, of.root().rank),
                 [&](size_t k, KeyValue &each) {
                   each.text(of.in.tile().offsetName(of.root().first + k));
                 });
       }},
      {"sizes", "list of strings", "never", "those of its tile",
       [](const TileRootEntry &of, KeyValue &to) {
         to.list(llvm::seq<size_t>(0, of.root().rank),
                 [&](size_t k, KeyValue &each) {
                   each.text(textOf(of.in.tile().sizes[of.root().first + k]));
                 });
       }},
  };
  return {"A result with a tile", kKeys};
}

template <>
KeyList<TileStepEntry> keysOf<TileStepEntry>() {
  static constexpr Key<TileStepEntry> kKeys[] = {
      {"name", "string", "never",
       "`k0`, …: the first index of a turn, a multiple of the step",
       [](const TileStepEntry &of, KeyValue &to) {
         to.text("k" + std::to_string(of.number));
       }},
      {"instruction", "string", "never",
       "the instruction that sums up the dimension",
       [](const TileStepEntry &of, KeyValue &to) {
         to.text(of.computation.instructions[of.step().instruction].name);
       }},
      {"dimension", "integer >= 0", "never",
       "its number in the instruction's attribute: of the contracted "
       "dimensions of a dot, of the reduced ones of a reduce",
       [](const TileStepEntry &of, KeyValue &to) {
         to.integer(of.step().dimension);
       }},
      {"extent", "integer >= 0", "never", "the dimension's size",
       [](const TileStepEntry &of, KeyValue &to) {
         to.integer(of.step().extent);
       }},
      {"step", "integer >= 1", "never", "the indices of a turn",
       [](const TileStepEntry &of, KeyValue &to) {
         to.integer(of.step().size);
       }},
  };
  return {"A step", kKeys};
}

template <>
KeyList<TileMemberEntry> keysOf<TileMemberEntry>() {
  static constexpr Key<TileMemberEntry> kKeys[] = {
      {"instruction", "string", "never", "the collective",
       [](const TileMemberEntry &of, KeyValue &to) {
         const ProgramIndexing &maps = *of.in.in.maps;
         to.text(
             instructionOf(maps.module(),
                           maps.value(of.in.of.map.collectives()[of.number]))
                 .name);
       }},
      {"offset", "string", "never",
       "the first member, as an expression of its position in the group",
       [](const TileMemberEntry &of, KeyValue &to) {
         const SymbolicTile &tile = of.in.of.tile;
         to.text(tile.str(tile.memberOffsets()[of.number]));
       }},
      {"size", "string", "never", "how many members there are",
       [](const TileMemberEntry &of, KeyValue &to) {
         const SymbolicTile &tile = of.in.of.tile;
         to.text(tile.str(tile.memberSizes()[of.number]));
       }},
      {"stride", "string", "never", "the distance between neighbours",
       [](const TileMemberEntry &of, KeyValue &to) {
         const SymbolicTile &tile = of.in.of.tile;
         to.text(tile.str(tile.memberStrides()[of.number]));
       }},
      {"group", "integer or null", "never",
       "the number of members of each group; `null` where it varies or is not "
       "known",
       [](const TileMemberEntry &of, KeyValue &to) {
         const int64_t group = of.in.of.groups[of.number];
         if (group > 0)
           to.integer(group);
         else
           to.null();
       }},
  };
  return {"Members of a tile", kKeys};
}

template <>
KeyList<TileSizes> keysOf<TileSizes>() {
  static constexpr Key<TileSizes> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"root", "string", "never", "the instruction whose tile it is",
       [](const TileSizes &of, KeyValue &to) { to.text(of.nameOf(of.root)); }},
      {"device", "string", "never", "the name of `--device`",
       [](const TileSizes &of, KeyValue &to) {
         to.text(of.asked.device->name);
       }},
      {"cores", "integer >= 1", "never", "those of the device",
       [](const TileSizes &of, KeyValue &to) {
         to.integer(of.asked.device->cores);
       }},
      {"shared_limit", "integer >= 0", "never",
       "the bytes of shared memory that a block has; with loops, the most "
       "that it may request",
       [](const TileSizes &of, KeyValue &to) { to.integer(of.sharedBytes()); }},
      {"steps", "list of [searched loops](#a-searched-loop)",
       "nothing is summed up",
       "loops over dimensions that are summed up, whose steps rows have in "
       "this order",
       [](const TileSizes &of, KeyValue &to) {
         if (!of.hasLoops()) return;
         to.list(llvm::seq<size_t>(0, of.space.steps().size()),
                 [&](size_t number, KeyValue &each) {
                   each.object(SearchedLoopEntry{of, number});
                 });
       }},
      {"untried", "integer >= 0", "never",
       "the number of sizes that the budget did not suffice for",
       [](const TileSizes &of, KeyValue &to) {
         to.integer(of.search.untried);
       }},
      {"found", "list of [sizes that are exact](#sizes-that-are-exact)",
       "never", "best first; with `--top=N` the first N", nullptr},
      {"left_out",
       "list of [sizes that are left out](#sizes-that-are-left-out)", "never",
       "those of most sizes first", nullptr},
  };
  return {"Which sizes?", kKeys};
}

template <>
KeyList<SearchedLoopEntry> keysOf<SearchedLoopEntry>() {
  static constexpr Key<SearchedLoopEntry> kKeys[] = {
      {"instruction", "string", "never",
       "the instruction that sums up the dimension",
       [](const SearchedLoopEntry &of, KeyValue &to) {
         to.text(of.in.nameOf(of.step().instruction));
       }},
      {"dimension", "integer >= 0", "never",
       "its number in the instruction's attribute",
       [](const SearchedLoopEntry &of, KeyValue &to) {
         to.integer(of.step().dimension);
       }},
      {"extent", "integer >= 0", "never", "the dimension's size",
       [](const SearchedLoopEntry &of, KeyValue &to) {
         to.integer(of.step().extent);
       }},
  };
  return {"A searched loop", kKeys};
}

template <>
KeyList<FoundSizes> keysOf<FoundSizes>() {
  static constexpr Key<FoundSizes> kKeys[] = {
      {"sizes", "list of integers", "never", "of the root's tile",
       [](const FoundSizes &of, KeyValue &to) { to.integers(of.sizes); },
       Column{1}},
      {"blocks", "integer >= 1", "never",
       "the number of tiles that the root has",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.blocks); },
       Column{2}},
      {"elements", "integer >= 0", "never",
       "the elements of parameters that all blocks read, an element once a "
       "block, however many turns read it",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.elements); },
       Column{3}},
      {"bytes", "integer >= 0", "never", "their bytes",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.bytes); },
       Column{4}},
      {"exact", "boolean", "never",
       "`true`: `elements`, `bytes` and `shared` are exact. `false`: they are "
       "upper bounds",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.isCounted); },
       Column{5}},
      {"reuse", "number or null", "never",
       "how often a block uses such an element: (element of the root, element "
       "of a parameter) pairs for each of `elements`; `null` where that is not "
       "known",
       [](const FoundSizes &of, KeyValue &to) { to.numberOrNull(of.reuse); },
       Column{6}},
      {"shared", "integer >= 0", "never",
       "the most bytes that a block holds at once, where the tile of each way "
       "to a parameter counts by itself; with loops, the bytes of all stages "
       "and of intermediate tiles that are held",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.shared); },
       Column{7}},
      {"fits", "boolean", "never",
       "whether `shared` is at most `shared_limit`; with loops also whether "
       "the "
       "accumulators take at most 3/4 of a core's registers",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.fits); },
       Column{8}},
      {"fills", "boolean", "never", "whether there are as many blocks as cores",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.fills); },
       Column{9}},
      {"steps", "list of integers", "nothing is summed up",
       "the indices of a turn of each loop",
       [](const FoundSizes &of, KeyValue &to) {
         if (!of.steps.empty()) to.integers(of.steps);
       },
       Column{10}},
      {"stages", "integer >= 1", "nothing is summed up",
       "turns of the loop that are in flight at once",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.stages); },
       Column{11}},
      {"accumulators", "integer >= 0", "nothing is summed up",
       "words of the results of dots and reduces of a block",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.accumulators); },
       Column{12}},
      {"padded", "number", "never",
       "the factor by which the elements of tiles grow if their axes are "
       "rounded up to powers of two",
       [](const FoundSizes &of, KeyValue &to) {
         if (of.padded) to.number(*of.padded, 3);
       },
       Column{13}},
      {"time_us", "number", "it does not fit",
       "the estimated time of the kernel, in microseconds",
       [](const FoundSizes &of, KeyValue &to) {
         if (of.microseconds) to.number(*of.microseconds, 3);
       },
       Column{14}},
      {"reloaded", "integer >= 0", "nothing is summed up; they are not counted",
       "the elements that turns load again, over all blocks: an element that "
       "n turns of a block read counts n - 1 times",
       [](const FoundSizes &of, KeyValue &to) {
         if (!of.steps.empty() && of.reloaded) to.integer(*of.reloaded);
       },
       Column{15}},
  };
  return {"Sizes that are exact", kKeys};
}

template <>
KeyList<LeftOutEntry> keysOf<LeftOutEntry>() {
  static constexpr Key<LeftOutEntry> kKeys[] = {
      {"instruction", "string", "never",
       "the first instruction, from the root on, whose tile is not exact",
       [](const LeftOutEntry &of, KeyValue &to) {
         to.text(of.nameOf(of.tile.instruction));
       }},
      {"path", "list of strings", "never",
       "the instructions between the root and this one",
       [](const LeftOutEntry &of, KeyValue &to) { pathOf(of, of.tile, to); }},
      {"count", "integer >= 1", "never", "how many sizes",
       [](const LeftOutEntry &of, KeyValue &to) {
         to.integer(of.sizes.count);
       }},
      {"example", "list of integers", "never", "the first of them",
       [](const LeftOutEntry &of, KeyValue &to) {
         to.integers(of.sizes.example);
       }},
      {"reason", "[reason](#the-reason-of-a-box)", "never",
       "why that tile is not exact",
       [](const LeftOutEntry &of, KeyValue &to) {
         to.object(BoxReasonEntry{of.nameOf(of.sizes.behind), of.sizes.reason});
       }},
  };
  return {"Sizes that are left out", kKeys};
}

template <>
KeyList<BoxReasonEntry> keysOf<BoxReasonEntry>() {
  static constexpr Key<BoxReasonEntry> kKeys[] = {
      {"instruction", "string or null", "never",
       "the instruction upstream of which there is no tile",
       [](const BoxReasonEntry &of, KeyValue &to) {
         of.instruction ? to.text(*of.instruction) : to.null();
       }},
      {"dimension", "integer or null", "never", "its dimension",
       [](const BoxReasonEntry &of, KeyValue &to) {
         if (of.reason.dimension < 0)
           to.null();
         else
           to.integer(of.reason.dimension);
       }},
      {"expression", "string", "never",
       "the expression that does not make a tile, over the indices of the "
       "root",
       [](const BoxReasonEntry &of, KeyValue &to) {
         to.text(of.reason.expression());
       }},
      {"member", "string",
       "no collective is passed, or all members of its group are read alike",
       "the member of a collective's group (its position in the group) whose "
       "elements these are, over the indices of the root: other members read "
       "nothing",
       [](const BoxReasonEntry &of, KeyValue &to) {
         to.textIfAny(of.reason.member());
       }},
  };
  return {"The reason of a box", kKeys};
}

std::vector<llvm::StringRef> tileSearchColumns() {
  return inOrder({columnsOf<FoundSizes>()});
}

std::vector<Described> tileTables() {
  return {described<Tiles>(),
          described<TileRootEntry>(),
          described<TileStepEntry>(),
          described<TileEntry>(),
          described<TileMemberEntry>(),
          described<TileSizes>(),
          described<SearchedLoopEntry>(),
          described<FoundSizes>(),
          described<LeftOutEntry>(),
          described<BoxReasonEntry>()};
}

}  // namespace indexical

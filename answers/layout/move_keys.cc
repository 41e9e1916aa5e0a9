// The keys of what is said of two layouts, and of an access of one.
#include "indexical/answers/layout/keys.h"

namespace indexical {
namespace {

llvm::StringRef kindOf(const LayoutMove &move) {
  switch (move.kind) {
    case LayoutMove::Kind::Convert:
      return "convert";
    case LayoutMove::Kind::Access:
      return nameOf(move.access->memory);
    case LayoutMove::Kind::Copy:
      return "copy";
  }
  return "";
}

bool isConverted(const LayoutMove &move) {
  return move.kind == LayoutMove::Kind::Convert &&
         move.conversion.level != layouts::Level::Impossible;
}

}  // namespace

template <>
KeyList<layouts::Equality> keysOf<layouts::Equality>() {
  static constexpr Key<layouts::Equality> kKeys[] = {
      {"answer", "`\"equal\"`, `\"different\"` or `\"undecided\"`", "never", "",
       [](const layouts::Equality &of, KeyValue &to) { to.text(nameOf(of)); }},
      {"engine",
       "`\"form\"`, `\"closed form\"`, `\"enumeration\"` or `\"isl\"`", "never",
       "what decided",
       [](const layouts::Equality &of, KeyValue &to) { to.text(of.engine); }},
      {"reason", "string", "there is a point, or they are equal",
       "why they differ everywhere, or it is not decided",
       [](const layouts::Equality &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
      {"point", "list of integers", "with `reason`; they are equal",
       "a point of the first where values differ",
       [](const layouts::Equality &of, KeyValue &to) {
         if (of.point) to.integers(*of.point);
       }},
      {"first", "list of integers", "with no `point`",
       "the value of the first there",
       [](const layouts::Equality &of, KeyValue &to) {
         if (of.point) to.integers(*of.first);
       }},
      {"second", "list of integers", "with no `point`",
       "the value of the second, at the point with the same number",
       [](const layouts::Equality &of, KeyValue &to) {
         if (of.point) to.integers(*of.second);
       }},
  };
  return {"Two layouts", kKeys};
}

template <>
KeyList<LayoutMove> keysOf<LayoutMove>() {
  static constexpr Key<LayoutMove> kKeys[] = {
      {"kind", "`\"convert\"`, `\"shared\"`, `\"global\"` or `\"copy\"`",
       "never",
       "from registers to registers, between registers and a memory, from "
       "memory to memory",
       [](const LayoutMove &of, KeyValue &to) { to.text(kindOf(of)); }},
      {"level",
       "`\"none\"`, `\"registers\"`, `\"shuffles\"`, `\"shared\"`, "
       "`\"cluster\"` or `\"impossible\"`",
       "the kind is not `convert`",
       "how far the nearest holder of an element is: in the same register, "
       "thread, warp, block or cluster",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Convert)
           to.text(levelName(of.conversion.level));
       }},
      {"element", "list of integers", "with no `level`; nothing is impossible",
       "an element without a holder",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Convert && of.conversion.element)
           to.integers(*of.conversion.element);
       }},
      {"moved", "integer >= 0", "with no `level`; it is impossible",
       "pairs of a thread and an element that it lacks",
       [](const LayoutMove &of, KeyValue &to) {
         if (isConverted(of)) to.integer(of.conversion.moved);
       }},
      {"least", "integer >= 0", "with no `level`; it is impossible",
       "the most elements that one thread lacks: a lower bound on the number "
       "of shuffles",
       [](const LayoutMove &of, KeyValue &to) {
         if (isConverted(of)) to.integer(of.conversion.least);
       }},
      {"store", "[access](#an-access-of-a-layout)", "`--through` is not given",
       "to the shared memory",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.store) to.object(*of.store);
       }},
      {"load", "[access](#an-access-of-a-layout)", "`--through` is not given",
       "from the shared memory",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.store) to.object(*of.load);
       }},
      {"vector", "integer >= 1", "the kind is `convert`",
       "elements in one access; of `copy`: the longest run in both",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Copy) to.integer(of.vector);
         if (of.kind == LayoutMove::Kind::Access)
           to.integer(of.access->figures.vector);
       }},
      {"accesses", "integer >= 1", "the kind is neither `shared` nor `global`",
       "as of [an access](#an-access-of-a-layout), like those below",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access)
           to.integer(of.access->figures.accesses);
       }},
      {"conflicts", "integer >= 1", "the kind is not `shared`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Shared)
           to.integer(of.access->figures.conflicts);
       }},
      {"wavefronts", "integer >= 1", "the kind is not `shared`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Shared)
           to.integer(of.access->figures.wavefronts);
       }},
      {"wavefronts_fewest", "integer >= 1", "the kind is not `shared`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Shared)
           to.integer(of.access->figures.wavefrontsFewest);
       }},
      {"sectors", "integer >= 1", "the kind is not `global`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Global)
           to.integer(of.access->figures.sectors);
       }},
      {"sectors_fewest", "integer >= 1", "the kind is not `global`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Global)
           to.integer(of.access->figures.sectorsFewest);
       }},
      {"lines", "integer >= 1", "the kind is not `global`", "",
       [](const LayoutMove &of, KeyValue &to) {
         if (of.kind == LayoutMove::Kind::Access &&
             of.access->memory == layouts::Memory::Global)
           to.integer(of.access->figures.lines);
       }},
  };
  return {"A move between layouts", kKeys};
}

template <>
KeyList<LayoutAccess> keysOf<LayoutAccess>() {
  static constexpr Key<LayoutAccess> kKeys[] = {
      {"kind", "`\"shared\"` or `\"global\"`", "never", "the memory",
       [](const LayoutAccess &of, KeyValue &to) {
         to.text(nameOf(of.memory));
       }},
      {"vector", "integer >= 1", "never", "elements that a lane takes at once",
       [](const LayoutAccess &of, KeyValue &to) {
         to.integer(of.figures.vector);
       }},
      {"accesses", "integer >= 1", "never", "of all warps",
       [](const LayoutAccess &of, KeyValue &to) {
         to.integer(of.figures.accesses);
       }},
      {"conflicts", "integer >= 1", "global memory",
       "the most words that a phase takes of one bank",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Shared)
           to.integer(of.figures.conflicts);
       }},
      {"wavefronts", "integer >= 1", "global memory",
       "the words of the fullest bank of each phase, summed",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Shared)
           to.integer(of.figures.wavefronts);
       }},
      {"wavefronts_fewest", "integer >= 1", "global memory",
       "the fewest wavefronts of all phases: words divided by 32 banks",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Shared)
           to.integer(of.figures.wavefrontsFewest);
       }},
      {"sectors", "integer >= 1", "shared memory", "of 32 bytes",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Global)
           to.integer(of.figures.sectors);
       }},
      {"sectors_fewest", "integer >= 1", "shared memory", "bytes divided by 32",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Global)
           to.integer(of.figures.sectorsFewest);
       }},
      {"lines", "integer >= 1", "shared memory", "of 128 bytes",
       [](const LayoutAccess &of, KeyValue &to) {
         if (of.memory == layouts::Memory::Global) to.integer(of.figures.lines);
       }},
  };
  return {"An access of a layout", kKeys};
}

}  // namespace indexical

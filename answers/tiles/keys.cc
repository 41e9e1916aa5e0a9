#include "indexical/answers/tiles/keys.h"

namespace indexical {

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
       "block",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.elements); },
       Column{3}},
      {"bytes", "integer >= 0", "never", "their bytes",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.bytes); },
       Column{4}},
      {"exact", "boolean", "never",
       "`true`: `elements`, `bytes` and `shared` are counted. `false`: there "
       "are no more",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.isCounted); },
       Column{5}},
      {"reuse", "number or null", "never",
       "how often a block uses such an element: (element of the root, element "
       "of a parameter) pairs for each of `elements`; `null` where that is not "
       "known",
       [](const FoundSizes &of, KeyValue &to) {
         if (of.reuse)
           to.number(*of.reuse);
         else
           to.null();
       },
       Column{6}},
      {"shared", "integer >= 0", "never",
       "the most bytes that a block holds at once, the tile of each way to a "
       "parameter by itself",
       [](const FoundSizes &of, KeyValue &to) { to.integer(of.shared); },
       Column{7}},
      {"fits", "boolean", "never", "whether `shared` is at most `shared_limit`",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.fits); },
       Column{8}},
      {"fills", "boolean", "never", "whether there are as many blocks as cores",
       [](const FoundSizes &of, KeyValue &to) { to.boolean(of.fills); },
       Column{9}},
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
       [](const LeftOutEntry &of, KeyValue &to) {
         to.list(of.tile.path, [&](InstructionId i, KeyValue &each) {
           each.text(of.nameOf(i));
         });
       }},
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
       "the instruction behind which it is so",
       [](const BoxReasonEntry &of, KeyValue &to) { to.text(of.instruction); }},
      {"dimension", "integer or null", "never", "its dimension",
       [](const BoxReasonEntry &of, KeyValue &to) {
         if (of.reason.dimension < 0)
           to.null();
         else
           to.integer(of.reason.dimension);
       }},
      {"expression", "string", "never",
       "the expression that is no tile, over the indices of the root",
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
  return {described<FoundSizes>(), described<LeftOutEntry>(),
          described<BoxReasonEntry>()};
}

}  // namespace indexical

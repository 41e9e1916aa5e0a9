#include "indexical/answers/uses/keys.h"

namespace indexical {
namespace {

void formula(const UseFormulas &of, const std::optional<FormId> &figure,
             KeyValue &to) {
  if (figure) to.text(of.str(*figure));
}

void boxOf(const Footprint &of, KeyValue &to) {
  if (of.distinct == 0) return;
  if (!of.hasBox) return to.null();
  to.list(of.box, [](const Interval &side, KeyValue &each) {
    each.integers({side.lower, side.upper});
  });
}

void overlapOf(const FootprintEntry &of, KeyValue &to) {
  const auto &overlap = of.footprint().overlap;
  if (overlap.empty() && !of.in.instruction->shape.leaves()[0].isScalar())
    return to.null();
  to.list(overlap, [](const std::optional<int64_t> &shared, KeyValue &each) {
    each.integerOrNull(shared);
  });
}

}  // namespace

template <>
KeyList<InstructionUses> keysOf<InstructionUses>() {
  static constexpr Key<InstructionUses> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"instruction", "string", "never", "the instruction that was asked about",
       [](const InstructionUses &of, KeyValue &to) {
         to.text(of.instruction->name);
       }},
      {"operands", "list of [uses](#use-of-an-operand)", "never",
       "one for each array of the operands", nullptr},
      {"inside", "list of [uses](#use-inside)", "`--inside` was not given",
       "one for each array of what the instruction calls, users before "
       "producers",
       nullptr},
  };
  return {"What is used?", kKeys};
}

template <>
KeyList<OperandUseEntry> keysOf<OperandUseEntry>() {
  static constexpr Key<OperandUseEntry> kKeys[] = {
      {"operand",
       "integer >= 0",
       "never",
       "the array of the operands",
       [](const OperandUseEntry &of, KeyValue &to) {
         to.integer(of.of.use.operand);
       },
       {1}},
      {kKeysOf, "[a footprint](#a-footprint)", "", "",
       [](const OperandUseEntry &of, KeyValue &to) {
         to.keys(FootprintEntry{of.in, of.of});
       }},
      {"formulas", "[formulas](#formulas-of-a-footprint)",
       "all sizes are known",
       "the figures as expressions of the sizes that are not known",
       [](const OperandUseEntry &of, KeyValue &to) {
         if (of.of.formulas) to.object(*of.of.formulas);
       }},
      {"open_sizes", "list of [open sizes](#an-open-size)",
       "all sizes are known", "what these sizes are",
       [](const OperandUseEntry &of, KeyValue &to) {
         openSizes(*of.in.module, of.of.openSizes, to);
       }},
  };
  return {"Use of an operand", kKeys};
}

template <>
KeyList<InsideUseEntry> keysOf<InsideUseEntry>() {
  static constexpr Key<InsideUseEntry> kKeys[] = {
      {"instruction",
       "string",
       "never",
       "the instruction inside",
       [](const InsideUseEntry &of, KeyValue &to) { to.text(of.of.name); },
       {2}},
      {"result",
       "integer >= 1",
       "it is the first array",
       "which of its arrays it is",
       [](const InsideUseEntry &of, KeyValue &to) {
         if (of.of.use.leaf > 0) to.integer(int64_t{of.of.use.leaf});
       },
       {3}},
      {kKeysOf, "[a footprint](#a-footprint)", "", "",
       [](const InsideUseEntry &of, KeyValue &to) {
         to.keys(FootprintEntry{of.in, of.of});
       }},
  };
  return {"Use inside", kKeys};
}

template <>
KeyList<FootprintEntry> keysOf<FootprintEntry>() {
  static constexpr Key<FootprintEntry> kKeys[] = {
      {"size",
       "integer or null",
       "never",
       "elements of the array",
       [](const FootprintEntry &of, KeyValue &to) {
         to.integerOrNull(of.footprint().size);
       },
       {4}},
      {"distinct",
       "integer or null",
       "never",
       "elements that are read at least once",
       [](const FootprintEntry &of, KeyValue &to) {
         to.integerOrNull(of.footprint().distinct);
       },
       {5}},
      {"bytes",
       "integer or null",
       "never",
       "the bytes of these",
       [](const FootprintEntry &of, KeyValue &to) {
         to.integerOrNull(of.footprint().bytes);
       },
       {6}},
      {"box",
       "list of lists of two integers, or null",
       "nothing is read",
       "the least box around them: the first and the last index of each "
       "dimension",
       [](const FootprintEntry &of, KeyValue &to) {
         boxOf(of.footprint(), to);
       },
       {7}},
      {"density",
       "number or null",
       "never",
       "`distinct`, divided by the elements of the box",
       [](const FootprintEntry &of, KeyValue &to) {
         to.numberOrNull(of.footprint().density);
       },
       {8}},
      {"reads",
       "integer or null",
       "never",
       "different (element of the result, element of the array) pairs",
       [](const FootprintEntry &of, KeyValue &to) {
         to.integerOrNull(of.footprint().reads);
       },
       {9}},
      {"reuse",
       "number or null",
       "never",
       "`reads` divided by `distinct`",
       [](const FootprintEntry &of, KeyValue &to) {
         to.numberOrNull(of.footprint().reuse);
       },
       {10}},
      {"overlap",
       "list of integers or nulls, or null",
       "never",
       "elements that the next tile reads too, for each dimension of the "
       "result: 0 of a whole result, which has no next tile; `null` of a block "
       "of threads",
       overlapOf,
       {11}},
      {"depends_on",
       "string",
       "every figure was found, or another reason stands in the way",
       "the instructions whose values decide the figures that are `null`, "
       "with commas between them",
       [](const FootprintEntry &of, KeyValue &to) {
         to.textIfAny(of.of.dependsOn);
       },
       {12}},
  };
  return {"A footprint", kKeys};
}

template <>
KeyList<UseFormulas> keysOf<UseFormulas>() {
  static constexpr Key<UseFormulas> kKeys[] = {
      {"size", "string", "it leaves 64 bits", "as the figure of this name",
       [](const UseFormulas &of, KeyValue &to) { formula(of, of.size, to); }},
      {"distinct", "string",
       "the elements are not a tile of the array, or not the same for all "
       "sizes",
       "as the figure of this name",
       [](const UseFormulas &of, KeyValue &to) {
         formula(of, of.distinct, to);
       }},
      {"bytes", "string", "with no `distinct`; elements are not whole bytes",
       "as the figure of this name",
       [](const UseFormulas &of, KeyValue &to) { formula(of, of.bytes, to); }},
      {"reads", "string",
       "the indices of the result do not read equally many elements",
       "as the figure of this name",
       [](const UseFormulas &of, KeyValue &to) { formula(of, of.reads, to); }},
      {"box", "list of lists of strings",
       "with no `distinct`; the array is a scalar",
       "the first and the last index of each dimension",
       [](const UseFormulas &of, KeyValue &to) {
         if (of.box.empty()) return;
         to.list(of.box, [&](const auto &side, KeyValue &each) {
           const FormId ends[] = {side.first, side.second};
           each.list(ends, [&](FormId end, KeyValue &text) {
             text.text(of.str(end));
           });
         });
       }},
  };
  return {"Formulas of a footprint", kKeys};
}

std::vector<Described> usesTables() {
  return {described<InstructionUses>(), described<OperandUseEntry>(),
          described<InsideUseEntry>(), described<FootprintEntry>(),
          described<UseFormulas>()};
}

}  // namespace indexical

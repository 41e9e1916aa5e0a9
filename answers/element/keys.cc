#include "indexical/answers/element/keys.h"

#include "llvm/ADT/StringExtras.h"

namespace indexical {

template <>
KeyList<ElementAnswer> keysOf<ElementAnswer>() {
  static constexpr Key<ElementAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {kKeysOf, "[a question about an element](#a-question-about-an-element)",
       "", "",
       [](const ElementAnswer &of, KeyValue &to) {
         to.keys(AskedElementEntry{of});
       }},
      {"operands", "list of [elements](#elements)", "never",
       "`output-to-input`: one for each array of the operands; of a "
       "computation, of the parameters. `input-to-output`: one for each array "
       "of the operands that has such an element, and each array of the "
       "result. As in [an answer](#an-answer), pairs that read nothing are "
       "left out where there are several results",
       nullptr},
  };
  return {"What an element needs", kKeys};
}

template <>
KeyList<AskedElementEntry> keysOf<AskedElementEntry>() {
  static constexpr Key<AskedElementEntry> kKeys[] = {
      {"computation", "string", "never", "the computation",
       [](const AskedElementEntry &of, KeyValue &to) {
         to.text(of.of.computation->name);
       }},
      {"instruction", "string",
       "the computation was asked about, as if it were one instruction",
       "the instruction",
       [](const AskedElementEntry &of, KeyValue &to) {
         if (of.of.instruction && !of.inLine) to.text(of.of.instruction->name);
       }},
      {"direction", "`\"input-to-output\"`", "it is `output-to-input`",
       "which way was asked",
       [](const AskedElementEntry &of, KeyValue &to) {
         if (of.of.isBackward) to.text("input-to-output");
       }},
      {"of_result", "integer >= 1",
       "the element is of the first array, or of an operand",
       "the array of the result that the element is of",
       [](const AskedElementEntry &of, KeyValue &to) {
         if (!of.of.isBackward && of.of.result > 0) to.integer(of.of.result);
       }},
      {"element", "list of integers", "never", "its index",
       [](const AskedElementEntry &of, KeyValue &to) {
         to.integers(of.of.element);
       }},
  };
  return {"A question about an element", kKeys};
}

template <>
KeyList<ArrayElementsEntry> keysOf<ArrayElementsEntry>() {
  static constexpr Key<ArrayElementsEntry> kKeys[] = {
      {"operand", "integer >= 0", "never", "the array of the operands",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.integer(of.array.operand);
       }},
      {"instruction", "string", "never",
       "the instruction that makes that array",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.text(of.operand().instruction);
       }},
      {"array", "integer >= 1", "it is the first", "which of its arrays it is",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         if (of.operand().result > 0) to.integer(int64_t{of.operand().result});
       }},
      {"result", "integer >= 0", "the direction is `output-to-input`",
       "the array of the result that the listed elements are of",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         if (of.of.isBackward) to.integer(of.array.result);
       }},
      {"exact", "boolean", "never",
       "`true`: these elements, and no others. `false`: all of them are among "
       "these",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.boolean(of.array.elements.isExact);
       }},
      {"count", "integer >= 0 or null", "never",
       "how many there are; `null` is not known",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.integerOrNull(of.array.elements.count);
       }},
      {"elements", "list of lists of integers, or null", "never",
       "their indices, sorted, at most 1000; `null` where they depend on a "
       "value that is not known",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         const auto &listed = of.array.elements.listed;
         if (!listed) return to.null();
         to.list(*listed, [](const Elements::Index &index, KeyValue &each) {
           each.integers(index);
         });
       }},
      {"more", "`true`", "all are listed", "there are others",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.ifTrue(of.array.elements.more);
       }},
      {"depends_on", "string", "the answer depends on no unknown value",
       "the instructions whose values decide the answer, with commas between "
       "them",
       [](const ArrayElementsEntry &of, KeyValue &to) {
         to.textIfAny(llvm::join(of.array.sources, ", "));
       }},
  };
  return {"Elements", kKeys};
}

std::vector<Described> elementTables() {
  return {described<ElementAnswer>(), described<AskedElementEntry>(),
          described<ArrayElementsEntry>()};
}

}  // namespace indexical

// The keys of what the model says otherwise of a kernel that was compiled.
#include "indexical/answers/report/keys.h"

namespace indexical {

template <>
KeyList<ModelledEntry> keysOf<ModelledEntry>() {
  static constexpr Key<ModelledEntry> kKeys[] = {
      {"words", "string", "never", "a sentence about it",
       [](const ModelledEntry &of, KeyValue &to) {
         to.text(of.in.report.names().modelledText(of.cost));
       }},
      {"emitter", "string", "never",
       "the emitter that the model takes, as of [a kernel](#a-kernel)",
       [](const ModelledEntry &of, KeyValue &to) {
         if (of.modelled.emitter) to.text(nameOf(*of.modelled.emitter));
       }},
      {"grid", "list of integers", "never",
       "the blocks along x, y and z, by the model",
       [](const ModelledEntry &of, KeyValue &to) {
         if (of.modelled.grid) to.integers(of.modelled.grid->blocks);
       }},
      {"block", "list of integers", "never",
       "the threads of a block along x, y and z, by the model",
       [](const ModelledEntry &of, KeyValue &to) {
         if (of.modelled.grid) to.integers(of.modelled.grid->threads);
       }},
      {"arrays", "list of [modelled arrays](#a-modelled-array)", "never",
       "arrays for which the model has other requests or sectors than the "
       "code; empty: only the launch is another",
       [](const ModelledEntry &of, KeyValue &to) {
         to.list(of.modelled.arrays,
                 [&](const ModelledArray &array, KeyValue &each) {
                   each.object(ModelledArrayEntry{of.in, of.cost, array});
                 });
       }},
  };
  return {"A modelled launch", kKeys};
}

template <>
KeyList<ModelledArrayEntry> keysOf<ModelledArrayEntry>() {
  static constexpr Key<ModelledArrayEntry> kKeys[] = {
      {"operand", "integer >= 0", "it is written",
       "the array of the operands that is read",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         if (of.array.isRead) to.integer(static_cast<int64_t>(of.array.leaf));
       }},
      {"result", "integer >= 0", "it is read",
       "the array of the result that is written",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         if (!of.array.isRead) to.integer(static_cast<int64_t>(of.array.leaf));
       }},
      {"instruction", "string", "never",
       "the instruction that makes the array, or the kernel that writes it",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         to.text(of.in.report.names().arrayOf(of.cost, of.array));
       }},
      {"requests", "[figure](#a-figure)", "never",
       "accesses of warps by the model, summed over the reads or writes of the "
       "array",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         figure(of.array.model.requests, to);
       }},
      {"sectors", "[figure](#a-figure)", "never",
       "sectors that these touch, by the model, summed",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         figure(of.array.model.sectors, to);
       }},
      {"compiled_requests", "[figure](#a-figure)", "never",
       "accesses of warps by the code, summed over the reads or writes of the "
       "array",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         figure(of.array.compiled.requests, to);
       }},
      {"compiled_sectors", "[figure](#a-figure)", "never",
       "sectors that these touch, by the code, summed",
       [](const ModelledArrayEntry &of, KeyValue &to) {
         figure(of.array.compiled.sectors, to);
       }},
  };
  return {"A modelled array", kKeys};
}

}  // namespace indexical

#include "indexical/answers/report/cancels.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

absl::StatusOr<std::vector<Cancelled>> cancelledIn(const Program &program,
                                                   const Ask &ask) {
  std::vector<Cancelled> all;
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    ProgramIndexing maps(module, /*prover=*/nullptr, ask.budget);
    INDEXICAL_ASSIGN_OR_RETURN(auto pairs, cancelsOf(maps));
    llvm::stable_sort(pairs,
                      [](const CancelledMoves &a, const CancelledMoves &b) {
                        return a.bytes > b.bytes;
                      });
    for (CancelledMoves &pair : pairs)
      all.push_back({&program, number, std::move(pair)});
  }
  return all;
}

template <>
KeyList<Cancelled> keysOf<Cancelled>() {
  static constexpr Key<Cancelled> kKeys[] = {
      {"module", "integer >= 0", "never", "the number of the module, from 0",
       [](const Cancelled &of, KeyValue &to) {
         to.integer(static_cast<int64_t>(of.module));
       }},
      {"computation", "string", "never", "where both values are",
       [](const Cancelled &of, KeyValue &to) {
         to.text(of.computation().name);
       }},
      {"first", "string", "never", "the instruction of the earlier value",
       [](const Cancelled &of, KeyValue &to) {
         to.text(of.nameOf(of.moves.first.instruction));
       }},
      {"first_result", "integer >= 1", "it is the first array",
       "which of its arrays it is",
       [](const Cancelled &of, KeyValue &to) {
         if (of.moves.first.leaf > 0) to.integer(int64_t{of.moves.first.leaf});
       }},
      {"second", "string", "never",
       "the instruction of the later value: the earlier one again, or a "
       "permutation of it",
       [](const Cancelled &of, KeyValue &to) {
         to.text(of.nameOf(of.moves.second.instruction));
       }},
      {"second_result", "integer >= 1", "it is the first array",
       "which of the later instruction's arrays it is",
       [](const Cancelled &of, KeyValue &to) {
         if (of.moves.second.leaf > 0)
           to.integer(int64_t{of.moves.second.leaf});
       }},
      {"permutation", "list of integers", "never",
       "dimension k of `second` is dimension `permutation[k]` of `first`, as "
       "of "
       "a transpose; 0, 1, 2… where both are one value",
       [](const Cancelled &of, KeyValue &to) {
         to.integers(of.moves.permutation);
       }},
      {"between", "list of strings", "never",
       "the ops on the way that move elements, in its order; the last one "
       "gives "
       "`second`",
       [](const Cancelled &of, KeyValue &to) {
         to.list(of.moves.between, [&](InstructionId op, KeyValue &each) {
           each.text(of.nameOf(op));
         });
       }},
      {"bytes", "integer >= 0", "never",
       "the bytes of the arrays that these ops read and write, each as whole",
       [](const Cancelled &of, KeyValue &to) { to.integer(of.moves.bytes); }},
  };
  return {"Movement that cancels", kKeys};
}

}  // namespace indexical

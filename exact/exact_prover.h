// The engines as a prover, for code that takes one.
//
//   ExactProver prover;
//   SimplifyOptions options;
//   options.prover = &prover;
//   auto simple = simplify(map, options);
//   ProgramIndexing maps(module, &prover);
#ifndef INDEXICAL_EXACT_EXACT_PROVER_H
#define INDEXICAL_EXACT_EXACT_PROVER_H

#include <optional>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/Hashing.h"

#include "indexical/exact/exact.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

class ExactProver final : public Prover {
 public:
  /// Returns options for proofs. Callers need many more proofs than answers, so
  /// a proof may take a millisecond.
  static ExactOptions ofProofs() {
    ExactOptions options;
    options.operations = 20'000;
    options.mostPieces = 8;
    return options;
  }
  /// Returns options for proofs, with the stop of the budget and, if it has
  /// them, its operations.
  static ExactOptions ofProofs(const Budget &budget) {
    ExactOptions options = ofProofs();
    options.operations = budget.operationsOr(*options.operations);
    options.stop = budget.stop;
    return options;
  }
  explicit ExactProver(const ExactOptions &options = ofProofs())
      : options_(options) {}

  bool isEmpty(const IndexingMap &map) override;
  std::optional<IndexingRelation> difference(
      const IndexingMap &a, const IndexingRelation &b) override;

 private:
  std::optional<IndexingRelation> find(const IndexingMap &a,
                                       const IndexingRelation &b);

  ExactOptions options_;
  /// The results of `difference` so far, of maps whose runtime variables all
  /// have sources. The layers of a program repeat the same queries.
  using Question = std::vector<IndexingMap>;
  struct Hash {
    size_t operator()(const Question &question) const {
      return llvm::hash_combine_range(question.begin(), question.end());
    }
  };
  std::unordered_map<Question, std::optional<IndexingRelation>, Hash> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_EXACT_PROVER_H

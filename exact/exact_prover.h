// The engines as a prover, for whoever has a place for one.
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
  /// A proof is asked for many times where an answer is asked for once: a
  /// millisecond each.
  static ExactOptions ofProofs() {
    ExactOptions options;
    options.operations = 20'000;
    options.mostPieces = 8;
    return options;
  }
  /// The same, but with the operations and the stop of a budget, where it has
  /// them.
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
  /// Differences that were found: a program's layers ask the same again. Of
  /// maps whose runtime variables have sources, or that have none.
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

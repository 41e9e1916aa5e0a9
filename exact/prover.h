// The engines as a prover, for whoever has a place for one.
//
//   ExactProver prover;
//   simplify(map, {/*foldPoints=*/true, /*rename=*/false, &prover});
//   ProgramIndexing maps(module, &prover);
#ifndef INDEXICAL_EXACT_PROVER_H
#define INDEXICAL_EXACT_PROVER_H

#include "exact/exact.h"
#include "simplifier/prover.h"

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
  explicit ExactProver(const ExactOptions &options = ofProofs())
      : options_(options) {}

  bool isEmpty(const IndexingMap &map) override;
  std::optional<IndexingRelation> difference(
      const IndexingMap &a, const IndexingRelation &b) override;

 private:
  ExactOptions options_;
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_PROVER_H

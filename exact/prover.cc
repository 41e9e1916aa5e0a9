#include "exact/prover.h"

namespace indexical {

bool ExactProver::isEmpty(const IndexingMap &map) {
  auto decision = indexical::isEmpty(IndexingRelation(map), options_);
  return decision.ok() && decision->answer == Answer::Yes;
}

std::optional<IndexingRelation> ExactProver::difference(
    const IndexingMap &a, const IndexingRelation &b) {
  auto left = indexical::difference(IndexingRelation(a), b, options_);
  if (!left.ok() || left->precision() != Precision::Exact) return std::nullopt;
  return *std::move(left);
}

}  // namespace indexical

#include "exact/prover.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "exact/closed_form.h"
#include "indexing/transforms.h"

namespace indexical {
namespace {

// Then all is forgotten.
constexpr size_t kMostRemembered = 10'000;

/// Equal maps are so whatever their variables are called, but the name says
/// which variable one without a source is.
bool namesMatter(const IndexingMap &map) {
  return llvm::any_of(map.runtime(), [](const RuntimeVariable &v) {
    return v.source.kind == RuntimeSource::Kind::None;
  });
}

}  // namespace

bool ExactProver::isEmpty(const IndexingMap &map) {
  if (map.isKnownEmpty()) return true;
  // Mostly a corner is in it.
  if (sampleInClosedForm(asSet(map)).found == Sample::Found::Point)
    return false;
  auto decision = indexical::isEmpty(IndexingRelation(map), options_);
  return decision.ok() && decision->answer == Answer::Yes;
}

std::optional<IndexingRelation> ExactProver::find(const IndexingMap &a,
                                                  const IndexingRelation &b) {
  auto left = indexical::difference(IndexingRelation(a), b, options_);
  if (!left.ok() || left->precision() != Precision::Exact) return std::nullopt;
  return *std::move(left);
}

std::optional<IndexingRelation> ExactProver::difference(
    const IndexingMap &a, const IndexingRelation &b) {
  if (namesMatter(a) || llvm::any_of(b.pieces(), namesMatter))
    return find(a, b);
  Question question{a};
  question.insert(question.end(), b.pieces().begin(), b.pieces().end());
  auto known = known_.find(question);
  if (known != known_.end()) return known->second;
  if (known_.size() == kMostRemembered) known_.clear();
  return known_[std::move(question)] = find(a, b);
}

}  // namespace indexical

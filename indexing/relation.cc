#include "indexical/indexing/relation.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

llvm::StringRef precisionName(Precision precision) {
  switch (precision) {
    case Precision::Opaque:
      return "opaque";
    case Precision::Cover:
      return "cover";
    case Precision::Exact:
      break;
  }
  return "exact";
}

/// Whether the piece is there. If not, the table gets the number that add()
/// gives to the piece.
bool IndexingRelation::has(const IndexingMap &piece) {
  constexpr size_t kFew = 16;
  if (pieces_.size() < kFew) return llvm::is_contained(pieces_, piece);
  std::unique_ptr<Places::ByHash> &byHash = places_.byHash;
  if (!byHash || byHash->size() != pieces_.size()) {
    byHash = std::make_unique<Places::ByHash>();
    for (size_t i = 0; i < pieces_.size(); ++i)
      byHash->emplace(hash_value(pieces_[i]), i);
  }
  const size_t hash = hash_value(piece);
  for (auto [at, end] = byHash->equal_range(hash); at != end; ++at)
    if (pieces_[at->second] == piece) return true;
  byHash->emplace(hash, pieces_.size());
  return false;
}

void IndexingRelation::add(IndexingMap piece) {
  if (piece.isKnownEmpty() || (!pieces_.empty() && has(piece))) return;
  pieces_.push_back(std::move(piece));
}

void IndexingRelation::unite(const IndexingRelation &other) {
  for (const IndexingMap &piece : other.pieces_) add(piece);
  weaken(other.precision());
}

}  // namespace indexical

#include "indexical/indexing/relation.h"

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

void IndexingRelation::add(IndexingMap piece) {
  if (piece.isKnownEmpty()) return;
  for (const IndexingMap &other : pieces_)
    if (other == piece) return;
  pieces_.push_back(std::move(piece));
}

void IndexingRelation::unite(const IndexingRelation &other) {
  for (const IndexingMap &piece : other.pieces_) add(piece);
  weaken(other.precision());
}

}  // namespace indexical

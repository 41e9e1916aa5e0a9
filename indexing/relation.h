// IndexingRelation: what one result reads of one operand.
//
// A relation is a union of maps ("pieces") and says how much it promises:
//
//   Exact   the union of the pieces is the dependence
//   Cover   it contains the dependence
//   Opaque  the op's meaning is not known; the pieces cover the whole operand
//
// For the padding value of `pad` of 4 elements to 10, low 3: the elements that
// are padding, in two disjoint pieces:
//
//   (d0) -> (), domain: d0 in [0, 2]       (d0) -> (), domain: d0 in [7, 9]
//
// No pieces at all is always exact: "not read".
#ifndef INDEXICAL_INDEXING_RELATION_H
#define INDEXICAL_INDEXING_RELATION_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Says how much a relation promises, in order of strength: a union or a
/// composition has the weakest of its parts.
enum class Precision : uint8_t { Opaque, Cover, Exact };

/// Returns the precision's name: `exact`, `cover`, `opaque`.
llvm::StringRef precisionName(Precision precision);

class IndexingRelation {
 public:
  IndexingRelation() = default;
  explicit IndexingRelation(IndexingMap piece,
                            Precision precision = Precision::Exact) {
    add(std::move(piece));
    weaken(precision);
  }

  llvm::ArrayRef<IndexingMap> pieces() const { return pieces_; }
  /// Returns the precision; it is Exact if there are no pieces.
  Precision precision() const {
    return pieces_.empty() ? Precision::Exact : precision_;
  }
  bool isEmpty() const { return pieces_.empty(); }

  /// Adds the piece, unless it is known to be empty or equal to another piece.
  void add(IndexingMap piece);
  /// Adds the pieces of `other`, except those that it has. The precision
  /// becomes the weaker of both.
  void unite(const IndexingRelation &other);
  void weaken(Precision precision) {
    precision_ = std::min(precision_, precision);
  }

  bool operator==(const IndexingRelation &other) const {
    return precision() == other.precision() && pieces_ == other.pieces_;
  }

 private:
  /// The number of each piece, by the piece's hash. The table is only made when
  /// a piece is added to many others, and copies do not get it.
  struct Places {
    using ByHash = std::unordered_multimap<size_t, size_t>;
    Places() = default;
    Places(const Places &) {}
    Places(Places &&) = default;
    Places &operator=(const Places &) {
      byHash.reset();
      return *this;
    }
    Places &operator=(Places &&) = default;
    std::unique_ptr<ByHash> byHash;
  };

  bool has(const IndexingMap &piece);

  llvm::SmallVector<IndexingMap, 1> pieces_;
  Places places_;
  Precision precision_ = Precision::Exact;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_RELATION_H

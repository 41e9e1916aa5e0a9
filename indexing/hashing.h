// Maps and relations in hash tables and in streams.
//
//   std::unordered_set<IndexingMap>, absl::flat_hash_set<IndexingRelation>,
//   llvm::DenseSet<IndexingMap>
//
//   llvm::errs() << map        (d0) -> (d0 + 1), domain: d0 in [0, 3]
//   std::cerr << relation      exact: (d0) -> (d0 + 1), domain: d0 in [0, 3]
//
// Laws (tests/indexing/hashing_test.cc): values that are equal have one hash,
// which is the same in every order of insertion; names do not count, as in ==.
#ifndef INDEXICAL_INDEXING_HASHING_H
#define INDEXICAL_INDEXING_HASHING_H

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/relation.h"

namespace indexical {

inline llvm::hash_code hash_value(const IndexingRelation &relation) {
  llvm::hash_code hash(static_cast<size_t>(relation.precision()));
  for (const IndexingMap &piece : relation.pieces())
    hash = llvm::hash_combine(hash, piece.hash());
  return hash;
}

/// For containers of Abseil.
template <typename Hash>
Hash AbslHashValue(Hash hash, const IndexingMap &map) {
  return Hash::combine(std::move(hash), map.hash());
}
template <typename Hash>
Hash AbslHashValue(Hash hash, const IndexingRelation &relation) {
  return Hash::combine(std::move(hash), size_t{hash_value(relation)});
}

/// Returns the precision and the pieces on one line.
inline std::string textOf(const IndexingRelation &relation) {
  std::string text = precisionName(relation.precision()).str() + ":";
  for (const IndexingMap &piece : relation.pieces())
    text += (text.back() == ':' ? " " : "; ") + piece.strOneLine();
  return text;
}

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const IndexingMap &map) {
  return os << map.strOneLine();
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     const IndexingRelation &relation) {
  return os << textOf(relation);
}
inline std::ostream &operator<<(std::ostream &os, const IndexingMap &map) {
  return os << map.strOneLine();
}
inline std::ostream &operator<<(std::ostream &os,
                                const IndexingRelation &relation) {
  return os << textOf(relation);
}

}  // namespace indexical

template <>
struct std::hash<indexical::IndexingMap> {
  size_t operator()(const indexical::IndexingMap &map) const {
    return map.hash();
  }
};
template <>
struct std::hash<indexical::IndexingRelation> {
  size_t operator()(const indexical::IndexingRelation &relation) const {
    return hash_value(relation);
  }
};

/// The keys that DenseMap keeps to itself have names that no text can have, and
/// are equal to nothing but themselves.
template <>
struct llvm::DenseMapInfo<indexical::IndexingMap> {
  static indexical::IndexingMap getEmptyKey() { return keyOf(kEmpty); }
  static indexical::IndexingMap getTombstoneKey() { return keyOf(kTombstone); }
  static unsigned getHashValue(const indexical::IndexingMap &map) {
    return static_cast<unsigned>(map.hash());
  }
  static bool isEqual(const indexical::IndexingMap &a,
                      const indexical::IndexingMap &b) {
    return a == b && ownName(a) == ownName(b);
  }

 private:
  static constexpr llvm::StringLiteral kEmpty = "<no key>";
  static constexpr llvm::StringLiteral kTombstone = "<no longer a key>";
  static indexical::IndexingMap keyOf(llvm::StringRef name) {
    indexical::IndexingMapBuilder builder;
    builder.dimension({0, 0}, name.str());
    return *builder.build();
  }
  static llvm::StringRef ownName(const indexical::IndexingMap &map) {
    if (map.dimensions().size() != 1) return "";
    const llvm::StringRef name = map.dimensions()[0].name;
    return name == kEmpty || name == kTombstone ? name : llvm::StringRef();
  }
};

template <>
struct llvm::DenseMapInfo<indexical::IndexingRelation> {
  using Relation = indexical::IndexingRelation;
  using OfMap = llvm::DenseMapInfo<indexical::IndexingMap>;
  static Relation getEmptyKey() { return Relation(OfMap::getEmptyKey()); }
  static Relation getTombstoneKey() {
    return Relation(OfMap::getTombstoneKey());
  }
  static unsigned getHashValue(const Relation &relation) {
    return static_cast<unsigned>(size_t{hash_value(relation)});
  }
  static bool isEqual(const Relation &a, const Relation &b) {
    if (!(a == b)) return false;
    for (size_t i = 0; i < a.pieces().size(); ++i)
      if (!OfMap::isEqual(a.pieces()[i], b.pieces()[i])) return false;
    return true;
  }
};

#endif  // INDEXICAL_INDEXING_HASHING_H

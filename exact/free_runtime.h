// Runtime variables that are not part of their map.
//
//   (d0){rt0} -> (d0), rt0 in [0, 3]               rt0 has values: (d0) -> (d0)
//   (d0){rt0} -> (d0), rt0 in [0, 3], rt0 in [5, 9]   it has none: no pairs
//
// A variable without a source that no result and no index names, and that
// constraints name only with others of this kind, is left out if it has values.
// Where maps are compared, this makes a map equal to its simplified form.
#ifndef INDEXICAL_EXACT_FREE_RUNTIME_H
#define INDEXICAL_EXACT_FREE_RUNTIME_H

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "indexical/exact/exact.h"

namespace indexical {

/// Values of variables, by name.
using NamedValues = std::map<std::string, int64_t>;

/// Returns whether the value of the variable comes from nowhere that is known.
inline bool hasNoSource(const RuntimeVariable &variable) {
  return variable.source.kind == RuntimeSource::Kind::None;
}

/// Returns the relation without the variables that have no source and no use:
/// those that have values are not part of its map, and those without leave
/// nothing of it. Returns nothing if there are none. Notes values of theirs.
std::optional<IndexingRelation> withoutFreeRuntime(
    const IndexingRelation &relation, const ExactOptions &options,
    NamedValues &values);

/// Adds a value for each variable without a source that the witness lacks: the
/// one that is known, or one that the maps allow.
void addFreeValues(std::initializer_list<const IndexingRelation *> relations,
                   const NamedValues &known, PairWitness &witness);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_FREE_RUNTIME_H
